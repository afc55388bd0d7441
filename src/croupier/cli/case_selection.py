"""Which cases a command line asks for, and their prices, with progress and a cache."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from croupier.analysis import (
    Case,
    Price,
    cached_prices,
    cases_of,
    cases_of_house,
    custom_cases,
    meters_of,
    unpriced,
    wagers_of,
)
from croupier.cli.shown.console import read_file
from croupier.cli.submission import verdict_of
from croupier.cli.typed_names import typed_name
from croupier.errors import Malformed
from croupier.money import Cents, parse_dollars, typed_dollars
from croupier.rulebook import HouseRules, load_rulebook, rulebook_ids, typed_paytable, typed_wager

__all__ = ["ask", "chosen_cases", "house_of", "long_run_edge", "price_all", "read_meters"]


def ask(
    rulebooks: Sequence[str],
    *,
    wager: str | None = None,
    paytable: str | None = None,
    stake: str | None = None,
    meters: Sequence[str] = (),
) -> list[Case]:
    """The cases of some rulebooks, or of all, that have this wager and paytable."""
    books = [load_rulebook(name) for name in rulebooks or rulebook_ids()]
    cases = [case for book in books for case in cases_of(book)]
    return narrow(cases, wager=wager, paytable=paytable, stake=stake, meters=meters)


def chosen_cases(
    rulebooks: Sequence[str],
    house: HouseRules | None,
    custom: Path | None,
    **narrowing: Any,  # noqa: ANN401 - as `narrow` takes them
) -> list[Case]:
    """The cases of rulebooks, of a house or of a file with custom paytables, narrowed to what was asked for."""
    if sum((house is not None, custom is not None, bool(rulebooks))) > 1:
        raise Malformed("give rulebooks, --submission or --custom: one of the three")
    if custom is not None:
        return narrow(list(custom_cases(read_file(custom), name=str(custom))), **narrowing)
    if house is None:
        return ask(rulebooks, **narrowing)
    for words in unpriced(house):
        print(f"croupier: no exact price for {words}", file=sys.stderr)
    return narrow(list(cases_of_house(house)), **narrowing)


def narrow(
    cases: list[Case],
    *,
    wager: str | None = None,
    paytable: str | None = None,
    stake: str | None = None,
    meters: Sequence[str] = (),
) -> list[Case]:
    """The cases that were asked for, at the stake and the meters that were given."""
    where = ", ".join(dict.fromkeys(case.book.id for case in cases))
    names = list(dict.fromkeys(name for case in cases for name in wagers_of(case.book)))
    meant = None if wager is None else typed_name(wager, names) or typed_wager(wager)
    of_wager = [case for case in cases if wager is None or case.wager == meant]
    if not of_wager:
        raise Malformed(f"--wager: {where} has no {wager!r}: {', '.join(names)}")
    ids = dict.fromkeys(case.table.id for case in of_wager)
    chosen = [case for case in of_wager if paytable is None or case.table.id == typed_paytable(paytable, ids)]
    if not chosen:
        raise Malformed(f"--paytable: {wager or where} has no {paytable!r}: {', '.join(ids)}")
    if stake is not None:
        chosen = _at_stake(chosen, stake)
    shown = read_meters(meters)
    return _at_meters(chosen, shown) if shown else chosen


def _at_stake(cases: list[Case], stake: str) -> list[Case]:
    cents = typed_dollars(stake)
    if cents <= 0:
        raise Malformed(f"--stake: {stake} is not a stake: it must be more than 0.00")
    staked = []
    for case in cases:
        if case.table.stakes and cents not in (case.stake, *map(parse_dollars, case.table.stakes)):
            printed = " or ".join(case.table.stakes)
            raise Malformed(f"--stake: {case.wager} {case.table.id} is printed for {printed}, not for {stake}")
        staked.append(replace(case, stake=cents))
    return list({(case.book.id, case.wager, case.table.id, case.table.players): case for case in staked}.values())


def read_meters(texts: Sequence[str], *, option: str = "--meter") -> dict[str, Cents]:
    """Meters as they are typed: `main=12345.67`, or an amount alone for the only meter."""
    meters = {}
    for text in texts:
        name, _, amount = text.rpartition("=")
        try:
            meters[name or "main"] = typed_dollars(amount)
        except Malformed as error:
            raise Malformed(f"{option} {text!r}: {error}; write main=12345.67") from None
    return meters


def _at_meters(cases: list[Case], shown: dict[str, Cents]) -> list[Case]:
    """The cases at these meters, each with the ones its paytable uses."""
    known = list(dict.fromkeys(name for case in cases for name in meters_of(case.table)))
    if unknown := [name for name in shown if name not in known]:
        have = f"the meters are {', '.join(known)}" if known else "these paytables have none"
        raise Malformed(f"--meter: no meter {unknown[0]!r} here: {have}")
    return [
        replace(case, meters={**case.meters, **{name: shown[name] for name in shown if name in meters_of(case.table)}})
        for case in cases
    ]


def house_of(path: Path) -> HouseRules:
    """The house rules of a submission, which must be valid."""
    return verdict_of(path).rules(name=str(path))


def long_run_edge(house: HouseRules) -> Fraction | None:
    """The house edge of a house's progressive in the long run; None where it is not known."""
    from croupier.analysis import has_long_run, long_run_of

    return long_run_of(house).edge if has_long_run(house) else None


def price_all(cases: Iterable[Case], *, recompute: bool = False) -> list[tuple[Case, Price]]:
    """Every record with its case; what is not cached is priced, with progress on a terminal."""
    asked = list(cases)
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    priced: list[tuple[Case, Price]] = []
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("pricing", total=len(asked))
        for case in asked:
            progress.update(task, description=f"{case.book.id} {case.wager} {case.table.id}")
            priced += [(case, record) for record in cached_prices(case, recompute=recompute)]
            progress.advance(task)
    return priced
