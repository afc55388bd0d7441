"""The Rules Submission as a paper says what the submission says, cell by cell, each with the clause of the rulebook."""

import copy
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest

from croupier.documents.card_procedure import card_procedures
from croupier.documents.paper import Facts, Grid, Heading, Mono, OwnPage, Paper, plain
from croupier.documents.round_procedure import round_procedures
from croupier.documents.submission_paper import submission_paper
from croupier.errors import Malformed
from croupier.games import deal_order, rules_of
from croupier.games.betting_rules import missing_requirement
from croupier.money import parse_dollars, print_dollars
from croupier.present import line_words, spoken
from croupier.rulebook import (
    HouseRules,
    InvalidSubmission,
    check,
    diff_houses,
    load_readings,
    load_rulebook,
    present,
    read_submission,
    rulebook_ids,
)
from croupier.rulebook.schema import Wager
from support.paper_blocks import (
    PARTICULARS,
    Filed,
    cells,
    filed,
    most_and_least,
    named,
    raw_submission,
    rows,
    said,
    tables,
    under,
)

HOUSES = most_and_least()


def with_every_device() -> Iterator[Filed]:
    """Every rulebook with every pair of devices that it allows."""
    for name in rulebook_ids():
        table = load_rulebook(name).table
        for deal, shuffle in product((row.method for row in table.deal), (row.method for row in table.shuffle)):
            for every_wager in (True, False):
                raw = raw_submission(name, every_wager=every_wager)
                raw["cards"] |= {"deal": deal, "shuffle": shuffle}
                raw["approvals"] = {"continuous_shuffler": "C-1"}
                submission = read_submission(raw)
                if (house := check(submission).house) is not None:
                    yield Filed(submission, house)


def paper_of(given: Filed, *, attachments: Sequence[OwnPage] = (), before: Filed | None = None) -> Paper:
    return submission_paper(given.submission, given.house, PARTICULARS, attachments=attachments, before=before)


def rule(house: HouseRules, name: str) -> Wager:
    return next(row for row in house.rulebook.wagers.wager if row.name == name)


# --- every choice with its clause


def expected(house: HouseRules) -> Iterator[tuple[str, str, str]]:
    """Each choice as its data has it: a word that its row holds, the value as printed, and its clause."""
    book, shown = house.rulebook, present(house)
    table, cards = book.table, shown["cards"]
    assert isinstance(cards, dict)
    yield "Betting positions", str(shown["seats"]), table.seats.clause
    yield "Boxes per player", str(shown["boxes"]), table.boxes.clause
    yield "Decks", str(cards["decks"]), table.decks.clause
    method = next(row for row in table.shuffle if row.method == cards["shuffle"])
    yield "Shuffle", spoken(cards["shuffle"]), method.clause
    yield "Deal", spoken(cards["deal"]), next(row for row in table.deal if row.method == cards["deal"]).clause
    hours = next(row for row in table.deck_hours if cards["deal"] in row.deal)
    yield "Hours of a deck", str(cards["deck_hours"]), hours.clause
    limit = "None" if house.payout_limit is None else print_dollars(house.payout_limit)
    yield "Payout limit of a hand", limit, book.play.payout_limit.clause
    for name, reference in house.approvals:
        yield spoken(name).capitalize(), reference, ""
    wagers = shown["wagers"]
    assert isinstance(wagers, dict)
    for name, wager in wagers.items():
        title, clause = spoken(name).title(), rule(house, name).clause
        yield title, wager["paytable"], clause
        if "minimum" in wager and rule(house, name).stake != "equal":
            low, high, step = (print_dollars(parse_dollars(wager[key])) for key in ("minimum", "maximum", "increment"))
            yield title, low if low == high else f"{low} to {high} in steps of {step}", clause
        for times in wager.get("multiples", ()):
            yield title, f"{times}x", clause
        for meter, terms in wager.get("meters", {}).items():
            least = next(
                row for row in book.paytables.minimum if (row.paytable, row.meter) == (wager["paytable"], meter)
            )
            yield meter, print_dollars(parse_dollars(terms["initial"])), least.clause
            yield meter, print_dollars(parse_dollars(terms["reset"])), least.clause
            assert book.paytables.rate is not None
            yield meter, f"{float(terms['rate']) * 100:g}% of each stake", book.paytables.rate.clause
        for hand, pays in wager.get("envy", {}).items():
            column = next(row for row in book.paytables.envy if any(line.hand == hand for line in row.line))
            assert column is not None
            yield "Envy bonus", f"{line_words(hand)} {pays}", ""


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_every_choice_is_printed_with_its_clause(given: Filed) -> None:
    printed = rows(paper_of(given))
    for what, value, clause in expected(given.house):
        assert any(
            row[0].startswith(what) and value.lower() in " | ".join(row[1:]).lower() and clause in row[-1]
            for row in printed
        ), (what, value, clause)


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_no_wager_is_printed_that_is_not_offered(given: Filed) -> None:
    table = next(block for block in under(paper_of(given), "Wagers") if isinstance(block, Grid))
    assert [row[0] for row in cells(table)] == [spoken(wager.name).title() for wager in given.house.wagers]


