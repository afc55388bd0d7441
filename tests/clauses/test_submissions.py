"""Broken Rules Submissions: each gives exactly the finding named here, with its clause, reading and key.

Each case begins from a submission that offers every wager of its document and has no finding at all, and
changes a few keys of it; `GONE` takes a key away.
"""

import copy
import tomllib
from typing import Any

import pytest

from croupier.errors import Malformed
from croupier.rulebook import (
    check,
    check_links,
    load_rulebook,
    read_submission,
    read_submission_text,
    rulebook_ids,
    submission_text,
)
from croupier.rulebook.template import starting_submission

GONE: Any = object()
MS, MA, LIR, HCF = "md-mississippi-stud", "ma-mississippi-stud", "md-let-it-ride", "md-high-card-flush"
APPROVALS = {
    MS: {"layout": "L-1"},
    MA: {"automated_shoe": "A-1", "progressive": "P-1"},
    LIR: {"layout": "L-1"},
    HCF: {"layout": "L-1"},
}
Changes = dict[str, Any]


def full(rulebook: str) -> dict[str, Any]:
    """A submission with every wager and every reference: nothing to find."""
    text = starting_submission(load_rulebook(rulebook), every_wager=True)
    return tomllib.loads(text) | {"approvals": dict(APPROVALS[rulebook])}


def changed(rulebook: str, changes: Changes) -> dict[str, Any]:
    raw = copy.deepcopy(full(rulebook))
    for key, value in changes.items():
        *path, last = key.split("/")
        table = raw
        for name in path:
            table = table.setdefault(name, {})
        if value is GONE:
            del table[last]
        else:
            table[last] = value
    return raw


def meter(initial: str, reset: str, rate: str = "0.05") -> dict[str, str]:
    return {"initial": initial, "reset": reset, "rate": rate}


def progressive(paytable: str, stake: str = "1.00", **meters: dict[str, str]) -> Changes:
    return {"wagers/progressive": {"paytable": paytable, "stake": stake, "meters": meters}}


def three_meters(paytable: str, **other: str) -> Changes:
    """Mega, major and minor at their least amounts but for the ones named."""
    least = {"mega": "10000.00", "major": "1000.00", "minor": "250.00"} | other
    amounts = {name: meter("20000.00", least[name]) for name in ("mega", "major", "minor")}
    return progressive(paytable, "1.00", **amounts)


def linked(paytable: str, stake: str, **table: object) -> Changes:
    other = {"paytable": paytable, "stake": stake} | table
    return {"wagers/progressive/link": {"name": "harbor", "tables": [other]}}


NO_SIX: Changes = {"wagers/six_card_bonus": GONE}
NO_COVER: Changes = {"wagers/cover_all": GONE, "cards/cover_all_mode": GONE}
BY_HAND: Changes = {"cards/deal": "manual_shoe", "cards/shuffle": "manual"}
MAIN = "wagers.progressive.meters.main"

