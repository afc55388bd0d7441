"""Check a submission against its rulebook: every finding at once, each with clause, reading and key."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.money import parse_dollars
from croupier.rulebook.checks.cards import check_cards, check_needs, hours_rule
from croupier.rulebook.checks.finding import Finding, InvalidSubmission, error, main_wager
from croupier.rulebook.checks.options import check_approvals, check_coupons, check_options, check_unknown
from croupier.rulebook.checks.papers import check_papers
from croupier.rulebook.checks.payout import check_payout_limit, lawful_limit
from croupier.rulebook.checks.progressive import check_fixed_stakes, check_progressive
from croupier.rulebook.checks.seats import check_boxes, check_limits, check_seats, limits_of, seat_count
from croupier.rulebook.checks.wagers import check_wagers, tables_of
from croupier.rulebook.house import HouseMeter, HouseRules, HouseWager, Stakes
from croupier.rulebook.house_options import house_options
from croupier.rulebook.load import load_rulebook
from croupier.rulebook.options import option_values
from croupier.rulebook.schema import Paytable, Rulebook, Wager
from croupier.rulebook.submission import MeterTerms, Submission, WagerChoice

__all__ = ["Checked", "Finding", "InvalidSubmission", "check", "check_by", "check_links", "house_by"]

CHECKS: Final = (
    check_unknown,
    check_seats,
    check_boxes,
    check_limits,
    check_wagers,
    check_cards,
    check_needs,
    check_progressive,
    check_fixed_stakes,
    check_payout_limit,
    check_coupons,
    check_options,
    check_approvals,
    check_papers,
)


class Checked(Struct, frozen=True, kw_only=True):
    """The verdict: the findings and, if there is no error, the house rules."""

    findings: tuple[Finding, ...]
    house: HouseRules | None

    @property
    def valid(self) -> bool:
        """Whether a table may open on it."""
        return self.house is not None

    def rules(self, *, name: str = "the submission") -> HouseRules:
        """The house rules; `InvalidSubmission` lists the errors of a submission that has some.

        >>> from croupier.rulebook.submission import read_submission
        >>> check(read_submission({"rulebook": "md-mississippi-stud"})).rules().seats
        6
        >>> check(read_submission({"rulebook": "md-mississippi-stud", "seats": 7})).rules()
        Traceback (most recent call last):
        croupier.rulebook.checks.finding.InvalidSubmission: the submission is not valid: seats: 7 seats: at most 6
        """
        if self.house is None:
            errors = [finding for finding in self.findings if finding.severity == "error"]
            raise InvalidSubmission(errors, name=name)
        return self.house


def check(submission: Submission) -> Checked:
    """Check a submission against its rulebook: the newest edition, or the one it names.

    >>> from croupier.rulebook.submission import read_submission
    >>> verdict = check(read_submission({"rulebook": "md-mississippi-stud", "seats": 7}))
    >>> [(finding.severity, finding.clause, finding.key) for finding in verdict.findings][:1]
    [('error', '2.A', 'seats')]
    """
    return check_by(load_rulebook(submission.rulebook, edition=submission.edition), submission)


def check_by(book: Rulebook, submission: Submission) -> Checked:
    """Check a submission against this rulebook, wherever it was stored."""
    submission = replace(submission, readings=option_values(book.options, submission.readings))
    findings = [finding for check_part in CHECKS for finding in check_part(book, submission)]
    findings.sort(key=lambda finding: finding.severity != "error")
    errors = any(finding.severity == "error" for finding in findings)
    return Checked(findings=tuple(findings), house=None if errors else _house(book, submission))


def house_by(book: Rulebook, submission: Submission) -> HouseRules:
    """The house rules of a submission that already passed under this rulebook; newer checks are not applied."""
    return _house(book, replace(submission, readings=option_values(book.options, submission.readings)))


def check_links(houses: dict[str, HouseRules]) -> dict[str, list[Finding]]:
    """Where tables on one linked meter differ and must not, by the name of each submission."""
    findings: dict[str, list[Finding]] = {name: [] for name in houses}
    first: dict[str, tuple[str, HouseWager]] = {}
    for name, house in houses.items():
        wager = house.wager("progressive")
        if wager is None or not wager.link:
            continue
        other_name, other = first.setdefault(wager.link, (name, wager))
        rule = house.rulebook.paytables.link
        if rule is None:
            continue
        differing = {
            "paytable": wager.paytables[0].line != other.paytables[0].line,
            "stake": wager.stakes != other.stakes,
            "meters": wager.meters != other.meters,
        }
        for what, differs in differing.items():
            if differs:
                verb = "differ" if what == "meters" else "differs"
                message = f"the meter {wager.link!r} is shared with {other_name}, whose {what} {verb}"
                findings[name].append(error(rule, f"wagers.progressive.{what}", message))
    return findings


def _house(book: Rulebook, submission: Submission) -> HouseRules:
    cards = submission.cards
    rule = hours_rule(book, cards.deal)
    limit = submission.payout_limit
    approvals = {name: reference for name, reference in submission.approvals.items() if reference}
    if limit is not None and limit.approval:
        approvals["payout_limit"] = limit.approval
    return HouseRules(
        rulebook=book,
        operator=submission.operator,
        seats=seat_count(book, submission),
        boxes=submission.boxes,
        wagers=tuple(
            _house_wager(book, wager, submission) for wager in book.wagers.wager if _is_offered(wager, submission)
        ),
        decks=cards.decks,
        shuffle=next(row.method for row in book.table.shuffle if row.method == cards.shuffle),
        deal=next(row.method for row in book.table.deal if row.method == cards.deal),
        deck_hours=cards.deck_hours or rule.hours or 0,
        cover_all_mode=cards.cover_all_mode,
        payout_limit=limit.amount if limit is not None else lawful_limit(book, submission),
        handpay_threshold=submission.handpay_threshold,
        match_play=submission.match_play.pays if submission.match_play and submission.match_play.enabled else None,
        approvals=tuple(sorted(approvals.items())),
        options=house_options(book, submission),
    )


def _is_offered(wager: Wager, submission: Submission) -> bool:
    return wager.offered == "always" or wager.name in submission.wagers


def _house_wager(book: Rulebook, wager: Wager, submission: Submission) -> HouseWager:
    choice = submission.wagers.get("base" if wager.paytables == "base" else wager.name, WagerChoice())
    tables = tuple(table for table in tables_of(book, wager.paytables) if choice.paytable in (None, table.id))
    stakes = _stakes(book, wager, submission, tables[0])
    columns = {
        (envy.paytable, parse_dollars(envy.stake)): envy
        for envy in book.paytables.envy
        if wager.paytables == "progressive"
    }
    return HouseWager(
        name=wager.name,
        stakes=stakes,
        multiples=wager.multiples,
        evaluator=tables[0].evaluator or wager.evaluator,
        paytables=tables,
        meters=tuple(_house_meter(name, meter) for name, meter in sorted(choice.meters.items())),
        reserve_rate=choice.reserve_rate.millionths if choice.reserve_rate else 0,
        envy=columns.get((tables[0].id, stakes.minimum)) if stakes else None,
        link=choice.link.name if choice.link else "",
    )


def _stakes(book: Rulebook, wager: Wager, submission: Submission, table: Paytable) -> Stakes | None:
    match wager.stake:
        case "limits":
            return limits_of(wager, submission)
        case "equal":
            return limits_of(main_wager(book), submission)
        case "fixed":
            choice = submission.wagers[wager.name]
            stake = choice.stake if choice.stake is not None else parse_dollars(table.stakes[0])
            return Stakes(stake, stake, stake)
    return None


def _house_meter(name: str, meter: MeterTerms) -> HouseMeter:
    if meter.initial is None or meter.reset is None or meter.rate is None:
        raise ValueError(f"the {name} meter was not checked")
    return HouseMeter(name, meter.initial, meter.reset, meter.rate.millionths)
