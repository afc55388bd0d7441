"""Players: seats and chips."""

from __future__ import annotations

from croupier.errors import RuleViolation
from croupier.games import box_at, refuse
from croupier.money import MOST, print_dollars
from croupier.table import commands
from croupier.table import events as table_events
from croupier.table.duties import cite, cited_duty
from croupier.table.people import LONGEST_PERSON_NAME, Person, is_among, is_person, is_reserved
from croupier.table.requests import Request
from croupier.table.state import Table, chips_of, patron_at, seats_of

__all__ = ["own_seat", "patron_of", "seat_problem"]


def patron_of(table: Table, request: Request, named: str) -> str:
    """The player that a command is about: players act only for themselves, the dealer names the player."""
    if request.by.role != "player":
        return named
    if named not in ("", request.by.id):
        raise refuse(
            "not_your_own", cited_duty(table.house, request.name), f"{request.by.id} may act only for themselves"
        )
    return request.by.id


def own_seat(table: Table, request: Request, seat: int) -> str:
    """The player at a seat; a player may name only a seat of their own."""
    if (problem := seat_problem(table, request.by, seat)) is not None:
        raise problem
    return patron_at(table, seat)


def seat_problem(table: Table, by: Person, seat: int) -> RuleViolation | None:
    """Why a person may not act for the player at a seat, or None."""
    patron, cited = patron_at(table, seat), cited_duty(table.house, "sit")
    if not patron:
        return refuse("nobody_there", cited, f"nobody is seated at seat {seat}: only seated players bet and play")
    if by.role == "player" and by.id != patron:
        return refuse("not_your_own", cited, f"seat {seat} is not {by.id}'s")
    return None


def _not_seated(patron: str) -> str:
    return f"{patron} is not seated here" if patron else "name a seated player"


def sit(table: Table, command: commands.Sit, request: Request) -> list[table_events.Event]:
    cited, patron, seat = cited_duty(table.house, "sit"), patron_of(table, request, command.patron), command.seat
    if table.status == "closed":
        raise refuse("table_closed", cited, "the table is closed")
    if not is_person(patron):
        raise refuse("no_name", cited, f"a player needs a name of 1 to {LONGEST_PERSON_NAME} printable characters")
    if is_reserved(patron):
        raise refuse("no_name", cited, f"the table itself uses the name {patron}: choose another")
    if is_among(patron, (table.people.dealer, *table.people.floor)):
        raise refuse("on_duty", cited, f"{patron} is on duty at this table")
    if not 1 <= seat <= table.house.seats:
        rule = table.house.rulebook.table.seats
        fewer = [limit for limit in rule.fewer if table.house.wager(limit.offered) and seat > limit.maximum]
        raise refuse("no_such_seat", fewer[0] if fewer else rule, f"seats are 1 to {table.house.seats}")
    if patron_at(table, seat):
        raise refuse("seat_taken", cited, f"seat {seat} is taken by {patron_at(table, seat)}")
    if table.round is not None and box_at(table.round, seat) is not None:
        raise refuse("box_in_play", cited, f"a hand is still in play at seat {seat}")
    mine, boxes = seats_of(table, patron), table.house.rulebook.table.boxes
    if len(mine) >= table.house.boxes:
        raise refuse("too_many_boxes", boxes, f"a player may take at most {table.house.boxes} positions here")
    if mine and not any(abs(seat - own) == 1 for own in mine):
        raise refuse("boxes_not_adjacent", boxes, f"the boxes of {patron} must be side by side", reading=87)
    return [table_events.PlayerSat(seat=seat, patron=patron, **cite(cited))]


def stand_up(table: Table, command: commands.StandUp, request: Request) -> list[table_events.Event]:
    cited, patron = cited_duty(table.house, "stand_up"), patron_of(table, request, command.patron)
    mine = seats_of(table, patron)
    if not patron or (not mine and not chips_of(table, patron)):
        raise refuse("nobody_there", cited, _not_seated(patron))
    state = table.round
    boxes = [box for seat in mine if state is not None and (box := box_at(state, seat)) is not None]
    if state is not None and boxes and state.at.kind in {"wagers", "act"}:
        raise refuse("bets_down", cited, "take back the bets first, or play the round out")
    if any(not box.absent and box.out != "left" for box in boxes):
        message = "a player with cards must stay until the round is over; a floorperson records a player who leaves"
        raise refuse("round_in_progress", cited, message)
    return [table_events.PlayerStoodUp(patron=patron, chips=chips_of(table, patron), **cite(cited))]


def buy_in(table: Table, command: commands.BuyIn, request: Request) -> list[table_events.Event]:
    cited, patron = cited_duty(table.house, "buy_in"), patron_of(table, request, command.patron)
    if not seats_of(table, patron):
        raise refuse("nobody_there", cited_duty(table.house, "sit"), _not_seated(patron))
    if not command.amount > 0 or chips_of(table, patron) + command.amount > MOST:
        raise refuse(
            "no_amount", cited, f"a buy-in must be more than $0, and a player may have at most {print_dollars(MOST)}"
        )
    return [table_events.PlayerBoughtIn(patron=patron, amount=command.amount, brought=command.brought, **cite(cited))]
