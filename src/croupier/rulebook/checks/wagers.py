"""Wagers, their prerequisites and their paytables."""

from __future__ import annotations

from croupier.rulebook import names
from croupier.rulebook.checks.finding import Findings, error, first_wager
from croupier.rulebook.schema import Cited, Paytable, Rulebook, Wager
from croupier.rulebook.submission import Submission, WagerChoice

__all__ = ["check_wagers", "tables_of"]


def check_wagers(book: Rulebook, submission: Submission) -> Findings:
    """Wagers that the document has, each with a paytable and what it requires."""
    known = {wager.name: wager for wager in book.wagers.wager if wager.offered == "option"}
    chosen_base = _base_choice(book) is not None
    for name, choice in submission.wagers.items():
        key = f"wagers.{name}"
        if name == "base" and chosen_base:
            continue
        if name not in known:
            offered = ", ".join([*(["base"] if chosen_base else []), *known])
            always = (
                " is always offered" if any(wager.name == name for wager in book.wagers.wager) else " is no wager here"
            )
            yield error(first_wager(book), key, f"{name}{always}; a submission may choose {offered}")
            continue
        yield from _idle_keys(known[name], choice, key)
    if chosen_base:
        yield from _paytable(book, "base", submission.wagers.get("base", WagerChoice()), "wagers.base")
    for wager in known.values():
        if wager.name in submission.wagers:
            yield from _paytable(book, wager.paytables, submission.wagers[wager.name], f"wagers.{wager.name}")
            for requirement in wager.requires:
                needed = next(one for one in book.wagers.wager if one.name == requirement.wager)
                if needed.offered == "option" and needed.name not in submission.wagers and not requirement.if_offered:
                    yield error(
                        requirement, f"wagers.{wager.name}", f"{wager.name} needs {needed.name}, which is not offered"
                    )


def _base_choice(book: Rulebook) -> Cited | None:
    return next((choice for choice in book.paytables.choice if choice.group == "base"), None)


def _idle_keys(wager: Wager, choice: WagerChoice, key: str) -> Findings:
    """Keys of a wager that this kind of wager does not have."""
    fixed = wager.stake == "fixed"
    idle = {
        "minimum": fixed and choice.limits.minimum is not None,
        "maximum": fixed and choice.limits.maximum is not None,
        "increment": fixed and choice.limits.increment is not None,
        "stake": not fixed and choice.stake is not None,
        "meters": wager.name != "progressive" and bool(choice.meters),
        "reserve_rate": wager.name != "progressive" and choice.reserve_rate is not None,
        "link": wager.name != "progressive" and choice.link is not None,
    }
    for name, given in idle.items():
        if given:
            yield error(wager, f"{key}.{name}", f"nothing reads this key: {wager.name} has no {name}", reading=190)


def tables_of(book: Rulebook, group: str) -> list[Paytable]:
    """The paytables of a group, in the document's order."""
    return [table for table in book.paytables.paytable if table.group == group]


def _paytable(book: Rulebook, group: names.PaytableGroup, choice: WagerChoice, key: str) -> Findings:
    cited = next(one for one in book.paytables.choice if one.group == group)
    ids = list(dict.fromkeys(table.id for table in tables_of(book, group)))
    if choice.paytable is None:
        yield error(cited, f"{key}.paytable", f"no paytable is chosen: {', '.join(ids)}")
    elif choice.paytable not in ids:
        yield error(cited, f"{key}.paytable", f"there is no paytable {choice.paytable!r}: {', '.join(ids)}")
