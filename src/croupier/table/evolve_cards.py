"""How events of decks, stubs and devices change a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from croupier.table import events as table_events
from croupier.table.events import Entry
from croupier.table.state import Deck, Table, deck_in_play, with_deck

__all__ = ["CARDS"]


def _received(table: Table, event: table_events.DeckReceived, _: Entry) -> Table:
    deck = Deck(
        id=event.deck,
        back=event.back,
        design=event.design,
        stage="shuffled" if event.ready else "received",
        shuffled_by="preshuffled" if event.ready else "",
    )
    return replace(table, decks=(*table.decks, deck), uncounted=0)


def _inspected(table: Table, event: table_events.DeckInspected, entry: Entry) -> Table:
    return replace(table, decks=with_deck(table, event.deck, stage="inspected", inspected_by=entry.by.id))


def _spread(table: Table, event: table_events.DeckSpread, _: Entry) -> Table:
    return replace(table, decks=with_deck(table, event.deck, stage="spread", face_up=event.face == "up"))


def _offered(table: Table, event: table_events.DeckOffered, _: Entry) -> Table:
    deck = next(one for one in table.decks if one.id == event.deck)
    decks = with_deck(table, event.deck, stage="offered", face_up=deck.face_up or event.turned_up)
    return replace(table, decks=decks)


def _to(stage: str) -> Callable[[Table, Any, Entry], Table]:
    return lambda table, event, _: replace(table, decks=with_deck(table, event.deck, stage=stage, face_up=False))


def _shuffle_ordered(table: Table, event: table_events.ShuffleOrdered, entry: Entry) -> Table:
    table = _to("stacked")(table, event, entry)
    return replace(table, decks=with_deck(table, event.deck, ordered=True))


def _shuffled(table: Table, event: table_events.DeckShuffled, _: Entry) -> Table:
    decks = with_deck(
        table,
        event.deck,
        stage="shuffled",
        shuffled_by=event.method,
        depth=0,
        commitment=event.commitment,
        ordered=False,
        jammed=False,
    )
    failed = tuple(one for one in table.failed if one != "shuffler" or event.method == "manual")
    return replace(table, decks=decks, failed=failed)


def _cut(table: Table, event: table_events.DeckCut, _: Entry) -> Table:
    deck = next(one for one in table.decks if one.id == event.deck)
    # A second cut begins where the first has put the top.
    return replace(table, decks=with_deck(table, event.deck, stage="cut", depth=(deck.depth + event.depth) % 52))


def _loaded(table: Table, event: table_events.DeckLoaded, entry: Entry) -> Table:
    deck = next(one for one in table.decks if one.id == event.deck)
    hours = min(deck.hours or table.house.deck_hours, table.house.deck_hours)
    changes: dict[str, object] = {"stage": "loaded", "hours": hours}
    if event.placed:
        changes["placed"] = entry.at
    # What players had added was for the deck as it lay before: they may add again.
    return replace(table, decks=with_deck(table, event.deck, **changes), entropy=(), hand=event.hand)


def _condemned(table: Table, event: table_events.DeckCondemned, _: Entry) -> Table:
    cause = (event.clause, event.reading)
    return replace(table, decks=with_deck(table, event.deck, stage="condemned", why=event.why, condemned=cause))


def _removed(table: Table, event: table_events.DeckRemoved, _: Entry) -> Table:
    decks = tuple(deck for deck in table.decks if deck.id != event.deck)
    return replace(table, decks=decks, retired=(*table.retired, event.deck))


def _jammed(table: Table, event: table_events.DeckJammed, _: Entry) -> Table:
    failed = table.failed if "shuffler" in table.failed else (*table.failed, "shuffler")
    return replace(table, decks=with_deck(table, event.deck, stage="stacked", jammed=True), failed=failed)


def _idled(table: Table, *_: object) -> Table:
    return replace(table, status="idle", idle_due=False)


def _stub_counted(table: Table, event: table_events.StubCounted, _: Entry) -> Table:
    right = event.counted == event.expected
    deck = deck_in_play(table)
    decks = with_deck(table, deck.id, uncounted=-1) if deck is not None else table.decks
    return replace(table, stub="right" if right else "wrong", stub_counted=event.counted, decks=decks, uncounted=-1)


def _stub_racked(table: Table, *_: object) -> Table:
    return replace(table, stub="racked")


def _added(table: Table, event: table_events.EntropyAdded, _: Entry) -> Table:
    return replace(table, entropy=(*table.entropy, (event.patron, event.entropy)))


def _revealed(table: Table, *_: object) -> Table:
    return replace(table, sealed=None)


def _taken_out(table: Table, event: table_events.DeviceTakenOut, _: Entry) -> Table:
    others = tuple(one for one in table.out_of_use if one[:2] != (event.device, event.kind))
    return replace(table, out_of_use=(*others, (event.device, event.kind, event.how)))


def _restored(table: Table, event: table_events.DeviceRestored, _: Entry) -> Table:
    return replace(
        table,
        out_of_use=tuple(one for one in table.out_of_use if one[0] != event.device),
        failed=tuple(one for one in table.failed if one != event.device),
    )


CARDS: Final[dict[type, Callable[[Table, Any, Entry], Table]]] = {
    table_events.DeckReceived: _received,
    table_events.DeckInspected: _inspected,
    table_events.DeckVerified: _to("verified"),
    table_events.DeckSpread: _spread,
    table_events.DeckOffered: _offered,
    table_events.DeckTurnedDown: _to("turned_down"),
    table_events.DeckWashed: _to("washed"),
    table_events.DeckStacked: _to("stacked"),
    table_events.DeckShuffled: _shuffled,
    table_events.ShuffleOrdered: _shuffle_ordered,
    table_events.DeckCut: _cut,
    table_events.RecutOrdered: _to("shuffled"),
    table_events.DeckLoaded: _loaded,
    table_events.CardsTakenInHand: lambda table, event, _: replace(table, hand=event.hand),
    table_events.DeckJammed: _jammed,
    table_events.DeckCondemned: _condemned,
    table_events.DeckRemoved: _removed,
    table_events.TableWentIdle: _idled,
    table_events.StubCounted: _stub_counted,
    table_events.StubRacked: _stub_racked,
    table_events.EntropyAdded: _added,
    table_events.SeedRevealed: _revealed,
    table_events.DeviceTakenOut: _taken_out,
    table_events.DeviceRestored: _restored,
}
"""What each of them does."""
