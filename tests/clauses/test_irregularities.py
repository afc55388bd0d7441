"""Every irregularity in every document at every moment of a round, through the table.

What must come of each stands here, read from the documents and the readings: whether it can happen at that moment at
all, what it voids, and what becomes of the deck. All cards are accounted for, and all money.
"""

from datetime import timedelta
from typing import Any, Literal, get_args

import pytest
from msgspec.structs import replace

from croupier.cards import DECK
from croupier.driver import TableRunner
from croupier.errors import RuleViolation
from croupier.games import actions, awaiting
from croupier.games import events as round_events
from croupier.money import Cents
from croupier.rulebook.names import Deal, Irregularity, OutOfUse
from croupier.table import Entry, Person, Request, chips_of, commands, deck_in_play, is_dealt, stub_open
from support.random_rounds import HCF, LIR, MA, MS
from support.table_harness import TableHarness, table_of

Effect = Literal["goes on", "card aside", "all void", "hand void", "main void", "deck shuffled again", "deck removed"]
MOMENTS = ("between", "betting", "dealing", "dealt", "1", "2", "3", "settling", "closing")
IN_PLAY = MOMENTS[2:]
AFTER = MOMENTS[3:]
HIDDEN = ("dealing", "dealt", "1", "2", "3")
"""While community cards are still to come."""

Rows = dict[Irregularity, tuple[tuple[str, ...], Effect, str]]
COMMON: Rows = {
    "one_card_face_up": (IN_PLAY, "card aside", "13.A"),
    "card_drawn_unseen": (("dealing",), "goes on", "13.C"),
    "card_drawn_seen": (("dealing",), "card aside", "13.A"),
    "player_card_flashed": (IN_PLAY, "goes on", "13.C"),
    "stub_wrong_misdealt": (("dealt",), "all void", "10.F"),
    "stub_wrong_deck": (("dealt",), "deck removed", "10.G"),
    "shoe_failed": (("dealing",), "all void", "13.G"),
    "shoe_failed_after_deal": (AFTER, "goes on", "13.G"),
    "foreign_card": (IN_PLAY, "deck removed", "8.J(2)"),
}
STUD: Rows = {
    **COMMON,
    "cards_face_up": (("dealing",), "all void", "13.B"),
    "wrong_count_player": (IN_PLAY, "all void", "13.D"),
    "wrong_count_community": (IN_PLAY, "all void", "13.D"),
    "wrong_count_box": (IN_PLAY, "all void", "13.D"),
    "community_exposed": (HIDDEN, "all void", "13.E"),
    "box_exposed": (HIDDEN, "all void", "13.E"),
}
LAW: dict[str, Rows] = {
    MS: STUD,
    LIR: {
        name: (moments, effect, {"10.F": ".10G(1)", "10.G": ".10G(2)", "8.J(2)": ".08F(2)"}.get(clause, f".{clause}"))
        for name, (moments, effect, clause) in STUD.items()
    }
    | {name: (STUD[name][0], STUD[name][1], f".13{STUD[name][2][3:]}") for name in STUD if STUD[name][2][:3] == "13."}
    | {"wrong_count_box": (IN_PLAY, "all void", ".10G(1)")},
    HCF: {
        **COMMON,
        "cards_face_up": (("dealing",), "main void", "13.B"),
        "wrong_count_player": (IN_PLAY, "main void", "13.D"),
        "wrong_count_dealer": (IN_PLAY, "main void", "13.D"),
        "dealer_exposed": (("dealing", "dealt", "1"), "main void", "13.E"),
        "stub_wrong_misdealt": (("dealt",), "all void", "10.E(1)"),
        "stub_wrong_deck": (("dealt",), "deck removed", "10.E(2)"),
        "shoe_failed": (("dealing",), "all void", "13.H"),
        "shoe_failed_after_deal": (AFTER, "goes on", "13.H"),
    },
    MA: {
        "one_card_face_up": (IN_PLAY, "card aside", "14(b)"),
        "cards_face_up": (("dealing",), "all void", "14(b)"),
        "card_drawn_unseen": (("dealing",), "goes on", "14(c)"),
        "card_drawn_seen": (("dealing",), "card aside", "14(b)"),
        "player_card_flashed": (IN_PLAY, "goes on", "14(c)"),
        "wrong_count_player": (IN_PLAY, "hand void", "14(d)"),
        "wrong_count_community": (IN_PLAY, "all void", "7(f)(2)"),
        "stub_wrong_misdealt": (("dealt",), "all void", "7(f)(2)"),
        "stub_wrong_deck": (("dealt",), "deck removed", "7(f)(2)"),
        "community_exposed": (HIDDEN, "all void", "14(a)"),
        "shoe_failed": (("dealing",), "all void", "14(f)"),
        "shoe_failed_after_deal": (AFTER, "goes on", "14(f)"),
        "foreign_card": (IN_PLAY, "deck removed", "7(f)(2)"),
    },
}
OF_THE_TABLE: tuple[Irregularity, ...] = ("shuffler_failed", "shuffler_count_wrong", "device_unusable")
PROGRESSIVE = {"initial": "30000.00", "reset": "30000.00", "rate": "0.1"}
WAGERS: dict[str, dict[str, Any]] = {
    MS: {
        "three_card_bonus": {"paytable": "A", "minimum": "5.00", "maximum": "100.00"},
        "six_card_bonus": {"paytable": "A", "minimum": "5.00", "maximum": "100.00"},
        "progressive": {"paytable": "A", "stake": "1.00", "meters": {"main": PROGRESSIVE}},
    },
    LIR: {
        "base": {"paytable": "A"},
        "three_card_bonus": {"paytable": "A", "minimum": "5.00", "maximum": "100.00"},
        "five_card_bonus": {"paytable": "A", "stake": "1.00"},
        "six_card_bonus": {"paytable": "A", "minimum": "5.00", "maximum": "100.00"},
        "progressive": {"paytable": "A", "stake": "1.00", "meters": {"main": PROGRESSIVE}},
    },
    HCF: {
        "flush_bonus": {"paytable": "A", "minimum": "5.00", "maximum": "100.00"},
        "straight_flush_bonus": {"paytable": "A", "minimum": "5.00", "maximum": "100.00"},
        "progressive": {"paytable": "A", "stake": "1.00", "meters": {"main": PROGRESSIVE}},
    },
    MA: {
        "three_card_bonus": {"paytable": "3CS-01", "minimum": "5.00", "maximum": "100.00"},
        "progressive": {"paytable": "MS Stud-01", "stake": "1.00", "meters": {"main": PROGRESSIVE}},
    },
}
MIDDLE = {MS: 9, LIR: 8, HCF: 15, MA: 5}
"""So many cards lie in the middle of the deal: a whole hand, and one of the board's or the dealer's."""
STAY = {MS: ("1x", None), MA: ("1x", None), LIR: ("ride", None), HCF: ("raise", Cents(1000))}
DECISIONS = {MS: 3, MA: 3, LIR: 2, HCF: 1}
ANN, BO = Person("player", "Ann"), Person("player", "Bo")
FLOOR = Person("floorperson", "automatic floorperson")


