"""From the first card to the last reveal: cards are dealt, identified, looked at and turned up, and players decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from croupier.cards import DECK, Card
from croupier.citing import clause
from croupier.errors import RuleViolation
from croupier.games import actions
from croupier.games import events as round_events
from croupier.games.offers import CardsOf, Offer, Range, offer, refuse, spoken
from croupier.games.payouts import forfeited, settle_coupon, settle_hand
from croupier.games.raising import known_cards, raise_problem, raise_stakes
from croupier.games.round import (
    Box,
    Round,
    box_at,
    hand_of,
    open_wagers,
    own_places,
    patron_of,
    plays,
    put_out_by,
    showdown_of,
    voided_by,
)
from croupier.games.rules import StageKind
from croupier.money import Cents
from croupier.rulebook.names import Decision
from croupier.rulebook.schema import Choice, Cited

__all__ = ["WITH_CARDS", "look_problem", "offers", "unseen", "unseen_problem"]

AFTER_THE_DEAL: Final[set[StageKind]] = {"decide", "announce", "reveal"}
WITH_CARDS: Final[set[StageKind]] = {"deal", "decide", "announce", "reveal", "settle"}


# --- dealing


def deal_problem(state: Round, action: actions.Deal) -> RuleViolation | None:
    """Why cards may not be dealt now, or None."""
    if state.at.kind != "deal":
        before = state.rules.stages[1].act if state.at.kind == "wagers" else state.at.act
        cited: Cited = voided_by(state) or before or state.rules.script
        return refuse("not_now", cited, "no cards are due to be dealt now")
    left = _cards_left(state)
    if not 1 <= action.number <= left:
        message = f"{left} {'card is' if left == 1 else 'cards are'} left to deal"
        return refuse("wrong_number_of_cards", state.rules.script, message)
    return None


def deal(state: Round, action: actions.Deal) -> list[round_events.Event]:
    """Deal the next cards face down to their places."""
    script = state.rules.script
    return [round_events.CardsDealt(action.number, script.clause, script.reading)]


def _cards_left(state: Round) -> int:
    return len(state.cards.plan.places) - state.cards.dealt


# --- identifying


def identify_problem(state: Round, action: actions.IdentifyCards) -> RuleViolation | None:
    """Why these cards may not be identified, or None."""
    cards, faces, first, after = state.cards, state.faces, action.place, action.place + len(action.cards)
    if state.at.kind not in WITH_CARDS:
        return refuse("not_now", voided_by(state) or state.rules.script, "there are no cards on the table")
    if first < 0 or after > cards.dealt or first == after:
        message = f"cards are at places 0 to {cards.dealt - 1}" if cards.dealt else "no card has been dealt yet"
        return refuse("no_card_there", state.rules.script, message)
    if faces.known.count(None) < len(faces.known) or cards.plan.slots["discard"]:
        for place in range(first, after):
            if problem := _place_problem(state, place):
                return problem
    return unseen_problem(state, action.cards)


def _place_problem(state: Round, place: int) -> RuleViolation | None:
    """Why the card at a place may not be identified, or None."""
    if _is_unidentified(state, place):
        return None
    if state.faces.known[place] is not None:
        decks = state.rules.house.rulebook.table.decks
        return refuse("already_told", decks, f"the card at place {place} is already identified")
    cited = Cited(clause=state.cards.plan.places[place].clause, reading=105)
    return refuse("discarded_unseen", cited, "this card goes to the rack unseen")


def _is_unidentified(state: Round, place: int) -> bool:
    """Whether a card lies at a place that can still be identified."""
    return state.faces.known[place] is None and state.cards.plan.places[place].slot != "discard"


def identify_cards(_: Round, action: actions.IdentifyCards) -> list[round_events.Event]:
    """Record which cards lie at a place and the ones after it."""
    return [round_events.CardsIdentified(action.place, action.cards)]


def unseen(state: Round) -> tuple[Card, ...]:
    """The cards of the deck that have not been identified yet."""
    seen = {*state.faces.known, *state.faces.aside}
    return tuple([card for card in DECK if card not in seen])


def unseen_problem(state: Round, cards: Sequence[Card]) -> RuleViolation | None:
    """Why these cards cannot be in this round: a deck has each card once (reading 148)."""
    known, aside, different = state.faces.known, state.faces.aside, set(cards)
    if len(different) == len(cards) and different.isdisjoint(known) and different.isdisjoint(aside):
        return None
    twice = next(card for card in cards if card in known or card in aside or cards.count(card) > 1)
    decks = state.rules.house.rulebook.table.decks
    return refuse("card_twice", decks, f"{twice} is already in this round: a deck has only one", reading=148)


# --- looking


@clause("md-mississippi-stud 11.A", "md-high-card-flush 11.A", "md-let-it-ride .11A")
def look_problem(state: Round, action: actions.Look) -> RuleViolation | None:
    """Why a player may not look at the cards of a seat now, or None."""
    house, seat = state.rules.house, action.seat
    box, conduct = box_at(state, seat), state.rules.conduct
    if state.at.kind not in AFTER_THE_DEAL:
        cited = voided_by(state) or house.rulebook.play.viewing.on(house.deal)
        return refuse("not_now", cited, "players may look at their cards from the end of the deal to settlement")
    if box is None or not plays(box):
        out = put_out_by(state, box) if box is not None else None
        return refuse("no_hand", out or conduct["own_hand"], f"seat {seat} has no hand in play")
    if action.patron not in ("", patron_of(state, box)):
        return refuse("not_your_hand", conduct["touching"], "players may look at their own hands only")
    if "hands_off" in conduct and _has_decided(state, box):
        return refuse("hands_off", conduct["hands_off"], "the cards may not be touched after the last decision")
    if house.options.boxes_view_sequential:
        first = state.at.index == state.rules.decisions[0]
        for other in state.boxes[state.turn if first else len(state.boxes) :]:
            if other.player == box.player and other.seat < seat and plays(other):
                cited = house.rulebook.table.boxes
                return refuse("one_hand_at_a_time", cited, f"seat {other.seat} decides first", reading=87)
    return None


def look(state: Round, action: actions.Look) -> list[round_events.Event]:
    """Record that a player looked at the cards of a box."""
    viewing = state.rules.house.rulebook.play.viewing.on(state.rules.house.deal)
    return [round_events.CardsViewed(action.seat, viewing.clause, viewing.reading)]


def _has_decided(state: Round, box: Box) -> bool:
    """Whether a box has made its last decision."""
    last = state.rules.decisions[-1]
    return state.at.index > last or (state.at.index == last and state.boxes.index(box) < state.turn)


# --- deciding


@clause("md-mississippi-stud 11.B", "md-let-it-ride .11C")
def undecided_problem(state: Round, action: actions.DeclareUndecided) -> RuleViolation | None:
    """Why it is not this seat's turn to decide, or None."""
    choice, void = state.at.choice, voided_by(state)
    if choice is None:
        play = state.rules.house.rulebook.play
        later = [stage.choice for stage in state.rules.stages[state.at.index :] if stage.choice is not None]
        early = state.at.kind in {"wagers", "act", "deal"}
        cited: Cited = play.viewing.on(state.rules.house.deal) if early else [*later, play.choice[-1]][0]
        words = "the hands are void: no decision is due" if void else "no decision is due now"
        return refuse("no_decision_now", void or cited, words)
    if action.seat == state.box.seat:
        return None
    other = box_at(state, action.seat)
    out = put_out_by(state, other) if other is not None else None
    if out is not None:
        return refuse("out_of_turn", out, f"the hand of seat {action.seat} is out of this round")
    message = f"it is seat {state.box.seat}'s turn; a decision out of turn is not binding"
    return refuse("out_of_turn", choice, message, reading=75)


