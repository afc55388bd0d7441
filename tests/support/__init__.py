"""What tests share: harnesses, random players, recorders, and second implementations."""
