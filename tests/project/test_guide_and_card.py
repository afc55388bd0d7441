"""The player's guide and the dealer's card: one page each, figures as in the analysis, orders as in the rules."""

import io
from typing import Any

import pypdf
import pytest

from croupier.analysis import cached_prices, cases_of_house, has_long_run, long_run_of, main_table, strategies_of
from croupier.documents.dealers_card import dealers_card
from croupier.documents.paper import Grid, Items, Paper, Strong, plain
from croupier.documents.players_guide import players_guide
from croupier.documents.typst_writer import write_pdf
from croupier.games import ACT_WORDS, rules_of
from croupier.present import line_words, percent, spoken
from croupier.rulebook import HouseRules, rulebook_ids
from support.paper_blocks import (
    PARTICULARS,
    Filed,
    cells,
    filed,
    inside,
    most_and_least,
    named,
    raw_submission,
    said,
    tables,
    under,
)

HOUSES = most_and_least()
LONG = "The Chesapeake Grand Harbor Casino, Hotel and Convention Center at National Point"


def heavy(rulebook: str) -> Filed:
    """As much to say as there can be: long names, several boxes, the most meters, coupons, options, a linked meter."""
    raw = raw_submission(rulebook) | {"operator": LONG}
    meters: dict[str, Any] = {}
    for paytable in {"md-mississippi-stud": "C", "md-let-it-ride": "A", "md-high-card-flush": "A"}.get(rulebook, ""):
        raw["wagers"]["progressive"]["paytable"] = paytable
    if rulebook == "md-mississippi-stud":
        meters = {
            name: {"initial": "10000.00", "reset": "10000.00", "rate": "0.02"} for name in ("mega", "major", "minor")
        }
        raw["wagers"]["progressive"]["meters"] = meters
    if rulebook == "ma-mississippi-stud":
        raw["match_play"] = {"enabled": True, "pays": "1 to 1"}
    else:
        raw["cards"] |= {"deal": "automated_shoe", "shuffle": "automated"}
    labels = {"main": "The Great Bay Bridge Jackpot", "mega": "The Bay Bridge Mega Jackpot"}
    shown = {name: labels[name] for name in labels if name in (meters or {"main": 1})}
    raw["readings"] = {"meter_labels": shown, "role_map": {"floorperson": "Senior Table Games Supervisor"}}
    raw["readings"]["decision"] = {"timeout": 45}
    return filed(raw)


EVERY = [*HOUSES, *(heavy(name) for name in rulebook_ids())]


def pages(paper: Paper) -> int:
    return len(pypdf.PdfReader(io.BytesIO(write_pdf(paper))).pages)


@pytest.mark.parametrize("given", EVERY, ids=named)
def test_guide_and_card_fit_on_one_page_in_type_that_can_be_read(given: Filed) -> None:
    help_line = (
        "Problem gambling help, in any language and at any hour of the day or night: 1-800-555-0100, help.example"
    )
    particulars = type(PARTICULARS)(version="2026-11/17 b", date=PARTICULARS.date, help_line=help_line)
    guide, card = players_guide(given.house, particulars), dealers_card(given.house, particulars)
    assert (pages(guide), pages(card)) == (1, 1)
    assert guide.sheet.type >= 8
    assert card.sheet.type >= 6.4


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_the_same_house_has_the_same_guide_and_card(given: Filed) -> None:
    assert players_guide(given.house, PARTICULARS) == players_guide(given.house, PARTICULARS)
    assert dealers_card(given.house, PARTICULARS) == dealers_card(given.house, PARTICULARS)


# --- the guide


def bets(house: HouseRules) -> list[tuple[str, ...]]:
    table = next(
        block
        for block in under(players_guide(house, PARTICULARS), "What each bet pays and costs")
        if isinstance(block, Grid)
    )
    return cells(table)


