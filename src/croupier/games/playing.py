"""From the first card to the last reveal: dealing, telling, looking, deciding, turning up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from croupier.cards import DECK, Card
from croupier.citing import clause
from croupier.errors import RuleViolation
from croupier.games import actions
from croupier.games import events as round_events
from croupier.games.offers import CardsOf, Offer, Range, offer, refuse
from croupier.games.payouts import forfeited, settle_coupon, settle_hand
from croupier.games.round import (
    Box,
    Round,
    box_at,
    hand_of,
    is_known,
    layout_of,
    open_wagers,
    own_places,
    patron_of,
    plays,
    put_out_by,
    voided_by,
)
from croupier.games.rules import Rules
from croupier.hands import longest_flush
from croupier.money import Cents, print_dollars
from croupier.rulebook import Stakes
from croupier.rulebook.names import Decision
from croupier.rulebook.schema import Choice, Cited, RaiseLimit

__all__ = ["look_problem", "offers", "raise_limit", "raise_problem", "unseen"]

AFTER_THE_DEAL: Final = {"decide", "announce", "reveal"}
WITH_CARDS: Final = {"deal", "decide", "announce", "reveal", "settle"}


# --- dealing


def deal(state: Round, action: actions.Deal) -> list[round_events.Event]:
    left = len(state.cards.plan.places) - state.cards.dealt
    if state.at.kind != "deal":
        before = state.rules.stages[1].act if state.at.kind == "wagers" else state.at.act
        cited: Cited = voided_by(state) or before or state.rules.script
        raise refuse("not_now", cited, "no card is dealt now")
    if not 1 <= action.cards <= left:
        raise refuse("wrong_number_of_cards", state.rules.script, f"{left} cards are still to be dealt")
    script = state.rules.script
    return [round_events.CardsDealt(action.cards, script.clause, script.reading)]


def unseen(state: Round) -> tuple[Card, ...]:
    """The cards that nobody has told yet."""
    seen = {*state.faces.known, *state.faces.aside}
    return tuple([card for card in DECK if card not in seen])


def tell(state: Round, action: actions.IdentifyCards) -> list[round_events.Event]:
    cards = state.cards
    if state.at.kind not in WITH_CARDS:
        raise refuse("not_now", voided_by(state) or state.rules.script, "no card lies on the table")
    end = action.place + len(action.cards)
    if not action.cards or action.place < 0 or end > cards.dealt:
        message = f"cards lie at places 0 to {cards.dealt - 1}" if cards.dealt else "no card has been dealt yet"
        raise refuse("no_card_there", state.rules.script, message)
    faces = state.faces
    if faces.known.count(None) == len(faces.known) and not faces.aside and not cards.plan.slots["discard"]:
        if len(set(action.cards)) < len(action.cards):
            check_unseen(state, action.cards)
        return [round_events.CardsIdentified(action.place, action.cards)]
    for place in range(action.place, end):
        if state.faces.known[place] is not None:
            decks = state.rules.house.rulebook.table.decks
            raise refuse("already_told", decks, f"which card lies at place {place} was told already")
        if cards.plan.places[place].slot == "discard":
            cited = Cited(clause=cards.plan.places[place].clause, reading=105)
            raise refuse("discarded_unseen", cited, "this card is discarded unseen")
    check_unseen(state, action.cards)
    return [round_events.CardsIdentified(action.place, action.cards)]


def check_unseen(state: Round, cards: Sequence[Card]) -> None:
    """A deck has each card once (reading 148)."""
    seen = {*state.faces.known, *state.faces.aside}
    if seen.isdisjoint(cards) and len(set(cards)) == len(cards):
        return
    twice = next(card for card in cards if card in seen or cards.count(card) > 1)
    decks = state.rules.house.rulebook.table.decks
    raise refuse("card_twice", decks, f"{twice} is in this round already: a deck has it once", reading=148)


# --- looking


@clause("md-mississippi-stud 11.A", "md-high-card-flush 11.A", "md-let-it-ride .11A")
def look(state: Round, action: actions.Look) -> list[round_events.Event]:
    if problem := look_problem(state, action.seat, action.patron):
        raise problem
    viewing = state.rules.house.rulebook.play.viewing.on(state.rules.house.deal)
    return [round_events.CardsViewed(action.seat, viewing.clause, viewing.reading)]


def look_problem(state: Round, seat: int, patron: str) -> RuleViolation | None:
    """Why the cards of a seat may not be looked at now, if so."""
    play, box = state.rules.house.rulebook.play, box_at(state, seat)
    conduct = {rule.rule: rule for rule in play.conduct}
    if state.at.kind not in AFTER_THE_DEAL:
        return refuse(
            "not_now",
            voided_by(state) or play.viewing.on(state.rules.house.deal),
            "cards are viewed when the deal is complete, until settlement",
        )
    if box is None or not plays(box):
        out = put_out_by(state, box) if box is not None else None
        return refuse("no_hand", out or conduct["own_hand"], f"seat {seat} has no hand in play")
    if patron not in ("", patron_of(state, box)):
        return refuse("not_your_hand", conduct["touching"], "a hand is its own player's, and nobody else's")
    decided = _has_decided(state, box)
    if decided and "hands_off" in conduct:
        return refuse("hands_off", conduct["hands_off"], "after the last decision the cards are not touched again")
    if state.rules.house.options.boxes_view_sequential:
        first = state.at.index == _first_decision(state.rules)
        for other in state.boxes[state.turn if first else len(state.boxes) :]:
            if other.player == box.player and other.seat < seat and plays(other):
                cited = state.rules.house.rulebook.table.boxes
                return refuse("one_hand_at_a_time", cited, f"seat {other.seat} is decided first", reading=87)
    return None


def _first_decision(rules: Rules) -> int:
    return next(place for place, stage in enumerate(rules.stages) if stage.kind == "decide")


def _has_decided(state: Round, box: Box) -> bool:
    """Whether the last decision of a box has been made."""
    last = max(place for place, stage in enumerate(state.rules.stages) if stage.kind == "decide")
    return state.at.index > last or (state.at.index == last and state.boxes.index(box) < state.turn)


# --- deciding


@clause("md-mississippi-stud 7.F(2)", "ma-mississippi-stud 6(c)", "md-high-card-flush 11.B", "md-let-it-ride .11B")
def decide(state: Round, action: actions.Decide) -> list[round_events.Event]:
    box, choice = _turn_of(state, action.seat)
    if action.patron and action.patron != (owner := patron_of(state, box)):
        own = next(rule for rule in state.rules.house.rulebook.play.conduct if rule.rule == "own_hand")
        raise refuse("not_your_hand", own, f"the hand of seat {box.seat} is {owner}'s own to decide")
    if box.absent:
        leaving = state.rules.house.rulebook.wagers.leaving
        raise refuse("player_left", leaving, "the player has left: a floorperson declares that no decision is given")
    if action.choice not in choice.choices:
        raise refuse("no_such_choice", choice, f"{action.choice} is no choice: {', '.join(choice.choices)}")
    if action.choice == "raise":
        if action.amount is None:
            raise refuse("no_amount", choice, "a raise says its amount")
        known = is_known(state, own_places(state, box.seat))
        cards = hand_of(state, box).cards if known else None
        ante = box.stake(state.rules.main.name) or Cents(0)
        if problem := raise_problem(state.rules, cards, action.amount, ante):
            raise problem
    elif action.amount is not None:
        raise refuse("no_amount", choice, f"{action.choice} has no amount of its own")
    return _decided(state, box, choice, action.choice, action.amount or Cents(0), declared=False)


@clause("md-mississippi-stud 11.B", "md-let-it-ride .11C")
def _turn_of(state: Round, seat: int) -> tuple[Box, Choice]:
    choice = state.at.choice
    if choice is None:
        play = state.rules.house.rulebook.play
        later = [one.choice for one in state.rules.stages[state.at.index :] if one.choice is not None]
        early = state.at.kind in {"wagers", "act", "deal"}
        cited: Cited = play.viewing.on(state.rules.house.deal) if early else [*later, play.choice[-1]][0]
        void = voided_by(state)
        words = "the hands are void: no decision is asked for" if void else "no decision is asked for now"
        raise refuse("no_decision_now", void or cited, words)
    box = state.boxes[state.turn]
    if seat != box.seat:
        other = box_at(state, seat)
        out = put_out_by(state, other) if other is not None else None
        if out is not None:
            raise refuse("out_of_turn", out, f"the hand of seat {seat} is out of this round")
        raise refuse("out_of_turn", choice, f"seat {box.seat} decides now; an early word does not bind", reading=75)
    return box, choice


def declare_undecided(state: Round, action: actions.DeclareUndecided) -> list[round_events.Event]:
    box, choice = _turn_of(state, action.seat)
    return _decided(state, box, choice, choice.undecided, Cents(0), declared=True)


def _decided(
    state: Round, box: Box, choice: Choice, chosen: str, amount: Cents, *, declared: bool
) -> list[round_events.Event]:
    times = _MULTIPLES.get(chosen)
    if times is not None:
        amount = Cents(times * box.staked[0][1])  # the main wager opened the box, so it is the first
        return [round_events.DecisionMade(box.seat, choice.decision, chosen, amount, declared, choice.clause)]
    cited = (choice.folds if chosen == "fold" else None) or choice
    found: list[round_events.Event] = [
        round_events.DecisionMade(box.seat, choice.decision, chosen, amount, declared, cited.clause)
    ]
    if chosen == "fold" and choice.collected is not None and choice.collected.after_all:
        return found  # the dealer collects when every player has decided
    if chosen == "fold":
        found += _fold(state, box, choice)
    elif chosen == "withdraw":
        hand = replace(hand_of(state, box), withdrawn=(choice.decision,))
        found.append(
            round_events.HandSettled("immediate", box.seat, settle_hand(layout_of(state), hand, [choice.decision], {}))
        )
    return found


def _collect_folders(state: Round, after: Decision) -> list[round_events.Event]:
    """What folders lose, where the dealer collects it when every player has decided."""
    choice = next(one for one in state.rules.house.rulebook.play.choice if one.decision == after)
    if choice.collected is None or not choice.collected.after_all:
        return []
    out = [box for box in state.boxes if box.folded_on == after and not box.out]
    return [event for box in out for event in _fold(state, box, choice)]


_MULTIPLES: Final = {"1x": 1, "2x": 2, "3x": 3}


def _fold(state: Round, box: Box, choice: Choice) -> list[round_events.Event]:
    """A folder's lost stakes are collected; the cards too, unless a wager keeps them on the table."""
    rules = state.rules
    folded = replace(hand_of(state, box), folded=True, folded_on=choice.decision)
    lost = [name for name in (*rules.order, *rules.last) if name in open_wagers(box)]
    lost = [name for name in lost if forfeited(rules.house, rules.wagers[name])]
    if not lost:
        return []
    settled = settle_hand(layout_of(state), folded, lost, {})
    coupon = settle_coupon(rules, folded, settled)
    found: list[round_events.Event] = [round_events.HandSettled("immediate", box.seat, settled, coupon)]
    if choice.racked is not None and not _keeps_cards(state, box, choice, lost):
        found.append(round_events.CardsRacked(own_places(state, box.seat), choice.racked.clause, choice.racked.reading))
    return found


