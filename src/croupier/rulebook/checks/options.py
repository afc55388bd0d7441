"""Unknown settings, coupons, options and approvals."""

from __future__ import annotations

from croupier.errors import MoneyError
from croupier.money import To, parse_pay
from croupier.rulebook.checks.finding import Findings, device_words, error, first_wager, title, warning
from croupier.rulebook.options import option_problem, say_value
from croupier.rulebook.schema import Cited, Option, OptionValue, Rulebook
from croupier.rulebook.submission import Submission
from croupier.wire import clip

__all__ = ["check_approvals", "check_coupons", "check_options", "check_unknown"]


def check_unknown(book: Rulebook, submission: Submission) -> Findings:
    """Unknown settings are errors; an approval that no rule asks for is only a warning."""
    for key in submission.unknown:
        yield error(first_wager(book), clip(key), "unknown setting", reading=190)
    known = _approvals_read(book)
    for name in submission.approvals:
        if name not in known:
            message = f"no rule here asks for this approval; approvals are {', '.join(sorted(known))}"
            yield warning(first_wager(book), f"approvals.{clip(name)}", message, reading=190)


def _approvals_read(book: Rulebook) -> set[str]:
    """The approvals that some check of this rulebook reads."""
    named: list[str | None] = [
        *(method.approval for method in book.table.shuffle),
        *(method.approval for method in book.table.deal),
        *(wager.stake_approval for wager in book.wagers.wager),
        *(wager.needs.approval for wager in book.wagers.wager if wager.needs is not None),
        *(option.rule.approval for option in book.options),
        *(name for name, _ in _asked(book)),
        "payout_limit" if book.play.payout_limit.lower == "approval" else None,
    ]
    return {name for name in named if name is not None}


def check_coupons(book: Rulebook, submission: Submission) -> Findings:
    """Match play coupons, where the document provides for them."""
    coupon, instruments = submission.match_play, book.wagers.instruments
    if coupon is None:
        return
    if instruments.coupon is None:
        if coupon.enabled:
            yield error(
                instruments, "match_play.enabled", "this document does not provide for match play coupons", reading=95
            )
        return
    try:
        pay = parse_pay(coupon.pays)
    except MoneyError as refusal:
        yield error(instruments.coupon, "match_play.pays", str(refusal))
        return
    if not isinstance(pay, To):
        yield error(instruments.coupon, "match_play.pays", f"{pay}: a coupon must pay odds to 1")


def check_options(book: Rulebook, submission: Submission) -> Findings:
    """The options of the readings."""
    options = {option.rule.name: option for option in book.options}
    for name, value in submission.readings.items():
        key = f"readings.{clip(name)}"
        option = options.get(name)
        if option is None:
            yield error(first_wager(book), key, "unknown option in this rulebook", reading=190)
        elif problem := option_problem(option.rule, value):
            yield error(option, key, problem)
        elif value != option.default:
            yield from _chosen(option, submission, key, value)


def _chosen(option: Option, submission: Submission, key: str, value: OptionValue) -> Findings:
    """An option set to a value other than its default."""
    rule, cards = option.rule, submission.cards
    if option.fixed:
        yield error(option, key, f"fixed at {say_value(option.default)} in this rulebook")
    elif rule.offered is not None and rule.offered not in submission.wagers:
        yield error(option, key, f"this option has no effect: the {title(rule.offered)} is not offered")
    elif rule.deal and cards.deal not in rule.deal:
        yield error(option, key, f"allowed only when dealing from {device_words(rule.deal)}")
    elif rule.shuffle and cards.shuffle not in rule.shuffle:
        yield error(option, key, f"allowed only with {device_words(rule.shuffle)}")
    elif rule.approval and not submission.approvals.get(rule.approval):
        yield warning(option, key, f"{say_value(value)} needs an approval reference in approvals.{rule.approval}")


def check_approvals(book: Rulebook, submission: Submission) -> Findings:
    """Approval references that a document asks for; a missing one is a warning."""
    cards = submission.cards
    asked = [(name, cited) for name, cited in _asked(book) if name != "progressive" or name in submission.wagers]
    methods = [
        *((row.method, row.approval, row) for row in book.table.shuffle if not row.approval_required),
        *((row.method, row.approval, row) for row in book.table.deal),
    ]
    asked += [(name, cited) for method, name, cited in methods if name and method in (cards.shuffle, cards.deal)]
    for name, cited in asked:
        if not submission.approvals.get(name):
            what = name.replace("_", " ")
            yield warning(
                cited, f"approvals.{name}", f"approval reference for the {what} is missing; add it once it is approved"
            )


def _asked(book: Rulebook) -> list[tuple[str, Cited]]:
    """Approvals that a document asks for with any device: of the layout, and of meters that it leaves open."""
    approvals: list[tuple[str, Cited]] = []
    if book.table.layout_approval is not None:
        approvals.append(("layout", book.table.layout_approval))
    approvals += [("progressive", minimum) for minimum in book.paytables.minimum if minimum.amount is None][:1]
    return approvals
