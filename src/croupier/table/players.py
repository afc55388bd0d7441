"""Players: seats and chips."""

from __future__ import annotations

from croupier.games.offers import refuse
from croupier.games.round import box_at
from croupier.money import MOST
from croupier.table import commands
from croupier.table import events as table_events
from croupier.table.people import is_among, is_person, is_reserved
from croupier.table.requests import Request
from croupier.table.state import Table, chips_of, cite, cited_duty, deny, patron_at, seats_of

__all__ = ["own_seat", "patron_of"]


def patron_of(table: Table, order: Request, named: str) -> str:
    """Which player a command is about: a player speaks for nobody else, the dealer names one."""
    if order.by.role != "player":
        return named
    if named not in ("", order.by.id):
        raise deny(table, "not_your_own", order.name, f"{order.by.id} speaks for nobody else")
    return order.by.id


def own_seat(table: Table, order: Request, seat: int) -> str:
    """Who sits at the seat of a command; a player must be that one."""
    patron, cited = patron_at(table, seat), cited_duty(table.house, "sit")
    if not patron:
        raise refuse("nobody_there", cited, f"nobody sits at seat {seat}: only a seated player bets and plays")
    if order.by.role == "player" and order.by.id != patron:
        raise refuse("not_your_own", cited, f"seat {seat} is not {order.by.id}'s")
    return patron


def sit(table: Table, command: commands.Sit, order: Request) -> list[table_events.Event]:
    cited, patron, seat = cited_duty(table.house, "sit"), patron_of(table, order, command.patron), command.seat
    if table.status == "closed":
        raise refuse("table_closed", cited, "the table is closed")
    if not is_person(patron):
        raise refuse("no_name", cited, "a player is known by a name")
    if is_reserved(patron):
        raise refuse("no_name", cited, f"{patron} is a name that the table itself uses: a player has another one")
    if is_among(patron, (table.dealer, *table.floor)):
        raise refuse("on_duty", cited, f"{patron} is on duty at this table")
    if not 1 <= seat <= table.house.seats:
        rule = table.house.rulebook.table.seats
        fewer = [one for one in rule.fewer if table.house.wager(one.offered) and seat > one.maximum]
        raise refuse("no_such_seat", fewer[0] if fewer else rule, f"the seats are 1 to {table.house.seats}")
    if patron_at(table, seat):
        raise refuse("seat_taken", cited, f"seat {seat} is {patron_at(table, seat)}'s")
    if table.round is not None and box_at(table.round, seat) is not None:
        raise refuse("box_in_play", cited, f"a hand is still in play at seat {seat}")
    mine, boxes = seats_of(table, patron), table.house.rulebook.table.boxes
    if len(mine) >= table.house.boxes:
        raise refuse("too_many_boxes", boxes, f"a player here has at most {table.house.boxes} of the positions")
    if mine and not any(abs(seat - one) == 1 for one in mine):
        raise refuse("boxes_not_adjacent", boxes, f"the boxes of {patron} would not touch", reading=87)
    return [table_events.PlayerSat(seat=seat, patron=patron, **cite(cited))]


def stand_up(table: Table, command: commands.StandUp, order: Request) -> list[table_events.Event]:
    cited, patron = cited_duty(table.house, "stand_up"), patron_of(table, order, command.patron)
    mine = seats_of(table, patron)
    if not patron or (not mine and not chips_of(table, patron)):
        raise refuse("nobody_there", cited, f"{patron or 'nobody'} does not sit here")
    state = table.round
    boxes = [box for seat in mine if state is not None and (box := box_at(state, seat)) is not None]
    if state is not None and boxes and state.at.kind in {"wagers", "act"}:
        raise refuse("bets_down", cited, "the bets are taken back first, or the round is played")
    if any(not box.absent and box.out != "left" for box in boxes):
        message = "a player who bet and has cards stays until the round is over; a floorperson records who leaves"
        raise refuse("round_in_progress", cited, message)
    return [table_events.PlayerStoodUp(patron=patron, chips=chips_of(table, patron), **cite(cited))]


def buy_in(table: Table, command: commands.BuyIn, order: Request) -> list[table_events.Event]:
    cited, patron = cited_duty(table.house, "buy_in"), patron_of(table, order, command.patron)
    if not seats_of(table, patron):
        raise deny(table, "nobody_there", "sit", f"{patron or 'nobody'} does not sit here")
    if not command.amount > 0 or chips_of(table, patron) + command.amount > MOST:
        raise refuse("no_amount", cited, "chips are bought for an amount of money")
    return [table_events.PlayerBoughtIn(patron=patron, amount=command.amount, brought=command.brought, **cite(cited))]
