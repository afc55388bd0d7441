"""What each event moves between the accounts of a table, to the cent and to the unit of a meter."""

from collections import Counter
from collections.abc import Callable

import pytest

from croupier.errors import MoneyError
from croupier.games import events as round_events
from croupier.money import Cents
from croupier.progressive import contribution
from croupier.table import TRAY, Person, Posting, creation, evolve, postings
from croupier.table.accounts import CAGE, post
from support.desk import METER, PROGRESSIVE, Desk, bet, hand_pay, play_to_settlement, royal_beside_bo, stay, stud
from support.random_rounds import HCF, MA

ROYAL = "Ah Kh Qh Jh Th"
STRAIGHT_FLUSH = "Kh 9h Qh Jh Th"
ON_THE_METER = {"meter main": -10_000_100_000, "meter awarded": 20_000_100_000, "meter seeded": -10_000_000_000}
"""The royal takes $20,000.10 off a meter that a reset brings back to $10,000."""
OFF_THE_METER = {account: -units for account, units in ON_THE_METER.items()}
WON = {"layout": -4_000, "tray": -2_000_000, "chips Ann": 2_004_000}
"""Ante and three streets of $10 each at 500 to 1."""
Told = list[tuple[str, dict[str, int]]]


def moved(desk: Desk, act: Callable[[], object]) -> Told:
    """What the events of an act move, each by its name; both units sum to zero, and the books are their sum."""
    table, start, found = desk.table, len(desk.entries), Told()
    books = Counter({account: int(amount) for account, amount in table.books})
    act()
    for entry in desk.entries[start:]:
        legs = postings(table, entry.event)
        for unit in ("cents", "meter"):
            assert sum(leg.amount for leg in legs if leg.account.unit == unit) == 0
        assert all(leg.amount for leg in legs)
        for leg in legs:
            books[leg.account] += leg.amount if leg.account.unit == "cents" else 0
        if legs:
            sums: Counter[str] = Counter()
            for leg in legs:
                sums[str(leg.account)] += leg.amount
            found.append(
                (entry.name.partition("/")[0], {account: amount for account, amount in sums.items() if amount})
            )
        table = evolve(table, entry)
    assert table == desk.table
    assert {account: amount for account, amount in books.items() if amount} == {
        account: amount for account, amount in table.books if amount
    }
    return found


def doing(desk: Desk, role: str, name: str, command: str, **fields: object) -> Told:
    return moved(desk, lambda: desk.do(role, name, command, **fields))


def settled_by_ann(cards: str = ROYAL, **more: object) -> Desk:
    """Ann has bet the progressive and every street, and is to be paid."""
    desk = Desk(stud(wagers={"progressive": PROGRESSIVE["progressive"] | more}))
    desk.seat("Ann")
    bet(desk, "Ann", progressive=True)
    desk.staff(close_bets=True, cards=cards)
    stay(desk)
    return desk


def bay(**more: object) -> Desk:
    return Desk(
        {"rulebook": MA, "limits": {"ante": {"minimum": "10.00", "maximum": "500.00"}}, "cards": {"deck_hours": 8}}
        | more
    )


# --- the tray and the players


def test_the_cage_brings_fills_and_takes() -> None:
    desk = Desk(stud())
    assert moved(desk, desk.staff) == [("inventory_verified", {"tray": 100_000_000, "cage": -100_000_000})]
    fill = {"amount": "2000.00", "reference": "F-1"}
    assert doing(desk, "floorperson", "f1", "fill_tray", **fill) == [
        ("tray_filled", {"tray": 200_000, "cage": -200_000})
    ]
    assert doing(desk, "floorperson", "f1", "credit_tray", **fill | {"amount": "100.00"}) == [
        ("tray_credited", {"tray": -10_000, "cage": 10_000})
    ]
    # A later count finds what is there: it brings nothing.
    assert doing(desk, "dealer", "d1", "count_inventory", amount="1001900.00") == []
    assert doing(desk, "floorperson", "f1", "verify_inventory") == []
    assert desk.table.tray.verified


