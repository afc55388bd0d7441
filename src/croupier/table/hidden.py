"""Cards that lie face down, as events hold them."""

from __future__ import annotations

from typing import NoReturn

from croupier.cards import Card
from croupier.errors import Unopened
from croupier.fairness import commit_card

__all__ = ["Hidden"]


class Hidden:
    """Cards that nobody may see yet: not printed, not copied into text, not stored in clear.

    A record holds a commitment to each; with its salt, a card that is shown later can be checked against it.
    Read back from a record, the cards stay closed until somebody with the key opens them.
    """

    __slots__ = ("_cards", "_commitments", "_salts")

    def __init__(self, cards: tuple[Card, ...], salts: tuple[bytes, ...] = ()) -> None:
        if salts and len(salts) != len(cards):
            raise ValueError("each card needs a salt")
        self._cards: tuple[Card, ...] | None = cards
        self._salts = salts
        self._commitments: tuple[bytes, ...] = ()

    @classmethod
    def closed(cls, commitments: tuple[bytes, ...]) -> Hidden:
        """Cards as a record stores them, for readers without the key."""
        hidden = cls(())
        hidden._cards, hidden._commitments = None, commitments
        return hidden

    @property
    def is_open(self) -> bool:
        """Whether the cards are known here."""
        return self._cards is not None

    def open(self) -> tuple[Card, ...]:
        """The cards, for the table itself."""
        if self._cards is None:
            raise Unopened("these cards are face down in the record, and the key that opens them is missing")
        return self._cards

    @property
    def salts(self) -> tuple[bytes, ...]:
        """The salts that open the commitments; empty where nothing is recorded."""
        return self._salts

    @property
    def commitments(self) -> tuple[bytes, ...]:
        """What a record holds in place of the cards."""
        if self._cards is None:
            return self._commitments
        if len(self._salts) != len(self._cards):
            raise ValueError("hidden cards without salts cannot be recorded")
        if not self._commitments:
            self._commitments = tuple(map(commit_card, self._salts, self._cards))
        return self._commitments

    @property
    def is_bound(self) -> bool:
        """Whether there is a commitment to each card."""
        return self._cards is None or len(self._salts) == len(self._cards)

    def __len__(self) -> int:
        return len(self._commitments if self._cards is None else self._cards)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hidden):
            return False
        if self._cards is None or other._cards is None:
            return self.is_bound and other.is_bound and self.commitments == other.commitments
        return (other._cards, other._salts) == (self._cards, self._salts)

    def __hash__(self) -> int:
        return hash(len(self))

    def __repr__(self) -> str:
        return f"<{len(self)} hidden>"

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise TypeError("hidden cards cannot be copied or stored")

    def __getstate__(self) -> NoReturn:
        raise TypeError("hidden cards cannot be copied or stored")
