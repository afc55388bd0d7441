"""The trainer: hands of practice without stakes, the exact value of every action, and drills on what went wrong.

For everybody, signed in or not: a hand follows from its address alone, and each caller may ask only so often. What
somebody has to repeat is kept by the house for whoever is signed in, and by their own browser for a stranger.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from hashlib import sha256
from random import Random
from typing import Annotated, Final
from urllib.parse import urlencode

from litestar import get, post
from litestar.params import Parameter
from msgspec import Struct

from croupier.analysis import (
    BOXES,
    CoachAsked,
    CoachedDecision,
    DrillCard,
    StrategiesAsked,
    answered,
    due_drills,
    main_table,
)
from croupier.cards import SUITS, Card, format_cards, parse_cards
from croupier.driver import PracticeRound, PracticeStep, played
from croupier.errors import CroupierError
from croupier.games import SeatSettled, WagerSettled
from croupier.house import place_of
from croupier.present import dollars, flush_so_far, poker_so_far, spoken, strategy_terms
from croupier.rulebook import HouseRules
from croupier.server import Caller, Desk, now
from croupier.web.advice import CoachPanel, Judgment, judged, panel, question_of
from croupier.web.adviser import ADVISER
from croupier.web.counted import flush_cards, poker_cards
from croupier.web.evening import evening_of
from croupier.web.posting import AnyRequest, Fields
from croupier.web.practice_kept import DRILLS, Practice, practice_before, remember
from croupier.web.practice_rules import PracticePlace, PracticeRules, practice_rules, rules_named, stakes_offered
from croupier.web.rendering import Page, fragment, page, redirect
from croupier.web.shell import NavItem
from croupier.web.told import in_hand
from croupier.web.words import action_label

__all__ = ["NAV", "ROUTES"]

RulesId = Annotated[str, Parameter(max_length=60)]
Seed = Annotated[str, Parameter(max_length=40)]
_QUICK, _PATIENT = 0.25, 15.0
"""Seconds that a page waits for exact values: to be shown, and to judge a decision."""
_WORTH: Final = 4.0
"""Requests that one page of the trainer counts for: it asks for exact values."""
_KEYS: Final = {"fold": "f", "ride": "r", "withdraw": "w"}
_SOON: Final = {"refresh": "1"}
"""Look again in a second: something is being computed."""


class PracticeAct(Struct, frozen=True, kw_only=True):
    """A button: what it does, and the money it is about."""

    name: str
    label: str
    about: str
    key: str


class DecidedStep(Struct, frozen=True, kw_only=True):
    """A decision of this hand: what it was about, and whether it was right, once that is known."""

    on: str
    label: str
    judgment: Judgment | None
    given: bool


class DrillLine(Struct, frozen=True, kw_only=True):
    """A drill in a list."""

    game: str
    when: str
    """The line of the strategy card that it is about; empty while that is being computed."""
    cards: tuple[str, ...]
    box: int
    due: datetime | None
    """None if it is due now."""


class SettledGroup(Struct, frozen=True, kw_only=True):
    """Wagers that ended alike, told once."""

    wagers: tuple[WagerSettled, ...]

    @property
    def net(self) -> int:
        """What they brought together."""
        return sum(wager.won + wager.returned - wager.staked for wager in self.wagers)


@get("/trainer")
async def see_trainer(request: AnyRequest, desk: Desk, caller: Caller) -> Page:
    """What can be practiced, and what is due."""
    practice, at = await _practice(request, desk, caller), now()
    documents, tables = practice_rules(desk)
    due = due_drills(practice.drills, at)
    await ADVISER.ask([_strategies(rules.house) for rules in documents], patience=0)  # keeps the games at hand
    return page(
        "trainer",
        caller,
        documents=documents,
        tables=tables,
        practice=practice,
        due=len(due),
        lines=_lines(practice, documents, at),
        boxes=len(BOXES),
        due_by={rules.drills: sum(drill.kind.startswith(f"{rules.drills} ") for drill in due) for rules in documents},
        evening=await evening_of(desk, caller),
    )


@get("/trainer/evening")
async def see_evening(desk: Desk, caller: Caller) -> Page:
    """The caller's evening again, for a page that shows it."""
    shown = await evening_of(desk, caller, patience=2.0)
    return Page(fragment("evening", caller, evening=shown).encode(), media_type="text/html")


@get("/trainer/drills")
async def next_drill(request: AnyRequest, desk: Desk, caller: Caller) -> Page:
    """The drill that is due next: the same decision, its suits changed; or back, if nothing is due."""
    _take(desk, caller)
    asked = {name: value for name, value in _query(request).items() if name in {"stake", "values"}}
    for drill in due_drills((await _practice(request, desk, caller)).drills, now()):
        place = _dealt_again(desk, drill, asked)
        if place is not None:
            return redirect(place.path)
    return redirect("/trainer")


