"""Decks from their arrival to the shoe and the rack, step by step as the document has it."""

from __future__ import annotations

from typing import Final

from croupier.cards import DECK
from croupier.citing import clause
from croupier.games import is_name, refuse
from croupier.table import commands
from croupier.table import events as table_events
from croupier.table.deck_steps import (
    NO_SHUFFLER,
    WORDS,
    check_hand,
    cut_range,
    needs_cut,
    needs_shuffler,
    next_step,
    opened_decks,
    why_leaves,
    why_next,
)
from croupier.table.duties import cite, cited_duty
from croupier.table.methods import expected_count, irregularity_row, is_out, out_of_use
from croupier.table.people import is_among
from croupier.table.requests import Request
from croupier.table.state import Deck, Table, deck_in_play, deck_named, deck_words, first_to_arrive, seats_of

__all__: list[str] = []

SHALLOW: Final = 10
"""With fewer cards than this below a cut the dealer is warned (reading 123)."""


def _deck(table: Table, name: str, step: str) -> Deck:
    deck = deck_named(table, name)
    if deck is None:
        words = ", ".join(deck.id for deck in table.cards.decks) or "none"
        message = f"this table has no {deck_words(name)}; it has: {words}"
        raise refuse("no_such_deck", cited_duty(table.house, step), message)
    return deck


def _due(table: Table, name: str, step: str) -> Deck:
    """The named deck, if this is its next step; otherwise refused under the clause of the missing step."""
    deck = _deck(table, name, step)
    due = next_step(table, deck)
    if due != step:
        if deck.stage in {"loaded", "in_play"}:
            raise refuse("not_now", cited_duty(table.house, step), f"{deck_words(name)} is in play")
        raise refuse("out_of_order", why_next(table, deck), f"{deck_words(name)} must be {WORDS[due]} next")
    return deck


# --- arriving and opening


@clause("md-mississippi-stud 4.F", "md-high-card-flush 4.F", "md-let-it-ride .04F", "ma-mississippi-stud 3(a)")
def receive_deck(table: Table, command: commands.ReceiveDeck, _: Request) -> list[table_events.Event]:
    cited, rules = cited_duty(table.house, "receive_deck"), table.house.rulebook.table.decks
    if not command.deck or not is_name(command.deck) or not command.back or not is_name(command.back):
        raise refuse("no_name", cited, "a deck needs a name and a back")
    if deck_named(table, command.deck) is not None:
        raise refuse("deck_twice", cited, f"{deck_words(command.deck)} is already at the table")
    if command.deck in table.cards.retired:
        raise refuse("deck_retired", cited, f"{deck_words(command.deck)} has left this table for good: bring another")
    if len(table.cards.decks) >= table.house.decks:
        limit = rules.second if table.house.decks > rules.standard else rules
        raise refuse(
            "too_many_decks", limit, f"this table plays with {table.house.decks} deck{'s' * (table.house.decks > 1)}"
        )
    if command.cover_cards != rules.cover_cards:
        words = "one cover card" if rules.cover_cards == 1 else f"{rules.cover_cards} cover cards"
        raise refuse("cover_cards", rules.cover, f"a deck must come with {words} here")
    same = [deck.id for deck in table.cards.decks if deck.back.casefold() == command.back.casefold()]
    if same:
        raise refuse("same_back", rules.backs_differ, f"{deck_words(same[0])} has the same back: the backs must differ")
    other = next(
        (deck for deck in table.cards.decks if deck.design.casefold() not in ("", command.design.casefold())), None
    )
    if command.design and (other is not None or not command.design.strip()):
        words = "name the design"
        if other:
            words = f"{deck_words(other.id)} has the design {other.design}: both decks must match"
        raise refuse("other_design", rules.same_design, words)
    ready = command.preinspected and command.preshuffled
    waived = table.house.rulebook.procedure.preshuffled if ready else rules.second if table.cards.decks else cited
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


