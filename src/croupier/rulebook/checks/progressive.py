"""The progressive: stake, meters, rates and links; and other wagers of one fixed stake."""

from __future__ import annotations

from croupier.money import MILLION, Cents, parse_dollars, print_dollars
from croupier.rulebook.checks.finding import Findings, error, warning
from croupier.rulebook.checks.wagers import tables_of
from croupier.rulebook.schema import Paytable, Rulebook
from croupier.rulebook.submission import ExactRate, MeterTerms, Submission, WagerChoice
from croupier.wire import clip

__all__ = ["check_fixed_stakes", "check_progressive"]


def check_progressive(book: Rulebook, submission: Submission) -> Findings:
    """What a progressive wager of this rulebook must set."""
    choice = submission.wagers.get("progressive")
    if choice is None or not tables_of(book, "progressive"):
        return
    table = next((table for table in tables_of(book, "progressive") if table.id == choice.paytable), None)
    if table is not None:
        yield from _stake(table, choice)
        yield from _meters(book, table, choice)
        yield from _link(book, table, choice)
    yield from _rates(book, choice)


def _stake(table: Paytable, choice: WagerChoice) -> Findings:
    stakes = [parse_dollars(stake) for stake in table.stakes]
    key, allowed = "wagers.progressive.stake", " or ".join(map(print_dollars, stakes))
    if choice.stake is None:
        if len(stakes) > 1:
            yield error(table, key, f"no stake is chosen: {allowed}", reading=17)
    elif choice.stake not in stakes:
        reading = table.stakes_reading or 17
        yield error(table, key, f"{print_dollars(choice.stake)}: paytable {table.id} has {allowed}", reading=reading)


def _meters(book: Rulebook, table: Paytable, choice: WagerChoice) -> Findings:
    minimums = {minimum.meter: minimum for minimum in book.paytables.minimum if minimum.paytable == table.id}
    for name in choice.meters:
        if name not in minimums:
            first = next(iter(minimums.values()))
            message = f"paytable {table.id} has the meters {', '.join(minimums)}"
            yield error(first, f"wagers.progressive.meters.{name}", message)
    for name, minimum in minimums.items():
        meter = choice.meters.get(name, MeterTerms())
        key = f"wagers.progressive.meters.{name}"
        least = parse_dollars(minimum.amount) if minimum.amount is not None else Cents(1)
        for what, amount in (("initial", meter.initial), ("reset", meter.reset)):
            if amount is None:
                yield error(minimum, f"{key}.{what}", f"the {what} amount of the {name} meter is missing")
            elif amount < least:
                yield error(minimum, f"{key}.{what}", f"{print_dollars(amount)}: at least {print_dollars(least)}")
        if meter.rate is None:
            yield error(book.paytables.rate or table, f"{key}.rate", "the rate of progression is missing")
        if minimum.warn_below is not None and meter.reset is not None:
            usual = parse_dollars(minimum.warn_below)
            if least <= meter.reset < usual:
                shown, wanted = print_dollars(meter.reset), print_dollars(usual)
                yield warning(
                    minimum, f"{key}.reset", f"{shown} is lawful, but below the {wanted} of its sister tables"
                )


def _rates(book: Rulebook, choice: WagerChoice) -> Findings:
    rule = book.paytables.rate or tables_of(book, "progressive")[0]
    rates = {f"wagers.progressive.meters.{name}.rate": meter.rate for name, meter in choice.meters.items()}
    rates["wagers.progressive.reserve_rate"] = choice.reserve_rate
    given = {key: rate for key, rate in rates.items() if rate is not None}
    for key, rate in given.items():
        if rate.finer:
            yield error(rule, key, f"{clip(rate.text)} is finer than six decimals", reading=16)
        if _above_one(rate):
            yield error(rule, key, f"{clip(rate.text)} is more than the whole stake", reading=18)
        if rate.millionths == 0 and not rate.finer and key != "wagers.progressive.reserve_rate":
            yield warning(rule, key, "at this rate the meter never rises", reading=18)
    total = sum(rate.millionths for rate in given.values())
    if total > MILLION and not any(map(_above_one, given.values())):
        yield error(rule, "wagers.progressive.meters", "the rates together are more than the whole stake", reading=18)


def _above_one(rate: ExactRate) -> bool:
    return rate.millionths > MILLION or (rate.millionths == MILLION and rate.finer)


def _link(book: Rulebook, table: Paytable, choice: WagerChoice) -> Findings:
    link, rule = choice.link, book.paytables.link
    if link is None:
        return
    if rule is None:
        yield error(table, "wagers.progressive.link", "this document knows no linked meters")
        return
    linkable = [one for one in tables_of(book, "progressive") if one.link is not None]
    if linkable and table.link is None:
        allowed = ", ".join(one.id for one in linkable)
        yield error(linkable[0].link or rule, "wagers.progressive.link", f"only {allowed} may be linked")
    stake = choice.stake if choice.stake is not None else parse_dollars(table.stakes[0])
    for place, other in enumerate(link.tables):
        differing = {
            "paytable": other.paytable != table.id,
            "stake": other.stake != stake,
            "decks": other.decks != book.table.decks.standard,
        }
        for what in rule.same:
            if differing[what]:
                key = f"wagers.progressive.link.tables[{place}].{what}"
                yield error(rule, key, f"tables on one meter have the same {what}, and this one differs")


def check_fixed_stakes(book: Rulebook, submission: Submission) -> Findings:
    """Other wagers of one fixed stake: another amount wants an approval."""
    for wager in book.wagers.wager:
        choice = submission.wagers.get(wager.name)
        if wager.stake_approval is None or choice is None or choice.stake is None:
            continue
        table = next((one for one in tables_of(book, wager.paytables) if one.id == choice.paytable), None)
        key = f"wagers.{wager.name}.stake"
        if choice.stake < 1:
            yield error(wager, key, "a wager is more than nothing", reading=14)
            continue
        other = table is not None and choice.stake not in map(parse_dollars, table.stakes)
        if other and not submission.approvals.get(wager.stake_approval):
            message = f"{print_dollars(choice.stake)} is not the stake of the paytable and wants an approval"
            yield warning(wager, f"approvals.{wager.stake_approval}", message, reading=3)
