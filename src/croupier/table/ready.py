"""Whether a round may begin: what must be in place before the first wager and before the bets are closed."""

from __future__ import annotations

from datetime import datetime, timedelta

from croupier.errors import RuleViolation
from croupier.games import refuse
from croupier.table import events as table_events
from croupier.table.deck_steps import WORDS, is_over_age, next_step, opened_decks, why_leaves, why_next
from croupier.table.duties import cite, cited_duty
from croupier.table.house import missing_attestation
from croupier.table.methods import devices_of, is_out, out_of_use
from croupier.table.state import Deck, Table, deck_in_play, deck_words

__all__ = ["due_soon", "not_ready"]


def not_ready(table: Table, at: datetime) -> RuleViolation | None:
    """Why no round may begin now, or None."""
    house, rules = table.house, table.house.rulebook.table
    if table.status != "open" or table.suspended or (table.idle_due and opened_decks(table)):
        if table.status == "closed":
            return refuse("table_closed", cited_duty(table.house, "open_table"), "the table is closed")
        if table.suspended:
            return refuse("suspended", cited_duty(table.house, "suspend_table"), "the table is suspended")
        return refuse(
            "idle",
            cited_duty(table.house, "set_idle"),
            "the table has been idle: spread, show and shuffle the cards first",
        )
    if (missing := missing_attestation(table)) is not None:
        return refuse("not_attested", missing, f"attest the {missing.what.replace('_', ' ')} first")
    if table.fairness.unrevealed_shuffle is not None:
        return refuse("seed_sealed", cited_duty(table.house, "reveal_seed"), "reveal the seed of the last round first")
    for device in devices_of(house):
        if is_out(table, device):
            return refuse("out_of_use", out_of_use(table, device), f"the {device} is out of service")
        if device == "shoe" and device in table.devices.failed:
            return refuse("device_failed", cited_duty(table.house, "restore_device"), "restore the shoe first")
    if len(table.cards.decks) != house.decks:
        words = (
            f"the table needs {house.decks} deck{'s' * (house.decks > 1)} and has {len(table.cards.decks) or 'none'}"
        )
        if table.cards.decks:
            return refuse("deck_missing", rules.decks.second, words, reading=131)
        return refuse("deck_missing", cited_duty(table.house, "receive_deck"), words)
    for deck in table.cards.decks:
        if deck.stage == "condemned":
            words = f"{deck_words(deck.id)} must be removed: {deck.why}"
            return refuse("deck_condemned", why_leaves(table, deck, at), words)
        if is_over_age(deck, at):
            words = f"{deck_words(deck.id)} has been in play for {deck.hours} hours: replace it"
            return refuse("deck_too_old", why_leaves(table, deck, at), words)
    loaded = deck_in_play(table)
    for deck in table.cards.decks:
        if loaded is None or deck is loaded:
            continue
        if deck.stage == "used":
            return refuse(
                "rack_not_empty", rules.decks.one_racked, f"the cards of {deck_words(deck.id)} are in the discard rack"
            )
        if deck.stage not in {"shuffled", "cut"}:
            step = next_step(table, deck)
            return refuse(
                "other_deck",
                rules.decks.in_machine,
                f"{deck_words(deck.id)} must be {WORDS[step]} first: the other deck must be shuffled before the round",
            )
    if loaded is None:
        deck = _nearest(table)
        return refuse(
            "not_loaded", why_next(table, deck), f"{deck_words(deck.id)} must be {WORDS[next_step(table, deck)]} first"
        )
    return None


def _nearest(table: Table) -> Deck:
    """The deck that is dealt next."""
    fresh = [deck for deck in table.cards.decks if deck.id != table.cards.last_deck]
    return (fresh or list(table.cards.decks))[0]


def due_soon(table: Table, at: datetime) -> list[table_events.Event]:
    """A warning for each deck that is almost due for replacement, where the house asks for one."""
    lead = table.house.options.deck_warning_lead
    if not lead:
        return []
    rule = next(row for row in table.house.rulebook.table.deck_hours if table.house.deal in row.deal)
    near = timedelta(minutes=lead)
    return [
        table_events.DeckDueSoon(deck=deck.id, until=deck.until, **cite(rule))
        for deck in table.cards.decks
        if deck.until is not None and deck.until - near <= at < deck.until
    ]
