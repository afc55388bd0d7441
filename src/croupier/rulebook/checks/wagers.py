"""Wagers, their prerequisites and their paytables."""

from __future__ import annotations

from croupier.rulebook.checks.finding import Findings, error, first_wager
from croupier.rulebook.schema import Paytable, Rulebook, Wager
from croupier.rulebook.submission import Submission, WagerChoice
from croupier.wire import clip

__all__ = ["check_wagers", "tables_of"]


def check_wagers(book: Rulebook, submission: Submission) -> Findings:
    """Wagers that the document has, each with a paytable and what it requires."""
    known = {wager.name: wager for wager in book.wagers.wager if wager.offered == "option"}
    for name, choice in submission.wagers.items():
        key = f"wagers.{name}"
        if name == "base":
            yield from _idle_keys(first_wager(book), choice, key, read={"paytable"})
        elif name not in known:
            always = (
                " is always offered" if any(wager.name == name for wager in book.wagers.wager) else " is no wager here"
            )
            yield error(first_wager(book), key, f"{clip(name)}{always}; a submission may choose {', '.join(known)}")
        else:
            wager = known[name]
            fixed = {"stake"} if wager.stake == "fixed" else {"minimum", "maximum", "increment"}
            metered = {"meters", "reserve_rate", "link"} if wager.paytables == "progressive" else set()
            yield from _idle_keys(wager, choice, key, read={"paytable"} | fixed | metered)
    yield from _base(book, submission.wagers.get("base"))
    for wager in known.values():
        if wager.name in submission.wagers:
            yield from _paytable(book, wager, submission.wagers[wager.name])
            for requirement in wager.requires:
                needed = next(one for one in book.wagers.wager if one.name == requirement.wager)
                if needed.offered == "option" and needed.name not in submission.wagers and not requirement.if_offered:
                    message = f"{wager.name} needs {needed.name}, which is not offered"
                    yield error(requirement, f"wagers.{wager.name}", message)


def _base(book: Rulebook, choice: WagerChoice | None) -> Findings:
    """The main game's paytable: chosen where there are several, the only one where there is one."""
    tables = tables_of(book, "base")
    chosen_by = next((one for one in book.paytables.choice if one.group == "base"), None)
    given = choice.paytable if choice else None
    if given is None and chosen_by is not None:
        yield error(chosen_by, "wagers.base.paytable", f"no paytable is chosen: {_ids(tables)}")
    elif given is not None and given not in [table.id for table in tables]:
        message = f"there is no paytable {clip(repr(given))}: {_ids(tables)}"
        yield error(chosen_by or tables[0], "wagers.base.paytable", message)


def _idle_keys(wager: Wager, choice: WagerChoice, key: str, *, read: set[str]) -> Findings:
    """Keys that a wager of this kind does not have."""
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
            yield error(wager, f"{key}.{name}", f"nothing reads this key: there is no {name} here", reading=190)


def tables_of(book: Rulebook, group: str) -> list[Paytable]:
    """The paytables of a group, in the document's order."""
    return [table for table in book.paytables.paytable if table.group == group]


def _paytable(book: Rulebook, wager: Wager, choice: WagerChoice) -> Findings:
    cited = next(one for one in book.paytables.choice if one.group == wager.paytables)
    tables = tables_of(book, wager.paytables)
    key = f"wagers.{wager.name}.paytable"
    if choice.paytable is None:
        yield error(cited, key, f"no paytable is chosen: {_ids(tables)}")
    elif choice.paytable not in [table.id for table in tables]:
        yield error(cited, key, f"there is no paytable {clip(repr(choice.paytable))}: {_ids(tables)}")


def _ids(tables: list[Paytable]) -> str:
    return ", ".join(dict.fromkeys(table.id for table in tables))