def test_chips_for_cash_come_from_the_tray_and_brought_chips_from_elsewhere() -> None:
    desk = Desk(stud())
    desk.staff()
    desk.do("player", "Ann", "sit", seat=1)
    assert doing(desk, "player", "Ann", "buy_in", amount="500.00") == [
        ("player_bought_in", {"chips Ann": 50_000, "tray": -50_000, "drop": 50_000, "cage": -50_000})
    ]
    assert doing(desk, "player", "Ann", "buy_in", amount="200.00", brought=True) == [
        ("player_bought_in", {"chips Ann": 20_000, "cage": -20_000})
    ]
    assert doing(desk, "player", "Ann", "stand_up") == [("player_stood_up", {"chips Ann": -70_000, "cage": 70_000})]


def test_a_count_of_the_tray_holds_until_something_moves_in_it() -> None:
    desk = Desk(stud())
    desk.staff()
    desk.do("player", "Ann", "sit", seat=1)
    desk.do("dealer", "d1", "count_inventory", amount="1000000.00")
    desk.do("floorperson", "f1", "verify_inventory")
    desk.do("player", "Ann", "buy_in", amount="500.00", brought=True)
    assert (desk.table.tray.counted, desk.table.tray.verified) == (100_000_000, True)
    desk.do("player", "Ann", "buy_in", amount="500.00")
    assert (desk.table.tray.counted, desk.table.tray.verified) == (None, False)


# --- a round


@pytest.mark.clause("md-mississippi-stud 8.C(2)(c)")
def test_stakes_go_to_the_layout_and_side_bets_on_to_the_tray_and_the_meters() -> None:
    desk = Desk(stud(wagers={"progressive": PROGRESSIVE["progressive"] | {"reserve_rate": "0.05"}}))
    desk.seat("Ann", "Bo")
    assert moved(desk, lambda: bet(desk, "Ann", "Bo", progressive=True)) == [
        ("wager_placed", {"chips Ann": -1_000, "layout": 1_000}),
        ("wager_placed", {"chips Ann": -100, "layout": 100}),
        ("wager_placed", {"chips Bo": -1_000, "layout": 1_000}),
        ("wager_placed", {"chips Bo": -100, "layout": 100}),
    ]
    assert doing(desk, "player", "Bo", "take_back", seat=2, wager="progressive") == [
        ("wager_taken_back", {"chips Bo": 100, "layout": -100})
    ]
    assert moved(desk, lambda: desk.staff(close_bets=True, cards=ROYAL)) == [
        ("meter_raised", {"meter main": 100_000, "meter fed": -100_000}),
        ("meter_raised", {"reserve": 50_000, "meter fed": -50_000}),
        ("act_performed", {"layout": -100, "tray": 100}),
    ]
    assert (desk.table.progressive.meters[0].units, desk.table.progressive.reserve) == (20_000_100_000, 50_000)
    # Void, and all of it goes back: the stake in the tray too (reading 20).
    assert doing(desk, "floorperson", "f1", "rule", irregularity="wrong_count_community") == [
        ("hand_settled", {"layout": -1_000, "tray": -100, "chips Ann": 1_100}),
        ("hand_settled", {"layout": -1_000, "chips Bo": 1_000}),
        ("meter_raised", {"meter main": -100_000, "meter fed": 100_000}),
        ("meter_raised", {"reserve": -50_000, "meter fed": 50_000}),
    ]
    assert (desk.table.progressive.meters[0].units, desk.table.progressive.reserve) == (20_000_000_000, 0)


@pytest.mark.clause(
    "md-mississippi-stud 11.I(2)(a)", "md-mississippi-stud 11.I(2)(b)", "md-mississippi-stud 11.I(2)(d)"
)
@pytest.mark.parametrize(
    ("cards", "legs"),
    [
        ("Jc Jd Kh 9s 2c", {"layout": -4_000, "tray": -4_000, "chips Ann": 8_000}),
        ("7c 7d Kh 9s 2c", {"layout": -4_000, "chips Ann": 4_000}),
        ("4c 3d Kh 9s 2c", {"layout": -4_000, "tray": 4_000}),
    ],
)
def test_a_hand_wins_pushes_or_loses_and_a_reversal_is_its_mirror(cards: str, legs: dict[str, int]) -> None:
    desk = Desk(stud())
    desk.seat("Ann")
    bet(desk, "Ann")
    desk.staff(close_bets=True, cards=cards)
    assert moved(desk, lambda: stay(desk)) == [("decision_made", {"chips Ann": -1_000, "layout": 1_000})] * 3
    assert doing(desk, "dealer", "d1", "settle", what="hand", seat=1) == [("hand_settled", legs)]
    mirror = {account: -amount for account, amount in legs.items()}
    assert doing(desk, "floorperson", "f1", "reverse_settlement", reason="counted wrongly") == [
        ("settlement_reversed", mirror)
    ]


