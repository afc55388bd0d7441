"""A second opinion on what a round pays: every rule again, one after another, as a beginner would write it.

It shares no code with the product but the reading of cards, and it expects a lawful round. Money is
integers of cents inside, meters integers of 1/10,000 cent (reading 16), decimal strings outside.
Numbers such as `12.C(4)` are clauses of the document at hand, `r 23` is a reading.
"""

import json
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

from croupier.cards import Card, parse_cards

Row = dict[str, Any]

FIGURES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "figures.json").read_text("utf-8"))
FIVE = "nothing pair two_pair three_of_a_kind straight flush full_house four_of_a_kind straight_flush royal_flush"
NUMBER_WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
STREETS = ["third_street", "fourth_street", "fifth_street"]
FINE = 10_000  # parts of a cent in a meter

# Main bets come first, then the side bets in this order: MD-MS 11.I(3)-(6) and r 171; MA r 170, Cover
# All after everything else (12(j)); HCF 11.B(6)-(9); LIR .11E(1)-(4).
SIDE_BETS = {
    "md-mississippi-stud": ["progressive", "three_card_bonus", "six_card_bonus"],
    "ma-mississippi-stud": ["progressive", "three_card_bonus"],
    "md-high-card-flush": ["flush_bonus", "straight_flush_bonus", "progressive"],
    "md-let-it-ride": ["five_card_bonus", "three_card_bonus", "six_card_bonus", "progressive"],
}
# The wagers under the payout limit: the named odds only (r 6, r 191).
LIMITED = {
    "md-mississippi-stud": ["ante", *STREETS],
    "ma-mississippi-stud": ["ante", *STREETS],
    "md-high-card-flush": ["flush_bonus", "straight_flush_bonus"],
    "md-let-it-ride": ["bet_1", "bet_2", "bet_3"],
}


# ---------------------------------------------------------------- money, options, figures


def cents(text: str) -> int:
    return int(Decimal(text) * 100)


def dollars(amount: int) -> str:
    return f"{Decimal(amount) / 100:.2f}"


def fine(text: str) -> int:
    return int(Decimal(text) * 100 * FINE)


def fine_text(amount: int) -> str:
    """At least cents; what a meter holds beyond them is shown too."""
    text = f"{Decimal(amount) / (100 * FINE):.6f}"
    return text[:-4] + text[-4:].rstrip("0")


def option(submission: dict[str, Any], table: str, key: str, default: object) -> object:
    """An operator option, `[readings.table] key` (r 190); words are compared in snake_case."""
    value: object = submission.get("readings", {}).get(table, {}).get(key, default)
    if isinstance(value, str):
        value = "".join("_" + letter.lower() if letter.isupper() else letter for letter in value).replace("-", "_")
    return value


def pay_lines(book: str, wager: str, paytable: str, players: int | None = None) -> dict[str, str]:
    """The printed lines of one paytable, hand to pay."""
    lines = {}
    for figure in FIGURES:
        here = figure["kind"] == "pay" and figure["rulebook"] == book and figure["wager"] == wager
        if here and figure["paytable"] == paytable and figure.get("players") == players:
            lines[figure["hand"]] = figure["pays"]
    return lines


def envy_lines(book: str, paytable: str, stake: int) -> dict[str, int]:
    """Hand to cents, for the receiver's own stake (12.C(5)(a)) and the progressive's own letter (r 30)."""
    lines = {}
    for figure in FIGURES:
        here = figure["kind"] == "envy" and figure["rulebook"] == book and figure["paytable"] == paytable
        if here and cents(figure["stake"]) == stake:
            lines[figure["hand"]] = 100 * first_number(figure["pays"])
    return lines


def first_number(pays: str) -> int:
    return int(pays.split(maxsplit=1)[0].replace(",", "").replace("$", "").replace("%", ""))


# ---------------------------------------------------------------- hands: lists of line names, best first


