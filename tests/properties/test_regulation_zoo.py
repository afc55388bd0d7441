"""A zoo of broken regulations: whatever is wrong in a file is refused, and the refusal names file, key and fault.

Each animal is a shipped rulebook with one thing broken. The shipped ones load, are frozen, and their hash
follows every figure.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import Malformed, RegulationError
from croupier.money import Dollars, For, Push, Share, To, parse_dollars, parse_pay
from croupier.money.amounts import format_dollars
from croupier.rulebook import load_rulebook, rulebook_ids
from croupier.rulebook.editions import ENVIRONMENT, edition_folder
from croupier.rulebook.law import FILES
from support import slices

BOOKS = [edition_folder(name) for name in rulebook_ids()]
MISSISSIPPI = edition_folder("md-mississippi-stud")
COVER_ALL = edition_folder("ma-mississippi-stud")


class Broken(NamedTuple):
    what: str
    file: str
    old: str
    """What stands in the shipped file; its first place is changed."""
    new: str
    problem: str
    """How the refusal begins: the key and what is wrong with it."""
    told: str = ""
    """The file that the refusal names, where another one than the broken file tells."""
    book: Path = MISSISSIPPI


def line(hand: str, pays: str) -> str:
    return f'{{ hand = "{hand}", pays = "{pays}" }}'


ZOO = [
    # --- files and their shape
    Broken("a brace that never closes", "table.toml", ' clause = "2.A" }', "", "not TOML: "),
    Broken("a key twice", "source.toml", "title = ", 'id = "zz"\ntitle = ', "not TOML: "),
    Broken("an unknown key", "table.toml", "seats =", "chairs =", "top level: Object contains unknown"),
    Broken(
        "an unknown key in a row",
        "table.toml",
        "rounds = 5",
        "rounds = 5, every = 5",
        "stub_count[0]: Object contains unknown field `every`",
    ),
    Broken(
        "a key that is missing",
        "source.toml",
        'title = "Mississippi Stud"\n',
        "",
        "top level: Object missing required field `title`",
    ),
    Broken("text for a number", "table.toml", "= 6,", '= "six",', "seats.maximum: Expected `int`"),
    Broken("a fraction for a number", "table.toml", "= 6,", "= 6.5,", "seats.maximum: Expected `int`"),
    Broken("more seats than cards", "table.toml", "= 6,", "= 60,", "seats.maximum: Expected `int` <= 52"),
    Broken("no seat", "table.toml", "= 6,", "= 0,", "seats.maximum: Expected `int` >= 1"),
    Broken(
        "a status that is none: what is allowed is told",
        "source.toml",
        'status = "in force"',
        'status = "rumoured"',
        "status: Invalid enum value 'rumoured': draft, in force",
    ),
    Broken(
        "a way to deal that is none: what is allowed is told",
        "dealing.toml",
        'deal = "hand"\ntitle',
        'deal = "foot"\ntitle',
        "script[1].deal: Invalid enum value 'foot': automated_shoe, hand, manual_shoe",
    ),
    Broken(
        "a line that cannot be reached",
        "paytables.toml",
        line("royal_flush", "500 to 1") + ",\n  " + line("straight_flush", "100 to 1"),
        line("straight_flush", "100 to 1") + ",\n  " + line("royal_flush", "500 to 1"),
        "paytable[base standard].line: the lines are not in order from the strongest hand down",
    ),
    Broken(
        "odds for 1 on a stake that lies on the layout",
        "paytables.toml",
        line("full_house", "10 to 1"),
        line("full_house", "10 for 1"),
        "paytable[base standard].line: for 1 does not fit a stake that is left on the layout",
    ),
    Broken(
        "odds to 1 on a stake that was collected",
        "paytables.toml",
        'pays = "50 for 1"',
        'pays = "50 to 1"',
        "paytable[progressive A].line: to 1 does not fit a stake that is collected before the deal",
    ),
    Broken(
        "a wager that requires itself",
        "wagers.toml",
        'requires = [{ wager = "ante", clause = "7.F(1)" }]',
        'requires = [{ wager = "third_street", clause = "7.F(1)" }]',
        "wager[third_street].requires: a wager cannot require itself",
    ),
    Broken(
        "a limit of nothing",
        "play.toml",
        'amount = "50000.00"',
        'amount = "0.00"',
        "payout_limit.amount: an amount must be more than $0",
    ),
    Broken("hours below one", "table.toml", "hours = 4", "hours = 0", "deck_hours[0].hours: Expected `int` >="),
    Broken("a cut too deep", "table.toml", "depth = 10", "depth = 27", "cut.depth: Expected `int` <= 26"),
    Broken("a multiple of four", "wagers.toml", "[1, 2, 3]", "[4]", "wager[1].multiples[0]: Expected `int`"),
    Broken(
        "a table for a list",
        "irregularities.toml",
        "irregularity = [",
        "irregularity = {}\nx = [",
        "irregularity: Expected `array`",
    ),
    # --- identity, clauses and readings
    Broken(
        "the id of another folder",
        "source.toml",
        "zz-mississippi-stud",
        "zz-let-it-ride",
        "id: 'zz-let-it-ride' is in the folder of 'zz-mississippi-stud'",
    ),
    Broken("a clause twice", "clauses.toml", '"1.B(2)"', '"1.B(1)"', "1.B(1): the clause appears twice"),
    Broken(
        "a physical clause without a note",
        "clauses.toml",
        'note = "Between operator and Commission; no round depends on it."\n',
        "",
        "2.E: it has no effect in software, and no note says why",
    ),
    Broken(
        "a value without its clause",
        "table.toml",
        ', clause = "2.A"',
        "",
        "seats: Object missing required field `clause`",
    ),
    Broken(
        "a clause that the document does not have",
        "table.toml",
        '"2.A"',
        '"99.Z"',
        "seats: cites '99.Z', which is not a clause of this document",
    ),
    Broken(
        "a further clause that the document does not have",
        "table.toml",
        'also = ["5.E(1)"]',
        'also = ["5.E(9)"]',
        "cut: cites '5.E(9)', which is not a clause of this document",
    ),
    Broken(
        "a clause that has left the document",
        "clauses.toml",
        'id = "13.A"',
        'id = "13.AA"',
        "irregularity[one_card_face_up]: cites '13.A', which is not a clause",
        told="irregularities.toml",
    ),
    Broken(
        "a glossary of another document",
        "glossary.toml",
        'clause = "1.A"',
        'clause = "1"',
        "clause: cites '1', which is not a clause",
    ),
    Broken(
        "a reading that does not exist",
        "table.toml",
        "reading = 123",
        "reading = 999",
        "cut: cites reading 999, which does not exist",
    ),
    Broken(
        "a reading that is no number",
        "table.toml",
        "reading = 123",
        'reading = "123"',
        "cut.reading: Expected `int | null`, got `str`",
    ),
    # --- names from closed lists
    *(
        Broken(f"an unknown {kind}", file, f'"{name}"', '"whist"', f"{key}: Invalid enum value 'whist'")
        for kind, file, name, key in (
            ("game", "source.toml", "mississippi_stud", "game"),
            ("status", "source.toml", "in force", "status"),
            ("kind of clause", "clauses.toml", "define", "clause[0].kind"),
            ("rule of boxes", "table.toml", "one", "boxes.limit"),
            ("place of the cover card", "table.toml", "stays_at_bottom", "cut.cover_card"),
            ("way to deal", "table.toml", "hand", "deck_hours[0].deal[0]"),
            ("waiver", "table.toml", "automated_counting", "stub_count[0].waived_by[0]"),
            ("way to shuffle", "table.toml", "manual", "shuffle[0].method"),
            ("approval", "table.toml", "continuous_shuffler", "shuffle[3].approval"),
            ("place on the layout", "table.toml", "table", "area[0].place"),
            ("instrument", "wagers.toml", "plaque", "instruments.accepted[1]"),
            ("wager", "wagers.toml", "third_street", "wager[1].name"),
            ("way to offer", "wagers.toml", "always", "wager[0].offered"),
            ("rule of stakes", "wagers.toml", "limits", "wager[0].stake"),
            ("choice of cards", "wagers.toml", "own_and_community", "wager[0].cards"),
            ("evaluator", "wagers.toml", "five_card", "wager[0].evaluator"),
            ("group of paytables", "wagers.toml", "base", "wager[0].paytables"),
            ("end of a stake", "wagers.toml", "forfeit", "wager[0].fold.stake"),
            ("hand", "paytables.toml", "royal_flush", "paytable[0].line[0].hand"),
            ("meter", "paytables.toml", "main", "minimum[0].meter"),
            ("thing in common", "paytables.toml", "decks", "link.same[2]"),
            ("announcement", "dealing.toml", "no_more_bets", "announcement[0].says"),
            ("act", "dealing.toml", "announce", "before_deal[0].act"),
            ("place for cards", "dealing.toml", "six_card_box", "script[0].step[0].to"),
            ("decision", "play.toml", "third_street", "choice[0].decision"),
            ("rule of conduct", "play.toml", "own_hand", "conduct[0].rule"),
            ("direction", "play.toml", "right_to_left", "settlement.direction"),
            ("rule for a lower limit", "play.toml", "approval", "payout_limit.lower"),
            ("irregularity", "irregularities.toml", "one_card_face_up", "irregularity[0].event"),
            ("extent", "irregularities.toml", "round", "irregularity[1].void"),
            ("refund", "irregularities.toml", "all", "irregularity[1].refund"),
            ("end of the cards", "irregularities.toml", "play_on", "irregularity[0].cards"),
        )
    ),
    # --- wagers, their order and their devices
    Broken(
        "a requirement that is not a wager here",
        "wagers.toml",
        'requires = [{ wager = "ante"',
        'requires = [{ wager = "bet_1"',
        "wager[third_street].requires: bet_1 is not a wager here",
    ),
    Broken(
        "a need for an option that is not here",
        "wagers.toml",
        'option = "six_card.manual_box"',
        'option = "six_card.requires"',
        "wager[six_card_bonus].needs.option: six_card.requires is not an option here",
    ),
    Broken(
        "a wager without a paytable",
        "wagers.toml",
        'paytables = "three_card_bonus"',
        'paytables = "flush_bonus"',
        "wager[three_card_bonus].paytables: flush_bonus has no paytable",
    ),
    Broken(
        "a wager that is never settled",
        "play.toml",
        ', "six_card_bonus"]',
        "]",
        "settlement.order: settles ['ante', 'fifth_street', 'fourth_street', 'progressive', 'third_street'",
    ),
    Broken(
        "a wager settled twice",
        "play.toml",
        'order = ["ante",',
        'order = ["ante", "ante",',
        "settlement.order: settles ['ante', 'ante',",
    ),
    Broken(
        "a settlement of what is not a wager here",
        "play.toml",
        '"six_card_bonus"]',
        '"cover_all"]',
        "settlement.order: settles ['ante', 'cover_all',",
    ),
    Broken(
        "a way to deal without a script",
        "dealing.toml",
        '[[script]]\ndeal = "hand"',
        '[[script]]\ndeal = "manual_shoe"',
        "script: covers ['automated_shoe', 'manual_shoe'], but the dealing methods are",
    ),
    Broken(
        "a script that needs an option that is not here",
        "dealing.toml",
        '[[script]]\ndeal = "hand"',
        '[[script]]\noption = "lir.community_stack"\ndeal = "hand"',
        "script[two cards to each player, then the board].option: lir.community_stack is not an option here",
    ),
    Broken(
        "a way to deal without a stub count",
        "table.toml",
        '{ deal = "hand", rounds',
        '{ deal = "manual_shoe", rounds',
        "stub_count: covers ['automated_shoe', 'manual_shoe'], but the dealing methods are",
    ),
    Broken(
        "a way to deal without a deck's hours",
        "table.toml",
        '["manual_shoe", "automated_shoe"]',
        '["manual_shoe"]',
        "deck_hours: covers ['hand', 'manual_shoe'], but the dealing methods are",
    ),
    Broken(
        "a script for a way to deal that is not allowed",
        "table.toml",
        '  { method = "hand", needs_shuffler = { clause = "9.A(1)" }, same_hand = { clause = "9.A(2)(a)" }, '
        'clause = "9.A(2)" },\n',
        "",
        "before_deal: covers ['automated_shoe', 'hand', 'manual_shoe'], but the dealing methods are",
        told="dealing.toml",
    ),
    # --- paytables
    Broken(
        "a paytable twice",
        "paytables.toml",
        'id = "B"',
        'id = "A"',
        "paytable[three_card_bonus A]: the paytable appears twice",
    ),
    Broken(
        "a paytable twice for as many players",
        "paytables.toml",
        "players = 2\n",
        "players = 1\n",
        "paytable[cover_all standard, 1 players]: the paytable appears twice",
        book=COVER_ALL,
    ),
    Broken(
        "a paytable that pays no wager",
        "paytables.toml",
        'group = "base"',
        'group = "flush_bonus"',
        "paytable[flush_bonus standard]: no wager is paid by flush_bonus",
    ),
    Broken(
        "paytables among which nobody chooses",
        "paytables.toml",
        '  { group = "three_card_bonus", clause = "12.D" },\n',
        "",
        "choice: no clause says who chooses among the paytables of three_card_bonus",
    ),
    Broken(
        "a hand twice",
        "paytables.toml",
        line("straight_flush", "100 to 1"),
        line("royal_flush", "100 to 1"),
        "paytable[base standard].line: royal_flush appears twice",
    ),
    Broken(
        "a hand that five cards cannot be",
        "paytables.toml",
        line("straight_flush", "100 to 1"),
        line("mini_royal", "100 to 1"),
        "paytable[base standard].line: mini_royal is not a five_card hand",
    ),
    Broken(
        "a hand that three cards cannot be",
        "paytables.toml",
        line("three_of_a_kind", "30 to 1"),
        line("full_house", "30 to 1"),
        "paytable[three_card_bonus A].line: full_house is not a three_card hand",
    ),
    Broken(
        "a pay that is none",
        "paytables.toml",
        "500 to 1",
        "500 on 1",
        "paytable[base standard].line: '500 on 1' is not a pay: write 5 to 1, 5 for 1, $5,",
    ),
    Broken(
        "a pay of nothing",
        "paytables.toml",
        "500 to 1",
        "0 to 1",
        "paytable[base standard].line: '0 to 1' is not a pay",
    ),
    Broken(
        "a number for a pay",
        "paytables.toml",
        '"500 to 1"',
        "500",
        "paytable[0].line[0].pays: Expected `str`, got `int`",
    ),
    Broken(
        "a pay that prints otherwise",
        "paytables.toml",
        "1,000 to 1",
        "1000 to 1",
        "paytable[six_card_bonus A].line: write '1000 to 1' as '1,000 to 1'",
    ),
    Broken(
        "a stake that is no amount",
        "paytables.toml",
        'stakes = ["1.00", "5.00"]',
        'stakes = ["1.00", "5.00", "$10"]',
        "paytable[progressive A].stakes: '$10' is not an amount: dollars with at most two decimals",
    ),
    Broken(
        "a progressive stake with cents, of which a rate may be a broken unit",
        "paytables.toml",
        'stakes = ["1.00", "5.00"]',
        'stakes = ["1.00", "5.00", "2.50"]',
        "paytable[progressive A].stakes: a progressive stake is in whole dollars, which keeps meters exact",
    ),
    # --- meters and envy
    Broken(
        "a meter without a minimum",
        "paytables.toml",
        '  { paytable = "C", meter = "mega", amount = "10000.00", clause = "12.C(3)(b)(iii)(1)" },\n',
        "",
        "paytable[progressive C]: pays the meters ['major', 'mega', 'minor'], but the minimums are for",
    ),
    Broken(
        "a minimum for a meter that is not paid",
        "paytables.toml",
        'paytable = "A", meter = "main"',
        'paytable = "A", meter = "mega"',
        "paytable[progressive A]: pays the meters ['main'], but the minimums are for ['mega']",
    ),
    Broken(
        "a minimum that is no amount",
        "paytables.toml",
        'amount = "10000.00"',
        'amount = "10,000.00"',
        "minimum[A main]: '10,000.00' is not an amount: dollars with at most two decimals",
    ),
    Broken(
        "a warning below no amount",
        "paytables.toml",
        'warn_below = "10000.00"',
        'warn_below = "ten"',
        "minimum[B major].warn_below: 'ten' is not an amount",
    ),
    Broken(
        "a number for an amount",
        "paytables.toml",
        'amount = "10000.00"',
        "amount = 10000",
        "minimum[0].amount: Expected `str | null`, got `int`",
    ),
    Broken(
        "envy that is not in dollars",
        "paytables.toml",
        line("royal_flush", "$1,000"),
        line("royal_flush", "1,000 to 1"),
        "envy[A $1.00]: envy is paid in dollars",
    ),
    Broken(
        "envy of a paytable that is not there",
        "paytables.toml",
        '[[envy]]\npaytable = "A"',
        '[[envy]]\npaytable = "E"',
        "envy[E $1.00]: no progressive paytable has this id and stake",
    ),
    Broken(
        "envy for a stake that is not there",
        "paytables.toml",
        'stake = "1.00"',
        'stake = "2.00"',
        "envy[A $2.00]: no progressive paytable has this id and stake",
    ),
    Broken(
        "envy for a hand that is none",
        "paytables.toml",
        line("straight_flush", "$300"),
        line("win", "$300"),
        "envy[A $1.00].line: win is not a five_card hand",
    ),
    Broken(
        "a payout limit that is no amount",
        "play.toml",
        'amount = "50000.00"',
        'amount = "50000.005"',
        "payout_limit.amount: '50000.005' is not an amount: dollars with at most two decimals",
    ),
    # --- options
    Broken("an option that nobody knows", "options.toml", '"cap.scope"', '"cap.size"', "cap.size: no such option"),
    *(
        Broken(
            f"a default that is no {kind}",
            "options.toml",
            f'"{name}", default = {old}',
            f'"{name}", default = {new}',
            says,
        )
        for kind, name, old, new, says in (
            ("choice", "cap.scope", '"named"', '"some"', "cap.scope: 'some' is not allowed: one of named, all"),
            ("count", "stub.every_n", "5", "6", "stub.every_n: 6 is not allowed: a whole number from 1 to 5"),
            ("flag", "envy.holder_must_bet", "false", '"no"', "envy.holder_must_bet: 'no' is not allowed: true"),
            ("list of choices", "cap.extra_scopes", "[]", '["ante"]', "cap.extra_scopes: ['ante'] is not allow"),
            ("table of names", "meter_labels", "{}", '{ jumbo = "J" }', "meter_labels: [['jumbo', 'J']] is not all"),
            ("value at all", "cap.scope", '"named"', "1.5", "option[1].default: Expected"),
        )
    ),
    # --- what appears twice, and what names something that is not there
    *(
        Broken(f"{what} twice", file, old, new, f"{key}: appears twice")
        for what, file, old, new, key in (
            ("a term", "glossary.toml", '"Push"', '"Fold"', "term[Fold]"),
            (
                "an irregularity",
                "irregularities.toml",
                '"cards_face_up"',
                '"one_card_face_up"',
                "irregularity[one_card_face_up]",
            ),
            ("an option", "options.toml", '"cap.scope"', '"cap.allocation"', "cap.allocation"),
            ("a way to shuffle", "table.toml", 'method = "automated",', 'method = "manual",', "shuffle[manual]"),
            ("a rule of conduct", "play.toml", '"touching"', '"own_hand"', "conduct[own_hand]"),
            (
                "an envy column",
                "paytables.toml",
                '[[envy]]\npaytable = "B"',
                '[[envy]]\npaytable = "A"',
                "envy[A $1.00]",
            ),
            ("a deck's hours", "table.toml", '["hand"]', '["hand", "manual_shoe"]', "deck_hours, manual_shoe"),
        )
    ),
    *(
        Broken(
            f"{what} of a wager that is not here",
            file,
            f'offered = "{name}"',
            'offered = "cover_all"',
            f"{key}.offered: cov",
        )
        for what, file, name, key in (
            ("an area", "table.toml", "three_card_bonus", "area[Three Card Bonus]"),
            ("an act", "dealing.toml", "progressive", "before_deal[manual_shoe lock_progressive]"),
            ("a step", "dealing.toml", "six_card_bonus", "script[manual_shoe].step[0]"),
        )
    ),
    Broken(
        "a limit on no wager",
        "play.toml",
        'wagers = ["ante"',
        'wagers = ["bet_1"',
        "payout_limit.wagers: bet_1 is not a wager",
    ),
    Broken(
        "a decision on no wager", "play.toml", '"third_street"', '"bet_1"', "choice[bet_1]: bet_1 is not a wager here"
    ),
    Broken(
        "a wager of no multiple",
        "wagers.toml",
        "multiples = [1, 2, 3]\n",
        "",
        "wager[third_street].multiples: a wager has",
    ),
    Broken(
        "no main wager",
        "wagers.toml",
        'limits_key = "ante"\n',
        "",
        "wager.limits_key: exactly one wager, the main one, must have it",
    ),
    Broken(
        "a share of no meter",
        "paytables.toml",
        "500 to 1",
        "10% of meter",
        "paytable[base standard].line: only the prog",
    ),
    Broken(
        "a game of another folder",
        "source.toml",
        '"mississippi_stud"',
        '"let_it_ride"',
        "game: 'let_it_ride' is in",
    ),
    Broken("a date of another folder", "source.toml", '"2026-11-15"', '"2026-11-16"', "date: '2026-11-16' is in"),
    Broken("a date that is none", "source.toml", '"2026-11-15"', '"2026-11-31"', "date: Invalid"),
    Broken("a date without quotes", "source.toml", '"2026-11-15"', "2026-11-15", "date: write a date as text"),
    Broken(
        "nobody's date", "source.toml", '"intake"', '"rumour"', "date_of: Invalid enum value 'rumour': document, in"
    ),
    Broken(
        "a clause that says nothing",
        "clauses.toml",
        '"Push: wagers neither paid nor taken."',
        '""',
        "1.B(9): a clause has",
    ),
    Broken(
        "an approval without a name",
        "table.toml",
        'approval = "continuous_shuffler", ',
        "",
        "shuffle[continuous].approval:",
    ),
    Broken(
        "envy that nobody settles",
        "play.toml",
        'last = ["envy"]',
        "last = []",
        "settlement.last: envy is settled where",
    ),
]


def copied(book: Path, root: Path) -> Path:
    """A shipped rulebook under another state's name."""
    folder = root / "zz" / book.parent.name / book.name
    shutil.copytree(book, folder)
    source = folder / "source.toml"
    source.write_text(source.read_text().replace(f'id = "{book.parent.parent.name}-', 'id = "zz-'))
    return folder


