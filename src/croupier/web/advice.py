"""The exact value of every action for somebody who decides: at a practice hand, and at a table that shows it.

`advice_for` takes a view of a table and asks beside the server; `panel` makes of the answer what `coach.html` shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import cast

from msgspec import Struct

from croupier.analysis import CoachAsked, CoachedDecision, main_table, value_of_choice
from croupier.cards import Card, format_cards, parse_cards
from croupier.money import Cents
from croupier.rulebook import HouseRules
from croupier.rulebook.names import WagerName
from croupier.table.views import CARD_BACK, BoxView, RoundView, TableView
from croupier.web.adviser import ADVISER, Adviser
from croupier.web.words import action_label

__all__ = [
    "CoachPanel",
    "CoachedRow",
    "Judgment",
    "advice_for",
    "decided_at",
    "judged",
    "panel",
    "question_at",
    "question_of",
]


class CoachedRow(Struct, frozen=True, kw_only=True):
    """An action with its value."""

    name: str
    label: str
    amount: Cents
    value: Fraction
    """In units."""
    cost: Fraction
    is_best: bool
    gauge: int
    """From 0 for the worst action to 100 for the best."""
    cents: Fraction
    cost_cents: Fraction


class CoachPanel(Struct, frozen=True, kw_only=True):
    """Everything that is said about a decision, the best action first where `ranked`."""

    unit: str
    stake: Cents
    rows: tuple[CoachedRow, ...]
    strategy: str
    when: str
    do: str
    thumb_is_best: bool
    kind: str

    @property
    def ranked(self) -> tuple[CoachedRow, ...]:
        """The actions by their value."""
        return tuple(sorted(self.rows, key=lambda row: -row.value))

    @property
    def best(self) -> tuple[CoachedRow, ...]:
        """The best action, or all that are equally good."""
        return tuple(row for row in self.rows if row.is_best)


class Judgment(Struct, frozen=True, kw_only=True):
    """A decision that was made: whether it was right, and what it cost."""

    label: str
    right: bool
    cost: Fraction
    """In units."""
    cents: Fraction


def question_of(
    house: HouseRules, own: Sequence[Card], board: Sequence[Card] = (), bets: Sequence[str] = ()
) -> CoachAsked:
    """The question about a hand; cards in one order, so that equal hands are asked about once."""
    return CoachAsked(
        rulebook=house.rulebook.id,
        edition=house.rulebook.edition,
        paytable=main_table(house).id,
        cards=format_cards(sorted(own)),
        community=format_cards(board),
        bets=tuple(bets),
    )


def panel(answer: CoachedDecision, stake: Cents, *, decision: str = "") -> CoachPanel:
    """The answer as a panel; `stake` is one ante, or one bet."""
    high, low = max(answer.actions.values()), min(answer.actions.values())
    span = high - low
    rows = tuple(
        CoachedRow(
            name=name,
            label=action_label(name, decision),
            amount=Cents(int(name[:-1]) * stake if name.endswith("x") else 0),
            value=value,
            cost=high - value,
            is_best=value == high,
            gauge=int(100 * (value - low) / span) if span else 100,
            cents=value * stake,
            cost_cents=(high - value) * stake,
        )
        for name, value in answer.actions.items()
    )
    thumb = answer.thumb
    return CoachPanel(
        unit=answer.unit,
        stake=stake,
        rows=rows,
        strategy=thumb.strategy,
        when=thumb.when,
        do=action_label(thumb.do, decision),
        thumb_is_best=thumb.do in answer.best,
        kind=answer.kind,
    )


def judged(answer: CoachedDecision, choice: str, stake: Cents, *, amount: int = 0, decision: str = "") -> Judgment:
    """Whether a decision was right: as good as the best."""
    value = value_of_choice(answer.actions, choice, Fraction(amount, stake) if stake else Fraction(0))
    cost = max(max(answer.actions.values()) - value, Fraction(0))
    return Judgment(label=action_label(choice, decision), right=not cost, cost=cost, cents=cost * stake)


def question_at(house: HouseRules, view: TableView) -> CoachAsked | None:
    """The question about the viewer's own decision that the table awaits; None where none of theirs is awaited."""
    box = next((box for box in view.seats if box.own and box.seat == view.awaiting.seat), None)
    if view.awaiting.kind != "decision" or box is None or not box.bets or CARD_BACK in box.cards:
        return None
    board = _faces(dict(view.cards).get("community", ()))
    return question_of(house, _faces(box.cards), board, _earlier(house, box, view.awaiting.decision or ""))


async def advice_for(
    house: HouseRules, view: TableView, *, adviser: Adviser = ADVISER, patience: float = 0.2
) -> CoachPanel | None:
    """The panel for the viewer's own decision that the table awaits.

    None where no decision of theirs is awaited, where the paytable is no document's, and while it is being computed:
    then it is known soon after.
    """
    question = question_at(house, view)
    if question is None:
        return None
    answer, *_ = await adviser.ask([question], patience=patience)
    if answer is None:
        return None
    ante = next(box.bets[0][1] for box in view.seats if box.own and box.seat == view.awaiting.seat)
    return panel(answer, ante, decision=view.awaiting.decision or "")


def decided_at(
    house: HouseRules, shown: TableView | RoundView, box: BoxView
) -> Iterator[tuple[str, str, Cents, CoachAsked]]:
    """The decisions that a box of the viewer's own has made: on what, which, for how much, and the question it was.

    Nothing for a hand whose cards the viewer does not see. One decision comes before each card of the board.
    """
    if not box.own or not box.bets or not box.cards or CARD_BACK in box.cards:
        return
    own, board = _faces(box.cards), _faces(dict(shown.cards).get("community", ()))
    ante, bets, back = box.bets[0][1], dict(box.bets), _taken_back(box)
    earlier: list[str] = []
    for place, choice in enumerate(house.rulebook.play.choice):
        wager = cast("WagerName", choice.decision)
        amount = bets.get(wager, Cents(0))
        if "withdraw" in choice.choices:
            if wager not in back and len(board) <= place:
                return  # the next card tells that it rides
            name = "withdraw" if wager in back else "ride"
        elif amount:
            name = "raise" if amount % ante else f"{amount // ante}x"
        elif box.folded:
            name = "fold"
        else:
            return
        if len(board) < place:
            return
        yield choice.decision, name, amount, question_of(house, own, board[:place], earlier)
        if name == "fold":
            return
        earlier.append(name)


def _faces(names: Iterable[str]) -> list[Card]:
    return [card for name in names if name != CARD_BACK for card in parse_cards(name)]


def _taken_back(box: BoxView) -> set[WagerName]:
    return {*box.withdrawn, *(settled.wager for settled in box.results if settled.outcome == "withdrawn")}


def _earlier(house: HouseRules, box: BoxView, decision: str) -> list[str]:
    """What was decided before, as the rows of the rulebook name it."""
    ante, bets, back = box.bets[0][1], dict(box.bets), _taken_back(box)
    names = []
    for choice in house.rulebook.play.choice:
        if choice.decision == decision:
            break
        if "withdraw" in choice.choices:
            names.append("withdraw" if choice.decision in back else "ride")
        else:
            names.append(f"{bets.get(choice.decision, 0) // ante}x")
    return names