def five_category(cards: list[Card]) -> str:
    ranks = sorted(card.rank for card in cards)
    suited = len({card.suit for card in cards}) == 1
    # 6.B, .06A: the ace is low only in A-2-3-4-5.
    running = ranks == [2, 3, 4, 5, 14] or all(ranks[i] + 1 == ranks[i + 1] for i in range(4))
    times = sorted(ranks.count(rank) for rank in set(ranks))
    if suited and ranks == [10, 11, 12, 13, 14]:
        return "royal_flush"
    if suited and running:
        return "straight_flush"
    if times == [1, 4]:
        return "four_of_a_kind"
    if times == [2, 3]:
        return "full_house"
    if suited:
        return "flush"
    if running:
        return "straight"
    if times == [1, 1, 3]:
        return "three_of_a_kind"
    if times == [1, 2, 2]:
        return "two_pair"
    if times == [1, 1, 1, 2]:
        return "pair"
    return "nothing"


def five_names(cards: list[Card]) -> list[str]:
    category = five_category(cards)
    names = []
    if category == "pair":
        rank = next(card.rank for card in cards if [other.rank for other in cards].count(card.rank) == 2)
        if rank >= 11:
            names.append("pair_jacks_or_better")
        if rank >= 10:
            names.append("pair_tens_or_better")
        if 6 <= rank <= 10:
            names.append("pair_sixes_to_tens")
    return [*names, category]


def three_names(cards: list[Card]) -> list[str]:
    ranks = sorted(card.rank for card in cards)
    suited = len({card.suit for card in cards}) == 1
    # A-2-3 counts, suited too (r 53-55); K-A-2 does not.
    running = ranks == [2, 3, 14] or ranks[0] + 2 == ranks[1] + 1 == ranks[2]
    if suited and ranks == [12, 13, 14]:
        # LIR .12E(2): "Ace, King, Queen" without a suit is spades (r 46).
        which = "ace_king_queen_spades" if cards[0].suit == "s" else "ace_king_queen_other"
        return [which, "mini_royal", "straight_flush"]
    if suited and running:
        return ["straight_flush"]
    if len(set(ranks)) == 1:
        return ["three_of_a_kind"]
    if running:
        return ["straight"]
    if suited:
        return ["flush"]
    return ["pair"] if len(set(ranks)) == 2 else ["nothing"]


def six_names(cards: list[Card]) -> list[str]:
    if len({card.suit for card in cards}) == 1 and sorted(card.rank for card in cards) == [9, 10, 11, 12, 13, 14]:
        return ["super_royal_diamonds" if cards[0].suit == "d" else "super_royal_other", "super_royal"]
    order = FIVE.split()
    best = max(order.index(five_category(list(five))) for five in combinations(cards, 5))
    return [order[best]]  # r 60: the best line once


def longest_flush(cards: list[Card]) -> tuple[int, list[int]]:
    """HCF 6.C-D: length, then ranks; of two suits alike the better one (r 62, r 63)."""
    suits = [sorted((card.rank for card in cards if card.suit == suit), reverse=True) for suit in "cdhs"]
    return max((len(ranks), ranks) for ranks in suits)


def flush_names(cards: list[Card]) -> list[str]:
    return [NUMBER_WORDS[longest_flush(cards)[0]] + "_card_flush"]


def straight_flush_names(cards: list[Card], ace_low: bool) -> list[str]:
    longest = 1
    nine_to_ace = False
    for suit in "cdhs":
        ranks = {card.rank for card in cards if card.suit == suit}
        if ace_low and 14 in ranks:  # r 56: high or low, never around the corner
            ranks.add(1)
        for low in ranks:
            length = 1
            while low + length in ranks:
                length += 1
            longest = max(longest, length)
        nine_to_ace = nine_to_ace or ranks >= {9, 10, 11, 12, 13, 14}
    all_ranks = [card.rank for card in cards]
    names = []
    if longest == 6 and nine_to_ace:
        names.append("suited_nine_to_ace")  # r 32
    if longest <= 3 and any(all_ranks.count(rank) == 4 for rank in all_ranks):
        names.append("four_of_a_kind")  # r 66: under four suited in a row, over three
    return [*names, NUMBER_WORDS[longest] + "_card_straight_flush" if longest >= 3 else "nothing"]


