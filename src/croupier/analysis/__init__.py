"""What the games are worth: exact counts, best play and the strategies that people remember."""
