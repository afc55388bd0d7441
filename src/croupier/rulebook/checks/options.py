"""Keys that nothing reads, coupons, options and approvals."""

from __future__ import annotations

from typing import get_args

from croupier.errors import MoneyError
from croupier.money import To, parse_pay
from croupier.rulebook import names
from croupier.rulebook.checks.finding import Finding, Findings, error, first_wager, warning
from croupier.rulebook.options import option_problem
from croupier.rulebook.schema import Cited, Option, Rulebook
from croupier.rulebook.submission import Submission

__all__ = ["check_approvals", "check_coupons", "check_options", "check_unknown"]


def check_unknown(book: Rulebook, submission: Submission) -> Findings:
    """Keys and approvals that nothing reads."""
    for key in submission.unknown:
        yield error(first_wager(book), key, "nothing reads this key", reading=190)
    for approval in submission.approvals:
        if approval not in get_args(names.Approval):
            allowed = ", ".join(get_args(names.Approval))
            yield error(
                first_wager(book),
                f"approvals.{approval}",
                f"nothing reads this approval; there are {allowed}",
                reading=190,
            )


def check_coupons(book: Rulebook, submission: Submission) -> Findings:
    """Match play coupons, where the document knows them."""
    coupon, instruments = submission.match_play, book.wagers.instruments
    if coupon is None:
        return
    if instruments.coupon is None:
        if coupon.enabled:
            yield error(instruments, "match_play.enabled", "this document knows no match play coupons", reading=95)
        return
    try:
        pay = parse_pay(coupon.pays)
    except MoneyError as refusal:
        yield error(instruments.coupon, "match_play.pays", str(refusal))
        return
    if not isinstance(pay, To):
        yield error(instruments.coupon, "match_play.pays", f"{pay}: a coupon pays odds to 1")


def check_options(book: Rulebook, submission: Submission) -> Findings:
    """The options of the readings."""
    options = {option.rule.name: option for option in book.options}
    for name, value in submission.readings.items():
        key = f"readings.{name}"
        option = options.get(name)
        if option is None:
            yield error(first_wager(book), key, "nothing reads this option in this rulebook", reading=190)
        elif problem := option_problem(option.rule, value):
            yield _option_error(book, option, key, problem)
        elif option.fixed and value != option.default:
            yield _option_error(book, option, key, f"fixed at {option.default!r} in this rulebook")
        elif option.rule.offered is not None and option.rule.offered not in submission.wagers:
            yield _option_error(book, option, key, f"nothing reads this option: {option.rule.offered} is not offered")
        elif option.rule.approval and value != option.default and not submission.approvals.get(option.rule.approval):
            message = f"{value!r} wants an approval in approvals.{option.rule.approval}"
            yield warning(first_wager(book), key, message, reading=option.rule.reading)


def _option_error(book: Rulebook, option: Option, key: str, message: str) -> Finding:
    return Finding(
        severity="error", clause=first_wager(book).clause, reading=option.rule.reading, key=key, message=message
    )


def check_approvals(book: Rulebook, submission: Submission) -> Findings:
    """References of approvals that a document wants; a missing one is a warning."""
    wanted: list[tuple[str, Cited]] = []
    if book.table.layout_approval is not None:
        wanted.append(("layout", book.table.layout_approval))
    wanted += [
        (one.approval, one)
        for one in book.table.shuffle
        if one.method == submission.cards.shuffle and one.approval and not one.approval_required
    ]
    wanted += [(one.approval, one) for one in book.table.deal if one.method == submission.cards.deal and one.approval]
    if "progressive" in submission.wagers and any(minimum.amount is None for minimum in book.paytables.minimum):
        wanted.append(("progressive", book.paytables.minimum[0]))
    for name, cited in wanted:
        if not submission.approvals.get(name):
            yield warning(cited, f"approvals.{name}", f"no reference of the approval for {name.replace('_', ' ')}")
