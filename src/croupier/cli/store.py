"""`croupier store`: where a house's record is, and how it gets from one place to another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.shown.console import console, print_json, print_line
from croupier.cli.stores import StoreUrl, with_store
from croupier.errors import StoreError
from croupier.present import counted

if TYPE_CHECKING:
    from croupier.store import Store

__all__ = ["app"]

app = typer.Typer(help="Look after the store of a house: back up, restore, move, forget a person.")


@app.command()
def show(
    store: StoreUrl, as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False
) -> None:
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
    from croupier.store import copy_store, open_store

    final = None if "://" in target else Path(target.removeprefix("sqlite:"))
    if final is not None and final.exists():
        raise StoreError(f"{target}: it exists already")
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
    finally:
        _remove(part, final)
    print_line(f"{target}: {entries:,} entries, compared with {source}: equal")
    print_line("[dim]The house's key was not copied: give it to the new store as CROUPIER_KEY_FILE or beside it.[/dim]")


def _remove(part: str, final: Path | None) -> None:
    for suffix in ("", ".lock", "-wal", "-shm") if final is not None else ():
        Path(f"{part}{suffix}").unlink(missing_ok=True)


@app.command()
def forget(
    store: StoreUrl, patron: Annotated[str, typer.Argument(metavar="ID", help="The person's id in the record.")]
) -> int:
    """Erase a person's name, and what they sign in with. The record keeps the id, which says nothing about anybody.

    Exit code 0: erased. 1: there is no name for this id.

    Example: [bold]croupier store forget house.db p-1042[/bold]
    """
    from croupier.house import forget_person

    gone = with_store(store, lambda open_: forget_person(open_, patron), write=True)
    print_line(f"the name of {patron} is erased" if gone else f"there is no name for {patron}")
    return 0 if gone else 1
