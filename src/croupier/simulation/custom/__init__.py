"""Strategies written by users, settled by `games` and checked against the kernels."""