def _dealt_again(desk: Desk, drill: DrillCard, asked: dict[str, str]) -> PracticePlace | None:
    """The hand of a drill; None for one that cannot be dealt, since a browser may keep anything."""
    book, paytable, _ = drill.kind.split(" ")
    seed = secrets.token_hex(8)
    cards = "".join(map(str, _other_suits(parse_cards(drill.cards), seed)))
    query = {**asked, "cards": cards, "given": str(len(drill.bets)), "did": ".".join(drill.bets)}
    try:
        place = PracticePlace.read(rules_named(desk, f"{book}.{paytable}"), seed, query)
        seen = played(place.hand)
    except CroupierError:
        return None
    return place if seen.decision is not None and (*seen.own, *seen.board) == place.cards else None


@get("/trainer/cards/{rules_id:str}")
async def see_strategy_card(desk: Desk, caller: Caller, rules_id: RulesId) -> Page:
    """The strategies of a game to print, with what each costs."""
    _take(desk, caller)
    rules = rules_named(desk, rules_id)
    asked = _strategies(rules.house)
    listed, *_ = await ADVISER.ask([asked], patience=_QUICK)
    computing = listed is None and not ADVISER.is_known(asked)
    terms = strategy_terms(row.when for row in listed[0].rows) if listed else []
    return page(
        "strategy_card",
        caller,
        headers=_SOON if computing else None,
        rules=rules,
        strategies=listed or [],
        computing=computing,
        terms=terms,
        label=action_label,
        unit="ante" if any("fold" in choice.choices for choice in rules.house.rulebook.play.choice) else "bet",
    )


@get("/trainer/{rules_id:str}")
async def deal_hand(request: AnyRequest, desk: Desk, caller: Caller, rules_id: RulesId) -> Page:
    """Another hand."""
    _take(desk, caller)
    place = PracticePlace.read(rules_named(desk, rules_id), secrets.token_hex(8), _query(request))
    return redirect(place.but(did=(), cards=(), given=0).path)


@get("/trainer/{rules_id:str}/{seed:str}")
async def see_hand(request: AnyRequest, desk: Desk, caller: Caller, rules_id: RulesId, seed: Seed) -> Page:
    """A hand of practice."""
    _take(desk, caller)
    place = PracticePlace.read(rules_named(desk, rules_id), seed, _query(request))
    return await _hand_page(place, caller, await _practice(request, desk, caller))


@post("/trainer/{rules_id:str}/{seed:str}", status_code=200)
async def decide(  # noqa: PLR0917 - what a handler is given, by name
    request: AnyRequest, desk: Desk, caller: Caller, fields: Fields, rules_id: RulesId, seed: Seed
) -> Page:
    """A decision: judged, remembered if it was wrong, and the hand goes on."""
    _take(desk, caller)
    place = PracticePlace.read(rules_named(desk, rules_id), seed, fields)
    choice = fields.get("choice", "")[:20]
    seen = played(place.hand)
    after = place.but(did=(*place.did, choice))
    played(after.hand)  # refused if it is not offered
    answer, *_ = await ADVISER.ask([_question(place, seen)], patience=_PATIENT)
    practice = await _practice(request, desk, caller)
    mark = sha256(f"{rules_id} {seed} {len(place.did)}".encode()).hexdigest()[:12]
    if answer is None or practice.last == mark:
        return redirect(after.path)
    judgment, at = judged(answer, choice, place.stake), now()
    asked = DrillCard(
        kind=f"{place.rules.drills} {answer.kind}",
        cards=format_cards((*seen.own, *seen.board)),
        bets=place.did,
        due=at,
    )
    done = Practice(
        drills=answered(practice.drills, asked, right=judgment.right, at=at),
        decisions=practice.decisions + 1,
        right=practice.right + judgment.right,
        cost=practice.cost + judgment.cents,
        last=mark,
    )
    return redirect(after.path, cookies=[await remember(desk, caller, done)])


async def _hand_page(place: PracticePlace, caller: Caller, practice: Practice) -> Page:
    rounds = [played(place.until(number)) for number in range(len(place.did) + 1)]
    seen = rounds[-1]
    asked = [_question(place, before) for before in rounds if before.decision is not None]
    answers = await ADVISER.ask(asked, patience=_QUICK)
    computing = any(not ADVISER.is_known(question) for question in asked)
    steps = [
        DecidedStep(
            on=spoken(before.decision or ""),
            label=action_label(choice, before.decision or ""),
            judgment=judged(answer, choice, place.stake, decision=before.decision or "") if answer else None,
            given=number < place.given,
        )
        for number, (before, choice, answer) in enumerate(zip(rounds, place.did, answers, strict=False))
    ]
    last = _panel(place, rounds[-2], answers[len(place.did) - 1]) if len(place.did) > place.given else None
    coming = _panel(place, seen, answers[-1]) if seen.decision is not None else None
    awaited = (place.before and coming is None) or any(step.judgment is None for step in steps)
    return page(
        "trainer_hand",
        caller,
        headers=_SOON if computing and awaited else None,
        place=place,
        rules=place.rules,
        seen=seen,
        own=in_hand(tuple(map(str, seen.own))),
        dealer=in_hand(tuple(map(str, seen.dealer))),
        counted=_counted(seen, place.did),
        made=_made(seen),
        acts=[_act(step, seen) for step in seen.options],
        steps=steps,
        last=last,
        coming=coming,
        computing=computing,
        groups=_groups(seen.settled),
        stakes=stakes_offered(place.rules.house),
        practice=practice,
        due=len(due_drills(practice.drills, now())),
        label=action_label,
        urlencode=urlencode,
    )