def test_approvals_links_labels_coupons_and_hand_pay_are_printed() -> None:
    raw = raw_submission("ma-mississippi-stud")
    raw["approvals"] = {"automated_shoe": "MGC-17", "progressive": "MGC-18"}
    raw["match_play"] = {"enabled": True, "pays": "2 to 1"}
    raw["handpay"] = {"threshold": "1200.00"}
    raw["wagers"]["progressive"] |= {"paytable": "MS Stud MG-01", "reserve_rate": "0.025"}
    raw["wagers"]["progressive"]["link"] = {
        "name": "river",
        "tables": [{"paytable": "MS Stud MG-01", "stake": "1.00", "decks": 1}],
    }
    raw["readings"] = {"meter_labels": {"main": "River Jackpot"}, "role_map": {"floorperson": "Pit Clerk"}}
    printed = rows(paper_of(filed(raw)))
    for what, value in (
        ("Automated shoe", "MGC-17"),
        ("Progressive", "MGC-18"),
        ("Match play", "Coupons pay 2 to 1"),
        ("Reserve", "2.5% of each stake"),
        ("Link", "river, with paytable MS Stud MG-01 at $1 with 1 deck"),
        ("Hand pay", "other awards from $1,200"),
        ("main (“River Jackpot”)", "$10,000"),
        ("Open the table for a gaming day", "Pit Clerk or above"),
    ):
        assert any(row[0] == what and value in " | ".join(row[1:]) for row in printed), (what, value)


@pytest.mark.parametrize("asked", [["three_card", "five_card"], ["three_card"], []])
def test_a_wager_requires_on_paper_what_it_requires_at_the_table(asked: list[str]) -> None:
    raw = raw_submission("md-let-it-ride")
    raw["readings"] = {"six_card": {"requires": asked}}
    raw["approvals"] = {"six_card_requires": "S-1"}
    given = filed(raw)
    table = next(block for block in under(paper_of(given), "Wagers") if isinstance(block, Grid))
    printed = next(row[4] for row in cells(table) if row[0] == "Six Card Bonus").lower()
    placed: list[str] = []
    while (
        missing := missing_requirement(rules_of(given.house), rule(given.house, "six_card_bonus"), placed)
    ) is not None:
        placed.append(missing.wager)
    assert printed.replace(" and ", ", ").split(", ") == [spoken(name) for name in placed]


# --- options, findings


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_every_option_is_listed_with_its_reading(given: Filed) -> None:
    answers = {reading.number: reading.answer for reading in load_readings()}
    table = next(block for block in under(paper_of(given), "Options by reading") if isinstance(block, Grid))
    printed = {row[0]: row for row in cells(table)}
    assert list(printed) == [option.rule.name for option in given.house.rulebook.options]
    for option in given.house.rulebook.options:
        _, value, about, law = printed[option.rule.name]
        assert ("fixed" if option.fixed else "default") in value
        assert option.rule.about in about
        assert answers[option.rule.reading] in about
        assert law == f"{option.clause} (reading {option.rule.reading})"


