"""`croupier store`: where a house's record is, and how it gets from one place to another."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from rich.markup import escape

from croupier.cli.shown.console import console, print_json, print_line, print_table
from croupier.cli.simulation_options import whole_number
from croupier.cli.store_options import JsonFlag, read_day
from croupier.cli.stores import StoreUrl, with_store
from croupier.errors import StoreError, Unopened
from croupier.extras import need
from croupier.present import counted, listed

if TYPE_CHECKING:
    from croupier.house import RescuedOperator
    from croupier.store import KeyDays, Store

__all__ = ["app"]

app = typer.Typer(
    help="Look after the store of a house: back up, restore, move; names; lost passwords; keys of old days."
)
PersonId: TypeAlias = Annotated[str, typer.Argument(metavar="ID", help="The person's id in the record.")]


@app.command()
def show(store: StoreUrl, as_json: JsonFlag = False) -> None:
    """Show what a store holds: its streams, and how far each one has come.

    Example: [bold]croupier store show house.db[/bold]
    """
    with_store(store, lambda open_: _show(open_, as_json=as_json))


async def _show(store: Store, *, as_json: bool) -> None:
    rows = await store.read("select stream, seq from head where seq > 0 order by stream")
    rounds: dict[str, int] = dict(await store.read("select stream, count(*) from round group by stream"))
    identity = await store.identity()
    if as_json:
        streams = [{"stream": stream, "entries": seq, "rounds": rounds.get(stream, 0)} for stream, seq in rows]
        print_json({"store": identity, "engine": store.engine.name, "can_deal": store.can_deal, "streams": streams})
        return
    key = "here" if store.can_deal else "missing: it can be verified, recalled and reported, but not dealt from"
    print_line(f"store {identity}, {store.engine.name}; the house's key is {key}")
    for stream, seq in rows:
        played = f", {counted(rounds[stream], 'round')}" if stream in rounds else ""
        print_line(f"  {stream}: {seq:,} entries{played}")


@app.command()
def backup(
    store: StoreUrl,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new SQLite file.")],
) -> None:
    """Copy a store to a file while the house runs, as it stands at this moment, and compare the copy.

    The house's key is not in it: keep it somewhere else.

    Example: [bold]croupier store backup house.db monday.db[/bold]
    """
    _copy(store, str(file))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    store: Annotated[str, typer.Argument(metavar="STORE", help="A new store.")],
) -> None:
    """Make a store from a backup, and compare them.

    Example: [bold]croupier store restore monday.db house.db[/bold]
    """
    _copy(str(file), store)


@app.command()
def move(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The store as it is.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="A new store, on either engine.")],
) -> None:
    """Copy a store to another place or engine, and compare: SQLite to PostgreSQL, or back.

    Stop the house first: what it records afterward is not in the copy. Nothing is deleted.

    Example: [bold]croupier store move house.db postgresql://house@db/house[/bold]
    """
    _copy(source, target)


def _copy(source: str, target: str) -> None:
    from croupier.store import copy_store, key_file, open_store, place_of, store_file

    final = store_file(target)
    if final is not None and os.path.lexists(final):
        raise StoreError(f"{target}: it exists already")
    if final is not None and not final.parent.is_dir():
        raise StoreError(f"{target}: the folder {final.parent} does not exist")
    # A file appears under its name when it is whole.
    part = target if final is None else str(final.with_name(f".{final.name}.part"))

    async def copy(old: Store) -> int:
        new = await open_store(part, make_key=False)
        try:
            with console().status("copying"):
                return await copy_store(old, new)
        finally:
            await new.close()

    try:
        _remove(part, final)
        entries = with_store(source, copy)
        if final is not None:
            Path(part).rename(final)
    except OSError as error:
        raise StoreError(f"{place_of(target)}: {error.strerror}") from None
    finally:
        _remove(part, final)
    print_line(escape(f"{place_of(target)}: {entries:,} entries, compared with {place_of(source)}: equal"))
    key = escape(str(key_file(target)))
    print_line(f"[dim]The house's key was not copied: give it as CROUPIER_KEY_FILE, or put it in {key}[/dim]")


def _remove(part: str, final: Path | None) -> None:
    for suffix in ("", ".lock", "-wal", "-shm") if final is not None else ():
        with suppress(OSError):
            Path(f"{part}{suffix}").unlink()


# --- people


@app.command()
def name(store: StoreUrl, person: PersonId, words: Annotated[str, typer.Argument(metavar="NAME")]) -> None:
    """Give a person's id a name, which recall and reports show. The record itself has ids only.

    Example: [bold]croupier store name house.db p-1042 "Ann Example"[/bold]
    """
    from croupier.store import name_person

    with_store(store, lambda open_: name_person(open_, person, words), write=True)
    print_line(escape(f"{person} is {words}"))


@app.command()
def names(store: StoreUrl, as_json: JsonFlag = False) -> None:
    """List the names of people by their ids.

    Example: [bold]croupier store names house.db[/bold]
    """
    from croupier.store import names_in

    known = with_store(store, names_in)
    if as_json:
        print_json(known)
    elif known:
        print_table(("id", "name"), [(escape(person), escape(words)) for person, words in known.items()])
    else:
        print_line("Nobody has a name here.")


@app.command()
def forget(store: StoreUrl, person: PersonId) -> int:
    """Erase a person's name and what they sign in with. The record keeps the id, which says nothing about anybody.

    Exit code 0: erased. 1: there is no name for this id.

    Example: [bold]croupier store forget house.db p-1042[/bold]
    """
    from croupier.store import forget_person

    gone = with_store(store, lambda open_: forget_person(open_, person), write=True)
    print_line(escape(f"the name of {person} is erased" if gone else f"there is no name for {person}"))
    return 0 if gone else 1


@app.command("operator-password")
def operator_password(
    store: StoreUrl,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Which operator, by name or id.", show_default=False)
    ] = "",
    remove_second_factor: Annotated[
        bool, typer.Option("--remove-second-factor", help="Remove their second factor too: it was lost.")
    ] = False,
) -> None:
    """Give an operator who cannot sign in a new password, shown once. For whoever runs the machine.

    The house's record says that the house itself did it. The operator is signed out everywhere; nothing else changes.
    Stop the house first, unless its store is PostgreSQL.

    Exit code 0: done. 1: there is no such operator, or several and no --name; or the house's key is missing.

    Example: [bold]croupier store operator-password house.db[/bold]
    """
    need("server")
    from datetime import UTC, datetime

    from croupier.house import House, People, rescue_operator

    async def work(open_: Store) -> RescuedOperator:
        if not open_.can_deal:
            raise Unopened(f"{open_.engine.where}: the house's key is missing: whoever runs the house has it")
        people = People(House(open_))
        try:
            return await rescue_operator(people, name, at=datetime.now(UTC), remove_second_factor=remove_second_factor)
        finally:
            people.close()

    made = with_store(store, work, write=True)
    print_line(escape(f"the new password of {made.name}, shown this once: {made.password}"))
    if made.until is not None:
        print_line(f"it works until {made.until:%Y-%m-%d %H:%M} UTC: sign in and change it before then")
    factor = "The second factor is asked for as before." if made.second_factor else "There is no second factor now."
    print_line(f"[dim]Every session of theirs has ended. {factor}[/dim]")


# --- how long cards are kept


@app.command()
def retention(
    store: StoreUrl,
    years: Annotated[
        int | None, whole_number("--years", text="Keep cards for this many years; not fewer than were filed.", most=100)
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show, or set, how many years cards that were never turned up can still be opened, and which days they are of.

    At first it is the longest retention.years of the house's submissions (reading 173). Nothing is destroyed by this.

    Exit code 0: shown, or set. 1: fewer years than were filed.

    Example: [bold]croupier store retention house.db --years 7[/bold]
    """
    from croupier.store import keep_for, key_days, retention_years

    async def work(open_: Store) -> tuple[int, KeyDays]:
        if years is not None:
            await keep_for(open_, years)
        return await retention_years(open_), await key_days(open_)

    kept_for, days = with_store(store, work, write=years is not None)
    if as_json:
        print_json({"years": kept_for} | days._asdict())
        return
    print_line(f"cards are kept for {counted(kept_for, 'year')}; nothing is destroyed by itself: store shred does it")
    for what, of in (("can be opened", days.kept), ("in play", days.in_play), ("destroyed", days.destroyed)):
        span = f", {of[0]} to {of[-1]}" if of else ""
        print_line(f"  {what}: {counted(len(of), 'gaming day')}{span}")


