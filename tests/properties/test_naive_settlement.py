"""Settlement, the naive one and the product's, against amounts worked out by hand, named by clause.

A round is text: seats as `seat cards | wagers | decisions`, what is expected as `seat wager outcome won+returned`.
`r 23` stands for reading 23.
"""

import random
from typing import Any

import pytest

from croupier.cards import DECK, format_cards, parse_cards
from support.agreement import by_product, compared
from support.naive_settlement import cents, envy_lines, longest_flush, pay_lines, settle

MS, MA, HCF, LIR = "md-mississippi-stud", "ma-mississippi-stud", "md-high-card-flush", "md-let-it-ride"


RESETS = {"main": "10000", "mega": "10000", "major": "1000", "minor": "250"}


def words(text: str) -> dict[str, str]:
    """`ante 10 progressive 1` as a mapping."""
    each = text.split()
    return dict(zip(each[::2], each[1::2], strict=True))


def play(
    book: str,
    seats: str,
    *,
    board: str = "",
    box: str = "",
    dealer: str = "",
    tables: str = "",
    meters: str = "",
    resets: str = "",
    stake: str = "1.00",
    readings: dict[str, dict[str, Any]] | None = None,
    terms: dict[str, dict[str, str]] | None = None,
    **more: object,
) -> dict[str, Any]:
    """The answer to a round. Paytable names with a blank have `_` for it here; `limits` and so on come through."""
    wagers: dict[str, Any] = {wager: {"paytable": name.replace("_", " ")} for wager, name in words(tables).items()}
    if "progressive" in wagers:
        reset = RESETS | words(resets)
        meter_terms = {name: {"initial": reset[name], "reset": reset[name], "rate": "0.1"} for name in words(meters)}
        wagers["progressive"] |= {"stake": stake, "meters": meter_terms}
    if book == LIR:
        wagers.setdefault("base", {"paytable": "A"})
    if "cover_all" in seats:
        wagers["cover_all"] = {"paytable": "standard"}
    for wager, other in (terms or {}).items():
        wagers[wager] |= other
    submission = {"rulebook": book, "wagers": wagers, "readings": readings or {}} | more
    places = []
    for line in seats.strip().splitlines():
        place, stakes, decisions = line.split("|")
        seat, cards = place.strip().split(maxsplit=1)
        stakes_by_name = words(stakes)
        patron = stakes_by_name.pop("patron", None)
        if "bet" in stakes_by_name:
            bet = stakes_by_name.pop("bet")
            stakes_by_name = {"bet_1": bet, "bet_2": bet, "bet_3": bet} | stakes_by_name
        chosen = [decisions.strip()] if "raise" in decisions else decisions.split()
        described = {"seat": int(seat), "cards": cards.strip(), "wagers": stakes_by_name, "decisions": chosen}
        places.append(described | ({"patron": patron} if patron else {}))
    parse_cards(" ".join([board, box, dealer, *(str(place["cards"]) for place in places)]))  # each card once
    round_ = {
        "submission": submission,
        "meters": words(meters) if "progressive" in wagers else {},
        "seats": places,
        "community": board,
    }
    round_ |= {"six_card_box": box, "dealer": dealer}
    answer = settle(round_)
    if not beyond_the_product(round_):
        assert compared(by_product(completed(round_))) == compared(answer)
    return answer


def beyond_the_product(round_: dict[str, Any]) -> bool:
    """Meters are given to the cent, and a share is never rounded against the player (reading 15)."""
    down = (round_["submission"]["readings"] or {}).get("meter", {}).get("percent_rounding") == "down"
    return down or any(len(text.partition(".")[2]) > 2 for text in round_["meters"].values())


def completed(round_: dict[str, Any]) -> dict[str, Any]:
    """The round on a submission that says everything that a table needs."""
    submission = round_["submission"]
    cards: dict[str, Any] = {"deck_hours": 8}
    if {"six_card_bonus", "cover_all"} & submission["wagers"].keys():
        cards |= {"shuffle": "automated_counting", "deal": "automated_shoe"}
    if "cover_all" in submission["wagers"]:
        cards["cover_all_mode"] = True
    boxes = {"boxes": 2} if submission["rulebook"] in (HCF, LIR) else {}
    return round_ | {"submission": {"cards": cards} | boxes | submission}


def amount(text: str) -> str:
    return text.replace(",", "") + ("" if "." in text else ".00")


def check(answer: dict[str, Any], expected: str) -> None:
    """Every `;`-separated item of what is expected; wagers not named are not looked at."""
    seats = {str(seat["seat"]): seat for seat in answer["seats"]}
    for item in expected.split(";"):
        who, what, *rest = item.split()
        if who == "meter":
            assert answer["meters"][what] == (rest[0] if "." in rest[0] else amount(rest[0])), item
        elif who == "net":
            assert answer["house_net"] == amount(what), item
        elif what == "envy":
            assert [f"{won['from_seat']}:{won['won']}" for won in seats[who]["envy"]] == rest, item
        elif what == "paid":
            assert seats[who]["paid"] == amount(rest[0]), item
        else:
            [line] = [line for line in seats[who]["wagers"] if line["wager"] == what]
            won, returned = rest[1].split("+") if len(rest) > 1 else ("0", "0")
            assert (line["outcome"], line["won"], line["returned"]) == (rest[0], amount(won), amount(returned)), item


def limit(most: str) -> dict[str, str]:
    return {"amount": most, "approval": "PL-1"}


def example(name: str, expected: str, book: str, seats: str, **rest: Any) -> Any:  # noqa: ANN401 - pytest has no name
    return pytest.param(book, seats, rest, expected, id=name)


ROYAL = "1 Ah Kh | ante 25 | 3x 3x 3x"
TWO_STRAIGHT_FLUSHES = "6 8h 9h | ante 10 progressive 1 | 1x 1x 1x\n2 3h 4h | ante 10 progressive 1 | 1x 1x 1x"

