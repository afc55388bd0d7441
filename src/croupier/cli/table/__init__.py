"""`croupier table`: run a table from a script of commands, list every command, write a first script."""

from croupier.cli.table.command import app

__all__ = ["app"]
