"""Random lawful rounds as the contract describes them, with everything that changes money."""

import random
from typing import Any

from croupier.cards import DECK, Card, format_cards
from croupier.rulebook import load_rulebook

MS, MA, LIR, HCF = "md-mississippi-stud", "ma-mississippi-stud", "md-let-it-ride", "md-high-card-flush"
OWN = {MS: 2, MA: 2, LIR: 3, HCF: 7}
BOARD = {MS: 3, MA: 3, LIR: 2, HCF: 0}
BOX = {MS: 4, LIR: 3}
OPTIONS: dict[str, dict[str, list[Any]]] = {
    "cap": {"allocation": ["prorata", "in_order"], "scope": ["named", "all_non_progressive"]},
    "meter": {"display_unit": ["cent", "dollar"], "percent_rounding": ["up", "nearest"], "floor": ["none", "reset"]},
    "envy": {"holder_must_bet": [True, False]},
}
OWN_OPTIONS: dict[str, dict[str, dict[str, list[Any]]]] = {
    MA: {
        "ma": {"progressive_after_fold": ["forfeit", "live"]},
        "cover_all": {"count_folded": [True, False]},
        "envy": {"after_fold": [True, False]},
        "cap": {"min_bet_model": ["max_multiples", "single_multiples"]},
    },
    MS: {"cap": {"min_bet_model": ["max_multiples", "single_multiples"]}},
    HCF: {"hcf": {"ace_low": [True, False]}},
}


def random_submission(dice: random.Random, rulebook: str) -> dict[str, Any]:
    """Every wager offered, on paytables and options of chance; valid."""
    book = load_rulebook(rulebook)
    tables: dict[str, list[str]] = {}
    for table in book.paytables.paytable:
        tables.setdefault(table.group, []).append(table.id)
    wagers: dict[str, Any] = {
        group: {"paytable": dice.choice(ids)} for group, ids in tables.items() if group != "base" or rulebook == LIR
    }
    progressive = wagers["progressive"]
    chosen = next(
        one for one in book.paytables.paytable if (one.group, one.id) == ("progressive", progressive["paytable"])
    )
    progressive["stake"] = dice.choice(chosen.stakes)
    progressive["meters"] = {
        one.meter: {"initial": "90000.00", "reset": f"{dice.randint(40_000, 80_000)}.00", "rate": "0.05"}
        for one in book.paytables.minimum
        if one.paytable == chosen.id
    }
    readings: dict[str, dict[str, Any]] = {}
    for options in (OPTIONS, OWN_OPTIONS.get(rulebook, {})):
        for name, keys in options.items():
            for key, values in keys.items():
                if dice.random() < 0.5:
                    readings.setdefault(name, {})[key] = dice.choice(values)
    submission: dict[str, Any] = {
        "rulebook": rulebook,
        "seats": 6,
        "boxes": 2 if rulebook in (LIR, HCF) else 1,
        "limits": {
            "bet" if rulebook == LIR else "ante": {"minimum": dice.choice(["5.00", "25.00"]), "maximum": "9000.00"}
        },
        "wagers": wagers,
        "cards": {"shuffle": "automated_counting", "deal": "automated_shoe"},
        "readings": readings,
    }
    if rulebook == MA:
        submission["cards"] |= {"deck_hours": 8, "cover_all_mode": True}
    elif dice.random() < 0.5:
        submission["payout_limit"] = {"amount": f"{dice.randint(100, 5_000_000) / 100:.2f}", "approval": "A-1"}
    return submission


def random_round(dice: random.Random, submission: dict[str, Any]) -> dict[str, Any]:
    """A lawful round; its deck is often hardly shuffled, so that rare hands come often."""
    rulebook = submission["rulebook"]
    cards = random_deck(dice)
    community = [cards.pop() for _ in range(BOARD[rulebook])]
    seats = [
        random_seat(dice, submission, seat, [cards.pop() for _ in range(OWN[rulebook])])
        for seat in dice.sample(range(1, 7), dice.randint(1, 5))
    ]
    return {
        "submission": submission,
        "meters": {
            name: f"{dice.randint(100_000, 9_000_000) / 100:.2f}"
            for name in submission["wagers"]["progressive"]["meters"]
        },
        "seats": seats,
        "community": format_cards(community),
        "six_card_box": format_cards(cards.pop() for _ in range(BOX.get(rulebook, 0))),
        "dealer": format_cards(cards.pop() for _ in range(7)) if rulebook == HCF else "",
    }


def random_deck(dice: random.Random) -> list[Card]:
    by_suit = dice.random() < 0.6
    cards = sorted(DECK, key=lambda card: (card.suit, card.rank) if by_suit else (card.rank, card.suit))
    cut = dice.randrange(52)
    cards = cards[cut:] + cards[:cut]
    if dice.random() < 0.4:
        dice.shuffle(cards)
    for _ in range(dice.randrange(6)):
        one, other = dice.sample(range(52), 2)
        cards[one], cards[other] = cards[other], cards[one]
    return cards


def random_seat(dice: random.Random, submission: dict[str, Any], seat: int, hand: list[Card]) -> dict[str, Any]:
    rulebook, wagers = submission["rulebook"], submission["wagers"]
    main = f"{dice.randint(2, 6000) / 2:.2f}" if rulebook != HCF else f"{dice.randint(1, 3000)}.00"
    stakes = dict.fromkeys(("bet_1", "bet_2", "bet_3") if rulebook == LIR else ("ante",), main)
    for wager in wagers:
        if wager != "base" and dice.random() < 0.7:
            stakes[wager] = f"{dice.randint(2, 200) / 2:.2f}"
    if "progressive" in stakes:
        stakes["progressive"] = wagers["progressive"]["stake"]
    if "five_card_bonus" in stakes:
        stakes["five_card_bonus"] = "1.00"
    needed = {"three_card_bonus", "five_card_bonus"} & wagers.keys()
    if not needed <= stakes.keys():
        stakes.pop("six_card_bonus", None)
    suits = [card.suit for card in hand]
    longest = max(suits.count(suit) for suit in suits)
    times = {5: 2, 6: 3, 7: 3}.get(longest, 1)
    match rulebook:
        case "md-let-it-ride":
            decisions = [dice.choice(("ride", "withdraw")) for _ in range(2)]
        case "md-high-card-flush":
            whole = int(main[:-3])
            amount = dice.randint(whole, whole * times)
            decisions = [dice.choice((f"{dice.randint(1, times)}x", f"raise {amount}.00", "fold"))]
        case _:
            decisions = [f"{dice.randint(1, 3)}x" for _ in range(3)]
            if dice.random() < 0.35:
                decisions = [*decisions[: dice.randrange(3)], "fold"]
    patron = f"p{seat // 2}" if submission["boxes"] > 1 else f"p{seat}"
    return {"seat": seat, "patron": patron, "wagers": stakes, "cards": format_cards(hand), "decisions": decisions}
