"""How the game is played, in the math report: strategies, what the payout limit takes, and the simulation."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from croupier.analysis import Listed
from croupier.documents.math.figures import MathFigures
from croupier.documents.math.simulation import SEED_DIGITS
from croupier.documents.math.words import decimal, exactly, number, share, text, together
from croupier.documents.paper import Block, Cell, Cite, Grid, Heading, Mono, PageBreak, Paragraph, words
from croupier.money import MINUS, percent_places, print_dollars
from croupier.present import capitalized, counted, line_words, listed, spoken, strategy_terms, titled
from croupier.simulation import MeterReport, WagerReport

__all__ = ["limit_blocks", "simulation_blocks", "strategy_blocks"]


# --- strategies


def strategy_blocks(figures: MathFigures) -> Iterator[Block]:
    """The strategies of the main game, each with its exact cost, and then their rows."""
    main = figures.main.record
    unit = main.unit
    yield PageBreak()
    yield Heading("Strategy of the main game")
    yield Paragraph(
        words(
            f"Best play is worked out for every set of cards and costs the player {share(main.edge)} of one {unit} "
            "a round. These are lists that people can memorize, with what each costs more than best play. A list "
            "whose cost is 0 is best play. In each list the first row that fits decides."
        )
    )
    yield Grid(
        head=("Strategy", "Source", "Cost", "Cost exactly", "House edge", "Average wager"),
        rows=tuple(
            (
                text(strategy.name),
                text(strategy.source),
                text(share(strategy.cost)),
                exactly(strategy.cost),
                text(share(-strategy.expectation)),
                text(decimal(strategy.average_wager, 6)),
            )
            for strategy in figures.strategies
        ),
        align=("left", "left", "right", "left", "right", "right"),
        widths=(5, 5, 3, 5, 3, 3),
        note=words(f"Costs and edges in {unit}s; the average wager is everything at risk, in {unit}s."),
    )
    for strategy in figures.strategies:
        yield Heading(capitalized(strategy.name), 3)
        yield together(_rows(strategy))
    terms = strategy_terms(row.when for strategy in figures.strategies for row in strategy.rows)
    if terms:
        yield Paragraph(words(" ".join(terms)), "note")


def _rows(strategy: Listed) -> Grid:
    return Grid(
        head=("Cards known", "When", "Do"),
        rows=tuple((text(str(row.cards)), text(row.when), text(row.do)) for row in strategy.rows),
        align=("right", "left", "left"),
        widths=(2, 9, 3),
    )


# --- the payout limit


def limit_blocks(figures: MathFigures) -> Iterator[Block]:
    """What the payout limit takes by size of the bets."""
    limit = figures.house.payout_limit
    if limit is None:
        return
    rule = figures.house.rulebook.play.payout_limit
    heading = Heading("The payout limit")
    paragraph = Paragraph(
        words(
            f"One hand wins at most {print_dollars(limit)} on the wagers that the limit covers. It is in no price "
            "above, because it depends on the bets. What it takes per round from bets of each size, when nobody "
            "plays around it: ",
            Cite(rule.clause, rule.reading),
        )
    )
    if any(size.loses is None for size in figures.limit):
        yield from (heading, paragraph)
        yield Paragraph(
            words(
                "This house puts more wagers under the limit than the document names: together they have no exact "
                "price."
            )
        )
        return
    table = Grid(
        head=("Bets", "Takes per round", "Exactly, in cents"),
        rows=tuple(
            (
                text(listed(f"{_bet(name)} {print_dollars(amount)}" for name, amount in size.bets)),
                text(f"${decimal((size.loses or 0) / 100, 4)}"),
                exactly(size.loses or 0),
            )
            for size in figures.limit
        ),
        align=("left", "right", "left"),
    )
    yield heading
    yield together(paragraph, table)


def _bet(name: str) -> str:
    return "main bet" if name == "base" else spoken(name)


# --- the simulation


def simulation_blocks(figures: MathFigures) -> Iterator[Block]:
    """Simulated beside exact, with the seed."""
    run = figures.simulation
    stakes = listed(f"{print_dollars(cents)} on {spoken(name)}" for name, cents in run.stakes)
    yield Heading("Simulation")
    yield Paragraph(
        words(
            f"{number(run.rounds)} rounds of this house, dealt, decided and settled to the cent: one player, best "
            f"play, {stakes}. Nobody chose the seed {run.seed}: the hash of the house rules begins with ",
            Mono(figures.house.hash[:SEED_DIGITS]),
            ", and that is the same number in hexadecimal digits. A round depends on the seed and its number alone, so "
            "anybody gets the same figures on any number of cores with ",
            Mono(f"croupier simulate SUBMISSION --rounds {run.rounds} --seed {run.seed}"),
            ". It checks the exact figures; none of them comes from it.",
        )
    )
    edges = Grid(
        head=("Wager", "Simulated edge", "99% interval", "Exact edge", "Verdict"),
        rows=tuple(_edge(report) for report in run.wagers),
        align=("left", "right", "right", "right", "left"),
        note=words(
            "The interval uses the exact spread where it is known, because a sample may lack the rarest wins. "
            "About 1 in 100 results falls outside its interval by chance; whoever wants to know repeats it with "
            "another seed or more rounds. Too few rounds: the exact edge is in the "
            "interval, but that proves little, because the interval is wider than the edge or most of it is due to "
            "wins too rare for so many rounds. A progressive follows its meters and has no single exact edge."
        ),
    )
    yield together(edges)
    yield Grid(
        head=("Wager", "Hand", "Expected", "Came up", "Deviations"),
        rows=tuple(_seen(figures)),
        align=("left", "left", "right", "right", "right"),
        caption="Lines of the bonuses and the progressive: how often each came up",
        note=words("Deviations: the difference in standard deviations of the count. Wagers at one table share cards."),
    )
    if run.meters:
        yield Grid(
            head=("Meter", "Began", "Added", "Resets", "Awards", "Taken", "Ended"),
            rows=tuple(_meter(meter) for meter in run.meters),
            align=("left", "right", "right", "right", "right", "right", "right"),
            caption="Meters in the simulation",
        )


def _edge(report: WagerReport) -> tuple[Cell, ...]:
    places = 2
    spread = ""
    if report.interval is not None:
        low, high = report.interval
        places = percent_places((high - low) / 2)
        spread = f"{low:z.{places}%} to {high:z.{places}%}".replace("-", MINUS)
    exact = "" if report.exact is None else share(report.exact.edge)
    edge = f"{float(report.edge):z.{places}%}".replace("-", MINUS)
    return (text(_wager(report.wager)), text(edge), text(spread), text(exact), text(_verdict(report)))


def _wager(name: str) -> str:
    return "Main Game" if name == "base" else titled(name)


def _verdict(report: WagerReport) -> str:
    if report.agrees is None:
        return "follows its meters" if report.variance is not None else "no exact edge"
    if not report.agrees:
        return "outside"
    return "agrees" if report.conclusive else "too few rounds"


def _seen(figures: MathFigures) -> Iterator[tuple[Cell, ...]]:
    rounds = figures.simulation.rounds
    for wager in figures.wagers:
        for line, (seen, expected) in zip(wager.lines, figures.simulation.seen(wager.record), strict=False):
            spread = sqrt(float(expected) * (1 - float(expected) / rounds))
            away = decimal((seen - float(expected)) / spread, 2) if spread else ""
            yield (
                text(wager.title),
                text(line_words(line.hand)),
                text(decimal(expected, 2)),
                text(number(seen)),
                text(away),
            )


def _meter(meter: MeterReport) -> tuple[Cell, ...]:
    amounts = (meter.initial, meter.contributed, meter.reseeded)
    return (
        text(meter.name),
        *(text(print_dollars(cents)) for cents in amounts),
        text(counted(meter.hits, "award")),
        text(print_dollars(meter.taken)),
        text(print_dollars(meter.final)),
    )