# ---------------------------------------------------------------- one wager


def row(wager: str, stake: int, outcome: str, hand: str | None = None) -> Row:
    """A line of the answer with nothing paid; who pays adds to it."""
    return {
        "wager": wager, "staked": stake, "outcome": outcome, "hand": hand, "pays": None, "won": 0, "returned": 0
    }  # fmt: skip


def pushed(wager: str, stake: int, outcome: str, hand: str | None = None) -> Row:
    return row(wager, stake, outcome, hand) | {"returned": stake}


def by_lines(wager: str, stake: int, names: list[str], lines: dict[str, str]) -> Row:
    """Pay one wager by its table: the best line once (r 13), no line loses (r 67)."""
    hand = next((name for name in names if name in lines), None)
    if hand is None:
        return row(wager, stake, "lose", names[-1])
    pays = lines[hand]
    paid = row(wager, stake, "win", hand) | {"pays": pays}
    if pays == "Push":  # 11.I(2)(b)
        return paid | {"outcome": "push", "returned": stake}
    if pays.endswith("to 1"):  # r 1: the stake comes back
        return paid | {"won": first_number(pays) * stake, "returned": stake}
    if pays.endswith("for 1"):  # r 1: the stake is gone
        return paid | {"won": first_number(pays) * stake}
    if wager == "six_card_bonus":  # a fixed prize (r 5) and the stake back (r 186)
        return paid | {"won": first_number(pays) * 100, "returned": stake}
    if wager == "five_card_bonus":  # dollars in all for a $1 stake, in proportion for another (r 3)
        return paid | {"won": first_number(pays) * stake}
    return paid | {"won": first_number(pays) * 100}  # HCF progressive: dollars in all (r 4)


def meter_award(pays: str, meters: dict[str, int], submission: dict[str, Any]) -> int:
    """Take a share of a meter off it, at the winner's turn (12.C(4), r 21, r 23, r 188); the award in cents."""
    meter = pays.split()[2].lower()  # "100% of Major Progressive"
    if meter == "meter":
        meter = "main"
    reset = fine(submission["wagers"]["progressive"]["meters"][meter]["reset"])
    unit = 100 * FINE if option(submission, "meter", "display_unit", "cent") == "dollar" else FINE
    shown = meters[meter] // unit * unit  # r 16: truncated
    if first_number(pays) == 100:
        meters[meter] += reset - shown  # the undisplayed part is carried to the next meter (r 16)
        return shown // FINE
    rounding = option(submission, "meter", "percent_rounding", "up")
    share = shown * first_number(pays)  # in hundredths of a fine part
    award = share // (100 * FINE)
    rest = share % (100 * FINE)
    if (rounding == "up" and rest > 0) or (rounding == "nearest" and 2 * rest >= 100 * FINE):
        award += 1
    meters[meter] -= award * FINE
    if option(submission, "meter", "floor", "none") == "reset":  # r 22
        meters[meter] = max(meters[meter], reset)
    return award


# ---------------------------------------------------------------- one seat


def streets(seat: dict[str, Any], five: list[Card], book: str) -> list[Row]:
    """Ante and street bets: MD-MS 11.B-11.I and 12.A, MA 10 and 11(b)."""
    ante = cents(seat["wagers"]["ante"])
    stakes = [("ante", ante)]
    for street, decision in zip(STREETS, seat["decisions"], strict=False):
        if decision != "fold":
            stakes.append((street, ante * int(decision[0])))
    if "fold" in seat["decisions"]:  # 11.H(1); MA 10(a), (e), (g)
        return [row(wager, stake, "forfeit") for wager, stake in stakes]
    lines = pay_lines(book, "base", "standard")
    return [by_lines(wager, stake, five_names(five), lines) for wager, stake in stakes]


