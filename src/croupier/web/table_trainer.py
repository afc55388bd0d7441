"""The trainer beside a live table: exact values before deciding, or what each decision cost after it.

Only where chips are worth nothing and the cards are virtual. It is told from the view that its reader has of the table,
so it knows no card that they do not see.
"""

from __future__ import annotations

from msgspec import Struct

from croupier.present import the_wager
from croupier.rulebook import HouseRules
from croupier.server import Desk
from croupier.table.views import TableView
from croupier.web.advice import CoachPanel, Judgment, advice_for, decided_at, judged, panel, question_at
from croupier.web.adviser import ADVISER, Adviser
from croupier.web.told import round_shown

__all__ = ["JudgedStep", "TableTrainer", "has_trainer", "trainer_beside"]


class JudgedStep(Struct, frozen=True, kw_only=True):
    """A decision that was made at the table: what it was about, whether it was right, and every value."""

    seat: int
    on: str
    choice: str
    judgment: Judgment
    panel: CoachPanel


class TableTrainer(Struct, frozen=True, kw_only=True):
    """What the trainer says now."""

    coming: CoachPanel | None = None
    steps: tuple[JudgedStep, ...] = ()
    computing: bool = False
    """Whether something that it would say is still being computed."""
    unpriced: bool = False
    """Whether there are no exact values: the paytable is not one of the document's."""


def has_trainer(desk: Desk, view: TableView, table_id: str) -> bool:
    """Whether the house offers the trainer to somebody at a table: play chips, virtual cards, and a seat of theirs."""
    return desk.house.state.demo and desk.hall.plans[table_id].virtual and any(box.own for box in view.seats)


async def trainer_beside(
    house: HouseRules, view: TableView, when: str, *, adviser: Adviser = ADVISER, patience: float = 0.2
) -> TableTrainer:
    """What the trainer says `before` or `after` a decision, as far as it is known after so many seconds."""
    if when == "off":
        return TableTrainer()
    if when == "before":
        question = question_at(house, view)
        if question is None:
            return TableTrainer()
        coming = await advice_for(house, view, adviser=adviser, patience=patience)
        known = adviser.is_known(question)
        return TableTrainer(coming=coming, computing=not known, unpriced=known and coming is None)
    shown = round_shown(view)
    made = [(box, *decided) for box in shown.seats for decided in decided_at(house, shown, box)]
    answers = await adviser.ask([question for *_, question in made], patience=patience)
    computing = any(not adviser.is_known(question) for *_, question in made)
    return TableTrainer(
        steps=tuple(
            JudgedStep(
                seat=box.seat,
                on=the_wager(on),
                choice=choice,
                judgment=judged(answer, choice, box.bets[0][1], amount=amount, decision=on),
                panel=panel(answer, box.bets[0][1], decision=on),
            )
            for (box, on, choice, amount, _), answer in zip(made, answers, strict=True)
            if answer is not None
        ),
        computing=computing,
        unpriced=bool(made) and not computing and answers[0] is None,
    )
