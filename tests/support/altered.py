"""A record that somebody alters: one line alone, or everything after it as well."""

from __future__ import annotations

from collections.abc import Callable

from croupier.journal import chain_hash
from croupier.store import Store

Change = Callable[[bytes], bytes]


async def alter(store: Store, stream: str, seq: int, change: Change, *, thorough: bool = False) -> None:
    """Change a line of a store; `thorough` makes every hash after it again, so that the chain itself holds."""
    lines = {line.seq: (bytes(line.line), bytes(line.hash)) for line in await store.load(stream, after=seq - 2)}
    altered = change(lines[seq][0])
    assert altered != lines[seq][0]
    run = store.engine.execute
    await run("update event set line = $1 where stream = $2 and seq = $3", altered, stream, seq)
    if not thorough:
        return
    head = lines[seq - 1][1]
    for number in sorted(number for number in lines if number >= seq):
        head = chain_hash(head, altered if number == seq else lines[number][0])
        await run("update event set hash = $1 where stream = $2 and seq = $3", head, stream, number)
    await run("update head set hash = $1 where stream = $2", head, stream)


async def first_bet(store: Store, stream: str, number: int) -> int:
    """The entry that placed the first bet of a round."""
    sql = "select min(seq) from event where stream = $1 and round = $2 and name = 'wager_placed/1'"
    return int((await store.read(sql, stream, number))[0][0])


def larger(line: bytes) -> bytes:
    """The same bet, ten times as high."""
    return line.replace(b',"instrument"', b'0,"instrument"')


def smaller(line: bytes) -> bytes:
    """The opposite: it takes a larger bet back."""
    return line.replace(b'0,"instrument"', b',"instrument"')