def ante_and_raise(seat: dict[str, Any], cards: list[Card], dealer: list[Card]) -> list[Row]:
    """HCF 11.B and 12.A."""
    ante = cents(seat["wagers"]["ante"])
    decision = seat["decisions"][0]
    if decision == "fold":
        return [row("ante", ante, "forfeit")]
    raised = cents(decision.split()[1]) if decision.startswith("raise") else ante * int(decision[0])
    hand = flush_names(cards)[0]
    both = [("ante", ante), ("raise", raised)]
    player, house = longest_flush(cards), longest_flush(dealer)
    even = {"pays": "1 to 1"}
    if house < (3, [9, 3, 2]):  # 11.B(5)(c): not even three cards, nine high (r 64); no comparison (r 174)
        return [
            row("ante", ante, "win", hand) | even | {"won": ante, "returned": ante},
            pushed("raise", raised, "push", hand),
        ]
    if player < house:  # 11.B(5)(d)(i)
        return [row(wager, stake, "lose", hand) for wager, stake in both]
    if player > house:  # 11.B(5)(d)(ii)
        return [row(wager, stake, "win", hand) | even | {"won": stake, "returned": stake} for wager, stake in both]
    return [pushed(wager, stake, "push", hand) for wager, stake in both]  # 11.B(5)(d)(iii)


def three_bets(seat: dict[str, Any], five: list[Card], paytable: str) -> list[Row]:
    """LIR .11B-.11D: bets 1 and 2 may have been withdrawn, each by itself (r 91); .12A."""
    lines = pay_lines("md-let-it-ride", "base", paytable)
    rows = []
    for wager, decision in zip(["bet_1", "bet_2", "bet_3"], [*seat["decisions"], "ride"], strict=True):
        stake = cents(seat["wagers"][wager])
        if decision == "withdraw":
            rows.append(pushed(wager, stake, "withdrawn"))
        else:
            rows.append(by_lines(wager, stake, five_names(five), lines))
    return rows


def side_names(round_: dict[str, Any], seat: dict[str, Any], wager: str) -> list[str]:
    """What a side bet (or the progressive, for envy too) sees in this seat's cards."""
    submission = round_["submission"]
    book = submission["rulebook"]
    cards = list(parse_cards(seat["cards"]))
    community = list(parse_cards(round_.get("community") or ""))
    if wager == "flush_bonus":
        return flush_names(cards)
    if book == "md-high-card-flush":  # any suit, not only the played flush (r 65)
        return straight_flush_names(cards, option(submission, "hcf", "ace_low", default=True) is True)
    if wager == "six_card_bonus":  # own cards and the box, the board not used (7.F(5)(a), r 61)
        return six_names(cards + list(parse_cards(round_["six_card_box"])))
    if wager == "three_card_bonus":  # MD-MS 7.F(4), MA 6(f)(3): the board; LIR .11E(2): own cards
        return three_names(cards if book == "md-let-it-ride" else community)
    if wager == "progressive" and book == "md-let-it-ride" and submission["wagers"][wager]["paytable"] in "BC":
        return three_names(cards)  # .12E(2)-(3), r 48
    return five_names(cards + community)


