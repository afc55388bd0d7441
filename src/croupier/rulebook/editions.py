"""Where the rulebooks are: `STATE/GAME/EDITION/`, the edition a date; shipped ones, and those of a further folder."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from croupier.errors import Malformed

__all__ = [
    "ENVIRONMENT",
    "SHIPPED",
    "edition_folder",
    "editions",
    "neither_file_nor_rulebook",
    "rulebook_ids",
    "rulebooks_called",
    "typed_rulebook",
]

SHIPPED: Final = Path(str(files("croupier") / "regulations"))
ENVIRONMENT: Final = "CROUPIER_REGULATIONS"
"""Names a folder of further rulebooks, with the same layout as the shipped one."""
_CLOSE: Final = 0.75
"""How alike a mistyped word must be."""


def rulebook_ids() -> list[str]:
    """Every rulebook there is, as `state-game`: the shipped ones, then those of a further folder.

    >>> rulebook_ids()[0]
    'ma-mississippi-stud'
    """
    return list(_folders())


def typed_rulebook(text: str) -> str:
    """The id of the one rulebook that a name means: of a game, in full or by its initials, with or without a state.

    What several rulebooks can mean, or none, stays as it was typed; `load_rulebook` then says which may be meant.

    >>> [typed_rulebook(text) for text in ("Let It Ride", "HCF", "md ms", "Massachusetts mississippi stud", "ms")]
    ['md-let-it-ride', 'md-high-card-flush', 'md-mississippi-stud', 'ma-mississippi-stud', 'ms']
    """
    meant = rulebooks_called(text)
    return meant[0] if len(meant) == 1 else text


def rulebooks_called(text: str) -> list[str]:
    """The ids of all rulebooks that a name means: none, one, or the same game in several states.

    >>> rulebooks_called("ms"), rulebooks_called("md-let-it-ride"), rulebooks_called("poker")
    (['ma-mississippi-stud', 'md-mississippi-stud'], ['md-let-it-ride'], [])
    """
    known = rulebook_ids()
    return [text] if text in known else [name for name in known if _is_called(name, _words(text))]


def neither_file_nor_rulebook(text: str) -> Malformed:
    """Say that a house was named by neither, and which rulebook may be meant.

    >>> print(neither_file_nor_rulebook("let it ride").args[0].rpartition("; ")[2])
    did you mean md-let-it-ride?
    """
    known = f"{text}: neither a file nor a rulebook; the rulebooks are {', '.join(rulebook_ids())}"
    return Malformed("; ".join(filter(None, (known, _meant(text)))))


def editions(name: str) -> list[str]:
    """The editions of a rulebook by date, newest first; the newest is the default.

    >>> editions("md-let-it-ride")
    ['2014-10-29']
    """
    return list(_editions(name))


def edition_folder(name: str, edition: str | None = None) -> Path:
    """The folder of an edition; by default of the newest."""
    folders = _editions(name)
    if edition is None:
        return next(iter(folders.values()))
    if edition not in folders:
        raise Malformed(f"{name} has no edition {edition!r}: {', '.join(folders)}")
    return folders[edition]


def _editions(name: str) -> dict[str, Path]:
    rulebooks = _folders()
    if name not in rulebooks:
        raise Malformed(f"unknown rulebook {name!r}: {_meant(name) or ', '.join(rulebooks)}")
    return rulebooks[name]


def _meant(text: str) -> str:
    """A question for somebody who gave no rulebook's id: which ones may be meant; empty if none comes near.

    >>> _meant("mississippi"), _meant("let it rid"), _meant("Kh 7s"), _meant("nj-let-it-ride")
    ('did you mean ma-mississippi-stud or md-mississippi-stud?', 'did you mean md-let-it-ride?', '', '')
    """
    typed, known = _words(text), rulebook_ids()
    meant = (
        rulebooks_called(text)
        or [name for name in known if typed and all(_has(name, word) for word in typed)]
        or [name for name in known if _is_like(name, typed)]
    )
    *others, last = meant or [""]
    return f"did you mean {', '.join(others)} or {last}?" if others else f"did you mean {last}?" if last else ""


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _game(name: str) -> str:
    """
    >>> _game("md-let-it-ride")
    'let it ride'
    """
    return name.partition("-")[2].replace("-", " ")


def _is_called(name: str, typed: Sequence[str]) -> bool:
    """Whether these words are the game of a rulebook, alone or with its state before or after it."""
    game, said = _game(name), "".join(typed)
    calls = {game.replace(" ", ""), "".join(word[0] for word in game.split())}
    if said in calls:
        return True
    rest = {said.removeprefix(call) for call in calls} | {said.removesuffix(call) for call in calls}
    return rest != {said} and not rest.isdisjoint({name.partition("-")[0], _jurisdiction(name)})


def _jurisdiction(name: str) -> str:
    """Its letters alone, without reading the rulebook: `newjersey`.

    >>> _jurisdiction("md-let-it-ride")
    'maryland'
    """
    source = next(iter(_folders()[name].values())) / "source.toml"
    named = re.search(r'^jurisdiction = "(.*)"', source.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return "".join(_words(named[1])) if named else ""


def _has(name: str, word: str) -> bool:
    return any(part.startswith(word) for part in name.split("-"))


def _is_like(name: str, typed: Sequence[str]) -> bool:
    """Whether these words are a rulebook's id or its game, mistyped."""
    parts = name.split("-")
    return bool(typed) and any(
        len(typed) <= len(words)
        and all(get_close_matches(word, [part], cutoff=_CLOSE) for word, part in zip(typed, words, strict=False))
        for words in (parts, parts[1:])
    )


def _folders() -> dict[str, dict[str, Path]]:
    """The folders of all editions, the newest first, by the id of their rulebook."""
    shipped, further = _shipped(), os.environ.get(ENVIRONMENT)
    if not further:
        return shipped
    if not Path(further).is_dir():
        raise Malformed(f"{ENVIRONMENT}: {further!r} is not a folder")
    more = _below(Path(further))
    if twice := sorted(shipped.keys() & more.keys()):
        raise Malformed(f"{ENVIRONMENT}: {', '.join(twice)} ships with Croupier; use another state name for yours")
    return shipped | more


@cache
def _shipped() -> dict[str, dict[str, Path]]:
    """Cached: the product's own files do not change while it runs."""
    return _below(SHIPPED)


def _below(root: Path) -> dict[str, dict[str, Path]]:
    for source in sorted(root.glob("*/*/source.toml")):
        raise Malformed(
            f"{source.parent}: move these files into a folder named for the date of the edition,"
            f" such as {source.parent / '2026-01-31'}"
        )
    folders: dict[str, dict[str, Path]] = {}
    for source in sorted(root.glob("*/*/*/source.toml"), key=lambda path: path.parent.name, reverse=True):
        folder = source.parent
        if not _is_date(folder.name):
            raise Malformed(f"{folder}: the folder of an edition is named for its date, such as 2026-01-31")
        folders.setdefault(f"{folder.parent.parent.name}-{folder.parent.name}", {})[folder.name] = folder
    return dict(sorted(folders.items()))


def _is_date(name: str) -> bool:
    try:
        return datetime.date.fromisoformat(name).isoformat() == name
    except ValueError:
        return False
