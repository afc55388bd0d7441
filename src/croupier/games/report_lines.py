"""Reported rounds by the thousand: lines of JSON whose submission is known, read straight into their types.

Whatever is unusual about a line is left to `read_report`, which says what cannot be read.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from croupier.cards import named_cards
from croupier.errors import CardError, Malformed, MoneyError
from croupier.games.round_report import HIGHEST_SEAT, RoundReport, SeatReport, read_amounts
from croupier.money import Cents, parse_dollars
from croupier.rulebook import Submission
from croupier.wire import decode_json

__all__ = ["LineReader"]

_NOTHING: Final = Raw(b"")


class _SeatLine(Struct, forbid_unknown_fields=True, gc=False):
    seat: int
    wagers: Raw
    decisions: tuple[str, ...]
    cards: str | UnsetType = UNSET
    patron: str | UnsetType = UNSET
    match_play: str | UnsetType = UNSET


class _RoundLine(Struct, forbid_unknown_fields=True, gc=False):
    seats: tuple[_SeatLine, ...]
    submission: Raw = _NOTHING
    meters: dict[str, str] | UnsetType = UNSET
    community: str | UnsetType = UNSET
    six_card_box: str | UnsetType = UNSET
    dealer: str | UnsetType = UNSET


_LINE: Final = msgspec.json.Decoder(_RoundLine)


class LineReader:
    """Reads lines of one house. `text` is its submission as they write it, empty where they have none.

    >>> from croupier.rulebook import read_submission
    >>> reader = LineReader(b'"md-let-it-ride"', read_submission({"rulebook": "md-let-it-ride"}))
    >>> line = b'{"submission": "md-let-it-ride", "seats": [{"seat": 1, "wagers": {}, "decisions": []}]}'
    >>> reader.read(line).seats[0].seat
    1
    >>> reader.read(line.replace(b'"wagers"', b'"wages"'))
    """

    def __init__(self, text: bytes, submission: Submission) -> None:
        self._text, self._submission = Raw(text), submission
        self._quotes = text.count(b'"') + (2 if text else 0)

    def read(self, line: bytes) -> RoundReport | None:
        """The round in a line, or None where it has another submission or anything unusual."""
        try:
            written = _LINE.decode(line)
            return self._report(written, line) if written.submission == self._text else None
        except (msgspec.MsgspecError, Malformed, MoneyError, CardError, UnicodeDecodeError, RecursionError):
            return None

    def _report(self, written: _RoundLine, line: bytes) -> RoundReport | None:
        # Of two equal keys msgspec keeps the last, and the thorough reader refuses both. What was dropped was quoted,
        # so a line that has no more quotes than what was read has no key twice.
        quotes, seats = self._quotes + 2, []
        for seat in written.seats:
            wagers, quoted = _wagers(bytes(seat.wagers))
            quotes += quoted + 2 * (3 + len(seat.decisions))
            quotes += 4 * ((seat.cards is not UNSET) + (seat.patron is not UNSET) + (seat.match_play is not UNSET))
            if abs(seat.seat) > HIGHEST_SEAT:
                return None
            seats.append(
                SeatReport(
                    seat=seat.seat,
                    patron=f"seat {seat.seat}" if seat.patron is UNSET else f"patron {seat.patron}",
                    wagers=wagers,
                    cards=named_cards(seat.cards) if seat.cards else None,
                    match_play=None if seat.match_play is UNSET else parse_dollars(seat.match_play),
                    decisions=seat.decisions,
                )
            )
        meters = {}
        if written.meters is not UNSET:
            meters = {name: parse_dollars(amount) for name, amount in written.meters.items()}
            quotes += 2 + 4 * len(meters)
        slots = []
        for cards in (written.community, written.six_card_box, written.dealer):
            slots.append(named_cards(cards) if cards else ())
            quotes += 4 * (cards is not UNSET)
        if not seats or quotes != line.count(b'"'):
            return None
        community, six_card_box, dealer = slots
        return RoundReport(
            submission=self._submission,
            meters=meters,
            seats=tuple(seats),
            community=community,
            six_card_box=six_card_box,
            dealer=dealer,
        )


@lru_cache(maxsize=2_000)
def _wagers(text: bytes) -> tuple[dict[str, Cents], int]:
    """The wagers of a seat, and how many quotes their text has; the same bets come again and again."""
    return read_amounts(decode_json(text), "wagers"), text.count(b'"')
