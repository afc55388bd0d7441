"""What people read, print and hang up: pictures of the exact analysis."""