def _keeps_cards(state: Round, box: Box, choice: Choice, lost: Sequence[str]) -> bool:
    """Whether a wager keeps a folder's cards on the table: the folder's own, or one on the best hand of all."""
    rules = state.rules
    folds = [rules.wagers[name].fold for name, _ in box.staked]
    if choice.keeps is not None and any(fold is not None and fold.keeps for fold in folds):
        return True
    left = [name for name in open_wagers(box) if name not in lost]
    own = any(rules.judged[name] in {"own", "own_and_community", "own_and_box"} for name in left)
    counts = rules.house.options.cover_all_count_folded
    return own or (
        counts and any(rules.judged[name] == "best_at_table" for one in state.boxes for name, _ in one.staked)
    )


# --- raising


def raise_limit(rules: Rules, cards: Sequence[Card] | None) -> RaiseLimit:
    """What a hand may raise; the most that any hand may, while the cards are not known (reading 73)."""
    limits = rules.house.rulebook.play.raise_limit
    if cards is None:
        return limits[-1]
    length = longest_flush(cards).length
    return next(limit for limit in limits if limit.shortest <= length <= limit.longest)


def raise_step(rules: Rules, ante: Cents) -> Cents:
    """The steps in which a raise grows: the table's, or whole antes (reading 72)."""
    stakes = rules.offered[rules.main.name].stakes
    return ante if rules.house.options.raise_step == "whole_multiples" or stakes is None else stakes.increment