class Evening(TableHarness):
    """A table with two players, brought to a moment; Bo gives up at once, Ann stays."""

    def __init__(self, rulebook: str) -> None:
        self.rulebook = rulebook
        limits = {"bet" if rulebook == LIR else "ante": {"minimum": "10.00", "maximum": "500.00"}}
        raw = {
            "rulebook": rulebook,
            "limits": limits,
            "wagers": WAGERS[rulebook],
            "cards": {"decks": 2, "shuffle": "automated", "deal": "automated_shoe", "deck_hours": 8},
        }
        super().__init__(TableRunner(table_of(raw)), cards=[DECK[(place * 23) % 52] for place in range(52)])
        self.staff()
        for seat, player in enumerate((ANN, BO), 1):
            self.give(player, commands.Sit(seat))
            self.give(player, commands.BuyIn(Cents(100_000), brought=True))
        self.staff()
        self.meters = self.table.progressive.meters
        self.entries = []

    @property
    def table(self) -> Any:  # noqa: ANN401
        return self.run.table

    def give(self, by: Person, command: Any) -> list[Entry]:  # noqa: ANN401
        return self.handle(Request(by, self.now, command))

    def handle(self, request: Request) -> list[Entry]:
        self.now += timedelta(seconds=1)
        return super().handle(replace(request, at=self.now))

    def bring_to(self, moment: str) -> None:
        """Play until this moment."""
        if moment == "between":
            return
        for player, seat in ((ANN, 1), (BO, 2)):
            for wager in self.table.house.wagers:
                if wager.stakes is not None:
                    self.give(player, commands.PlaceWager(seat, wager.name, wager.stakes.minimum))
        if moment == "betting":
            return
        self.staff()
        self.staff_step(close_bets=True)
        while awaiting(self.table.round).kind == "act":
            self.staff_step()
        if moment == "dealing":
            dealer = Person("dealer", self.table.people.dealer)
            self.give(dealer, commands.DealCards(MIDDLE[self.rulebook], tuple(self.unseen()[: MIDDLE[self.rulebook]])))
            return
        while not is_dealt(self.table.round):
            self.staff_step()
        if moment == "dealt":
            assert stub_open(self.table)
            return
        self.staff()
        for decision in range(1, DECISIONS[self.rulebook] + 1):
            if moment == str(decision):
                return
            self._decide(last=decision == DECISIONS[self.rulebook], settling=moment == "settling")
        if moment == "closing":
            while awaiting(self.table.round).kind != "close":
                self.staff_step()

    def _decide(self, *, last: bool, settling: bool) -> None:
        choice, amount = STAY[self.rulebook]
        self.give(ANN, commands.Decide(1, choice, amount))
        state = self.table.round
        if awaiting(state).kind == "decision" and awaiting(state).seat == 2:
            gives_up = "withdraw" if self.rulebook == LIR else "fold"
            self.give(BO, commands.Decide(2, gives_up))
        if not last:
            self.staff()
            return
        while awaiting(self.table.round).kind not in {"settlement", "close"}:
            self.staff_step()
        if settling and awaiting(self.table.round).kind == "settlement":
            self.staff_step()
            while self.table.progressive.awards and any(one.status != "paid" for one in self.table.progressive.awards):
                self.staff_step()

    def finish(self) -> None:
        """Play the round to its end, if it has not ended."""
        for _ in range(200):
            state = self.table.round
            if state is None:
                return
            if awaiting(state).kind == "decision" and not stub_open(self.table):
                choice, amount = STAY[self.rulebook]
                player = ANN if awaiting(state).seat == 1 else BO
                self.give(player, commands.Decide(awaiting(state).seat, choice, amount))
            elif state.at.kind == "wagers":
                self.staff_step(close_bets=True)
            else:
                self.staff_step()
        raise AssertionError("the round does not end")


