"""Wagers, their prerequisites and their paytables."""

from __future__ import annotations

from croupier.rulebook.checks.finding import Findings, error, first_wager, title
from croupier.rulebook.schema import Paytable, Rulebook, Wager
from croupier.rulebook.submission import Submission, WagerChoice
from croupier.wire import clip

__all__ = ["check_wagers", "tables_of"]


def check_wagers(book: Rulebook, submission: Submission) -> Findings:
    """Wagers that the document has, each with a paytable and the wagers it requires."""
    known = {wager.name: wager for wager in book.wagers.wager if wager.offered == "option"}
    for name, choice in submission.wagers.items():
        key = f"wagers.{name}"
        if name == "base":
            yield from _needless_keys(first_wager(book), choice, key, read={"paytable"})
        elif name not in known:
            always = any(wager.name == name for wager in book.wagers.wager)
            problem = "is always offered" if always else "is not a wager here"
            yield error(first_wager(book), key, f"{clip(name)} {problem}; the optional wagers are {', '.join(known)}")
        else:
            wager = known[name]
            fixed = {"stake"} if wager.stake == "fixed" else {"minimum", "maximum", "increment"}
            metered = {"meters", "reserve_rate", "link"} if wager.paytables == "progressive" else set()
            yield from _needless_keys(wager, choice, key, read={"paytable"} | fixed | metered)
    yield from _base(book, submission.wagers.get("base"))
    for wager in known.values():
        if wager.name in submission.wagers:
            yield from _paytable(book, wager, submission.wagers[wager.name])
            for requirement in wager.requires:
                needed = next(other for other in book.wagers.wager if other.name == requirement.wager)
                if needed.offered == "option" and needed.name not in submission.wagers and not requirement.if_offered:
                    message = f"the {title(wager.name)} requires the {title(needed.name)}, which is not offered"
                    yield error(requirement, f"wagers.{wager.name}", message)


def _base(book: Rulebook, choice: WagerChoice | None) -> Findings:
    """The main game's paytable: chosen if there are several."""
    tables = tables_of(book, "base")
    chosen_by = next((row for row in book.paytables.choice if row.group == "base"), None)
    given = choice.paytable if choice else None
    if given is None and chosen_by is not None:
        yield error(chosen_by, "wagers.base.paytable", f"choose a paytable: {_ids(tables)}")
    elif given is not None and given not in [table.id for table in tables]:
        message = f"unknown paytable {clip(repr(given))}: {_ids(tables)}"
        yield error(chosen_by or tables[0], "wagers.base.paytable", message)


def _needless_keys(wager: Wager, choice: WagerChoice, key: str, *, read: set[str]) -> Findings:
    """Settings that a wager of this kind does not have."""
    given = {
        "paytable": choice.paytable is not None,
        "minimum": choice.limits.minimum is not None,
        "maximum": choice.limits.maximum is not None,
        "increment": choice.limits.increment is not None,
        "stake": choice.stake is not None,
        "meters": bool(choice.meters),
        "reserve_rate": choice.reserve_rate is not None,
        "link": choice.link is not None,
    }
    for name, is_given in given.items():
        if is_given and name not in read:
            yield error(wager, f"{key}.{name}", f"this setting has no effect: this wager has no {name}", reading=190)


def tables_of(book: Rulebook, group: str) -> list[Paytable]:
    """The paytables of a group, in the document's order."""
    return [table for table in book.paytables.paytable if table.group == group]


def _paytable(book: Rulebook, wager: Wager, choice: WagerChoice) -> Findings:
    cited = next(row for row in book.paytables.choice if row.group == wager.paytables)
    tables = tables_of(book, wager.paytables)
    key = f"wagers.{wager.name}.paytable"
    if choice.paytable is None:
        yield error(cited, key, f"choose a paytable: {_ids(tables)}")
    elif choice.paytable not in [table.id for table in tables]:
        yield error(cited, key, f"unknown paytable {clip(repr(choice.paytable))}: {_ids(tables)}")


def _ids(tables: list[Paytable]) -> str:
    return ", ".join(dict.fromkeys(table.id for table in tables))