def problems(folder: Path) -> list[str]:
    """What the loader says, the path of the folder taken off; each problem must name a file in it."""
    with pytest.raises(RegulationError) as refused:
        load_rulebook(f"zz-{folder.parent.name}")
    said = refused.value.problems
    assert all(re.match(rf"{re.escape(str(folder))}{re.escape(os.sep)}[a-z]+\.toml: ", problem) for problem in said)
    assert str(refused.value) == "; ".join(said)
    return [problem.removeprefix(f"{folder}{os.sep}") for problem in said]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("broken", [pytest.param(broken, id=broken.what.replace(" ", "-")) for broken in ZOO])
def test_a_broken_file_is_refused_by_file_key_and_fault(broken: Broken, root: Path) -> None:
    folder = copied(broken.book, root)
    path = folder / broken.file
    text = path.read_text()
    assert broken.old in text
    path.write_text(text.replace(broken.old, broken.new, 1))
    found = problems(folder)
    assert any(problem.startswith(f"{broken.told or broken.file}: {broken.problem}") for problem in found), found


def test_no_two_animals_are_alike() -> None:
    assert len({broken.what for broken in ZOO}) == len({(broken.file, broken.old, broken.new) for broken in ZOO})


@pytest.mark.parametrize("book", [MISSISSIPPI, COVER_ALL], ids=["md", "ma"])
def test_an_unbroken_copy_loads(book: Path, root: Path) -> None:
    copied(book, root)
    assert load_rulebook("zz-mississippi-stud").id == "zz-mississippi-stud"


