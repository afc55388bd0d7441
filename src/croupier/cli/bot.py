"""`croupier bot`: patrons that play at a house, for a demo with company and for measuring a server."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.live import Live

from croupier.cli.shown.console import print_json, print_line
from croupier.money import typed_dollars
from croupier.present import counted, dollars

if TYPE_CHECKING:
    from croupier.bots import BotFigures, Crowd

__all__ = ["bot"]

SIDE_BETS: Final = 0.5
"""How likely each side bet is made, with `--side-bets`."""
TIME_TO_LEAVE: Final = 10.0
"""Seconds for everybody to finish the round and stand up after Ctrl-C."""
STOPPED: Final = 130


def bot(
    url: Annotated[str, typer.Argument(metavar="URL", help="The house, such as http://127.0.0.1:8000.")],
    table: Annotated[str | None, typer.Option("--table", metavar="ID", help="Play at this table only.")] = None,
    number: Annotated[int, typer.Option("--number", "-n", min=1, max=10_000, help="How many bots.")] = 1,
    strategy: Annotated[
        str | None,
        typer.Option("--strategy", metavar="NAME", help="As croupier strategy names it.", show_default=False),
    ] = None,
    bet: Annotated[
        str | None, typer.Option("--bet", metavar="AMOUNT", help="The main wager; the minimum otherwise.")
    ] = None,
    side_bets: Annotated[bool, typer.Option("--side-bets", help="Make each side bet every other round.")] = False,
    pace: Annotated[float, typer.Option("--pace", min=0, max=3600, help="Seconds to think, on average.")] = 1.0,
    rounds: Annotated[int | None, typer.Option("--rounds", min=1, help="Leave after this many rounds.")] = None,
    name: Annotated[str, typer.Option("--name", metavar="PREFIX", help="Names begin with this.")] = "bot",
    password: Annotated[
        str | None,
        typer.Option(
            "--password", envvar="CROUPIER_PASSWORD", help="Play as PREFIX 1, PREFIX 2, … with this password."
        ),
    ] = None,
    seed: Annotated[str | None, typer.Option("--seed", help="The same seed makes the same choices.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The figures as JSON on standard output.")] = False,
) -> int:
    """Let bots play at a house through its API: they sit down, buy in, bet, and decide by a strategy.

    In a demo they sign up by themselves, under new names. Ctrl-C lets them finish the round and leave.

    [bold]croupier bot http://127.0.0.1:8000[/bold]
    [bold]croupier bot http://127.0.0.1:8000 --number 50 --pace 0.2 --rounds 100 --side-bets --json[/bold]
    """
    from croupier.bots import BotPlan, Crowd

    plan = BotPlan(
        bet=Decimal(typed_dollars(bet)) / 100 if bet is not None else None,
        side_bets=SIDE_BETS if side_bets else 0.0,
        pace=pace,
        rounds=rounds,
    )

    async def run() -> tuple[Crowd, bool]:
        crowd = Crowd(url, plan, number=number, table=table, strategy=strategy, name=name, password=password, seed=seed)
        return crowd, await _played(crowd, live=not as_json)

    crowd, stopped = asyncio.run(run())
    if as_json:
        print_json({"bots": number} | crowd.figures.plain())
    else:
        _show(crowd.figures)
    return STOPPED if stopped else 0


async def _played(crowd: Crowd, *, live: bool) -> bool:
    """Play, with a line of figures on a terminal; whether somebody stopped it."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    with suppress(NotImplementedError, RuntimeError, ValueError):  # without handlers, Ctrl-C ends it at once
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, lambda: _stop(crowd, stop))
    playing = asyncio.create_task(crowd.play())
    line = asyncio.create_task(_show_line(crowd.figures)) if live and sys.stderr.isatty() else None
    try:
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({playing, stopping}, return_when="FIRST_COMPLETED")
        if stop.is_set() and not playing.done():
            await asyncio.wait({playing}, timeout=TIME_TO_LEAVE)
        stopping.cancel()
        if playing.done():
            playing.result()
        else:
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing
    finally:
        if line is not None:
            line.cancel()
            with suppress(asyncio.CancelledError):
                await line
    return stop.is_set()


def _stop(crowd: Crowd, stop: asyncio.Event) -> None:
    """The first Ctrl-C lets everybody leave; the second ends the program."""
    if stop.is_set():
        raise KeyboardInterrupt
    stop.set()
    crowd.stop()


async def _show_line(figures: BotFigures) -> None:
    with Live(console=Console(stderr=True, highlight=False), transient=True, auto_refresh=False) as line:
        while True:
            line.update(_line(figures), refresh=True)
            await asyncio.sleep(0.25)


def _line(figures: BotFigures) -> str:
    return (
        f"{counted(figures.patrons, 'bot')}  {counted(figures.rounds, 'round')}  "
        f"{counted(figures.commands, 'command')} ({figures.refused.total():,} refused)  "
        f"p50 {1000 * figures.latency(0.5):.1f} ms  p99 {1000 * figures.latency(0.99):.1f} ms  "
        f"net {dollars(int(100 * figures.net))}"
    )


def _show(figures: BotFigures) -> None:
    seconds = max(figures.seconds, 0.001)
    per_second = f"{figures.commands / seconds:,.1f} per second"
    print_line(f"rounds    {figures.rounds:,}, {figures.rounds / seconds:,.2f} per second")
    print_line(f"commands  {figures.commands:,}, {per_second}; {figures.refused.total():,} refused")
    for code, times in figures.refused.most_common(5):
        print_line(f"          {times:,} × {code}")
    print_line(f"answered  p50 {1000 * figures.latency(0.5):.1f} ms, p99 {1000 * figures.latency(0.99):.1f} ms")
    staked, won, lost = (dollars(int(100 * amount)) for amount in (figures.staked, figures.won, figures.lost))
    print_line(f"money     {staked} bet, {won} won, {lost} lost")
    for trouble, times in figures.troubles.most_common(5):
        print_line(f"trouble   {times:,} × {trouble}")
