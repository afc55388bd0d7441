"""A submission as one text: canonical JSON in the shape of the contract, to be stored, hashed and read back."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from croupier.errors import Malformed
from croupier.money import Cents, format_dollars
from croupier.rulebook.schema import OptionValue
from croupier.rulebook.submission import Limits, LinkTerms, MeterTerms, PapersTerms, Submission, WagerChoice
from croupier.wire import canonical_json, clip

__all__ = ["submission_text"]


def submission_text(submission: Submission) -> str:
    """The one text of a submission; `read_submission_text` reads an equal one from it.

    Counts and devices are written even where they are today's defaults. Unknown settings are refused: no table opens on
    them, and their values were not read.

    >>> from croupier.rulebook import read_submission, read_submission_text
    >>> submission = read_submission({"rulebook": "md-let-it-ride", "limits": {"bet": {"minimum": "5"}}})
    >>> text = submission_text(submission)
    >>> text[:63]
    '{"approvals":{},"boxes":1,"cards":{"cover_all_mode":false,"deal'
    >>> read_submission_text(text, name="kept") == submission
    True
    """
    if submission.unknown:
        raise Malformed(f"unknown settings: {clip(', '.join(submission.unknown))}; this submission cannot be stored")
    cards, limit, coupon = submission.cards, submission.payout_limit, submission.match_play
    return canonical_json(
        _given(
            rulebook=submission.rulebook,
            edition=submission.edition,
            operator=submission.operator,
            seats=submission.seats,
            boxes=submission.boxes,
            limits={key: _limits(limits) for key, limits in submission.limits.items()},
            wagers={key: _wager(wager) for key, wager in submission.wagers.items()},
            cards=_given(
                decks=cards.decks,
                shuffle=cards.shuffle,
                deal=cards.deal,
                deck_hours=cards.deck_hours,
                cover_all_mode=cards.cover_all_mode,
            ),
            payout_limit=None if limit is None else _given(amount=_dollars(limit.amount), approval=limit.approval),
            approvals=submission.approvals,
            match_play=None if coupon is None else {"enabled": coupon.enabled, "pays": coupon.pays},
            handpay=_given(threshold=_dollars(submission.handpay_threshold)) or None,
            readings={key: _option(value) for key, value in submission.readings.items()},
            papers=None if submission.papers is None else _papers(submission.papers),
        )
    )


def _given(**values: object) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _limits(limits: Limits) -> dict[str, Any]:
    return _given(
        minimum=_dollars(limits.minimum), maximum=_dollars(limits.maximum), increment=_dollars(limits.increment)
    )


def _wager(wager: WagerChoice) -> dict[str, Any]:
    return _limits(wager.limits) | _given(
        paytable=wager.paytable,
        stake=_dollars(wager.stake),
        meters={key: _meter(meter) for key, meter in wager.meters.items()} or None,
        reserve_rate=None if wager.reserve_rate is None else wager.reserve_rate.text,
        link=None if wager.link is None else _link(wager.link),
    )


def _meter(meter: MeterTerms) -> dict[str, Any]:
    rate = None if meter.rate is None else meter.rate.text
    return _given(initial=_dollars(meter.initial), reset=_dollars(meter.reset), rate=rate)


def _papers(papers: PapersTerms) -> dict[str, Any]:
    return {key: value for key, value in asdict(papers).items() if value}


def _link(link: LinkTerms) -> dict[str, Any]:
    tables = [
        {"paytable": table.paytable, "stake": format_dollars(table.stake), "decks": table.decks}
        for table in link.tables
    ]
    return {"name": link.name, "tables": tables}


def _option(value: OptionValue) -> object:
    """Labels are a table; a reader takes each of them as an option of its own."""
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return dict(value)
    return value


def _dollars(cents: Cents | None) -> str | None:
    return None if cents is None else format_dollars(cents)
