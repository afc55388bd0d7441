"""Which rules a hand of practice is played by, and where the hand is: all of it stands in the address of its page."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from croupier.analysis import BASE, main_table, tables_of
from croupier.cards import Card, parse_cards
from croupier.documents import felt_layout
from croupier.driver import PracticeHand
from croupier.errors import CroupierError, Malformed
from croupier.money import Cents, format_dollars, typed_dollars
from croupier.rulebook import (
    HouseRules,
    Stakes,
    WagerChoice,
    check,
    load_rulebook,
    read_submission_text,
    rulebook_ids,
    starting_submission,
)
from croupier.rulebook.schema import DocumentSource
from croupier.server import Desk, NotFound

__all__ = ["PracticePlace", "PracticeRules", "practice_rules", "rules_named", "stakes_offered"]

_AT_TABLE: Final = "table."
_SEED: Final = re.compile(r"[0-9a-z]{4,32}")
_CHIPS: Final = (1, 2, 5, 10)
"""The stakes that are offered, in minimum stakes."""
_MOST_CHOICES: Final = 6


class PracticeRules(Struct, frozen=True, kw_only=True):
    """Rules to practice by: a rulebook with one of its paytables, or a table of the house."""

    id: str
    """In addresses: `md-let-it-ride.B`, or `table.4`."""
    house: HouseRules
    table: str = ""

    @property
    def source(self) -> DocumentSource:
        """The document."""
        return self.house.rulebook.source

    @property
    def paytable(self) -> str:
        """The paytable of the main game."""
        return main_table(self.house).id

    @property
    def drills(self) -> str:
        """What the kinds of its decisions begin with: drills are shared by whatever pays alike."""
        return f"{self.source.id} {self.paytable}"

    @property
    def cloth(self) -> str:
        """The color of its cloth."""
        return felt_layout(self.house, None, tall=False).cloth


@lru_cache(maxsize=64)
def _of_rulebook(book_id: str, paytable: str) -> HouseRules:
    book = load_rulebook(book_id)
    submission = read_submission_text(starting_submission(book), name=book_id)
    if len(tables_of(book, BASE)) > 1:
        base = submission.wagers.get(BASE, WagerChoice())
        submission = replace(submission, wagers={**submission.wagers, BASE: replace(base, paytable=paytable)})
    return check(submission).rules()


def practice_rules(desk: Desk) -> tuple[list[PracticeRules], list[PracticeRules]]:
    """Everything that can be practiced: the documents with their paytables, and the tables of the house."""
    documents = [
        PracticeRules(id=f"{name}.{table.id}", house=_of_rulebook(name, table.id))
        for name in rulebook_ids()
        for table in tables_of(load_rulebook(name), BASE)
    ]
    tables = [
        PracticeRules(id=f"{_AT_TABLE}{watched.table.id}", house=watched.table.house, table=watched.table.id)
        for watched in desk.hall.tables()
    ]
    return sorted(documents, key=_order), tables


def _order(rules: PracticeRules) -> tuple[str, str, str]:
    return rules.source.title, rules.source.jurisdiction, rules.paytable


def rules_named(desk: Desk, name: str) -> PracticeRules:
    """The rules with this id; `NotFound` otherwise."""
    if name.startswith(_AT_TABLE):
        table = desk.table(name.removeprefix(_AT_TABLE)).table
        return PracticeRules(id=name, house=table.house, table=table.id)
    book, _, paytable = name.partition(".")
    if book not in rulebook_ids():
        raise NotFound("there are no such rules")
    tables = [table.id for table in tables_of(load_rulebook(book), BASE)]
    if paytable and paytable not in tables:
        raise NotFound("there is no such paytable")
    return PracticeRules(id=name, house=_of_rulebook(book, paytable or tables[0]))


def stakes_offered(house: HouseRules) -> list[Cents]:
    """A few stakes to choose from."""
    stakes = _stakes(house)
    offered = [Cents(times * stakes.minimum) for times in _CHIPS]
    return [stake for stake in offered if stakes.admits(stake)] or [stakes.minimum]


def _stakes(house: HouseRules) -> Stakes:
    return next(wager.stakes for wager in house.wagers if wager.stakes is not None and wager.paytables[0].group == BASE)


class PracticePlace(Struct, frozen=True, kw_only=True):
    """Where somebody is in their practice."""

    rules: PracticeRules
    seed: str
    stake: Cents
    before: bool = False
    """Whether the values are shown before deciding."""
    did: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    given: int = 0
    """How many of the decisions were made for them: a drill may begin in the middle of a hand."""

    @classmethod
    def read(cls, rules: PracticeRules, seed: str, query: dict[str, str]) -> PracticePlace:
        """The place that an address names."""
        if not _SEED.fullmatch(seed):
            raise NotFound("there is no such hand")
        did = tuple(query["did"].split(".")) if query.get("did") else ()
        text = query.get("cards", "")
        if len(did) > _MOST_CHOICES or len(text) > 14:
            raise Malformed("there is no such hand")
        cards = parse_cards(" ".join(text[place : place + 2] for place in range(0, len(text), 2))) if text else ()
        given = query.get("given", "0")
        return cls(
            rules=rules,
            seed=seed,
            stake=_stake(rules.house, query.get("stake", "")),
            before=query.get("values") == "before",
            did=did,
            cards=tuple(cards),
            given=min(int(given), len(did)) if given.isdecimal() and len(given) < 3 else 0,
        )

    @property
    def is_drill(self) -> bool:
        """Whether this hand was dealt again."""
        return bool(self.cards)

    @property
    def hand(self) -> PracticeHand:
        """The hand, as far as it is decided."""
        return self.until(len(self.did))

    def until(self, decisions: int) -> PracticeHand:
        """The hand after its first decisions."""
        return PracticeHand(
            house=self.rules.house,
            seed=self.seed,
            stake=self.stake,
            choices=self.did[:decisions],
            cards=self.cards,
        )

    @property
    def settings(self) -> dict[str, str]:
        """What the next hand keeps."""
        return {"stake": format_dollars(self.stake), "values": "before" if self.before else "after"}

    @property
    def query(self) -> dict[str, str]:
        """What the address says beside rules and seed."""
        said = dict(self.settings)
        if self.did:
            said["did"] = ".".join(self.did)
        if self.cards:
            said |= {"cards": "".join(map(str, self.cards)), "given": str(self.given)}
        return said

    @property
    def path(self) -> str:
        """The address of its page."""
        return f"/trainer/{self.rules.id}/{self.seed}?{urlencode(self.query)}"

    @property
    def next_path(self) -> str:
        """Another hand by the same rules."""
        return f"/trainer/{self.rules.id}?{urlencode(self.settings)}"

    def but(self, **changes: object) -> PracticePlace:
        """The place with these changes."""
        return replace(self, **changes)


def _stake(house: HouseRules, text: str) -> Cents:
    """A stake that the rules allow; anything else is the minimum."""
    stakes = _stakes(house)
    try:
        stake = typed_dollars(text)
    except CroupierError:
        return stakes.minimum
    return stake if stakes.admits(stake) else stakes.minimum
