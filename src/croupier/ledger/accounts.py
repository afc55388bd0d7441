"""The accounts of a house by name: every table's own, the cage, the patrons' accounts there, and the meters of links.

An account has a unit and, unless it is the other side of something, a floor: it cannot fall below it, whoever asks.

>>> from croupier.table.accounts import TRAY
>>> account_of("table/7", TRAY)
LedgerAccount(name='table/7/tray', unit='cents', floor=0)
>>> account_of("table/7", CAGE)
LedgerAccount(name='cage', unit='cents', floor=None)
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple, get_args

from croupier.errors import BrokenRecord
from croupier.table.accounts import CAGE, Account, Kind, Unit
from croupier.wire import clip

__all__ = ["CAGE_ACCOUNT", "LedgerAccount", "account_named", "account_of", "patron_account"]

_KINDS: Final[dict[str, Kind]] = {kind: kind for kind in get_args(Kind)}

_OTHER_SIDES: Final[frozenset[Kind]] = frozenset(
    {"cage", "claims", "awards", "meter_fed", "meter_awarded", "meter_seeded"}
)
"""Accounts that are the other side of something: they may hold less than nothing."""


class LedgerAccount(NamedTuple):
    """An account of the house."""

    name: str
    unit: Unit
    floor: int | None = 0


CAGE_ACCOUNT: Final = LedgerAccount("cage", "cents", None)
"""The other side of everything that leaves the cage: chips, deposits, hand pays."""


@lru_cache(10_000)
def account_of(stream: str, account: Account) -> LedgerAccount:
    """The account of the house behind an account of a table. All tables share the cage and the meters of a link."""
    if account == CAGE:
        return CAGE_ACCOUNT
    owner = f"link/{account.link}" if account.link else stream
    name = f"{owner}/{account.kind}/{account.of}" if account.of else f"{owner}/{account.kind}"
    return LedgerAccount(name, account.unit, None if account.kind in _OTHER_SIDES else 0)


def patron_account(patron: str) -> LedgerAccount:
    """A patron's account at the cage.

    >>> patron_account("ann").name
    'patron/ann'
    """
    return LedgerAccount(f"patron/{patron}", "cents")


def account_named(name: str) -> Account:
    """The account of a table behind an account of the house: what `account_of` was given.

    >>> account_named("table/7/chips/ann"), account_named("link/harbor/meter/main")
    (Account(kind='chips', of='ann', link=''), Account(kind='meter', of='main', link='harbor'))
    """
    if name == CAGE_ACCOUNT.name:
        return CAGE
    try:
        _, owner, kind, *of = name.split("/")  # no id has a slash
        return Account(_KINDS[kind], "".join(of), owner if name.startswith("link/") else "")
    except (ValueError, KeyError):
        raise BrokenRecord(f"{clip(name)} is not an account of a table") from None