def raise_stakes(rules: Rules, cards: Sequence[Card] | None, ante: Cents) -> list[Stakes]:
    """What a hand may raise: from the ante in steps, and whole antes."""
    most = Cents(raise_limit(rules, cards).times * ante)
    return [Stakes(ante, most, step) for step in dict.fromkeys((raise_step(rules, ante), ante))]


def raise_problem(rules: Rules, cards: Sequence[Card] | None, amount: Cents, ante: Cents) -> RuleViolation | None:
    """Why this raise is not allowed, if it is not: at least the ante, in steps, at most what the hand allows."""
    limit, step = raise_limit(rules, cards), raise_step(rules, ante)
    least = limit if cards is not None else next(one for one in rules.wagers.values() if one.stake == "raise")
    if amount < ante:
        return refuse("raise_below_ante", least, "a raise is at least the ante", reading=72)
    if amount % ante and (amount - ante) % step:
        message = f"{print_dollars(amount)} is not reached in steps of {print_dollars(step)}"
        return refuse("raise_out_of_step", least, message, reading=72)
    if amount > limit.times * ante:
        whose = f"a {longest_flush(cards).length}-card flush" if cards is not None else "any hand"
        most = {1: "the ante", 2: "twice the ante"}.get(limit.times, f"{limit.times} times the ante")
        return refuse("raise_above_limit", limit, f"{whose} raises at most {most}")
    return None


