"""`croupier rulebook`: ask the rulebooks anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

import typer
from rich.markup import escape

from croupier.cli.shown.console import console, print_json, print_table
from croupier.errors import Malformed
from croupier.money import parse_dollars, print_dollars
from croupier.rulebook import (
    Rulebook,
    Value,
    clause_entries,
    diff_rulebooks,
    editions,
    load_readings,
    load_rulebook,
    rulebook_ids,
    say_value,
)
from croupier.rulebook.schema import Cited, Paytable
from croupier.table import say_givers

__all__ = ["app", "complete_rulebook"]

app = typer.Typer(help="Ask the rulebooks: wagers, paytables, dealing, clauses, readings, differences.")


def complete_rulebook(incomplete: str) -> list[str]:
    """The ids that begin so."""
    return [name for name in rulebook_ids() if name.startswith(incomplete)]


def _complete_part(incomplete: str) -> list[str]:
    return [part for part in _PARTS if part.startswith(incomplete)]


RulebookName = Annotated[
    str, typer.Argument(metavar="RULEBOOK", autocompletion=complete_rulebook, help="Such as md-mississippi-stud.")
]
Edition = Annotated[
    str | None, typer.Option(metavar="DATE", help="An older edition; without it the newest.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]


@app.command("list")
def list_rulebooks(as_json: Json = False) -> None:
    """List the rulebooks with all their editions, the newest first.

    Example: [bold]croupier rulebook list[/bold]
    """
    books = [load_rulebook(name, edition=date) for name in rulebook_ids() for date in editions(name)]
    if as_json:
        print_json(
            [
                {
                    "rulebook": book.id,
                    "edition": book.edition,
                    "default": _is_default(book),
                    "clauses": len(book.clauses),
                    "hash": book.hash,
                    "source": book.source,
                }
                for book in books
            ]
        )
        return
    rows = [(book.id, book.source.title, book.source.jurisdiction, _date(book), _standing(book)) for book in books]
    print_table(("rulebook", "game", "where", "edition", ""), rows)
    print("default: it counts where a submission names no edition")
    if any(book.source.date_of == "intake" for book in books):
        print("*        the document bears no date: the day on which it was taken up")


def _is_default(book: Rulebook) -> bool:
    return book.edition == editions(book.id)[0]


def _date(book: Rulebook) -> str:
    return f"{book.edition}{'*' if book.source.date_of == 'intake' else ''}"


def _standing(book: Rulebook) -> str:
    words = ["default" if _is_default(book) else "older", "draft" if book.source.status == "draft" else ""]
    return " ".join(words).strip()


@app.command()
def show(
    rulebook: RulebookName,
    part: Annotated[
        str,
        typer.Argument(
            metavar="[PART]",
            autocompletion=_complete_part,
            help="Such as wagers, paytables, dealing, clause or reading; the overview lists them all.",
        ),
    ] = "overview",
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="A paytable's wager, a clause's or a reading's number.", show_default=False
        ),
    ] = None,
    edition: Edition = None,
    as_json: Json = False,
) -> None:
    """Show a rulebook, or one part of it.

    Examples: [bold]croupier rulebook show md-mississippi-stud wagers[/bold],
    [bold]croupier rulebook show md-let-it-ride paytables progressive[/bold],
    [bold]croupier rulebook show md-high-card-flush clause 12.D[/bold]
    """
    book = load_rulebook(rulebook, edition=edition)
    if part not in _PARTS:
        raise Malformed(f"{part!r} is no part of a rulebook: {', '.join(_PARTS)}")
    if name is not None and part not in ("paytables", "clause", "reading"):
        raise Malformed(f"{part} takes no name")
    _PARTS[part](book, name, as_json)


@app.command()
def diff(
    first: RulebookName,
    second: Annotated[
        str, typer.Argument(metavar="OTHER", autocompletion=complete_rulebook, help="The rulebook beside it.")
    ],
    edition: Edition = None,
    other_edition: Annotated[
        str | None, typer.Option(metavar="DATE", help="The same for the other rulebook.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Show how two rulebooks, or two editions of one, differ side by side, each value with its clause.

    Example: [bold]croupier rulebook diff md-mississippi-stud ma-mississippi-stud[/bold]
    """
    books = load_rulebook(first, edition=edition), load_rulebook(second, edition=other_edition)
    found = diff_rulebooks(*books)
    if as_json:
        print_json([one._asdict() for one in found])
        return
    for part in dict.fromkeys(one.part for one in found):
        rows = [(escape(one.key), _side(one.first), _side(one.second)) for one in found if one.part == part]
        print_table((part, *(book.edition if first == second else book.id for book in books)), rows)
        print()
    print(f"{len(found)} difference{'' if len(found) == 1 else 's'}")


