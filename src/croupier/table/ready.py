"""Whether a round may begin: everything that must be in order before the first wager and before the bets are closed."""

from __future__ import annotations

from datetime import datetime, timedelta

from croupier.errors import RuleViolation
from croupier.games.offers import refuse
from croupier.table import events as table_events
from croupier.table.decks import WORDS, is_over_age, lying, next_step, why_leaves, why_next
from croupier.table.house import missing_attestation
from croupier.table.state import Deck, Table, cite, deck_in_play, deny, devices_of, is_out, out_of_use

__all__ = ["due_soon", "not_ready"]


def not_ready(table: Table, at: datetime) -> RuleViolation | None:
    """Why no round may begin now, if so."""
    house, rules = table.house, table.house.rulebook.table
    if table.status != "open" or table.suspended or (table.idle_due and lying(table)):
        if table.status == "closed":
            return deny(table, "table_closed", "open_table", "the table is closed")
        if table.suspended:
            return deny(table, "suspended", "suspend_table", "the table is suspended")
        return deny(table, "idle", "set_idle", "nobody played: the cards are spread, shown and shuffled first")
    if (missing := missing_attestation(table)) is not None:
        return refuse("not_attested", missing, f"the {missing.what.replace('_', ' ')} is attested first")
    if table.sealed is not None:
        return deny(table, "seed_sealed", "reveal_seed", "the seed of the round before is revealed first")
    for device in devices_of(house):
        if is_out(table, device):
            return refuse("out_of_use", out_of_use(table, device), f"the {device} is out of use")
        if device == "shoe" and device in table.failed:
            return deny(table, "device_failed", "restore_device", "the shoe is put in order first")
    if len(table.decks) != house.decks:
        words = f"{house.decks} deck{'s' * (house.decks > 1)} must be at the table; {len(table.decks)} came so far"
        if table.decks:
            return refuse("deck_missing", rules.decks.second, words, reading=131)
        return deny(table, "deck_missing", "receive_deck", words)
    for deck in table.decks:
        if deck.stage == "condemned":
            return refuse("deck_condemned", why_leaves(table, deck, at), f"deck {deck.id} must leave: {deck.why}")
        if is_over_age(deck, at):
            words = f"deck {deck.id} has been in play for {deck.hours} hours: it is replaced"
            return refuse("deck_too_old", why_leaves(table, deck, at), words)
    loaded = deck_in_play(table)
    for deck in table.decks:
        if loaded is None or deck is loaded:
            continue
        if deck.stage == "used":
            return refuse("rack_not_empty", rules.decks.one_racked, f"the cards of deck {deck.id} lie in the rack")
        if deck.stage not in {"shuffled", "cut"}:
            step = next_step(table, deck)
            return refuse(
                "other_deck", rules.decks.in_machine, f"deck {deck.id} is {WORDS[step]} first: it waits shuffled"
            )
    if loaded is None:
        deck = _nearest(table)
        return refuse("not_loaded", why_next(table, deck), f"deck {deck.id} is {WORDS[next_step(table, deck)]} first")
    return None


def _nearest(table: Table) -> Deck:
    """The deck that is dealt next."""
    fresh = [deck for deck in table.decks if deck.id != table.last_deck]
    return (fresh or list(table.decks))[0]


def due_soon(table: Table, at: datetime) -> list[table_events.Event]:
    """A warning for each deck whose hours are nearly over, where the house wants one."""
    lead = table.house.options.deck_warning_lead
    if not lead:
        return []
    rule = next(one for one in table.house.rulebook.table.deck_hours if table.house.deal in one.deal)
    near = timedelta(minutes=lead)
    return [
        table_events.DeckDueSoon(deck=deck.id, until=deck.until, **cite(rule))
        for deck in table.decks
        if deck.until is not None and deck.until - near <= at < deck.until
    ]