def test_a_chosen_option_says_so() -> None:
    raw = raw_submission("md-mississippi-stud")
    raw["readings"] = {"flashed_card": "void_round", "cap": {"allocation": "prorata"}}
    values = {row[0]: row[1] for row in rows(paper_of(filed(raw)))}
    assert values["flashed_card"] == "the round is void (chosen)"
    assert values["cap.allocation"] == "pro rata (chosen, as by default)"
    assert values["payout.breakage"] == "the exact amount (default)"


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_every_warning_of_the_check_is_printed(given: Filed) -> None:
    findings = check(given.submission).findings
    blocks = under(paper_of(given), "Findings of the check")
    printed = [row for block in blocks if isinstance(block, Grid) for row in cells(block)]
    assert [(row[1].lower(), row[2].split(" (")[0]) for row in printed] == [
        (finding.message.lower(), finding.clause) for finding in findings
    ]


# --- paytables


def submissions_with_every_paytable() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name in rulebook_ids():
        book = load_rulebook(name)
        for group, table in dict.fromkeys((table.group, table.id) for table in book.paytables.paytable):
            raw = raw_submission(name)
            if group in raw["wagers"]:
                raw["wagers"][group]["paytable"] = table
            if group == "progressive":
                minimums = [row for row in book.paytables.minimum if row.paytable == table]
                raw["wagers"][group]["stake"] = next(
                    row for row in book.paytables.paytable if (row.group, row.id) == (group, table)
                ).stakes[-1]
                raw["wagers"][group]["meters"] = {
                    row.meter: {"initial": "50000.00", "reset": "40000.00", "rate": "0.04"} for row in minimums
                }
            yield group, table, raw


@pytest.mark.parametrize(("group", "table", "raw"), list(submissions_with_every_paytable()))
def test_every_line_of_every_paytable_is_printed_as_the_rulebook_has_it(
    group: str, table: str, raw: dict[str, Any]
) -> None:
    given = filed(raw)
    paper, house = paper_of(given), given.house
    printed = next(
        made for made in tables(paper) if made.caption.endswith(f": paytable {table}") and _is_of(made, group)
    )
    laws = [row for row in house.rulebook.paytables.paytable if (row.group, row.id) == (group, table)]
    stake = next(wager.stakes for wager in house.wagers if wager.paytables[0].group == group and wager.stakes)
    for law in laws:
        column = 1 if law.players is None else [head.split()[0] for head in printed.head].index(str(law.players))
        for line, row in zip(law.line, cells(printed), strict=False):
            pays = line.pays
            if house.rulebook.source.jurisdiction == "Massachusetts" and pays.endswith(" for 1"):
                pays = print_dollars(int(pays.split()[0]) * stake.minimum)  # reading 156
            assert (row[0].lower(), row[column].lower()) == (line_words(line.hand), pays.lower())
        if law.players is None:
            assert all(
                (line.clause or law.clause) in row[2] for line, row in zip(law.line, cells(printed), strict=True)
            )
        else:
            assert law.clause in cells(printed)[-1][column]


def _is_of(table: Grid, group: str) -> bool:
    words = "Ante Bets Bet" if group == "base" else spoken(group).title()
    return any(table.caption.startswith(word) for word in ([words] if group != "base" else words.split()))


def test_massachusetts_never_states_odds_with_for() -> None:
    assert " for 1" not in said(paper_of(filed(raw_submission("ma-mississippi-stud"))))


# --- procedures


@pytest.mark.parametrize("given", list(with_every_device()), ids=named)
def test_the_deal_is_written_in_the_order_in_which_cards_are_dealt(given: Filed) -> None:
    house = given.house
    steps = next(part for part in round_procedures(house) if part.title == "The deal").steps
    passes = int(steps[0].text.split(" times over")[0].rsplit(" ", 1)[-1]) if "times over" in steps[0].text else 1
    dealt = []
    for step in steps[1:-1] * passes:
        number, where = step.text.split(" card")[0], step.text.partition(" to ")[2]
        slot = {"each": "player", "the community": "community", "the Six": "six_card_box", "the dealer": "dealer"}
        to = next(name for begin, name in slot.items() if where.startswith(begin))
        seats = range(1, house.seats + 1) if to == "player" else [0]
        dealt += [
            (to, seat, plain(step.law).split(" (")[0].split(",")[0]) for seat in seats for _ in range(int(number))
        ]
    assert dealt == [
        (place.slot, place.seat, place.clause) for place in deal_order(house, seats=range(1, house.seats + 1))
    ]