ERRORS: list[tuple[str, str, Changes, str, int | None, str]] = [
    # what it is, rulebook, changes, clause, reading, key
    ("seven seats", MS, {"seats": 7}, "2.A", None, "seats"),
    ("seven seats", HCF, {"seats": 7}, "2.A", None, "seats"),
    ("eight seats", LIR, {"seats": 8}, ".02A(1)", None, "seats"),
    ("eight seats", MA, NO_COVER | {"seats": 8}, "11bis(c)", 112, "seats"),
    ("no seat", MS, {"seats": 0}, "2.A", None, "seats"),
    ("seven seats with Cover All", MA, {"seats": 7}, "12(k) 6 players", 112, "seats"),
    ("two boxes", MS, {"boxes": 2}, "7.G", None, "boxes"),
    ("two boxes", MA, {"boxes": 2}, "6(d)", None, "boxes"),
    ("more boxes than seats", HCF, {"boxes": 7}, "7.G", 87, "boxes"),
    ("more boxes than seats", LIR, {"boxes": 8}, ".07F", 87, "boxes"),
    ("no box", HCF, {"boxes": 0}, "7.G", 87, "boxes"),
    ("a minimum of nothing", MS, {"limits/ante/minimum": "0.00"}, "7.F(1)", 14, "limits.ante.minimum"),
    ("a maximum below the minimum", MS, {"limits/ante/maximum": "9.99"}, "7.F(1)", 14, "limits.ante.maximum"),
    ("a maximum below the minimum", LIR, {"limits/bet/maximum": "9.99"}, ".07E(1)", 14, "limits.bet.maximum"),
    ("a step of nothing", HCF, {"limits/ante/increment": "0"}, "7.F(1)", 14, "limits.ante.increment"),
    ("limits of another game", MS, {"limits/bet": {"minimum": "5"}}, "7.F(1)", 190, "limits.bet"),
    ("limits of another game", LIR, {"limits/ante": {"minimum": "5"}}, ".07E(1)", 190, "limits.ante"),
    ("a bonus of nothing", HCF, {"wagers/flush_bonus/minimum": "0"}, "7.F(2)", 14, "wagers.flush_bonus.minimum"),
    ("a bonus upside down", MS, {"wagers/six_card_bonus/maximum": "1"}, "7.F(5)", 14, "wagers.six_card_bonus.maximum"),
    # wagers and paytables
    ("a wager of another state", MS, {"wagers/cover_all": {"paytable": "standard"}}, "7.F(1)", None, "wagers.cover_all"),
    ("a wager of another state", MA, {"wagers/six_card_bonus": {"paytable": "A"}}, "1(Ante wager)", None,
     "wagers.six_card_bonus"),
    ("a wager of another game", HCF, {"wagers/three_card_bonus": {"paytable": "A"}}, "7.F(1)", None,
     "wagers.three_card_bonus"),
    ("a wager always offered", MS, {"wagers/third_street": {}}, "7.F(1)", None, "wagers.third_street"),
    ("another base table than the only one", MS, {"wagers/base": {"paytable": "A"}}, "12.A(1)-(10)", None,
     "wagers.base.paytable"),
    ("a stake of the base game", LIR, {"wagers/base/stake": "5.00"}, ".07E(1)", 190, "wagers.base.stake"),
    ("no base table", LIR, {"wagers/base": GONE}, ".12A", None, "wagers.base.paytable"),
    ("base table D", LIR, {"wagers/base/paytable": "D"}, ".12A", None, "wagers.base.paytable"),
    ("Three Card table G", MS, {"wagers/three_card_bonus/paytable": "G"}, "12.D", None, "wagers.three_card_bonus.paytable"),
    ("no Three Card table", MS, {"wagers/three_card_bonus/paytable": GONE}, "12.D", None,
     "wagers.three_card_bonus.paytable"),
    ("Three Card table D", LIR, {"wagers/three_card_bonus/paytable": "D"}, ".12C", None,
     "wagers.three_card_bonus.paytable"),
    ("3CS-07", MA, {"wagers/three_card_bonus/paytable": "3CS-07"}, "6(f)(4)", 157, "wagers.three_card_bonus.paytable"),
    ("Six Card table C", MS, {"wagers/six_card_bonus/paytable": "C"}, "12.E", None, "wagers.six_card_bonus.paytable"),
    ("no Six Card table", LIR, {"wagers/six_card_bonus/paytable": GONE}, ".12D", None, "wagers.six_card_bonus.paytable"),
    ("Five Card table H", LIR, {"wagers/five_card_bonus/paytable": "H"}, ".12B", None, "wagers.five_card_bonus.paytable"),
    ("Flush Bonus table P", HCF, {"wagers/flush_bonus/paytable": "P"}, "12.B", None, "wagers.flush_bonus.paytable"),
    ("Straight Flush Bonus table H", HCF, {"wagers/straight_flush_bonus/paytable": "H"}, "12.C", None,
     "wagers.straight_flush_bonus.paytable"),
    ("Cover All table A", MA, {"wagers/cover_all/paytable": "A"}, "12(c)", None, "wagers.cover_all.paytable"),
    ("Six Card without Three Card", MS, {"wagers/three_card_bonus": GONE}, "7.F(5)(c)", 88, "wagers.six_card_bonus"),
    ("a stake beside limits", MS, {"wagers/three_card_bonus/stake": "5.00"}, "7.F(4)", 190, "wagers.three_card_bonus.stake"),
    ("meters of a bonus", MS, {"wagers/three_card_bonus/meters": {"main": meter("1", "1")}}, "7.F(4)", 190,
     "wagers.three_card_bonus.meters"),
    ("limits of a fixed stake", MS, {"wagers/progressive/minimum": "1.00"}, "7.F(3)", 190, "wagers.progressive.minimum"),
    ("limits of a fixed stake", LIR, {"wagers/five_card_bonus/maximum": "5"}, ".07E(3)", 190,
     "wagers.five_card_bonus.maximum"),
    # the progressive
    ("progressive table E", MS, {"wagers/progressive/paytable": "E"}, "12.C(1)", None, "wagers.progressive.paytable"),
    ("progressive table F", HCF, {"wagers/progressive/paytable": "F"}, "12.E(1)", None, "wagers.progressive.paytable"),
    ("progressive table D", LIR, {"wagers/progressive/paytable": "D"}, ".12E", None, "wagers.progressive.paytable"),
    ("no progressive table", MA, {"wagers/progressive/paytable": GONE}, "11bis(h)", None, "wagers.progressive.paytable"),
    ("a stake without envy", MS, {"wagers/progressive/stake": "2.00"}, "12.C(1)(a)", 17, "wagers.progressive.stake"),
    ("a stake without envy", HCF, {"wagers/progressive/stake": "5.00"}, "12.E(1)(a)", 17, "wagers.progressive.stake"),
    ("a stake without envy", LIR, {"wagers/progressive/stake": "2.00"}, ".12E(1)", 17, "wagers.progressive.stake"),
    ("no stake", MS, {"wagers/progressive/stake": GONE}, "12.C(1)(a)", 17, "wagers.progressive.stake"),
    ("MG-02 for a dollar", MA, progressive("MS Stud MG-02", main=meter("10000", "10000")), "11bis(h) MS Stud MG-02", 49,
     "wagers.progressive.stake"),
    ("MS Stud-01 for two dollars", MA, {"wagers/progressive/stake": "2.00"}, "11bis(h) MS Stud-01", 49,
     "wagers.progressive.stake"),
    ("A resets too low", MS, {"wagers/progressive/meters/main/reset": "9999.99"}, "12.C(3)(b)(i)", None, f"{MAIN}.reset"),
    ("A begins too low", MS, {"wagers/progressive/meters/main/initial": "9999.99"}, "12.C(3)(b)(i)", None,
     f"{MAIN}.initial"),
    ("no reset", MS, {"wagers/progressive/meters/main/reset": GONE}, "12.C(3)(b)(i)", None, f"{MAIN}.reset"),
    ("no initial", MS, {"wagers/progressive/meters/main/initial": GONE}, "12.C(3)(b)(i)", None, f"{MAIN}.initial"),
    ("a meter too many", MS, {"wagers/progressive/meters/minor": meter("250", "250")}, "12.C(3)(b)(i)", None,
     "wagers.progressive.meters.minor"),
    ("B major too low", MS, progressive("B", major=meter("9999", "999"), minor=meter("250", "250")), "12.C(3)(b)(ii)(1)", 29,
     "wagers.progressive.meters.major.reset"),
    ("B minor too low", MS, progressive("B", major=meter("10000", "10000"), minor=meter("250", "249")),
     "12.C(3)(b)(ii)(2)", 29, "wagers.progressive.meters.minor.reset"),
    ("C mega too low", MS, three_meters("C", mega="9999.99"), "12.C(3)(b)(iii)(1)", None,
     "wagers.progressive.meters.mega.reset"),
    ("C major too low", MS, three_meters("C", major="999.99"), "12.C(3)(b)(iii)(2)", None,
     "wagers.progressive.meters.major.reset"),
    ("C minor too low", MS, three_meters("C", minor="249.99"), "12.C(3)(b)(iii)(3)", None,
     "wagers.progressive.meters.minor.reset"),
    ("D mega too low", MS, three_meters("D", mega="9999.99"), "12.C(3)(b)(iv)(1)", None,
     "wagers.progressive.meters.mega.reset"),
    ("D major too low", MS, three_meters("D", major="500"), "12.C(3)(b)(iv)(2)", None,
     "wagers.progressive.meters.major.reset"),
    ("D minor too low", MS, three_meters("D", minor="0.01"), "12.C(3)(b)(iv)(3)", None,
     "wagers.progressive.meters.minor.reset"),
    ("A resets too low", HCF, progressive("A", main=meter("30000", "29999.99")), "12.E(2)(b)(i)", None, f"{MAIN}.reset"),
    ("B resets too low", HCF, progressive("B", main=meter("30000", "29999.99")), "12.E(2)(b)(i)", None, f"{MAIN}.reset"),
    ("C resets too low", HCF, progressive("C", main=meter("5000", "4999.99")), "12.E(2)(b)(ii)", None, f"{MAIN}.reset"),
    ("D begins too low", HCF, progressive("D", main=meter("29999", "30000")), "12.E(2)(b)(i)", None, f"{MAIN}.initial"),
    ("E resets too low", HCF, progressive("E", main=meter("25000", "24000")), "12.E(2)(b)(iii)", None, f"{MAIN}.reset"),
    ("resets too low", LIR, {"wagers/progressive/meters/main/reset": "999.99"}, ".12F(2)", 45, f"{MAIN}.reset"),
    ("no reset", MA, {"wagers/progressive/meters/main/reset": GONE}, "11bis(e)", 50, f"{MAIN}.reset"),
    ("no rate", MS, {"wagers/progressive/meters/main/rate": GONE}, "12.C(3)(a)", 18, f"{MAIN}.rate"),
    ("no rate", HCF, {"wagers/progressive/meters/main/rate": GONE}, "12.E(2)(a)", 18, f"{MAIN}.rate"),
    ("no rate", LIR, {"wagers/progressive/meters/main/rate": GONE}, ".12F(1)", 18, f"{MAIN}.rate"),
    ("no rate", MA, {"wagers/progressive/meters/main/rate": GONE}, "11bis(e)", 50, f"{MAIN}.rate"),
    ("a rate above the stake", MS, {"wagers/progressive/meters/main/rate": "1.000001"}, "12.C(3)(a)", 18, f"{MAIN}.rate"),
    ("a rate of seven decimals", MS, {"wagers/progressive/meters/main/rate": "0.1234567"}, "12.C(3)(a)", 16, f"{MAIN}.rate"),
    ("rates above the stake", MS, {"wagers/progressive/reserve_rate": "0.91"}, "12.C(3)(a)", 18, "wagers.progressive.meters"),
    ("a reserve above the stake", HCF, {"wagers/progressive/reserve_rate": "2"}, "12.E(2)(a)", 18,
     "wagers.progressive.reserve_rate"),
    # links
    ("a link on MS Stud-01", MA, {"wagers/progressive/link": "harbor"}, "11bis(i)", 51, "wagers.progressive.link"),
    ("linked at another stake", MA, {"wagers/progressive/paytable": "MS Stud MG-01"} | linked("MS Stud MG-01", "5.00"),
     "11bis(k)", 52, "wagers.progressive.link.tables[0].stake"),
    ("linked on another paytable", MA, {"wagers/progressive/paytable": "MS Stud MG-01"} | linked("MS Stud MG-02", "1.00"),
     "11bis(k)", 52, "wagers.progressive.link.tables[0].paytable"),
    ("linked with two decks in play", MA,
     {"wagers/progressive/paytable": "MS Stud MG-01"} | linked("MS Stud MG-01", "1.00", decks=2),
     "11bis(k)", 52, "wagers.progressive.link.tables[0].decks"),
    ("linked at another stake", MS, linked("A", "5.00"), "12.C(1)", 17, "wagers.progressive.link.tables[0].stake"),
    # cards and devices
    ("three decks", MS, {"cards/decks": 3}, "3.A", None, "cards.decks"),
    ("no deck", LIR, {"cards/decks": 0}, ".03A(1)", None, "cards.decks"),
    ("two decks by hand", MS, NO_SIX | BY_HAND | {"cards/decks": 2}, "3.B", None, "cards.decks"),
    ("two decks by hand", HCF, {"cards/decks": 2}, "3.B", None, "cards.decks"),
    ("two decks by hand", LIR, {"cards/decks": 2}, ".03B", None, "cards.decks"),
    ("two decks by hand", MA, NO_COVER | BY_HAND | {"cards/decks": 2}, "2(b)", None, "cards.decks"),
    ("dealt from the hand, shuffled by hand", MS, NO_SIX | BY_HAND | {"cards/deal": "hand"}, "9.A(1)", None, "cards.shuffle"),
    ("dealt from the hand, shuffled by hand", HCF, {"cards/deal": "hand"}, "9.A(1)", None, "cards.shuffle"),
    ("dealt from the hand, shuffled by hand", LIR, {"cards/deal": "hand"}, ".09A(1)", None, "cards.shuffle"),
    ("dealt from the hand, shuffled by hand", MA, NO_COVER | BY_HAND | {"cards/deal": "hand"}, "8(b)(1)", None,
     "cards.shuffle"),
    ("an unknown shuffle", MS, NO_SIX | {"cards/shuffle": "riffle"}, "5.A(1)", None, "cards.shuffle"),
    ("an unknown deal", HCF, {"cards/deal": "slide"}, "8.B", None, "cards.deal"),
    ("a continuous shuffler without approval", MS, {"cards/shuffle": "continuous"}, "5.H", 125,
     "approvals.continuous_shuffler"),
    ("a continuous shuffler without approval", HCF, {"cards/shuffle": "continuous"}, "5.H", 125,
     "approvals.continuous_shuffler"),
    ("a continuous shuffler without approval", LIR, {"cards/shuffle": "continuous"}, ".05I", 125,
     "approvals.continuous_shuffler"),
    ("a continuous shuffler", MA, NO_COVER | {"cards/shuffle": "continuous"}, "4(a)", None, "cards.shuffle"),
    ("nine hours from a shoe", MS, {"cards/deck_hours": 9}, "3.C(2)", 126, "cards.deck_hours"),
    ("five hours from the hand", HCF,
     {"cards/deal": "hand", "cards/shuffle": "automated", "cards/deck_hours": 5},
     "3.C(1)", 126, "cards.deck_hours"),
    ("nine hours from a shoe", LIR, {"cards/deck_hours": 9}, ".03C(2)", 126, "cards.deck_hours"),
    ("no hour", MS, {"cards/deck_hours": 0}, "3.C(2)", 126, "cards.deck_hours"),
    ("no deck hours", MA, {"cards/deck_hours": GONE}, "3(a)", 126, "cards.deck_hours"),
    ("the Six Card box from a manual shoe", MS, {"cards/deal": "manual_shoe"}, "10.B(1)", 99, "cards.deal"),
    ("Cover All without a counting shuffler", MA, {"cards/shuffle": "automated"}, "12(d)", None, "cards.shuffle"),
    ("Cover All from the hand", MA, {"cards/deal": "hand"}, "12(d)", None, "cards.deal"),
    ("Cover All out of its mode", MA, {"cards/cover_all_mode": False}, "12(d)", None, "cards.cover_all_mode"),
    ("Cover All mode without Cover All", MA, {"wagers/cover_all": GONE}, "1(Ante wager)", 190, "cards.cover_all_mode"),
    ("three community cards without a self-reshuffling shoe", LIR, {"readings": {"lir": {"community_stack": 3}}}, ".10H", 105,
     "readings.lir.community_stack"),
    # the payout limit
    ("a lower limit without approval", MS, {"payout_limit": {"amount": "20000.00"}}, "12.B", 8, "payout_limit.approval"),
    ("a lower limit without approval", HCF, {"payout_limit": {"amount": "20000.00"}}, "12.D", 8, "payout_limit.approval"),
    ("a higher limit", MS, {"payout_limit": {"amount": "50000.01"}}, "12.B", 8, "payout_limit.amount"),
    ("a lower limit", MA, {"payout_limit": {"amount": "49999.99", "approval": "X"}}, "11(c)", 8, "payout_limit.amount"),
    ("a higher limit", MA, {"payout_limit": {"amount": "60000.00"}}, "11(c)", 8, "payout_limit.amount"),
    ("a limit without amount", MS, {"payout_limit": {"approval": "X"}}, "12.B", 6, "payout_limit.amount"),
    ("a limit of nothing", LIR, {"payout_limit": {"amount": "0"}}, ".02B(10)", 161, "payout_limit.amount"),
    # coupons, options, keys
    ("coupons in Maryland", MS, {"match_play": {"enabled": True}}, "7.A", 95, "match_play.enabled"),
    ("a coupon that pays for", MA, {"match_play": {"enabled": True, "pays": "2 for 1"}}, "6(a)", 95, "match_play.pays"),
    ("a coupon that pays nonsense", MA, {"match_play": {"enabled": True, "pays": "double"}}, "6(a)", 95, "match_play.pays"),
    ("an option of another game", MS, {"readings": {"hcf": {"ace_low": False}}}, "7.F(1)", 190, "readings.hcf.ace_low"),
    ("an option that nobody has", LIR, {"readings": {"cap": {"colour": "red"}}}, ".07E(1)", 190, "readings.cap.colour"),
    ("a value that an option does not have", MS, {"readings": {"cap": {"scope": "everything"}}}, "12.B", 6,
     "readings.cap.scope"),
    ("a count beyond an option", HCF, {"readings": {"stub": {"every_n": 6}}}, "8.G", 114, "readings.stub.every_n"),
    ("text where an option counts", MS, {"readings": {"stub": {"every_n": "5"}}}, "8.G", 114, "readings.stub.every_n"),
    ("an option fixed by the document", MS, {"readings": {"handpay": {"hundred_percent": False}}}, "11.I(4)(d)(i)", 25,
     "readings.handpay.hundred_percent"),
    ("an option of a wager not offered", MS, NO_SIX | {"readings": {"six_card": {"box_only_if_bet": True}}}, "10.B(1)", 100,
     "readings.six_card.box_only_if_bet"),
    ("a key that nothing reads", MS, {"dealers": 2}, "7.F(1)", 190, "dealers"),
    ("a key that nothing reads", LIR, {"cards/colour": "red"}, ".07E(1)", 190, "cards.colour"),
    ("a misspelt key of a meter", HCF, {"wagers/progressive/meters/main/resets": "1"}, "7.F(1)", 190, f"{MAIN}.resets"),
    ("an empty way to shuffle", HCF, {"cards/shuffle": ""}, "5.A(1)", None, "cards.shuffle"),
    ("an option of a wager that this document lacks", MS, {"readings": {"cap": {"extra_scopes": ["cover_all"]}}}, "12.B", 12,
     "readings.cap.extra_scopes"),
    ("two passes from an automated shoe", MS, {"readings": {"deal": {"pattern": "two_passes"}}}, "8.E(1)", 98,
     "readings.deal.pattern"),
    ("the order of a device that is not there", MA, NO_COVER | {"cards/deal": "hand", "readings": {"ma": {"auto_order": "device_procedure"}}},
     "9(a)", 108, "readings.ma.auto_order"),
    ("a name for no meter", MS, {"readings": {"meter_labels": {"jumbo": "J"}}}, "12.C(1)", 29, "readings.meter_labels"),
    ("an empty name", MS, {"readings": {"meter_labels": {"main": "  "}}}, "12.C(1)", 29, "readings.meter_labels"),
    ("three community cards from a manual shoe", LIR,
     {"cards/shuffle": "continuous", "approvals/continuous_shuffler": "C", "readings": {"lir": {"community_stack": 3}}},
     ".10H", 105, "readings.lir.community_stack"),
]  # fmt: skip

