"""Tables run at random: houses of chance, people of every role, legal commands of chance and some of any kind."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, get_args

from croupier.cards import DECK, Card
from croupier.driver import CardsByHand, FairShuffler, TableRunner
from croupier.driver.sources import SHUFFLER
from croupier.errors import RuleViolation
from croupier.fairness import Entropy
from croupier.games import Offer, Round, awaiting
from croupier.games.actions import DeclareUndecided, IdentifyCards, ReadMeter
from croupier.games.offers import CardsOf, Except, Range
from croupier.money import Cents
from croupier.rulebook import Stakes, check, read_submission
from croupier.rulebook.names import Act, Irregularity, Slot, WagerName
from croupier.table import (
    TRAY,
    Entry,
    Person,
    Request,
    Table,
    allowed,
    balance,
    commands,
    deck_in_play,
    is_dealt,
    rebuild,
    stub_open,
)
from croupier.table.accounts import LAYOUT
from croupier.table.commands import COMMANDS
from support.folder_host import FolderHost
from support.random_play import random_house_submission
from support.random_rounds import HCF, LIR, MA
from support.table_harness import START, TableHarness, table_of

PLAYERS = ("Ann", "Bo", "Cy", "Di")
PEOPLE = (
    *(Person("player", name) for name in PLAYERS),
    Person("dealer", "automatic dealer"),
    Person("dealer", "d2"),
    Person("floorperson", "automatic floorperson"),
    Person("floorperson", "f2"),
    Person("supervisor", "s1"),
    Person("pit_manager", "automatic manager"),
    Person("shift_manager", "m2"),
    Person("operator", "o1"),
    Person("operator", "o2"),
    Person("regulator", "r1"),
    Person("device", "progressive device"),
    SHUFFLER,
)
WEIGHTS = tuple({"player": 8, "dealer": 8, "floorperson": 5, "device": 3}.get(one.role, 1) for one in PEOPLE)
MOST = Cents(5_000_000)
RARE = {
    "remove_deck", "suspend_table", "set_idle", "take_out_device", "stand_up", "rule", "change_method", "set_aside",
    "leave", "order_shuffle", "order_recut", "report_jam", "find_conduct", "change_day", "reverse_settlement",
    "credit_tray", "fill_tray", "assign", "take_back", "buy_in", "correct_card", "count_inventory",
    "take_back_coupon", "declare_undecided",
}  # fmt: skip
"""What happens now and then."""
PLAYING = {"place_wager", "decide", "place_coupon", "look"}


def random_submission_of(dice: random.Random, rulebook: str, theme: str = "any") -> dict[str, Any]:
    """A lawful submission with decks and devices of chance too."""
    while True:
        raw = random_house_submission(dice, rulebook)
        if theme in {"awards", "links"} and "progressive" not in raw["wagers"]:
            continue
        cards = raw["cards"]
        cards["shuffle"] = dice.choice(["manual", "automated", "automated_counting", "continuous"])
        if theme == "cuts":
            cards |= {"shuffle": "manual", "deal": "manual_shoe"}
        if theme == "own" and rulebook == HCF:
            raw["readings"].setdefault("hcf", {})["over_raise"] = "floor_decision"
        if theme == "own" and rulebook == MA:
            raw["match_play"] = {"enabled": True, "pays": "1 to 1"}
        if cards["deal"] == "hand" and cards["shuffle"] == "manual":
            cards["shuffle"] = "automated"
        cards["decks"] = 1 if cards["shuffle"] in {"manual", "continuous"} else dice.choice([1, 2])
        if dice.random() < 0.5:
            cards["deck_hours"] = dice.choice([1, 2, 4])
        raw.setdefault("approvals", {})["continuous_shuffler"] = "A-1"
        if "progressive" in raw["wagers"] and dice.random() < 0.3:
            raw["handpay"] = {"threshold": "100.00"}
        if theme == "links" or ("progressive" in raw["wagers"] and dice.random() < 0.1):
            raw["wagers"]["progressive"]["link"] = "harbor"
        if rulebook == LIR and cards["shuffle"] == "continuous" and cards["deal"] == "automated_shoe":
            raw["readings"].setdefault("lir", {})["community_stack"] = dice.choice([2, 3])
        if dice.random() < 0.3:
            raw["readings"].setdefault("decision", {})["timeout"] = 20
        if dice.random() < 0.3:
            raw["readings"].setdefault("idle", {})["auto_minutes"] = 10
        if dice.random() < 0.6:
            raw["readings"].setdefault("stub", {})["every_n"] = dice.randint(1, 3)
        if check(read_submission(raw)).house is not None:
            return raw


@dataclass
class RandomTable(TableHarness):
    """A table in the hands of chance, and what must hold of it at any time."""

    dice: random.Random
    rulebook: str
    tally: Counter[str] = field(default_factory=Counter)
    """What tables before this one have accepted: chance favours what is seldom."""
    accepted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    host: FolderHost | None = None
    """Who keeps the record, if anybody does."""

    def __post_init__(self) -> None:
        self.theme = self.dice.choices(
            ("any", "awards", "links", "cuts", "own"), (10, 4, 4, 2, 4 if self.rulebook in {HCF, MA} else 1)
        )[0]
        self.raw = random_submission_of(self.dice, self.rulebook, self.theme)
        table = table_of(self.raw)
        self.virtual = self.theme == "any" and self.dice.random() < 0.6
        source = FairShuffler(Entropy(self.dice.randbytes)) if self.virtual else CardsByHand()
        run = self.host.begin(table, START, virtual=self.virtual) if self.host else TableRunner(table, source)
        super().__init__(run)
        self.mode = self.dice.choice(("chance", "ranks", "suits"))  # the last two make hands that win
        if self.theme in {"awards", "links"}:
            self.mode = "suits"
        if self.dice.random() < 0.8:
            self._warm_up()

    def _warm_up(self) -> None:
        """An open table with players and chips, so that chance comes to the rounds."""
        while self.table.status == "closed":
            self.staff_step()
        for seat, name in enumerate(self.dice.sample(PLAYERS, self.dice.randint(1, 3)), 1):
            self.player(name, commands.Sit(seat))
            self.player(name, commands.BuyIn(Cents(10_000_000), brought=True))
        self.staff()

    # --- choosing

    def step(self) -> None:
        """One command: mostly a legal one, often what staff or players would do next, sometimes anything."""
        self.now += timedelta(seconds=self.dice.choice((0, 1, 5, 30, 120)))
        if self.dice.random() < 0.001:
            self.now += timedelta(hours=self.dice.choice((1, 4, 9)))
        chance = self.dice.random()
        if chance < 0.2:
            self.handle(self._anything(), legal=False)
            return
        for _ in range(20):  # four in five are legal: somebody has something to do
            if chance < 0.5 and (request := self._staff_at_random()) is not None:
                self.handle(request)
                return
            if self._legal(PLAYING if chance < 0.85 else None):
                return
            chance = self.dice.uniform(0.2, 1)
        self.handle(self._anything(), legal=False)

    def _staff_at_random(self) -> Request | None:
        request = self.staff_request(close_bets=self.dice.random() < 0.3)
        if request is not None and isinstance(request.command, commands.DealCards) and not self.virtual:
            number = self.dice.randint(1, request.command.number)
            cards = self.unseen()[:number] if self.dice.random() < 0.6 else ()
            return Request(request.by, request.at, commands.DealCards(number, tuple(cards)))
        if isinstance(request, Request) and isinstance(request.command, commands.RevealCards) and not self.virtual:
            return self._revealed(request)
        return request

    def _revealed(self, request: Request) -> Request:
        state, command = self.table.round, request.command
        assert isinstance(command, commands.RevealCards)
        if state is None or self.dice.random() < 0.3:
            return request
        plan = state.cards.plan
        if command.slot == "player":
            places = plan.own[command.seat]
        else:
            shown, row = state.at.shown, state.at.reveal
            places = plan.slots[command.slot][shown : shown + (row.number if row else 0)]
        unknown = [place for place in places if state.faces.known[place] is None]
        if len(unknown) != len(places):
            return request
        return Request(
            request.by,
            request.at,
            commands.RevealCards(command.slot, command.seat, tuple(self.unseen()[: len(places)])),
        )

    def unseen(self) -> list[Card]:
        fresh = super().unseen()
        match self.mode:
            case "ranks":
                fresh.sort(key=lambda card: str(card)[0])
            case "suits":
                fresh.sort(key=lambda card: (str(card)[1], "AKQJT98765432".index(str(card)[0])))
            case _:
                self.dice.shuffle(fresh)
        return fresh

    def _legal(self, wanted: set[str] | None) -> bool:
        """A legal command of somebody: one of those wanted, or any, with trouble now and then."""
        state = self.table.round
        by = self.dice.choices(PEOPLE, WEIGHTS)[0]
        if wanted is not None:
            asked = awaiting(state).seat if state is not None else 0
            seated = [name for seat, name in self.table.people.seats if asked in (0, seat)]
            if not seated:
                return False
            by = Person("player", self.dice.choice(seated))
        offers = allowed(self.table, by, self.now)
        if wanted is not None:
            offers = tuple(one for one in offers if one.do in wanted)
        elif self.dice.random() < 0.6:
            offers = tuple(one for one in offers if one.do not in RARE)
        if not offers:
            return False
        names = sorted({one.do for one in offers})
        weights = [(5 + self.tally[one] + self.accepted[one]) ** -1.5 for one in names]
        name = self.dice.choices(names, weights)[0]
        chosen = self.dice.choice([one for one in offers if one.do == name])
        free = self._is_free(chosen) or (name == "decide" and by.role != "player")
        free = free or (self.virtual and name in {"tell", "correct_card", "order_shuffle", "order_recut", "cut_deck"})
        self.handle(Request(by, self.now, self.sample(chosen), "because"), legal=not free)
        return True

    def _is_free(self, offered: Offer) -> bool:
        """Whether an offer leaves something to the good sense of whoever takes it."""
        return any(isinstance(value, Except) for _, value in offered.fields) or offered.do in {
            "report_holdings",
            "count_stub",
            "add_entropy",
            "buy_in",
            "credit_tray",
        }

    def sample(self, offered: Offer) -> commands.Command:
        """A command that an offer allows."""
        fields: dict[str, Any] = {name: self._value(name, value) for name, value in offered.fields}
        if offered.do == "report_holdings":
            return self._holdings()
        if offered.do == "count_stub":
            state = self.table.round
            assert state is not None
            right = 52 - state.cards.dealt - len(state.faces.aside)
            return commands.CountStub(right + self.dice.choice((0, 0, -1, 1)))
        if offered.do == "deal":
            number = fields["number"]
            cards = () if self.virtual or self.dice.random() < 0.3 else tuple(self.unseen()[:number])
            return commands.DealCards(number, cards)
        if offered.do == "tell":
            allowed_cards = dict(offered.fields)["cards"]
            assert isinstance(allowed_cards, CardsOf)
            fields["cards"] = tuple(self.unseen()[: self.dice.randint(1, allowed_cards.most)])
        if offered.do == "set_aside" and self.virtual:
            fields["card"] = None
        if offered.do == "shuffle_deck" and self.dice.random() < 0.02 and fields.get("counted"):
            fields["counted"] = 51
        return COMMANDS[offered.do](**fields)  # type: ignore[index]

    def _value(self, name: str, allowed_: Any) -> Any:  # noqa: ANN401 - whatever an offer allows
        dice = self.dice
        match allowed_:
            case Stakes():
                steps = (min(allowed_.maximum, max(MOST, allowed_.minimum)) - allowed_.minimum) // allowed_.increment
                return allowed_.minimum + allowed_.increment * dice.choice((0, min(steps, 3), dice.randint(0, steps)))
            case Except():
                return self._text(name)
            case Range():
                return dice.choice((allowed_.least, allowed_.most, dice.randint(allowed_.least, allowed_.most)))
            case CardsOf():
                return self.unseen()[0]
            case tuple():
                chosen = dice.choice(allowed_)
                return self.unseen()[0] if isinstance(chosen, CardsOf) else chosen
        return allowed_

    def _text(self, name: str) -> Any:  # noqa: ANN401
        match name:
            case "gaming_day":
                return (self.table.gaming_day or date(2026, 1, 1)) + timedelta(days=self.dice.choice((0, 1)))
            case "person":
                return self.dice.choice(("automatic dealer", "automatic floorperson", "d2", "f2"))
            case "patron":
                return self.dice.choice(PLAYERS)
            case "deck":
                return self.dice.choice("ABCDE")
            case "back":
                return self.dice.choice(("red", "blue", "green"))
            case "entropy":
                return self.dice.randbytes(self.dice.randint(1, 8)).hex()
        return self.dice.choice(("A-1", "B-2"))

    def _holdings(self) -> commands.ReportHoldings:
        state = self.table.round
        assert state is not None
        plan = state.cards.plan
        seats = {seat: len(places) for seat, places in plan.own.items()}
        counts = {slot: len(plan.slots[slot]) or None for slot in ("community", "six_card_box", "dealer")}
        if self.dice.random() < 0.6:
            seat = self.dice.choice(list(seats))
            seats[seat] += self.dice.choice((-1, 1))
        return commands.ReportHoldings(seats, **counts)

    def _anything(self) -> Request:
        kind = self.dice.choice(list(COMMANDS.values()))
        values: dict[str, list[Any]] = {
            "post": ["dealer", "floorperson"], "person": ["d2", "f2", "", "Ann"], "reference": ["", "R-1"],
            "what": ["layout", "sign", "progressive_system", "cover_all_mode"], "approval": ["", "A-9"],
            "amount": [0, 1, 500, 1000, 2500, 10_000, 10**12], "gaming_day": [date(2026, 1, 1), date(2026, 2, 1)],
            "seat": [0, 1, 2, 3, 6, 7, -1], "patron": ["", "Ann", "Bo", "seat 1"], "brought": [True, False],
            "deck": ["A", "B", "Z", *(deck.id for deck in self.table.cards.decks)], "back": ["red", "blue", ""],
            "cover_cards": [0, 1, 2], "preinspected": [True, False], "preshuffled": [True, False],
            "defects": ["", "a torn card"], "turned_up": [True, False], "counted": [None, 51, 52],
            "commitment": ["", "00" * 32], "depth": [0, 9, 10, 26, 45, 52, -1], "hand": [None, "left", "right"],
            "face": ["up", "down"], "asked_by": ["", "Ann"], "cards": [0, 1, 40, 60, -1], "number": [0, 1, 2, 7, 60],
            "entropy": ["", "00", "xyz"], "seed": ["00" * 32, ""], "device": ["shuffler", "shoe"],
            "how": ["covered", "signed", "removed"], "shuffle": ["manual", "automated", "automated_counting"],
            "deal": ["manual_shoe", "hand", "automated_shoe"], "decks": [1, 2, 3], "light": [True, False],
            "wager": list(get_args(WagerName)), "instrument": ["value_chip", "verbal_cash"],
            "value": [0, 500], "act": list(get_args(Act)), "chips": [None, 0, 1, 2], "slot": list(get_args(Slot)),
            "choice": ["1x", "2x", "fold", "raise", "ride", "withdraw", "check"], "gesture": [None, "tuck", "wave"],
            "meter": ["main", "major"], "shown": [0, 100], "irregularity": list(get_args(Irregularity)),
            "rule": ["own_hand", "touching", "view", "singing"], "place": [0, 1, 5, 70],
            "community": [None, 2, 3], "six_card_box": [None, 4], "dealer": [None, 7], "card": [None, DECK[0]],
        }  # fmt: skip
        special: dict[tuple[str, str], list[Any]] = {
            ("deal", "cards"): [(), DECK[:2]], ("reveal", "cards"): [(), DECK[:1]],
            ("tell", "cards"): [DECK[:1], DECK[:3]],
            ("verify_award", "hand"): [True, False], ("leave", "how"): ["abandon", "play_on"],
            ("settle", "what"): ["hand", "envy", "last"], ("correct_card", "card"): list(DECK[:3]),
            ("report_holdings", "seats"): [{1: 2}, {}], ("reveal_seed", "deck"): [DECK], ("set_aside", "irregularity"):
            ["one_card_face_up", "card_drawn_seen"],
            ("propose_rules", "submission"): [self.raw, {}],
        }  # fmt: skip
        tag = str(kind.__struct_config__.tag)
        fields = {
            name: self.dice.choice(special.get((tag, name), values.get(name, [""]))) for name in kind.__struct_fields__
        }
        by = self.dice.choice(PEOPLE)
        if tag == "propose_rules" and self.dice.random() < 0.5:
            by = Person("operator", "o1")
            fields |= {"submission": random_submission_of(self.dice, self.rulebook), "approval": "A-9"}
        if tag == "confirm_rules":
            by = Person("operator", "o2")
        return Request(by, self.now, kind(**fields), self.dice.choice(("", "because")))

    def close_down(self) -> None:
        """The end of the evening, in order: the round, the players, the cards, the tray, the table."""
        staff = Person("floorperson", self.table.people.floor[0] if self.table.people.floor else "nobody")
        for _ in range(300):
            table, dealer = self.table, Person("dealer", self.table.people.dealer)
            state = table.round
            if table.status == "closed":
                return
            if state is not None:
                self._finish(state)
            elif present := [*(name for _, name in table.people.seats), *_with_chips(table)]:
                self.handle(Request(dealer, self.now, commands.StandUp(present[0])))
            elif table.cards.decks:
                self.handle(Request(dealer, self.now, commands.RemoveDeck(table.cards.decks[0].id)))
            elif table.tray.counted is None or table.tray.counted != balance(table.books, TRAY):
                tray = balance(table.books, TRAY)
                self.handle(Request(dealer, self.now, commands.CountInventory(tray)))
            elif not table.tray.verified:
                self.handle(
                    Request(staff, self.now, commands.VerifyInventory()), legal=table.tray.counted_by != staff.id
                )
            else:
                self.handle(Request(staff, self.now, commands.CloseTable()))
        raise AssertionError(f"the evening does not end: {self.table.round}")

    def _finish(self, state: Round) -> None:
        self.now += timedelta(minutes=1)
        floor = Person("floorperson", self.table.people.floor[0])
        asked = awaiting(state)
        if state.at.kind == "wagers" and self.staff_request() is None:
            dealer = Person("dealer", self.table.people.dealer)
            back = [one for one in allowed(self.table, dealer, self.now) if one.do in {"take_back", "take_back_coupon"}]
            self.handle(Request(dealer, self.now, self.sample(back[0])))
            return
        request = self.staff_request()
        if request is not None:
            self.handle(request)
        elif stub_open(self.table):
            right = 52 - state.cards.dealt - len(state.faces.aside)
            self.handle(Request(Person("dealer", self.table.people.dealer), self.now, commands.CountStub(right)))
        elif asked.kind == "decision":
            self.handle(Request(floor, self.now, DeclareUndecided(asked.seat)))
        elif asked.kind == "identity":
            cards = tuple(self.unseen()[:1])
            self.handle(
                Request(Person("dealer", self.table.people.dealer), self.now, IdentifyCards(asked.places[0], cards))
            )
        elif asked.kind == "meter":
            self.handle(Request(Person("device", "link"), self.now, ReadMeter(asked.meter, Cents(1_000_000))))
        else:
            raise AssertionError(f"nobody goes on: {asked}")

    # --- giving and checking

    def handle(self, request: Request, *, legal: bool = True) -> list[Entry]:
        before = self.table
        try:
            entries = super().handle(request)
        except RuleViolation as violation:
            self._check_refusal(request, violation, before, legal=legal)
            return []
        self.accepted[request.name] += 1
        for entry in entries:
            if entry.by != request.by:
                self.accepted[_command_of(entry)] += 1
        self._check(before)
        return entries

    def _check_refusal(self, request: Request, violation: RuleViolation, before: Table, *, legal: bool) -> None:
        assert not legal or violation.code == "tray_short", (request.name, request, str(violation), violation.code)
        assert violation.clause in {clause.id for clause in self.table.house.rulebook.clauses}
        assert violation.code
        assert str(violation)
        assert self.table is before
        self.refused[request.name] += 1

    def _check(self, before: Table) -> None:
        table = self.table
        held = dict(table.books)
        assert sum(held.values()) == 0
        for account, amount in table.books:
            assert amount >= 0 or account.kind in {"cage", "claims", "awards"}, (account, amount)
        state = table.round
        assert held.get(LAYOUT, 0) >= 0
        assert all(meter.units >= 0 for meter in table.progressive.meters)
        if state is None:
            assert held.get(LAYOUT, 0) == 0
            assert not table.progressive.awards
            assert all(deck.stage != "in_play" for deck in table.cards.decks)
        else:
            cards = [card for card in (*state.faces.known, *state.faces.aside) if card is not None]
            assert len(cards) == len(set(cards))
            assert state.cards.dealt + len(state.faces.aside) <= len(DECK)
            deck = deck_in_play(table)
            if state.cards.dealt:
                assert deck is not None
                assert deck.stage == "in_play"
            if is_dealt(state) and state.at.kind in {"reveal", "settle"} and state.proceedings.void == "nothing":
                was = before.round.at if before.round is not None else None
                stays = was is None or was is state.at or was.kind in {"deal", "decide", "settle"}
                assert not stub_open(table) or stays
            if before.round is None:
                assert before.status == "open"
                assert deck is not None
                assert deck.until is None or self.now < deck.until
        assert len(table.cards.decks) <= 2
        assert sum(deck.stage in {"loaded", "in_play"} for deck in table.cards.decks) <= 1
        assert sum(deck.stage == "used" for deck in table.cards.decks) <= 1 or len(table.cards.decks) == 2
        if table.status == "closed":
            assert state is None
            assert not table.people.seats

    def check_record(self) -> None:
        """The record alone makes the same table."""
        assert rebuild(self.first, self.entries) == self.table


def _with_chips(table: Table) -> list[str]:
    return [account.of for account, amount in table.books if account.kind == "chips" and amount]


def _command_of(entry: Entry) -> str:
    return {"seed_revealed/1": "reveal_seed"}.get(entry.name, "")


def random_tables(
    seed: int, rulebook: str, commands: int, each: int = 1000, folder: Path | None = None
) -> Iterator[RandomTable]:
    """Tables of chance, one after another, until so many commands were given; recorded in a folder, if one is named."""
    tally: Counter[str] = Counter()
    for number in range(max(1, commands // each)):
        host = FolderHost(folder / f"{rulebook} {number}") if folder is not None else None
        table = RandomTable(random.Random(f"{seed} {rulebook} {number}"), rulebook, tally=tally, host=host)
        for _ in range(each):
            table.step()
        table.close_down()
        table.check_record()
        tally += table.accepted
        yield table
