"""A ruling as somebody on the floor needs it: what happened, what it demands, who is called, what is recorded."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from croupier.driver import BEFORE_THE_DEAL, DURING_THE_DEAL, Ruled, moments_of, ruled_at
from croupier.present.citations import sources
from croupier.present.names import any_of, capitalized, spoken
from croupier.present.rulings import (
    IRREGULARITIES,
    REMEDIES,
    RulingParts,
    in_one_sentence,
    is_changed,
    other_ruling_words,
    ruling_parts,
)
from croupier.present.sheets import Sheet, sheet
from croupier.rulebook import HouseRules, load_readings, say_value
from croupier.rulebook.schema import Cited, Duty, Irregularity
from croupier.table import say_givers
from croupier.table.commands import WITH_REASON

__all__ = [
    "RulingCard",
    "RulingStep",
    "moment_words",
    "ruling_card",
    "ruling_card_json",
    "ruling_card_sheet",
    "ruling_names",
]

_STEPS: Final[dict[str, tuple[str, ...]]] = {
    "stub_wrong_misdealt": ("count_stub", "report_holdings"),
    "stub_wrong_deck": ("count_stub", "report_holdings", "remove_deck"),
    "shuffler_failed": ("report_jam",),
    "shuffler_count_wrong": ("shuffle_deck", "remove_deck"),
    "device_unusable": ("take_out_device", "change_method", "restore_device"),
}
"""The commands of the irregularities that are not simply ruled on."""
_OUTSIDE: Final = {
    "shuffler_failed": "whenever the shuffler works; the round goes on",
    "shuffler_count_wrong": "whenever the shuffler has counted",
    "device_unusable": "at any time; another method begins between rounds",
}
"""When what does not belong to a round can happen."""
_RECORDED: Final = RulingParts("", "", "", "", "it is recorded, and play continues")
"""What follows where it is too late for anything else (reading 132)."""


class RulingStep(Struct, frozen=True, kw_only=True):
    """A command that the ruling takes: who gives it, by which clause."""

    do: str
    by: str
    law: Cited
    needs_reason: bool


class RulingCard(Struct, frozen=True, kw_only=True):
    """A ruling in one house, at one moment or at any."""

    name: str
    happened: str
    parts: RulingParts
    demands: str
    moments: tuple[str, ...]
    """The moments of a round at which it can have happened."""
    when: str
    possible: bool
    """Whether it can have happened at the moment that was asked about."""
    steps: tuple[RulingStep, ...]
    law: Cited
    option: str = ""


def ruling_names(house: HouseRules) -> list[str]:
    """Everything there is a ruling for: irregularities that this house can have, and what the floor sets right."""
    rows = [row.event for row in house.rulebook.irregularities.irregularity if not row.deal or house.deal in row.deal]
    duties = {duty.do for duty in house.rulebook.procedure.duty}
    return [*rows, *(name for name in REMEDIES if name in duties and name != "report_jam")]


def ruling_card(house: HouseRules, name: str, *, moment: str | None = None) -> RulingCard | None:
    """What happened and what it demands in this house; None where the document says nothing of it."""
    row = next((row for row in house.rulebook.irregularities.irregularity if row.event == name), None)
    if name not in ruling_names(house):
        return None
    return _of_remedy(house, name) if row is None else _of_row(house, row, moment)


def _of_remedy(house: HouseRules, name: str) -> RulingCard:
    happened, follows = REMEDIES[name]
    step = _step(house, name)
    return RulingCard(
        name=name,
        happened=happened,
        parts=RulingParts("", "", "", "", follows),
        demands=follows,
        moments=(),
        when="",
        possible=True,
        steps=(step,),
        law=step.law,
    )


def _of_row(house: HouseRules, row: Irregularity, moment: str | None) -> RulingCard:
    ruled = {when: result for (when, name), result in ruled_at(house).items() if name == row.event}
    moments = tuple(when for when in moments_of(house) if when in ruled)
    parts = ruling_parts(house, row)
    if moment in ruled and _is_only_recorded(row, ruled[moment]):
        parts = _RECORDED
    do = _STEPS.get(row.event, ("set_aside",) if row.card == "to_rack" else ("rule",))
    cited = row.on(house.deal)
    law = Cited(clause=cited.clause, also=cited.also, reading=cited.reading or row.reading)
    return RulingCard(
        name=row.event,
        happened=capitalized(IRREGULARITIES[row.event]),
        parts=parts,
        demands=capitalized(in_one_sentence(parts)),
        moments=moments,
        when=_OUTSIDE.get(row.event) or any_of(moment_words(when) for when in moments),
        possible=moment is None or moment in moments or row.event in _OUTSIDE,
        steps=tuple(_step(house, name) for name in do),
        law=law,
        option=_option(house, row),
    )


def _is_only_recorded(row: Irregularity, ruled: Ruled) -> bool:
    return row.card == "to_rack" and not ruled.sets_aside


def moment_words(moment: str) -> str:
    """Say when in a round.

    >>> moment_words("third_street"), moment_words("during_the_deal")
    ('at third street', 'during the deal')
    """
    return spoken(moment) if moment in {BEFORE_THE_DEAL, DURING_THE_DEAL} else f"at {spoken(moment)}"


def _step(house: HouseRules, name: str) -> RulingStep:
    duty: Duty = next(duty for duty in house.rulebook.procedure.duty if duty.do == name)
    on = duty.on(house.deal)
    law = Cited(clause=on.clause, also=on.also, reading=on.reading or duty.reading)
    return RulingStep(do=name, by=say_givers(duty), law=law, needs_reason=name in WITH_REASON)


def _option(house: HouseRules, row: Irregularity) -> str:
    """The option of the operator that changes this ruling, with its value here."""
    if row.instead is None:
        return ""
    name, value = row.instead.option, say_value(house.options.named(row.instead.option)).strip("'")
    other = "otherwise" if is_changed(house, row) else f"with {row.instead.value}"
    return f"{name} is {value} in this house; {other}: {other_ruling_words(house, row)}"


# --- for people and programs


def ruling_card_sheet(card: RulingCard, house: HouseRules) -> Sheet:
    """The card as rows: what to do, who does it, the clauses in our words, and the readings."""
    parts, law = card.parts, sources(card.law)
    void = parts.void or ("nothing" if card.moments else "")
    rows = [
        ("when", card.when, ""),
        ("void", void, law),
        ("returned", parts.refund, ""),
        ("side wagers", parts.side_wagers, ""),
        ("the card", parts.card, ""),
        ("then", parts.cards, "" if void else law),
        ("call", card.steps[0].by, sources(card.steps[0].law)),
        ("record", _recorded(card), ""),
        ("option", card.option, ""),
        *_law_rows(card, house),
    ]
    return sheet(("", "", "clause"), [row for row in rows if row[1]], title=card.happened)


def _recorded(card: RulingCard) -> str:
    commands = ", then ".join(spoken(step.do) for step in card.steps)
    why = ", when and why" if any(step.needs_reason for step in card.steps) else " and when"
    return f"{commands}: who gave it{why}"


def _law_rows(card: RulingCard, house: HouseRules) -> list[tuple[str, str, str]]:
    summaries = {clause.id: clause.summary for clause in house.rulebook.clauses}
    readings = [reading for reading in load_readings() if reading.number == card.law.reading]
    return [
        *(("clause says", summaries.get(clause, ""), clause) for clause in (card.law.clause, *card.law.also)),
        *(
            ("reading", f"{reading.question} {reading.answer}".strip(), f"reading {reading.number}")
            for reading in readings
        ),
    ]


def ruling_card_json(card: RulingCard, house: HouseRules) -> dict[str, Any]:
    """The card for other programs."""
    return {
        "rulebook": house.rulebook.id,
        "name": card.name,
        "happened": card.happened,
        "demands": card.demands,
        "possible": card.possible,
        "moments": list(card.moments),
        "parts": {name: words for name, words in card.parts._asdict().items() if words},
        "steps": [_step_json(step) for step in card.steps],
        **_cites(card.law),
        "option": card.option or None,
    }


def _step_json(step: RulingStep) -> dict[str, Any]:
    reason = "required" if step.needs_reason else "optional"
    return {"do": step.do, "by": step.by, "reason": reason, **_cites(step.law)}


def _cites(law: Cited) -> dict[str, Any]:
    return {"clause": law.clause, "also": list(law.also), "reading": law.reading}