def _lines(practice: Practice, documents: list[PracticeRules], at: datetime) -> list[DrillLine]:
    """The drills as somebody reads them, the first to come first."""
    rules = {each.drills: each for each in documents}
    lines = []
    for drill in sorted(practice.drills, key=lambda drill: (drill.due, drill.box)):
        pays, _, row = drill.kind.rpartition(" ")
        if pays not in rules:
            continue
        source, named = rules[pays].source, rules[pays].paytable
        lines.append(
            DrillLine(
                game=f"{source.title}, {source.jurisdiction}{'' if named == 'standard' else f', paytable {named}'}",
                when=_when(rules[pays].house, row),
                cards=tuple(map(str, parse_cards(drill.cards))),
                box=drill.box,
                due=drill.due if drill.due > at else None,
            )
        )
    return lines


def _when(house: HouseRules, row: str) -> str:
    """The line of the strategy card that a kind of decision names: by the cards known, and its place among theirs."""
    listed = ADVISER.known(_strategies(house))
    known, _, rest = row.partition(".")
    place = rest.partition(".")[0]
    if listed is None or not (known.isdecimal() and place.isdecimal()):
        return ""
    rows = [each.when for each in listed[0].rows if each.cards == int(known)]
    return rows[int(place)] if int(place) < len(rows) else ""


def _panel(place: PracticePlace, seen: PracticeRound, answer: CoachedDecision | None) -> CoachPanel | None:
    return panel(answer, place.stake, decision=seen.decision or "") if answer is not None else None


def _question(place: PracticePlace, seen: PracticeRound) -> CoachAsked:
    # One decision comes before each card of the board.
    return question_of(place.rules.house, seen.own, seen.board, place.did[: len(seen.board)])


def _strategies(house: HouseRules) -> StrategiesAsked:
    return StrategiesAsked(rulebook=house.rulebook.id, edition=house.rulebook.edition, paytable=main_table(house).id)


def _act(step: PracticeStep, seen: PracticeRound) -> PracticeAct:
    label, key = action_label(step.name, seen.decision or ""), _KEYS.get(step.name, step.name[:1])
    return PracticeAct(name=step.name, label=label, about=_about(step, seen), key=key)


def _about(step: PracticeStep, seen: PracticeRound) -> str:
    """What an action adds, gives up, leaves or takes back."""
    bets = dict(seen.bets)
    match step.name:
        case "fold":
            return f"lose {dollars(sum(bets.values()))}"
        case "ride" | "withdraw":
            amount = dollars(next((stake for name, stake in bets.items() if name == seen.decision), 0))
            return f"{amount} {'stays' if step.name == 'ride' else 'back'}"
    return dollars(step.amount)


def _made(seen: PracticeRound) -> str:
    cards = (*seen.own, *seen.board)
    return flush_so_far(cards) if seen.dealer or seen.dealer_down else poker_so_far(cards)


def _counted(seen: PracticeRound, did: tuple[str, ...]) -> frozenset[str]:
    """The cards that make the hands, once the bets are settled."""
    own, dealer = tuple(map(str, seen.own)), tuple(map(str, seen.dealer))
    if seen.settled is None or "fold" in did:
        return frozenset()
    return flush_cards(own) | flush_cards(dealer) if dealer else poker_cards((*own, *map(str, seen.board)))


def _groups(settled: SeatSettled | None) -> list[SettledGroup]:
    groups: dict[tuple[str, str, str], list[WagerSettled]] = {}
    for wager in settled.wagers if settled is not None else ():
        groups.setdefault((wager.outcome, wager.why, wager.clause), []).append(wager)
    return [SettledGroup(wagers=tuple(wagers)) for wagers in groups.values()]


def _other_suits(cards: tuple[Card, ...], seed: str) -> tuple[Card, ...]:
    """The same decision with other suits, so that it is not known by its picture."""
    suits = list(SUITS)
    Random(seed).shuffle(suits)  # noqa: S311 - a picture, not a deal
    other = dict(zip(SUITS, suits, strict=True))
    return tuple(Card(str(card)[0] + other[card.suit]) for card in cards)


async def _practice(request: AnyRequest, desk: Desk, caller: Caller) -> Practice:
    return await practice_before(desk, caller, request.cookies.get(DRILLS, ""))


def _query(request: AnyRequest) -> dict[str, str]:
    return {name: value for name, value in request.query_params.items() if isinstance(value, str)}


def _take(desk: Desk, caller: Caller) -> None:
    desk.requests.take(caller.id or place_of(caller.address), _WORTH)


NAV: Final = [NavItem("Trainer", "/trainer", place=10)]
ROUTES: Final = [see_trainer, see_evening, next_drill, see_strategy_card, deal_hand, see_hand, decide]