# fmt: off
MARYLAND = [
    example(
        "12.A flush", "1 ante win 60+10;1 third_street win 180+30;1 fourth_street win 60+10;1 paid 420;net -360", MS,
        "1 2h 9h | ante 10 | 3x 1x 1x", board="Kh 5h Jh",
    ),
    example(
        "11.I(2)(d) straight", "1 fifth_street win 120+30;1 paid 300;net -240", MS, "1 5h 6c | ante 10 | 1x 1x 3x",
        board="7d 8s 9h",
    ),
    example(
        "11.I(2)(b) tens push, fives lose, jacks win", "3 ante push 0+10;2 fifth_street lose;1 ante win 10+10;net 0",
        MS, "3 Th Tc | ante 10 | 1x 1x 1x\n2 5h 5c | ante 10 | 1x 1x 1x\n1 Jh Jc | ante 10 | 1x 1x 1x",
        board="2c 7d Kh",
    ),
    example("11.B(2)(a) fold on third", "4 ante forfeit;net 10", MS, "4 7c 2d | ante 10 | fold"),
    example("11.D(1)(a) fold on fourth", "4 third_street forfeit;net 40", MS, "4 7c 2d | ante 10 | 3x fold"),
    example("11.F(1)(a) fold on fifth", "4 fourth_street forfeit;net 50", MS, "4 7c 2d | ante 10 | 1x 3x fold"),
    example(
        "11.H(1) folder loses the progressive", "1 progressive forfeit;net 21;meter main 20000", MS,
        "1 9c 9d | ante 10 progressive 1 | 1x fold", board="9h 2s Kd", tables="progressive A", meters="main 20000",
    ),
    example(
        "11.H(2) folder keeps envy and three card", "2 three_card_bonus win 200+5;2 envy 4:300.00;2 ante forfeit", MS,
        "4 8h 9h | ante 10 | 1x 1x 1x\n2 2c 7d | ante 10 progressive 1 three_card_bonus 5 | fold", board="5h 6h 7h",
        tables="progressive A three_card_bonus A", meters="main 20000",
    ),
    example(
        "12.B(1) limit at a $5 minimum", "1 ante win 5000+25;1 third_street win 15000+75;net -50000", MS, ROYAL,
        board="Qh Jh Th", limits={"ante": {"minimum": "5.00"}},
    ),
    example("12.B limit by default", "1 ante win 5000+25;net -50000", MS, ROYAL, board="Qh Jh Th"),
    example(
        "12.B(2) limit at a $15 minimum", "1 ante win 7500+25;1 fifth_street win 22500+75;net -75000", MS, ROYAL,
        board="Qh Jh Th", limits={"ante": {"minimum": "15.00"}},
    ),
    example(
        "r 7 single multiples", "net -60000", MS, ROYAL, board="Qh Jh Th", limits={"ante": {"minimum": "30.00"}},
        readings={"cap": {"min_bet_model": "single_multiples"}},
    ),
    example(
        "r 187 leftover cent to the earliest", "1 ante win 250.01+10;1 third_street win 250+10;net -1000.01", MS,
        "1 8h 9h | ante 10 | 1x 1x 1x", board="5h 6h 7h", payout_limit=limit("1000.01"),
    ),
    example(
        "r 11 leftover cents to the largest", "1 ante win 200+10;1 third_street win 400.03+20;net -1000.03", MS,
        "1 8h 9h | ante 10 | 2x 1x 1x", board="5h 6h 7h", payout_limit=limit("1000.03"),
    ),
    example(
        "r 11 in order", "1 ante win 1000+10;1 third_street win 500+10;1 fourth_street win 0+10;net -1500", MS,
        "1 8h 9h | ante 10 | 1x 1x 1x", board="5h 6h 7h", payout_limit=limit("1500.00"),
        readings={"cap": {"allocation": "in_order"}},
    ),
    example(
        "12.C(1)(a) quads for $5", "1 progressive win 1500+0", MS, "1 7c 7d | ante 10 progressive 5 | 1x 1x 1x",
        board="7h 7s Kd", tables="progressive A", stake="5.00", meters="main 20000",
    ),
    example(
        "12.C(4) two straight flushes, 11.I(4)(e)(iii)",
        "6 progressive win 2000+0;2 progressive win 1800+0;6 envy 2:300.00;2 envy 6:300.00;meter main 16200", MS,
        TWO_STRAIGHT_FLUSHES, board="5h 6h 7h", tables="progressive A", meters="main 20000",
    ),
    example(
        "12.C(1)(b) minor", "1 progressive win 612.35+0;meter minor 250;meter major 5000", MS,
        "1 8h 9h | ante 10 progressive 1 | 1x 1x 1x", board="5h 6h 7h", tables="progressive B",
        meters="major 5000 minor 612.35", resets="major 1000 minor 250",
    ),
    example(
        "12.C(1)(c) quads take the minor", "2 progressive win 300.40+0;meter minor 250;meter mega 10500", MS,
        "2 9c 9d | ante 10 progressive 1 | 1x 1x 1x", board="9h 9s Kd", tables="progressive C",
        meters="mega 10500 major 1100 minor 300.40", resets="mega 10000 major 1000 minor 250",
    ),
    example(
        "12.C(1)(c) trips", "1 progressive win 10+0", MS, "1 9c 9d | ante 10 progressive 1 | 1x 1x 1x",
        board="9h 2s Kd", tables="progressive C", meters="mega 10500 major 1100 minor 300",
    ),
    example(
        "12.C(1)(d) royal takes the mega only", "1 progressive win 10500+0;meter mega 10000;meter major 1100", MS,
        "1 Ah Kh | ante 10 progressive 1 | 1x 1x 1x", board="Qh Jh Th", tables="progressive D",
        meters="mega 10500 major 1100 minor 300", resets="mega 10000 major 1000 minor 250",
    ),
    example(
        "12.C(2) full house only", "1 progressive win 50+0", MS, "1 9c 9d | ante 10 progressive 1 | 1x 1x 1x",
        board="9h Ks Kd", tables="progressive A", meters="main 20000",
    ),
    example(
        "12.C(6)(c) royal and straight flush elsewhere", "1 envy 5:1000.00 3:300.00;5 envy;3 envy", MS,
        "5 Ah Kh | ante 10 | 1x 1x 1x\n3 8h 9h | ante 10 | 1x 1x 1x\n1 2c 2d | ante 10 progressive 1 | 1x fold",
        board="Th Jh Qh", tables="progressive C", meters="mega 10500 major 1100 minor 300",
    ),
    example(
        "12.C(6)(d) quads give no envy", "1 envy", MS,
        "3 7c 7d | ante 10 progressive 1 | 1x 1x 1x\n1 2c 3d | ante 10 progressive 1 | 1x fold", board="7h 7s Kd",
        tables="progressive D", meters="mega 10500 major 1100 minor 300", resets="mega 10000 major 1000 minor 250",
    ),
    example(
        "12.C(7)(c) two straight flushes for $5", "1 envy 6:1500.00 2:1500.00", MS,
        "6 8h 9h | ante 10 | 1x 1x 1x\n2 3h 4h | ante 10 | 1x 1x 1x\n1 2c 2d | ante 10 progressive 5 | fold",
        board="5h 6h 7h", tables="progressive C", stake="5.00", meters="mega 10500 major 1100 minor 300",
    ),
    example(
        "12.C(7)(d) own royal", "1 envy;1 progressive win 11000+0;meter main 10000", MS,
        "1 Ah Kh | ante 10 progressive 5 | 1x 1x 1x", board="Qh Jh Th", tables="progressive A", stake="5.00",
        meters="main 11000",
    ),
    example(
        "r 36 holder must bet by option", "1 envy", MS,
        "4 8h 9h | ante 10 | 1x 1x 1x\n1 2c 7d | ante 10 progressive 1 | fold", board="5h 6h 7h",
        tables="progressive A", meters="main 20000", readings={"envy": {"holder_must_bet": True}},
    ),
    example(
        "r 37 a folded hand gives no envy", "1 envy", MS,
        "4 8h 9h | ante 10 progressive 1 | fold\n1 2c 7d | ante 10 progressive 1 | 1x fold", board="5h 6h 7h",
        tables="progressive A", meters="main 20000",
    ),
    example(
        "r 16 ten percent rounds up", "1 progressive win 2000.01+0;meter main 18000.04", MS,
        "1 8h 9h | ante 10 progressive 1 | 1x 1x 1x", board="5h 6h 7h", tables="progressive A", meters="main 20000.05",
    ),
    example(
        "r 16 ten percent down by option", "1 progressive win 2000+0;meter main 18000.05", MS,
        "1 8h 9h | ante 10 progressive 1 | 1x 1x 1x", board="5h 6h 7h", tables="progressive A", meters="main 20000.05",
        readings={"meter": {"percent_rounding": "down"}},
    ),
    example(
        "r 16 the undisplayed part is carried", "1 progressive win 20000.95+0;meter main 10000.0099", MS,
        "1 Ah Kh | ante 10 progressive 1 | 1x 1x 1x", board="Qh Jh Th", tables="progressive A",
        meters="main 20000.9599",
    ),
    example(
        "r 16 a meter shown in dollars", "1 progressive win 20000+0;meter main 10000.95", MS,
        "1 Ah Kh | ante 10 progressive 1 | 1x 1x 1x", board="Qh Jh Th", tables="progressive A", meters="main 20000.95",
        readings={"meter": {"display_unit": "dollar"}},
    ),
    example(
        "r 22 below the minimum after ten percent", "1 progressive win 1000+0;meter main 9000", MS,
        "1 8h 9h | ante 10 progressive 1 | 1x 1x 1x", board="5h 6h 7h", tables="progressive A", meters="main 10000",
    ),
    example(
        "r 22 topped up by option", "1 progressive win 1000+0;meter main 10000", MS,
        "1 8h 9h | ante 10 progressive 1 | 1x 1x 1x", board="5h 6h 7h", tables="progressive A", meters="main 10000",
        readings={"meter": {"floor": "reset"}},
    ),
]
# fmt: on