def command_of(name: Irregularity) -> Any:  # noqa: ANN401
    if name in {"one_card_face_up", "card_drawn_seen"}:
        return actions.SetAside(name, None)
    return actions.Rule(name, 1 if name in {"wrong_count_player", "player_card_flashed"} else 0)


def count_wrongly(evening: Evening, *, misdealt: bool) -> None:
    """A stub that is one card short, and seat 1 with a card too many if that is where it went."""
    state, dealer = evening.table.round, Person("dealer", evening.table.people.dealer)
    plan = state.cards.plan
    with pytest.raises(RuleViolation):
        evening.give(FLOOR, actions.Rule("stub_wrong_misdealt" if misdealt else "stub_wrong_deck"))
    evening.give(dealer, commands.CountStub(52 - state.cards.dealt - 1))
    seats = {seat: len(places) + (misdealt and seat == 1) for seat, places in plan.own.items()}
    slots = {slot: len(plan.slots[slot]) or None for slot in ("community", "six_card_box", "dealer")}
    evening.give(dealer, commands.ReportHoldings(seats, **slots))


CELLS = [
    (rulebook, name, moment)
    for rulebook in LAW
    for name in get_args(Irregularity)
    if name not in OF_THE_TABLE
    for moment in MOMENTS
    if not (moment in "123" and int(moment) > DECISIONS[rulebook])
]


@pytest.mark.parametrize(("rulebook", "name", "moment"), CELLS)
def test_every_irregularity_at_every_moment(rulebook: str, name: Irregularity, moment: str) -> None:
    evening = Evening(rulebook)
    evening.bring_to(moment)
    moments, effect, clause = LAW[rulebook].get(name, ((), "goes on", ""))
    deck = deck_in_play(evening.table)
    assert deck is not None
    state = evening.table.round
    if moment not in moments:
        before = evening.table
        with pytest.raises(RuleViolation) as refused:
            evening.give(FLOOR, command_of(name))
        assert refused.value.clause
        assert evening.table is before
        evening.finish()
        check_all(evening)
        return
    evening.entries = []
    if name.startswith("stub_wrong"):
        count_wrongly(evening, misdealt=name == "stub_wrong_misdealt")
    else:
        evening.give(FLOOR, command_of(name))
    said = [
        one.event
        for one in evening.entries
        if isinstance(one.event, round_events.IrregularityRuled | round_events.CardSetAside)
    ]
    assert [one.clause for one in said] == [clause]
    assert state is not None
    evening.finish()
    check_all(evening)
    check_effect(evening, effect, deck.id)


def check_effect(evening: Evening, effect: Effect, deck: str) -> None:
    """What the document demands became of bets, meters and deck."""
    chips = {name: chips_of(evening.table, name) for name in ("Ann", "Bo")}
    stage = next(one.stage for one in evening.table.cards.decks if one.id == deck)
    void = [one.event for one in evening.entries if isinstance(one.event, round_events.HandSettled)]
    names = {(event.seat, one.wager) for event in void for one in event.wagers if one.outcome == "void"}
    assert (stage == "condemned") == (effect == "deck removed")
    if effect in {"all void", "deck removed"}:
        assert chips == {"Ann": 100_000, "Bo": 100_000}
        assert [meter.units for meter in evening.table.progressive.meters] == [meter.units for meter in evening.meters]
    elif effect == "hand void":
        assert {seat for seat, _ in names} == {1}
        assert ("three_card_bonus" in {wager for _, wager in names}) is False
    elif effect == "main void":
        assert {(1, "ante"), (2, "ante")} <= names
    else:
        assert not names
        assert chips != {"Ann": 100_000, "Bo": 100_000}