def test_cards_in_two_passes_are_dealt_one_by_one() -> None:
    raw = raw_submission("md-mississippi-stud", every_wager=False)
    raw["readings"] = {"deal": {"pattern": "two_passes"}}
    steps = next(part for part in round_procedures(filed(raw).house) if part.title == "The deal").steps
    assert [step.text for step in steps[1:4]] == [
        "1 card to each player in turn.",
        "1 card to each player in turn.",
        "3 cards to the community area.",
    ]


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_every_step_of_every_procedure_is_printed_in_order_with_who_and_clause(given: Filed) -> None:
    paper = paper_of(given)
    for part in [*card_procedures(given.house), *round_procedures(given.house)]:
        table = next(block for block in under(paper, part.title) if isinstance(block, Grid))
        assert cells(table) == [
            (str(number), step.text, step.by, plain(step.law)) for number, step in enumerate(part.steps, 1)
        ]
        assert all(step.law for step in part.steps)


@pytest.mark.parametrize(("deal", "shuffle"), [("hand", "automated"), ("automated_shoe", "continuous")])
def test_only_the_chosen_devices_are_written_about(deal: str, shuffle: str) -> None:
    raw = raw_submission("md-mississippi-stud", every_wager=False)
    raw["cards"] |= {"deal": deal, "shuffle": shuffle}
    raw["approvals"] = {"continuous_shuffler": "C-1"}
    steps = [step.text for part in card_procedures(filed(raw).house) for step in part.steps]
    assert ("Take the deck in one hand, and keep it there for the whole round." in steps) == (deal == "hand")
    assert ("The cards are not cut." in steps) == (shuffle == "continuous")
    assert not any("manual shoe" in step or step.startswith("Cut the deck") for step in steps)


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_irregularities_and_duties_are_those_that_can_happen_here(given: Filed) -> None:
    book, paper = given.house.rulebook, paper_of(given)
    events = {row.event: row for row in book.irregularities.irregularity}
    irregularities = next(block for block in under(paper, "Irregularities") if isinstance(block, Grid))
    laws = [row[2].split(" (")[0].split(",")[0] for row in cells(irregularities)]
    assert set(laws) <= {row.on(given.house.deal).clause for row in events.values()}
    boxed = any(wager.name == "six_card_bonus" for wager in given.house.wagers)
    assert boxed == ("Box card exposed" in [row[0] for row in cells(irregularities)])
    duties = next(block for block in under(paper, "Who may do what") if isinstance(block, Grid))
    metered = any(wager.meters for wager in given.house.wagers)
    assert metered == any(row[0].startswith("Pay a validated award from the tray") for row in cells(duties))


# --- what changed


CHANGES: dict[str, dict[str, Any]] = {
    "Seats": {"seats": 5},
    "Operator": {"operator": "Another house"},
    "A wager": {"wagers.three_card_bonus.maximum": "200.00"},
    "Several": {"limits.ante.increment": "5.00", "cards.deck_hours": 6, "readings.flashed_card": "void_round"},
    "Labels": {"readings.meter_labels": {"main": "Magnolia"}},
    "A meter": {"wagers.progressive.meters.main.reset": "12000.00", "wagers.progressive.reserve_rate": "0.01"},
    "Nothing": {},
}


