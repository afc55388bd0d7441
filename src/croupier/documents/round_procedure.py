"""A round of a house step by step: bets, what comes before the deal, the deal, decisions, take and pay, awards."""

from __future__ import annotations

from typing import Final

from croupier.cards import rank_word
from croupier.documents.house_words import DEALT_FROM, SLOTS, bet_words, paytable_name, rule_of
from croupier.documents.steps import Steps, WrittenProcedure, required_by, stage_key, wager_words
from croupier.games import ACT_WORDS, rules_of
from croupier.present import (
    any_of,
    capitalized,
    counted,
    dollars,
    line_words,
    listed,
    spoken,
)
from croupier.rulebook import HouseRules, HouseWager
from croupier.rulebook.names import Gesture
from croupier.rulebook.schema import Choice, Cited, DealStep, RevealRow, Wager

__all__ = ["choice_words", "deal_steps", "fold_stake", "round_procedures"]

_GESTURES: Final[dict[Gesture, str]] = {
    "tuck": "cards tucked under the bet",
    "wave": "a wave of the hand",
    "scratch": "a scratch on the layout",
}
_CONDUCT: Final = {
    "own_hand": "Each player answers for their own hand.",
    "touching": "Nobody but the dealer and that player touches the cards.",
    "view": "The cards stay in the dealer's view.",
    "communication": "Nobody tells others about a hand before all cards are shown.",
    "hands_off": "After the last decision the cards lie face down and are not touched again.",
}
_CONDUCT_ABOUT: Final = {
    "own_hand": "one's own hand",
    "touching": "touching cards",
    "view": "cards in view",
    "communication": "telling others",
    "hands_off": "leaving cards alone",
}
_TURNED_UP: Final = {"community": "community card", "six_card_box": "cards of the box", "dealer": "dealer's cards"}
_ORDINALS: Final = ("first", "second", "third")


def round_procedures(house: HouseRules) -> list[WrittenProcedure]:
    """Every procedure of a round, in order."""
    awards = [_awards(house)] if _progressive(house) is not None else []
    return [
        _bets(house),
        _before_the_deal(house),
        _deal(house),
        _decisions(house),
        _take_and_pay(house),
        *awards,
        _after(house),
    ]


def _progressive(house: HouseRules) -> HouseWager | None:
    return next((wager for wager in house.wagers if wager.meters), None)


# --- bets


def _bets(house: HouseRules) -> WrittenProcedure:
    steps, wagers = Steps(house), house.rulebook.wagers
    accepted = [name for name in wagers.instruments.accepted if name != "match_play_coupon"]
    steps.add("Only seated players bet.", wagers.seated, by="player")
    with_what = listed(f"{spoken(name)}s" for name in accepted)
    steps.add(
        f"Bets are made with {with_what}; spoken bets are refused.", wagers.instruments, wagers.instruments.verbal_cash
    )
    if house.boxes > 1:
        steps.add(f"A player may bet at up to {house.boxes} boxes that touch.", house.rulebook.table.boxes, by="player")
    for wager in house.wagers:
        rule = rule_of(house, wager)
        if wager.stakes is None:
            continue  # it is made in a decision
        steps.add(_bet(house, wager, rule), rule, *required_by(house, rule), by="player")
    relative, times = house.options.limits_side_bet_max_relative, house.options.boxes_min_multiplier
    if relative:
        most = f"A side wager is at most {relative} times the main wager."
        steps.add(most, _by_option(house, "limits.side_bet.max_relative"), by="player")
    if house.boxes > 1 and times > 1:
        least = f"At several boxes each takes at least {times} times the minimum."
        steps.add(least, _by_option(house, "boxes.min_multiplier"), by="player")
    if house.match_play:
        coupon = f"A match play coupon may go with the bet; it pays {house.match_play}."
        steps.add(coupon, wagers.instruments.coupon, by="player")
    metered = _progressive(house)
    if metered is not None:
        checked = f"Check that your {spoken(metered.name)} bet was accepted: only then is it a bet."
        steps.add(checked, rule_of(house, metered).registered, by="player")
    steps.add("Once betting is closed no bet is made, changed or taken back.", wagers.closed, by="player")
    return steps.under("Bets")


