"""What a shell offers for a word that is half typed: somebody waits for it, so little is loaded."""

from __future__ import annotations

from pathlib import Path

import typer

from croupier.rulebook import load_rulebook, rulebook_ids

__all__ = ["complete_house", "complete_rulebook", "complete_wager"]


def complete_rulebook(incomplete: str) -> list[str]:
    """List the ids that begin with what was typed."""
    return [name for name in rulebook_ids() if name.startswith(incomplete)]


def complete_house(incomplete: str) -> list[str]:
    """List what stands for a house: the ids that begin so, and files that may be a submission."""
    folder = Path(incomplete if incomplete.endswith("/") else Path(incomplete).parent)
    files = [str(path) for ending in ("toml", "json") for path in sorted(folder.glob(f"*.{ending}"))]
    return [*complete_rulebook(incomplete), *(name for name in files if name.startswith(incomplete))]


def complete_wager(ctx: typer.Context, incomplete: str) -> list[str]:
    """The wagers whose names begin with this: of the rulebooks already typed, or of all."""
    from croupier.analysis import wagers_of  # noqa: PLC0415 - rulebooks are completed without it

    before = {*ctx.args, ctx.params.get("rulebook"), *(ctx.params.get("rulebooks") or ())}
    books = [name for name in rulebook_ids() if name in before] or rulebook_ids()
    names = dict.fromkeys(name for book in books for name in wagers_of(load_rulebook(book)))
    return [name for name in names if name.startswith(incomplete)]
