"""The command line: where the layers are put together."""

from croupier.cli.app import main

__all__ = ["main"]