@pytest.mark.parametrize("file", sorted({f"{name}.toml" for name in FILES} - {"source.toml"}))
def test_a_missing_file_is_named(file: str, root: Path) -> None:
    folder = copied(MISSISSIPPI, root)
    (folder / file).unlink()
    assert problems(folder) == [f"{file}: the file is missing"]


@pytest.mark.parametrize("file", sorted(f"{name}.toml" for name in FILES))
def test_what_is_no_toml_names_its_line(file: str, root: Path) -> None:
    folder = copied(MISSISSIPPI, root)
    path = folder / file
    path.write_text("# one\n# two\nthree four\n" + path.read_text())
    (problem,) = problems(folder)
    assert re.fullmatch(rf"{file}: not TOML: .*\(at line 3, column \d+\)", problem)


def test_several_problems_are_told_at_once(root: Path) -> None:
    folder = copied(MISSISSIPPI, root)
    for file, old, new in (
        ("table.toml", '"2.A"', '"99.Z"'),
        ("paytables.toml", "500 to 1", "500 on 1"),
        ("options.toml", 'default = "named"', 'default = "some"'),
    ):
        (folder / file).write_text((folder / file).read_text().replace(old, new, 1))
    assert [problem.partition(":")[0] for problem in problems(folder)] == [
        "table.toml",
        "paytables.toml",
        "options.toml",
    ]