WARNINGS: list[tuple[str, str, Changes, str, int | None, str]] = [
    ("an approval that nothing asks for", MA, {"approvals/tables": "T"}, "1(Ante wager)", 190, "approvals.tables"),
    ("an approval of another game", MS, {"approvals/five_card_stake": "F"}, "7.F(1)", 190, "approvals.five_card_stake"),
    ("a maximum out of step", MS, {"limits/ante": {"minimum": "10", "maximum": "12", "increment": "5"}}, "7.F(1)", 14,
     "limits.ante.increment"),
    ("no layout approval", MS, {"approvals/layout": GONE}, "2.B", None, "approvals.layout"),
    ("no layout approval", LIR, {"approvals/layout": GONE}, ".02B", None, "approvals.layout"),
    ("no shoe approval", MA, {"approvals/automated_shoe": GONE}, "9(a)", None, "approvals.automated_shoe"),
    ("no approval of reset and rate", MA, {"approvals/progressive": GONE}, "11bis(e)", 50, "approvals.progressive"),
    ("a meter that never rises", MS, {"wagers/progressive/meters/main/rate": "0"}, "12.C(3)(a)", 18, f"{MAIN}.rate"),
    ("a royal for a thousand dollars", MS, progressive("B", major=meter("1000", "1000"), minor=meter("250", "250")),
     "12.C(3)(b)(ii)(1)", 29, "wagers.progressive.meters.major.reset"),
    ("Six Card asking for less", LIR, {"readings": {"six_card": {"requires": ["threeCard"]}}}, ".07E(5)", 89,
     "readings.six_card.requires"),
    ("another order from the shoe", MA, {"readings": {"ma": {"auto_order": "deviceProcedure"}}}, "9(a)", 108,
     "readings.ma.auto_order"),
    ("a Five Card stake of five dollars", LIR, {"wagers/five_card_bonus/stake": "5.00"}, ".07E(3)", 3,
     "approvals.five_card_stake"),
]  # fmt: skip


