"""The progressive in the math report: configuration, break-even, long run, time between hits, liability, envy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.documents.math.meters import MathMeter, MathProgressive
from croupier.documents.math.words import (
    cents_up,
    decimal,
    exactly,
    fine_percent,
    money,
    number,
    once_in,
    share,
    text,
    together,
)
from croupier.documents.paper import Align, Block, Cell, Facts, Grid, Heading, PageBreak, Paragraph, Words, words
from croupier.money import print_dollars
from croupier.present import counted, listed

__all__ = ["progressive_blocks"]

HOURS_PER_DAY = 24


def progressive_blocks(progressive: MathProgressive) -> Iterator[Block]:
    """The section on the progressive."""
    yield PageBreak()
    yield Heading("The progressive")
    yield Facts(tuple(_facts(progressive)))
    yield _configuration(progressive)
    yield Heading("Meters and break-even", 2)
    yield together(*_break_even(progressive))
    if progressive.long_run is None:
        yield Paragraph(
            words(
                "The long run is not known exactly: this house tops its meters up to the reset "
                "(option meter.floor, reading 22)."
            )
        )
    else:
        yield Heading("The long run", 2)
        yield together(*_long_run(progressive))
        yield Heading("Time between hits", 2)
        yield together(_times(progressive))
    yield Heading("Liability", 2)
    yield together(*_liability(progressive))
    if progressive.envy:
        yield Heading("Envy", 2)
        yield together(_envy(progressive))
    elif progressive.wager.envy is not None:
        yield Paragraph(
            words("Envy has no exact figure here: folding ends the claim to it (option envy.after_fold, reading 42).")
        )


def _facts(progressive: MathProgressive) -> Iterator[tuple[str, Words]]:
    record, run = progressive.record, progressive.long_run
    yield "Paytable", text(f"{record.paytable} at a stake of {print_dollars(progressive.stake)}")
    if progressive.wager.link:
        yield "Link", text(f"linked as {progressive.wager.link}: tables on the link share the meters")
    fixed = record.fixed_return or Fraction(0)
    yield "Fixed return", (f"{share(fixed)} whatever the meters show, exactly ", *exactly(fixed))
    yield "At the opening meters", (f"house edge {share(record.edge)}, exactly ", *exactly(record.edge))
    if run is not None:
        yield "Return in the long run", (f"{share(run.returned)}, exactly ", *exactly(run.returned))
        yield "House edge in the long run", (f"{share(run.edge)}, exactly ", *exactly(run.edge))
        if run.reserve:
            yield "Reserve", text(f"{_fine(run.reserve)} of each wager is set aside; it is in no return")
    if progressive.mean_deviation is not None:
        yield (
            "Standard deviation",
            text(
                f"{decimal(record.outcomes.standard_deviation, 4)} stakes a round at the opening meters, "
                f"{decimal(progressive.mean_deviation, 4)} at the long-run averages"
            ),
        )


def _rate(millionths: int) -> str:
    """A rate in percent.

    >>> _rate(100_000), _rate(1)
    ('10%', '0.0001%')
    """
    return f"{millionths / 10_000:g}%"


def _configuration(progressive: MathProgressive) -> Grid:
    reserve = progressive.wager.reserve_rate
    return Grid(
        head=("Meter", "Opens at", "Resets to", "Share of each stake", "Added per wager"),
        rows=tuple(
            (
                text(meter.terms.name),
                text(print_dollars(meter.terms.initial)),
                text(print_dollars(meter.terms.reset)),
                text(_rate(meter.terms.rate)),
                text(_fine(Fraction(meter.terms.rate * progressive.stake, 10**6))),
            )
            for meter in progressive.meters
        ),
        align=("left", "right", "right", "right", "right"),
        caption="Configuration",
        note=words(f"A further {_rate(reserve)} of each stake goes to the reserve.") if reserve else (),
    )


def _break_even(progressive: MathProgressive) -> Iterator[Block]:
    adapts = any(meter.adapted is not None for meter in progressive.meters)
    yield Grid(
        head=(
            "Meter",
            "Coefficient",
            "Exactly",
            "Break-even",
            "Exactly, in dollars",
            *(["With adapted play"] if adapts else []),
        ),
        rows=tuple(_break_even_row(meter, adapts=adapts) for meter in progressive.meters),
        align=("left", "right", "left", "right", "left", *_right(is_there=adapts)),
        widths=(2, 4, 5, 4, 5, *([4] if adapts else [])),
        note=words(
            "The coefficient is the share of the meter that one wager wins on average. From its break-even on a "
            "meter gives the player the edge while the other meters stay at their opening amounts"
            + (
                "; with play of the main game adapted to the meter, at a main bet of "
                f"{print_dollars(progressive.ante)}, already from the last column on."
                if adapts
                else "."
            )
        ),
    )


def _break_even_row(meter: MathMeter, *, adapts: bool) -> tuple[Cell, ...]:
    price = meter.price
    row = (
        text(price.name),
        text(fine_percent(price.coefficient)),
        exactly(price.coefficient),
        text(print_dollars(cents_up(price.break_even))),
        exactly(price.break_even),
    )
    return (*row, text("" if meter.adapted is None else print_dollars(meter.adapted))) if adapts else row


def _long_run(progressive: MathProgressive) -> Iterator[Block]:
    seats = progressive.paces[-1][0]
    rows, exact = [], []
    for meter in progressive.meters:
        if meter.alone is None or meter.full is None:
            continue
        run = meter.alone
        rows.append(
            (
                text(run.name),
                text(_fine(run.contribution)),
                text(_fine(run.reseed)),
                text(_fine(run.paid)),
                text(money(run.mean)),
                text(money(meter.full.mean)),
            )
        )
        exact.append(
            (text(run.name), exactly(run.reseed / 100), exactly(run.mean / 100), exactly(meter.full.mean / 100))
        )
    yield Grid(
        head=(
            "Meter",
            "Added",
            "Reseeded",
            "Paid",
            "Average meter, 1 player",
            f"Average meter, {counted(seats, 'player')}",
        ),
        rows=tuple(rows),
        align=("left", "right", "right", "right", "right", "right"),
        note=words(
            "Per wager, over all the rounds that the meters will ever see: what the stake adds, what the house "
            "puts in at resets, and their sum, which is what the meter pays. Whether a hand hits does not depend "
            "on the meter, so the average award is that share of the average meter. The return does not depend on "
            "the number of players; the average meter does, because two hands can win in one round."
        ),
    )
    yield Grid(
        head=("Meter", "Reseeded", "Average meter, 1 player", f"Average meter, {counted(seats, 'player')}"),
        rows=tuple(exact),
        align=("left", "left", "left", "left"),
        widths=(2, 4, 5, 5),
        caption="The same as fractions of a dollar",
    )


def _times(progressive: MathProgressive) -> Grid:
    rows: list[tuple[Cell, ...]] = []
    for meter in progressive.meters:
        run = meter.alone
        if run is None:
            continue
        for players, pace in progressive.paces:
            wagers = players * pace
            between = 1 / run.whole if run.whole else None
            rows.append(
                (
                    text(run.name),
                    text(number(players)),
                    text(number(pace)),
                    text(once_in(run.hit)),
                    text(once_in(run.whole)),
                    text("never" if between is None else _long_time(between / wagers)),
                )
            )
    return Grid(
        head=(
            "Meter",
            "Players",
            "Rounds per hour",
            "Wagers per award",
            "Wagers per full award",
            "Time between full awards",
        ),
        rows=tuple(rows),
        align=("left", "right", "right", "right", "right", "right"),
        note=words(
            "One table, open around the clock, every player on the progressive in every round. Rounds per hour are "
            "those of the table-speed model for the devices of this house, an assumption and not a measurement."
        ),
    )


def _liability(progressive: MathProgressive) -> Iterator[Block]:
    outlay, seats = progressive.outlay, progressive.paces[-1][0]
    opening = listed(print_dollars(meter.terms.initial) for meter in progressive.meters)
    others = seats - 1
    envy = (
        f" and {print_dollars(outlay.envy)} of envy to each of {counted(others, 'other player')}" if outlay.envy else ""
    )
    yield Paragraph(
        words(
            f"What the meters show is owed to the players. The house puts up {opening} when it opens, and the reset "
            f"after every full award. Beside the meters one hand costs at most {print_dollars(outlay.fixed)} by a "
            f"fixed line{envy}."
        )
    )
    rows = [
        (text(meter.terms.name), text(_chance(owed.chance)), text(number(owed.wagers)), text(money(owed.most)))
        for meter in progressive.meters
        for owed in meter.owed
    ]
    if rows:
        yield Grid(
            head=("Meter", "Chance that it is won by then", "Wagers since the reset", "Meter at most"),
            rows=tuple(rows),
            align=("left", "right", "right", "right"),
            note=words("The reset, and what these wagers add, one wager per round. Partial awards only take from it."),
        )


def _envy(progressive: MathProgressive) -> Grid:
    run = progressive.long_run
    rows = []
    for players, added in progressive.envy:
        row = [text(number(players)), text(share(added)), exactly(added), text(share(progressive.record.edge - added))]
        rows.append((*row, *([text(share(run.edge - added))] if run is not None else [])))
    lasting = ["House edge, long run"] if run is not None else []
    return Grid(
        head=("Players", "Envy adds", "Exactly", "House edge, opening meters", *lasting),
        rows=tuple(rows),
        align=("right", "right", "left", "right", *_right(is_there=run is not None)),
        note=words(
            "Everybody at the table bets the progressive and plays best. Envy is in no other figure of this report."
        ),
    )


def _right(*, is_there: bool) -> tuple[Align, ...]:
    """The alignment of a column that may be missing."""
    return ("right",) if is_there else ()


def _chance(chance: Fraction) -> str:
    return f"{decimal(chance * 100, 0)}%"


def _fine(cents: Fraction) -> str:
    """Dollars down to a hundredth of a cent."""
    return f"${decimal(cents / 100, 4)}"


def _long_time(hours: Fraction) -> str:
    """
    >>> _long_time(Fraction(30)), _long_time(Fraction(4800))
    ('30.0 hours', '200.0 days')
    """
    return f"{decimal(hours, 1)} hours" if hours < 2 * HOURS_PER_DAY else f"{decimal(hours / HOURS_PER_DAY, 1)} days"
