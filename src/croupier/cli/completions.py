"""What a shell offers for a word that is half typed: somebody waits for it, so little is loaded."""

from __future__ import annotations

from pathlib import Path

import typer

from croupier.rulebook import edition_folder, load_rulebook, rulebook_ids, rulebooks_called

__all__ = ["complete_house", "complete_rulebook", "complete_ruling", "complete_wager"]


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


def complete_ruling(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The rulings whose names begin with this, with what happened: of the rulebook already typed, or of all."""
    from croupier.present import IRREGULARITIES, REMEDIES  # noqa: PLC0415 - rulebooks are completed without it

    before = (*ctx.args, ctx.params.get("rulebook"), *(ctx.params.get("words") or ()))
    named = next(filter(None, map(rulebooks_called, filter(None, before))), rulebook_ids())
    books = [edition_folder(name) for name in named]
    parts = [folder / part for folder in books for part in ("irregularities.toml", "procedure.toml")]
    law = "".join(part.read_text(encoding="utf-8") for part in parts)  # whole rulebooks take longer than somebody waits
    set_right = [(name, happened) for name, (happened, _) in REMEDIES.items() if name != "report_jam"]
    rulings = [*IRREGULARITIES.items(), *set_right]
    return [(name, happened) for name, happened in rulings if name.startswith(incomplete) and f'"{name}"' in law]