def _bet(house: HouseRules, wager: HouseWager, rule: Wager) -> str:
    bet = bet_words(house, wager)
    if rule.offered == "always":
        return f"Place {wager_words(wager.name)}: {bet}."
    needed = listed(wager_words(row.wager) for row in required_by(house, rule))
    return f"With {needed} a player may add {wager_words(wager.name)}: {bet}."


def _by_option(house: HouseRules, name: str) -> Cited | None:
    option = next((row for row in house.rulebook.options if row.rule.name == name), None)
    return None if option is None else Cited(clause=option.clause, reading=option.rule.reading)


# --- before the deal, and the deal


def _before_the_deal(house: HouseRules) -> WrittenProcedure:
    steps = Steps(house)
    for stage in rules_of(house).stages:
        if stage.act is not None:
            steps.add(f"{capitalized(ACT_WORDS[stage.act.act])}.", stage.act, key=stage_key(stage.index))
    column = house.rulebook.procedure.column
    if column is not None and house.wager(column.offered) is not None:
        shown = f"The device fixes the number of hands and shows what {wager_words(column.offered)} pays with it."
        steps.add(shown, column, by="device")
    return steps.under("Before the deal")


def deal_steps(house: HouseRules) -> list[DealStep]:
    """The steps of this house's deal, once: a player's cards one by one where the house deals in two passes."""
    steps = [step for step in rules_of(house).script.step if step.offered is None or house.wager(step.offered)]
    if house.options.deal_pattern != "two_passes":
        return steps
    return [part for step in steps for part in ([_single(step)] * step.cards if step.to == "player" else [step])]


def _single(step: DealStep) -> DealStep:
    return DealStep(to=step.to, cards=1, offered=step.offered, clause=step.clause, also=step.also, reading=step.reading)


def _deal(house: HouseRules) -> WrittenProcedure:
    steps, script = Steps(house), rules_of(house).script
    again = f", {script.passes} times over" if script.passes > 1 else ""
    order = f"Deal {DEALT_FROM[house.deal]}, players clockwise from the dealer's left, all cards face down{again}:"
    steps.add(order, script, "deal", by=None if house.deal == "automated_shoe" else "dealer")
    for number, step in enumerate(deal_steps(house)):
        steps.add(_dealt(house, step), step, key=f"deal {number}")
    steps.add("Players look at their cards when the deal is complete.", house.rulebook.play.viewing, by="player")
    return steps.under("The deal")


def _dealt(house: HouseRules, step: DealStep) -> str:
    """
    >>> from croupier.rulebook import check, read_submission
    >>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
    >>> [_dealt(house, step) for step in deal_steps(house)]
    ['2 cards to each player in turn.', '3 cards to the community area.']
    """
    words = f"{counted(step.cards, 'card')} to {SLOTS[step.to]}"
    if step.by_hand:
        words += ", by hand from the cards taken out of the device"
    if step.offered and house.options.six_card_box_only_if_bet:
        words += f", if anyone bet {wager_words(step.offered)}"
    if step.to == "dealer" and house.options.hcf_dealer_hand_in_device:
        words += "; they may stay in the device until they are shown"
    if step.to == "discard":
        words += ", unseen"
    return f"{words}."


# --- decisions


def _decisions(house: HouseRules) -> WrittenProcedure:
    steps, play = Steps(house), house.rulebook.play
    for rule in play.conduct:
        steps.add(_CONDUCT[rule.rule], rule, by="player")
    broken = [rule for rule in play.conduct if rule.penalty is not None]
    if broken:
        about = any_of(_CONDUCT_ABOUT[rule.rule] for rule in broken)
        forfeit = f"Whoever breaks a rule about {about} forfeits all bets of the round."
        steps.add(forfeit, *(rule.penalty for rule in broken), giver="find_conduct")
    turned: dict[str, int] = {}
    for stage in rules_of(house).stages:
        if stage.choice is not None:
            _decision(house, steps, stage.choice, stage_key(stage.index))
        elif stage.announce is not None:
            steps.add(f"{capitalized(ACT_WORDS['announce'])}.", stage.announce, key=stage_key(stage.index))
        elif stage.reveal is not None:
            steps.add(_reveal(stage.reveal, turned), stage.reveal, key=stage_key(stage.index))
    seconds = house.options.decision_timeout
    late = f" within {counted(seconds, 'second')}" if seconds else ""
    silent = "folds" if play.choice[0].undecided == "fold" else "lets the bet ride"
    steps.add(f"Declare that a player who makes no decision{late} {silent}.", "declare_undecided")
    return steps.under("Decisions")


