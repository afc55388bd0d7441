"""Evenings at a table: scripts that can be read aloud, run through the whole procedure and compared line by line.

A script begins with what it is about and the clauses that it shows (`shows:`), then the operator's submission (`house`,
TOML lines). Then, each with its time (hours above 24 are the next day):

    > 20:00 dealer d1 cut_deck deck=A depth=20 reason="the first cut"      a command; indented below it is everything
        Deck A is cut 20 cards deep … (5.E, reading 123)                   that was recorded, or the refusal
    @ 20:00 ready                     the staff work until the table awaits players
    @ 20:05 bets are closed           the staff close the bets: announcement, locks, counts
    @ 20:05 cards Ah Kd …             these cards come first, then the rest of the deck; the stub is put away
    @ 20:06 staff                     the staff go on until a player is awaited
    @ 20:10 round Ann                 Ann bets the least and gives up at once; the staff do the rest
    @ 20:00 seated Ann 1 500.00       Ann sits down with chips

`@` lines leave no record to compare; the automatic dealer gives their commands. `#` begins a remark.
`cards: virtual SEED` in the head takes the cards from the fair shuffler.

    python tests/support/evening.py --write FILE…    fill in what came of each command
    python tests/support/evening.py --write all      the same in every script
"""

import json
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from croupier.cards import DECK, parse_cards
from croupier.driver import CardsByHand, CardSource, FairShuffler, TableRunner
from croupier.errors import RuleViolation
from croupier.fairness import Entropy
from croupier.games import awaiting
from croupier.games.round import patron_of
from croupier.money import parse_dollars
from croupier.present import CardPlaces, event_sentences, refusal_words
from croupier.rulebook import check, read_submission_text
from croupier.table import (
    Table,
    arguments,
    balance,
    commands,
    deck_in_play,
    new_table,
    read_request,
    rebuild,
    stub_open,
)
from croupier.table.accounts import LAYOUT
from croupier.table.commands import COMMANDS
from support.folder_host import FolderHost
from support.table_harness import TableHarness

EVENINGS: Final = Path(__file__).parents[1] / "evenings"
DAY: Final = datetime(2026, 1, 1, tzinfo=UTC)


class Unreadable(ValueError):
    """A script that cannot be read: it names the file and the line."""


@dataclass(frozen=True)
class Line:
    """One line of a script, and what must come of it."""

    number: int
    text: str
    expected: tuple[str, ...]


@dataclass(frozen=True)
class Script:
    """An evening."""

    path: Path
    title: str
    shows: tuple[str, ...]
    table: Table
    source: CardSource
    lines: tuple[Line, ...]

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"


def evenings() -> list[Path]:
    """Every script, in order."""
    return sorted(EVENINGS.glob("*/*.txt"))


def read_script(path: Path) -> Script:
    """A script from its file."""
    text = path.read_text()
    head, _, rest = text.partition("\nhouse\n")
    if not rest:
        raise Unreadable(f"{path}: no `house`")
    house, _, body = rest.partition("\n\n")
    title, _, shows = head.partition("\nshows:")
    shows, _, seed = shows.partition("\ncards: virtual ")
    submission = read_submission_text(house, name=str(path))
    verdict = check(submission)
    if verdict.house is None:
        raise Unreadable(f"{path}: {[finding for finding in verdict.findings if finding.severity == 'error']}")
    cited = tuple(
        f"{path.parent.name} {clause.strip()}" for clause in shows.replace("\n", ",").split(",") if clause.strip()
    )
    before = text[: len(text) - len(body)].count("\n")
    return Script(
        path=path,
        title=title.strip(),
        shows=cited,
        table=new_table(submission, verdict.house),
        source=FairShuffler(_entropy(seed.strip())) if seed else CardsByHand(),
        lines=tuple(_lines(body, before)),
    )


def _entropy(seed: str) -> Entropy:
    blocks = iter(range(1, 1 << 32))
    return Entropy(lambda size: bytes.fromhex(seed)[: size - 4] + next(blocks).to_bytes(4, "big"))


def _lines(body: str, before: int) -> Iterator[Line]:
    lines: list[tuple[int, str, list[str]]] = []
    for number, text in enumerate(body.splitlines(), before + 1):
        if not text.strip() or text.startswith("#"):
            continue
        if text.startswith((">", "@")):
            lines.append((number, text, []))
        elif text.startswith("    ") and lines:
            lines[-1][2].append(text.strip())
        else:
            raise Unreadable(f"line {number}: {text}")
    for number, text, expected in lines:
        yield Line(number, text, tuple(expected))


# --- running


