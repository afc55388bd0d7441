"""The command and its words, which a shell completes: what answers them is loaded when it is run."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.completions import complete_ruling
from croupier.cli.rulebook_names import house_option, rulebook_option

__all__ = ["ruling"]


def ruling(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORDS]",
            autocompletion=complete_ruling,
            help="A name such as community_exposed, or plain words: exposed card, too many cards, jam.",
            show_default=False,
        ),
    ] = None,
    rulebook: Annotated[
        str | None, rulebook_option("--rulebook", "-r", text="The document; default: all, side by side.")
    ] = None,
    submission: Annotated[str | None, house_option(text="Your house: its options and devices count.")] = None,
    stage: Annotated[
        str | None,
        typer.Option(
            metavar="MOMENT",
            help="When it is noticed: before the deal, during the deal, third street, after third street, settlement.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """Say what an irregularity demands: what is void, returned, replaced or removed, whom to call, what to record.

    Without words it lists everything there is a ruling for. Every answer has its clause and reading.

    Exit code 0: answered. 1: the submission is not valid. 2: it cannot be read, or nothing fits the words.

    Examples: [bold]croupier ruling exposed card -r md-mississippi-stud[/bold],
    [bold]croupier ruling community_exposed --stage "after third street" -r md-mississippi-stud[/bold]
    """
    from croupier.cli.ruling.answers import say_ruling  # noqa: PLC0415 - tables load when something is ruled

    return say_ruling(words or [], rulebook=rulebook, submission=submission, stage=stage, as_json=as_json)