@clause("md-mississippi-stud 7.F(2)", "ma-mississippi-stud 6(c)", "md-high-card-flush 11.B", "md-let-it-ride .11B")
def decide_problem(state: Round, action: actions.Decide) -> RuleViolation | None:
    """Why a decision is not accepted, or None."""
    if problem := undecided_problem(state, actions.DeclareUndecided(action.seat)):
        return problem
    box, choice, chosen = state.box, _choice(state), action.choice
    if action.patron and action.patron != (owner := patron_of(state, box)):
        own = state.rules.conduct["own_hand"]
        return refuse("not_your_hand", own, f"the hand of seat {box.seat} is {owner}'s to decide")
    if box.absent:
        leaving = state.rules.house.rulebook.wagers.leaving
        return refuse(
            "player_left", leaving, "the player has left: a floorperson must declare that no decision was given"
        )
    if chosen not in choice.choices:
        return refuse("no_such_choice", choice, f"{chosen} is not a choice here: {', '.join(choice.choices)}")
    if chosen != "raise":
        return refuse("no_amount", choice, f"{chosen} takes no amount") if action.amount is not None else None
    if action.amount is None:
        return refuse("no_amount", choice, "a raise needs an amount")
    return raise_problem(state.rules, known_cards(state, box), action.amount, box.main)


