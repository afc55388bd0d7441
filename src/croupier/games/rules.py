"""House rules as a round looks at them: everything that a move asks for, put in order once for each house."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from croupier.games.dealing import DealPlan, deal_plan, deal_script
from croupier.money import Breakage, Share, parse_pay
from croupier.rulebook import HouseRules, HouseWager
from croupier.rulebook.names import CardsJudged, Evaluator, WagerName
from croupier.rulebook.schema import Announce, BeforeDeal, Choice, DealScript, RevealRow, Wager

__all__ = ["ALWAYS_DUE", "Memo", "Memory", "Rules", "Stage", "lay_out_rules", "plan_of", "rules_of"]

StageKind: TypeAlias = Literal["wagers", "act", "deal", "decide", "announce", "reveal", "settle", "close", "closed"]
ALWAYS_DUE: Final = {"announce", "lock_progressive"}
"""Acts before the deal that are due in every round; the others are left out when nobody staked on their wager (176)."""


class Stage(Struct, frozen=True, gc=False):
    """One step of a round; which of them a round has is the document's."""

    index: int
    kind: StageKind
    shown: int = 0
    """How many cards of a reveal's slot earlier stages have turned up."""
    act: BeforeDeal | None = None
    choice: Choice | None = None
    announce: Announce | None = None
    reveal: RevealRow | None = None


Value = TypeVar("Value")


class Memory(Generic[Value]):
    """What was worked out before, by all that it was worked out from; a full one forgets everything."""

    __slots__ = ("_most", "_values", "get")

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[Hashable, Value] = {}
        self.get = self._values.get

    def keep(self, key: Hashable, value: Value) -> Value:
        """Remember a value, and give it back."""
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
    """What the rounds of one house remember. It makes them faster and changes no answer: see docs/performance.md.

    No key holds a patron's name, and a house remembers less than 5 MB.
    """

    __slots__ = ("hands", "judgements", "moves", "plans", "verdicts")

    def __init__(self, *, share: float = 1) -> None:
        self.moves: Memory[Any] = Memory(int(2_000 * share))
        """Moves that look at no card, by position."""
        self.hands: Memory[Any] = Memory(int(2_000 * share))
        """Settled hands, by stakes and what the cards make."""
        self.verdicts: Memory[Any] = Memory(int(2_000 * share))
        """What a paytable says about a hand."""
        self.judgements: Memory[tuple[tuple[Evaluator, CardsJudged], ...]] = Memory(int(1_000 * share))
        """What the wagers of a box look at, by what is staked, where paytables alone settle them."""
        self.plans: Memory[DealPlan] = Memory(int(256 * share))
        """Orders of dealing, by seats and wagers."""


class Rules(Struct, frozen=True, eq=False):
    """A house's rules, laid out for its rounds."""

    house: HouseRules
    stages: tuple[Stage, ...]
    wagers: Mapping[WagerName, Wager]
    offered: Mapping[WagerName, HouseWager]
    main: Wager
    order: tuple[WagerName, ...]
    """The wagers of one hand in settlement order."""
    last: tuple[WagerName, ...]
    """Wagers that are settled when every hand is."""
    metered: Wager | None
    """The wager that a device accepts and that feeds the meters, if it is offered."""
    raised: bool
    """Whether the hand limits a wager of this game."""
    limited: frozenset[WagerName]
    """The wagers under the payout limit."""
    script: DealScript
    """The order of dealing of its device."""
    plain: Mapping[WagerName, tuple[Evaluator, CardsJudged]]
    """Wagers that one paytable settles without a meter, and what it looks at: the same hand pays the same, always."""
    judged: Mapping[WagerName, CardsJudged]
    """Which cards decide each wager."""
    breakage: Breakage
    envied: bool
    """Whether a progressive bet brings envy."""
    memo: Memo

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Rules) and self.house.hash == other.house.hash)

    def __hash__(self) -> int:
        return hash(self.house.hash)


@lru_cache(maxsize=256)
def rules_of(house: HouseRules) -> Rules:
    """The rules of a house, laid out once."""
    return lay_out_rules(house, Memo())


def plan_of(rules: Rules, seats: tuple[int, ...], staked: Collection[WagerName]) -> DealPlan:
    """Where each card goes in a round with these seats, in which somebody staked on these wagers of the box."""
    key = (seats, frozenset(staked))
    return rules.memo.plans.get(key) or rules.memo.plans.keep(key, deal_plan(rules.house, seats=seats, staked=staked))


def lay_out_rules(house: HouseRules, memo: Memo) -> Rules:
    """The rules of a house, laid out; `Memo(share=0)` remembers nothing."""
    book = house.rulebook
    wagers = {wager.name: wager for wager in book.wagers.wager}
    offered = {wager.name: wager for wager in house.wagers}
    settlement = book.play.settlement
    return Rules(
        house=house,
        stages=tuple(_stages(house)),
        wagers=wagers,
        offered=offered,
        main=next(wager for wager in wagers.values() if wager.limits_key),
        order=tuple(name for name in settlement.order if name in offered),
        last=tuple(name for name in settlement.last if name != "envy" and name in offered),
        metered=next((wager for wager in wagers.values() if wager.registered and wager.name in offered), None),
        raised=bool(book.play.raise_limit),
        limited=_limited(house),
        script=deal_script(house),
        plain={name: found for name, wager in wagers.items() if (found := _plainly(wager, offered.get(name)))},
        judged={
            name: offered[name].paytables[0].cards or wager.cards for name, wager in wagers.items() if name in offered
        },
        breakage=house.options.payout_breakage,
        envied=any(wager.envy is not None for wager in house.wagers) and book.play.envy is not None,
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


def _plainly(wager: Wager, offered: HouseWager | None) -> tuple[Evaluator, CardsJudged] | None:
    if offered is None or len(offered.paytables) > 1 or wager.evaluator == "against_dealer":
        return None
    table = offered.paytables[0]
    if any(isinstance(parse_pay(line.pays), Share) for line in table.line):
        return None
    return table.evaluator or wager.evaluator, table.cards or wager.cards


def offered_names(house: HouseRules) -> list[WagerName]:
    """The wagers of this house, in the rulebook's order."""
    return [wager.name for wager in house.wagers]


def _stages(house: HouseRules) -> list[Stage]:
    dealing, play = house.rulebook.dealing, house.rulebook.play
    acts = [act for act in dealing.before_deal if act.deal == house.deal]
    stages: list[dict[str, Any]] = [{"kind": "wagers"}]
    stages += [
        {"kind": "act", "act": act} for act in acts if act.offered is None or house.wager(act.offered) is not None
    ]
    stages.append({"kind": "deal"})
    said = {f"{ordinal}_reveal": place for place, ordinal in enumerate(("first", "second", "third"))}
    before = {said[one.before]: one for one in dealing.announcement if one.before != "deal"}
    revealed = 0
    for choice in play.choice:
        stages.append({"kind": "decide", "choice": choice})
        for reveal in play.reveal:
            if reveal.after == choice.decision and (reveal.offered is None or house.wager(reveal.offered) is not None):
                if revealed in before:
                    stages.append({"kind": "announce", "announce": before[revealed]})
                shown = sum(
                    one["reveal"].number for one in stages if "reveal" in one and one["reveal"].slot == reveal.slot
                )
                stages.append({"kind": "reveal", "reveal": reveal, "shown": shown})
                revealed += 1
    stages += [{"kind": "settle"}, {"kind": "close"}, {"kind": "closed"}]
    return [Stage(index=index, **stage) for index, stage in enumerate(stages)]