def cases() -> list[Any]:
    return [
        pytest.param(
            severity,
            rulebook,
            changes,
            (clause, reading, key),
            id=f"{rulebook}: {name}",
            marks=pytest.mark.clause(f"{rulebook} {clause}"),
        )
        for severity, table in (("error", ERRORS), ("warning", WARNINGS))
        for name, rulebook, changes, clause, reading, key in table
    ]


def test_there_are_eighty_and_more() -> None:
    assert len(cases()) > 80


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_submission_they_begin_from_has_no_finding(rulebook: str) -> None:
    assert check(read_submission(full(rulebook))).findings == ()


@pytest.mark.parametrize(("severity", "rulebook", "changes", "named"), cases())
def test_exactly_the_finding_named(
    severity: str, rulebook: str, changes: Changes, named: tuple[str, int | None, str]
) -> None:
    verdict = check(read_submission(changed(rulebook, changes)))
    found = [(finding.severity, finding.clause, finding.reading, finding.key) for finding in verdict.findings]
    assert found == [(severity, *named)], verdict.findings
    assert verdict.valid == (severity == "warning")


def test_the_six_card_box_by_option_still_wants_its_approval() -> None:
    changes = {"cards/deal": "manual_shoe", "readings": {"six_card": {"manual_box": "first_four"}}}
    found = [(one.severity, one.clause, one.key) for one in check(read_submission(changed(MS, changes))).findings]
    assert found == [("error", "10.B(1)", "cards.deal"), ("warning", "10.B(1)", "readings.six_card.manual_box")]