def choice_words(house: HouseRules, choice: Choice) -> str:
    """What a player may decide: `bet 1x, 2x or 3x the ante on third street, or fold`."""
    times = [name for name in choice.choices if name.endswith("x")]
    main, where = spoken(rules_of(house).main.name), wager_words(choice.decision)
    words = [f"bet {any_of(times)} the {main} on {where}"] if times else []
    others = {"raise": "raise", "ride": f"let {where} ride", "withdraw": "take it back", "fold": "fold"}
    words += [others[name] for name in choice.choices if name not in times]
    return ", or ".join(words)


def _decision(house: HouseRules, steps: Steps, choice: Choice, key: str) -> None:
    play = house.rulebook.play
    words = f"From the dealer's left, each player may {choice_words(house, choice)}."
    steps.add(words, choice, choice.folds, by="player", key=key)
    if "raise" in choice.choices:
        for limit in play.raise_limit:
            joined = " or " if limit.longest == limit.shortest + 1 else " to "
            cards = joined.join(map(str, dict.fromkeys((limit.shortest, limit.longest))))
            most = "1x" if limit.times == 1 else f"up to {limit.times}x"
            steps.add(f"With a flush of {cards} cards the raise is {most} the ante.", limit, by="player")
    gestures = [row for row in house.rulebook.procedure.gesture if row.decision == choice.decision]
    for way in dict.fromkeys(row.choice for row in gestures):
        rows = [row for row in gestures if row.choice == way]
        said = "riding" if way == "ride" else "taking it back"
        words = f"{capitalized(any_of(_GESTURES[row.gesture] for row in rows))} signals {said}."
        steps.add(words, *rows, by="player")
    withdrawn = next((rule_of(house, wager).withdraw for wager in house.wagers if wager.name == choice.decision), None)
    if withdrawn is not None:
        steps.add("Push back at once a bet that is taken back.", withdrawn)
    if choice.collected is not None:
        _folded(house, steps, choice)


def _folded(house: HouseRules, steps: Steps, choice: Choice) -> None:
    when = "once every player has decided" if choice.collected and choice.collected.after_all else "at once"
    wagers = [(wager, rule_of(house, wager)) for wager in house.wagers]
    kept = [wager.name for wager, rule in wagers if rule.fold is not None and rule.fold.keeps]
    stays = f"; with {any_of(map(wager_words, kept))} it stays on the table until settlement" if kept else ""
    words = f"Take the bets of a folded hand {when}, and put the hand into the rack{stays}."
    steps.add(words, choice.collected, choice.racked, choice.keeps if kept else None)
    live = [(wager, rule.fold) for wager, rule in wagers if rule.offered == "option" and rule.fold is not None]
    if choice is not house.rulebook.play.choice[-1] or not live:
        return
    for stake, verb in (("forfeit", "lost"), ("live", "not touched")):
        rows = [(wager.name, fold) for wager, fold in live if fold_stake(house, wager) == stake]
        if rows:
            names = capitalized(listed(wager_words(name) for name, _ in rows))
            steps.add(f"{names}: {verb} by a fold.", *(fold for _, fold in rows))


def fold_stake(house: HouseRules, wager: HouseWager) -> str:
    """What a fold does to a wager in this house: `forfeit` or `live`."""
    fold = rule_of(house, wager).fold
    if fold is None:
        return "live"
    return str(house.options.named(fold.option)) if fold.option else fold.stake


def _reveal(reveal: RevealRow, turned: dict[str, int]) -> str:
    """`turned` remembers how many cards of each slot have been turned up."""
    number = turned.get(reveal.slot, 0)
    turned[reveal.slot] = number + reveal.number
    one = reveal.number == 1 and reveal.slot == "community"
    which = f"{_ORDINALS[number]} " if one else ""
    return f"Turn up the {which}{_TURNED_UP[reveal.slot]}."


# --- take and pay


