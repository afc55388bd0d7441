"""`croupier journal`: prove that a record is whole, judge it again, hand it to somebody else."""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer
from rich.markup import escape

from croupier.cli.json_lines import write_line
from croupier.cli.shown.console import print_json, print_line
from croupier.cli.stdout import nobody_reads
from croupier.cli.stores import StoreUrl, check_targets, with_store
from croupier.errors import BrokenRecord, Malformed
from croupier.files import whole_file, write_whole
from croupier.games import events as round_events
from croupier.present import counted, dollars
from croupier.table import write_settled

if TYPE_CHECKING:
    from croupier.journal.verify import Report
    from croupier.store import Store

__all__ = ["app"]

app = typer.Typer(help="Verify, replay and export the record of a house.")
Json = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]
KEY_DIGITS = 64


@app.command()
def verify(
    record: Annotated[str, typer.Argument(metavar="STORE|EXPORT", help="A store, or a file made by journal export.")],
    head: Annotated[
        list[Path] | None,
        typer.Option(
            "--head", metavar="FILE", help="A checkpoint that you saved; repeat for several.", show_default=False
        ),
    ] = None,
    signer: Annotated[
        str,
        typer.Option(
            "--signer", metavar="KEY", help="The public key that must have signed every checkpoint.", show_default=False
        ),
    ] = "",
    as_json: Json = False,
) -> int:
    """Prove that a record is whole: chains, order, commitments, shuffles, money and signatures. No key is needed.

    With a checkpoint that somebody else kept, a record that was rewritten from end to end is found out, too.

    Exit code 0: it is whole. 1: the first record that does not hold, and why. 2: it cannot be read.

    Example: [bold]croupier journal verify house.db --head march.json[/bold]
    """
    from croupier.journal.verify import DoesNotHold, NotARecord

    if signer and (len(signer) != KEY_DIGITS or not set(signer) <= set("0123456789abcdef")):
        raise Malformed(f"--signer: a public key is {KEY_DIGITS} hexadecimal digits in lower case")
    heads = _saved(head or ())
    try:
        report = _verified(record, heads, signer)
    except NotARecord as error:
        raise Malformed(f"{record}: {error}") from None
    except sqlite3.Error as error:
        with_store(record, lambda store: store.streams())  # says it in plain words, if it knows why
        raise Malformed(f"{record}: it cannot be read: {error}") from None
    except (DoesNotHold, BrokenRecord) as broken:  # the second on the way out of a server
        if as_json:
            print_json({"holds": False, "problem": str(broken)})
        else:
            print_line(f"[red]broken[/red]: {broken}")
        return 1
    if as_json:
        print_json({"holds": True, **report._asdict()})
        return 0
    print_line(
        f"whole: {report.lines:,} entries in {counted(report.streams, 'stream')}, {counted(report.openings, 'card')}"
        f" opened, {counted(report.shuffles, 'shuffle')} dealt again, {counted(report.postings, 'posting')},"
        f" {counted(report.checkpoints, 'checkpoint')}"
    )
    if not heads:
        print_line("[dim]Nobody's saved checkpoint was compared: --head finds a record that was rewritten.[/dim]")
    return 0


def _verified(record: str, heads: list[bytes], signer: str) -> Report:
    from croupier.journal.verify import verify_file
    from croupier.store import store_file

    if (path := store_file(record)) is not None:
        if not _first_bytes(path).startswith((b'{"export":', b"SQLite format 3\0")):
            raise Malformed(f"{path}: it is neither a store nor an export")
        return verify_file(path, heads, signer=signer)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.jsonl"
        with path.open("wb") as file:
            _write(record, file)
        return verify_file(path, heads, signer=signer)


def _first_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(16)
    except FileNotFoundError:
        raise Malformed(f"{path}: no such store or export") from None
    except OSError as error:
        raise Malformed(f"{path}: {error.strerror}") from None


def _saved(paths: Sequence[Path]) -> list[bytes]:
    from croupier.journal.verify import NotARecord, read_heads

    try:
        return read_heads(paths)
    except NotARecord as error:
        raise Malformed(str(error)) from None
    except OSError as error:
        raise Malformed(f"{error.filename}: {error.strerror}") from None


def _write(url: str, target: BinaryIO) -> int:
    """Write an export, and return how many lines it has."""
    from croupier.store import export

    async def write(store: Store) -> int:
        count = 0
        async for line in export(store):
            target.write(line)
            count += 1
            if target is sys.stdout.buffer and nobody_reads():
                break
        return count

    return with_store(url, write)


@app.command("export")
def write_export(
    store: StoreUrl,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to a file.", show_default="screen")
    ] = None,
) -> None:
    """Write the whole record as JSON lines that anyone can verify without the store and without a key.

    Example: [bold]croupier journal export house.db --out house.jsonl[/bold]
    """
    if out is None:
        _write(store, sys.stdout.buffer)
        return
    check_targets(store, out)
    with whole_file(out) as file:
        count = _write(store, file)
    print_line(escape(f"{out}: {counted(count, 'line')}"))


@app.command()
def head(
    store: StoreUrl,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to a file.", show_default="screen")
    ] = None,
) -> None:
    """Sign where every stream stands now: a checkpoint for somebody else's safe.

    The house must not be running on a SQLite store meanwhile; it signs its own.

    Example: [bold]croupier journal head house.db --out march.json[/bold]
    """
    from croupier.store import make_checkpoint, place_of

    if out is not None:
        check_targets(store, out)
    line = with_store(store, lambda open_: make_checkpoint(open_, datetime.now(UTC)), write=True)
    if out is None:
        sys.stdout.buffer.write(line + b"\n")
        return
    write_whole(out, line + b"\n")
    print_line(escape(f"{out}: keep it where nobody who can write to {place_of(store)} can reach it"))


@app.command("replay")
def replay_rounds(store: StoreUrl, as_json: Json = False) -> int:
    """Settle every round again, from the record alone and by the law of its day, and compare each cent.

    Folds, withdrawals, findings and rulings are made again as well, and what they settled is compared.

    Exit code 0: everything agrees. 1: a settlement differs, or is missing.

    Example: [bold]croupier journal replay house.db[/bold]
    """
    return with_store(store, lambda open_: _replay(open_, as_json=as_json))


async def _replay(store: Store, *, as_json: bool) -> int:
    from croupier.store import replay

    counts: Counter[str] = Counter()
    for stream in await store.streams("table/"):
        async for entry, agrees in replay(store, stream):
            place: dict[str, object] = {"stream": stream, "entry": entry.seq, "round": entry.round}
            who = "envy" if isinstance(entry.event, round_events.EnvySettled) else "what should be settled before it"
            if isinstance(event := entry.event, round_events.HandSettled):
                who = f"seat {event.seat}"
                counts["wagers"] += len(event.wagers)
                counts["won"] += sum(settled.won for settled in event.wagers)
                place |= {"seat": event.seat, "agrees": agrees}
                for settled in event.wagers if as_json else ():
                    write_line(sys.stdout.buffer, place | dict(write_settled(settled)))
            elif as_json and not agrees:
                write_line(sys.stdout.buffer, place | {"agrees": agrees, "wager": who})
            if not agrees:
                counts["differ"] += 1
                if not as_json:
                    print_line(f"[red]{stream}, entry {entry.seq}: {who} is settled differently today[/red]")
    if not as_json:
        verdict = f"{counts['differ']:,} differ" if counts["differ"] else "every one agrees"
        print_line(f"{counted(counts['wagers'], 'wager')} settled again, {dollars(counts['won'])} won: {verdict}")
    return 1 if counts["differ"] else 0