def test_none_and_off_are_words_for_no_number() -> None:
    options = {"decision": {"timeout": "none"}, "idle": {"auto_minutes": "off"}, "cap": {"extra_scopes": "none"}}
    with_words = check(read_submission(changed(MS, {"readings": options}))).house
    plain = check(read_submission(full(MS))).house
    assert with_words is not None
    assert plain is not None
    assert with_words.hash == plain.hash


@pytest.mark.clause(
    "ma-mississippi-stud 11bis(e)", "md-mississippi-stud 12.C(3)(a)", "md-mississippi-stud 12.C(3)(b)(i)"
)
@pytest.mark.parametrize("rulebook", [MA, MS])
def test_a_meter_that_is_not_set_up_lacks_three_things(rulebook: str) -> None:
    found = check(read_submission(changed(rulebook, {"wagers/progressive/meters": GONE}))).findings
    assert [finding.key for finding in found] == [f"{MAIN}.initial", f"{MAIN}.reset", f"{MAIN}.rate"]


def test_a_rate_can_be_wrong_in_two_ways() -> None:
    found = check(read_submission(changed(MS, {"wagers/progressive/meters/main/rate": "1.1234567"}))).findings
    assert [finding.reading for finding in found] == [16, 18]
    found = check(read_submission(changed(MS, {"wagers/progressive/meters/main/rate": f"0.{'1' * 60}"}))).findings
    assert [finding.reading for finding in found] == [16]