SIX_CARD = [
    ("12.E(1) diamonds", "win 1,000,000+5", "A", "Ad 9d", "Kd Qd Jd Td"),
    ("12.E(1) hearts", "win 100,000+5", "A", "Ah 9h", "Kh Qh Jh Th"),
    ("12.E(2) diamonds", "win 100,000+5", "B", "Ad 9d", "Kd Qd Jd Td"),
    ("6.F(1) royal", "win 5,000+5", "A", "As Ks", "Qs Js Ts 2d"),
    ("6.F(2) straight flush", "win 1,000+5", "A", "5d 6d", "7d 8d 9d Kc"),
    ("6.F(3) quads", "win 250+5", "A", "9c 9d", "9h 9s 3c Kc"),
    ("6.F(4) full house", "win 100+5", "A", "9c 9d", "9h 4s 4c Kc"),
    ("6.F(5) flush", "win 75+5", "A", "2h 5h", "9h Jh Kh 3c"),
    ("6.F(6) straight", "win 50+5", "A", "5c 6h", "7d 8s 9h Kc"),
    ("7.F(5)(a) trips", "win 25+5", "A", "8c 8d", "8h Kc 4s 2c"),
    ("r 60 two pair loses", "lose", "A", "8c 8d", "Kh Kc 4s 2c"),
]

BOARDS = [
    ("12.D(1) no mini-royal line", "win 200+5", MS, "A", "Ac Kc Qc"),
    ("12.D(2) straight", "win 25+5", MS, "B", "9c Td Jh"),
    ("12.D(3) mini-royal", "win 250+5", MS, "C", "Ac Kc Qc"),
    ("12.D(4) flush, 11.I(5)", "win 15+5", MS, "D", "2h 8h Kh"),
    ("12.D(5) trips", "win 150+5", MS, "E", "5c 5d 5h"),
    ("12.D(6) flush", "win 20+5", MS, "F", "2h 8h Kh"),
    ("6.E(6) pair", "win 5+5", MS, "A", "4c 4d Jh"),
    ("r 53 A-2-3", "win 30+5", MS, "A", "Ac 2d 3h"),
    ("r 53 suited A-2-3", "win 200+5", MS, "A", "Ac 2c 3c"),
    ("r 53 K-A-2 loses", "lose", MS, "A", "Kc Ad 2h"),
    ("MA 6(f)(4) straight", "win 30+5", MA, "3CS-01", "9c Td Jh"),
    ("MA 6(f) 3CS-04 mini-royal", "win 250+5", MA, "3CS-04", "Ac Kc Qc"),
    ("MA 6(f) 3CS-06 flush", "win 15+5", MA, "3CS-06", "2h 8h Kh"),
]

