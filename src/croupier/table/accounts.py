"""The accounts of a table, and what they hold. In each unit the postings always sum to zero."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, TypeAlias

from croupier.money import Cents

__all__ = [
    "AWARDS",
    "CAGE",
    "CLAIMS",
    "DROP",
    "HAND_PAID",
    "LAYOUT",
    "METER_AWARDED",
    "METER_FED",
    "METER_KINDS",
    "METER_SEEDED",
    "RESERVE",
    "TRAY",
    "Account",
    "Books",
    "Posting",
    "balance",
    "chips",
    "meter",
    "owed",
    "pending",
    "post",
]

Kind: TypeAlias = Literal[
    "tray", "layout", "chips", "owed", "claims", "pending", "awards", "cage", "drop", "hand_paid",
    "meter", "reserve", "meter_fed", "meter_awarded", "meter_seeded",
]  # fmt: skip
Unit: TypeAlias = Literal["cents", "meter"]
METER_KINDS: Final = {"meter", "reserve", "meter_fed", "meter_awarded", "meter_seeded"}


class Account(NamedTuple):
    """An account: its kind, and its owner where there are several, such as a patron or a meter."""

    kind: Kind
    of: str = ""
    link: str = ""
    """The link that a meter belongs to, if any."""

    @property
    def unit(self) -> Unit:
        """Cents, or 1/10,000 cent where meters are run."""
        return "meter" if self.kind in METER_KINDS else "cents"

    def __str__(self) -> str:
        words = self.kind.replace("_", " ")
        owner = f"{self.link}/{self.of}" if self.link else self.of
        return f"{words} {owner}" if owner else words


class Posting(NamedTuple):
    """What is added to an account, or taken from it."""

    account: Account
    amount: int


Books: TypeAlias = tuple[tuple[Account, int], ...]
"""What each account holds in cents, in order."""

TRAY: Final = Account("tray")
LAYOUT: Final = Account("layout")
CAGE: Final = Account("cage")
DROP: Final = Account("drop")
HAND_PAID: Final = Account("hand_paid")
CLAIMS: Final = Account("claims")
"""The other side of what players owe."""
AWARDS: Final = Account("awards")
"""The other side of awards that are pending: what meters have awarded and nobody has paid yet."""
RESERVE: Final = Account("reserve")
METER_FED: Final = Account("meter_fed")
"""The other side of what stakes add to meters and to the reserve."""
METER_AWARDED: Final = Account("meter_awarded")
METER_SEEDED: Final = Account("meter_seeded")
"""The other side of initial amounts and resets."""


def chips(patron: str) -> Account:
    """A player's chips at this table, not counting bets."""
    return Account("chips", patron)


def owed(patron: str) -> Account:
    """What a player owes: chips that were taken away and then reversed."""
    return Account("owed", patron)


def pending(patron: str) -> Account:
    """Awards of a player that are not paid yet."""
    return Account("pending", patron)


def meter(name: str, link: str = "") -> Account:
    """A meter of the table, or of a link of several."""
    return Account("meter", name, link)


def balance(books: Books, account: Account) -> Cents:
    """What an account holds.

    >>> balance(post((), [Posting(TRAY, 500), Posting(CAGE, -500)]), TRAY)
    500
    """
    for held_by, amount in books:
        if held_by == account:
            return Cents(amount)
    return Cents(0)


def post(books: Books, postings: Iterable[tuple[Account, int]]) -> Books:
    """The books after these postings in cents, which sum to zero."""
    held, total = dict(books), 0
    for account, amount in postings:
        total += amount
        held[account] = held.get(account, 0) + amount
    if total:
        raise ValueError(f"postings do not balance: {total}")
    return tuple(sorted([(account, amount) for account, amount in held.items() if amount or account == TRAY]))
