"""Exact prices and papers for another process, asked for by lines of text.

`python -m croupier.documents.workshop` prices: it reads cases, one per line, and answers each. With `paper` it prints
one paper. A server has a process like this beside it: compiled code and typesetting would hold up everybody else.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Any, Final

import msgspec
from msgspec import Struct

from croupier.analysis import Price, cached_prices
from croupier.documents.paytable_cases import CaseAsked
from croupier.errors import CroupierError, Malformed
from croupier.rulebook import PapersTerms, check, read_submission_text

__all__ = ["PAPER_REFUSED", "PaperAsked", "price_here", "print_here", "read_price", "write_price"]

PAPER_REFUSED: Final = 3
"""How the process ends that says why it cannot print a paper; whatever else went wrong is not for readers."""


class PaperAsked(Struct, frozen=True, kw_only=True):
    """A paper of a submission, by the name of its file."""

    submission: str
    paper: str
    version: str = ""
    before: str | None = None
    """The approved submission that this one would replace."""


def price_here(asked: CaseAsked) -> Price | None:
    """The price of a case; None for one that has none."""
    try:
        return cached_prices(asked.case())[0]
    except CroupierError:
        return None


def print_here(asked: PaperAsked) -> bytes:
    """The bytes of a paper."""
    from croupier.documents import Order, Particulars, every_paper, print_paper

    submission = read_submission_text(asked.submission, name="submission")
    printed = next((paper for paper in every_paper() if paper.name == asked.paper), None)
    if printed is None:
        raise Malformed(f"{asked.paper} is not a paper")
    terms = submission.papers or PapersTerms()
    before = None if asked.before is None else read_submission_text(asked.before, name="before")
    order = Order(
        submission=submission,
        house=check(submission).rules(),
        particulars=Particulars(
            version=terms.version or asked.version,
            date=date.fromisoformat(terms.date) if terms.date else None,
            help_line=terms.help_line,
            address=terms.address,
        ),
        before=None if before is None else (before, check(before).rules()),
    )
    return print_paper(order, printed)


def write_price(price: Price | None) -> bytes:
    """A price as one line."""
    return msgspec.json.encode(price, enc_hook=_to_plain)


def read_price(line: bytes) -> Price | None:
    """A price from its line."""
    price: Price | None = msgspec.json.decode(line, type=Price | None, dec_hook=_from_plain)
    return price


def _to_plain(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be sent")


def _from_plain(kind: type, value: Any) -> Any:  # noqa: ANN401 - msgspec's hook
    if kind is Fraction and isinstance(value, str):
        return Fraction(value)
    raise TypeError(f"{value!r} is not a {kind.__name__}")


def _main(words: Sequence[str]) -> int:
    if list(words) == ["paper"]:
        asked = msgspec.json.decode(sys.stdin.buffer.read(), type=PaperAsked)
        try:
            sys.stdout.buffer.write(base64.b64encode(print_here(asked)))
        except CroupierError as error:
            print(error, file=sys.stderr)
            return PAPER_REFUSED
        return 0
    for line in sys.stdin.buffer:
        price = price_here(msgspec.json.decode(line, type=CaseAsked))
        sys.stdout.buffer.write(write_price(price) + b"\n")
        sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
