"""Same house rules, cards and decisions give the same round: what a house remembers changes no answer."""

import gc
import random
import shutil
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import parse_cards
from croupier.errors import RuleViolation
from croupier.games import Round, actions, apply, awaiting, open_round
from croupier.games.rules import Memo
from croupier.money import Cents
from croupier.rulebook import HouseRules, check, load_readings, read_submission
from croupier.rulebook.consistency import problems_of
from croupier.rulebook.editions import SHIPPED
from support import slices
from support.random_play import BOOKS, play_round, random_house

RULEBOOKS = slices.count(full=1_500, sliced=10)


# --- a state whose folded hands bring envy


@pytest.fixture
def nevada(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HouseRules:
    """Maryland's Mississippi Stud, with one row changed: a folded hand that bet the progressive brings envy."""
    folder = tmp_path / "nv" / "mississippi-stud"
    shutil.copytree(SHIPPED / "md" / "mississippi-stud", folder)
    for path in folder.rglob("*.toml"):
        text = path.read_text().replace('id = "md-mississippi-stud"', 'id = "nv-mississippi-stud"')
        path.write_text(text.replace("folded_holder = false", "folded_holder = true"))
    monkeypatch.setenv("CROUPIER_REGULATIONS", str(tmp_path))
    progressive = {
        "paytable": "A",
        "stake": "1.00",
        "meters": {"main": {"initial": "20000.00", "reset": "10000.00", "rate": "0.1"}},
    }
    found = check(read_submission({"rulebook": "nv-mississippi-stud", "wagers": {"progressive": progressive}})).house
    assert found is not None
    return found


def everybody_folds(house: HouseRules, cards: str) -> str:
    """Two players bet the progressive and fold on 5th Street; what the round awaits then."""
    state = open_round(house)
    for seat in (1, 2):
        for wager, amount in (("ante", 1000), ("progressive", 100)):
            state, _ = apply(state, actions.PlaceWager(seat, wager, Cents(amount)))  # type: ignore[arg-type]
        state, _ = apply(state, actions.RegisterWager(seat))
    while (asked := awaiting(state)).kind == "wagers" or asked.kind == "act":
        chips = 2 if asked.act == "count_progressive" else None
        state, _ = apply(state, actions.Perform(asked.act or "announce", chips))
    state, _ = apply(state, actions.Deal(7))
    state, _ = apply(state, actions.IdentifyCards(0, parse_cards(cards)))
    for choice in ("1x", "1x", "fold"):
        for seat in (1, 2):
            state, _ = apply(state, actions.Decide(seat, choice))
        if awaiting(state).kind == "reveal":
            state, _ = apply(state, actions.Reveal("community"))
    return str(awaiting(state))


def test_a_folded_royal_brings_envy_whatever_was_played_before(nevada: HouseRules) -> None:
    plain, royal = "2c 7d 3c 8d Ts Jh 4s", "Ah Kh 3c 8d Qh Jh Th"
    assert everybody_folds(nevada, plain) == "the round to be closed"
    assert everybody_folds(nevada, royal) == "envy to be paid"
    assert everybody_folds(nevada, plain) == "the round to be closed"


# --- rulebooks of chance


def leaves(
    value: object, hint: object = None, path: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], list[Any]]]:
    """Every value in a rulebook's part that could be another one, and what it could be."""
    if isinstance(value, Struct):
        hints = get_type_hints(type(value))
        for name in value.__struct_fields__:
            yield from leaves(getattr(value, name), hints[name], (*path, name))
    elif isinstance(value, tuple):
        inner = get_args(hint)[0] if get_args(hint) else None
        for place, one in enumerate(value):
            yield from leaves(one, inner, (*path, place))
        if len(value) > 1:
            yield path, [value[::-1], value[1:]]
    elif isinstance(value, bool):
        yield path, [not value]
    elif isinstance(value, int):
        yield path, [value + 1, max(0, value - 1)]
    elif isinstance(value, str):
        kinds = [one for one in (hint, *get_args(hint)) if get_origin(one) is Literal]
        others = [one for kind in kinds for one in get_args(kind) if one != value]
        if others:
            yield path, others