def test_a_fold_gives_the_tray_what_lies_on_the_layout() -> None:
    desk = Desk(stud(wagers=PROGRESSIVE))
    desk.seat("Ann")
    bet(desk, "Ann", progressive=True)
    desk.staff(close_bets=True, cards="4c 3d Kh 9s 2c")
    desk.do("player", "Ann", "decide", seat=1, choice="2x")
    desk.staff()
    # The progressive is in the tray already; the fold itself moves nothing.
    assert doing(desk, "player", "Ann", "decide", seat=1, choice="fold") == [
        ("hand_settled", {"layout": -3_000, "tray": 3_000})
    ]


@pytest.mark.clause("ma-mississippi-stud 6(a)", "ma-mississippi-stud 11(b)")
@pytest.mark.parametrize(
    ("cards", "legs"),
    [
        ("Jc Jd Kh 9s 2c", {"layout": -4_000, "tray": -5_000, "chips Ann": 9_000}),
        ("7c 7d Kh 9s 2c", {"layout": -4_000, "chips Ann": 4_000}),
        ("4c 3d Kh 9s 2c", {"layout": -4_000, "tray": 4_000}),
    ],
)
def test_a_coupon_is_no_money_until_it_wins(cards: str, legs: dict[str, int]) -> None:
    desk = bay(match_play={"enabled": True})
    desk.seat("Ann")
    bet(desk, "Ann")
    assert doing(desk, "player", "Ann", "place_coupon", seat=1, value="10.00") == []
    desk.staff(close_bets=True, cards=cards)
    play_to_settlement(desk)
    assert doing(desk, "dealer", "d1", "settle", what="hand", seat=1) == [("hand_settled", legs)]
    mirror = {account: -amount for account, amount in legs.items()}
    assert doing(desk, "floorperson", "f1", "reverse_settlement", reason="counted wrongly") == [
        ("settlement_reversed", mirror)
    ]


@pytest.mark.clause("ma-mississippi-stud 11bis(h)")
def test_envy_comes_from_the_tray_and_goes_back_to_it() -> None:
    wager = {"paytable": "MS Stud-01", "stake": "1.00", "meters": {"main": METER}}
    desk = bay(wagers={"progressive": wager})
    royal_beside_bo(desk)
    hand_pay(desk)
    assert doing(desk, "dealer", "d1", "settle", what="envy") == [
        ("envy_settled", {"chips Bo": 100_000, "tray": -100_000})
    ]
    assert doing(desk, "floorperson", "f1", "rule", irregularity="wrong_count_community") == [
        ("settlement_reversed", {"chips Bo": -100_000, "tray": 100_000}),
        ("settlement_reversed", {"layout": 4_000, "tray": 2_000_000, "chips Ann": -2_004_000}),
        ("settlement_reversed", {"layout": 4_000, "tray": -4_000}),
        ("hand_settled", {"layout": -4_000, "tray": -100, "chips Ann": 4_100}),
        ("hand_settled", {"layout": -4_000, "tray": -100, "chips Bo": 4_100}),
        ("meter_raised", {"meter main": -200_000, "meter fed": 200_000}),
        (
            "award_reversed",
            {
                "hand paid": -2_000_020,
                "cage": 2_000_020,
                "meter main": 10_000_200_000,
                "meter awarded": -20_000_200_000,
                "meter seeded": 10_000_000_000,
            },
        ),
    ]
    assert desk.books() == {"cage": -100_200_000, "chips Ann": 100_000, "chips Bo": 100_000, "tray": 100_000_000}