def side_bet(round_: dict[str, Any], seat: dict[str, Any], wager: str, meters: dict[str, int]) -> Row:
    submission = round_["submission"]
    book = submission["rulebook"]
    stake = cents(seat["wagers"][wager])
    if wager == "progressive" and "fold" in seat["decisions"]:
        # MD-MS 11.H(1) forfeits it; MA likewise by r 80, unless the operator chose otherwise; HCF stays live (r 83).
        live_in_ma = book.startswith("ma") and option(submission, "ma", "progressive_after_fold", "forfeit") == "live"
        if book != "md-high-card-flush" and not live_in_ma:
            return row(wager, stake, "forfeit")
    # Every other side bet lives on after a fold: 11.H(2), r 81, r 83.
    lines = pay_lines(book, wager, submission["wagers"][wager]["paytable"])
    names = side_names(round_, seat, wager)
    hand = next((name for name in names if name in lines), None)
    if hand is not None and "%" in lines[hand]:  # the award is the whole payment (r 2)
        won = meter_award(lines[hand], meters, submission)
        return row(wager, stake, "win", hand) | {"pays": lines[hand], "won": won}
    return by_lines(wager, stake, names, lines)


# ---------------------------------------------------------------- the table


def envy(round_: dict[str, Any], receiver: dict[str, Any], in_order: list[dict[str, Any]]) -> list[Row]:
    """One envy for each other player's qualifying hand: 11.I(4)(e), HCF 11.B(9)(e), LIR .11E(5), MA 11bis(h), r 39."""
    submission = round_["submission"]
    book = submission["rulebook"]
    in_ma = book == "ma-mississippi-stud"
    if "progressive" not in receiver["wagers"]:
        return []
    # A folder keeps envy (11.H(2), r 42); only in Massachusetts may the operator say no.
    if in_ma and "fold" in receiver["decisions"] and option(submission, "envy", "after_fold", default=True) is False:
        return []
    paytable = submission["wagers"]["progressive"]["paytable"]
    lines = envy_lines(book, paytable, cents(receiver["wagers"]["progressive"]))
    found = []
    for holder in in_order:
        if holder["seat"] == receiver["seat"]:  # 11.I(4)(e)(iii)
            continue
        if holder.get("patron") is not None and holder.get("patron") == receiver.get("patron"):  # r 38
            continue
        has_bet = "progressive" in holder["wagers"]
        if option(submission, "envy", "holder_must_bet", in_ma) is True and not has_bet:  # r 36
            continue
        # r 37: folded hands never qualify, but in High Card Flush one with a progressive bet does.
        if "fold" in holder["decisions"] and not (book == "md-high-card-flush" and has_bet):
            continue
        hand = next((name for name in side_names(round_, holder, "progressive") if name in lines), None)
        if hand is not None:  # HCF D and E have no envy line for suited 9-A, A and B none at all (r 35)
            found.append({"from_seat": holder["seat"], "hand": hand, "won": lines[hand]})
    return found


def cover_all(round_: dict[str, Any], in_order: list[dict[str, Any]], stake: int) -> Row:
    """MA 12: the best of all hands dealt, folded ones too (r 82), by the column of hands dealt (r 153)."""
    order = FIVE.split()
    best = "nothing"
    for seat in in_order:
        counted = option(round_["submission"], "cover_all", "count_folded", default=True)
        if "fold" in seat["decisions"] and counted is False:
            continue
        found = five_category(list(parse_cards(seat["cards"])) + list(parse_cards(round_["community"])))
        best = max(best, found, key=order.index)  # 12(g)
    return by_lines(
        "cover_all", stake, [best], pay_lines("ma-mississippi-stud", "cover_all", "standard", len(in_order))
    )


def payout_limit(submission: dict[str, Any]) -> int | None:
    """12.B, HCF 12.D, MA 11(c): the greater of $50,000 and the most that the minimum bet could win (r 7, r 8)."""
    book = submission["rulebook"]
    if "amount" in submission.get("payout_limit", {}):
        return cents(submission["payout_limit"]["amount"])
    if book == "md-let-it-ride":  # r 161
        return None
    if book == "md-high-card-flush":  # both bonus minimums at their top lines, as far as they are offered
        most = 0
        for wager in LIMITED[book]:
            if wager in submission["wagers"]:
                terms = submission["wagers"][wager]
                top = max(first_number(pays) for pays in pay_lines(book, wager, terms["paytable"]).values())
                most += cents(terms.get("minimum", "1.00")) * top
    else:
        multiples = 4 if option(submission, "cap", "min_bet_model", "max_multiples") == "single_multiples" else 10
        most = cents(submission.get("limits", {}).get("ante", {}).get("minimum", "10.00")) * multiples * 500
    return max(50_000_00, most)


