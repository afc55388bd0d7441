"""Rounds by the thousand, one per line: what the lines of one house share is read and checked once."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from croupier.errors import Malformed, RuleViolation
from croupier.games import check_round_by, read_report, settle_round
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


class LineSettler:
    """Answers lines; `played_by` is the submission of all of them, where they have none of their own.

    `named` finds the submission that a line names.
    """

    def __init__(self, named: Callable[[str], object], played_by: object | None = None) -> None:
        self._named, self._played_by = named, played_by
        self._known: _KnownHouse | None = None
        self._mark = secrets.token_hex(16)
        """Stands for the text of a submission that is known."""

    def answer(self, line: bytes) -> object:
        """What the round in a line pays, or why the rules do not allow it; `Malformed` where it cannot be read."""
        try:
            return self._settled(line)
        except RuleViolation as violation:
            return refusal_json(violation)

    def _settled(self, line: bytes) -> object:
        raw, known = self._read(line)
        if known is None:
            report = read_report(raw)
            house = check(report.submission).rules()
            self._keep(line, report.submission, house)
        else:
            report, house = read_report(raw, submission=known.submission), known.rules
        checked = check_round_by(house, report)
        settled = settle_round(checked.house, checked.hands, checked.table_cards, checked.meters)
        return settled_line(settled, checked.warnings)

    def _read(self, line: bytes) -> tuple[Any, _KnownHouse | None]:
        """The round in a line, and the house where it is the one of an earlier line.

        The text of its submission is then replaced by a mark before the line is read. Where the mark comes out as the
        submission of the round, the line without it says the same as the whole line.
        """
        known = self._known
        if known is not None and known.text and self._mark.encode() not in line:
            try:
                raw = decode_json(line.replace(known.text, f'"{self._mark}"'.encode(), 1))
            except Malformed:
                raw = None  # the whole line says where
            if isinstance(raw, dict) and raw.get("submission") == self._mark:
                return raw, known
        raw = with_submission(decode_json(line), self._named, self._played_by)
        return raw, known if self._played_by is not None else None

    def _keep(self, line: bytes, submission: Submission, rules: HouseRules) -> None:
        text = b"" if self._played_by is not None else bytes(msgspec.json.decode(line, type=_Written).submission)
        self._known = _KnownHouse(text, submission, rules)


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