def changed(raw: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    raw = copy.deepcopy(raw)
    for key, value in changes.items():
        *path, last = key.split(".")
        table = raw
        for name in path:
            table = table.setdefault(name, {})
        table[last] = value
    return raw


@pytest.mark.parametrize("name", CHANGES)
def test_the_list_of_changes_names_exactly_what_changed(name: str) -> None:
    raw = raw_submission("md-mississippi-stud")
    before, after = filed(raw), filed(changed(raw, CHANGES[name]))
    blocks = under(paper_of(after, before=before), "Changes against the earlier version")
    printed = [row for block in blocks if isinstance(block, Grid) for row in cells(block)]
    assert len(printed) == len(diff_houses(before.house, after.house)) == len(CHANGES[name])
    assert not any(row[1] == row[2] for row in printed)
    if not CHANGES[name]:
        assert "No choice has changed." in said(paper_of(after, before=before))


def test_changes_are_said_in_words_with_their_clause() -> None:
    raw = raw_submission("md-mississippi-stud")
    after = changed(raw, {"limits.ante.minimum": "15.00", "wagers.progressive.meters.main.rate": "0.125"})
    after["wagers"].pop("six_card_bonus")
    after["readings"] = {"handpay": {"hundred_percent": True}, "six_card": {}, "csm": {}}
    blocks = under(paper_of(filed(after), before=filed(raw)), "Changes against the earlier version")
    printed = {row[0]: row[1:] for block in blocks if isinstance(block, Grid) for row in cells(block)}
    assert printed["Ante: minimum"] == ("$10", "$15", "7.F(1)")
    assert printed["Progressive, main meter: rate"] == (
        "10% of each stake",
        "12.5% of each stake",
        "12.C(3)(a) (reading 18)",
    )
    assert printed["Six Card Bonus"][:2] == ("$5 to $100 in steps of $1, paytable A", "not offered")
    assert printed["Payout limit of a hand"][:2] == ("$50,000", "$75,000")
    assert len(printed) == 4


def test_versions_of_different_games_are_not_compared() -> None:
    first, other = (filed(raw_submission(name)) for name in ("md-let-it-ride", "md-high-card-flush"))
    with pytest.raises(Malformed, match="the earlier submission is for md-let-it-ride"):
        paper_of(other, before=first)


# --- the paper as a whole


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_the_cover_names_operator_document_version_and_both_hashes(given: Filed) -> None:
    paper, source = paper_of(given), given.house.rulebook.source
    assert paper.cover
    assert paper.contents
    facts = next(dict(block.facts) for block in paper.front if isinstance(block, Facts))
    assert {name: plain(value) for name, value in facts.items() if name not in {"Document", "Edition"}} == {
        "Operator": given.house.operator,
        "Game": source.title,
        "Jurisdiction": source.jurisdiction,
        "Regulator": source.regulator,
        "Version": "3",
        "Date": "2026-11-17",
        "House rules": given.house.hash,
        "Rulebook": given.house.rulebook.hash,
    }
    assert facts["House rules"] == (Mono(given.house.hash),)
    assert source.document in plain(facts["Document"])
    assert given.house.rulebook.edition in plain(facts["Edition"])


def test_attachments_are_chapters_on_pages_of_their_own() -> None:
    sheets = tuple(OwnPage(f"Attachment: {name}", "drawing.typ", {}, ()) for name in ("Payout sign", "Table layout"))
    paper = paper_of(HOUSES[0], attachments=sheets)
    titles = [block.text for block in paper.blocks if isinstance(block, Heading) and block.level == 1]
    titles += [block.heading for block in paper.blocks if isinstance(block, OwnPage)]
    assert [title.partition(" ")[2] for title in titles[-2:]] == ["Attachment: Payout sign", "Attachment: Table layout"]
    assert [title.split()[0] for title in titles] == [str(number) for number in range(1, len(titles) + 1)]


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_the_same_submission_is_the_same_paper(given: Filed) -> None:
    assert paper_of(given) == paper_of(given)


def test_an_invalid_submission_and_foreign_rules_are_refused() -> None:
    good = HOUSES[0]
    bad = read_submission(raw_submission(good.house.rulebook.id) | {"seats": 40})
    with pytest.raises(InvalidSubmission, match="40 seats: at most"):
        submission_paper(bad, good.house, PARTICULARS)
    other = filed(raw_submission(good.house.rulebook.id) | {"seats": 2})
    with pytest.raises(ValueError, match="do not follow from this submission"):
        submission_paper(good.submission, other.house, PARTICULARS)