def test_a_folder_without_its_source_is_no_rulebook(root: Path) -> None:
    (copied(MISSISSIPPI, root) / "source.toml").unlink()
    with pytest.raises(Malformed, match="unknown rulebook 'zz-mississippi-stud': ma-mississippi-stud, md-"):
        load_rulebook("zz-mississippi-stud")


def test_the_old_flat_shape_is_told_where_to_go(root: Path) -> None:
    folder = copied(MISSISSIPPI, root)
    flat = folder.parent
    for path in folder.iterdir():
        path.rename(flat / path.name)
    with pytest.raises(Malformed) as refused:
        load_rulebook("zz-mississippi-stud")
    assert str(refused.value) == (
        f"{flat}: move these files into a folder named for the date of the edition, such as {flat / '2026-01-31'}"
    )


@pytest.mark.parametrize("name", ["draft", "2026-1-31", "20260131", "2026-02-30"])
def test_the_folder_of_an_edition_is_a_date(name: str, root: Path) -> None:
    folder = copied(MISSISSIPPI, root)
    folder.rename(folder.parent / name)
    with pytest.raises(Malformed, match=f"{name}: the folder of an edition is named for its date, such as 2026-01-31"):
        rulebook_ids()


# --- the shipped ones


def name_of(folder: Path) -> str:
    return f"{folder.parent.parent.name}-{folder.parent.name}"


