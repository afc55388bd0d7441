"""`croupier design`: what each line of a paytable is worth, and paytables that meet a target."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console

from croupier.analysis import Case
from croupier.cli.case_selection import ask
from croupier.cli.completions import complete_wager
from croupier.cli.rulebook_names import rulebook_argument
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.shown.price_tables import case_words, hand_words, percent
from croupier.cli.simulation_options import whole_number
from croupier.errors import Malformed
from croupier.money import For, Push, To, parse_pay
from croupier.rulebook.schema import Line
from croupier.wire import clip

if TYPE_CHECKING:
    from croupier.analysis import Designed

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
        raise Malformed(f"{name}: {clip(repr(text))} is not a percentage or fraction: write 5%, 0.05 or 1/20")
    share = Fraction(plain.removesuffix("%").strip()) / (100 if plain.endswith("%") else 1)
    if abs(share) > 1:
        hint = "" if plain.endswith("%") or "/" in plain else f"; a percentage is written {plain.removeprefix('-')}%"
        raise Malformed(f"{name}: {text} is more than 100%{hint}")
    return share


def design(
    rulebook: Annotated[str, rulebook_argument()],
    wager: Annotated[str, typer.Argument(metavar="WAGER", autocompletion=complete_wager, help="base or a bonus.")],
    paytable: Annotated[
        str | None, typer.Option("--like", "-p", help="Start from this paytable; by default the first.")
    ] = None,
    edge: Annotated[str | None, typer.Option(help="The house edge to meet: 5%, 0.05 or 1/20.")] = None,
    within: Annotated[str, typer.Option(help="Tolerance around the target edge.")] = "0.1%",
    hit: Annotated[str | None, typer.Option(help="Target hit frequency, met by dropping weak lines.")] = None,
    stake: Annotated[str | None, typer.Option(help="Stake to use where a prize is a fixed amount: 5.00")] = None,
    players: Annotated[
        int | None, whole_number("--players", text="Players at the table, for Cover All.", most=6)
    ] = None,
    changes: Annotated[
        int | None,
        typer.Option(
            help="How many lines may change; by default two, or as many more as it takes.", min=1, show_default=False
        ),
    ] = None,
    most: Annotated[int, whole_number("--most", text="How many paytables to show.", most=1000)] = 4,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """Design a paytable: what one more on each line costs, or whole-number paytables that meet a target house edge.

    Every number that a payout sign prints, from half to twice the present one, is tried on up to two lines, or on more
    until some meet the target; stronger hands never pay less. The nearest are priced exactly, main games under optimal
    play.

    [bold]croupier design md-mississippi-stud three_card_bonus --like A[/bold]
    [bold]croupier design md-mississippi-stud three_card_bonus --edge 4% --within 0.05%[/bold]

    Exit code 1: no such paytable meets the target.
    """
    cases = ask([rulebook], wager=wager, paytable=paytable, stake=stake)
    case = next((case for case in cases if players in (None, case.table.players)), None)
    if case is None:
        raise Malformed(f"--players: {wager} does not depend on the number of players")
    if edge is None and hit is not None:
        raise Malformed("--hit requires --edge")
    if edge is None:
        _show_sensitivity(case, as_json=as_json)
        return 0
    shares = {"edge": read_share(edge, name="--edge"), "within": read_share(within, name="--within")}
    frequency = None if hit is None else read_share(hit, name="--hit")
    return _search(case, shares, frequency, changes, most=most, as_json=as_json)


def _show_sensitivity(case: Case, *, as_json: bool) -> None:
    from croupier.analysis import sensitivity

    with Console(stderr=True).status("pricing each line"):
        lines = sensitivity(case)
    if as_json:
        print_json(
            [
                {"hand": line.hand, "pays": line.pays, "edge_exact": str(line.edge), "change_exact": str(line.change)}
                | {"edge": float(line.edge), "change": float(line.change)}
                for line in lines
            ]
        )
        return
    rows = [
        (hand_words(line.hand), line.pays, percent(line.change), percent(line.edge), str(line.change)) for line in lines
    ]
    title = f"{_title(case)}: one more on each line"
    print_table(("hand", "pays", "edge change", "new edge", "exact"), rows, title=title)


def _search(
    case: Case, shares: dict[str, Fraction], hit: Fraction | None, changes: int | None, *, most: int, as_json: bool
) -> int:
    from croupier.analysis import design as search_designs

    with Console(stderr=True).status("searching"):
        search = search_designs(case, hit=hit, most=most, changes=changes, **shares)
    lines, designs = [case.table.line[place] for place in search.places], search.designs
    if as_json:
        print_json([_plain(lines, design, changes=search.changes) for design in designs])
        return 0 if designs else 1
    for first in range(0, len(designs), PER_TABLE):
        _show_designs(case, lines, designs[first : first + PER_TABLE], first)
    many = "any of the lines" if search.changes == len(lines) else f"up to {search.changes} of {len(lines)} lines"
    counts = f"{search.candidates:,} paytables that change {many}, {search.priced:,} of them priced exactly"
    if not search.is_complete:
        counts += "; there are too many to price them all"
    if designs:
        console().print(f"[dim]Nearest of {counts}.[/dim]")
    else:
        target = f"{percent(shares['edge'])} ± {percent(shares['within'])}"
        console().print(f"No match for a house edge of {target} like {case.table.id}, among {counts}.")
        console().print("Start from another paytable with --like, widen --within, or set --changes.")
    return 0 if designs else 1


def _plain(lines: Sequence[Line], design: Designed, *, changes: int) -> dict[str, object]:
    pays = zip(lines, design.pays, strict=True)
    return {
        "pays": {line.hand: f"{number} {_kind(line.pays)} 1" for line, number in pays},
        "house_edge": float(design.edge),
        "house_edge_exact": str(design.edge),
        "hit_frequency": float(design.hit),
        "changes_searched": changes,
    }


def _show_designs(case: Case, lines: Sequence[Line], designs: Sequence[Designed], first: int) -> None:
    rows = [
        (hand_words(line.hand), *(f"{design.pays[place]:,}" for design in designs)) for place, line in enumerate(lines)
    ]
    rows += [
        ("[bold]house edge[/bold]", *(f"[bold]{percent(design.edge)}[/bold]" for design in designs)),
        ("exactly", *(str(design.edge) for design in designs)),
        ("hit frequency", *(percent(design.hit, 2) for design in designs)),
    ]
    columns = ("pays", *(str(first + number) for number in range(1, len(designs) + 1)))
    free = all(isinstance(parse_pay(line.pays), To | For | Push) for line in case.table.line)
    title = f"like {_title(case)}" + ("" if free else "; lines that pay dollars or a meter are unchanged")
    print_table(columns, rows, title="" if first else title)


def _title(case: Case) -> str:
    from croupier.analysis import record_of

    words = case_words(record_of(case))
    return f"{case.book.id} {case.wager} {case.table.id}{f' ({words})' if words else ''}"


def _kind(pays: str) -> str:
    return type(parse_pay(pays)).__name__.lower()
