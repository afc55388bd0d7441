"""The record as an auditor may examine it: rounds line by line, with proofs; chains against a saved checkpoint."""

from __future__ import annotations

from msgspec import Struct

from croupier.errors import BrokenRecord, CroupierError
from croupier.journal import read_line
from croupier.server.callers import Caller, NotFound
from croupier.server.desk import Desk
from croupier.server.proofs import ShuffleProof, proof_of
from croupier.store import (
    ChainLink,
    ChainReport,
    CheckpointReport,
    RecalledRound,
    RoundProof,
    RoundSearch,
    chain_links,
    check_chain,
    compare_checkpoint,
    find_rounds,
    make_checkpoint,
    prove_round,
)
from croupier.table.events import SeedRevealed

__all__ = [
    "AuditedRound",
    "RecordCheck",
    "audit_round",
    "check_record",
    "find_for_audit",
    "lines_of_round",
    "prove",
    "sign_head",
]

_AFTER = 20
"""Entries after a round that may still belong to it: the seed of its shuffle."""
_LONGEST = 100_000
"""Bytes of a checkpoint that somebody pastes."""


class AuditedRound(Struct, frozen=True, kw_only=True):
    """A round and its lines, each held against the chain."""

    found: RecalledRound
    links: tuple[ChainLink, ...]

    @property
    def broken(self) -> ChainLink | None:
        """The first line that is not the one that was hashed."""
        return next((link for link in self.links if not link.holds), None)


class RecordCheck(Struct, frozen=True, kw_only=True):
    """The chains that were followed, and the saved checkpoint that they were held against, if there was one."""

    chains: tuple[ChainReport, ...]
    saved: CheckpointReport | None = None
    problem: str = ""
    """Why the checkpoint says nothing."""

    @property
    def holds(self) -> bool:
        """Whether everything that was looked at holds."""
        whole = not any(chain.broken is not None for chain in self.chains)
        return whole and not self.problem and (self.saved is None or self.saved.holds)


async def find_for_audit(desk: Desk, caller: Caller, search: RoundSearch) -> tuple[list[RecalledRound], str]:
    """The rounds that a search finds; where lines cannot be read any more, without their seats, and why."""
    caller.must_be_person()
    caller.must_read("audit")
    try:
        return await find_rounds(desk.hall.store, search), ""
    except BrokenRecord as broken:
        return await find_rounds(desk.hall.store, search, seats=False), str(broken)


async def audit_round(desk: Desk, caller: Caller, round_id: str) -> AuditedRound:
    """The round `TABLE-NUMBER`, whatever became of its lines."""
    table, _, number = round_id.rpartition("-")
    if not table or not number.isascii() or not number.isdecimal() or len(number) > 12:
        caller.must_read("audit")
        raise NotFound("there is no such round")
    rounds, _ = await find_for_audit(desk, caller, RoundSearch(table=table, number=int(number), limit=1))
    if not rounds:
        raise NotFound("there is no such round")
    found = rounds[0]
    links = await chain_links(desk.hall.store, found.stream, found.first, found.last + _AFTER)
    own = [link for link in links if link.seq <= found.last or _belongs(link, found.number)]
    return AuditedRound(found=found, links=tuple(own))


def _belongs(link: ChainLink, number: int) -> bool:
    """Whether a line after the end of a round reveals the seed of its shuffle."""
    try:
        entry = read_line(link.line)
    except BrokenRecord:
        return False
    return entry.round == number and isinstance(entry.event, SeedRevealed)


async def prove(desk: Desk, caller: Caller, audited: AuditedRound) -> tuple[RoundProof, ShuffleProof | None]:
    """Judge a round again from its lines, and deal its shuffle again if it was a provable one."""
    caller.must_read("audit")
    return await prove_round(desk.hall.store, audited.found), await _shuffle(desk, audited)


async def _shuffle(desk: Desk, audited: AuditedRound) -> ShuffleProof | None:
    for link in reversed(audited.links):
        try:
            event = read_line(link.line).event
            if isinstance(event, SeedRevealed):
                return await proof_of(desk, event.commitment)
        except CroupierError:
            continue
    return None


async def check_record(desk: Desk, caller: Caller, stream: str | None, checkpoint: str = "") -> RecordCheck:
    """Follow the chain of a stream, or of all, and hold it against a checkpoint that somebody saved."""
    caller.must_be_person()
    caller.must_read("audit")
    desk.replays.take(caller.id)
    store, saved = desk.hall.store, checkpoint.strip().encode()[:_LONGEST]
    if saved:
        try:
            compared = await compare_checkpoint(store, saved, only=stream)
        except BrokenRecord as broken:
            return RecordCheck(chains=await _chains(desk, stream), problem=str(broken))
        named = {chain.stream for chain in compared.chains}
        others = [chain for chain in await _chains(desk, stream) if chain.stream not in named]
        return RecordCheck(chains=(*compared.chains, *others), saved=compared)
    return RecordCheck(chains=await _chains(desk, stream))


async def _chains(desk: Desk, stream: str | None) -> tuple[ChainReport, ...]:
    streams = await desk.hall.store.streams() if stream is None else [stream]
    return tuple([await check_chain(desk.hall.store, name) for name in streams])


async def lines_of_round(desk: Desk, caller: Caller, round_id: str) -> tuple[RecalledRound, bytes]:
    """The lines of a round as they are stored: cards that lay face down are the commitments to them."""
    audited = await audit_round(desk, caller, round_id)
    return audited.found, b"".join(link.line + b"\n" for link in audited.links)


async def sign_head(desk: Desk, caller: Caller) -> bytes:
    """Sign where every stream stands now: a checkpoint for somebody's safe, kept beside the record as well."""
    desk.doors.acting_role(caller, "sign_head")
    desk.replays.take(caller.id)
    return await make_checkpoint(desk.hall.store, desk.doors.now())