def _side(value: Value | None) -> str:
    if value is None:
        return "[dim]-[/dim]"
    return f"{escape(value.text)} [dim]({escape(value.clause)})[/dim]" if value.clause else escape(value.text)


def _by(cited: Cited) -> str:
    clauses = ", ".join((cited.clause, *cited.also))
    return f"[dim]{escape(clauses)}{f'; reading {cited.reading}' if cited.reading else ''}[/dim]"


def _dollars(amount: str) -> str:
    return print_dollars(parse_dollars(amount))


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _words(*items: object) -> str:
    return ", ".join(str(item).replace("_", " ") for item in items if item not in (None, "", ()))


def _overview(book: Rulebook, _: str | None, as_json: bool) -> None:  # noqa: FBT001 - one shape for all parts
    source = book.source
    if as_json:
        print_json({"source": source, "default": _is_default(book), "hash": book.hash, "clauses": len(book.clauses)})
        return
    out = console()
    out.print(f"[bold]{source.title}[/bold], {source.jurisdiction}: {source.document}")
    out.print(f"{source.regulator}; {source.edition}; {source.status}")
    taken_up = " (the day on which it was taken up)" if source.date_of == "intake" else ""
    out.print(f"edition {book.edition}{taken_up}{'' if _is_default(book) else ', older than the default'}")
    if source.status == "draft":
        out.print("[yellow]This is a draft: the adopted rules may differ (reading 159).[/yellow]")
    offered = [wager.name for wager in book.wagers.wager]
    out.print(f"wagers: {_words(*offered)}")
    out.print(f"{len(book.clauses)} clauses, {len(book.glossary.term)} defined terms, {len(book.options)} options")
    out.print(f"[dim]content {book.hash}[/dim]")
    out.print(f"[dim]parts: {', '.join(_PARTS)}[/dim]")


def _table(book: Rulebook, _: str | None, as_json: bool) -> None:  # noqa: FBT001
    table = book.table
    if as_json:
        print_json(table)
        return
    rows = [("seats", f"at most {table.seats.maximum}", _by(table.seats))]
    rows += [("", f"at most {one.maximum} with {_words(one.offered)}", _by(one)) for one in table.seats.fewer]
    rows.append(("boxes", "one a player" if table.boxes.limit == "one" else "as submitted, adjacent", _by(table.boxes)))
    rows.append(("decks", f"{table.decks.standard}, {table.decks.cover_cards} cover card(s)", _by(table.decks)))
    rows.append(("", "a second with a shuffler, alternating", _by(table.decks.second)))
    for hours in table.deck_hours:
        rows.append(
            ("deck life", f"{f'{hours.hours} h' if hours.hours else 'as submitted'}: {_words(*hours.deal)}", _by(hours))
        )
    rows.append(("cut", f"at least {table.cut.depth} deep; cover card {_words(table.cut.cover_card)}", _by(table.cut)))
    for count in table.stub_count:
        waiver = f", waived by {_words(*count.waived_by)}" if count.waived_by else ""
        rows.append(("stub count", f"every {count.rounds} rounds: {_words(count.deal)}{waiver}", _by(count)))
    rows += [("shuffle", _words(one.method), _by(one)) for one in table.shuffle]
    rows += [("deal", _words(one.method), _by(one)) for one in table.deal]
    rows += [
        (
            "layout",
            f"{one.name} x{one.count}, {one.place}{f', {one.inscription!r}' if one.inscription else ''}",
            _by(one),
        )
        for one in table.area
    ]
    rows += [("notice", one.says, _by(one)) for one in table.notice]
    print_table(("table", "", "by"), rows)


def _wagers(book: Rulebook, _: str | None, as_json: bool) -> None:  # noqa: FBT001
    if as_json:
        print_json(book.wagers)
        return
    rows: list[tuple[str, str, str]] = []
    for wager in book.wagers.wager:
        what = [f"{wager.offered}; {wager.stake}", f"{_words(wager.cards)} as {_words(wager.evaluator)}"]
        if wager.requires:
            needed = (f"{one.wager} (if offered)" if one.if_offered else one.wager for one in wager.requires)
            what.append(f"needs {_words(*needed)}")
        if wager.needs:
            what.append(f"dealt from {_words(*wager.needs.deal)}")
            if wager.needs.shuffle:
                what.append(f"shuffled {_words(*wager.needs.shuffle)}")
        if wager.fold:
            what.append(f"fold: {wager.fold.stake}")
        rows.append((wager.name, "; ".join(what), _by(wager)))
    accepted = book.wagers.instruments
    rows.append(("instruments", f"{_words(*accepted.accepted)}; spoken cash refused", _by(accepted)))
    print_table(("wager", "", "by"), rows)


