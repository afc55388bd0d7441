"""The math report: what a test laboratory asks for, in its order, every figure from the exact mathematics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb
from typing import Final

from croupier.cards import DECK
from croupier.documents.house_words import cites
from croupier.documents.math.figures import MathFigures, MathWager, figures_of
from croupier.documents.math.meter_tables import progressive_blocks
from croupier.documents.math.played import limit_blocks, simulation_blocks, strategy_blocks
from croupier.documents.math.spread import COCHRAN, FEWEST, LEVELS, deviations
from croupier.documents.math.tables import ends_table, exact_table, priced_at, summary_table, wager_blocks
from croupier.documents.math.words import decimal, number, text, together
from croupier.documents.paper import (
    Block,
    Cite,
    Facts,
    Grid,
    Heading,
    Items,
    Mono,
    PageBreak,
    Paper,
    Paragraph,
    Strong,
    Words,
    words,
)
from croupier.documents.particulars import Particulars
from croupier.documents.round_procedure import choice_words
from croupier.present import capitalized, counted, dollars, listed, spoken, stakes_words, titled
from croupier.rulebook import HouseRules, HouseWager
from croupier.rulebook.schema import Cited

__all__ = ["math_report"]

METHODS: Final[Mapping[str, tuple[str, str]]] = {
    "best play over every set of cards": (
        (
            "Backward over every set of known cards that differs by more than the names of suits, for each amount "
            "staked, in whole numbers; then forward, to count the deals that end in each way."
        ),
        (
            "The engine that runs tables settles every class of deals with the advised actions; a plain recursion "
            "finds the same value."
        ),
    ),
    "every hand of the player by kinds of side cards, the dealer's counted by suits": (
        (
            "For each flush of the player the other suits by what they leave the dealer; the dealer's hands as a "
            "product of four polynomials, one for each suit."
        ),
        "Every hand of the dealer dealt out, against a sample of the player's hands.",
    ),
    "every hand counted": (
        "Every hand there is, counted once: five and six cards one by one, seven cards by sets of ranks of each suit.",
        f"The same counts by formula, and all {number(comb(len(DECK), 7))} hands of seven cards one by one.",
    ),
    "best play of the main game": (
        "Every deal of the main game; a hand that best play folds loses the wager.",
        "The counts of the hands kept and folded add up to all deals; an independent program recounts the certificate.",
    ),
    "disjoint pairs of cards by inclusion and exclusion": (
        "For each board the ways to deal disjoint pairs that avoid the winning ones, by inclusion and exclusion.",
        "Every pair of disjoint pairs dealt out, for two players.",
    ),
}
"""How each kind of price is counted, and by which second method it was checked."""


def math_report(house: HouseRules, particulars: Particulars) -> Paper:
    """The math report of a house."""
    figures, source = figures_of(house), house.rulebook.source
    blocks = [
        *_identification(figures, particulars),
        *_in_brief(figures),
        *_rules(house),
        *_method(figures),
        *_wagers(figures),
        *strategy_blocks(figures),
        *(progressive_blocks(figures.progressive) if figures.progressive else ()),
        *limit_blocks(figures),
        *simulation_blocks(figures),
        *_assumptions(figures),
        *_certificates(figures),
        *_fractions(figures),
        *_ends(figures),
    ]
    return Paper(
        title=f"{source.title}: Math Report",
        subtitle=", ".join(part for part in (house.operator, source.jurisdiction, _version(particulars)) if part),
        blocks=tuple(blocks),
        foot=" · ".join(
            part
            for part in (figures.software, f"rules {house.hash[:16]}", _version(particulars), _day(particulars))
            if part
        ),
        contents=True,
        cover=True,
    )


def _version(particulars: Particulars) -> str:
    return f"version {particulars.version}" if particulars.version else ""


def _day(particulars: Particulars) -> str:
    day = particulars.date
    return f"{day:%B} {day.day}, {day.year}" if day else ""


# --- scope and identification


def _identification(figures: MathFigures, particulars: Particulars) -> Iterator[Block]:
    house, source = figures.house, figures.house.rulebook.source
    yield Heading("Scope and identification")
    yield Paragraph(
        words(
            f"This report gives the mathematics of {source.title} as {house.operator or 'this house'} submits it under "
            f"the rules of {source.jurisdiction}: every wager offered, with its paytable, counts, return, spread and "
            "strategy. Figures are fractions first and are rounded only where they are printed. It holds for the rules "
            "with the hashes below and for no others."
        )
    )
    facts: list[tuple[str, Words]] = [
        ("Game", text(source.title)),
        ("Operator", text(house.operator or "not named in the submission")),
        ("Regulator", text(source.regulator)),
        ("Document", text(f"{source.document} ({source.edition}, {source.status})")),
        ("Rulebook", (Mono(house.rulebook.id), ", edition ", Mono(house.rulebook.edition))),
        ("Hash of the rulebook", (Mono(house.rulebook.hash),)),
        ("Hash of the house rules", (Mono(house.hash),)),
        ("Submission", text(_version(particulars) or "without a version")),
        ("Date", text(_day(particulars) or "none given")),
        ("Software", text(figures.software)),
        ("Hash of its source", (Mono(figures.code), " (everything that a price depends on)")),
        ("Hash of the simulation", (Mono(figures.simulation.key), " (plan, random streams and kernels)")),
        ("Seats", text(f"{house.seats}, {house.boxes} {'box' if house.boxes == 1 else 'boxes'} for each player")),
        ("Wagers", text(capitalized(listed(titled(wager.name) for wager in house.wagers)))),
    ]
    yield Facts(tuple(facts))
    if figures.unpriced:
        yield Paragraph(words("Outside the scope, because an option leaves it without an exact price:"))
        yield Items(tuple(words(_unpriced(what)) for what in figures.unpriced))
    yield Paragraph(
        words(
            "The same figures are in a workbook with live formulas, made from the same submission by ",
            Mono(COMMAND),
            ".",
        ),
    )


def _unpriced(what: str) -> str:
    name, _, why = what.partition(":")
    return f"{titled(name)}:{why}"


COMMAND: Final = "croupier document math SUBMISSION --out math.xlsx"


def _in_brief(figures: MathFigures) -> Iterator[Block]:
    yield Heading("Summary")
    yield together(summary_table(figures.wagers))


# --- rules in brief


def _rules(house: HouseRules) -> Iterator[Block]:
    book, play = house.rulebook, house.rulebook.play
    yield Heading("Rules in brief")
    script = next(script for script in book.dealing.script if script.deal == house.deal and not script.option)
    again = f", {script.passes} times" if script.passes > 1 else ""
    deal = listed(
        f"{counted(step.cards, 'card')} to {_place(step.to)}"
        for step in script.step
        if step.offered is None or house.wager(step.offered) is not None
    )
    yield Paragraph(words(f"One deck of {len(DECK)} cards. The deal: {deal}{again}. "))
    versus = (play.versus, play.versus.lower, play.versus.equal) if play.versus is not None else ()
    decided = [row for row in (*play.raise_limit, play.qualify, *versus) if row is not None]
    choices = [
        words(f"The player may {choice_words(house, choice)}. ", *cites(choice, choice.folds)) for choice in play.choice
    ]
    yield Items((*choices, *(_summary(house, row) for row in decided)))
    yield Heading("Wagers", 2)
    yield Items(tuple(_wager(house, wager) for wager in house.wagers))
    limit = house.payout_limit
    if limit is not None:
        yield Paragraph(
            words(
                f"One hand wins at most {dollars(limit)} on the wagers that the limit covers. ",
                _cite(play.payout_limit),
            )
        )


def _place(slot: str) -> str:
    return {"player": "each player", "dealer": "the dealer", "community": "the board"}.get(slot, f"the {spoken(slot)}")


def _cite(row: Cited) -> Cite:
    return Cite(row.clause, row.reading)


def _summary(house: HouseRules, row: Cited) -> Words:
    return words(f"{_said(house, row)} ", _cite(row))


def _wager(house: HouseRules, wager: HouseWager) -> Words:
    rule = next(rule for rule in house.rulebook.wagers.wager if rule.name == wager.name)
    parts = [f" {_said(house, rule)}"]
    if wager.stakes is not None:
        parts.append(f" Stake {stakes_words(wager.stakes)}.")
    parts.append(f" Paytable {wager.paytables[0].id}. ")
    return words(Strong(f"{titled(wager.name)}."), *parts, _cite(rule))


def _said(house: HouseRules, row: Cited) -> str:
    return next((clause.summary for clause in house.rulebook.clauses if clause.id == row.clause), "")


# --- method


def _method(figures: MathFigures) -> Iterator[Block]:
    yield Heading("Method")
    yield Paragraph(
        words(
            "Nothing is sampled and nothing is rounded along the way: every possible deal is counted, as whole "
            "numbers, and every figure is a fraction of two of them. The main game is priced under best play, "
            "which is worked out along the way. Each method was checked by a second one that shares no counting "
            "code with it."
        )
    )
    methods: dict[str, list[str]] = {}
    for wager in figures.wagers:
        methods.setdefault(wager.record.method, []).append(wager.title.partition(",")[0])
    yield Grid(
        head=("Wagers", "How it is counted", "Checked by"),
        rows=tuple(
            (
                text(listed(dict.fromkeys(titles))),
                *(text(said) for said in METHODS.get(method, (method, "a certificate that others recount"))),
            )
            for method, titles in methods.items()
        ),
        align=("left", "left", "left"),
        widths=(3, 5, 5),
    )
    index = decimal(deviations(LEVELS[0]), 6)
    yield Heading("What the figures mean", 2)
    yield Facts(
        (
            (
                "House edge",
                text(
                    "What the house keeps on average, as a share of one ante, of one of three equal bets, or of "
                    "one stake."
                ),
            ),
            ("Return to player", text("One unit less the house edge.")),
            ("Element of risk", text("The house edge as a share of all money wagered, later bets included.")),
            (
                "Hit frequency",
                text(
                    "How often a wager is paid: a line that pays comes up and the hand was not folded. A push is "
                    "not a pay."
                ),
            ),
            ("Variance", text("Of the net result of one round in units. Its square root is the standard deviation.")),
            (
                "Volatility index",
                text(f"The standard deviation times {index}, which holds 90% of a normal distribution."),
            ),
            (
                "Intervals",
                text(
                    "The house's win over n rounds by the normal distribution: n times the edge, plus and minus "
                    f"{listed(decimal(deviations(level), 6) for level in LEVELS)} standard deviations times the "
                    f"square root of n for {listed(f'{decimal(level * 100, 0)}%' for level in LEVELS)}. By "
                    f"Cochran's rule that is reasonable from {COCHRAN} times the squared skewness on, and from "
                    f"{FEWEST} rounds at least."
                ),
            ),
        )
    )


# --- wagers


def _wagers(figures: MathFigures) -> Iterator[Block]:
    for place, wager in enumerate(figures.wagers):
        yield PageBreak()
        if not place:
            yield Heading("The wagers")
        yield Heading(wager.title, 2)
        yield from wager_blocks(wager)


# --- assumptions


def _assumptions(figures: MathFigures) -> Iterator[Block]:
    yield Heading("Assumptions")
    yield Paragraph(
        words(
            "Where the document leaves a point open, the figures follow the readings below, by number. The payout "
            "limit is in no price of a wager; what it takes has a section of its own. A share of a meter counts "
            "exactly, although what is paid is rounded to the cent. Cards are dealt at random from a full deck; "
            "mistakes of players, irregularities and void rounds are not in any figure."
        )
    )
    yield Grid(
        head=("Reading", "Open point", "How it is read"),
        rows=tuple(
            (text(str(reading.number)), text(reading.title.replace("`", "")), text(reading.answer.replace("`", "")))
            for reading in figures.readings
        ),
        align=("right", "left", "left"),
        widths=(2, 6, 10),
        caption="Readings on which a figure rests",
    )
    options = Grid(
        head=("Option", "Reading", "This house"),
        rows=tuple(((Mono(name),), text(str(reading)), (Mono(value),)) for name, reading, value in figures.options),
        align=("left", "right", "left"),
        caption="Options of the house that a price or a payment depends on",
    )
    yield together(options)


# --- appendices


def _certificates(figures: MathFigures) -> Iterator[Block]:
    book = figures.house.rulebook
    yield PageBreak()
    yield Heading("Appendix A: certificates")
    yield Paragraph(
        words(
            "A certificate is a priced wager that anybody can check without this software: its rules, every count, "
            "the figures, and a hash over all of it. These commands write the certificates of this report and "
            "check them; the last uses one file without dependencies, written from the description of the form "
            "alone:"
        )
    )
    yield Items(
        (
            (Mono("croupier certificate write --submission SUBMISSION --output certificates.json"),),
            (Mono(f"croupier certificate rulebook {book.id} --output rulebook.json"),),
            (Mono("croupier certificate check certificates.json"),),
            (Mono("python tools/check_certificate.py certificates.json --rulebook rulebook.json"),),
        ),
        numbered=True,
    )
    yield Facts(tuple((wager.title, _certificate(wager)) for wager in figures.wagers))
    yield Paragraph(words("Hands are those that the lines count, deals those that end with each net result."), "note")


def _certificate(wager: MathWager) -> Words:
    paper, at = wager.certificate, priced_at(wager)
    counts = f"{number(int(paper.hands))} hands, {number(int(paper.deals))} deals"
    return (
        f"Paytable {paper.paytable} ",
        Cite(paper.clause),
        f"{f', {at}' if at else ''}: {counts}, hash ",
        Mono(paper.hash),
    )


def _fractions(figures: MathFigures) -> Iterator[Block]:
    yield PageBreak()
    yield Heading("Appendix B: probabilities and contributions as fractions")
    for wager in figures.wagers:
        yield together(exact_table(wager))


def _ends(figures: MathFigures) -> Iterator[Block]:
    yield PageBreak()
    yield Heading("Appendix C: every way in which a round ends")
    yield Paragraph(
        words(
            "The main game under best play, by what is at risk in the end. Net results and deals are all that the "
            "edge, the variance and the average wager are made of; the workbook works them out from these rows."
        )
    )
    for wager in figures.wagers:
        if wager.is_main:
            yield ends_table(wager)