def decide(state: Round, action: actions.Decide) -> list[round_events.Event]:
    """Record a player's decision and collect what it loses."""
    return _decision(state, action.choice, action.amount or Cents(0), declared=False)


def declare_undecided(state: Round, _: actions.DeclareUndecided) -> list[round_events.Event]:
    """Record the decision the document prescribes for a player who made none."""
    return _decision(state, _choice(state).undecided, Cents(0), declared=True)


def _choice(state: Round) -> Choice:
    if state.at.choice is None:
        raise ValueError("no decision is due")
    return state.at.choice


_MULTIPLES: Final = {"1x": 1, "2x": 2, "3x": 3}


def _decision(state: Round, chosen: str, amount: Cents, *, declared: bool) -> list[round_events.Event]:
    box, choice = state.box, _choice(state)
    cited = (choice.folds if chosen == "fold" else None) or choice
    if chosen in _MULTIPLES:
        amount = Cents(_MULTIPLES[chosen] * box.main)
    events: list[round_events.Event] = [
        round_events.DecisionMade(box.seat, choice.decision, chosen, amount, declared, cited.clause)
    ]
    if chosen == "fold" and not (choice.collected is not None and choice.collected.after_all):
        events += _fold(state, box, choice)
    elif chosen == "withdraw":
        hand = replace(hand_of(state, box), withdrawn=(choice.decision,))
        settled = settle_hand(showdown_of(state), hand, [choice.decision], {})
        events.append(round_events.HandSettled("immediate", box.seat, settled))
    return events


def _collect_folders(state: Round, after: Decision) -> list[round_events.Event]:
    """Collect what folded hands lose, where the dealer does so after every player has decided."""
    choice = next(choice for choice in state.rules.house.rulebook.play.choice if choice.decision == after)
    if choice.collected is None or not choice.collected.after_all:
        return []
    folders = [box for box in state.boxes if box.folded_on == after and not box.out]
    return [event for box in folders for event in _fold(state, box, choice)]


def _fold(state: Round, box: Box, choice: Choice) -> list[round_events.Event]:
    """Collect a folder's lost stakes, and the cards too, unless a wager keeps them on the table."""
    rules = state.rules
    folded = replace(hand_of(state, box), folded=True, folded_on=choice.decision)
    lost = [name for name in (*rules.order, *rules.last) if name in open_wagers(box)]
    lost = [name for name in lost if forfeited(rules.house, rules.wagers[name])]
    if not lost:
        return []
    settled = settle_hand(showdown_of(state), folded, lost, {})
    coupon = settle_coupon(rules, folded, settled)
    events: list[round_events.Event] = [round_events.HandSettled("immediate", box.seat, settled, coupon)]
    if choice.racked is not None and not _keeps_cards(state, box, choice, lost):
        cited = choice.racked
        events.append(round_events.CardsRacked(own_places(state, box.seat), cited.clause, cited.reading))
    return events


