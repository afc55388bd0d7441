"""What the analysis is asked for a submission in the making: every paytable that could be chosen, at its terms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from croupier.analysis import BASE, Case, meters_of, tables_of
from croupier.money import Cents, parse_dollars
from croupier.rulebook import SUGGESTED_METER, Rulebook, Submission, WagerChoice, load_rulebook
from croupier.rulebook.schema import OptionValue, Paytable, Wager

__all__ = ["CaseAsked", "asked_of", "chosen_id", "is_priced", "ordered_groups"]

_UNIT: Final = Cents(100)
_ACE_LOW: Final = "hcf.ace_low"
_ENVY: Final = "envy.after_fold"
_FOLDED: Final = "cover_all.count_folded"


class CaseAsked(Struct, frozen=True, kw_only=True):
    """A case of the analysis by names alone, so that another process can be asked, and its answer remembered."""

    rulebook: str
    edition: str
    wager: str
    paytable: str
    main: str
    stake: int
    players: int | None = None
    meters: tuple[tuple[str, int], ...] = ()
    ace_low: bool = True
    forfeits: bool | None = None
    envy: bool = True

    def case(self) -> Case:
        """The case itself."""
        book = load_rulebook(self.rulebook, edition=self.edition)
        group = BASE if self.wager == BASE else next(w.paytables for w in book.wagers.wager if w.name == self.wager)
        table = next(t for t in tables_of(book, group) if (t.id, t.players) == (self.paytable, self.players))
        main = next(t for t in tables_of(book, BASE) if t.id == self.main)
        return Case(
            book=book,
            wager=self.wager,
            table=table,
            main=main,
            stake=Cents(self.stake),
            meters={name: Cents(amount) for name, amount in self.meters},
            ace_low=self.ace_low,
            forfeits=self.forfeits,
            envy=self.envy,
        )


def ordered_groups(book: Rulebook) -> list[tuple[str, Wager | None]]:
    """The main game and every optional wager, in the document's order."""
    return [(BASE, None), *((wager.name, wager) for wager in book.wagers.wager if wager.offered == "option")]


def chosen_id(book: Rulebook, submission: Submission, wager: str) -> str | None:
    """The paytable that a submission has chosen, if the document has it; the only one where a document has no other."""
    group = BASE if wager == BASE else next(row.paytables for row in book.wagers.wager if row.name == wager)
    ids = dict.fromkeys(table.id for table in tables_of(book, group))
    chosen = submission.wagers.get(wager, WagerChoice()).paytable
    if chosen is None and wager == BASE and len(ids) == 1:
        return next(iter(ids))
    return chosen if chosen in ids else None


def is_priced(book: Rulebook, submission: Submission, wager: str) -> bool:
    """Whether a wager has an exact price under the options of a submission (reading 82)."""
    return wager != "cover_all" or bool(_option(book, submission, _FOLDED, default=True))


def asked_of(book: Rulebook, submission: Submission) -> Iterator[CaseAsked]:
    """Every paytable of every wager: the chosen one at the terms of the submission, the others at the same stake."""
    mains = tables_of(book, BASE)
    main = chosen_id(book, submission, BASE) or mains[0].id
    ace_low = bool(_option(book, submission, _ACE_LOW, default=True))
    envy = bool(_option(book, submission, _ENVY, default=True))
    for name, wager in ordered_groups(book):
        chosen = chosen_id(book, submission, name)
        for table in tables_of(book, BASE if wager is None else wager.paytables):
            if wager is None:
                yield CaseAsked(
                    rulebook=book.id,
                    edition=book.edition,
                    wager=BASE,
                    paytable=table.id,
                    main=table.id,
                    stake=_UNIT,
                    ace_low=ace_low,
                )
            elif is_priced(book, submission, name):
                choice = submission.wagers.get(name, WagerChoice())
                yield CaseAsked(
                    rulebook=book.id,
                    edition=book.edition,
                    wager=name,
                    paytable=table.id,
                    players=table.players,
                    main=main,
                    stake=_stake(wager, table, choice),
                    meters=_meters(book, table, choice if table.id == chosen else WagerChoice()),
                    ace_low=ace_low,
                    forfeits=_forfeits(book, submission, wager),
                    envy=envy,
                )


def _option(book: Rulebook, submission: Submission, name: str, *, default: OptionValue) -> OptionValue:
    option = next((option for option in book.options if option.rule.name == name), None)
    return submission.readings.get(name, default if option is None else option.default)


def _stake(wager: Wager, table: Paytable, choice: WagerChoice) -> int:
    if wager.stake == "fixed":
        stakes = [parse_dollars(stake) for stake in table.stakes]
        free = wager.stake_approval is not None and choice.stake is not None and choice.stake > 0
        return choice.stake if choice.stake is not None and (free or choice.stake in stakes) else stakes[0]
    least = choice.limits.minimum
    if least is None or least < 1:
        least = parse_dollars(wager.suggested_minimum) if wager.suggested_minimum else _UNIT
    return least


def _meters(book: Rulebook, table: Paytable, choice: WagerChoice) -> tuple[tuple[str, int], ...]:
    """The meters at their opening amounts; whatever is not said stands at the least that the document allows."""
    given = {name: terms.initial for name, terms in choice.meters.items() if name in meters_of(table)}
    least = {
        row.meter: parse_dollars(row.amount or SUGGESTED_METER)
        for row in book.paytables.minimum
        if row.paytable == table.id and table.group == "progressive"
    }
    return tuple(sorted((least | {name: amount for name, amount in given.items() if amount}).items()))


def _forfeits(book: Rulebook, submission: Submission, wager: Wager) -> bool | None:
    """Whether a fold loses this wager; None where folding does not touch it."""
    if wager.fold is None or wager.fold.stake != "forfeit":
        return None
    return not wager.fold.option or _option(book, submission, wager.fold.option, default="") == "forfeit"
