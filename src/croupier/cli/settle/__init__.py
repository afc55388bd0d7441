"""`croupier settle`: what a round should have paid, described in a file, on the command line, or in answers."""

from croupier.cli.settle.command import settle

__all__ = ["settle"]
