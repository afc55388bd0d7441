"""The `croupier` command."""

from __future__ import annotations

import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command; Ctrl-C while it is still loading ends it quietly too."""
    try:
        from croupier.cli.app import main as run  # noqa: PLC0415
    except KeyboardInterrupt:
        sys.exit(130)
    run()