# fmt: off
MASSACHUSETTS = [
    example("11(b) two pair", "1 ante win 20+10;net -80", MA, "1 4c 4d | ante 10 | 1x 1x 1x", board="3c 3d Kh"),
    example("11(c) limit", "1 ante win 5000+25;net -50000", MA, ROYAL, board="Qh Jh Th"),
    example("10(e) fold on fourth", "1 ante forfeit;net 30", MA, "1 4c 7d | ante 10 | 2x fold"),
    example(
        "11bis(d) trips", "1 progressive win 9+0", MA, "1 9c 9d | ante 10 progressive 1 | 1x 1x 1x", board="9h Kc 2d",
        tables="progressive MS_Stud-01", meters="main 14020",
    ),
    example(
        "11bis(e) royal", "1 progressive win 14020.55+0;meter main 10000", MA,
        "1 Ah Kh | ante 10 progressive 1 | 1x 1x 1x", board="Qh Jh Th", tables="progressive MS_Stud-01",
        meters="main 14020.55",
    ),
    example(
        "11bis(f) straight flush", "1 progressive win 1402+0;meter main 12618", MA,
        "1 8h 9h | ante 10 progressive 1 | 1x 1x 1x", board="5h 6h 7h", tables="progressive MS_Stud-01",
        meters="main 14020",
    ),
    example(
        "11bis(g) royal, then ten percent of the reset",
        "6 progressive win 14000+0;2 progressive win 1000+0;meter main 9000;6 envy 2:300.00;2 envy 6:1000.00", MA,
        "6 Ah Kh | ante 10 progressive 1 | 1x 1x 1x\n2 8h 9h | ante 10 progressive 1 | 1x 1x 1x", board="Qh Jh Th",
        tables="progressive MS_Stud_MG-01", meters="main 14000",
    ),
    example(
        "11bis(h) envy", "5 envy 3:300.00;1 envy 3:300.00;3 envy", MA,
        "5 2c 2d | ante 10 progressive 1 | fold\n3 8h 9h | ante 10 progressive 1 | 1x 1x 1x\n"
        "1 Kc 7d | ante 10 progressive 1 | 1x fold", board="5h 6h 7h", tables="progressive MS_Stud-01",
        meters="main 14000",
    ),
    example(
        "r 36 a holder who did not bet", "1 envy", MA,
        "3 8h 9h | ante 10 | 1x 1x 1x\n1 Kc 7d | ante 10 progressive 1 | 1x fold", board="5h 6h 7h",
        tables="progressive MS_Stud-01", meters="main 14000",
    ),
    example(
        "r 36 by option he need not", "1 envy 3:300.00", MA,
        "3 8h 9h | ante 10 | 1x 1x 1x\n1 Kc 7d | ante 10 progressive 1 | 1x fold", board="5h 6h 7h",
        tables="progressive MS_Stud-01", meters="main 14000", readings={"envy": {"holder_must_bet": False}},
    ),
    example(
        "r 42 no envy after a fold by option", "1 envy", MA,
        "3 8h 9h | ante 10 progressive 1 | 1x 1x 1x\n1 Kc 7d | ante 10 progressive 1 | 1x fold", board="5h 6h 7h",
        tables="progressive MS_Stud-01", meters="main 14000", readings={"envy": {"after_fold": False}},
    ),
    example(
        "11bis(h) MG-02", "3 progressive win 56000+0;2 progressive win 150+0;2 envy 3:5000.00", MA,
        "3 Ah Kh | ante 10 progressive 5 | 1x 1x 1x\n2 8c 9d | ante 10 progressive 5 | 1x 1x 1x", board="Qh Jh Th",
        tables="progressive MS_Stud_MG-02", stake="5.00", meters="main 56000",
    ),
    example(
        "r 80 fold forfeits the progressive", "1 progressive forfeit;meter main 14000", MA,
        "1 Ah Kh | ante 10 progressive 1 | fold", board="Qh Jh Th", tables="progressive MS_Stud-01",
        meters="main 14000",
    ),
    example(
        "r 80 live by option", "1 progressive win 14000+0;meter main 10000", MA,
        "1 Ah Kh | ante 10 progressive 1 | fold", board="Qh Jh Th", tables="progressive MS_Stud-01",
        meters="main 14000", readings={"ma": {"progressive_after_fold": "live"}},
    ),
    example(
        "r 81 fold leaves the three card bonus", "1 three_card_bonus win 30+5;net -20", MA,
        "1 2c 7s | ante 10 three_card_bonus 5 | fold", board="9c Td Jh", tables="three_card_bonus 3CS-01",
    ),
    example(
        "12(k) one player, trips", "1 cover_all win 100+5", MA, "1 9c 9d | ante 10 cover_all 5 | 1x 1x 1x",
        board="9h Kc 2d",
    ),
    example(
        "12(c) two players, trips at the other seat", "1 cover_all win 50+5", MA,
        "2 9c 9d | ante 10 | 1x 1x 1x\n1 4c 7d | ante 10 cover_all 5 | 1x 1x 1x", board="9h Kc 2d",
    ),
    example(
        "12(b) two pair loses", "1 cover_all lose", MA,
        "2 9c 9d | ante 10 | 1x 1x 1x\n1 4c 7d | ante 10 cover_all 5 | 1x 1x 1x", board="Kh Kc 2d",
    ),
    example(
        "r 82 folded hands count, the bettor's too", "1 cover_all win 50+5;1 ante forfeit", MA,
        "2 4c 7d | ante 10 | 1x 1x 1x\n1 9c 9d | ante 10 cover_all 5 | fold", board="9h Kc 2d",
    ),
    example(
        "r 82 folded hands left out by option", "2 cover_all lose", MA,
        "2 4c 7d | ante 10 cover_all 5 | 1x 1x 1x\n1 9c 9d | ante 10 | fold", board="9h Kc 2d",
        readings={"cover_all": {"count_folded": False}},
    ),
    example(
        "12(g) only the best hand; all bettors alike", "3 cover_all win 400+5;2 cover_all win 800+10", MA,
        "3 9c 9d | ante 10 cover_all 5 | 1x 1x 1x\n2 4h 2c | ante 10 cover_all 10 | fold\n1 5h 6h | ante 10 | 1x 1x 1x",
        board="9h 8h 7h",
    ),
    example(
        "12(f) six players, full house", "1 cover_all win 100+5", MA,
        "6 9c 9d | ante 10 | 1x 1x 1x\n5 2c 3c | ante 10 | fold\n4 2d 3d | ante 10 | fold\n"
        "3 2h 3h | ante 10 | fold\n2 2s 3s | ante 10 | fold\n1 4c 7d | ante 10 cover_all 5 | fold", board="9h Ks Kd",
    ),
]
# fmt: on

LOW = "8h 7h 6h 2c 3c 4d 5s"  # three hearts, eight high: not qualified
TEN = "Th 5h 2h 3c 4c 6d 7s"
SIX_SPADES = "4s 5s 6s 7s 8s 9s Kd"
SIX_CLUBS = "4c 5c 6c 7c 8c 9c Kh"

