"""The keys and values of a rulebook in words: the one table that the comparison of two rulebooks reads from.

A key without a row here is read aloud as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from croupier.present.acts import ACTS
from croupier.present.rulings import CARDS, IRREGULARITIES, VOID

__all__ = ["DEALT", "ROWS", "WORDS", "KeyWords"]


class KeyWords(NamedTuple):
    """A key in words. `{0}` and `{1}` are the rows that it names, `{}` is the value."""

    label: str
    inside: str = ""
    """How it is said within a whole that only one rulebook has; nothing if the label of the whole says it already."""
    values: Mapping[str, str] = {}
    """The words of its values; `*` stands for any."""


_YES: Final = {"*": "yes"}
_ANY: Final = {"*": ""}
DEALT: Final = {"manual_shoe": "a manual shoe", "hand": "the hand", "automated_shoe": "an automated shoe"}
_SHUFFLERS: Final = {
    "manual": "hand",
    "automated": "an automated shuffler",
    "automated_counting": "an automated shuffler that counts",
    "continuous": "a continuous shuffler",
}
_CARDS_JUDGED: Final = {
    "own": "the player's cards",
    "community": "the community cards",
    "own_and_community": "the player's and the community cards",
    "own_and_box": "the player's cards and the box",
    "best_at_table": "the best hand at the table",
}
_JUDGED_AS: Final = {
    "five_card": "a five-card hand",
    "three_card": "a three-card hand",
    "six_card": "a six-card hand",
    "flush": "a flush",
    "straight_flush": "a straight flush",
    "against_dealer": "a hand against the dealer's",
}
_RETURNED: Final = {
    "nothing": "no bet is returned",
    "box_wagers": "the bets on the box are returned",
    "hand": "the bets of the hand are returned",
    "main_wagers": "the main bets are returned",
    "all": "all bets are returned",
}
_EVENTS: Final[Mapping[str, str]] = {str(event): words for event, words in IRREGULARITIES.items()}
_RANKS: Final = {"floorperson": "a floorperson or above", "supervisor": "a supervisor or above"}

ROWS: Final[Mapping[str, Mapping[str, str]]] = {
    "stub_count": DEALT,
    "deal": DEALT,
    "device": DEALT,
    "script": DEALT | {"automated_shoe lir.community_stack": "an automated shoe, with three cards for the board"},
    "shuffle": _SHUFFLERS,
    "irregularity": _EVENTS,
    "announcement": {
        "deal": "the deal",
        "first_reveal": "the first card is turned up",
        "second_reveal": "the second card is turned up",
        "third_reveal": "the third card is turned up",
    },
    "conduct": {
        "own_hand": "one hand only",
        "touching": "touching cards",
        "view": "viewing cards",
        "communication": "talking about hands",
        "hands_off": "hands off the cards",
    },
    "attest": {
        "progressive_system": "the progressive system",
        "cover_all_mode": "the Cover All mode of the device",
        "shoe": "the shoe",
        "drop_box": "the drop box",
        "tip_box": "the tip box",
        "discard_rack": "the discard rack",
    },
    "duty": {
        "order_shuffle": "order another shuffle",
        "order_recut": "order another cut",
        "report_holdings": "report the cards in the device",
        "cancel_wager": "cancel a wager",
    },
    "before_deal": {act: words.format(chips="the chips", lammers="lammers") for act, words in ACTS.items()},
    "gesture": {"tuck": "tuck the cards", "wave": "wave a hand", "scratch": "scratch the layout"},
    "reveal": {"community": "community cards", "dealer": "the dealer's cards", "six_card_box": "the box"},
}
"""The names of rows in words, by the list that they are in."""

WORDS: Final[Mapping[str, KeyWords]] = {
    # --- the table
    "table.seats.maximum": KeyWords("seats, at most"),
    "table.seats.fewer[]": KeyWords("seats, while a wager is offered", "at most {maximum} with {offered}"),
    "table.boxes.limit": KeyWords(
        "boxes a player may take", values={"one": "one", "submission": "as submitted, side by side"}
    ),
    "table.decks.cover_cards": KeyWords("cover cards"),
    "table.cut.depth": KeyWords("depth of the cut"),
    "table.cut.placed": KeyWords(
        "cover card for the cut", values={"in_the_deck": "put into the deck", "before_the_deck": "put before the deck"}
    ),
    "table.cut.cover_card": KeyWords(
        "cover card after the cut",
        values={"stays_at_bottom": "stays at the bottom", "to_discard_rack": "goes to the discard rack"},
    ),
    "table.cut.exempt": KeyWords("no cut with a continuous shuffler"),
    "table.stub_count[].waived_by": KeyWords(
        "stub count when dealing from {0}: waived with", "waived with {}", _SHUFFLERS
    ),
    "table.deck_hours[]": KeyWords("hours of a deck dealt from {0}", "as submitted"),
    "table.deck_hours[].deal": KeyWords("dealt from", values=_ANY),
    "table.deck_hours[].hours": KeyWords("hours of a deck dealt from {0}", "{} hours"),
    "table.deal[].approval": KeyWords("dealing from {0}: needs an approval", "with an approval", _YES),
    "table.deal[].same_hand": KeyWords("dealing from {0}: the deck stays in the same hand"),
    "table.layout_approval": KeyWords("layout: needs an approval"),
    "table.shuffle[]": KeyWords("shuffling by {0}", "allowed"),
    "table.shuffle[].method": KeyWords("method"),
    "table.shuffle[].approval": KeyWords("shuffling by {0}: needs an approval", values=_YES),
    "table.shuffle[].approval_required": KeyWords("shuffling by {0}: needs an approval", "with an approval"),
    "table.area[]": KeyWords("layout: {0}", "there"),
    "table.area[].name": KeyWords("name"),
    "table.area[].place": KeyWords(
        "layout: place of {0}",
        "{}",
        {"table": "on the table", "seat": "at each seat", "dealer": "in front of the dealer"},
    ),
    "table.area[].count": KeyWords("layout: areas for {0}", "{} areas", {"1": ""}),
    "table.area[].inscription": KeyWords("layout: inscription of {0}", "inscribed “{}”"),
    "table.area[].offered": KeyWords("layout: {0}, with", "with {}"),
    "table.notice[]": KeyWords("notice"),
    "table.notice[].says": KeyWords("notice", "{}"),
    "table.notice[].sign_instead": KeyWords("notice: a sign may say it instead", "a sign may say it instead"),
    # --- wagers
    "wagers.instruments.accepted": KeyWords(
        "wagers are made with",
        values={
            "value_chip": "value chips",
            "plaque": "plaques",
            "approved_instrument": "other approved instruments",
            "match_play_coupon": "match play coupons",
        },
    ),
    "wagers.instruments.coupon": KeyWords("match play coupons"),
    "wagers.wager[]": KeyWords("{0}", "offered"),
    "wagers.wager[].name": KeyWords("name"),
    "wagers.wager[].offered": KeyWords(
        "{0}: offered", "{}", {"always": "always offered", "option": "offered if the operator chooses"}
    ),
    "wagers.wager[].stake": KeyWords(
        "{0}: stake",
        "{}",
        {
            "limits": "a stake within limits",
            "equal": "the same stake as the other bets",
            "multiple": "",
            "raise": "a raise within the limit of the hand",
            "fixed": "one fixed stake",
        },
    ),
    "wagers.wager[].limits_key": KeyWords("{0}: limits of"),
    "wagers.wager[].multiples": KeyWords("{0}: times the ante", "{} times the ante"),
    "wagers.wager[].requires[]": KeyWords("{0}: needs {1}", "yes"),
    "wagers.wager[].requires[].wager": KeyWords("{0}: needs", "needs {}"),
    "wagers.wager[].requires[].if_offered": KeyWords("{0}: needs {1} only where it is offered", "{1} only if offered"),
    "wagers.wager[].needs": KeyWords("{0}: the deal it needs"),
    "wagers.wager[].needs.deal": KeyWords("{0}: dealt only from", "dealt only from {}", DEALT),
    "wagers.wager[].needs.shuffle": KeyWords("{0}: shuffled only by", "shuffled only by {}", _SHUFFLERS),
    "wagers.wager[].needs.cover_all_mode": KeyWords("{0}: device in Cover All mode", "a device in Cover All mode"),
    "wagers.wager[].needs.option": KeyWords("{0}: by the operator's option", "otherwise by the operator's option"),
    "wagers.wager[].needs.approval": KeyWords("{0}: another way needs an approval", "with an approval for that", _YES),
    "wagers.wager[].cards": KeyWords("{0}: decided by", "decided by {}", _CARDS_JUDGED),
    "wagers.wager[].evaluator": KeyWords("{0}: judged as", "judged as {}", _JUDGED_AS),
    "wagers.wager[].paytables": KeyWords("{0}: paytables"),
    "wagers.wager[].collected": KeyWords("{0}: collected before the deal", "collected before the deal"),
    "wagers.wager[].withdraw": KeyWords("{0}: may be taken back", "may be taken back"),
    "wagers.wager[].closes": KeyWords("{0}: betting closes by a clause of its own"),
    "wagers.wager[].locked": KeyWords("{0}: the device is locked when bets close", "the device is locked"),
    "wagers.wager[].registered": KeyWords(
        "{0}: counts once the device accepts it", "counts once the device accepts it"
    ),
    "wagers.wager[].ace_low": KeyWords("{0}: reading on the low ace", "ace also low (reading {})"),
    "wagers.wager[].suggested_minimum": KeyWords(
        "{0}: minimum if none is submitted", "minimum {} if none is submitted"
    ),
    "wagers.wager[].stake_approval": KeyWords(
        "{0}: another stake needs an approval", "another stake needs an approval", _YES
    ),
    "wagers.wager[].fold": KeyWords("{0}: after a fold"),
    "wagers.wager[].fold.stake": KeyWords(
        "{0}: after a fold", "{} after a fold", {"forfeit": "forfeited", "live": "stays in play"}
    ),
    "wagers.wager[].fold.keeps": KeyWords("{0}: after a fold, the hand stays on the table", "the hand stays"),
    "wagers.wager[].fold.by_decision": KeyWords("{0}: after a fold, by decision", "by the clause of that decision"),
    "wagers.wager[].fold.alone": KeyWords("{0}: after a fold, only without a side wager", "only without a side wager"),
    "wagers.wager[].fold.option": KeyWords(
        "{0}: after a fold, the operator may choose", "or as the operator chooses", _YES
    ),
    # --- paytables
    "paytables.choice[]": KeyWords("{0}: the operator chooses a paytable", "yes"),
    "paytables.choice[].group": KeyWords("wager"),
    "paytables.paytable[]": KeyWords("{0}"),
    "paytables.paytable[].group": KeyWords("wager"),
    "paytables.paytable[].id": KeyWords("name"),
    "paytables.paytable[].players": KeyWords("players"),
    "paytables.paytable[].stakes": KeyWords("{0}: stakes", "stake {}"),
    "paytables.paytable[].stakes_reading": KeyWords("{0}: reading on the stakes"),
    "paytables.paytable[].link": KeyWords("{0}: linked meter", "linked meter"),
    "paytables.paytable[].evaluator": KeyWords("{0}: judged as", "judged as {}", _JUDGED_AS),
    "paytables.paytable[].cards": KeyWords("{0}: decided by", "decided by {}", _CARDS_JUDGED),
    "paytables.paytable[].line[]": KeyWords("{0}: {1}"),
    "paytables.paytable[].line[].hand": KeyWords("hand"),
    "paytables.paytable[].line[].pays": KeyWords("{0}: {1}", "{1} {}"),
    "paytables.envy[]": KeyWords("envy, {0}"),
    "paytables.envy[].paytable": KeyWords("paytable"),
    "paytables.envy[].stake": KeyWords("stake"),
    "paytables.envy[].line[]": KeyWords("envy, {0}: {1}"),
    "paytables.envy[].line[].hand": KeyWords("hand"),
    "paytables.envy[].line[].pays": KeyWords("envy, {0}: {1}", "{1} {}"),
    "paytables.minimum[]": KeyWords("least initial and reset, {0}", "as submitted"),
    "paytables.minimum[].paytable": KeyWords("paytable"),
    "paytables.minimum[].meter": KeyWords("meter"),
    "paytables.minimum[].amount": KeyWords("least initial and reset, {0}", "{}"),
    "paytables.minimum[].warn_below": KeyWords("warning below, {0}", "a warning below {}"),
    # --- dealing
    "dealing.announcement[]": KeyWords("“no more bets” before {0}", "announced"),
    "dealing.announcement[].says": KeyWords("announced"),
    "dealing.announcement[].before": KeyWords("before"),
    "dealing.before_deal[]": KeyWords("before dealing from {0}: the dealer {1}", "yes"),
    "dealing.before_deal[].deal": KeyWords("dealt from"),
    "dealing.before_deal[].act": KeyWords("what"),
    "dealing.before_deal[].offered": KeyWords("with", "with {}"),
    "dealing.script[]": KeyWords("dealing from {0}"),
    "dealing.script[].deal": KeyWords("dealt from"),
    "dealing.script[].title": KeyWords("dealing from {0}: order", "{}"),
    "dealing.script[].passes": KeyWords("dealing from {0}: passes", "{} passes", {"1": ""}),
    "dealing.script[].step": KeyWords("dealing from {0}: cards", "{}"),
    "dealing.script[].shuffle": KeyWords("dealing from {0}: shuffled by", "shuffled by {}", _SHUFFLERS),
    "dealing.script[].option": KeyWords("dealing from {0}: by the operator's option", "by the operator's option", _YES),
    # --- play
    "play.choice[]": KeyWords("decision on {0}"),
    "play.choice[].decision": KeyWords("decision"),
    "play.choice[].choices": KeyWords(
        "decision on {0}: choices", "{}", {"withdraw": "take back", "ride": "let it ride"}
    ),
    "play.choice[].undecided": KeyWords(
        "decision on {0}: if none is made", "if none is made: {}", {"ride": "let it ride"}
    ),
    "play.choice[].folds": KeyWords("decision on {0}: a clause of its own for the fold"),
    "play.choice[].collected.after_all": KeyWords(
        "decision on {0}: folded bets are collected",
        "folded bets are collected {}",
        {"True": "after everyone has decided", "False": "at once"},
    ),
    "play.choice[].racked": KeyWords("decision on {0}: a folded hand goes to the rack", "the hand goes to the rack"),
    "play.choice[].keeps": KeyWords(
        "decision on {0}: a folded hand stays while a wager needs it", "it stays while a wager needs it"
    ),
    "play.reveal[]": KeyWords("turned up after {1}: {0}"),
    "play.reveal[].slot": KeyWords("which"),
    "play.reveal[].number": KeyWords("turned up after {1}, cards of {0}", "{}"),
    "play.reveal[].after": KeyWords("after"),
    "play.reveal[].offered": KeyWords("with", "with {}"),
    "play.reveal[].always": KeyWords("always turned up", "even if nothing depends on them"),
    "play.raise_limit[]": KeyWords(
        "limit of a raise", "a flush of {shortest} to {longest} cards: up to {times} x the ante"
    ),
    "play.qualify": KeyWords(
        "dealer qualifies",
        "with a flush of {length} cards, {ranks} or better; otherwise the ante is paid and the raise returned",
    ),
    "play.versus": KeyWords("hands are compared with the dealer's", "yes"),
    "play.versus.below": KeyWords("the dealer does not qualify"),
    "play.versus.lower": KeyWords("a lower hand"),
    "play.versus.equal": KeyWords("an equal hand"),
    "play.settlement.order": KeyWords("order of settlement"),
    "play.settlement.last": KeyWords("settled last, after every player"),
    "play.settlement.racked.unless": KeyWords(
        "a settled hand stays on the layout for",
        "but stays for {}",
        {"side_wager": "a side wager that needs it", "award": "an award that is not yet paid"},
    ),
    "play.settlement.racked": KeyWords("a settled hand goes to the rack at once"),
    "play.settlement.racked.lose": KeyWords("a losing hand goes to the rack at once", "if it loses"),
    "play.settlement.racked.push": KeyWords("a hand that pushes goes to the rack at once", "if it pushes"),
    "play.settlement.racked.win": KeyWords("a winning hand goes to the rack at once", "if it wins"),
    "play.settlement.exposed": KeyWords("the best hand so far stays face up"),
    "play.settlement.outdone": KeyWords("a hand that is beaten is removed"),
    "play.settlement.announced": KeyWords("the dealer announces each hand"),
    "play.settlement.at_last": KeyWords("the last wagers follow after every player's"),
    "play.settlement.lose": KeyWords("a losing main wager has a clause of its own"),
    "play.payout_limit.amount": KeyWords("payout limit of a hand", "{}"),
    "play.payout_limit.wagers": KeyWords("payout limit: wagers it covers", "for {}"),
    "play.payout_limit.lower": KeyWords(
        "payout limit: a lower one",
        "a lower one {}",
        {"approval": "with an approval", "never": "not allowed", "free": "as submitted"},
    ),
    "play.payout_limit.minimum_bet": KeyWords("payout limit: not below what the minimum bet can win"),
    "play.envy.folded_holder": KeyWords("envy for the hand of a player who folded"),
    "play.conduct[].penalty": KeyWords("conduct, {0}: has a penalty", "has a penalty"),
    "play.conduct[]": KeyWords("conduct: {0}", "has a rule"),
    "play.conduct[].until": KeyWords("conduct, {0}: until", "until {}", {"last_reveal": "the last card is turned up"}),
    "play.viewing": KeyWords("when players may see their cards"),
    "play.viewing.device[].deal": KeyWords("clause", "a clause for dealing from {}", DEALT),
    # --- irregularities
    "irregularities.irregularity[]": KeyWords("{0}"),
    "irregularities.irregularity[].event": KeyWords("event"),
    "irregularities.irregularity[].void": KeyWords("{0}: void", "{}", VOID),
    "irregularities.irregularity[].refund": KeyWords("{0}: returned", "{}", _RETURNED),
    "irregularities.irregularity[].card": KeyWords(
        "{0}: the card", "{}", {"none": "", "to_rack": "the card goes to the rack", "is_next": "the card is dealt next"}
    ),
    "irregularities.irregularity[].cards": KeyWords("{0}: what follows", "{}", CARDS),
    "irregularities.irregularity[].side_wagers": KeyWords(
        "{0}: side wagers",
        "{}",
        {"void": "side wagers are void", "settle": "side wagers on complete hands are settled"},
    ),
    "irregularities.irregularity[].instead": KeyWords("{0}: by the operator's choice"),
    "irregularities.irregularity[].instead.option": KeyWords("{0}: the operator chooses"),
    "irregularities.irregularity[].instead.value": KeyWords("{0}: another ruling if the choice is"),
    "irregularities.irregularity[].instead.void": KeyWords(
        "{0}: void by the operator's choice", "by the operator's choice {}", VOID
    ),
    "irregularities.irregularity[].instead.refund": KeyWords("{0}: returned by the operator's choice", "{}", _RETURNED),
    "irregularities.irregularity[].instead.cards": KeyWords("{0}: what follows by the operator's choice", "{}", CARDS),
    "irregularities.irregularity[].device[]": KeyWords("{0}: a clause for dealing from {1}", "yes"),
    "irregularities.irregularity[].device[].deal": KeyWords("dealt from"),
    "irregularities.irregularity[].on_any_change": KeyWords(
        "{0}: before any change of method", "before any change of method"
    ),
    "irregularities.irregularity[].attest": KeyWords("{0}: the device is", "{}", {"signed": "marked out of order"}),
    # --- procedure
    "procedure.idle.face": KeyWords(
        "cards at a table without players", values={"down": "face down", "either": "face down or face up"}
    ),
    "procedure.idle.turned_up": KeyWords("cards are turned up for an arriving player"),
    "procedure.reshuffle.after": KeyWords("reshuffle required after", values=_EVENTS),
    "procedure.attest[]": KeyWords("checked before opening: {0}", "yes"),
    "procedure.attest[].what": KeyWords("what"),
    "procedure.attest[].deal": KeyWords(
        "checked before opening: {0}, when dealing from", "when dealing from {}", DEALT
    ),
    "procedure.attest[].offered": KeyWords("with", "with {}"),
    "procedure.attest[].optional": KeyWords("checked before opening: {0}, where there is one", "where there is one"),
    "procedure.attest[].device[]": KeyWords("checked before opening: {0}, a clause for dealing from {1}", "yes"),
    "procedure.attest[].device[].deal": KeyWords("dealt from"),
    "procedure.column": KeyWords("the device shows the column of the paytable", "yes"),
    "procedure.column.offered": KeyWords("with", "for {}"),
    "procedure.duty[]": KeyWords("who may {0}"),
    "procedure.duty[].do": KeyWords("what"),
    "procedure.duty[].least": KeyWords("who may {0}", "{}", _RANKS),
    "procedure.duty[].by": KeyWords("who may {0}", "{}"),
    "procedure.duty[].device[]": KeyWords("who may {0}: a clause for dealing from {1}", "yes"),
    "procedure.duty[].device[].deal": KeyWords("dealt from"),
    "procedure.gesture[]": KeyWords("hand signal for {0}: {1}", "yes"),
    "procedure.gesture[].decision": KeyWords("decision"),
    "procedure.gesture[].choice": KeyWords("choice"),
    "procedure.gesture[].gesture": KeyWords("signal"),
}
"""Every key by which the rulebooks differ, with its part and without the names of rows."""