@app.command("shred")
def shred_days(
    store: StoreUrl,
    before: Annotated[str, typer.Option("--before", metavar="DAY", help="Gaming days before this one.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be destroyed.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> int:
    """Destroy the keys of old gaming days: cards that were never turned up then stay closed for good.

    The record, its hashes, the money, every round and its story stay, and are verified, recalled, reported and replayed
    as before. Days that must still be kept, or whose cards are still in play, are not touched. A backup made earlier
    has the keys: destroy it as well.

    Exit code 0: done. 1: these days must be kept longer, or the answer was no.

    Example: [bold]croupier store shred house.db --before 2021-01-01 --dry-run[/bold]
    """
    from croupier.store import days_to_shred, shred

    day = read_day(before, "--before")
    days = with_store(store, lambda open_: days_to_shred(open_, day))
    old, spared = days.old(day), [kept for kept in days.in_play if kept < str(day)]
    if spared:
        print_line(f"still in play, and kept: {listed(spared)}")
    if not old:
        print_line(f"no gaming day before {day} has a key that can be destroyed")
        return 0
    print_line(f"{counted(len(old), 'gaming day')}, {old[0]} to {old[-1]}")
    if dry_run:
        print_line("[dim]Nothing was destroyed.[/dim]")
        return 0
    if not yes and not typer.confirm("Destroy their keys? This cannot be undone"):
        print_line("[dim]Nothing was destroyed.[/dim]")
        return 1
    gone = with_store(store, lambda open_: shred(open_, day), write=True)
    print_line(f"{counted(len(gone), 'key')} destroyed: what they sealed stays closed")
    return 0