def over_raised() -> Desk:
    """Ann has raised three times her ante on cards that nobody knew; they allow one."""
    desk = Desk(
        {
            "rulebook": HCF,
            "limits": {"ante": {"minimum": "10.00", "maximum": "500.00"}},
            "readings": {"hcf": {"over_raise": "floor_decision"}},
        }
    )
    desk.seat("Ann")
    bet(desk, "Ann")
    desk.cards = None
    desk.staff(close_bets=True)
    assert doing(desk, "player", "Ann", "decide", seat=1, choice="raise", amount="30.00") == [
        ("decision_made", {"chips Ann": -3_000, "layout": 3_000})
    ]
    for whose, cards in (("dealer", "Ts 8s 2s 9d 4d Qc 6c"), ("player", "Kh 9h 7h 5h 3c 4c 8d")):
        desk.do("dealer", "d1", "reveal", slot=whose, **({"seat": 1} if whose == "player" else {}))
        for card in cards.split():
            desk.do("dealer", "d1", "tell", place=desk.table.round.faces.awaiting_identity[0], cards=card)
    assert doing(desk, "floorperson", "f1", "reduce_raise", seat=1, amount="10.00") == [
        ("raise_reduced", {"chips Ann": 2_000, "layout": -2_000})
    ]
    return desk


@pytest.mark.clause("md-high-card-flush 11.B(1)")
def test_a_raise_is_reduced_and_restored() -> None:
    desk = over_raised()
    assert doing(desk, "dealer", "d1", "settle", what="hand", seat=1) == [
        ("hand_settled", {"layout": -2_000, "tray": -2_000, "chips Ann": 4_000})
    ]
    assert doing(desk, "floorperson", "f1", "reverse_settlement", reason="counted wrongly") == [
        ("settlement_reversed", {"layout": 2_000, "tray": 2_000, "chips Ann": -4_000}),
        ("raise_restored", {"chips Ann": -2_000, "layout": 2_000}),
    ]


# --- awards


@pytest.mark.clause("md-mississippi-stud 11.I(4)(d)(i)", "md-mississippi-stud 12.C(4)")
@pytest.mark.parametrize(
    ("status", "back"),
    [
        ("pending", {"pending Ann": -2_000_010, "awards": 2_000_010, **OFF_THE_METER}),
        ("verified", {"pending Ann": -2_000_010, "awards": 2_000_010, **OFF_THE_METER}),
        ("validated", {"pending Ann": -2_000_010, "awards": 2_000_010, **OFF_THE_METER}),
        ("hand_paid", {"hand paid": -2_000_010, "cage": 2_000_010, **OFF_THE_METER}),
        ("rejected", {}),
    ],
)
def test_a_whole_meter_is_awarded_and_whatever_was_done_is_undone(status: str, back: dict[str, int]) -> None:
    desk = settled_by_ann()
    assert doing(desk, "dealer", "d1", "settle", what="hand", seat=1) == [
        ("hand_settled", WON),
        ("award_pending", {"pending Ann": 2_000_010, "awards": -2_000_010, **ON_THE_METER}),
    ]
    assert desk.table.progressive.meters[0].units == 10_000_000_000
    if status in {"verified", "validated", "hand_paid"}:
        assert doing(desk, "dealer", "d1", "verify_award", seat=1, hand=True, light=True) == []
    if status in {"validated", "hand_paid"}:
        assert doing(desk, "floorperson", "f1", "validate_award", seat=1) == []
    if status == "hand_paid":
        assert doing(desk, "floorperson", "f1", "hand_pay_award", seat=1, reference="W-2") == [
            (
                "award_hand_paid",
                {"pending Ann": -2_000_010, "hand paid": 2_000_010, "cage": -2_000_010, "awards": 2_000_010},
            )
        ]
    if status == "rejected":
        assert doing(desk, "floorperson", "f1", "reject_award", seat=1, reason="the light was off") == [
            ("award_rejected", {"pending Ann": -2_000_010, "awards": 2_000_010, **OFF_THE_METER})
        ]
    assert desk.table.progressive.awards[0].status == status
    told = doing(desk, "floorperson", "f1", "reverse_settlement", reason="counted wrongly")
    mirror = {account: -amount for account, amount in WON.items()}
    assert told == [("settlement_reversed", mirror), *([("award_reversed", back)] if back else [])]
    assert (desk.table.progressive.awards, desk.table.progressive.meters[0].units) == ((), 20_000_100_000)
    # The stake of the progressive stays in the tray until it is settled again.
    assert desk.books() == {"cage": -100_100_000, "chips Ann": 95_900, "layout": 4_000, "tray": 100_000_100}


