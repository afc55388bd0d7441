"""Keys that nothing reads, coupons, options and approvals."""

from __future__ import annotations

from croupier.errors import MoneyError
from croupier.money import To, parse_pay
from croupier.rulebook.checks.finding import Findings, error, first_wager, warning
from croupier.rulebook.options import option_problem, say_value
from croupier.rulebook.schema import Cited, Option, OptionValue, Rulebook
from croupier.rulebook.submission import Submission
from croupier.wire import clip

__all__ = ["check_approvals", "check_coupons", "check_options", "check_unknown"]


def check_unknown(book: Rulebook, submission: Submission) -> Findings:
    """Keys that nothing reads; an approval that nothing asks for is only worth a word."""
    for key in submission.unknown:
        yield error(first_wager(book), clip(key), "nothing reads this key", reading=190)
    wanted = _approvals_read(book)
    for name in submission.approvals:
        if name not in wanted:
            message = f"nothing here asks for this approval; there are {', '.join(sorted(wanted))}"
            yield warning(first_wager(book), f"approvals.{clip(name)}", message, reading=190)


def _approvals_read(book: Rulebook) -> set[str]:
    """The approvals that some check of this rulebook looks at."""
    named: list[str | None] = [
        *(method.approval for method in book.table.shuffle),
        *(method.approval for method in book.table.deal),
        *(wager.stake_approval for wager in book.wagers.wager),
        *(wager.needs.approval for wager in book.wagers.wager if wager.needs is not None),
        *(option.rule.approval for option in book.options),
        *(name for name, _ in _wanted(book)),
        "payout_limit" if book.play.payout_limit.lower == "approval" else None,
    ]
    return {name for name in named if name is not None}


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
        key = f"readings.{clip(name)}"
        option = options.get(name)
        if option is None:
            yield error(first_wager(book), key, "nothing reads this option in this rulebook", reading=190)
        elif problem := option_problem(option.rule, value):
            yield error(option, key, problem)
        elif value != option.default:
            yield from _chosen(option, submission, key, value)


def _chosen(option: Option, submission: Submission, key: str, value: OptionValue) -> Findings:
    """An option that is set to another value than its default."""
    rule, cards = option.rule, submission.cards
    if option.fixed:
        yield error(option, key, f"fixed at {say_value(option.default)} in this rulebook")
    elif rule.offered is not None and rule.offered not in submission.wagers:
        yield error(option, key, f"nothing reads this option: {rule.offered} is not offered")
    elif rule.deal and cards.deal not in rule.deal:
        yield error(option, key, f"only when dealt from {' or '.join(rule.deal)}")
    elif rule.shuffle and cards.shuffle not in rule.shuffle:
        yield error(option, key, f"only with the shuffler {' or '.join(rule.shuffle)}")
    elif rule.approval and not submission.approvals.get(rule.approval):
        yield warning(option, key, f"{say_value(value)} wants an approval in approvals.{rule.approval}")


def check_approvals(book: Rulebook, submission: Submission) -> Findings:
    """References of approvals that a document wants; a missing one is a warning."""
    cards = submission.cards
    wanted = [one for one in _wanted(book) if one[0] != "progressive" or "progressive" in submission.wagers]
    methods = [
        *((one.method, one.approval, one) for one in book.table.shuffle if not one.approval_required),
        *((one.method, one.approval, one) for one in book.table.deal),
    ]
    wanted += [(name, cited) for method, name, cited in methods if name and method in (cards.shuffle, cards.deal)]
    for name, cited in wanted:
        if not submission.approvals.get(name):
            yield warning(cited, f"approvals.{name}", f"no reference of the approval for {name.replace('_', ' ')}")


def _wanted(book: Rulebook) -> list[tuple[str, Cited]]:
    """Approvals that a document asks for whatever the devices: of the layout, of meters that it leaves open."""
    found: list[tuple[str, Cited]] = []
    if book.table.layout_approval is not None:
        found.append(("layout", book.table.layout_approval))
    found += [("progressive", minimum) for minimum in book.paytables.minimum if minimum.amount is None][:1]
    return found