def _paytables(book: Rulebook, name: str | None, as_json: bool) -> None:  # noqa: FBT001
    groups = list(dict.fromkeys(table.group for table in book.paytables.paytable))
    if name is not None and name not in groups:
        raise Malformed(f"{name!r} has no paytable: {', '.join(groups)}")
    shown = [group for group in groups if name in (None, group)]
    if as_json:
        print_json([table for table in book.paytables.paytable if table.group in shown])
        return
    for group in shown:
        _pay_columns(group, [table for table in book.paytables.paytable if table.group == group])
    if "progressive" in shown:
        _envy(book)


def _pay_columns(group: str, tables: list[Paytable]) -> None:
    """Paytables side by side, as many as the terminal is wide."""
    longest_first = sorted(tables, key=lambda table: -len(table.line))  # it has the others' lines in their places
    hands = [_words(hand) for hand in dict.fromkeys(line.hand for table in longest_first for line in table.line)]
    heads = [table.id if table.players is None else f"for {table.players}" for table in tables]
    pays = [{_words(line.hand): line.pays for line in table.line} for table in tables]
    cells = [*heads, *(table.clause for table in tables), *(pay for column in pays for pay in column.values())]
    room = console().width - max(map(len, [*hands, _words(group)]))
    width = max(1, room // (max(map(len, cells)) + 2))
    for start in range(0, len(tables), width):
        part = slice(start, start + width)
        rows = [
            (hand, *(column.get(hand, "") for column in pays[part]))
            for hand in hands
            if any(hand in column for column in pays[part])
        ]
        rows.append(("[dim]clause[/dim]", *(f"[dim]{escape(table.clause)}[/dim]" for table in tables[part])))
        readings = [f"[dim]{table.reading or ''}[/dim]" for table in tables[part]]
        if any(table.reading for table in tables[part]):
            rows.append(("[dim]reading[/dim]", *readings))
        print_table((_words(group), *heads[part]), rows)
        print()


def _envy(book: Rulebook) -> None:
    for envy in book.paytables.envy:
        lines = ", ".join(f"{_words(line.hand)} {line.pays}" for line in envy.line)
        console().print(f"envy {envy.paytable} at {_dollars(envy.stake)}: {lines} {_by(envy)}")
    for minimum in book.paytables.minimum:
        least = f"at least {_dollars(minimum.amount)}" if minimum.amount else "as submitted"
        console().print(f"meter {minimum.paytable} {minimum.meter}: {least} {_by(minimum)}")


def _dealing(book: Rulebook, _: str | None, as_json: bool) -> None:  # noqa: FBT001
    if as_json:
        print_json(book.dealing)
        return
    for script in book.dealing.script:
        rows = [
            ("before", _words(one.act) + (f" (with {_words(one.offered)})" if one.offered else ""), _by(one))
            for one in book.dealing.before_deal
            if one.deal == script.deal and not script.option
        ]
        rows += [
            (
                _words(step.to),
                f"{step.cards} face down" + (f" (with {_words(step.offered)})" if step.offered else ""),
                _by(step),
            )
            for step in script.step
        ]
        again = f", {script.passes} times" if script.passes > 1 else ""
        print_table(("to", "", "by"), rows, title=f"{_words(script.deal)}: {script.title}{again}")
        print()


def _play(book: Rulebook, _: str | None, as_json: bool) -> None:  # noqa: FBT001
    play = book.play
    if as_json:
        print_json(play)
        return
    rows = [("decision", f"{_words(one.decision)}: {_words(*one.choices)}", _by(one)) for one in play.choice]
    rows += [("reveal", f"{_words(one.slot)} after {_words(one.after)}", _by(one)) for one in play.reveal]
    rows += [
        ("raise", f"{_span(one.shortest, one.longest)} cards: up to {one.times}x", _by(one)) for one in play.raise_limit
    ]
    if play.qualify:
        rows.append(
            ("dealer", f"qualifies from {play.qualify.length} cards, {_words(*play.qualify.ranks)}", _by(play.qualify))
        )
    rows.append(("settlement", _words(*play.settlement.order, *play.settlement.last), _by(play.settlement)))
    limit = _dollars(play.payout_limit.amount) if play.payout_limit.amount else "if submitted"
    rows.append(("payout limit", f"{limit} on {_words(*play.payout_limit.wagers)}", _by(play.payout_limit)))
    if play.envy:
        rows.append(
            ("envy", "a folded hand qualifies" if play.envy.folded_holder else "live hands only", _by(play.envy))
        )
    rows += [
        ("conduct", _words(one.rule) + ("; all wagers forfeited" if one.penalty else ""), _by(one))
        for one in play.conduct
    ]
    print_table(("play", "", "by"), rows)


def _irregularities(book: Rulebook, _: str | None, as_json: bool) -> None:  # noqa: FBT001
    if as_json:
        print_json(book.irregularities)
        return
    rows = [
        (
            _words(one.event),
            _words(one.void),
            _words(one.refund),
            _words(
                one.cards,
                None if one.card == "none" else f"card {one.card}",
                None if one.side_wagers == "void" else f"side wagers {one.side_wagers}",
                *one.attest,
            ),
            _by(one),
        )
        for one in book.irregularities.irregularity
    ]
    print_table(("irregularity", "void", "refund", "cards", "by"), rows)


def _procedure(book: Rulebook, _: str | None, as_json: bool) -> None:  # noqa: FBT001
    if as_json:
        print_json(book.procedure)
        return
    rows = [(_words(duty.do), say_givers(duty), _by(duty)) for duty in book.procedure.duty]
    print_table(("command", "given by", "by"), rows)


def _glossary(book: Rulebook, _: str | None, as_json: bool) -> None:  # noqa: FBT001
    if as_json:
        print_json(book.glossary)
        return
    print_table(("term", "means", "by"), [(one.term, one.meaning, _by(one)) for one in book.glossary.term])


def _options(book: Rulebook, _: str | None, as_json: bool) -> None:  # noqa: FBT001
    if as_json:
        print_json(book.options)
        return
    rows = [
        (
            one.rule.name,
            escape(say_value(one.default)) + (" (fixed)" if one.fixed else ""),
            f"{one.rule.about} [dim]{', '.join(one.rule.values)}[/dim]",
            _by(one),
        )
        for one in book.options
    ]
    print_table(("option", "default", "about", "by"), rows)


def _clause(book: Rulebook, name: str | None, as_json: bool) -> None:  # noqa: FBT001
    found = [entry for entry in clause_entries(book.id, edition=book.edition) if entry.clause == name]
    if not found:
        near = [clause.id for clause in book.clauses if name and clause.id.startswith(name)][:8]
        hint = f"; there are {', '.join(near)}" if near else "; croupier clauses lists them"
        raise Malformed(f"{name or 'a clause'} is no clause of {book.id}{hint}")
    entry = found[0]
    if as_json:
        print_json(entry)
        return
    out = console()
    out.print(f"[bold]{entry.rulebook} {escape(entry.clause)}[/bold] ({entry.kind})")
    out.print(entry.summary, markup=False)
    if entry.note:
        out.print(entry.note)
    for place in entry.where:
        out.print(f"[dim]where[/dim]  {escape(place)}", soft_wrap=True)
    for test in entry.tests:
        out.print(f"[dim]test[/dim]   {escape(test)}", soft_wrap=True)


def _reading(_: Rulebook, name: str | None, as_json: bool) -> None:  # noqa: FBT001
    readings = load_readings()
    found = [reading for reading in readings if str(reading.number) == name]
    if not found:
        raise Malformed(f"{name or 'a reading'} is no reading: 1 to {len(readings)}")
    if as_json:
        print_json(found[0])
        return
    reading, out = found[0], console()
    out.print(f"[bold]Reading {reading.number}. {reading.title}[/bold]")
    for label, text in (
        ("clauses", reading.clauses),
        ("open", reading.question),
        ("read", reading.answer),
        ("why", reading.why),
        ("option", reading.option),
    ):
        if text:
            out.print(f"[dim]{label:<8}[/dim] {escape(text)}")


_PARTS: Final[dict[str, Callable[[Rulebook, str | None, bool], None]]] = {
    "overview": _overview,
    "table": _table,
    "wagers": _wagers,
    "paytables": _paytables,
    "dealing": _dealing,
    "play": _play,
    "irregularities": _irregularities,
    "procedure": _procedure,
    "glossary": _glossary,
    "options": _options,
    "clause": _clause,
    "reading": _reading,
}