@pytest.mark.clause("md-mississippi-stud 11.I(4)(d)", "md-mississippi-stud 12.C(4)")
def test_a_share_is_paid_from_the_tray_and_comes_back_to_it() -> None:
    desk = settled_by_ann(STRAIGHT_FLUSH)
    share = {"meter main": -2_000_010_000, "meter awarded": 2_000_010_000}
    assert doing(desk, "dealer", "d1", "settle", what="hand", seat=1) == [
        ("hand_settled", {"layout": -4_000, "tray": -400_000, "chips Ann": 404_000}),
        ("award_pending", {"pending Ann": 200_001, "awards": -200_001, **share}),
    ]
    desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=True)
    desk.do("floorperson", "f1", "validate_award", seat=1)
    assert doing(desk, "dealer", "d1", "pay_award", seat=1) == [
        ("award_paid", {"pending Ann": -200_001, "chips Ann": 200_001, "tray": -200_001, "awards": 200_001})
    ]
    assert doing(desk, "floorperson", "f1", "reverse_settlement", reason="counted wrongly") == [
        ("settlement_reversed", {"layout": 4_000, "tray": 400_000, "chips Ann": -404_000}),
        (
            "award_reversed",
            {"chips Ann": -200_001, "tray": 200_001, "meter main": 2_000_010_000, "meter awarded": -2_000_010_000},
        ),
    ]
    assert desk.table.progressive.meters[0].units == 20_000_100_000


def test_a_meter_that_never_falls_below_its_reset_is_filled_up_by_the_house() -> None:
    desk = Desk(
        stud(
            wagers={"progressive": PROGRESSIVE["progressive"] | {"meters": {"main": METER | {"initial": "10000.00"}}}},
            readings={"meter": {"floor": "reset"}},
        )
    )
    desk.seat("Ann")
    bet(desk, "Ann", progressive=True)
    desk.staff(close_bets=True, cards=STRAIGHT_FLUSH)
    stay(desk)
    found = doing(desk, "dealer", "d1", "settle", what="hand", seat=1)[-1]
    # Ten cents were above the reset; the house puts back the rest of the $1,000.01.
    legs = {"meter main": -100_000, "meter awarded": 1_000_010_000, "meter seeded": -999_910_000}
    assert found == ("award_pending", {"pending Ann": 100_001, "awards": -100_001, **legs})
    assert desk.table.progressive.meters[0].units == 10_000_000_000


def test_an_award_of_a_link_lowers_the_meter_of_the_link() -> None:
    desk = Desk(stud(wagers={"progressive": PROGRESSIVE["progressive"] | {"link": "harbor"}}))
    desk.seat("Ann")
    bet(desk, "Ann", progressive=True)
    assert moved(desk, lambda: desk.staff(close_bets=True, cards=STRAIGHT_FLUSH)) == [
        ("meter_raised", {"meter harbor/main": 100_000, "meter fed": -100_000}),
        ("act_performed", {"layout": -100, "tray": 100}),
    ]
    stay(desk)
    assert doing(desk, "device", "link", "tell_meter", meter="main", shown="31000.00") == []
    legs = {"meter harbor/main": -3_100_000_000, "meter awarded": 3_100_000_000}
    assert doing(desk, "dealer", "d1", "settle", what="hand", seat=1) == [
        ("hand_settled", {"layout": -4_000, "tray": -400_000, "chips Ann": 404_000}),
        ("award_pending", {"pending Ann": 310_000, "awards": -310_000, **legs}),
    ]
    mirror = {account: -amount for account, amount in legs.items()}
    assert doing(desk, "floorperson", "f1", "reject_award", seat=1, reason="the light was off") == [
        ("award_rejected", {"pending Ann": -310_000, "awards": 310_000, **mirror})
    ]