# fmt: off
HIGH_CARD_FLUSH = [
    example(
        "11.B(5)(c) dealer not qualified", "1 ante win 10+10;1 raise push 0+10;net -10", HCF,
        "1 9s 8s 7s 2d 3d 4c Ac | ante 10 | 1x", dealer=LOW,
    ),
    example(
        "r 174 even a worse hand", "1 ante win 10+10;1 raise push 0+10", HCF,
        "1 7s 3s 2s 2d 3d 4c Ac | ante 10 | raise 10.00", dealer=LOW,
    ),
    example(
        "11.B(5)(d)(i) lower", "1 ante lose;1 raise lose;net 20", HCF, "1 9c 8c 7c 2d 3d 4h As | ante 10 | 1x",
        dealer=TEN,
    ),
    example(
        "11.B(5)(d)(ii) higher", "1 ante win 10+10;1 raise win 10+10;net -20", HCF,
        "1 Js 3s 2s Td 9d 8c Kh | ante 10 | 1x", dealer=TEN,
    ),
    example(
        "11.B(5)(d)(iii) equal", "1 ante push 0+10;1 raise push 0+10;net 0", HCF,
        "1 Qs 9s 4s 2c 8c Kd Jh | ante 10 | 1x", dealer="Qh 9h 4h 3c 5c 6d 7s",
    ),
    example(
        "12.A five-card flush raised 1.5 times", "1 ante win 10+10;1 raise win 15+15", HCF,
        "1 Js 3s 2s 9s 8s Td Kh | ante 10 | raise 15.00", dealer=TEN,
    ),
    example(
        "11.B(5)(f) six-card flush raised three times", "1 raise win 30+30;net -40", HCF,
        "1 Js 3s 2s 9s 8s Ks Kh | ante 10 | 3x", dealer=TEN,
    ),
    example(
        "r 64 four cards, eight high, qualify", "1 ante lose", HCF, "1 Kc Qc Jc 2d 3s 4h 9d | ante 10 | 1x",
        dealer="8h 7h 6h 5h 2c 3d 4s",
    ),
    example(
        "11.B(5)(b) the better of two suits", "1 ante win 10+10", HCF, "1 Kh 8h 3h Jc Tc 9c 2s | ante 10 | 1x",
        dealer="Qd 9d 4d 3c 5c 6h 7s",
    ),
    example("11.B(4)(a) fold", "1 ante forfeit;net 10", HCF, "1 9c 8c 7c 2d 3d 4h As | ante 10 | fold", dealer=TEN),
    example(
        "r 83 side bets after a fold", "1 ante forfeit;1 flush_bonus win 50+5;1 straight_flush_bonus lose", HCF,
        "1 Js 3s Qs 9s 7s Td Kh | ante 10 flush_bonus 5 straight_flush_bonus 5 | fold", dealer=LOW,
        tables="flush_bonus A straight_flush_bonus A",
    ),
    example(
        "12.D(1) limit", "1 straight_flush_bonus win 50000+10;1 ante win 10+10", HCF,
        "1 3s 4s 5s 6s 7s 8s 9s | ante 10 straight_flush_bonus 10 | 1x", dealer="Th 5h 2h 3c 4c 6d 7d",
        tables="straight_flush_bonus A", terms={"straight_flush_bonus": {"minimum": "5.00"}},
    ),
    example(
        "12.D(2) limit at a $10 minimum", "1 straight_flush_bonus win 80000+10", HCF,
        "1 3s 4s 5s 6s 7s 8s 9s | ante 10 straight_flush_bonus 10 | 1x", dealer="Th 5h 2h 3c 4c 6d 7d",
        tables="straight_flush_bonus A", terms={"straight_flush_bonus": {"minimum": "10.00"}},
    ),
    example(
        "r 11 both bonuses in proportion", "1 flush_bonus win 1807.22+10;1 straight_flush_bonus win 48192.78+10", HCF,
        "1 3s 4s 5s 6s 7s 8s 9s | ante 10 flush_bonus 10 straight_flush_bonus 10 | 1x", dealer="Th 5h 2h 3c 4c 6d 7d",
        tables="flush_bonus A straight_flush_bonus A",
    ),
    example(
        "r 6 ante and raise too by option", "1 ante win 100+1000;1 raise win 300+3000;1 flush_bonus win 300+10", HCF,
        "1 3s 4s 5s 6s 7s 8s 9s | ante 1000 flush_bonus 10 | 3x", dealer="Th 5h 2h 3c 4c 6d 7d", tables="flush_bonus A",
        payout_limit=limit("700.00"), readings={"cap": {"scope": "all_non_progressive"}},
    ),
    example(
        "12.E(3) two six-card straight flushes",
        "6 progressive win 4000+0;1 progressive win 3600+0;meter main 32400;6 envy", HCF,
        f"6 {SIX_SPADES} | ante 10 progressive 1 | 1x\n1 {SIX_CLUBS} | ante 10 progressive 1 | 1x",
        dealer="Th 5h 2h 3c 2c 6d 7d", tables="progressive A", meters="main 40000", resets="main 30000",
    ),
    example(
        "12.E(1)(c) six cards take it all, then the reset; 11.B(9)(e)(ii)",
        "6 progressive win 5600+0;1 progressive win 5000+0;meter main 5000;3 envy 6:200.00 1:200.00;6 envy 1:200.00",
        HCF, f"6 {SIX_SPADES} | ante 10 progressive 1 | 1x\n3 2h 3h 7h Jd Qd 2d Ac | ante 10 progressive 1 | fold\n"
        f"1 {SIX_CLUBS} | ante 10 progressive 1 | 1x", dealer="Th 5h 9h 3c 2c 6d 7d", tables="progressive C",
        meters="main 5600", resets="main 5000",
    ),
    example(
        "12.E(5)(b) suited 9-A is no envy hand", "2 progressive win 31000+0;1 envy;meter main 30000", HCF,
        "2 9h Th Jh Qh Kh Ah 2c | ante 10 progressive 1 | 3x\n1 3s 4s 6s 8d Tc Jd Qc | ante 10 progressive 1 | fold",
        dealer=LOW.replace("2c", "2d"), tables="progressive D", meters="main 31000", resets="main 30000",
    ),
    example(
        "12.E(5)(b) seven cards are", "1 envy 2:250.00;1 progressive win 3+0", HCF,
        "2 8c 9c Tc Jc Qc Kc Ac | ante 10 | 3x\n1 3s 4s 5s 8s Td Jd 2h | ante 10 progressive 1 | fold",
        dealer=LOW.replace("5s", "5d"), tables="progressive D", meters="main 31000", resets="main 30000",
    ),
    example(
        "r 37 a folded hand with a progressive bet qualifies", "1 envy 2:200.00;2 progressive win 5600+0", HCF,
        f"2 {SIX_CLUBS} | ante 10 progressive 1 | fold\n1 3s 4h 6s 8s Tc Jd Qc | ante 10 progressive 1 | fold",
        dealer=LOW, tables="progressive C", meters="main 5600", resets="main 5000",
    ),
    example(
        "r 37 without one it does not", "1 envy", HCF,
        f"2 {SIX_CLUBS} | ante 10 | fold\n1 3s 4h 6s 8s Tc Jd Qc | ante 10 progressive 1 | fold", dealer=LOW,
        tables="progressive C", meters="main 5600", resets="main 5000",
    ),
    example(
        "r 38 no envy between boxes of one patron", "1 envy;2 envy;3 envy 2:200.00", HCF,
        "3 2h 3h 7s Jd Qd 2d Ac | ante 10 progressive 1 patron b | fold\n"
        f"2 {SIX_CLUBS} | ante 10 progressive 1 patron a | 3x\n"
        "1 3s 4d 6s 8s Tc Jh Qc | ante 10 progressive 1 patron a | fold", dealer="8h 7h 6h 2c 3c 4h 5s",
        tables="progressive C", meters="main 5600", resets="main 5000",
    ),
]
# fmt: on

