"""Arguments and options that name a rulebook or a house: by its id, as people call the game, or by a file.

The commands behind them see the id. A shell completes ids, and files where there may be one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from croupier.cli.completions import complete_house, complete_rulebook
from croupier.files import is_missing
from croupier.rulebook import typed_rulebook

__all__ = ["as_rulebook", "house_argument", "house_option", "rulebook_argument", "rulebook_option"]


def as_rulebook(typed: object) -> object:
    """What was typed, with the ids of rulebooks that go by another name; a file of that name comes first.

    >>> as_rulebook("lir"), as_rulebook(["hcf", "12.D"]), str(as_rulebook(Path("Let It Ride"))), as_rulebook("my.toml")
    ('md-let-it-ride', ['md-high-card-flush', '12.D'], 'md-let-it-ride', 'my.toml')
    """
    if isinstance(typed, list):
        return [as_rulebook(name) for name in typed]
    if isinstance(typed, str | Path) and is_missing(Path(typed)):
        return type(typed)(typed_rulebook(str(typed)))
    return typed


def rulebook_argument(text: str = "Such as md-mississippi-stud.", *, metavar: str = "RULEBOOK") -> Any:  # noqa: ANN401 - Typer's own
    """An argument, or several, that may be a rulebook."""
    return typer.Argument(
        metavar=metavar, autocompletion=complete_rulebook, callback=as_rulebook, help=text, show_default=False
    )


def house_argument(text: str, *, metavar: str) -> Any:  # noqa: ANN401 - Typer's own
    """An argument, or several, that may be a submission file or a rulebook."""
    return typer.Argument(
        metavar=metavar, autocompletion=complete_house, callback=as_rulebook, help=text, show_default=False
    )


def rulebook_option(*names: str, text: str) -> Any:  # noqa: ANN401 - Typer's own
    """An option for a rulebook."""
    return typer.Option(
        *names,
        metavar="RULEBOOK",
        autocompletion=complete_rulebook,
        callback=as_rulebook,
        help=text,
        show_default=False,
    )


def house_option(*names: str, text: str, metavar: str = "FILE") -> Any:  # noqa: ANN401 - Typer's own
    """An option for a submission file or a rulebook."""
    return typer.Option(
        *names, metavar=metavar, autocompletion=complete_house, callback=as_rulebook, help=text, show_default=False
    )