@pytest.mark.clause("md-mississippi-stud 12.C(4)")
@pytest.mark.parametrize("link", ["", "harbor"])
@pytest.mark.parametrize(
    ("cards", "name", "reset"), [(ROYAL, "major", 10_000_000_000), (STRAIGHT_FLUSH, "minor", 250_000_000)]
)
def test_of_two_meters_the_one_that_was_won_is_reset(cards: str, name: str, reset: int, link: str) -> None:
    meters = {"major": METER, "minor": {"initial": "500.00", "reset": "250.00", "rate": "0.1"}}
    wager = {"paytable": "B", "stake": "1.00", "meters": meters} | ({"link": link} if link else {})
    desk = Desk(stud(wagers={"progressive": wager}))
    desk.seat("Ann")
    bet(desk, "Ann", progressive=True)
    at = f"meter {link}/" if link else "meter "
    assert moved(desk, lambda: desk.staff(close_bets=True, cards=cards))[:2] == [
        ("meter_raised", {f"{at}major": 100_000, "meter fed": -100_000}),
        ("meter_raised", {f"{at}minor": 100_000, "meter fed": -100_000}),
    ]
    stay(desk)
    held = {"major": 20_000_100_000, "minor": 500_100_000}
    assert {one.name: one.units for one in desk.table.progressive.meters} == ({} if link else held)
    if link:
        desk.do("device", "link", "tell_meter", meter=name, shown=f"{held[name] // 1_000_000}.10")
    won = held[name]
    legs = {f"{at}{name}": reset - won, "meter awarded": won, "meter seeded": -reset}
    assert doing(desk, "dealer", "d1", "settle", what="hand", seat=1)[-1] == (
        "award_pending",
        {"pending Ann": won // 10_000, "awards": -won // 10_000, **legs},
    )
    assert {one.name: one.units for one in desk.table.progressive.meters} == ({} if link else held | {name: reset})


@pytest.mark.clause("md-mississippi-stud 11.I(4)(d)")
def test_an_award_in_dollars_waits_like_any_other_and_leaves_the_meter_alone() -> None:
    desk = settled_by_ann("Ah Ad Ac As Th")
    held = desk.table.progressive.meters[0].units
    award = desk.do("dealer", "d1", "settle", what="hand", seat=1)
    assert award.endswith("award_pending")
    pending = desk.table.progressive.awards[0]
    assert (pending.amount, pending.meter, pending.taken, pending.reset, pending.handpay) == (30_000, "", 0, 0, False)
    desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=True)
    desk.do("floorperson", "f1", "validate_award", seat=1)
    assert doing(desk, "dealer", "d1", "pay_award", seat=1) == [
        ("award_paid", {"pending Ann": -30_000, "chips Ann": 30_000, "tray": -30_000, "awards": 30_000})
    ]
    assert desk.table.progressive.meters[0].units == held


def test_a_player_who_is_called_like_a_meter_does_not_move_it() -> None:
    desk = Desk(stud(wagers=PROGRESSIVE))
    desk.seat("main")
    bet(desk, "main")
    assert desk.table.progressive.meters[0].units == 20_000_000_000
    assert desk.books()["chips main"] == 99_000


# --- rules


def test_a_table_begins_with_its_meters_seeded() -> None:
    desk = settled_by_ann()
    entry = creation(desk.first, Person("operator", "o1"), desk.now)
    legs = {str(account): amount for account, amount in postings(desk.first, entry.event)}
    assert legs == {"meter main": 20_000_000_000, "meter seeded": -20_000_000_000}