@pytest.mark.parametrize("given", EVERY, ids=named)
def test_every_house_edge_is_that_of_the_analysis(given: Filed) -> None:
    printed = bets(given.house)
    prices: dict[str, list[Any]] = {}
    for case in cases_of_house(given.house):
        prices.setdefault(case.wager, []).append((cached_prices(case)[0].edge, case))
    assert len(printed) == len(prices)
    for row, (wager, priced) in zip(printed, prices.items(), strict=True):
        edges = sorted(edge for edge, _ in priced)
        assert row[2].startswith(" to ".join(dict.fromkeys(percent(edge, 4) for edge in (edges[0], edges[-1]))))
        assert f"paytable {priced[0][1].table.id}" in row[0]
        stake = next(
            offered.stakes.minimum
            for offered in given.house.wagers
            if offered.stakes and offered.paytables[0].group == priced[0][1].table.group
        )
        cost = float(edges[0] * stake)
        minus, size = "−" if cost < 0 else "", abs(cost)
        assert f"{minus}{size:.1f}¢" in row[3] or f"{minus}${size / 100:.2f}" in row[3]
        if wager == "progressive" and has_long_run(given.house):
            assert f"{percent(long_run_of(given.house).edge, 4)} in the long run" in row[2]


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_every_hand_that_wins_is_named_with_what_it_pays(given: Filed) -> None:
    printed = bets(given.house)
    groups = list(dict.fromkeys(wager.paytables[0].group for wager in given.house.wagers))
    for group, row in zip(groups, printed, strict=True):
        wager = next(wager for wager in given.house.wagers if wager.paytables[0].group == group)
        for line in wager.paytables[0].line:
            hand = "higher hand" if line.hand == "win" else line_words(line.hand)
            assert hand in row[1].lower()
            if line.pays.endswith(" to 1"):
                assert line.pays in row[1]


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_the_strategy_is_the_cheapest_that_is_priced(given: Filed) -> None:
    book, guide = given.house.rulebook, players_guide(given.house, PARTICULARS)
    best = min(strategies_of(book, main_table(given.house)), key=lambda listed: (listed.cost, len(listed.rows)))
    blocks = under(guide, "Best play in brief")
    printed = [row[0].lower() for block in blocks if isinstance(block, Grid) for row in cells(block)]
    assert printed == [row.when.lower() for row in best.rows]


def test_a_bet_without_an_exact_price_says_so() -> None:
    raw = raw_submission("ma-mississippi-stud") | {"readings": {"cover_all": {"count_folded": False}}}
    house = filed(raw).house
    assert bets(house)[-1][2:] == ("not priced", "not priced")
    assert "there is no exact price" in said(players_guide(house, PARTICULARS))


def test_the_guide_has_the_help_line_or_room_for_it() -> None:
    house = HOUSES[0].house
    assert PARTICULARS.help_line in said(players_guide(house, PARTICULARS))
    assert "Problem gambling help: ____" in said(players_guide(house, type(PARTICULARS)()))


# --- the card


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_the_card_takes_and_pays_in_the_order_of_the_rules(given: Filed) -> None:
    items = next(
        block for block in under(dealers_card(given.house, PARTICULARS), "Take and pay") if isinstance(block, Items)
    )
    text = " ".join(plain(item) for item in items.items).lower()
    rules = rules_of(given.house)
    side = [name for name in (*rules.order, *rules.last) if rules.wagers[name].offered == "option"]
    places = [text.index(f"take or pay {'' if name == 'cover_all' else 'the '}{spoken(name)}") for name in side]
    assert places == sorted(places)
    assert "from the dealer's right" in plain(items.items[0]).lower()


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_every_announcement_stands_out_on_the_card(given: Filed) -> None:
    card = dealers_card(given.house, PARTICULARS)
    items = [item for block in inside(card.blocks) if isinstance(block, Items) for item in block.items]
    loud = [item[0].text for item in items if isinstance(item[0], Strong)]
    words = f"{ACT_WORDS['announce'].capitalize()}."
    assert loud.count(words) == len(given.house.rulebook.dealing.announcement)


@pytest.mark.parametrize("given", HOUSES, ids=named)
def test_the_card_names_the_limits_and_every_ruling_with_its_clause(given: Filed) -> None:
    card = dealers_card(given.house, PARTICULARS)
    first, last = tables(card)[0], tables(card)[-1]
    assert all(str(wager.stakes) in said(card) for wager in given.house.wagers if wager.stakes)
    assert len(cells(first)) >= 1
    clauses = {row.on(given.house.deal).clause for row in given.house.rulebook.irregularities.irregularity}
    assert {row[-1] for row in cells(last)} <= clauses


def test_a_bet_that_wins_on_average_costs_less_than_nothing() -> None:
    raw = raw_submission("md-mississippi-stud")
    raw["wagers"]["progressive"]["meters"]["main"] |= {"initial": "98765432.10", "reset": "98765432.10"}
    costs = [row[3] for row in cells(next(table for table in tables(players_guide(filed(raw).house, PARTICULARS))))]
    assert [cost for cost in costs if cost.startswith("−$")]
    assert not any("$-" in cost or "-$" in cost for cost in costs)
