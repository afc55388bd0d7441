"""Rounds by the thousand, one per line: what the lines of one house share is read and checked once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from croupier.errors import Malformed, RuleViolation
from croupier.games import LineReader, RoundReport, check_round_by, read_report, settle_round
from croupier.present import refusal_json, settled_line
from croupier.rulebook import HouseRules, Submission, check
from croupier.wire import decode_json

__all__ = ["LineSettler", "with_submission"]


class _Written(Struct):
    """A line of which only the text of the submission matters."""

    submission: msgspec.Raw


class _KnownHouse(Struct, frozen=True):
    """House rules that an earlier line has brought, and the text of their submission there."""

    text: bytes
    submission: Submission
    rules: HouseRules
    reader: LineReader


class LineSettler:
    """Answers lines; `played_by` is the submission of all of them, where they have none of their own.

    `named` finds the submission that a line names.
    """

    def __init__(self, named: Callable[[str], object], played_by: object | None = None) -> None:
        self._named, self._played_by = named, played_by
        self._known: _KnownHouse | None = None

    def answer(self, line: bytes) -> object:
        """What the round in a line pays, or why the rules do not allow it; `Malformed` where it cannot be read."""
        try:
            return self._settled(line)
        except RuleViolation as violation:
            return refusal_json(violation)

    def _settled(self, line: bytes) -> object:
        known = self._known
        report = known.reader.read(line) if known is not None else None
        if known is None or report is None:
            report, house = self._read_at_length(line)
        else:
            house = known.rules
        checked = check_round_by(house, report)
        settled = settle_round(checked.house, checked.hands, checked.table_cards, checked.meters)
        return settled_line(settled, checked.warnings)

    def _read_at_length(self, line: bytes) -> tuple[RoundReport, HouseRules]:
        """The round in any line, and the rules of its house: those of an earlier line where both write it alike."""
        raw, known = with_submission(decode_json(line), self._named, self._played_by), self._known
        text = b"" if self._played_by is not None else _submission_text(line)
        if known is not None and text == known.text:
            return read_report(raw, submission=known.submission), known.rules
        report = read_report(raw)
        rules = check(report.submission).rules()
        if text is not None:
            self._known = _KnownHouse(text, report.submission, rules, LineReader(text, report.submission))
        return report, rules


def _submission_text(line: bytes) -> bytes | None:
    """How a line writes its submission; None where it has none, or is written in a way that only `json` reads."""
    try:
        return bytes(msgspec.json.decode(line, type=_Written).submission)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def with_submission(raw: Any, named: Callable[[str], object], played_by: object | None) -> Any:  # noqa: ANN401
    """Put the submission of `--submission`, or the one that the round names, into the round."""
    if not isinstance(raw, dict):
        return raw
    if played_by is not None:
        if "submission" in raw:
            raise Malformed("submission: the round has one already; leave out --submission")
        return {**raw, "submission": played_by}
    name = raw.get("submission")
    return {**raw, "submission": named(name)} if isinstance(name, str) else raw