def _keeps_cards(state: Round, box: Box, choice: Choice, lost: Sequence[str]) -> bool:
    """Whether a wager keeps a folder's cards on the table: one of the folder's own, or one on the best hand."""
    rules = state.rules
    folds = [rules.wagers[name].fold for name, _ in box.staked]
    if choice.keeps is not None and any(fold is not None and fold.keeps for fold in folds):
        return True
    left = [name for name in open_wagers(box) if name not in lost]
    if any(rules.judged[name] in {"own", "own_and_community", "own_and_box"} for name in left):
        return True
    staked = {name for other in state.boxes for name, _ in other.staked}
    return rules.house.options.cover_all_count_folded and any(rules.judged[name] == "best_at_table" for name in staked)


# --- turning up


@clause("md-mississippi-stud 11.C", "md-mississippi-stud 11.E", "md-mississippi-stud 11.G", "md-let-it-ride .11B(2)")
def reveal_problem(state: Round, action: actions.Reveal) -> RuleViolation | None:
    """Why the cards of the board, the box or the dealer may not be turned up now, or None."""
    row = state.at.reveal
    if row is not None and action.slot == row.slot and not action.seat and not state.faces.awaiting_identity:
        return None
    rows = [row for row in state.rules.house.rulebook.play.reveal if row.slot == action.slot]
    coming = [stage.reveal for stage in state.rules.stages[state.at.index :]]
    later = [row for row in coming if row is not None and row in rows]
    cited: Cited = [*later, *rows, state.rules.house.rulebook.play.settlement.turn_up][0]
    message = f"the {spoken(action.slot)} cards are not due to be turned up now"
    return refuse("reveal_not_now", voided_by(state) or cited, message)


def reveal(state: Round, _: actions.Reveal) -> list[round_events.Event]:
    """Turn up the next cards, after collecting what folders lost."""
    row, shown = state.at.reveal, state.at.shown
    if row is None:
        raise ValueError("no cards are due to be turned up")
    places = state.cards.plan.slots[row.slot][shown : shown + row.number]
    return [*_collect_folders(state, row.after), round_events.CardsRevealed(row.slot, 0, places, row.clause)]


# --- what is allowed


def offers(state: Round) -> Iterator[Offer]:
    """What may be done with cards and decisions now."""
    if state.at.kind == "deal" and deal_problem(state, actions.Deal(1)) is None:
        yield offer("deal", number=Range(1, _cards_left(state)))
    yield from _identify_offers(state)
    for box in state.boxes if state.at.kind in AFTER_THE_DEAL else ():
        if plays(box) and look_problem(state, actions.Look(box.seat)) is None:
            yield offer("look", seat=box.seat, patron=("", patron_of(state, box)))
    if state.at.choice is not None:
        yield from _decision_offers(state, state.at.choice)
    row = state.at.reveal
    if row is not None and reveal_problem(state, actions.Reveal(row.slot)) is None:
        yield offer("reveal", slot=row.slot, seat=0)


def _identify_offers(state: Round) -> Iterator[Offer]:
    """Each run of unidentified cards, from every place in it."""
    cards, run, runs = unseen(state), 0, []
    for place in range(state.cards.dealt - 1, -1, -1):
        run = run + 1 if _is_unidentified(state, place) else 0
        if run:
            runs.append((place, run))
    for place, most in reversed(runs):
        yield offer("tell", place=place, cards=CardsOf(cards, most))


def _decision_offers(state: Round, choice: Choice) -> Iterator[Offer]:
    box = state.box
    yield offer("declare_undecided", seat=box.seat)
    patron = ("", patron_of(state, box))
    fixed = tuple(chosen for chosen in choice.choices if chosen != "raise")
    if all(decide_problem(state, actions.Decide(box.seat, chosen)) is None for chosen in fixed):
        yield offer("decide", seat=box.seat, choice=fixed, amount=None, patron=patron)
    if "raise" in choice.choices:
        for stakes in raise_stakes(state.rules, known_cards(state, box), box.main):
            if decide_problem(state, actions.Decide(box.seat, "raise", stakes.minimum)) is None:
                yield offer("decide", seat=box.seat, choice="raise", amount=stakes, patron=patron)