def test_a_linked_stake_is_compared_also_when_it_is_the_default() -> None:
    changes = progressive("MS Stud MG-02", "5.00", main=meter("1", "1")) | linked("MS Stud MG-02", "1.00")
    raw = changed(MA, changes)
    del raw["wagers"]["progressive"]["stake"]
    assert [finding.key for finding in check(read_submission(raw)).findings] == [
        "wagers.progressive.link.tables[0].stake"
    ]


def test_the_reference_of_a_lower_limit_is_kept() -> None:
    limits = [{"amount": "40000.00", "approval": reference} for reference in ("REF1", "REF2")]
    one, two = (check(read_submission(changed(MS, {"payout_limit": limit}))).house for limit in limits)
    assert one is not None
    assert two is not None
    assert dict(one.approvals)["payout_limit"] == "REF1"
    assert one.hash != two.hash
    blank = check(read_submission(changed(MS, {"payout_limit": {"amount": "40000.00", "approval": "  "}})))
    assert [finding.key for finding in blank.findings] == ["payout_limit.approval"]


@pytest.mark.clause("md-mississippi-stud 11.B(1)(a)", "md-high-card-flush 11.B(3)")
def test_bets_that_follow_the_ante_have_no_limits_of_their_own() -> None:
    for rulebook, name, multiples in ((MS, "third_street", (1, 2, 3)), (HCF, "raise", ())):
        house = check(read_submission(full(rulebook))).house
        assert house is not None
        (wager,) = [one for one in house.wagers if one.name == name]
        assert (wager.stakes, wager.multiples) == (None, multiples)


def test_the_order_of_a_list_is_not_part_of_the_hash() -> None:
    lists = [["three_card", "five_card"], ["fiveCard", "threeCard"]]
    houses = [check(read_submission(changed(LIR, {"readings": {"six_card": {"requires": one}}}))) for one in lists]
    assert [verdict.findings for verdict in houses] == [(), ()]
    assert len({verdict.house.hash for verdict in houses if verdict.house}) == 1


def test_all_findings_come_at_once() -> None:
    changes = {"seats": 7, "boxes": 2, "cards/decks": 3, "wagers/three_card_bonus/paytable": "G"}
    keys = [finding.key for finding in check(read_submission(changed(MS, changes))).findings]
    assert keys == ["seats", "boxes", "wagers.three_card_bonus.paytable", "cards.decks"]