def check_all(evening: Evening) -> None:
    """Money and cards are all there, and no deck is lost."""
    table = evening.table
    assert sum(amount for _, amount in table.books) == 0
    assert dict(table.books).get("layout", 0) == 0
    assert len(table.cards.decks) == 2
    closed = table.last_round
    if closed is not None:
        cards = closed.cards
        assert sorted(cards.rack) == list(range(cards.dealt))
        assert cards.dealt + len(closed.faces.aside) <= len(DECK)


# --- those that befall no round


@pytest.mark.parametrize("moment", ["between", "betting", "dealing", "dealt", "1", "settling", "closing"])
@pytest.mark.parametrize("rulebook", LAW)
@pytest.mark.clause(
    "md-mississippi-stud 13.F", "md-high-card-flush 13.G", "md-let-it-ride .13F", "ma-mississippi-stud 14(e)"
)
def test_a_jam_reshuffles_the_deck_in_the_shuffler_and_never_the_round(rulebook: str, moment: str) -> None:
    evening = Evening(rulebook)
    evening.bring_to(moment)
    playing = deck_in_play(evening.table)
    other = next(one for one in evening.table.cards.decks if one is not playing)
    before = evening.table.round
    evening.give(FLOOR, commands.ReportJam(other.id))
    assert evening.table.round == before
    jammed = next(one for one in evening.table.cards.decks if one.id == other.id)
    assert jammed.stage == "stacked"
    assert playing is not None
    with pytest.raises(RuleViolation):
        evening.give(FLOOR, commands.ReportJam(playing.id))
    evening.finish()
    check_all(evening)


@pytest.mark.parametrize("rulebook", LAW)
@pytest.mark.clause("md-mississippi-stud 13.H(1)", "md-mississippi-stud 13.H(2)", "ma-mississippi-stud 14(g)")
@pytest.mark.clause("md-high-card-flush 13.I(1)", "md-high-card-flush 13.I(2)")
@pytest.mark.clause("md-let-it-ride .13H(1)", "md-let-it-ride .13H(2)")
def test_a_device_goes_out_of_use_before_another_method(rulebook: str) -> None:
    wanted = {"removed"} if rulebook == MA else {"covered", "signed"}
    deal: Deal = "automated_shoe" if rulebook in {MS, LIR} else "manual_shoe"  # the box needs the shoe
    ways: tuple[OutOfUse, ...] = ("covered", "signed", "removed")
    for how in ways:
        evening = Evening(rulebook)
        other = next(one for one in evening.table.cards.decks if one is not deck_in_play(evening.table))
        evening.give(FLOOR, commands.ReportJam(other.id))
        evening.give(Person("dealer", evening.table.people.dealer), commands.RemoveDeck(other.id))
        change = commands.ChangeMethod("manual", deal, 1)
        with pytest.raises(RuleViolation) as early:
            evening.give(FLOOR, change)
        assert early.value.code == "not_out_of_use"
        if how not in wanted:
            with pytest.raises(RuleViolation):
                evening.give(FLOOR, commands.TakeOutDevice("shuffler", how))
            continue
        evening.give(FLOOR, commands.TakeOutDevice("shuffler", how))
        if rulebook == MA:
            evening.give(FLOOR, commands.TakeOutDevice("shoe", how))
        evening.give(FLOOR, change)
        assert evening.table.house.shuffle == "manual"


@pytest.mark.parametrize("counted", [0, 51, 53])
@pytest.mark.parametrize("rulebook", LAW)
def test_a_shuffler_that_counts_wrong_removes_the_deck(rulebook: str, counted: int) -> None:
    evening = Evening(rulebook)
    if rulebook == MA:
        evening.give(FLOOR, commands.TakeOutDevice("shuffler", "removed"))
    evening.give(FLOOR, commands.ChangeMethod("automated_counting", "automated_shoe", 2))
    deck = evening.table.cards.decks[0]
    dealer = Person("dealer", evening.table.people.dealer)
    evening.give(dealer, commands.ShuffleDeck(deck.id, counted))
    assert evening.table.cards.decks[0].stage == "condemned"
    with pytest.raises(RuleViolation) as refused:
        evening.give(dealer, commands.ShuffleDeck(deck.id, 52))
    assert refused.value.clause in {"5.C(1)-(2)", ".05E(1)-(2)", "9(f)"}