def verify_deck(table: Table, command: commands.VerifyDeck, request: Request) -> list[table_events.Event]:
    deck, cited = _due(table, command.deck, "verify_deck"), cited_duty(table.house, "verify_deck")
    if is_among(request.by.id, [deck.inspected_by]):
        raise refuse(
            "own_act",
            cited,
            f"{request.by.id} inspected {deck_words(deck.id)}: somebody else must verify it",
            reading=165,
        )
    if request.by.id not in table.people.floor:
        raise refuse("not_assigned", cited, f"{request.by.id} is not assigned to this table")
    return [table_events.DeckVerified(deck=deck.id, inspected_by=deck.inspected_by, **cite(cited))]


def spread_deck(table: Table, command: commands.SpreadDeck, _: Request) -> list[table_events.Event]:
    deck = _due(table, command.deck, "spread_deck")
    return [table_events.DeckSpread(deck=deck.id, face="up", **cite(cited_duty(table.house, "spread_deck")))]


def offer_deck(table: Table, command: commands.OfferDeck, _: Request) -> list[table_events.Event]:
    deck, idle = _due(table, command.deck, "offer_deck"), table.house.rulebook.procedure.idle
    cited = idle.shown if deck.shuffled_by else cited_duty(table.house, "offer_deck")  # it has been in play before
    if not seats_of(table, command.patron):
        raise refuse("nobody_there", cited, "show the cards to a player who is seated here")
    if command.patron != (first := first_to_arrive(table)):
        words = f"show the cards to {first}, who has been seated longest, not to {command.patron}"
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


def shuffle_deck(table: Table, command: commands.ShuffleDeck, request: Request) -> list[table_events.Event]:
    deck = _due(table, command.deck, "shuffle_deck")
    house, cited = table.house, why_next(table, deck)
    method = next(row for row in house.rulebook.table.shuffle if row.method == house.shuffle)
    if house.shuffle == "manual" and request.by.role == "device":
        raise refuse("not_by_device", method, "the dealer shuffles by hand here")
    if is_out(table, "shuffler"):
        raise refuse("out_of_use", out_of_use(table, "shuffler"), "the shuffler is out of service")
    counting = expected_count(house) is not None
    if counting != (command.counted is not None):
        words = "say how many cards the shuffler `counted`" if counting else "nothing counts the cards in this shuffle"
        raise refuse("count_missing" if counting else "not_counting", method, words)
    if _is_unrevealed(table, deck):
        raise refuse("seed_sealed", cited, "reveal the seed of the last round first")
    if command.counted != expected_count(house):
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
        raise refuse("not_now", cited, f"{deck_words(deck.id)} {words}")
    return [table_events.ShuffleOrdered(deck=deck.id, **cite(cited))]


@clause("md-mississippi-stud 5.I", "md-high-card-flush 5.I", "md-let-it-ride .05I")
def cut_deck(table: Table, command: commands.CutDeck, _: Request) -> list[table_events.Event]:
    deck, cut = _deck(table, command.deck, "cut_deck"), table.house.rulebook.table.cut
    if deck.stage in {"shuffled", "cut", "loaded"} and not needs_cut(table, deck):
        if table.house.shuffle == "continuous":
            raise refuse("no_cut", cut.exempt or cut.machine, "cards in a continuous shuffler are not cut")
        raise refuse("no_cut", cut.machine, "cards from a shuffler are dealt without a cut")
    _due(table, command.deck, "cut_deck")
    depth, below = cut_range(table.house), len(DECK) - command.depth
    if not depth.least <= command.depth < len(DECK):
        raise refuse("cut_too_shallow", cut, f"the cut must be {depth.least} to {len(DECK) - 1} cards deep")
    if command.depth > depth.most:
        least = len(DECK) - depth.most
        raise refuse("cut_too_deep", cut, f"leave at least {least} cards below the cut", reading=123)
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


def order_recut(table: Table, command: commands.OrderRecut, _: Request) -> list[table_events.Event]:
    deck, cited = _deck(table, command.deck, "order_recut"), cited_duty(table.house, "order_recut")
    if deck.stage == "in_play":
        raise refuse("too_late", cited, "a recut must be ordered before the first card")
    if deck.stage not in {"cut", "loaded"} or not needs_cut(table, deck):
        exempt = table.house.rulebook.table.cut.exempt if table.house.shuffle == "continuous" else None
        raise refuse("no_cut", exempt or cited, f"{deck_words(deck.id)} was not cut")
    return [table_events.RecutOrdered(deck=deck.id, **cite(cited))]


