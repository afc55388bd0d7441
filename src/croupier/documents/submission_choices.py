"""The choices of a Rules Submission as chapters: table, wagers, paytables, progressive, limits, approvals, options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from msgspec.structs import replace

from croupier.documents.house_choices import (
    approval_rules,
    chosen_rows,
    law_of,
    minimum_of,
    rate_words,
)
from croupier.documents.house_words import (
    DEALT_FROM,
    SHUFFLED,
    bet_words,
    cites,
    is_without_for,
    judged_words,
    meter_words,
    printed_pay,
    rule_of,
)
from croupier.documents.paper import (
    Align,
    Block,
    Cell,
    Grid,
    Heading,
    Mono,
    Paragraph,
    SideBySide,
    Strong,
    Words,
    words,
)
from croupier.documents.sign import wagers_title
from croupier.documents.steps import required_by, wager_words
from croupier.games import rules_of
from croupier.money import MILLION, Share, parse_dollars, parse_pay
from croupier.present import (
    any_of,
    capitalized,
    counted,
    dollars,
    line_words,
    listed,
    option_value_words,
    spoken,
    titled,
)
from croupier.rulebook import HouseRules, HouseWager, Submission, load_readings
from croupier.rulebook.schema import Cited, Line, Option, Paytable

__all__ = ["choice_chapters"]

LEFT: Final[Align] = "left"
RIGHT: Final[Align] = "right"
NARROW: Final = 3
"""The columns of a paytable that leaves room for another beside it."""
_FOR: Final = (
    "Printed without the word “for” (reading 156): an amount is paid on the stake of {stake}, which is not returned."
)


def choice_chapters(submission: Submission, house: HouseRules) -> list[list[Block]]:
    """A chapter for each kind of choice; one that this house has nothing for is left out."""
    metered = next((wager for wager in house.wagers if wager.meters), None)
    return [
        _table(house),
        _wagers(house),
        _paytables(house),
        *([_progressive(submission, house, metered)] if metered is not None else []),
        _limits(house),
        _approvals(house),
        _options(submission, house),
    ]


# --- the table


def _table(house: HouseRules) -> list[Block]:
    table = house.rulebook.table
    seats = min([table.seats.maximum, *(row.maximum for row in table.seats.fewer if house.wager(row.offered))])
    hours = next(row for row in table.deck_hours if house.deal in row.deal)
    allowed = {
        "seats": f"at most {seats}",
        "boxes": "one" if table.boxes.limit == "one" else "as submitted, side by side",
        "cards.decks": f"{table.decks.standard}, or two with a shuffler",
        "cards.shuffle": any_of(spoken(row.method) for row in table.shuffle),
        "cards.deal": any_of(spoken(row.method) for row in table.deal),
        "cards.deck_hours": f"at most {hours.hours} when dealt this way" if hours.hours else "as submitted",
        "cards.cover_all_mode": "with Cover All",
    }
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (words(row.what), words(Strong(row.chosen)), words(allowed[row.key]), row.law)
        for row in chosen_rows(house)
        if row.key in allowed and row.law
    )
    said = f"The cards are shuffled {SHUFFLED[house.shuffle]} and dealt {DEALT_FROM[house.deal]}."
    return [
        Heading("Table, cards and devices"),
        Grid(("Choice", "Chosen", "The document allows", "Clause"), rows, (LEFT,) * 4, widths=(6, 5, 8, 5)),
        Paragraph(words(said)),
    ]


# --- wagers and paytables


def _wagers(house: HouseRules) -> list[Block]:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            words(Strong(titled(wager.name))),
            words(capitalized(bet_words(house, wager))),
            words(wager.paytables[0].id),
            words(capitalized(judged_words(house, wager))),
            words(capitalized(_needs(house, wager))),
            cites(rule_of(house, wager), *required_by(house, rule_of(house, wager))),
        )
        for wager in house.wagers
    )
    missing = [row.name for row in house.rulebook.wagers.wager if house.wager(row.name) is None]
    blocks: list[Block] = [
        Heading("Wagers"),
        Grid(
            ("Wager", "Bet", "Paytable", "Decided by", "Requires", "Clause"),
            rows,
            (LEFT,) * 6,
            widths=(6, 8, 5, 8, 6, 7),
        ),
    ]
    if missing:
        blocks.append(Paragraph(words(f"Not offered: {listed(map(titled, missing))}.")))
    return blocks


def _needs(house: HouseRules, wager: HouseWager) -> str:
    needed = [row.wager for row in required_by(house, rule_of(house, wager))]
    return listed(wager_words(name).removeprefix("the ") for name in needed) if needed else "nothing"


def _paytables(house: HouseRules) -> list[Block]:
    """Every paytable in full: narrow ones in pairs, those with a column for each number of hands alone."""
    groups: dict[str, list[HouseWager]] = {}
    for wager in house.wagers:
        groups.setdefault(wager.paytables[0].group, []).append(wager)
    tables = [_paytable(house, wagers) for wagers in groups.values()]
    narrow = [table for table in tables if len(table.head) == NARROW]
    blocks: list[Block] = [Heading("Paytables")]
    for first in range(0, len(narrow), 2):
        pair = narrow[first : first + 2]
        blocks.append(SideBySide(tuple((table,) for table in pair) + ((),) * (2 - len(pair))))
    return [*blocks, *(table for table in tables if table not in narrow)]


def _paytable(house: HouseRules, wagers: Sequence[HouseWager]) -> Grid:
    wager = wagers[0]
    caption = f"{wagers_title([wager.name for wager in wagers])}: paytable {wager.paytables[0].id}"
    choice = next((row for row in house.rulebook.paytables.choice if row.group == wager.paytables[0].group), None)
    chosen: Words = ("Chosen under ", *cites(choice), ". ") if choice is not None else ()
    if wager.paytables[0].also and len(wager.paytables) == 1:
        chosen = (*chosen, f"The same as {listed(wager.paytables[0].also)}. ")
    note = (*chosen, _FOR.format(stake=_stake(wager))) if _is_reworded(house, wager) else chosen
    if len(wager.paytables) > 1:
        return replace(_by_hands(house, wager), caption=caption, note=note)
    table = wager.paytables[0]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (words(capitalized(line_words(line.hand))), words(printed_pay(house, wager, line)), _line_law(table, line))
        for line in table.line
    )
    return Grid(("Hand", "Pays", "Clause"), rows, (LEFT, RIGHT, LEFT), caption, widths=(6, 5, 7), note=note)


def _by_hands(house: HouseRules, wager: HouseWager) -> Grid:
    tables = sorted(wager.paytables, key=lambda table: table.players or 0)
    hands = dict.fromkeys(line.hand for table in tables for line in table.line)
    pays = [{line.hand: printed_pay(house, wager, line) for line in table.line} for table in tables]
    rows: list[tuple[Cell, ...]] = [
        (words(capitalized(line_words(hand))), *(words(column.get(hand, "")) for column in pays)) for hand in hands
    ]
    rows.append((words("Clause"), *(cites(table) for table in tables)))
    head = ("Hand", *(counted(table.players or 0, "hand") for table in tables))
    return Grid(head, tuple(rows), (LEFT, *(RIGHT,) * len(tables)))


def _line_law(table: Paytable, line: Line) -> Words:
    return cites(Cited(clause=line.clause or table.clause, reading=line.reading or table.reading))


def _is_reworded(house: HouseRules, wager: HouseWager) -> bool:
    return is_without_for(house) and any(" for " in line.pays for line in wager.paytables[0].line)


def _stake(wager: HouseWager) -> str:
    return dollars(wager.stakes.minimum) if wager.stakes is not None else ""


# --- the progressive


def _progressive(submission: Submission, house: HouseRules, wager: HouseWager) -> list[Block]:
    meters: tuple[tuple[Cell, ...], ...] = tuple(
        (
            words(Strong(meter.name), _label(house, meter.name)),
            words(_paid_on(wager, meter.name)),
            words(dollars(meter.initial)),
            words(dollars(meter.reset)),
            words(_least(house, wager, meter.name)),
            words(rate_words(Fraction(meter.rate, MILLION))),
            (
                *law_of(house, f"wagers.{wager.name}.meters.{meter.name}.initial"),
                "; ",
                *cites(house.rulebook.paytables.rate),
            ),
        )
        for meter in wager.meters
    )
    head = ("Meter", "Paid on", "Initial", "Reset", "At least", "Rate", "Clause")
    aligned = (LEFT, LEFT, RIGHT, RIGHT, RIGHT, LEFT, LEFT)
    return [
        Heading("Progressive"),
        Grid(head, meters, aligned, widths=(5, 7, 5, 5, 5, 6, 7)),
        Grid(("Choice", "Chosen", "Clause"), tuple(_terms(submission, house, wager)), (LEFT,) * 3, widths=(5, 10, 6)),
    ]


def _label(house: HouseRules, meter: str) -> str:
    return f" (“{meter_words(house, meter)}”)" if meter in dict(house.options.meter_labels) else ""


def _paid_on(wager: HouseWager, meter: str) -> str:
    pays = [(line.hand, parse_pay(line.pays)) for line in wager.paytables[0].line]
    return listed(
        f"{line_words(hand)} {pay.percent}%" for hand, pay in pays if isinstance(pay, Share) and pay.meter == meter
    )


def _least(house: HouseRules, wager: HouseWager, meter: str) -> str:
    row = minimum_of(house, wager, meter)
    return dollars(parse_dollars(row.amount)) if row is not None and row.amount else "as approved"


def _terms(submission: Submission, house: HouseRules, wager: HouseWager) -> Iterator[tuple[Cell, ...]]:
    rows = {row.key: row for row in chosen_rows(house)}
    before = f"wagers.{wager.name}."
    yield words("Stake"), words(Strong(_stake(wager))), rows[f"{before}minimum"].law
    reserve = rows.get(f"{before}reserve_rate")
    if reserve is not None:
        yield words("Reserve"), words(Strong(reserve.chosen)), reserve.law
    envy = rows.get(f"{before}envy")
    said = capitalized(envy.chosen) if envy is not None else "None with this paytable and stake"
    law = envy.law if envy is not None else cites(house.rulebook.paytables.envy_choice)
    yield words("Envy bonus"), words(Strong(said)), law
    link = law_of(house, f"{before}link")
    yield words("Link"), words(Strong(wager.link or "Not linked"), *_linked(submission, wager)), link
    threshold = rows["handpay_threshold"]
    whole = "every award of a whole meter" if house.options.handpay_hundred_percent else "no award as such"
    more = f"; other awards from {threshold.chosen}" if house.handpay_threshold is not None else ""
    yield words("Hand pay"), words(Strong(capitalized(f"{whole}{more}"))), threshold.law


def _linked(submission: Submission, wager: HouseWager) -> Words:
    choice = submission.wagers.get(wager.name)
    tables = choice.link.tables if choice is not None and choice.link is not None else ()
    with_these = [
        f"paytable {row.paytable} at {dollars(row.stake)} with {counted(row.decks, 'deck')}" for row in tables
    ]
    return words(f", with {listed(with_these)}") if with_these else ()


# --- limits, approvals, options


def _limits(house: HouseRules) -> list[Block]:
    play, rules = house.rulebook.play, rules_of(house)
    rows: list[tuple[Cell, ...]] = []
    if house.payout_limit is None:
        rows.append((words("Payout limit of a hand"), words(Strong("None")), law_of(house, "payout_limit")))
    else:
        covered = listed(wager_words(wager.name) for wager in house.wagers if wager.name in rules.limited)
        said = words(Strong(dollars(house.payout_limit)), f" on {covered}" if covered else " on no wager offered")
        rows.append((words("Payout limit of a hand"), said, law_of(house, "payout_limit")))
    coupon = house.rulebook.wagers.instruments.coupon
    if coupon is not None or house.match_play:
        pays = f"Coupons pay {house.match_play}" if house.match_play else "Not accepted"
        rows.append((words("Match play"), words(Strong(pays)), law_of(house, "match_play")))
    accepted = house.rulebook.wagers.instruments
    names = listed(f"{spoken(name)}s" for name in accepted.accepted if name != "match_play_coupon")
    rows.append((words("Bets are made with"), words(capitalized(names)), cites(accepted)))
    if play.handpay is not None and house.handpay_threshold is not None and not any(w.meters for w in house.wagers):
        rows.append((words("Hand pay"), words(f"from {dollars(house.handpay_threshold)}"), cites(play.handpay)))
    return [
        Heading("Limits and coupons"),
        Grid(("Choice", "Chosen", "Clause"), tuple(rows), (LEFT,) * 3, widths=(5, 10, 6)),
    ]


def _approvals(house: HouseRules) -> list[Block]:
    rules = approval_rules(house.rulebook)
    if not house.approvals:
        return [Heading("Approvals"), Paragraph(words("No approval reference is given."))]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            words(capitalized(spoken(name))),
            words(Strong(reference)),
            cites(rules.get(name)) or words("asked by no rule"),
        )
        for name, reference in house.approvals
    )
    return [Heading("Approvals"), Grid(("Approval of", "Reference", "Clause"), rows, (LEFT,) * 3, widths=(5, 10, 6))]


def _options(submission: Submission, house: HouseRules) -> list[Block]:
    answers = {reading.number: reading.answer for reading in load_readings()}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            words(Mono(option.rule.name)),
            words(
                Strong(option_value_words(option.rule.name, house.options.named(option.rule.name))),
                f" ({_standing(submission, house, option)})",
            ),
            words(f"{option.rule.about} ", f"Read: {answers[option.rule.reading]}"),
            cites(Cited(clause=option.clause, reading=option.rule.reading)),
        )
        for option in house.rulebook.options
    )
    said = "Where the document leaves a point open a numbered reading decides it; these leave the operator a choice."
    head = ("Option", "Value", "What it decides, and how the point is read", "Clause")
    return [Heading("Options by reading"), Grid(head, rows, (LEFT,) * 4, widths=(12, 6, 17, 6), note=words(said))]


def _standing(submission: Submission, house: HouseRules, option: Option) -> str:
    name, value = option.rule.name, house.options.named(option.rule.name)
    if option.fixed:
        return "fixed by the document"
    if any(key == name or key.startswith(f"{name}.") for key in submission.readings):
        return "chosen" if value != option.default else "chosen, as by default"
    return "default" if value == option.default else "by the reading"
