"""Every event of a record has its sentence, and the sentence says every amount, card, seat and clause of the event."""

import types
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from croupier.cards import DECK, Card
from croupier.games import events as round_events
from croupier.games.results import CouponSettled, EnvyPaid, WagerSettled
from croupier.money import Cents, MeterUnits
from croupier.present import cited, dollars, dollars_and_cents, event_sentences, meter_dollars, spoken
from croupier.table import events as table_events
from croupier.table.events import Hidden

hints_of = cache(get_type_hints)
KINDS = [*get_args(table_events.Event), round_events.CardsIdentified]
NAMES = st.sampled_from(["Ann", "D1", "Ref 7", "A"])
VALUES = {
    "choice": st.sampled_from(["1x", "2x", "3x", "raise"]),
    ("WagerSettled", "hand"): st.just("royal_flush"),
    ("EnvyPaid", "hand"): st.just("royal_flush"),
    ("SeedRevealed", "deck"): st.just(DECK),
    ("CardsShown", "cards"): st.lists(st.sampled_from(DECK), min_size=1).map(tuple),
    ("AwardNotVerified", "hand"): st.just(False),  # noqa: FBT003 - one of the two is wrong
    "slot": st.just("player"),
    "made": st.just("pair J"),
    "pays": st.just("5 to 1"),
    "clause": st.sampled_from(["7.F(1)", ".12A", "11bis(h) MS Stud-01"]),
    "meter": st.sampled_from(["main", "major"]),
    ("HandAnnounced", "hand"): st.just("pair J"),
    ("IrregularityRuled", "cards"): st.sampled_from(["play_on", "reshuffle", "reshuffle_device", "remove_deck"]),
    ("HandsRebuilt", "seats"): st.just((1, 2)),
    ("HandsRebuilt", "told"): st.just((2, 5)),
    ("CoverAllColumnFixed", "pays"): st.just((("pair", "2 to 1"),)),
}
"""Fields whose type alone says too little."""


def of_hint(hint: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401 - any type of a field
    plain: dict[Any, st.SearchStrategy[Any]] = {
        Cents: st.integers(1, 10**9),
        MeterUnits: st.integers(1, 10**13),
        Card: st.sampled_from(DECK),
        Hidden: st.just(Hidden((DECK[0],))),
        int: st.integers(1, 52),
        str: NAMES,
        bool: st.booleans(),
        bytes: st.just(b""),
        date: st.just(date(2026, 1, 1)),
        datetime: st.just(datetime(2026, 1, 1, 20, tzinfo=UTC)),
        type(None): st.none(),
    }
    if hint in plain:
        return plain[hint]
    if get_origin(hint) in {Union, types.UnionType}:
        return st.one_of(*map(of_hint, get_args(hint)))
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if get_origin(hint) is tuple:
        parts = get_args(hint)
        if parts[-1] is Ellipsis:
            return st.lists(of_hint(parts[0]), max_size=2).map(tuple)
        return st.tuples(*map(of_hint, parts))
    return of_struct(hint)


def of_struct(kind: type[Struct]) -> st.SearchStrategy[Any]:
    hints = hints_of(kind)
    fields = {}
    for name in kind.__struct_fields__:
        known = next((key for key in ((kind.__name__, name), name) if key in VALUES), None)
        fields[name] = of_hint(hints[name]) if known is None else VALUES[known]
    return st.builds(kind, **fields)


def told(event: Struct) -> list[str]:
    """What the words must hold: amounts, meters, cards, seat and clause, of the event and of what it settles."""
    hints, words = hints_of(type(event)), []
    for name in event.__struct_fields__:
        value, parts = getattr(event, name), {hints[name], *get_args(hints[name])}
        if value is None:
            continue
        if Cents in parts:
            words.append(dollars_and_cents(value) if isinstance(event, round_events.MeterRead) else dollars(value))
        elif MeterUnits in parts:
            words.append(meter_dollars(value))
        elif Card in parts:
            words += [str(card) for card in (value if isinstance(value, tuple) else [value])]
        elif name == "seat":
            words.append(str(value))
        elif name == "wager":
            words.append(spoken(value))
    for settled in getattr(event, "wagers", ()):
        words += [spoken(settled.wager), dollars(settled.staked), cited(settled.clause, settled.reading)]
        words += [dollars(settled.won)] if settled.won else []
        words += [dollars(settled.returned)] if settled.returned else []
    if isinstance(coupon := getattr(event, "coupon", None), CouponSettled):
        words += [dollars(coupon.value), dollars(coupon.won), cited(coupon.clause, coupon.reading)]
    for seat, paid in (
        *getattr(event, "envy", ()),
        *(event.paid if isinstance(event, round_events.EnvySettled) else ()),
    ):
        words += [f"eat {seat}: envy wins {dollars(envy.won)} for seat {envy.from_seat}" for envy in paid]
    return [*words, cited(getattr(event, "clause", None), getattr(event, "reading", None))]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_event_has_a_sentence_that_leaves_nothing_out(kind: type[Struct]) -> None:
    @given(of_struct(kind))
    def check(event: Any) -> None:  # noqa: ANN401 - one of the kinds
        sentences = event_sentences(event)
        assert sentences
        for sentence in sentences:
            assert sentence[0].isupper() or sentence[0].isdigit(), sentence
            assert "_" not in sentence, sentence
            assert "  " not in sentence, sentence
        text = "\n".join(sentences)
        missing = [words for words in told(event) if words.lower() not in text.lower()]
        assert not missing, (missing, text)

    check()


def test_a_hidden_card_is_in_no_sentence() -> None:
    cards = Hidden((Card("Ah"), Card("Kd")))
    sealed = table_events.CardsSealed(clause="8.A", place=3, cards=cards)
    corrected = table_events.HiddenCardCorrected(clause="8.A", place=3, was=cards, card=cards)
    rebuilt = table_events.HandsRebuilt(clause="8.A", round=1, seats=(1,), told=(2,), cards=cards)
    for event in (sealed, corrected, rebuilt):
        (sentence,) = event_sentences(event)
        assert "Ah" not in sentence
        assert "Kd" not in sentence


def test_wagers_that_settle_alike_read_alike() -> None:
    lost = WagerSettled(
        wager="ante", staked=Cents(1000), outcome="lose", hand="nothing", pays=None, won=Cents(0), returned=Cents(0),
        clause="11.I(1)", reading=67, cause="paytable", made="nothing K", paytable="A",
    )  # fmt: skip
    envy = EnvyPaid(from_seat=2, hand="royal_flush", won=Cents(100_000), clause="12.C(5)")
    assert event_sentences(round_events.HandSettled("hand", 1, (lost,))) == [
        "Seat 1: ante $10 loses (11.I(1), reading 67)"
    ]
    assert event_sentences(round_events.EnvySettled(((3, (envy,)),))) == [
        "Seat 3: envy wins $1,000 for seat 2's royal flush (12.C(5))"
    ]
