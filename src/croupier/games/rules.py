"""House rules as a round uses them: everything a move looks up, prepared once per house."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from croupier.games.dealing import DealPlan, deal_plan, deal_script
from croupier.money import Breakage, Share, parse_pay
from croupier.rulebook import HouseRules, HouseWager
from croupier.rulebook.names import CardsJudged, Evaluator, WagerName
from croupier.rulebook.schema import Announce, BeforeDeal, Choice, Conduct, DealScript, Irregularity, RevealRow, Wager

__all__ = [
    "ALWAYS_DUE",
    "Memo",
    "Memory",
    "Rules",
    "SettlementPart",
    "Stage",
    "StageKind",
    "lay_out_rules",
    "plan_of",
    "rules_of",
]

SettlementPart: TypeAlias = Literal["hand", "envy", "last"]
"""Settlement goes in parts: each hand from the dealer's right, then all envy, then the wagers that come last."""
StageKind: TypeAlias = Literal["wagers", "act", "deal", "decide", "announce", "reveal", "settle", "close", "closed"]
ALWAYS_DUE: Final = {"announce", "lock_progressive"}
"""Acts before the deal that are due in every round; the others are skipped when nobody bet their wager (176)."""


class Stage(Struct, frozen=True, gc=False):
    """One step of a round; the document decides which steps a round has."""

    index: int
    kind: StageKind
    shown: int = 0
    """How many cards of the reveal's slot earlier stages have turned up."""
    act: BeforeDeal | None = None
    choice: Choice | None = None
    announce: Announce | None = None
    reveal: RevealRow | None = None
    settles: SettlementPart | None = None


Value = TypeVar("Value")


class Memory(Generic[Value]):
    """A cache of results, keyed by everything they depend on; it is cleared when full."""

    __slots__ = ("_most", "_values", "get")

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[Hashable, Value] = {}
        self.get = self._values.get

    def keep(self, key: Hashable, value: Value) -> Value:
        """Store a value and return it."""
        if len(self._values) >= self._most:
            self._values.clear()
        if self._most:
            self._values[key] = value
        return value

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._values)


class Memo:
    """The caches shared by the rounds of one house: faster, never a different result (docs/performance.md).

    No key contains a patron's name, and the caches of a house stay under 5 MB.
    """

    __slots__ = ("hands", "judgments", "moves", "plans", "reported", "verdicts", "wagers")

    def __init__(self, *, share: float = 1) -> None:
        self.moves: Memory[Any] = Memory(int(2_000 * share))
        """Moves that depend on no card, by position."""
        self.hands: Memory[Any] = Memory(int(2_000 * share))
        """Settled hands, by stakes and by what the cards make."""
        self.verdicts: Memory[Any] = Memory(int(2_000 * share))
        """What a paytable says about a hand."""
        self.judgments: Memory[tuple[tuple[Evaluator, CardsJudged], ...]] = Memory(int(1_000 * share))
        """The evaluators and cards that the wagers of a box need, by its stakes, where paytables alone settle them."""
        self.plans: Memory[DealPlan] = Memory(int(256 * share))
        """Orders of dealing, by seats and wagers."""
        self.reported: Memory[Any] = Memory(int(2_000 * share))
        """Of reported boxes: bets by wagers, decisions and raise limit; what fits no limit; the cards that decide."""
        self.wagers: Memory[Any] = Memory(int(4_000 * share))
        """Settled wagers of a reported box, by stake and by what the cards make."""


class Rules(Struct, frozen=True, eq=False):
    """The rules of a house, prepared for its rounds."""

    house: HouseRules
    stages: tuple[Stage, ...]
    wagers: Mapping[WagerName, Wager]
    offered: Mapping[WagerName, HouseWager]
    main: Wager
    instruments: tuple[str, ...]
    """What wagers are made with; coupons are placed on their own."""
    order: tuple[WagerName, ...]
    """The wagers of one hand in settlement order."""
    last: tuple[WagerName, ...]
    """Wagers that are settled after every hand."""
    metered: Wager | None
    """The wager that the device registers and that feeds the meters, if it is offered."""
    own_cards: int
    """How many cards a player is dealt."""
    raised: bool
    """Whether this game has a raise that the hand limits."""
    limited: frozenset[WagerName]
    """The wagers under the payout limit."""
    script: DealScript
    """The dealing order of its shuffler or shoe."""
    paytable_only: Mapping[WagerName, tuple[Evaluator, CardsJudged]]
    """Wagers that one paytable settles without a meter, with evaluator and cards: equal hands always pay the same."""
    judged: Mapping[WagerName, CardsJudged]
    """Which cards decide each wager."""
    irregularities: Mapping[str, Irregularity]
    """The document's rows that can happen with this house's way of dealing, by name."""
    conduct: Mapping[str, Conduct]
    """The rules of conduct, by name."""
    decisions: tuple[int, ...]
    """The stages at which players decide."""
    breakage: Breakage
    envied: bool
    """Whether a progressive bet wins envy."""
    memo: Memo

    def wager(self, name: str) -> Wager | None:
        """The wager of this name in the rulebook, if there is one."""
        wagers: Mapping[Any, Wager] = self.wagers
        return wagers.get(name)

    def settling(self, part: SettlementPart) -> Stage:
        """The stage at which this part of settlement happens."""
        return next(stage for stage in self.stages if stage.settles == part)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Rules) and self.house.hash == other.house.hash)

    def __hash__(self) -> int:
        return hash(self.house.hash)


