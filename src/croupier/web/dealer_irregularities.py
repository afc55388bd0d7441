"""What can have gone wrong at a table now: each irregularity with its ruling and clause, and who may rule on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from croupier.games import Offer, Round, legal_actions
from croupier.present import REMEDIES, capitalized, irregularity_words, ruling_words
from croupier.rulebook.schema import Irregularity as IrregularityRow
from croupier.table import BY_COUNT, Table, cited_duty
from croupier.web.form_shapes import OfferForm, Setting
from croupier.web.offer_forms import forms_of

__all__ = ["RULINGS", "PossibleIrregularity", "RuledNow", "irregularities_now", "ruled_so_far"]

RULINGS: Final = (
    "rule", "set_aside", "find_conduct", "leave", "correct_card", "reverse_settlement", "cancel_wager",
    "declare_undecided", "report_jam", "order_shuffle", "order_recut", "rebuild_hands",
)  # fmt: skip
"""The commands that answer an irregularity, in the order in which they are shown."""
_FLOOR: Final = ("rule", "find_conduct", "leave", "correct_card", "reverse_settlement", "cancel_wager")
"""Of these, what a dealer calls the floor for."""


class PossibleIrregularity(Struct, frozen=True, kw_only=True):
    """Something that can have happened by now."""

    happened: str
    follows: str
    clause: str
    reading: int | None
    form: OfferForm | None = None
    """None for whoever may not rule on it: they call the floor."""


class RuledNow(Struct, frozen=True, kw_only=True):
    """A ruling of this round, and what it demands."""

    happened: str
    follows: str
    clause: str
    reading: int | None


def irregularities_now(table: Table, offers: Iterable[Offer], setting: Setting) -> list[PossibleIrregularity]:
    """What can have happened now; beside what this person may rule on, what only the floor may."""
    mine = [offered for offered in offers if offered.do in RULINGS]
    found = [entry for do in RULINGS for entry in _entries(table, [each for each in mine if each.do == do], setting)]
    own = {offered.do for offered in mine}
    moves = list(legal_actions(table.round)) if table.round is not None else []
    for do in _FLOOR:
        offered = [move for move in moves if move.do == do and do not in own]
        if do == "rule":
            names = dict.fromkeys(str(dict(move.fields)["irregularity"]) for move in offered)
            found += [_ruling(table, name, None) for name in names if name not in BY_COUNT]
        elif offered:
            found.append(_said(table, do, None))
    return found


def _entries(table: Table, offers: Sequence[Offer], setting: Setting) -> Iterable[PossibleIrregularity]:
    for offered in offers if offers and offers[0].do in {"rule", "set_aside"} else ():
        name = str(_only(dict(offered.fields)["irregularity"]))
        yield _ruling(table, name, forms_of([offered], setting)[0])
    if offers and offers[0].do in REMEDIES:
        for form in forms_of(offers, setting):
            yield _said(table, offers[0].do, form)


def _said(table: Table, do: str, form: OfferForm | None) -> PossibleIrregularity:
    happened, follows = REMEDIES[do]
    cited = cited_duty(table.house, do)
    return PossibleIrregularity(
        happened=happened, follows=follows, clause=cited.clause, reading=cited.reading, form=form
    )


def _only(value: Any) -> Any:  # noqa: ANN401 - whatever an offer allows
    return value[0] if isinstance(value, tuple) else value


def _ruling(table: Table, name: str, form: OfferForm | None) -> PossibleIrregularity:
    row = _row(table, name)
    cited = row.on(table.house.deal)
    return PossibleIrregularity(
        happened=capitalized(irregularity_words(row.event)),
        follows=capitalized(ruling_words(table.house, row)),
        clause=cited.clause,
        reading=cited.reading or row.reading,
        form=form,
    )


def _row(table: Table, name: str) -> IrregularityRow:
    return next(row for row in table.house.rulebook.irregularities.irregularity if row.event == name)


def ruled_so_far(table: Table, state: Round | None) -> list[RuledNow]:
    """The rulings of this round, each with what it demands."""
    rows = [_ruling(table, name, None) for name in (state.proceedings.ruled if state is not None else ())]
    return [
        RuledNow(happened=row.happened, follows=row.follows, clause=row.clause, reading=row.reading) for row in rows
    ]
