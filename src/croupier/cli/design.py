"""`croupier design`: what each line of a paytable is worth, and paytables that meet a target."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console

from croupier.analysis.cases import Case
from croupier.cli.analyze import complete_wager
from croupier.cli.case_selection import ask
from croupier.cli.rulebook import complete_rulebook
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.shown.price_tables import case_words, hand_words, percent
from croupier.errors import Malformed
from croupier.money import parse_pay
from croupier.rulebook.schema import Line
from croupier.wire import clip

if TYPE_CHECKING:
    from croupier.analysis.workbench import Designed

__all__ = ["design", "read_share"]

_SHARE: Final = re.compile(r"-?\d{1,9}(\.\d{1,12})? ?%?|-?\d{1,12}/[1-9]\d{0,11}")
PER_TABLE: Final = 4


def read_share(text: str, *, name: str) -> Fraction:
    """A share as people type it.

    >>> read_share("5.25%", name="--edge"), read_share("1/20", name="--edge"), read_share("0.05", name="--edge")
    (Fraction(21, 400), Fraction(1, 20), Fraction(1, 20))
    """
    plain = text.strip()
    if not _SHARE.fullmatch(plain):
        raise Malformed(f"{name}: {clip(repr(text))} is not a share: write 5%, 0.05 or 1/20")
    share = Fraction(plain.removesuffix("%").strip()) / (100 if plain.endswith("%") else 1)
    if abs(share) > 1:
        raise Malformed(f"{name}: {text} is more than the whole; 5% is 0.05")
    return share


def design(
    rulebook: Annotated[
        str, typer.Argument(metavar="RULEBOOK", autocompletion=complete_rulebook, help="Such as md-mississippi-stud.")
    ],
    wager: Annotated[str, typer.Argument(metavar="WAGER", autocompletion=complete_wager, help="base or a bonus.")],
    paytable: Annotated[
        str | None, typer.Option("--like", "-p", help="Begin from this paytable; the first without it.")
    ] = None,
    edge: Annotated[str | None, typer.Option(help="The house edge to meet: 5%, 0.05 or 1/20.")] = None,
    within: Annotated[str, typer.Option(help="How near the edge has to come.")] = "0.1%",
    hit: Annotated[str | None, typer.Option(help="A hit frequency to come near to, by leaving weak lines out.")] = None,
    stake: Annotated[str | None, typer.Option(help="The stake, where a prize is a fixed amount: 5.00")] = None,
    players: Annotated[int | None, typer.Option(help="Players at the table, for Cover All.", min=1, max=6)] = None,
    most: Annotated[int, typer.Option(help="How many paytables to show.", min=1, max=1000)] = 4,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """Design a paytable: what one more on each line costs, or whole-number paytables that meet a target edge.

    [bold]croupier design md-mississippi-stud three_card_bonus --like A[/bold]
    [bold]croupier design md-mississippi-stud three_card_bonus --edge 4% --within 0.05%[/bold]

    Exit code 1: no paytable near this one meets the target.
    """
    cases = ask([rulebook], wager=wager, paytable=paytable, stake=stake)
    case = next((one for one in cases if players in (None, one.table.players)), None)
    if case is None:
        raise Malformed(f"--players: {wager} does not depend on how many there are")
    if edge is None and hit is not None:
        raise Malformed("--hit goes with --edge")
    if edge is None:
        _show_sensitivity(case, as_json=as_json)
        return 0
    shares = {"edge": read_share(edge, name="--edge"), "within": read_share(within, name="--within")}
    return _search(case, shares, None if hit is None else read_share(hit, name="--hit"), most=most, as_json=as_json)


def _show_sensitivity(case: Case, *, as_json: bool) -> None:
    from croupier.analysis.workbench import sensitivity

    with Console(stderr=True).status("pricing each line"):
        found = sensitivity(case)
    if as_json:
        print_json(
            [
                {"hand": one.hand, "pays": one.pays, "edge_exact": str(one.edge), "change_exact": str(one.change)}
                | {"edge": float(one.edge), "change": float(one.change)}
                for one in found
            ]
        )
        return
    rows = [(hand_words(one.hand), one.pays, percent(one.change), percent(one.edge), str(one.change)) for one in found]
    title = f"{_title(case)}: one more on each line"
    print_table(("hand", "pays", "edge moves by", "to", "exactly"), rows, title=title)


def _search(case: Case, shares: dict[str, Fraction], hit: Fraction | None, *, most: int, as_json: bool) -> int:
    from croupier.analysis.workbench import design as search

    with Console(stderr=True).status("searching"):
        places, found = search(case, hit=hit, most=most, **shares)
    lines = [case.table.line[place] for place in places]
    if as_json:
        print_json(
            [
                {
                    "pays": {
                        line.hand: f"{number} {_kind(line.pays)} 1"
                        for line, number in zip(lines, one.pays, strict=True)
                    }
                }
                | {"house_edge": float(one.edge), "house_edge_exact": str(one.edge), "hit_frequency": float(one.hit)}
                for one in found
            ]
        )
    elif found:
        for first in range(0, len(found), PER_TABLE):
            _show_designs(case, lines, found[first : first + PER_TABLE], first)
    else:
        target = f"{percent(shares['edge'])} ± {percent(shares['within'])}"
        console().print(
            f"No paytable like {case.table.id} has a house edge of {target}; begin from another, or widen it."
        )
    return 0 if found else 1


def _show_designs(case: Case, lines: Sequence[Line], found: Sequence[Designed], first: int) -> None:
    rows = [(hand_words(line.hand), *(f"{one.pays[place]:,}" for one in found)) for place, line in enumerate(lines)]
    rows += [
        ("[bold]house edge[/bold]", *(f"[bold]{percent(one.edge)}[/bold]" for one in found)),
        ("exactly", *(str(one.edge) for one in found)),
        ("hit frequency", *(percent(one.hit, 2) for one in found)),
    ]
    columns = ("pays", *(str(first + number) for number in range(1, len(found) + 1)))
    print_table(columns, rows, title="" if first else f"like {_title(case)}; lines that pay dollars or a meter stay")


def _title(case: Case) -> str:
    from croupier.analysis.workbench import record_of

    words = case_words(record_of(case))
    return f"{case.book.id} {case.wager} {case.table.id}{f' ({words})' if words else ''}"


def _kind(pays: str) -> str:
    return type(parse_pay(pays)).__name__.lower()
