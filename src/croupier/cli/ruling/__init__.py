"""`croupier ruling`: what an irregularity demands here and now, by name or in plain words."""

from croupier.cli.ruling.command import ruling

__all__ = ["ruling"]
