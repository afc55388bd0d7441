"""A table at the keyboard: what is typed, and what is answered. Nothing here reads or prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from rich.markup import escape

from croupier.cards import Card, format_cards, typed_cards
from croupier.cli.stores import TableHost
from croupier.cli.table.seen import offer_words, view_lines
from croupier.cli.table.typed_command import TypedCommand, default_person, read_person, read_typed, split_person
from croupier.cli.table.words import RefusedLine, answer_lines
from croupier.cli.typed_names import typed_name
from croupier.driver import Staff, next_request
from croupier.errors import CardError, Malformed, RuleViolation
from croupier.games import Awaiting, Offer, awaiting
from croupier.present import CardPlaces, any_of, command_sheet, merged
from croupier.table import (
    ROLES,
    Entry,
    Person,
    Request,
    allowed,
    commands,
    read_request,
    view,
    write_request,
)
from croupier.table.commands import COMMANDS

__all__ = ["STAFF", "LeaveTheDesk", "TableDesk"]

STAFF: Final = Staff(dealer="d1", floorperson="f1", manager="p1")
WORDS: Final = {
    "help": "this list; help COMMAND says what a command takes",
    "who": "what each person may do now; who dealer, or who Ann, for one of them",
    "see": "see Ann: the table as a player sees it; see alone, as the dealer does",
    "as": "as dealer d1: who gives the following commands; as nobody: whoever is due",
    "next": "the next step of the staff, as the procedure has it; next close also closes the bets",
    "go": "every step of the staff until a player must act",
    "record": "what was recorded; record 5 for the last five lines",
    "save": "save FILE: the commands so far, as a script for croupier table run",
    "quit": "leave; Ctrl-D does too",
}
"""The words of the table that are not commands of its procedure."""
_CORRECTIONS: Final = ("take_back", "reverse_settlement", "correct_card", "cancel_wager", "order_recut")
_MOST_STEPS: Final = 300
_MOST_HINTS: Final = 8


class LeaveTheDesk(Exception):
    """Whoever is at the keyboard leaves."""


class TableDesk:
    """One table and whoever sits at the keyboard."""

    def __init__(self, host: TableHost, clock: Callable[[], datetime], *, staff: Staff = STAFF) -> None:
        self._staff = staff
        self._host, self._clock, self._at = host, clock, clock()
        self._me: Person | None = None
        self.given: list[Request] = []
        """The commands that the table has taken: a script makes the same table from them."""
        self.entries: list[Entry] = []

    # --- what is typed

    def answer(self, line: str) -> list[str]:
        """What a line leads to, as lines of Rich markup; `Malformed` if it cannot be read, `LeaveTheDesk` to end."""
        self._at = self._clock()
        word, _, rest = line.strip().partition(" ")
        match word.casefold():
            case "" | "status":
                return self.status()
            case "?" | "help":
                return self._help(rest.strip())
            case "who" | "what":
                return self._who(rest.strip())
            case "see" | "show" | "view":
                return view_lines(view(self._host.table, self._viewer(rest.strip())))
            case "as" if rest:  # alone it is the ace of spades
                return self._as(rest.strip())
            case "next":
                return self._next(close_bets=rest.strip() == "close")
            case "go":
                return self._go()
            case "record":
                return self._record(rest.strip())
            case "undo":
                return self._undo()
            case "quit" | "exit" | "q":
                raise LeaveTheDesk
        cards = _cards_alone(line)
        return [*self._give(self._named(cards)), *self.status()] if cards else self._command(line)

    def status(self) -> list[str]:
        """What the table waits for."""
        shown = view(
            self._host.table, self._me or Person("dealer", self._host.table.people.dealer or self._staff.dealer)
        )
        hint = "; type the cards, such as Ah Kd" if shown.awaiting.kind == "identity" else ""
        return [f"[dim]awaiting: {escape(shown.awaiting.words)}{hint}[/dim]"]

    def _viewer(self, text: str) -> Person:
        """Whose eyes: whoever is named, whoever speaks, or the dealer."""
        table = self._host.table
        if text:
            return read_person(text, table)
        return self._me or Person("dealer", table.people.dealer or self._staff.dealer)

    def complete(self, text: str) -> list[str]:
        """What the last word of a line may become."""
        _, line = split_person(text)
        words = line.split(" ")
        last = words[-1]
        if len(words) == 1:
            known = [
                *WORDS,
                *dict.fromkeys(offered.do for person in self._people() for offered in self._offers(person)),
            ]
        elif words[0] == "help":
            known = list(COMMANDS)
        elif words[0] in {"as", "see", "who"}:
            known = [*ROLES, *(patron for _, patron in self._host.table.people.seats)]
        else:
            known = self._values(words[0])
        return [name for name in known if name.startswith(last)]

    def _values(self, name: str) -> list[str]:
        """Plain values that the table now allows for the arguments of a command."""
        rows = [
            dict(offered.fields) for person in self._people() for offered in self._offers(person) if offered.do == name
        ]
        values: dict[str, None] = {}
        for row in rows:
            for label, allowed_values in row.items():
                several = allowed_values if isinstance(allowed_values, tuple) else (allowed_values,)
                values |= dict.fromkeys(f"{label}={value}" for value in several if isinstance(value, str | int))
        return list(values)

    # --- what may be done

    def _people(self) -> list[Person]:
        """Everybody at the table, and the manager who opens it."""
        people = self._host.table.people
        staff = [Person("pit_manager", self._staff.manager)] if not people.floor else []
        staff += [Person("floorperson", name) for name in people.floor]
        staff += [Person("dealer", people.dealer)] if people.dealer else []
        return [*staff, *(Person("player", name) for name in dict.fromkeys(patron for _, patron in people.seats))]

    def _offers(self, person: Person) -> Sequence[Offer]:
        return allowed(self._host.table, person, self._now())

    def _all_offers(self) -> Iterator[Offer]:
        return (offered for person in self._people() for offered in self._offers(person))

    def _who(self, text: str) -> list[str]:
        people = [read_person(text, self._host.table)] if text else self._people()
        lines = []
        for person in people:
            offers = merged(self._offers(person))
            lines.append(f"[bold]{escape(str(person))}[/bold]{'' if offers else ' may do nothing now'}")
            lines += [f"  {escape(offer_words(offered))}" for offered in offers]
        return lines + self.status()

    def _help(self, text: str) -> list[str]:
        if not text:
            lines = [f"  [bold]{word:<7}[/bold] {escape(about)}" for word, about in WORDS.items()]
            return [
                "A command and its arguments: [bold]sit 1 Ann[/bold], [bold]Ann: place_wager 1 ante 25[/bold],",
                "[bold]dealer: deal 2 cards=AhKh[/bold], [bold]floorperson: rule community_exposed[/bold].",
                "A bet or a decision can be given by its own name: [bold]Ann: ante 25[/bold], [bold]Ann: fold[/bold].",
                *lines,
            ]
        name = typed_name(text, COMMANDS)
        if name is None:
            raise Malformed(f"{text!r} is not a command; who lists what may be done now")
        sheet = command_sheet(name, [self._host.table.house.rulebook])
        return [f"[bold]{escape(sheet.title)}[/bold]", *(escape(f"  {a:<12} {b}") for a, b in sheet.rows)]

    def _as(self, text: str) -> list[str]:
        self._me = None if text.casefold() in {"", "nobody"} else read_person(text, self._host.table)
        if self._me is None:
            return ["Commands are given by whoever is due."]
        return [f"Commands are given by {escape(str(self._me))}."]

    # --- what happens

    def _whose(self, command: TypedCommand) -> Person | None:
        """The only player who may give a command that names no seat."""
        players = [person for person in self._people() if person.role == "player"]
        due = [player for player in players if any(offered.do == command.name for offered in self._offers(player))]
        return due[0] if len(due) == 1 and command.name in {"place_wager", "decide"} else None

    def _command(self, line: str) -> list[str]:
        named, bare = split_person(line)
        table, at = self._host.table, self._now()
        command = read_typed(bare, (), at)
        due = default_person(table, command, self._me if self._me or "seat" in command.values else self._whose(command))
        person = read_person(named, table) if named else due
        command = read_typed(bare, self._offers(person), at)
        raw: dict[str, Any] = {"by": {"role": person.role, "id": person.id}, "at": at.isoformat(), "do": command.name}
        raw |= command.values | ({"reason": command.reason} if command.reason else {})
        return [*self._give(read_request(raw, table.house)), *self.status()]

    def _named(self, cards: tuple[Card, ...]) -> Request:
        """Cards alone are those that the table waits for: to be dealt, turned up or identified."""
        table = self._host.table
        asked = awaiting(table.round) if table.round is not None else Awaiting("nothing")
        match asked.kind:
            case "cards":
                command: commands.Command = commands.DealCards(len(cards), cards)
            case "reveal":
                command = commands.RevealCards(asked.slot or "player", asked.seat, cards)
            case "identity":
                command = commands.IdentifyCards(asked.places[0], cards)
            case _:
                raise Malformed(f"{format_cards(cards)}: no card is awaited now")
        return Request(Person("dealer", table.people.dealer), self._now(), command)

    def _next(self, *, close_bets: bool) -> list[str]:
        request = self._due(close_bets=close_bets)
        if request is None:
            return ["[dim]The staff have nothing to do now.[/dim]", *self.status()]
        return [*self._give(request), *self.status()]

    def _go(self) -> list[str]:
        lines: list[str] = []
        for _ in range(_MOST_STEPS):
            request, before = self._due(close_bets=False), len(self.given)
            if request is None:
                break
            self._at = self._clock()
            lines += self._give(request)
            if len(self.given) == before:  # refused: somebody must say more
                break
        return [*(lines or ["[dim]The staff have nothing to do now.[/dim]"]), *self.status()]

    def _due(self, *, close_bets: bool) -> Request | None:
        return next_request(self._host.table, self._now(), staff=self._staff, close_bets=close_bets)

    def _give(self, request: Request) -> list[str]:
        try:
            entries = self._host.handle(request)
        except RuleViolation as violation:
            lines = answer_lines(RefusedLine(violation, 0, request), CardPlaces())
            hints = [offered for offered in violation.allowed if isinstance(offered, Offer)]
            return [
                *lines,
                *(f"  [dim]possible: {escape(offer_words(offered))}[/dim]" for offered in merged(hints)[:8]),
            ]
        self.given.append(request)
        self.entries += entries
        table = self._host.table
        places = CardPlaces(table.round or table.last_round)
        lines = [line for entry in entries for line in answer_lines(entry, places)]
        if self._host.stopped is not None:
            lines.append(f"[red]the staff cannot go on[/red] {escape(str(self._host.stopped))}")
        return lines

    def _record(self, text: str) -> list[str]:
        if text and not text.isdecimal():
            raise Malformed(f"record: {text!r} is not a number of lines")
        table = self._host.table
        places = CardPlaces(table.round or table.last_round)
        lines = [line for entry in self.entries for line in answer_lines(entry, places)]
        return (lines[-int(text) :] if text and int(text) else lines) or ["[dim]Nothing is recorded yet.[/dim]"]

    def _undo(self) -> list[str]:
        """The record only grows, so nothing is undone; what sets things right is a command of its own."""
        ways = {offered.do for offered in self._all_offers()} & set(_CORRECTIONS)
        now = f" Possible now: {any_of(name for name in _CORRECTIONS if name in ways)}." if ways else ""
        return [f"What was recorded stays in the record. A mistake is set right by a command of its own.{now}"]

    def script(self) -> Iterator[dict[str, Any]]:
        """The commands that the table has taken, as `croupier table run` reads them."""
        return (write_request(request) for request in self.given)

    def _now(self) -> datetime:
        """The time, never before the last entry."""
        clock = self._host.table.clock
        return self._at if clock is None else max(self._at, clock)


def _cards_alone(line: str) -> tuple[Card, ...]:
    """The cards of a line that holds nothing else; none for any other."""
    try:
        return typed_cards(line)
    except CardError:
        return ()
