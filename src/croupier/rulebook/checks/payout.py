"""The payout limit of a hand."""

from __future__ import annotations

from croupier.money import Cents, To, parse_dollars, parse_pay, print_dollars
from croupier.rulebook.checks.finding import Findings, error, main_wager
from croupier.rulebook.checks.seats import limits_of
from croupier.rulebook.checks.wagers import tables_of
from croupier.rulebook.house_options import allowed_options
from croupier.rulebook.schema import Rulebook, Wager
from croupier.rulebook.submission import Submission

__all__ = ["check_payout_limit", "lawful_limit", "limit_at_minimum"]


def limit_at_minimum(book: Rulebook, submission: Submission) -> Cents:
    """What one player could win in a round at the minimum wager, on the wagers under the limit (reading 7)."""
    single = allowed_options(book, submission).cap_min_bet_model == "single_multiples"
    total = 0
    for wager in book.wagers.wager:
        if wager.name not in book.play.payout_limit.wagers:
            continue
        if wager.offered == "option" and wager.name not in submission.wagers:
            continue
        base = wager if wager.stake == "limits" else main_wager(book)
        times = 1 if single or not wager.multiples else max(wager.multiples)
        total += limits_of(base, submission).minimum * times * _top_odds(book, wager, submission)
    return Cents(total)


def _top_odds(book: Rulebook, wager: Wager, submission: Submission) -> int:
    choice = submission.wagers.get("base" if wager.paytables == "base" else wager.name)
    tables = [one for one in tables_of(book, wager.paytables) if choice is None or choice.paytable in (None, one.id)]
    pays = [parse_pay(line.pays) for table in tables for line in table.line]
    return max((pay.multiple for pay in pays if isinstance(pay, To)), default=0)


def check_payout_limit(book: Rulebook, submission: Submission) -> Findings:
    """A limit that is set must be the lawful one, or lower where the document and an approval allow it."""
    rule, given = book.play.payout_limit, submission.payout_limit
    if given is None or given.amount is None:
        if given is not None:
            yield error(rule, "payout_limit.amount", "the amount of the limit is missing")
        return
    if given.amount < 1:
        yield error(rule, "payout_limit.amount", "a limit is more than nothing")
        return
    lawful = lawful_limit(book, submission)
    if lawful is None:
        return
    shown, greatest = print_dollars(given.amount), print_dollars(lawful)
    if given.amount > lawful:
        yield error(
            rule, "payout_limit.amount", f"{shown}: at most {greatest}, the greater of the two figures", reading=8
        )
    elif given.amount < lawful and rule.lower == "never":
        yield error(rule, "payout_limit.amount", f"{shown}: the limit is {greatest}, neither more nor less", reading=8)
    elif given.amount < lawful and not (given.approval or submission.approvals.get("payout_limit")):
        yield error(
            rule,
            "payout_limit.approval",
            f"{shown} is below {greatest} and needs the reference of an approval",
            reading=8,
        )


def lawful_limit(book: Rulebook, submission: Submission) -> Cents | None:
    """The greater of the two figures of the document, or None where it has no limit."""
    rule = book.play.payout_limit
    if rule.amount is None:
        return None
    return max(parse_dollars(rule.amount), limit_at_minimum(book, submission))
