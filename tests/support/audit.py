"""Everything that a store says of its tables, worked out again from the lines alone and compared."""

from collections import Counter
from typing import Any

from croupier.errors import Unopened
from croupier.fairness import unwrap
from croupier.games import events as round_events
from croupier.journal import chain_hash, first_hash, open_entry, read_line
from croupier.ledger import account_of, totals_of
from croupier.rulebook import Archive
from croupier.store import Store
from croupier.store.laws import LawShelf
from croupier.table import Entry, Table, create, evolve_posting, postings


async def read_record(store: Store, stream: str) -> list[Entry]:
    """The lines of a stream, held against the chain; every sealed card is opened."""
    head, entries = first_hash(stream), list[Entry]()
    for line in await store.load(stream):
        head = chain_hash(head, bytes(line.line))
        assert head == bytes(line.hash), f"{stream}, entry {line.seq}: the chain does not hold"
        entry = read_line(bytes(line.line))
        assert entry.seq == line.seq == len(entries) + 1, f"{stream}: entry {line.seq} is out of place"
        if line.key is not None:
            entry = open_entry(entry, bytes(line.sealed or b""), await store.cipher(line.key))
        entries.append(entry)
    kept = await store.read("select seq, hash from head where stream = $1", stream)
    assert not kept or (int(kept[0][0]), bytes(kept[0][1])) == (len(entries), head), f"{stream}: its head is elsewhere"
    return entries


async def audit(store: Store) -> dict[str, tuple[Table, list[Entry]]]:
    """Each table, rebuilt from its record; accounts, postings, totals, rounds, keys and seeds must follow from it."""
    laws = LawShelf()
    await laws.read(store)
    amounts: Counter[str] = Counter()
    posted: Counter[tuple[str, int, str]] = Counter()
    totals: Counter[tuple[str, str]] = Counter()
    units: dict[str, str] = {}
    tables = {}
    for stream in await store.streams("table/"):
        entries = await read_record(store, stream)
        table = create(entries[0], Archive(laws))
        moves = postings(table, entries[0].event)
        for entry in entries:
            if entry.seq > 1:
                table, moves = evolve_posting(table, entry, Archive(laws))
            for account, amount in moves:
                named = account_of(stream, account)
                units[named.name] = named.unit
                amounts[named.name] += amount
                posted[stream, entry.seq, named.name] += amount
            for name, amount in totals_of(entry.event, moves):
                totals[stream, name] += amount
        tables[stream] = table, entries
        await _check_rest(store, stream, table, entries)
    assert _rows(await store.read("select stream, seq, account, amount from posting")) == _nonzero(posted)
    # An account is there before anything is posted to it; a server may have been killed in between.
    everything = await store.read("select name, unit, amount from account")
    accounts = [row for row in everything if row[2] or row[0] in units]
    assert {str(name): str(unit) for name, unit, _ in accounts} == {name: units[name] for name, _, _ in accounts}
    assert _nonzero(Counter({name: amount for name, _, amount in accounts})) == _nonzero(amounts)
    for unit in set(units.values()):
        assert sum(amount for _, named, amount in accounts if named == unit) == 0, f"{unit} do not sum to zero"
    kept = await store.read("select stream, name, sum(amount) from total group by stream, name")
    assert _rows(kept) == _nonzero(totals)
    return tables


async def _check_rest(store: Store, stream: str, table: Table, entries: list[Entry]) -> None:
    closed = sum(isinstance(entry.event, round_events.RoundClosed) for entry in entries)
    rounds = [int(row[0]) for row in await store.read("select number from round where stream = $1 order by 1", stream)]
    assert rounds == list(range(1, closed + 1)), f"{stream}: {closed} rounds, {len(rounds)} lines"
    seeds = await store.read("select commitment, sealed, key from secret where stream = $1", stream)
    for commitment, sealed, key in seeds:
        unwrap(bytes(sealed), commitment, await store.cipher(key))
    promised = {deck.commitment for deck in table.cards.decks if deck.commitment}
    if table.fairness.unrevealed_shuffle is not None:
        promised.add(table.fairness.unrevealed_shuffle.commitment)
    if promised != {row[0] for row in seeds}:
        raise Unopened(f"{stream}: seeds are missing, or were kept too long")
    runs: dict[str, tuple[int, int]] = {}
    for entry in entries:
        if entry.command:
            first, last = runs.get(entry.command, (entry.seq, entry.seq - 1))
            assert last == entry.seq - 1, f"{stream}: the command {entry.command!r} was carried out twice"
            runs[entry.command] = first, entry.seq
    for key, first, _ in await store.read("select key, first, last from command where stream = $1", stream):
        assert runs.pop(key)[0] == first, f"{stream}: the command {key!r} is elsewhere"
    assert not runs, f"{stream}: commands without their keys: {sorted(runs)}"


def _nonzero(counts: Counter[Any]) -> dict[Any, int]:
    return {name: amount for name, amount in counts.items() if amount}


def _rows(rows: list[Any]) -> dict[Any, int]:
    return {tuple(row[:-1]): int(row[-1]) for row in rows if row[-1]}
