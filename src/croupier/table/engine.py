"""The one door to a table: what a command does, and what is allowed to whom.

>>> from croupier.rulebook import check, read_submission
>>> from croupier.table.codec import read_request
>>> submission = read_submission({"rulebook": "md-mississippi-stud"})
>>> table = new_table(submission, check(submission).rules())
>>> line = {"by": {"role": "dealer", "id": "d1"}, "at": "2026-01-01T20:00:00Z", "do": "rack_stub"}
>>> handle(table, read_request(line, table.house))
Traceback (most recent call last):
croupier.errors.RuleViolation: d1 is not the dealer on duty
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from croupier.errors import RuleViolation
from croupier.games import events as round_events
from croupier.games.offers import refuse
from croupier.money import print_dollars
from croupier.table import awards, decks, devices, disputes, house, players, stub
from croupier.table import events as table_events
from croupier.table.accounts import TRAY
from croupier.table.commands import WITH_REASON
from croupier.table.events import Entry
from croupier.table.evolve import fold
from croupier.table.people import Person, givers, is_among, say_givers
from croupier.table.play import IN_A_ROUND, move
from croupier.table.provable_shuffle import add_entropy, reveal_seed
from croupier.table.requests import Request
from croupier.table.state import Table, cited_duty, deny, duty_of, new_table, stream_of

__all__ = ["check_giver", "giver_problem", "handle", "judge", "new_table"]


def handle(table: Table, order: Request) -> tuple[Table, tuple[Entry, ...]]:
    """The table after a command, and what is recorded; a `RuleViolation` refuses it and changes nothing."""
    check_giver(table, order)
    return judge(table, order)


def judge(table: Table, order: Request) -> tuple[Table, tuple[Entry, ...]]:
    """The same, for somebody who may give the command: that was checked before."""
    name = order.name
    try:
        events = _MOVES[name](table, order.do, order)
    except RuleViolation as violation:
        violation.allowed = ()  # what a round allows is for those to know who may move: see `allowed`
        raise
    if name in WITH_REASON and not order.reason.strip():
        raise deny(table, "no_reason", name, "say why, in `reason`")
    after, entries, stream = table, [], stream_of(table)
    for event in events:
        entry = Entry(
            stream=stream,
            seq=after.seq + 1,
            at=order.at,
            by=order.by,
            rules=after.house.hash,
            round=_round_number(after, event),
            command=order.key,
            reason=order.reason,
            event=event,
        )
        entries.append(entry)
        after = fold(after, entry)  # new rules are those of today: replay alone looks elsewhere
    _check_chips(after, order)
    return after, tuple(entries)


def _round_number(table: Table, event: table_events.Event) -> int:
    """The number of the round that an event belongs to: the one in play, or the one whose seed is revealed."""
    if table.round is not None or isinstance(event, round_events.WagerPlaced):
        return table.played + 1
    return table.played if isinstance(event, table_events.SeedRevealed) else 0


def check_giver(table: Table, order: Request) -> None:
    """Whether this person may give this command at all, and at this time."""
    if (problem := giver_problem(table, order.by, order.name)) is not None:
        raise problem
    if table.clock is not None and order.at < table.clock:
        hours = table.house.rulebook.table.deck_hours[0]
        raise refuse("clock", hours, f"the last entry is of {table.clock.isoformat()}: time does not run back")


def giver_problem(table: Table, by: Person, name: str) -> RuleViolation | None:
    """Why a person may not give a command, if so; at one table nobody has two parts (reading 165)."""
    duty = duty_of(table.house, name)
    if duty is None:
        words = f"{table.house.rulebook.id} knows no command {name}"
        return deny(table, "unknown_here", "shuffle_deck", words)
    if by.role not in givers(table.house.rulebook.procedure.ranks, duty):
        message = f"{name} is given by {say_givers(duty)}, not by a {by.role.replace('_', ' ')}"
        return deny(table, "not_your_act", name, message, reading=165)
    if by.role == "dealer" and by.id != table.dealer:
        return deny(table, "not_on_duty", "assign", f"{by.id} is not the dealer on duty")
    if by.role != "dealer" and table.dealer and is_among(by.id, [table.dealer]):
        return deny(table, "own_act", name, f"{by.id} deals at this table and has no other part in it", reading=165)
    if by.role != "player" and is_among(by.id, [patron for _, patron in table.seats]):
        return deny(table, "own_act", name, f"{by.id} plays at this table and has no other part in it", reading=165)
    return None


def _check_chips(table: Table, order: Request) -> None:
    """Nobody bets chips that they do not have, and the tray pays only what lies in it.

    What an officer turns back from a player who has gone with the chips is owed, and booked as that.
    """
    for account, amount in table.books:
        if amount >= 0:
            continue
        if account == TRAY:
            fill = cited_duty(table.house, "fill_tray")
            raise refuse("tray_short", fill, f"the tray lacks {print_dollars(-amount)}: it is filled first")
        if account.kind == "chips" and order.name in {"place_wager", "decide"}:
            cited = cited_duty(table.house, order.name)
            raise refuse("not_enough_chips", cited, f"{account.of} lacks {print_dollars(-amount)} in chips")


_OWN: Final[dict[str, Callable[[Table, Any, Request], list[table_events.Event]]]] = {
    "assign": house.assign,
    "attest": house.attest,
    "count_inventory": house.count_inventory,
    "verify_inventory": house.verify_inventory,
    "fill_tray": house.fill_tray,
    "credit_tray": house.credit_tray,
    "open_table": house.open_table,
    "change_day": house.change_day,
    "close_table": house.close_table,
    "suspend_table": house.suspend_table,
    "release_table": house.release_table,
    "propose_rules": house.propose_rules,
    "confirm_rules": house.confirm_rules,
    "sit": players.sit,
    "stand_up": players.stand_up,
    "buy_in": players.buy_in,
    "receive_deck": decks.receive_deck,
    "inspect_deck": decks.inspect_deck,
    "verify_deck": decks.verify_deck,
    "spread_deck": decks.spread_deck,
    "offer_deck": decks.offer_deck,
    "turn_down_deck": decks.turn_down_deck,
    "wash_deck": decks.wash_deck,
    "stack_deck": decks.stack_deck,
    "shuffle_deck": decks.shuffle_deck,
    "order_shuffle": decks.order_shuffle,
    "cut_deck": decks.cut_deck,
    "order_recut": decks.order_recut,
    "load_deck": decks.load_deck,
    "remove_deck": decks.remove_deck,
    "set_idle": decks.set_idle,
    "count_stub": stub.count_stub,
    "report_holdings": stub.report_holdings,
    "rack_stub": stub.rack_stub,
    "add_entropy": add_entropy,
    "reveal_seed": reveal_seed,
    "report_jam": devices.report_jam,
    "take_out_device": devices.take_out_device,
    "restore_device": devices.restore_device,
    "change_method": devices.change_method,
    "verify_award": awards.verify_award,
    "validate_award": awards.validate_award,
    "reject_award": awards.reject_award,
    "pay_award": awards.pay_award,
    "hand_pay_award": awards.hand_pay_award,
    "rebuild_hands": disputes.rebuild_hands,
}
_MOVES: Final = {**_OWN, **dict.fromkeys(IN_A_ROUND, move)}