SEVEN_CARDS = [
    ("12.B(1) six-card flush", "flush_bonus A", "win 500+5", "2s 4s 6s 8s Ts Qs Kd"),
    ("12.B(2) four-card flush", "flush_bonus B", "win 10+5", "2s 4s 6s 8s Td Qc Kd"),
    ("12.B(4) five-card flush", "flush_bonus D", "win 25+5", "2s 4s 6s 8s Ts Qc Kd"),
    ("12.B(8) seven-card flush", "flush_bonus H", "win 5,000+5", "2s 4s 6s 8s Ts Qs Ks"),
    ("12.B(15) seven-card flush", "flush_bonus O", "win 1,250+5", "2s 4s 6s 8s Ts Qs Ks"),
    ("7.F(2) three-card flush loses", "flush_bonus A", "lose", "2s 4s 6s 8d Td Qc Kc"),
    ("11.B(8) four-card straight flush", "straight_flush_bonus A", "win 300+5", "Td Jd Qd Kd 2s 4c 7h"),
    ("12.C(2) three-card straight flush", "straight_flush_bonus B", "win 45+5", "6s 7s 8s Kd 2d 4c 9h"),
    ("6.E(5) beside a longer flush", "straight_flush_bonus A", "win 35+5", "6h 7h 8h Kc 2c 4c 9c"),
    ("12.C(4) six-card straight flush", "straight_flush_bonus D", "win 2,500+5", SIX_SPADES),
    ("12.C(7) quads over three in a row", "straight_flush_bonus G", "win 125+5", "5c 5d 5h 5s 6s 7s Kd"),
    ("r 66 quads under four in a row", "straight_flush_bonus G", "win 250+5", "5c 5d 5h 5s 6s 7s 8s"),
    ("r 66 quads only under G", "straight_flush_bonus A", "lose", "5c 5d 5h 5s 9s Ts Kd"),
    ("r 56 A-2-3", "straight_flush_bonus A", "win 35+5", "As 2s 3s 5d 7d 9c Jh"),
    ("r 56 K-A-2 loses", "straight_flush_bonus A", "lose", "Ks As 2s 5d 7d 9c Jh"),
    ("12.E(1)(a) six cards", "progressive A", "win 3,100+0", SIX_SPADES),
    ("12.E(1)(b) three cards lose", "progressive B", "lose", "6s 7s 8s Kd 2d 4c 9h"),
    ("12.E(1)(b) four cards", "progressive B", "win 50+0", "6s 7s 8s 9s 2d 4c Kh"),
    ("12.E(1)(d) suited 9-A", "progressive D", "win 31,000+0", "9h Th Jh Qh Kh Ah 2c"),
    ("12.E(1)(d) suited 8-K", "progressive D", "win 3,100+0", "8h 9h Th Jh Qh Kh 2c"),
    ("12.E(1)(e) five cards", "progressive E", "win 800+0", "5h 6h 7h 8h 9h Qd 2c"),
    ("11.B(9)(d) five cards", "progressive A", "win 250+0", "5h 6h 7h 8h 9h Qd 2c"),
]

# fmt: off
LET_IT_RIDE = [
    example(
        ".11D(3) two bets ride, flush", "1 bet_1 withdrawn 0+10;1 bet_2 win 80+10;1 bet_3 win 80+10;net -160", LIR,
        "1 2h 5h 9h | bet 10 | withdraw ride", board="Jh Kh",
    ),
    example(
        "r 91 bet 2 withdrawn alone", "1 bet_1 win 110+10;1 bet_2 withdrawn 0+10;1 bet_3 win 110+10", LIR,
        "1 9c 9d 9h | bet 10 | ride withdraw", board="4c 4d",
    ),
    example(
        ".12A(2) flush", "1 bet_1 win 100+10;net -300", LIR, "1 2h 5h 9h | bet 10 | ride ride", board="Jh Kh",
        tables="base B",
    ),
    example(
        ".12A(3) straight", "1 bet_3 win 60+10", LIR, "1 5h 6c 7d | bet 10 | withdraw withdraw", board="8s 9h",
        tables="base C",
    ),
    example(".06C(9) nines lose", "1 bet_3 lose;net 30", LIR, "1 9h 9c 4d | bet 10 | ride ride", board="2s Kh"),
    example(".11D(2) tens win", "1 bet_3 win 10+10;net -30", LIR, "1 Th 4c 2d | bet 10 | ride ride", board="Ts 9h"),
    example(
        ".07E(7) a withdrawn bet leaves the side bets", "1 three_card_bonus win 5+5;1 bet_3 lose;net 5", LIR,
        "1 4c 4d Jh | bet 10 three_card_bonus 5 | withdraw withdraw", board="2s Kh", tables="three_card_bonus A",
    ),
    example(
        ".12D(1) super royal of spades", "1 six_card_bonus win 100,000+5;1 five_card_bonus lose", LIR,
        "1 As Ks 9s | bet 10 five_card_bonus 1 three_card_bonus 5 six_card_bonus 5 | ride ride", board="2d 4c",
        box="Qs Js Ts", tables="five_card_bonus A three_card_bonus A six_card_bonus A",
    ),
    example(
        ".11E(3) straight in six cards", "1 six_card_bonus win 50+5", LIR,
        "1 5c 6d 7h | bet 10 six_card_bonus 5 | ride ride", board="2d Kc", box="8s 9c Kd", tables="six_card_bonus A",
    ),
    example(
        ".12G two straight flushes", "7 progressive win 1000+0;2 progressive win 900+0;meter main 8100;2 envy 7:300.00",
        LIR, "7 8h 9h Th | bet 10 progressive 1 | ride ride\n2 3h 4h 5h | bet 10 progressive 1 | ride ride",
        board="6h 7h", tables="progressive A", meters="main 10000", resets="main 1000",
    ),
    example(
        ".12J(2) envy for two suited A-K-Q", "1 envy 5:500.00 3:125.00;5 progressive win 1800.50+0;meter main 1000",
        LIR, "5 As Ks Qs | bet 10 progressive 5 | ride ride\n3 Ah Kh Qh | bet 10 | ride ride\n"
        "1 2c 5d 8h | bet 10 progressive 5 | ride ride", board="6h 7c", tables="progressive B", stake="5.00",
        meters="main 1800.50", resets="main 1000",
    ),
    example(
        ".12I(2) envy for clubs", "1 envy 3:25.00", LIR,
        "3 Ac Kc Qc | bet 10 | ride ride\n1 2c 5d 8h | bet 10 progressive 1 | ride ride", board="6h 7c",
        tables="progressive B", meters="main 1800.50", resets="main 1000",
    ),
    example("r 161 no limit", "net -300000", LIR, "1 Ah Kh Qh | bet 100 | ride ride", board="Jh Th"),
    example(
        "r 191 a limit that is set", "1 bet_1 win 16666.68+100;1 bet_2 win 16666.66+100;net -50000", LIR,
        "1 Ah Kh Qh | bet 100 | ride ride", board="Jh Th", payout_limit=limit("50000.00"),
    ),
    example(
        "r 12 the super royal is not cut", "1 six_card_bonus win 1,000,000+5", MS,
        "1 Ad 9d | ante 10 three_card_bonus 5 six_card_bonus 5 | fold", board="2c 3d 9h", box="Kd Qd Jd Td",
        tables="three_card_bonus A six_card_bonus A",
    ),
    example(
        "r 6 unless the limit covers it", "1 six_card_bonus win 50,000+5", MS,
        "1 Ad 9d | ante 10 three_card_bonus 5 six_card_bonus 5 | fold", board="2c 3d 9h", box="Kd Qd Jd Td",
        tables="three_card_bonus A six_card_bonus A", readings={"cap": {"scope": "all-non-progressive"}},
    ),
]
# fmt: on