def changed(value: Any, path: tuple[Any, ...], to: object) -> Any:  # noqa: ANN401 - any part of a rulebook
    if not path:
        return to
    first, rest = path[0], path[1:]
    if isinstance(value, Struct):
        return replace(value, **{first: changed(getattr(value, first), rest, to)})
    return (*value[:first], changed(value[first], rest, to), *value[first + 1 :])


def mutated(dice: random.Random, house: HouseRules) -> HouseRules:
    """The house under a rulebook of which a few rows are others, as far as such a rulebook would load."""
    book, numbers = house.rulebook, {reading.number for reading in load_readings()}
    for _ in range(dice.randint(1, 4)):
        part = dice.choice(("play", "play", "wagers", "irregularities", "dealing"))
        path, others = dice.choice(list(leaves(getattr(book, part))))
        other = replace(book, **{part: changed(getattr(book, part), path, dice.choice(others))})
        if not problems_of(other, Path(), readings=numbers):
            book = replace(other, hash=f"{dice.getrandbits(256):064x}")
    return replace(house, rulebook=book)


def again(house: HouseRules, moves: list[actions.Action], memo: Memo | None) -> list[tuple[Round, object]]:
    """The same actions once more: every round on the way with its events, or the refusal."""
    state = open_round(house, memo=memo)
    found: list[tuple[Round, object]] = []
    for action in moves:
        try:
            state, events = apply(state, action)
        except RuleViolation as violation:
            found.append((state, (violation.code, violation.clause, str(violation))))
        else:
            found.append((state, events))
    return found


def purely(seed: int, rulebook: str, count: int) -> int:
    """Rounds under changed rulebooks, with and without memory; how many rulebooks could be played."""
    dice, playable = random.Random(seed), 0
    for _ in range(count):
        house = mutated(dice, random_house(dice, rulebook))
        played = []
        try:
            played = [play_round(dice, house, check_both_ways=0).actions for _ in range(3)]
        except (AssertionError, LookupError, ValueError, TypeError, AttributeError):
            continue  # rows that load, but make no game
        playable += 1
        for moves in played:
            assert again(house, moves, None) == again(house, moves, Memo(share=0))
    return playable


@pytest.mark.parametrize("rulebook", BOOKS)
def test_memory_changes_no_answer(rulebook: str) -> None:
    """In 1,500 changed rulebooks in full, 10 in a slice."""
    assert purely(8, rulebook, RULEBOOKS) > RULEBOOKS // 4


# --- what is remembered


def test_no_name_is_remembered_and_a_house_remembers_less_than_five_megabytes() -> None:
    dice = random.Random(3)
    house = check(read_submission({"rulebook": BOOKS[0]})).house
    assert house is not None
    rules = open_round(house).rules
    gc.collect()
    tracemalloc.start()
    for number in range(1_500):
        state = open_round(house)
        for seat in (1, 2, 3):
            wager = actions.PlaceWager(seat, "ante", Cents(1000 + 500 * (number % 40)), f"Patron {number} {seat}")
            state, _ = apply(state, wager)
        while awaiting(state).kind in {"wagers", "act"}:
            asked = awaiting(state)
            state, _ = apply(
                state, actions.Perform(asked.act or "announce", None if "count" not in str(asked.act) else 0)
            )
        state, _ = apply(state, actions.Deal(len(state.cards.plan.places)))
        for seat in (1, 2, 3):
            name = f"Patron {number} {seat}"
            state, _ = apply(state, actions.Decide(seat, dice.choice(("1x", "2x", "3x", "fold")), patron=name))
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 5_000_000
    assert len(rules.memo.moves) > 100
    assert "Patron" not in repr(list(rules.memo.moves))
