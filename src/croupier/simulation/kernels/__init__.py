"""Whole tables, compiled: one module a family of games, and what they share."""