def structs(value: object) -> Iterator[Struct]:
    if isinstance(value, Struct):
        yield value
        for field in value.__struct_fields__:
            yield from structs(getattr(value, field))
    elif isinstance(value, tuple):
        for item in value:
            yield from structs(item)
    else:
        assert not isinstance(value, list | set)


@pytest.mark.parametrize("folder", BOOKS, ids=name_of)
def test_a_shipped_rulebook_loads_and_is_frozen(folder: Path) -> None:
    book = load_rulebook(name_of(folder))
    assert book.id == name_of(folder)
    for part in structs(book):
        for field in part.__struct_fields__:
            with pytest.raises(AttributeError):
                setattr(part, field, getattr(part, field))


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_hash_is_the_same_in_every_process(seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    done = subprocess.run(
        [sys.executable, "-m", "croupier", "rulebook", "list", "--json"],
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": seed},
    )
    told = {book["source"]["id"]: book["hash"] for book in json.loads(done.stdout)}
    assert told == {name: load_rulebook(name).hash for name in rulebook_ids()}
    assert len(set(told.values())) == len(BOOKS)


class Figure(NamedTuple):
    book: Path
    file: str
    start: int
    end: int
    changed: str


FIGURE = re.compile(
    r'pays = "(?P<pay>[^"]+)"|(?:amount|warn_below) = "(?P<amount>[^"]+)"|\b(?P<count>[0-9]+)\b'
    r'|"[^"]*"|#.*|(?:reading|players|stakes_reading) = [0-9]+'  # texts, and numbers that are no figures of their own
)
FIGURED = ("table.toml", "wagers.toml", "paytables.toml", "dealing.toml", "play.toml", "options.toml")


def figures() -> Iterator[Figure]:
    """Every pay, amount and count that can change alone, with another value for it."""
    for book in BOOKS:
        for file in FIGURED:
            for found in FIGURE.finditer((book / file).read_text()):
                kind = found.lastgroup
                if kind is not None:
                    yield Figure(book, file, *found.span(kind), changed(kind, found[kind]))


def changed(kind: str, text: str) -> str:
    if kind == "count":
        return str(int(text) - 1 if int(text) > 2 else int(text) + 1)
    if kind == "amount":
        return format_dollars(parse_dollars(text) + 1)
    match parse_pay(text):
        case To(multiple) | For(multiple) as odds:
            return str(replace(odds, multiple=multiple + 1))
        case Dollars(cents):
            return str(Dollars(cents + 1))
        case Share(percent, meter):
            return str(Share(percent - 1, meter))
        case Push():
            return "1 to 1"


FIGURES = list(figures())


def test_there_are_figures_in_every_file() -> None:
    assert len(FIGURES) > 600
    assert {figure.file for figure in FIGURES} == set(FIGURED)
    assert {figure.book for figure in FIGURES} == set(BOOKS)


@settings(max_examples=slices.count(full=20_000, sliced=25))
@given(st.sampled_from(FIGURES))
def test_the_hash_follows_every_figure(figure: Figure) -> None:
    try:
        found = hash_with(figure)
    except RegulationError:
        return  # bound to another figure: it cannot change alone, and did not pass unnoticed
    assert found != untouched(figure.book)


def hash_with(figure: Figure) -> str:
    with tempfile.TemporaryDirectory() as root, pytest.MonkeyPatch.context() as patch:
        patch.setenv(ENVIRONMENT, root)
        path = copied(figure.book, Path(root)) / figure.file
        text = path.read_text()
        path.write_text(text[: figure.start] + figure.changed + text[figure.end :])
        return load_rulebook(f"zz-{figure.book.parent.name}").hash


@cache
def untouched(book: Path) -> str:
    return hash_with(Figure(book, "source.toml", 0, 0, ""))


def test_a_file_that_nothing_reads_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (copied(MISSISSIPPI, tmp_path) / "tables.toml").write_text("")
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path))
    with pytest.raises(RegulationError, match=r"tables\.toml: file: unknown file; the files are source"):
        load_rulebook("zz-mississippi-stud")


def test_a_shipped_rulebook_cannot_be_replaced_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(edition_folder("md-let-it-ride"), tmp_path / "md/let-it-ride/2030-01-01")
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path))
    with pytest.raises(Malformed, match="md-let-it-ride ships with Croupier"):
        load_rulebook("md-let-it-ride")
