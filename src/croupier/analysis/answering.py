"""Questions about play, one per line, and their answers: exact play for a program that must not wait for it.

`python -m croupier.analysis.answering` reads questions from standard input and answers each on a line. It keeps what it
has worked out, so that only the first question about a game takes seconds. What cannot be answered is `null`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from croupier.analysis.cache import cached_prices
from croupier.analysis.cases import BASE, STAKES, Case, tables_of
from croupier.cards import parse_cards
from croupier.errors import CroupierError, Malformed
from croupier.rulebook import Rulebook, load_rulebook
from croupier.rulebook.schema import Paytable

__all__ = [
    "CoachAsked",
    "MeanAsked",
    "PlayQuestion",
    "StrategiesAsked",
    "answers",
    "decode_answer",
    "encode_question",
]


class _Asked(Struct, frozen=True, kw_only=True, tag_field="ask", omit_defaults=True):
    """A question about the main game of a rulebook with one of its paytables."""

    rulebook: str
    paytable: str
    edition: str | None = None


class CoachAsked(_Asked, frozen=True, kw_only=True, tag="coach"):
    """What is every action worth? The answer is a `CoachedDecision`."""

    cards: str
    community: str = ""
    bets: tuple[str, ...] = ()


class MeanAsked(_Asked, frozen=True, kw_only=True, tag="mean"):
    """What does one ante, or one bet, bring on average under best play? The answer is a fraction."""


class StrategiesAsked(_Asked, frozen=True, kw_only=True, tag="strategies"):
    """Which strategies are there, and what does each cost? The answer is a list of `Listed`."""


PlayQuestion: TypeAlias = CoachAsked | MeanAsked | StrategiesAsked
_read: Final = msgspec.json.Decoder(PlayQuestion)


def encode_question(question: PlayQuestion) -> bytes:
    """A question as a line."""
    return msgspec.json.encode(question)


def decode_answer(line: bytes, kind: Any) -> Any:  # noqa: ANN401 - whatever was asked for
    """An answer of the kind that was asked for, or None."""
    return msgspec.json.decode(line, type=kind | None, dec_hook=_from_plain)


def answers(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The answer to each question.

    >>> list(answers([encode_question(MeanAsked(rulebook="md-let-it-ride", paytable="Z"))]))
    [b'null']
    """
    for line in lines:
        try:
            answer = _answer(_read.decode(line))
        except (CroupierError, msgspec.DecodeError):
            answer = None
        yield msgspec.json.encode(answer, enc_hook=_to_plain)


def _answer(question: PlayQuestion) -> Any:  # noqa: ANN401 - one kind for each question
    from croupier.analysis import coaching  # noqa: PLC0415 - loads the compiled code

    book = load_rulebook(question.rulebook, edition=question.edition)
    table = _table(book, question.paytable)
    match question:
        case CoachAsked():
            cards, community = (parse_cards(text) if text else () for text in (question.cards, question.community))
            return coaching.coach(book, cards, community=community, bets=question.bets, paytable=table.id)
        case MeanAsked():
            case = Case(book=book, wager=BASE, table=table, main=table, stake=STAKES[0])
            return cached_prices(case)[0].outcomes.mean
        case StrategiesAsked():
            return coaching.strategy_card(book, table.id)


def _table(book: Rulebook, name: str) -> Paytable:
    table = next((table for table in tables_of(book, BASE) if table.id == name), None)
    if table is None:
        raise Malformed(f"{book.id} has no base paytable {name[:20]!r}")
    return table


def _to_plain(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be written")


def _from_plain(kind: type, value: Any) -> Any:  # noqa: ANN401 - msgspec's hook
    if kind is Fraction and isinstance(value, str):
        return Fraction(value)
    raise TypeError(f"{value!r} is not a {kind.__name__}")


if __name__ == "__main__":
    for answer in answers(sys.stdin.buffer):
        sys.stdout.buffer.write(answer + b"\n")
        sys.stdout.buffer.flush()