def cut_to_limit(rows: list[Row], submission: dict[str, Any]) -> None:
    """Reduce what one hand (r 10) wins over the limit; returned stakes do not count (r 9)."""
    limit = payout_limit(submission)
    extra = option(submission, "cap", "extra_scopes", "none")
    wagers = [*LIMITED[submission["rulebook"]], *(extra if isinstance(extra, list) else [])]
    if option(submission, "cap", "scope", "named") == "all_non_progressive":
        wagers = [line["wager"] for line in rows if line["wager"] != "progressive"]
    limited = [line for line in rows if line["wager"] in wagers]
    total = sum(line["won"] for line in limited)
    if limit is None or total <= limit:
        return
    left = limit
    if option(submission, "cap", "allocation", "prorata") == "in_order":
        for line in limited:
            line["won"] = min(line["won"], left)
            left -= line["won"]
        return
    largest = max(limited, key=lambda line: int(line["won"]))  # the earliest of equals (r 187)
    for line in limited:
        line["won"] = line["won"] * limit // total
        left -= line["won"]
    largest["won"] += left  # r 11: the leftover cents


def settle(round_: dict[str, Any]) -> dict[str, Any]:
    """What the round should have paid, in the shape that `croupier settle --json` answers."""
    submission = round_["submission"]
    book = submission["rulebook"]
    community = list(parse_cards(round_.get("community") or ""))
    meters = {name: fine(amount) for name, amount in round_.get("meters", {}).items()}
    # 11.I, HCF 11.B(5), LIR .11D(1), MA 10(i): from the dealer's far right; seat 1 is far left.
    in_order = sorted(round_["seats"], key=lambda seat: -int(seat["seat"]))
    rows: dict[int, list[Row]] = {}
    for seat in in_order:
        cards = list(parse_cards(seat["cards"]))
        if book == "md-high-card-flush":
            mine = ante_and_raise(seat, cards, list(parse_cards(round_["dealer"])))
        elif book == "md-let-it-ride":
            mine = three_bets(seat, cards + community, submission["wagers"]["base"]["paytable"])
        else:
            mine = streets(seat, cards + community, book)
        mine += [side_bet(round_, seat, wager, meters) for wager in SIDE_BETS[book] if wager in seat["wagers"]]
        rows[seat["seat"]] = mine
    # All hands are known now: envy, then Cover All (r 170, r 171, 12(j)).
    envies = {seat["seat"]: envy(round_, seat, in_order) for seat in in_order}
    for seat in in_order:
        if "cover_all" in seat["wagers"]:
            rows[seat["seat"]].append(cover_all(round_, in_order, cents(seat["wagers"]["cover_all"])))
        cut_to_limit(rows[seat["seat"]], submission)
    net = 0
    seats = []
    for seat in in_order:
        lines, bonuses = rows[seat["seat"]], envies[seat["seat"]]
        staked = sum(line["staked"] for line in lines)
        paid = sum(line["won"] + line["returned"] for line in lines) + sum(bonus["won"] for bonus in bonuses)
        net += staked - paid
        shown = [line | {key: dollars(line[key]) for key in ("staked", "won", "returned")} for line in lines]
        seats.append(
            {
                "seat": seat["seat"],
                "wagers": shown,
                "envy": [bonus | {"won": dollars(bonus["won"])} for bonus in bonuses],
                "staked": dollars(staked),
                "paid": dollars(paid),
            }
        )
    after = {name: fine_text(amount) for name, amount in meters.items()}
    return {"seats": seats, "meters": after, "house_net": dollars(net), "warnings": []}