LAWFUL: list[tuple[str, str, Changes, tuple[str, ...]]] = [
    ("two decks with a shuffler", MS, {"cards/decks": 2}, ("3.B",)),
    ("two decks with a shuffler", HCF, {"cards/decks": 2, "cards/shuffle": "automated"}, ("3.B",)),
    ("two decks with a shuffler", LIR, {"cards/decks": 2, "cards/shuffle": "automated"}, (".03B",)),
    ("two decks with a shuffler", MA, {"cards/decks": 2}, ("2(b)",)),
    ("a continuous shuffler approved", MS, {"cards/shuffle": "continuous", "approvals/continuous_shuffler": "C"}, ("5.H",)),
    ("a continuous shuffler approved", HCF, {"cards/shuffle": "continuous", "approvals/continuous_shuffler": "C"}, ("5.H",)),
    ("a continuous shuffler approved", LIR, {"cards/shuffle": "continuous", "approvals/continuous_shuffler": "C"}, (".05I",)),
    ("a board of three from a self-reshuffling shoe", LIR,
     {"cards/shuffle": "continuous", "cards/deal": "automated_shoe", "approvals/continuous_shuffler": "C", "readings": {"lir": {"community_stack": 3}}},
     (".10H",)),
    ("dealt from the hand", MA, NO_COVER | {"cards/deal": "hand"}, ("8(a)",)),
    ("dealt from an automated shoe", MA, {}, ("9(a)",)),
    ("a linked MG-01", MA, {"wagers/progressive/paytable": "MS Stud MG-01"} | linked("MS Stud MG-01", "1.00"), ("11bis(i)",)),
    ("the Six Card box from a manual shoe, approved", MS,
     {"cards/deal": "manual_shoe", "readings": {"six_card": {"manual_box": "firstFour"}}, "approvals/six_card_box": "B"},
     ("10.B(1)",)),
    ("a lower limit, approved", MS, {"payout_limit": {"amount": "20000.00", "approval": "P-7"}}, ("12.B",)),
    ("the only base table, named", HCF, {"wagers/base": {"paytable": "standard"}}, ("12.A",)),
    ("an option at its default without its wager", MS, NO_SIX | {"readings": {"box": {"exposed": "voidAll"}}}, ("13.E",)),
    ("names for meters and roles", MS, {"readings": {"meter_labels": {"main": "Grand"}, "role_map": {"dealer": "Croupier"}}}, ("12.C(1)",)),
    ("the limit of a higher minimum", MS, {"limits/ante/minimum": "15", "payout_limit": {"amount": "75000"}}, ("12.B(2)",)),
    ("the limit of a higher minimum", HCF,
     {"wagers/straight_flush_bonus/minimum": "10", "payout_limit": {"amount": "80300"}}, ("12.D(2)",)),
    ("three adjacent boxes", HCF, {"boxes": 3}, ("7.G",)),
    ("two adjacent boxes", LIR, {"boxes": 2}, (".07F",)),
    ("coupons in Massachusetts", MA, {"match_play": {"enabled": True}}, ("6(a)",)),
    ("seven seats without Cover All", MA, NO_COVER | {"seats": 7}, ("11bis(c)",)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rulebook", "changes"),
    [
        pytest.param(
            rulebook,
            changes,
            id=f"{rulebook}: {name}",
            marks=pytest.mark.clause(*(f"{rulebook} {clause}" for clause in clauses)),
        )
        for name, rulebook, changes, clauses in LAWFUL
    ],
)
def test_what_the_documents_allow_has_no_finding(rulebook: str, changes: Changes) -> None:
    assert check(read_submission(changed(rulebook, changes))).findings == ()


OPTIONAL = [
    pytest.param(book, wager.name, id=f"{book} {wager.name}", marks=pytest.mark.clause(f"{book} {wager.clause}"))
    for book in rulebook_ids()
    for wager in load_rulebook(book).wagers.wager
    if wager.offered == "option"
]


@pytest.mark.parametrize(("rulebook", "wager"), OPTIONAL)
def test_an_optional_wager_is_there_when_submitted_and_only_then(rulebook: str, wager: str) -> None:
    with_it = check(read_submission(full(rulebook))).house
    without = check(read_submission_text(starting_submission(load_rulebook(rulebook)), name="new")).house
    assert with_it is not None
    assert without is not None
    assert wager in [one.name for one in with_it.wagers]
    assert wager not in [one.name for one in without.wagers]


@pytest.mark.clause(
    "md-mississippi-stud 12.C(5)(b)",
    "md-high-card-flush 12.E(4)(b)",
    "md-let-it-ride .12H(2)",
    "ma-mississippi-stud 11bis(h)",
)
@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_envy_follows_the_letter_and_the_stake(rulebook: str) -> None:
    book = load_rulebook(rulebook)
    for table in book.paytables.paytable:
        if table.group != "progressive":
            continue
        for stake in table.stakes:
            meters = {
                minimum.meter: meter("99999.00", "99999.00")
                for minimum in book.paytables.minimum
                if minimum.paytable == table.id
            }
            house = check(read_submission(changed(rulebook, progressive(table.id, stake, **meters)))).house
            assert house is not None
            wager = house.wager("progressive")
            assert wager is not None
            columns = [envy for envy in book.paytables.envy if (envy.paytable, envy.stake) == (table.id, stake)]
            assert wager.envy == (columns[0] if columns else None)


@pytest.mark.clause("md-mississippi-stud 5.B", "md-high-card-flush 5.B", "md-let-it-ride .05C")
def test_automated_shufflers_may_load_the_shoe_themselves() -> None:
    for rulebook in (MS, HCF, LIR):
        loads = {one.method: one.loads_shoe is not None for one in load_rulebook(rulebook).table.shuffle}
        assert loads == {"manual": False, "automated": True, "automated_counting": True, "continuous": False}


@pytest.mark.clause("md-mississippi-stud 10.H", "md-mississippi-stud 10.B(2)", "md-mississippi-stud 10.B(3)")
def test_10_h_an_automated_shoe_gives_the_board_before_the_players() -> None:
    (script,) = [one for one in load_rulebook(MS).dealing.script if one.deal == "automated_shoe"]
    assert [(step.to, step.cards) for step in script.step] == [("six_card_box", 4), ("community", 3), ("player", 2)]


def test_a_submission_has_one_hash_however_it_is_written() -> None:
    text = starting_submission(load_rulebook(MS), every_wager=True)
    raw = tomllib.loads(text)
    raw["limits"]["ante"]["minimum"] = "10"
    raw["seats"] = 6
    backwards = dict(reversed(raw.items()))
    first, second = check(read_submission_text(text, name="toml")), check(read_submission(backwards))
    assert first.house is not None
    assert second.house is not None
    assert first.house.hash == second.house.hash
    raw["limits"]["ante"]["minimum"] = "10.01"
    other = check(read_submission(raw)).house
    assert other is not None
    assert other.hash != first.house.hash


def test_tables_that_share_a_meter_are_compared() -> None:
    one = check(
        read_submission(changed(MA, {"wagers/progressive/paytable": "MS Stud MG-01"} | linked("MS Stud MG-01", "1")))
    ).house
    two = check(
        read_submission(
            changed(
                MA, progressive("MS Stud MG-02", "5.00", main=meter("1", "1")) | {"wagers/progressive/link": "harbor"}
            )
        )
    ).house
    assert one is not None
    assert two is not None
    found = check_links({"one.toml": one, "two.toml": two})
    assert found["one.toml"] == []
    assert [(finding.clause, finding.key) for finding in found["two.toml"]] == [
        ("11bis(k)", "wagers.progressive.stake"),
        ("11bis(k)", "wagers.progressive.meters"),
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seats": "six"}, "seats: 'six' is not a whole number"),
        ({"seats": True}, "seats: True is not a whole number"),
        ({"limits/ante/minimum": 10.0}, "limits.ante.minimum: 10.0 is not an amount: write dollars as a string"),
        ({"limits/ante/minimum": True}, "limits.ante.minimum: True is not an amount"),
        ({"limits/ante/minimum": -10}, "limits.ante.minimum: '-10' is not an amount"),
        ({"limits/ante/minimum": "1,00"}, "a comma goes before three digits, as in 1,000.00"),
        ({"limits/ante/minimum": "ten"}, "limits.ante.minimum: 'ten' is not an amount"),
        ({"wagers/progressive/meters/main/rate": 0.1}, f"{MAIN}.rate: 0.1 is not a rate"),
        ({"wagers/progressive/meters/main/rate": "-0.1"}, f"{MAIN}.rate: '-0.1' is not a rate"),
        ({"wagers/progressive": "B"}, "wagers.progressive: 'B' is not a table of settings"),
        ({"cards/cover_all_mode": "yes"}, "cards.cover_all_mode: 'yes' must be true or false"),
        ({"operator": 7}, "operator: 7 is not text"),
        ({"rulebook": GONE}, "rulebook: missing"),
        ({"readings": {"cap": {"scope": 1.5}}}, "readings.cap.scope: 1.5 is not a value of an option"),
        (
            {"wagers/progressive/link": {"name": "x", "tables": [1]}},
            "wagers.progressive.link.tables: [1] is not a list of tables",
        ),
        ({"wagers/progressive/link": {"name": "x", "tables": [{}]}}, "a linked table needs a paytable and a stake"),
    ],
)
def test_what_cannot_be_read_names_its_key(changes: Changes, message: str) -> None:
    with pytest.raises(Malformed) as refusal:
        read_submission(changed(MS, changes))
    assert message in str(refusal.value)


