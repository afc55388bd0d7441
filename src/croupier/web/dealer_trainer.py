"""The dealer trainer: random rounds that the engine has dealt and settled, and a form for what the trainee would do.

A round is its seed: the form carries it, and the round is played again to be scored. What somebody did tonight is kept
by this process alone, for as long as they go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from secrets import randbelow
from typing import Annotated, Final, NamedTuple
from weakref import WeakKeyDictionary

from litestar import get, post
from litestar.params import Parameter

from croupier.errors import CroupierError
from croupier.money import Cents, typed_dollars
from croupier.present import counted, line_words, listed, titled
from croupier.rulebook import (
    HouseRules,
    check,
    load_rulebook,
    read_submission_text,
    rulebook_ids,
    starting_submission,
)
from croupier.server import Caller, Desk, NotFound
from croupier.training import Answers, Drill, EveningRecord, PayAnswer, Score, drill_of, score
from croupier.web.posting import Fields
from croupier.web.rendering import Page, page
from croupier.web.words import submission_title

__all__ = ["ROUTES"]

_SEEDS: Final = 1_000_000_000
_EVENING: Final = timedelta(hours=6)
"""After so long without a round a new evening begins."""
_MOST: Final = 2_000
"""People whose evening is kept; the one who was here longest ago goes first."""
Seed = Annotated[int | None, Parameter(ge=0, lt=_SEEDS)]


class TrainingHouse(NamedTuple):
    """Rules to train with."""

    key: str
    words: str


class TrainingRecords:
    """What everybody did in training tonight."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[datetime, EveningRecord]] = {}

    def of(self, person: str, at: datetime) -> EveningRecord:
        """Somebody's evening; after a pause a new one."""
        since, record = self._kept.get(person, (at, EveningRecord()))
        return record if at - since < _EVENING else EveningRecord()

    def keep(self, person: str, at: datetime, record: EveningRecord) -> None:
        """Remember somebody's evening."""
        self._kept.pop(person, None)
        self._kept[person] = at, record
        while len(self._kept) > _MOST:
            del self._kept[next(iter(self._kept))]


_RECORDS: Final[WeakKeyDictionary[Desk, TrainingRecords]] = WeakKeyDictionary()


@get("/dealer/trainer")
async def see_trainer(desk: Desk, caller: Caller, rules: str = "", seed: Seed = None) -> Page:
    """A round to deal, take and pay."""
    caller.must_read("tables")
    return _page(desk, caller, rules, randbelow(_SEEDS) if seed is None else seed)


@post("/dealer/trainer", status_code=200)
async def score_round(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """What the trainee answered, scored."""
    caller.must_read("tables")
    text = fields.get("seed", "")
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(_SEEDS))):
        raise NotFound("there is no such round")
    return _page(desk, caller, fields.get("rules", ""), int(text) % _SEEDS, fields)


def _page(desk: Desk, caller: Caller, rules: str, seed: int, fields: Fields | None = None) -> Page:
    houses = list(_houses(desk, caller))
    chosen = next((house for house in houses if house.key == rules), houses[0])
    house = _rules(_text(desk, chosen.key))
    drill = drill_of(house, seed=seed)
    kept = _RECORDS.setdefault(desk, TrainingRecords())
    at = desk.doors.now()
    record, result, given = kept.of(caller.id, at), None, None
    if fields is not None:
        given = _answers(drill, fields)
        result = score(drill, given)
        record = record.after(result, f"{chosen.key}/{seed}")
        kept.keep(caller.id, at, record)
    return page(
        "dealer_trainer",
        caller,
        houses=houses,
        chosen=chosen,
        source=house.rulebook.source,
        book=house.rulebook.id,
        drill=drill,
        paytables=_paytables(house),
        fields=fields or {},
        result=result,
        wrong=_wrong(result),
        record=record,
        next_seed=randbelow(_SEEDS),
    )


def _wrong(result: Score | None) -> set[tuple[str, str]]:
    return {(mistake.where, mistake.step) for mistake in result.mistakes} if result is not None else set()


# --- rules to train with


def _houses(desk: Desk, caller: Caller) -> Iterator[TrainingHouse]:
    """The tables of the house, every rulebook with all that it allows, and the submissions of whoever may read them."""
    for plan in desk.hall.plans.values():
        source = plan.rules.rulebook.source
        yield TrainingHouse(f"table.{plan.id}", f"Table {plan.id}: {source.title}, {source.jurisdiction}")
    for book in rulebook_ids():
        source = load_rulebook(book).source
        yield TrainingHouse(f"rulebook.{book}", f"Every bet: {source.title}, {source.jurisdiction}")
    if caller.may_read("submissions"):
        for (name, version), filed in desk.house.state.submissions.items():
            if filed.status == "approved":
                yield TrainingHouse(
                    f"submission.{version}.{name}", f"Submission: {submission_title(name)}, version {version}"
                )


def _text(desk: Desk, key: str) -> str:
    kind, _, name = key.partition(".")
    if kind == "table":
        table = desk.house.state.tables[name]
        return desk.house.state.rules_of(table).text
    if kind == "rulebook":
        return starting_submission(load_rulebook(name), every_wager=True)
    version, _, filed = name.partition(".")
    return desk.house.state.submissions[filed, int(version)].text


@lru_cache(64)
def _rules(text: str) -> HouseRules:
    return check(read_submission_text(text, name="submission")).rules()


class TrainingPaytable(NamedTuple):
    """What a wager pays, to look it up."""

    wagers: str
    clause: str
    lines: tuple[tuple[str, str], ...]


def _paytables(house: HouseRules) -> list[TrainingPaytable]:
    """The paytables of a house, each once; bets against the dealer alone have none."""
    found: dict[tuple[str, int | None], TrainingPaytable] = {}
    for wager in house.wagers:
        for table in wager.paytables:
            names = listed(titled(other.name) for other in house.wagers if other.paytables[0].group == table.group)
            hands = f" with {counted(table.players, 'hand')}" if table.players is not None else ""
            lines = tuple((line_words(line.hand), line.pays) for line in table.line)
            if lines:
                found.setdefault((table.group, table.players), TrainingPaytable(names + hands, table.clause, lines))
    return list(found.values())


# --- answers


def _answers(drill: Drill, fields: Fields) -> Answers:
    orders = {}
    for number, task in enumerate(drill.orders):
        given = {item.key: fields.get(f"order.{number}.{item.key}", "") for item in task.shown}
        placed = sorted((int(place), key) for key, place in given.items() if place.isdecimal() and len(place) < 3)
        orders[task.step] = tuple(key for _, key in placed)
    pays = {
        (seat.seat, pay.wager): PayAnswer(
            kind=fields.get(f"pay.{seat.seat}.{pay.wager}.kind", ""),
            amount=_dollars(fields.get(f"pay.{seat.seat}.{pay.wager}.amount", "")),
            line=fields.get(f"pay.{seat.seat}.{pay.wager}.line", ""),
        )
        for seat in drill.seats
        for pay in seat.pays
    }
    return Answers(orders=orders, pays=pays)


def _dollars(text: str) -> Cents | None:
    try:
        return typed_dollars(text) if text.strip() else None
    except CroupierError:
        return None


ROUTES: Final = [see_trainer, score_round]