@lru_cache(maxsize=256)
def rules_of(house: HouseRules) -> Rules:
    """The rules of a house, prepared once."""
    return lay_out_rules(house, Memo())


def plan_of(rules: Rules, seats: tuple[int, ...], staked: Collection[WagerName]) -> DealPlan:
    """Where each card goes in a round with these seats, in which somebody bet these wagers on the six-card box."""
    key = (seats, frozenset(staked))
    return rules.memo.plans.get(key) or rules.memo.plans.keep(key, deal_plan(rules.house, seats=seats, staked=staked))


def lay_out_rules(house: HouseRules, memo: Memo) -> Rules:
    """The rules of a house, prepared; `Memo(share=0)` caches nothing."""
    book = house.rulebook
    wagers = {wager.name: wager for wager in book.wagers.wager}
    offered = {wager.name: wager for wager in house.wagers}
    settlement = book.play.settlement
    last = tuple(name for name in settlement.last if name != "envy" and name in offered)
    envied = any(wager.envy is not None for wager in house.wagers) and book.play.envy is not None
    stages = tuple(_stages(house, envied=envied, last=bool(last)))
    return Rules(
        house=house,
        stages=stages,
        wagers=wagers,
        offered=offered,
        main=next(wager for wager in wagers.values() if wager.limits_key),
        instruments=tuple(name for name in book.wagers.instruments.accepted if name != "match_play_coupon"),
        order=tuple(name for name in settlement.order if name in offered),
        last=last,
        metered=next((wager for wager in wagers.values() if wager.registered and wager.name in offered), None),
        own_cards=len(deal_plan(house, seats=(1,), staked=()).own[1]),
        raised=bool(book.play.raise_limit),
        limited=_limited(house),
        script=deal_script(house),
        paytable_only={
            name: judged
            for name, wager in wagers.items()
            if (judged := _paytable_alone(wager, offered.get(name))) is not None
        },
        judged={
            name: offered[name].paytables[0].cards or wager.cards for name, wager in wagers.items() if name in offered
        },
        irregularities={
            row.event: row for row in book.irregularities.irregularity if not row.deal or house.deal in row.deal
        },
        conduct={rule.rule: rule for rule in book.play.conduct},
        decisions=tuple(stage.index for stage in stages if stage.kind == "decide"),
        breakage=house.options.payout_breakage,
        envied=envied,
        memo=memo,
    )


def _limited(house: HouseRules) -> frozenset[WagerName]:
    """Which wagers the payout limit of a hand covers (readings 6, 12, 191)."""
    rule = house.rulebook.play.payout_limit
    if house.payout_limit is None:
        return frozenset()
    named = {*rule.wagers, *house.options.cap_extra_scopes}
    limited = {name for name in offered_names(house) if name in named}
    if house.options.cap_scope == "all_non_progressive":
        limited |= {wager.name for wager in house.wagers if not wager.meters}
    return frozenset(limited)


def _paytable_alone(wager: Wager, offered: HouseWager | None) -> tuple[Evaluator, CardsJudged] | None:
    if offered is None or len(offered.paytables) > 1 or wager.evaluator == "against_dealer":
        return None
    table = offered.paytables[0]
    if any(isinstance(parse_pay(line.pays), Share) for line in table.line):
        return None
    return table.evaluator or wager.evaluator, table.cards or wager.cards


def offered_names(house: HouseRules) -> list[WagerName]:
    """The wagers of this house, in the rulebook's order."""
    return [wager.name for wager in house.wagers]


def _stages(house: HouseRules, *, envied: bool, last: bool) -> list[Stage]:
    dealing, play = house.rulebook.dealing, house.rulebook.play
    acts = [act for act in dealing.before_deal if act.deal == house.deal]
    stages: list[dict[str, Any]] = [{"kind": "wagers"}]
    stages += [
        {"kind": "act", "act": act} for act in acts if act.offered is None or house.wager(act.offered) is not None
    ]
    stages.append({"kind": "deal"})
    reveals = {f"{ordinal}_reveal": number for number, ordinal in enumerate(("first", "second", "third"))}
    announced = {reveals[row.before]: row for row in dealing.announcement if row.before != "deal"}
    revealed = 0
    for choice in play.choice:
        stages.append({"kind": "decide", "choice": choice})
        for reveal in play.reveal:
            if reveal.after == choice.decision and (reveal.offered is None or house.wager(reveal.offered) is not None):
                if revealed in announced:
                    stages.append({"kind": "announce", "announce": announced[revealed]})
                shown = sum(
                    stage["reveal"].number
                    for stage in stages
                    if "reveal" in stage and stage["reveal"].slot == reveal.slot
                )
                stages.append({"kind": "reveal", "reveal": reveal, "shown": shown})
                revealed += 1
    parts = {"hand": True, "envy": envied, "last": last}
    stages += [{"kind": "settle", "settles": part} for part, is_due in parts.items() if is_due]
    stages += [{"kind": "close"}, {"kind": "closed"}]
    return [Stage(index=index, **stage) for index, stage in enumerate(stages)]