@pytest.mark.parametrize("typed", [10, "10", "$10", "10.0", " 10.00 "])
def test_an_amount_is_the_same_however_it_is_written(typed: object) -> None:
    written, usual = (read_submission(changed(MS, {"limits/ante/minimum": amount})) for amount in (typed, "10.00"))
    assert submission_text(written) == submission_text(usual)


@pytest.mark.parametrize(
    ("typed", "share"), [("12%", "0.12"), ("0.5%", "0.005"), ("12.5 %", "0.125"), ("150%", "1.50")]
)
def test_a_rate_may_be_a_percentage(typed: str, share: str) -> None:
    key = "wagers/progressive/meters/main/rate"
    written, usual = (read_submission(changed(MS, {key: rate})) for rate in (typed, share))
    assert submission_text(written) == submission_text(usual)


def test_what_cannot_be_read_names_file_and_line() -> None:
    with pytest.raises(Malformed, match=r"^house.toml, line 4: limits.ante.minimum: 'ten' is not an amount"):
        read_submission_text('rulebook = "x"\n\n[limits.ante]\nminimum = "ten"\n', name="house.toml")
    with pytest.raises(Malformed, match=r"^house.toml: .*line 1"):
        read_submission_text("rulebook = \n", name="house.toml")
    with pytest.raises(Malformed, match=r"^house.json: JSON is malformed"):
        read_submission_text('{"rulebook": }', name="house.json")
    with pytest.raises(Malformed, match=r"^house.json: the key 'seats' appears twice"):
        read_submission_text('{"rulebook": "x", "seats": 6, "seats": 7}', name="house.json")
    with pytest.raises(Malformed, match=r"^house.json, line 2: seats: 'six' is not a whole number"):
        read_submission_text('{"rulebook": "x",\n"seats": "six"}', name="house.json")
    for text in ("seats = " + "9" * 5000, "[readings]\n" + "a." * 3000 + "a = 1", '{"a":' * 5000):
        with pytest.raises(Malformed, match=r"^house") as refusal:
            read_submission_text(f'rulebook = "x"\n{text}' if text[0] != "{" else text, name="house")
        assert len(str(refusal.value)) < 400
    assert read_submission_text('\ufeffrulebook = "x"', name="house").rulebook == "x"
    with pytest.raises(Malformed, match="unknown rulebook 'nj-baccarat'"):
        check(read_submission({"rulebook": "nj-baccarat"}))
