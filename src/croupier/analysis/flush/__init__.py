"""High Card Flush, solved exactly."""