LET_IT_RIDE_SIDES = [
    (".12B(1) jacks", "five_card_bonus A 1", "win 2+0", "Jh Jc 4d", "2s Kh"),
    (".12B(2) tens", "five_card_bonus B 1", "win 1+0", "Th Tc 4d", "2s Kh"),
    (".12B(3) aces lose", "five_card_bonus C 1", "lose", "Ah Ac 4d", "2s Kh"),
    (".11E(1) two pair", "five_card_bonus C 1", "win 6+0", "Ah Ac 4d", "4s Kh"),
    (".12B(4) royal", "five_card_bonus D 1", "win 10,000+0", "Ah Kh Qh", "Jh Th"),
    (".12B(5) full house", "five_card_bonus E 1", "win 100+0", "9c 9d 9h", "4c 4d"),
    (".12B(6) quads", "five_card_bonus F 1", "win 100+0", "9c 9d 9h", "9s 4d"),
    (".12B(7) two pair loses", "five_card_bonus G 1", "lose", "Ah Ac 4d", "4s Kh"),
    (".12C(1) flush", "three_card_bonus A 5", "win 20+5", "2h 8h Kh", "2s 3c"),
    (".12C(2) straight", "three_card_bonus B 5", "win 25+5", "Ah 2c 3d", "Ks 9c"),
    (".12C(3) flush", "three_card_bonus C 5", "win 15+5", "2h 8h Kh", "2s 3c"),
    ("r 54 suited A-2-3", "three_card_bonus A 5", "win 200+5", "Ah 2h 3h", "Ks 9c"),
    (".06D(1) A-K-Q is a straight flush", "three_card_bonus A 5", "win 200+5", "Ah Kh Qh", "2s 9c"),
    (".12E(1) straight", "progressive A 5", "win 150+0", "5h 6c 7d", "8s 9h"),
    (".11E(4) trips", "progressive A 1", "win 9+0", "9c 9d 4h", "9s Kd"),
    (".12E(2) A-K-Q of hearts", "progressive B 1", "win 500+0", "Ah Kh Qh", "2s 9c"),
    ("r 46 A-K-Q of spades", "progressive B 1", "win 1,234.56+0", "As Ks Qs", "2s 9c"),
    ("r 46 A-K-Q unsuited is a straight", "progressive B 1", "win 6+0", "As Kh Qs", "2s 9c"),
    (".12E(2) straight", "progressive B 1", "win 6+0", "9c Td Jh", "2s 9d"),
    ("r 54 suited A-2-3 in the progressive", "progressive B 1", "win 70+0", "Ah 2h 3h", "Ks 9c"),
    (".12E(3) straight loses", "progressive C 1", "lose", "9c Td Jh", "2s 9d"),
    (".12E(3) trips", "progressive C 1", "win 90+0", "9c 9d 9h", "2s 4d"),
]


@pytest.mark.parametrize(
    ("book", "seats", "rest", "expected"), MARYLAND + MASSACHUSETTS + HIGH_CARD_FLUSH + LET_IT_RIDE
)
def test_worked_round(book: str, seats: str, rest: dict[str, Any], expected: str) -> None:
    check(play(book, seats, **rest), expected)


@pytest.mark.parametrize(("expected", "table", "cards", "box"), [pytest.param(*c[1:], id=c[0]) for c in SIX_CARD])
def test_six_card_bonus(expected: str, table: str, cards: str, box: str) -> None:
    seats = f"1 {cards} | ante 10 three_card_bonus 5 six_card_bonus 5 | fold"
    answer = play(MS, seats, board="3d 6s 2s", box=box, tables=f"three_card_bonus A six_card_bonus {table}")
    check(answer, f"1 six_card_bonus {expected}")


@pytest.mark.parametrize(("expected", "book", "table", "board"), [pytest.param(*c[1:], id=c[0]) for c in BOARDS])
def test_three_card_bonus(expected: str, book: str, table: str, board: str) -> None:
    seats = "1 6s 8d | ante 10 three_card_bonus 5 | 1x fold"
    check(play(book, seats, board=board, tables=f"three_card_bonus {table}"), f"1 three_card_bonus {expected}")


@pytest.mark.parametrize(("tables", "expected", "cards"), [pytest.param(*c[1:], id=c[0]) for c in SEVEN_CARDS])
def test_seven_cards(tables: str, expected: str, cards: str) -> None:
    wager, _ = tables.split()
    dealer = format_cards([card for card in DECK if card not in parse_cards(cards)][:7])
    seats = f"1 {cards} | ante 10 {wager} {1 if wager == 'progressive' else 5} | fold"
    check(
        play(HCF, seats, dealer=dealer, tables=tables, meters="main 31000", resets="main 30000"),
        f"1 {wager} {expected}",
    )


def test_r_56_ace_high_only_by_option() -> None:
    seats = "1 As 2s 3s 5d 7d 9c Jh | ante 10 straight_flush_bonus 5 | fold"
    readings = {"hcf": {"ace_low": False}}
    answer = play(HCF, seats, dealer=TEN, tables="straight_flush_bonus A", readings=readings)
    check(answer, "1 straight_flush_bonus lose")


@pytest.mark.parametrize(
    ("bet", "expected", "cards", "board"), [pytest.param(*c[1:], id=c[0]) for c in LET_IT_RIDE_SIDES]
)
def test_let_it_ride_side_bets(bet: str, expected: str, cards: str, board: str) -> None:
    wager, table, stake = bet.split()
    seats = f"1 {cards} | bet 10 {wager} {stake} | ride ride"
    answer = play(LIR, seats, board=board, tables=f"{wager} {table}", meters="main 1234.56", stake=stake)
    check(answer, f"1 {wager} {expected}")


