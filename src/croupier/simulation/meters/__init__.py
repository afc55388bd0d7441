"""Progressive meters over many rounds: one table, linked tables, and their history."""