class Evening(TableHarness):
    """A script being run, and recorded by a host if there is one."""

    def __init__(self, script: Script, host: FolderHost | None = None) -> None:
        self.script, virtual = script, isinstance(script.source, FairShuffler)
        run = host.begin(script.table, DAY, virtual=virtual) if host else TableRunner(script.table, script.source)
        super().__init__(run, cards=None if virtual else ())

    def play(self, line: Line) -> list[str]:
        """What comes of a line, as it is compared."""
        words = shlex.split(line.text[1:])
        self.now = _time(words[0])
        if line.text.startswith("@"):
            self._direct(words[1:])
            return []
        role, person, name = words[1:4]
        raw: dict[str, Any] = {"by": {"role": role, "id": person}, "at": self.now.isoformat(), "do": name}
        kinds = {argument["name"]: argument["kind"] for argument in arguments(COMMANDS[name])}  # type: ignore[index]
        for word in words[4:]:
            key, _, value = word.partition("=")
            raw[key] = _value(kinds.get(key, "text"), value)
        try:
            entries = self.handle(read_request(raw, self.table.house))
        except RuleViolation as violation:
            return [f"Refused, {violation.code}: {refusal_words(violation)}"]
        places = CardPlaces(self.table.round or self.table.last_round, faces=True)
        return [sentence for entry in entries for sentence in event_sentences(entry.event, places)]

    # --- what the staff do by themselves

    def _direct(self, words: list[str]) -> None:
        match words:
            case ["ready"] | ["staff"]:
                self.staff()
            case ["bets", "are", "closed"]:
                self.staff()
                self.staff_step(close_bets=True)
                while self._kind() == "act":
                    self.staff_step()
            case ["cards", *names]:
                self.cards = parse_cards(" ".join(names))
                while self._kind() == "cards" or stub_open(self.table):
                    self.staff_step()
                self.cards = ()
            case ["seated", patron, seat, amount]:
                self.player(patron, commands.Sit(int(seat)))
                if amount != "0":
                    self.player(patron, commands.BuyIn(parse_dollars(amount), brought=True))
            case ["round", *patrons]:
                self._round(patrons)
            case _:
                raise Unreadable(f"{self.script.path}: no such direction: {' '.join(words)}")

    def _kind(self) -> str:
        state = self.table.round
        return awaiting(state).kind if state is not None else "nothing"

    def _round(self, patrons: list[str]) -> None:
        self.staff()
        table = self.table
        for seat, patron in table.people.seats:
            if patron in patrons:
                for wager in table.house.wagers:
                    main = wager.paytables[0].group == "base" and wager.stakes is not None
                    if main and wager.stakes is not None:
                        self.player(patron, commands.PlaceWager(seat, wager.name, wager.stakes.minimum))
        self.staff_step(close_bets=True)
        while self.table.round is not None:
            state = self.table.round
            asked = awaiting(state)
            if asked.kind == "decision" and not stub_open(self.table):
                box = next(box for box in state.boxes if box.seat == asked.seat)
                give_up = "withdraw" if asked.decision in {"bet_1", "bet_2"} else "fold"
                self.player(patron_of(state, box), commands.Decide(box.seat, give_up))
            else:
                self.staff_step()

    # --- what must hold at any time

    def check(self) -> None:
        """Money and cards are all there, and the record alone makes the same table."""
        table = self.table
        assert sum(amount for _, amount in table.books) == 0
        assert all(amount >= 0 for account, amount in table.books if account.kind in {"chips", "tray", "layout"})
        assert rebuild(self.first, self.entries) == table
        if table.round is not None:
            seen = [card for card in (*table.round.faces.known, *table.round.faces.aside) if card is not None]
            assert len(set(seen)) == len(seen)
            assert table.round.cards.dealt + len(table.round.faces.aside) <= len(DECK)
        elif deck_in_play(table) is None:
            assert balance(table.books, LAYOUT) == 0


def _time(text: str) -> datetime:
    hours, minutes, *seconds = text.split(":")
    return DAY + timedelta(hours=int(hours), minutes=int(minutes), seconds=int(seconds[0]) if seconds else 0)


def _value(kind: str, text: str) -> Any:  # noqa: ANN401 - whatever an argument is
    if text.startswith("{"):
        return json.loads(text)
    if kind == "number":
        return int(text)
    return {"true": True, "false": False}.get(text, text) if kind == "true or false" else text


def write_script(path: Path) -> None:
    """Fill in what comes of each command."""
    evening = Evening(read_script(path))
    came = {line.number: evening.play(line) for line in evening.script.lines}
    kept: list[str] = []
    for number, text in enumerate(path.read_text().splitlines(), 1):
        started = bool(came) and number >= min(came)
        if not (started and text.startswith("    ")):
            kept.append(text)
        kept += [f"    {line}" for line in came.get(number, ())]
    path.write_text("\n".join(kept) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"]:
        sys.exit("usage: python tests/support/evening.py --write FILE…")
    for path in evenings() if sys.argv[2:] == ["all"] else map(Path, sys.argv[2:]):
        write_script(path)
