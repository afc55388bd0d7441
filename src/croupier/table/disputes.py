"""Disputes: hands rebuilt from the record, in the order of the rack."""

from __future__ import annotations

from croupier.citing import clause
from croupier.games import Round, own_places, refuse
from croupier.table import commands
from croupier.table import events as table_events
from croupier.table.duties import cite, cited_duty
from croupier.table.requests import Request
from croupier.table.state import Table

__all__ = ["disputed", "in_the_rack"]


def disputed(table: Table) -> tuple[int, Round] | None:
    """The round whose hands may be rebuilt, with its number: the one in settlement, or else the last one closed."""
    if table.round is not None and table.round.at.kind in {"settle", "close"}:
        return table.played + 1, table.round
    return None if table.last_round is None else (table.played, table.last_round)


def in_the_rack(state: Round) -> dict[int, tuple[int, ...]]:
    """The places of each hand: racked hands in the order of the rack, then the hands still on the layout."""
    rack = {place: at for at, place in enumerate(state.cards.rack)}
    hands = {
        box.seat: tuple(sorted(own_places(state, box.seat), key=lambda place: rack.get(place, len(rack))))
        for box in reversed(state.boxes)
    }
    from_the_rack = sorted(hands, key=lambda seat: rack.get(hands[seat][0], len(rack)) if hands[seat] else len(rack))
    return {seat: hands[seat] for seat in from_the_rack}


@clause("md-mississippi-stud 11.J", "md-high-card-flush 11.C", "md-let-it-ride .11G(2)", "ma-mississippi-stud 10(j)")
def rebuild_hands(table: Table, command: commands.RebuildHands, _: Request) -> list[table_events.Event]:
    cited, dispute = cited_duty(table.house, "rebuild_hands"), disputed(table)
    if dispute is None:
        raise refuse("no_round", cited, "only a round in settlement, or the last closed round, can be rebuilt")
    number, state = dispute
    hands = in_the_rack(state)
    if command.seat and command.seat not in hands:
        words = ", ".join(map(str, sorted(hands)))
        raise refuse("no_hand", cited, f"seat {command.seat} had no hand in that round; these seats had: {words}")
    seats = (command.seat,) if command.seat else tuple(hands)
    faces = state.faces
    known = {seat: [place for place in hands[seat] if faces.known[place] is not None] for seat in seats}
    places = [place for seat in seats for place in known[seat]]
    cards = tuple(card for place in places if (card := faces.known[place]) is not None)
    hidden = table_events.Hidden(cards, tuple(faces.salts[place] for place in places) if faces.salts else ())
    told = tuple(len(known[seat]) for seat in seats)
    return [table_events.HandsRebuilt(round=number, seats=seats, told=told, cards=hidden, **cite(cited))]
