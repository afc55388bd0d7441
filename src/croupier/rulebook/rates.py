"""The rate of a meter: the share of each stake that it takes, exactly as written."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from croupier.errors import Malformed
from croupier.money import MILLION
from croupier.wire import clip

__all__ = ["ExactRate", "read_rate"]

_SHARE: Final = re.compile(r"(0|[1-9][0-9]{0,8})(?:\.([0-9]{1,100}))?")
_PERCENT: Final = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,98}))? ?%")


class ExactRate(Struct, frozen=True):
    """A share of each stake in whole `millionths`; `finer` if the text has more decimals."""

    text: str
    millionths: int
    finer: bool


def read_rate(value: object) -> ExactRate:
    """A share of the stake, as a decimal or a percentage; a float is refused, since it is rarely exact.

    >>> read_rate("0.12").millionths, read_rate("12%").text, read_rate("0.5%").text
    (120000, '0.12', '0.005')
    """
    share = _SHARE.fullmatch(_as_share(value)) if isinstance(value, str) else None
    if share is None:
        hint = "write a share of the stake as a string, such as '0.12' or '12%'"
        raise Malformed(f"{clip(repr(value))} is not a rate: {hint}")
    decimals = (share[2] or "").rstrip("0")
    millionths = int(share[1]) * MILLION + int(decimals[:6].ljust(6, "0"))
    return ExactRate(share[0], millionths, len(decimals) > 6)


def _as_share(text: str) -> str:
    """A percentage as a share, digit by digit; anything else as it was."""
    percent = _PERCENT.fullmatch(text)
    if percent is None:
        return text
    whole = percent[1].zfill(3)
    return f"{int(whole[:-2])}.{whole[-2:]}{percent[2] or ''}"
