"""The chain of a stream in figures: how far it holds, where it first does not, and whether a saved head lies on it.

`chains` stops at the first line that does not hold; here somebody wants to know which, and what was expected.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, json

from croupier.errors import BrokenRecord
from croupier.journal import Checkpoint, chain_hash, check_checkpoint, first_hash
from croupier.store.store import Store

__all__ = [
    "BrokenLink",
    "ChainLink",
    "ChainReport",
    "CheckpointReport",
    "chain_links",
    "check_chain",
    "compare_checkpoint",
]

_AT_ONCE: Final = 5_000


class ChainLink(Struct, frozen=True, kw_only=True):
    """An entry of a chain: the hash beside it, and the one that its line gives after the entry before it."""

    seq: int
    line: bytes
    stored: str
    expected: str

    @property
    def holds(self) -> bool:
        """Whether the line is the one that was hashed."""
        return self.stored == self.expected


class BrokenLink(Struct, frozen=True, kw_only=True):
    """The first entry that does not hold."""

    seq: int
    stored: str
    expected: str
    missing: bool = False
    """The entry is not there at all."""


class ChainReport(Struct, frozen=True, kw_only=True):
    """What was checked of a chain."""

    stream: str
    entries: int
    head: str
    """The hash that the lines lead to, as far as they hold."""
    broken: BrokenLink | None = None
    apart: tuple[int, ...] = ()
    """The numbers of entries whose saved hash is another one."""


class _SignedBy(Struct):
    signer: str


class CheckpointReport(Struct, frozen=True, kw_only=True):
    """A checkpoint that somebody saved, held against the record as it is now."""

    checkpoint: Checkpoint
    signer: str
    is_ours: bool
    """It was made by this store, and signed with its key."""
    chains: tuple[ChainReport, ...]
    missing: tuple[str, ...]
    """Streams that the checkpoint names and the store no longer has."""

    @property
    def holds(self) -> bool:
        """Whether the record leads to everything that was saved."""
        whole = not any(chain.broken is not None or chain.apart for chain in self.chains)
        return self.is_ours and whole and not self.missing


async def chain_links(store: Store, stream: str, first: int, last: int) -> list[ChainLink]:
    """The entries from one to another, each held against the hash that is stored for the one before."""
    rows = await store.read(
        "select seq, line, hash from event where stream = $1 and seq >= $2 and seq <= $3 order by seq",
        stream,
        first - 1,
        last,
    )
    before = first_hash(stream)
    links = []
    for seq, line, stored in rows:
        if seq >= first:
            expected = chain_hash(before, bytes(line)).hex()
            links.append(ChainLink(seq=int(seq), line=bytes(line), stored=bytes(stored).hex(), expected=expected))
        before = bytes(stored)
    return links


async def check_chain(store: Store, stream: str, *, saved: Mapping[int, str] | None = None) -> ChainReport:
    """Follow the chain of a stream from its first line to its head; `saved` has hashes that somebody kept."""
    rows = await store.read("select seq, hash from head where stream = $1", stream)
    last, end = (int(rows[0][0]), bytes(rows[0][1])) if rows else (0, first_hash(stream))
    head, seen, wanted = first_hash(stream), 0, dict(saved or {})
    apart: list[int] = []

    def report(broken: BrokenLink | None = None) -> ChainReport:
        unseen = [seq for seq in wanted if seq > seen]
        return ChainReport(
            stream=stream, entries=seen, head=head.hex(), broken=broken, apart=tuple(sorted({*apart, *unseen}))
        )

    for after in range(0, last, _AT_ONCE):
        for seq, line, stored in await store.read(
            "select seq, line, hash from event where stream = $1 and seq > $2 and seq <= $3 order by seq",
            stream,
            after,
            min(after + _AT_ONCE, last),
        ):
            if int(seq) != seen + 1:
                return report(BrokenLink(seq=seen + 1, stored="", expected="", missing=True))
            expected = chain_hash(head, bytes(line))
            if expected != bytes(stored):
                return report(BrokenLink(seq=int(seq), stored=bytes(stored).hex(), expected=expected.hex()))
            head, seen = expected, seen + 1
            if seen in wanted and wanted[seen] != head.hex():
                apart.append(seen)
    if seen != last:
        return report(BrokenLink(seq=seen + 1, stored="", expected="", missing=True))
    if head != end:
        return report(BrokenLink(seq=last, stored=end.hex(), expected=head.hex()))
    return report()


async def compare_checkpoint(store: Store, line: bytes, *, only: str | None = None) -> CheckpointReport:
    """Hold the record against a saved checkpoint, stream by stream; `BrokenRecord` if the checkpoint is none."""
    checkpoint = check_checkpoint(line.strip())
    signer = await _signer(store)
    streams = set(await store.streams())
    chains, missing = [], []
    for stream, seq, hash_ in checkpoint.heads:
        if only is not None and stream != only:
            continue
        if stream not in streams:
            missing.append(stream)
            continue
        chains.append(await check_chain(store, stream, saved={seq: hash_}))
    if only is not None and not chains and not missing:
        raise BrokenRecord(f"{only} had no entries yet when this checkpoint was signed")
    ours = checkpoint.store == await store.identity() and signer in ("", json.decode(line, type=_SignedBy).signer)
    return CheckpointReport(
        checkpoint=checkpoint, signer=signer, is_ours=ours, chains=tuple(chains), missing=tuple(missing)
    )


async def _signer(store: Store) -> str:
    rows = await store.read("select value from meta where key = 'signer'")
    return str(rows[0][0]) if rows else ""