@pytest.mark.parametrize(
    ("book", "wagers", "order"),
    [
        (MS, "ante 10 six_card_bonus 5 three_card_bonus 5 progressive 1",
         "ante third_street fourth_street fifth_street progressive three_card_bonus six_card_bonus"),
        (MA, "ante 10 cover_all 5 three_card_bonus 5 progressive 1",
         "ante third_street fourth_street fifth_street progressive three_card_bonus cover_all"),
    ],
)  # fmt: skip
def test_11_i_order_of_settlement(book: str, wagers: str, order: str) -> None:
    tables = "progressive A three_card_bonus A six_card_bonus A"
    if book == MA:
        tables = "progressive MS_Stud-01 three_card_bonus 3CS-01"
    seats = f"1 2c 7d | {wagers} | 1x 1x 1x\n4 3c 8d | ante 10 | fold\n6 4c 9d | ante 10 | fold"
    box = "5c 6d 7h Ts" if book == MS else ""
    answer = play(book, seats, board="Jh Ks 3s", box=box, tables=tables, meters="main 20000")
    assert [seat["seat"] for seat in answer["seats"]] == [6, 4, 1]
    assert [line["wager"] for line in answer["seats"][2]["wagers"]] == order.split()


# ---------------------------------------------------------------- random rounds


TABLES: dict[str, dict[str, str | list[str]]] = {
    MS: {"progressive": "ABCD", "three_card_bonus": "ABCDEF", "six_card_bonus": "AB"},
    MA: {
        "progressive": ["MS Stud-01", "MS Stud MG-02"],
        "three_card_bonus": ["3CS-01", "3CS-06"],
        "cover_all": ["standard"],
    },
    HCF: {"progressive": "ABCDE", "flush_bonus": "ABO", "straight_flush_bonus": "ABCDEFG"},
    LIR: {"progressive": "ABC", "five_card_bonus": "ABCDEFG", "three_card_bonus": "ABC", "six_card_bonus": "AB"},
}
HAND_SIZE = {MS: 2, MA: 2, HCF: 7, LIR: 3}


def random_round(dice: random.Random) -> dict[str, Any]:
    book = dice.choice([MS, MA, HCF, LIR])
    wagers: dict[str, Any] = {wager: {"paytable": dice.choice(names)} for wager, names in TABLES[book].items()}
    progressive = wagers["progressive"]
    stake = "1.00" if book == HCF or progressive["paytable"] == "MS Stud-01" else "5.00"
    lines = pay_lines(book, "progressive", progressive["paytable"]).values()
    names = [name for name in ("mega", "major", "minor") if any(name in pays.lower() for pays in lines)] or ["main"]
    progressive |= {"stake": stake, "meters": {name: {"reset": "1000.00", "rate": "0.1"} for name in names}}
    cards = sorted(DECK, key=lambda card: (card.suit, card.rank))
    if dice.random() < 0.3:
        dice.shuffle(cards)
    else:  # suit by suit, cut and hardly shuffled: straight flushes come often
        cut = dice.randrange(52)
        cards = cards[cut:] + cards[:cut]
        for _ in range(dice.randrange(4)):
            one, other = dice.sample(range(52), 2)
            cards[one], cards[other] = cards[other], cards[one]
    seats = []
    for seat in dice.sample(range(1, 7), dice.randint(1, 4)):
        hand = [cards.pop() for _ in range(HAND_SIZE[book])]
        stakes = dict.fromkeys(["bet_1", "bet_2", "bet_3"] if book == LIR else ["ante"], f"{dice.randint(5, 3000)}.00")
        for wager in wagers:
            if dice.random() < 0.7:
                stakes[wager] = stake if wager == "progressive" else "1.00" if wager == "five_card_bonus" else "7.50"
        if not {*wagers} - {"progressive", "six_card_bonus"} <= {*stakes}:
            stakes.pop("six_card_bonus", None)  # it needs the other bonuses (MS 7.F(5)(c), LIR .07E(5))
        if book == LIR:
            decisions = [dice.choice(["ride", "withdraw"]) for _ in range(2)]
        else:
            decisions = [dice.choice("123") + "x" for _ in range(3)]
            if book == HCF:  # 11.B(1)-(3)
                decisions = [f"{dice.randint(1, max(1, min(3, longest_flush(hand)[0] - 3)))}x"]
            if dice.random() < 0.3:
                decisions = [*decisions[: dice.randrange(len(decisions))], "fold"]
        patron = f"p{seat // 2 if book in (HCF, LIR) else seat}"  # seats 2 and 3, 4 and 5 may be one person's
        seats.append(
            {"seat": seat, "wagers": stakes, "cards": format_cards(hand), "decisions": decisions, "patron": patron}
        )
    if book == LIR:
        wagers["base"] = {"paytable": dice.choice("ABC")}
    return {
        "submission": {
            "rulebook": book,
            "wagers": wagers,
            "readings": {"cap": {"allocation": dice.choice(["prorata", "in_order"])}},
        },
        "meters": {name: f"{dice.randint(100_000, 3_000_000) / 100:.2f}" for name in names},
        "seats": seats,
        "community": format_cards(cards.pop() for _ in range(2 if book == LIR else 3)) if book != HCF else "",
        "six_card_box": format_cards(cards.pop() for _ in range({LIR: 3, MS: 4}.get(book, 0))),
        "dealer": format_cards(cards.pop() for _ in range(7)) if book == HCF else "",
    }


@pytest.mark.parametrize("seed", range(8))
def test_money_is_conserved(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(40):
        round_ = random_round(dice)
        answer = settle(round_)
        staked = paid = 0
        meters = {name: cents(text) for name, text in round_["meters"].items()}
        for seat in answer["seats"]:
            for line in seat["wagers"]:
                put_up, won, returned = cents(line["staked"]), cents(line["won"]), cents(line["returned"])
                staked += put_up
                paid += won + returned
                assert returned in (0, put_up)
                assert won == 0 or line["outcome"] == "win"
                assert (returned == put_up) or line["outcome"] in ("win", "lose", "forfeit")
                if line["pays"] and "%" in line["pays"]:  # meters change by awards and by nothing else
                    [meter] = [name for name in meters if name in line["pays"].lower()] or ["main"]
                    meters[meter] += (100_000 if line["pays"].startswith("100%") else 0) - won
            paid += sum(cents(won["won"]) for won in seat["envy"])
        assert staked - paid == cents(answer["house_net"])
        assert staked == sum(cents(seat["staked"]) for seat in answer["seats"])
        assert paid == sum(cents(seat["paid"]) for seat in answer["seats"])
        assert meters == {name: cents(text) for name, text in answer["meters"].items()}


def test_figures_are_found() -> None:
    assert pay_lines(MA, "cover_all", "standard", 6) == pay_lines(MA, "cover_all", "12(f)", 6)
    assert envy_lines(HCF, "A", 100) == {}
    assert envy_lines(LIR, "C", 500) == {"ace_king_queen_spades": 50_000, "ace_king_queen_other": 12_500}
