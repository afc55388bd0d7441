"""What commands show in a terminal: the console and the tables of figures."""