def _take_and_pay(house: HouseRules) -> WrittenProcedure:
    steps, play, rules = Steps(house), house.rulebook.play, rules_of(house)
    settlement = play.settlement
    steps.add("From the dealer's right, turn up one hand after the other.", settlement, settlement.turn_up)
    steps.add("Announce the player's best hand.", settlement.announced)
    _against_dealer(house, steps)
    main = [wager for wager in house.wagers if wager.paytables[0].group == "base"]
    names = listed(wager_words(wager.name) for wager in main)
    by = paytable_name(main[0].paytables[0])
    steps.add(f"Take or pay {names}, by {by}: all bets of one player before the next.", settlement, settlement.lose)
    for name in rules.order:
        wager = rules.offered[name]
        if wager not in main:
            steps.add(
                f"Then take or pay {wager_words(name)}, by {paytable_name(wager.paytables[0])}.", rule_of(house, wager)
            )
    if house.payout_limit is not None and rules.limited:
        limited = listed(wager_words(name) for name in rules.order + rules.last if name in rules.limited)
        limit = f"One hand wins at most {dollars(house.payout_limit)} on {limited}."
        steps.add(limit, play.payout_limit, play.payout_limit.minimum_bet)
    racked = settlement.racked
    unless = {"side_wager": " without a side wager", "award": " without a progressive award", None: ""}[racked.unless]
    for result, rule in (("losing", racked.lose), ("pushing", racked.push), ("winning", racked.win)):
        after = " once it is paid" if result == "winning" else ""
        steps.add(f"Put a {result} hand{unless} into the rack{after}.", rule)
    which = "every other hand" if racked.lose or racked.push or racked.win else "every hand"
    steps.add(f"Leave {which} on the layout until all wagers are settled.", settlement.kept, racked)
    if rules.envied and play.envy is not None:
        envy = play.envy
        key = stage_key(rules.settling("envy").index)
        steps.add("When all hands are known, pay envy: never on a player's own hand.", envy, envy.own_hand, key=key)
        steps.add("Several qualifying hands pay several times.", envy.several)
    if rules.last:
        lasts = listed(wager_words(name) for name in rules.last)
        steps.add(
            f"Leave the best hand so far face up for {lasts}; a better one replaces it.",
            settlement.exposed,
            settlement.outdone,
        )
        steps.add(
            f"After every player's bets take or pay {lasts}.",
            settlement.at_last,
            *(rules.wagers[name] for name in rules.last),
            key=stage_key(rules.settling("last").index),
        )
    return steps.under("Take and pay")


def _against_dealer(house: HouseRules, steps: Steps) -> None:
    play = house.rulebook.play
    if play.qualify is None or play.versus is None:
        return
    least = f"{play.qualify.length} cards, {rank_word(play.qualify.ranks[0])} high"
    steps.add(f"The dealer qualifies with a flush of {least}, or better.", play.qualify)
    steps.add("Below it the ante is paid and the raise returned.", play.versus.below)
    steps.add("A lower hand loses ante and raise.", play.versus.lower)
    steps.add("A higher hand is paid on ante and raise.", play.versus)
    steps.add("An equal hand gets ante and raise back.", play.versus.equal)


def _awards(house: HouseRules) -> WrittenProcedure:
    steps, play = Steps(house), house.rulebook.play
    steps.add("Verify that the hand wins and that the light of the seat is on.", "verify_award")
    steps.add("Validate the award: somebody other than the dealer who verified it.", "validate_award")
    steps.add("Reject an award that does not hold; it goes back on the meter.", "reject_award")
    steps.add("Pay a validated award from the tray.", "pay_award")
    if house.options.handpay_hundred_percent:
        whole = "An award of a whole meter is a hand pay, never from the tray; the cards stay until it is done."
        steps.add(whole, play.handpay, house.rulebook.procedure.whole_meter, "hand_pay_award")
    if house.handpay_threshold is not None:
        words = f"So is any other award from {dollars(house.handpay_threshold)}."
        steps.add(words, play.handpay, "hand_pay_award")
    wager = _progressive(house)
    if wager is not None and wager.envy is not None:
        envy = listed(f"{line_words(line.hand)} {line.pays}" for line in wager.envy.line)
        steps.add(f"Envy for another player's hand: {envy}.", wager.envy, play.envy.stake if play.envy else None)
    return steps.under("Progressive awards")


def _after(house: HouseRules) -> WrittenProcedure:
    steps = Steps(house)
    steps.add("Collect the cards so that every hand can be rebuilt.", house.rulebook.play.rebuild, "close")
    steps.add("Rebuild a disputed hand from the rack or the record.", "rebuild_hands")
    return steps.under("After the round")
