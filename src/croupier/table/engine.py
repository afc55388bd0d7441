"""The one door to a table: who may give a command, and what it does.

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
from typing import Any, Final, NamedTuple

from croupier.errors import RuleViolation
from croupier.games import events as round_events
from croupier.games import refuse
from croupier.money import print_dollars
from croupier.table import awards, decks, devices, disputes, house, players, stub
from croupier.table import events as table_events
from croupier.table.accounts import TRAY, Posting
from croupier.table.commands import WITH_REASON
from croupier.table.duties import cited_duty, duty_of
from croupier.table.events import Entry
from croupier.table.evolve import fold
from croupier.table.people import Person, givers, is_among, say_givers
from croupier.table.play import IN_A_ROUND, move
from croupier.table.provable_shuffle import add_entropy, reveal_seed
from croupier.table.requests import Request
from croupier.table.state import Table, new_table, stream_of

__all__ = ["JudgedCommand", "check_giver", "giver_problem", "handle", "judge", "new_table"]


class JudgedCommand(NamedTuple):
    """The table after a command, what is recorded, and what each entry moves between accounts."""

    table: Table
    entries: tuple[Entry, ...]
    moves: tuple[tuple[Posting, ...], ...]


def handle(table: Table, request: Request) -> tuple[Table, tuple[Entry, ...]]:
    """The table after a command, and what is recorded; a `RuleViolation` refuses it and changes nothing."""
    check_giver(table, request)
    return judge(table, request)[:2]


def judge(table: Table, request: Request) -> JudgedCommand:
    """The table after a command whose giver has already been checked."""
    name = request.name
    try:
        events = _MOVES[name](table, request.command, request)
    except RuleViolation as violation:
        violation.allowed = ()  # only someone who may move is told what is allowed: see `allowed`
        raise
    if name in WITH_REASON and not request.reason.strip():
        raise refuse("no_reason", cited_duty(table.house, name), "say why in `reason`")
    after, entries, moves, stream = table, [], [], stream_of(table)
    for event in events:
        entry = Entry(
            stream=stream,
            seq=after.seq + 1,
            at=request.at,
            by=request.by,
            rules=after.house.hash,
            round=_round_number(after, event),
            command=request.key,
            reason=request.reason,
            event=event,
        )
        entries.append(entry)
        after, moved = fold(after, entry)  # a live table takes today's rules; only a replay looks them up elsewhere
        moves.append(moved)
    _check_chips(after, request)
    return JudgedCommand(after, tuple(entries), tuple(moves))


def _round_number(table: Table, event: table_events.Event) -> int:
    """The number of the round that an event belongs to: the one in play, or the one whose seed is revealed."""
    if table.round is not None or isinstance(event, round_events.WagerPlaced):
        return table.played + 1
    return table.played if isinstance(event, table_events.SeedRevealed) else 0


def check_giver(table: Table, request: Request) -> None:
    """Refuse a person who may not give this command, and a time before the last entry."""
    if (problem := giver_problem(table, request.by, request.name)) is not None:
        raise problem
    if table.clock is not None and request.at < table.clock:
        hours = table.house.rulebook.table.deck_hours[0]
        raise refuse("clock", hours, f"the last entry was at {table.clock.isoformat()}, and this one is earlier")


def giver_problem(table: Table, by: Person, name: str) -> RuleViolation | None:
    """Why a person may not give a command, or None; nobody has two roles at one table (reading 165)."""
    duty = duty_of(table.house, name)
    if duty is None:
        words = f"{table.house.rulebook.id} has no command {name}"
        return refuse("unknown_here", cited_duty(table.house, "shuffle_deck"), words)
    if by.role not in givers(table.house.rulebook.procedure.ranks, duty):
        message = f"{name} is for {say_givers(duty)}, not for a {by.role.replace('_', ' ')}"
        return refuse("not_your_act", cited_duty(table.house, name), message, reading=165)
    if by.role == "dealer" and by.id != table.people.dealer:
        return refuse("not_on_duty", cited_duty(table.house, "assign"), f"{by.id} is not the dealer on duty")
    if by.role != "dealer" and table.people.dealer and is_among(by.id, [table.people.dealer]):
        return refuse(
            "own_act",
            cited_duty(table.house, name),
            f"{by.id} deals at this table and may not act in another role here",
            reading=165,
        )
    if by.role != "player" and is_among(by.id, [patron for _, patron in table.people.seats]):
        return refuse(
            "own_act",
            cited_duty(table.house, name),
            f"{by.id} plays at this table and may not act for the house here",
            reading=165,
        )
    return None


def _check_chips(table: Table, request: Request) -> None:
    """Refuse bets beyond a player's chips, and payments beyond what is in the tray.

    A player who left with chips from a settlement that an officer reverses owes them, and the books say so.
    """
    for account, amount in table.books:
        if amount >= 0:
            continue
        if account == TRAY:
            fill = cited_duty(table.house, "fill_tray")
            raise refuse("tray_short", fill, f"the tray is {print_dollars(-amount)} short: fill it first")
        if account.kind == "chips" and request.name in {"place_wager", "decide"}:
            cited = cited_duty(table.house, request.name)
            raise refuse("not_enough_chips", cited, f"{account.of} is {print_dollars(-amount)} short in chips")


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
_MOVES: Final[dict[str, Callable[[Table, Any, Request], list[table_events.Event]]]] = {
    **_OWN,
    **dict.fromkeys(IN_A_ROUND, move),
}