def load_deck(table: Table, command: commands.LoadDeck, request: Request) -> list[table_events.Event]:
    deck, cited = _deck(table, command.deck, "load_deck"), cited_duty(table.house, "load_deck")
    house, rules = table.house, table.house.rulebook.table
    if deck.stage == "shuffled" and house.deal == "hand" and deck.shuffled_by in NO_SHUFFLER:
        raise refuse(
            "machine_first",
            needs_shuffler(table),
            "a deck dealt from the hand must go through the shuffler first",
            reading=122,
        )
    if deck.stage == "shuffled" and needs_cut(table, deck):
        raise refuse("not_cut", rules.cut.required, f"cut {deck_words(deck.id)} first")
    if deck.stage != "cut":
        _due(table, command.deck, "load_deck")
    other = deck_in_play(table)
    if other is not None:
        raise refuse(
            "deck_loaded", cited, f"{deck_words(other.id)} is already {'loaded' if other.id != deck.id else 'in play'}"
        )
    if house.decks > rules.decks.standard and deck.id == table.cards.last_deck:
        raise refuse(
            "alternate", rules.decks.alternate, f"{deck_words(deck.id)} was dealt in the last round: use the other deck"
        )
    if (house.deal == "hand") != (command.hand is not None):
        words = (
            "say which `hand` takes the deck, left or right"
            if house.deal == "hand"
            else "this deck is not dealt from the hand"
        )
        raise refuse("which_hand", cited, words)
    check_hand(table, command.hand)
    if request.by.role == "device":
        method = next(row for row in rules.shuffle if row.method == house.shuffle)
        if method.loads_shoe is None or house.deal == "hand" or deck.shuffled_by in NO_SHUFFLER:
            raise refuse("not_by_device", cited, "the dealer loads the cards here")
    return [
        table_events.DeckLoaded(
            deck=deck.id, into=house.deal, hand=command.hand, placed=deck.placed is None, **cite(cited)
        )
    ]


def remove_deck(table: Table, command: commands.RemoveDeck, request: Request) -> list[table_events.Event]:
    deck = _deck(table, command.deck, "remove_deck")
    cited = why_leaves(table, deck, request.at)
    if deck.stage == "in_play" or (table.round is not None and table.round.at.kind != "wagers"):
        raise refuse("round_in_progress", cited, "remove a deck between rounds")
    if _is_unrevealed(table, deck):
        raise refuse("seed_sealed", cited, "reveal the seed of the last round first")
    return [table_events.DeckRemoved(deck=deck.id, **cite(cited))]


def _is_unrevealed(table: Table, deck: Deck) -> bool:
    """Whether the seed of this deck has not been revealed yet."""
    shuffle = table.fairness.unrevealed_shuffle
    return shuffle is not None and shuffle.commitment == deck.commitment


# --- without players


def set_idle(table: Table, command: commands.SetIdle, _: Request) -> list[table_events.Event]:
    cited, rule = cited_duty(table.house, "set_idle"), table.house.rulebook.procedure.idle
    if table.status != "open":
        raise refuse("not_open" if table.status == "closed" else "already_idle", cited, f"the table is {table.status}")
    if table.round is not None:
        raise refuse("round_in_progress", cited, "a table goes idle between rounds")
    if command.face == "up" and rule.face == "down" and not seats_of(table, command.asked_by):
        raise refuse("nobody_asked", rule, "the cards stay face down unless a player asks to see them face up")
    exempt = table.house.shuffle == "continuous" and table.house.options.csm_idle_exempt
    freed = table.house.rulebook.table.cut.exempt if exempt else None
    idled = table_events.TableWentIdle(
        face=command.face, asked_by=command.asked_by, spread=not exempt, **cite(freed or cited)
    )
    if exempt:
        return [idled]
    if not opened_decks(table):
        raise refuse("no_cards", cited, "there are no cards at the table to spread")
    return [
        *(table_events.DeckSpread(deck=deck.id, face=command.face, **cite(rule)) for deck in opened_decks(table)),
        idled,
    ]