@pytest.mark.parametrize(
    ("before", "meter", "seeded"),
    [
        (PROGRESSIVE, METER, 0),
        (PROGRESSIVE, METER | {"initial": "60000.00", "reset": "25000.00"}, 5_000_000_000),
        ({}, METER, 20_000_000_000),
    ],
)
def test_new_rules_carry_meters_over_and_seed_what_is_missing(
    before: dict[str, object], meter: dict[str, str], seeded: int
) -> None:
    desk = Desk(stud(wagers=before))
    desk.seat("Ann")
    held = sum(one.units for one in desk.table.progressive.meters)
    after = {"progressive": PROGRESSIVE["progressive"] | {"meters": {"main": meter}, "reserve_rate": "0.01"}}
    desk.do("operator", "o1", "propose_rules", submission=stud(wagers=after), approval="A-7")
    legs = {"meter main": seeded, "meter seeded": -seeded}
    assert doing(desk, "operator", "o2", "confirm_rules") == ([("rules_changed", legs)] if seeded else [])
    assert desk.table.progressive.meters[0].units == held + seeded


# --- debts


def test_what_a_player_has_taken_away_is_owed_to_the_cent() -> None:
    desk = settled_by_ann(STRAIGHT_FLUSH)
    desk.do("floorperson", "f1", "leave", seat=1, how="play_on")
    desk.do("dealer", "d1", "settle", what="hand", seat=1)
    desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=True)
    desk.do("floorperson", "f1", "validate_award", seat=1)
    desk.do("dealer", "d1", "pay_award", seat=1)
    assert doing(desk, "player", "Ann", "stand_up") == [("player_stood_up", {"chips Ann": -699_901, "cage": 699_901})]
    assert doing(desk, "floorperson", "f1", "rule", irregularity="wrong_count_community") == [
        ("settlement_reversed", {"layout": 4_000, "tray": -4_000, "owed Ann": 404_000, "claims": -404_000}),
        ("hand_settled", {"layout": -4_000, "tray": -100, "chips Ann": 4_100}),
        ("meter_raised", {"meter main": -100_000, "meter fed": 100_000}),
        (
            "award_reversed",
            {
                "chips Ann": -4_100,
                "tray": 4_100,
                "meter main": 2_000_010_000,
                "meter awarded": -2_000_010_000,
                "owed Ann": 195_901,
                "claims": -195_901,
            },
        ),
    ]
    # She brought $1,000 and went with $6,999.01.
    assert desk.books() == {"cage": -99_400_099, "claims": -599_901, "owed Ann": 599_901, "tray": 99_400_099}


def test_a_raise_that_is_restored_for_somebody_who_has_gone_is_owed() -> None:
    desk = over_raised()
    desk.do("floorperson", "f1", "leave", seat=1, how="play_on")
    desk.do("dealer", "d1", "settle", what="hand", seat=1)
    desk.do("player", "Ann", "stand_up")
    assert doing(desk, "floorperson", "f1", "reverse_settlement", reason="counted wrongly") == [
        ("settlement_reversed", {"layout": 2_000, "tray": -2_000, "owed Ann": 4_000, "claims": -4_000}),
        ("raise_restored", {"layout": 2_000, "tray": -2_000, "owed Ann": 2_000, "claims": -2_000}),
    ]


def test_a_player_who_has_enough_left_owes_nothing() -> None:
    desk = settled_by_ann()
    desk.do("dealer", "d1", "settle", what="hand", seat=1)
    desk.do("floorperson", "f1", "reverse_settlement", reason="counted wrongly")
    assert not [account for account in desk.books() if account.startswith(("owed", "claims"))]


# --- the books


def test_postings_that_do_not_balance_are_refused_and_an_empty_tray_is_still_an_account() -> None:
    with pytest.raises(ValueError, match="postings do not balance: 1"):
        post((), [Posting(TRAY, 501), Posting(CAGE, -500)])
    books = post((), [Posting(TRAY, 500), Posting(CAGE, -500)])
    assert post(books, [Posting(TRAY, -500), Posting(CAGE, 500)]) == ((TRAY, 0),)


def test_money_that_belongs_to_nobody_is_not_moved() -> None:
    desk = Desk(stud())
    desk.seat("Ann")
    gone = round_events.WagerReturned(2, "ante", Cents(1_000), "11.J", None)
    with pytest.raises(ValueError, match="seat 2 has no box"):
        postings(desk.table, gone)
    bet(desk, "Ann")
    with pytest.raises(ValueError, match="seat 2 has no box"):
        postings(desk.table, gone)
    with pytest.raises(MoneyError, match="-100 cents"):
        contribution(Cents(-100), 100_000)
