"""Decks from their arrival to the shoe and to the rack, in the order of the document."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from croupier.cards import DECK
from croupier.citing import clause
from croupier.games.offers import is_name, refuse
from croupier.rulebook.schema import Cited
from croupier.table import commands
from croupier.table import events as table_events
from croupier.table.people import is_among
from croupier.table.requests import Request
from croupier.table.state import (
    Deck,
    Stage,
    Table,
    cite,
    cited_duty,
    deck_in_play,
    deck_named,
    deny,
    first_to_arrive,
    irregularity_row,
    is_out,
    out_of_use,
    seats_of,
)

__all__ = ["WORDS", "check_hand", "is_over_age", "lying", "needs_cut", "next_step", "why_leaves", "why_next"]

SHALLOW: Final = 10
"""Under so many cards below a cut the dealer is warned (reading 123)."""
_BY_NO_DEVICE: Final = {"manual", "preshuffled"}
_NEXT: Final[dict[Stage, str]] = {
    "received": "inspect_deck",
    "inspected": "verify_deck",
    "verified": "spread_deck",
    "spread": "offer_deck",
    "offered": "turn_down_deck",
    "turned_down": "wash_deck",
    "washed": "stack_deck",
    "stacked": "shuffle_deck",
    "used": "shuffle_deck",
    "condemned": "remove_deck",
}
"""What is done next with a deck that has come so far."""
WORDS: Final[dict[str, str]] = {
    "inspect_deck": "inspected by the dealer",
    "verify_deck": "verified by a floorperson",
    "spread_deck": "spread face up",
    "offer_deck": "offered to the first player's eyes",
    "turn_down_deck": "turned face down",
    "wash_deck": "washed",
    "stack_deck": "stacked",
    "shuffle_deck": "shuffled",
    "cut_deck": "cut",
    "load_deck": "loaded",
    "remove_deck": "removed",
}


def next_step(table: Table, deck: Deck) -> str:
    """The command that brings a deck on."""
    if deck.stage == "offered" and not deck.face_up:
        return "wash_deck"
    if deck.stage == "shuffled" and table.house.deal == "hand" and deck.shuffled_by in _BY_NO_DEVICE:
        return "shuffle_deck"  # reading 122
    if deck.stage == "shuffled" and needs_cut(table, deck):
        return "cut_deck"
    return _NEXT.get(deck.stage, "load_deck")


def needs_cut(table: Table, deck: Deck) -> bool:
    """Whether a shuffled deck is cut: by hand or before it came, into a shoe that is not a self-shuffling device."""
    return deck.shuffled_by in _BY_NO_DEVICE and table.house.shuffle != "continuous"


def _deck(table: Table, name: str, step: str) -> Deck:
    deck = deck_named(table, name)
    if deck is None:
        words = ", ".join(one.id for one in table.decks) or "none"
        raise deny(table, "no_such_deck", step, f"{name} is no deck of this table; there are: {words}")
    return deck


def _due(table: Table, name: str, step: str) -> Deck:
    """A deck for which this step is the next; otherwise the clause of the step that is missing."""
    deck = _deck(table, name, step)
    wanted = next_step(table, deck)
    if wanted != step:
        if deck.stage in {"loaded", "in_play"}:
            raise deny(table, "not_now", step, f"deck {name} is in play")
        raise refuse("out_of_order", why_next(table, deck), f"deck {name} is {WORDS[wanted]} next")
    return deck


def why_next(table: Table, deck: Deck) -> Cited:
    """The clause of what is done next with a deck: of its cause, where something has happened to it."""
    step = next_step(table, deck)
    if step == "shuffle_deck":
        return _why_shuffled(table, deck)
    return why_leaves(table, deck, None) if step == "remove_deck" else cited_duty(table.house, step)


def _why_shuffled(table: Table, deck: Deck) -> Cited:
    if deck.jammed or deck.ordered:
        return cited_duty(table.house, "report_jam" if deck.jammed else "order_shuffle")
    if deck.stage == "shuffled":
        return Cited(clause=_needs_shuffler(table).clause, reading=122)
    if deck.stage != "used":
        return cited_duty(table.house, "shuffle_deck")
    before, reshuffle = table.before, table.house.rulebook.procedure.reshuffle
    if before is not None and deck.id == table.last_deck and before.desk.void in {"round", "main_wagers"}:
        rows = {one.event: one for one in table.house.rulebook.irregularities.irregularity}
        for name in before.desk.ruled:
            if name in reshuffle.after:
                cited = rows[name].on(table.house.deal)
                return Cited(clause=cited.clause, reading=cited.reading or rows[name].reading)
    return reshuffle


def is_over_age(deck: Deck, at: datetime) -> bool:
    """Whether a deck has been in play for its hours (reading 126)."""
    return deck.until is not None and at >= deck.until


def why_leaves(table: Table, deck: Deck, at: datetime | None) -> Cited:
    """The clause by which a deck leaves: what condemned it, its hours, or none but that the game is over."""
    clause_, reading = deck.condemned
    if clause_:
        return Cited(clause=clause_, reading=reading)
    if at is not None and is_over_age(deck, at):
        rows = table.house.rulebook.table.deck_hours
        own = next(one for one in rows if table.house.deal in one.deal)
        return own if own.hours in (None, deck.hours) else next((one for one in rows if one.hours == deck.hours), own)
    return cited_duty(table.house, "remove_deck")


# --- arriving and opening


@clause("md-mississippi-stud 4.F", "md-high-card-flush 4.F", "md-let-it-ride .04F", "ma-mississippi-stud 3(a)")
def receive_deck(table: Table, command: commands.ReceiveDeck, _: Request) -> list[table_events.Event]:
    cited, rules = cited_duty(table.house, "receive_deck"), table.house.rulebook.table.decks
    if not command.deck or not is_name(command.deck) or not command.back or not is_name(command.back):
        raise refuse("no_name", cited, "a deck has a name and a back")
    if deck_named(table, command.deck) is not None:
        raise refuse("deck_twice", cited, f"deck {command.deck} is at the table already")
    if command.deck in table.retired:
        raise refuse("deck_retired", cited, f"deck {command.deck} has left this table: another one comes")
    if len(table.decks) >= table.house.decks:
        limit = rules.second if table.house.decks > rules.standard else rules
        raise refuse("too_many_decks", limit, f"this table plays with {table.house.decks}")
    if command.cover_cards != rules.cover_cards:
        words = "one cover card" if rules.cover_cards == 1 else f"{rules.cover_cards} cover cards"
        raise refuse("cover_cards", rules.cover, f"a deck comes with {words} here")
    same = [deck.id for deck in table.decks if deck.back.casefold() == command.back.casefold()]
    if same:
        raise refuse(
            "same_back", rules.backs_differ, f"the back of deck {same[0]} has that colour too: the backs differ"
        )
    other = next((deck for deck in table.decks if deck.design.casefold() not in ("", command.design.casefold())), None)
    if command.design and (other is not None or not command.design.strip()):
        words = f"deck {other.id} is of the design {other.design}: both look alike" if other else "a design has a name"
        raise refuse("other_design", rules.same_design, words)
    ready = command.preinspected and command.preshuffled
    waived = table.house.rulebook.procedure.preshuffled if ready else rules.second if table.decks else cited
    return [
        table_events.DeckReceived(
            deck=command.deck,
            back=command.back,
            cover_cards=command.cover_cards,
            ready=ready,
            design=command.design,
            **cite(waived),
        )
    ]


def inspect_deck(table: Table, command: commands.InspectDeck, _: Request) -> list[table_events.Event]:
    deck, cited = _due(table, command.deck, "inspect_deck"), cited_duty(table.house, "inspect_deck")
    if command.defects:
        return [table_events.DeckCondemned(deck=deck.id, cause="defect", found=command.defects, **cite(cited))]
    return [table_events.DeckInspected(deck=deck.id, **cite(cited))]


def verify_deck(table: Table, command: commands.VerifyDeck, order: Request) -> list[table_events.Event]:
    deck, cited = _due(table, command.deck, "verify_deck"), cited_duty(table.house, "verify_deck")
    if is_among(order.by.id, [deck.inspected_by]):
        raise refuse(
            "own_act", cited, f"{order.by.id} inspected deck {deck.id}: somebody else verifies it", reading=165
        )
    if order.by.id not in table.floor:
        raise refuse("not_assigned", cited, f"{order.by.id} is not assigned to this table")
    return [table_events.DeckVerified(deck=deck.id, inspected_by=deck.inspected_by, **cite(cited))]


def spread_deck(table: Table, command: commands.SpreadDeck, _: Request) -> list[table_events.Event]:
    deck = _due(table, command.deck, "spread_deck")
    return [table_events.DeckSpread(deck=deck.id, face="up", **cite(cited_duty(table.house, "spread_deck")))]


def offer_deck(table: Table, command: commands.OfferDeck, _: Request) -> list[table_events.Event]:
    deck, idle = _due(table, command.deck, "offer_deck"), table.house.rulebook.procedure.idle
    cited = idle.shown if deck.shuffled_by else cited_duty(table.house, "offer_deck")  # it has been in play before
    if not seats_of(table, command.patron):
        raise refuse("nobody_there", cited, "the cards are offered to a player who has come to the table")
    if command.patron != (first := first_to_arrive(table)):
        words = f"{first} has been seated longest: the cards are offered to {first}, not to {command.patron}"
        raise refuse("not_the_first", cited, words, reading=194)
    turned_up = not deck.face_up and idle.turned_up if command.turned_up is None else command.turned_up
    return [table_events.DeckOffered(deck=deck.id, patron=command.patron, turned_up=turned_up, **cite(cited))]


def turn_down_deck(table: Table, command: commands.TurnDownDeck, _: Request) -> list[table_events.Event]:
    deck = _due(table, command.deck, "turn_down_deck")
    return [table_events.DeckTurnedDown(deck=deck.id, **cite(cited_duty(table.house, "turn_down_deck")))]


def wash_deck(table: Table, command: commands.WashDeck, _: Request) -> list[table_events.Event]:
    deck = _due(table, command.deck, "wash_deck")
    return [table_events.DeckWashed(deck=deck.id, **cite(cited_duty(table.house, "wash_deck")))]


def stack_deck(table: Table, command: commands.StackDeck, _: Request) -> list[table_events.Event]:
    deck = _due(table, command.deck, "stack_deck")
    return [table_events.DeckStacked(deck=deck.id, **cite(cited_duty(table.house, "stack_deck")))]


# --- shuffling and cutting


def shuffle_deck(table: Table, command: commands.ShuffleDeck, order: Request) -> list[table_events.Event]:
    deck = _due(table, command.deck, "shuffle_deck")
    house, cited = table.house, why_next(table, deck)
    method = next(one for one in house.rulebook.table.shuffle if one.method == house.shuffle)
    if house.shuffle == "manual" and order.by.role == "device":
        raise refuse("not_by_device", method, "the dealer shuffles by hand here")
    if is_out(table, "shuffler"):
        raise refuse("out_of_use", out_of_use(table, "shuffler"), "the shuffler is out of use")
    counting = house.shuffle in {"automated_counting", "continuous"}
    if counting != (command.counted is not None):
        words = "a counting shuffler says how many cards it counted" if counting else "this shuffle does not count"
        raise refuse("count_missing" if counting else "not_counting", method, words)
    if table.sealed is not None and table.sealed[0] == deck.commitment:
        raise refuse("seed_sealed", cited, "the seed of the round before is revealed first")
    if command.counted is not None and command.counted != len(DECK):
        wrong = irregularity_row(table, "shuffler_count_wrong")
        condemned = table_events.DeckCondemned(
            deck=deck.id, cause="shuffler_count", counted=command.counted, **cite(wrong)
        )
        return [condemned]
    return [
        table_events.DeckShuffled(
            deck=deck.id,
            method=house.shuffle,
            counted=command.counted,
            commitment=command.commitment,
            **cite(cited),
        )
    ]


def order_shuffle(table: Table, command: commands.OrderShuffle, _: Request) -> list[table_events.Event]:
    deck, cited = _deck(table, command.deck, "order_shuffle"), cited_duty(table.house, "order_shuffle")
    if deck.stage not in {"shuffled", "cut", "loaded"}:
        words = "is being dealt" if deck.stage == "in_play" else "is not shuffled yet"
        raise refuse("not_now", cited, f"deck {deck.id} {words}")
    return [table_events.ShuffleOrdered(deck=deck.id, **cite(cited))]


@clause("md-mississippi-stud 5.I", "md-high-card-flush 5.I", "md-let-it-ride .05I")
def cut_deck(table: Table, command: commands.CutDeck, _: Request) -> list[table_events.Event]:
    deck, cut = _deck(table, command.deck, "cut_deck"), table.house.rulebook.table.cut
    if deck.stage in {"shuffled", "cut", "loaded"} and not needs_cut(table, deck):
        if table.house.shuffle == "continuous":
            raise refuse("no_cut", cut.exempt or cut.machine, "cards of a self-reshuffling device are not cut")
        raise refuse("no_cut", cut.machine, "cards from a shuffler are dealt without a cut")
    _due(table, command.deck, "cut_deck")
    below = len(DECK) - command.depth
    if not cut.depth <= command.depth < len(DECK):
        raise refuse("cut_too_shallow", cut, f"a cut is at least {cut.depth} cards deep")
    least = table.house.options.cut_bottom_min
    if below < least:
        raise refuse("cut_too_deep", cut, f"at least {least} cards remain below the cut", reading=123)
    return [
        table_events.DeckCut(
            deck=deck.id,
            depth=command.depth,
            cover_placed=cut.placed,
            cover_card=cut.cover_card,
            shallow=below < SHALLOW,
            **cite(cut),
        )
    ]


def _needs_shuffler(table: Table) -> Cited:
    row = next(one for one in table.house.rulebook.table.deal if one.method == table.house.deal)
    return row.needs_shuffler or row


def order_recut(table: Table, command: commands.OrderRecut, _: Request) -> list[table_events.Event]:
    deck, cited = _deck(table, command.deck, "order_recut"), cited_duty(table.house, "order_recut")
    if deck.stage == "in_play":
        raise refuse("too_late", cited, "a recut is ordered before the first card")
    if deck.stage not in {"cut", "loaded"} or not needs_cut(table, deck):
        exempt = table.house.rulebook.table.cut.exempt if table.house.shuffle == "continuous" else None
        raise refuse("no_cut", exempt or cited, f"deck {deck.id} was not cut")
    return [table_events.RecutOrdered(deck=deck.id, **cite(cited))]


def load_deck(table: Table, command: commands.LoadDeck, order: Request) -> list[table_events.Event]:
    deck, cited = _deck(table, command.deck, "load_deck"), cited_duty(table.house, "load_deck")
    house, rules = table.house, table.house.rulebook.table
    if deck.stage == "shuffled" and house.deal == "hand" and deck.shuffled_by in _BY_NO_DEVICE:
        raise refuse(
            "machine_first", _needs_shuffler(table), "a deck for the hand passes the shuffler first", reading=122
        )
    if deck.stage == "shuffled" and needs_cut(table, deck):
        raise refuse("not_cut", rules.cut.required, f"deck {deck.id} is cut first")
    if deck.stage != "cut":
        _due(table, command.deck, "load_deck")
    other = deck_in_play(table)
    if other is not None:
        raise refuse(
            "deck_loaded", cited, f"deck {other.id} is {'loaded' if other.id != deck.id else 'in play'} already"
        )
    if house.decks > rules.decks.standard and deck.id == table.last_deck:
        raise refuse("alternate", rules.decks.alternate, f"deck {deck.id} played the round before: the other is next")
    if (house.deal == "hand") != (command.hand is not None):
        words = (
            "the dealer takes the deck in the left or the right hand" if house.deal == "hand" else "no hand holds it"
        )
        raise refuse("which_hand", cited, words)
    check_hand(table, command.hand)
    if order.by.role == "device":
        method = next(one for one in rules.shuffle if one.method == house.shuffle)
        if method.loads_shoe is None or house.deal == "hand" or deck.shuffled_by in _BY_NO_DEVICE:
            raise refuse("not_by_device", cited, "the dealer loads the cards here")
    return [
        table_events.DeckLoaded(
            deck=deck.id, into=house.deal, hand=command.hand, placed=deck.placed is None, **cite(cited)
        )
    ]


def check_hand(table: Table, hand: str | None) -> None:
    """Refuse another hand than the one that took the cards of this round."""
    method = next(one for one in table.house.rulebook.table.deal if one.method == table.house.deal)
    if table.round is not None and method.same_hand is not None and hand and table.hand not in (None, hand):
        words = f"the {table.hand} hand took the cards of this round and keeps them"
        raise refuse("other_hand", method.same_hand, words, reading=197)


def remove_deck(table: Table, command: commands.RemoveDeck, order: Request) -> list[table_events.Event]:
    deck = _deck(table, command.deck, "remove_deck")
    cited = why_leaves(table, deck, order.at)
    if deck.stage == "in_play" or (table.round is not None and table.round.at.kind != "wagers"):
        raise refuse("round_in_progress", cited, "a deck leaves between rounds")
    if table.sealed is not None and table.sealed[0] == deck.commitment:
        raise refuse("seed_sealed", cited, "the seed of the round before is revealed first")
    return [table_events.DeckRemoved(deck=deck.id, **cite(cited))]


# --- without players


def set_idle(table: Table, command: commands.SetIdle, _: Request) -> list[table_events.Event]:
    cited, rule = cited_duty(table.house, "set_idle"), table.house.rulebook.procedure.idle
    if table.status != "open":
        raise refuse("not_open" if table.status == "closed" else "already_idle", cited, f"the table is {table.status}")
    if table.round is not None:
        raise refuse("round_in_progress", cited, "a table is idle between rounds")
    if command.face == "up" and rule.face == "down" and not seats_of(table, command.asked_by):
        raise refuse("nobody_asked", rule, "the cards lie face down unless a player asks for them face up")
    exempt = table.house.shuffle == "continuous" and table.house.options.csm_idle_exempt
    freed = table.house.rulebook.table.cut.exempt if exempt else None
    idled = table_events.TableWentIdle(
        face=command.face, asked_by=command.asked_by, spread=not exempt, **cite(freed or cited)
    )
    if exempt:
        return [idled]
    if not lying(table):
        raise refuse("no_cards", cited, "no cards are at the table that could be spread")
    return [*(table_events.DeckSpread(deck=deck.id, face=command.face, **cite(rule)) for deck in lying(table)), idled]


def lying(table: Table) -> list[Deck]:
    """The decks that are spread when nobody plays: all that have been opened and are not condemned."""
    closed = {"received", "inspected", "verified", "condemned"}
    return [deck for deck in table.decks if deck.stage not in closed]