# --- turning up


@clause("md-mississippi-stud 11.C", "md-mississippi-stud 11.E", "md-mississippi-stud 11.G", "md-let-it-ride .11B(2)")
def reveal(state: Round, action: actions.Reveal) -> list[round_events.Event]:
    row = state.at.reveal
    if row is None or action.slot != row.slot or action.seat or state.faces.turning:
        rows = [one for one in state.rules.house.rulebook.play.reveal if one.slot == action.slot]
        later = [one.reveal for one in state.rules.stages[state.at.index :] if one.reveal and one.reveal in rows]
        cited: Cited = [*later, *rows, state.rules.house.rulebook.play.settlement.turn_up][0]
        cited = voided_by(state) or cited
        raise refuse("reveal_not_now", cited, f"it is not the turn of the {action.slot.replace('_', ' ')} to be shown")
    shown = state.at.shown
    turned = round_events.CardsRevealed(
        row.slot, 0, state.cards.plan.slots[row.slot][shown : shown + row.number], row.clause
    )
    return [*_collect_folders(state, row.after), turned]


# --- what is allowed


def offers(state: Round) -> Iterator[Offer]:
    """What may be done with cards and decisions now."""
    kind = state.at.kind
    if kind == "deal":
        yield offer("deal", cards=Range(1, len(state.cards.plan.places) - state.cards.dealt))
    if kind in WITH_CARDS:
        yield from _tell_offers(state)
    if kind in AFTER_THE_DEAL:
        for box in state.boxes:
            if look_problem(state, box.seat, "") is None:
                yield offer("look", seat=box.seat, patron=("", patron_of(state, box)))
    if state.at.choice is not None:
        yield from _decision_offers(state, state.at.choice)
    if state.at.reveal is not None and not state.faces.turning:
        yield offer("reveal", slot=state.at.reveal.slot, seat=0)


def _tell_offers(state: Round) -> Iterator[Offer]:
    cards, fresh, run = state.cards, unseen(state), 0
    runs = []
    for place in range(cards.dealt - 1, -1, -1):
        secret = state.faces.known[place] is not None or cards.plan.places[place].slot == "discard"
        run = 0 if secret else run + 1
        if run:
            runs.append((place, run))
    for place, most in reversed(runs):
        yield offer("tell", place=place, cards=CardsOf(fresh, most))


def _decision_offers(state: Round, choice: Choice) -> Iterator[Offer]:
    box = state.boxes[state.turn]
    yield offer("declare_undecided", seat=box.seat)
    if box.absent:
        return
    plain = tuple(one for one in choice.choices if one != "raise")
    yield offer("decide", seat=box.seat, choice=plain, amount=None, patron=("", patron_of(state, box)))
    if "raise" in choice.choices:
        known = is_known(state, own_places(state, box.seat))
        for stakes in raise_stakes(state.rules, hand_of(state, box).cards if known else None, box.staked[0][1]):
            yield offer("decide", seat=box.seat, choice="raise", amount=stakes, patron=("", patron_of(state, box)))
