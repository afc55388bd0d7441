"""Every figure of the reports against a second computation, straight from the decoded lines."""

import asyncio
import csv
import json
import random
import shutil
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from datetime import date, datetime
from fractions import Fraction
from itertools import pairwise
from math import isclose, sqrt
from pathlib import Path
from typing import Any, TypeVar

import apsw
import pytest
from msgspec.structs import replace
from pyarrow import parquet

from croupier.analysis import cases_of_house, limit_cost, long_run_of, price
from croupier.cli import report_columns as columns
from croupier.cli.report_period import flat_row
from croupier.ledger import (
    TOTALS,
    Apart,
    CashMove,
    account_named,
    account_of,
    awards_of,
    cash_flags,
    decks_of,
    default_thresholds,
    rulings_of,
    theo_of,
    together,
)
from croupier.ledger.reports import TableFigures
from croupier.money import Cents
from croupier.store import (
    AWARD_EVENTS,
    DECK_EVENTS,
    MONEY_EVENTS,
    RULING_EVENTS,
    CashPeriod,
    HouseShelf,
    Span,
    Store,
    cash_moves,
    figures_in,
    meters_in,
    open_store,
    posted_entries,
    spans_between,
    spans_of_day,
)
from support.running import here

T = TypeVar("T")
Lines = list[dict[str, Any]]
DAYS = (date(2026, 1, 1), date(2026, 1, 2))
BASE = {"ante", "third_street", "fourth_street", "fifth_street", "raise", "bet_1", "bet_2", "bet_3"}
AT_RISK = {"win", "lose", "push", "forfeit"}


def read(path: Path, work: Callable[[Store], Awaitable[T]]) -> T:
    async def run() -> T:
        store = await open_store(str(path), write=False)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


@pytest.fixture(scope="module")
def lines(evening: Path) -> dict[str, Lines]:
    """The record of each table, as plain values."""
    streams: dict[str, Lines] = defaultdict(list)
    rows = apsw.Connection(str(evening), flags=apsw.SQLITE_OPEN_READONLY).execute(
        "select stream, line from event order by stream, seq"
    )
    for stream, line in rows:
        raw = json.loads(line)
        streams[stream].append(raw | {"name": raw["what"]["event"].partition("/")[0]})
    return dict(streams)


def of_day(record: Lines, day: date) -> Lines:
    """The lines of a gaming day."""
    today, own = "", []
    for line in record:
        today = line["what"]["gaming_day"] if line["name"] in {"table_opened", "gaming_day_changed"} else today
        own += [line] if today == str(day) else []
    return own


def settled(record: Lines) -> list[tuple[int, dict[str, Any], dict[str, Any]]]:
    signs = {"hand_settled": 1, "settlement_reversed": -1}
    return [
        (signs[line["name"]], wager, line)
        for line in record
        if line["name"] in signs
        for wager in line["what"]["wagers"]
    ]


def total(record: Lines, name: str, key: str = "amount", **having: object) -> int:
    rows = [line["what"] for line in record if line["name"] == name]
    return sum(row[key] for row in rows if all(row[field] == value for field, value in having.items()))


def envy(record: Lines) -> int:
    paid = [(1, line["what"]["paid"]) for line in record if line["name"] == "envy_settled"]
    paid += [(-1, line["what"].get("envy", [])) for line in record if line["name"] == "settlement_reversed"]
    return sum(sign * bonus["won"] for sign, rows in paid for _, bonuses in rows for bonus in bonuses)


def naive_win(record: Lines) -> int:
    """What the tray keeps of the wagers: awards are paid apart, from the tray or by hand."""
    won: int = sum(
        sign * (wager["staked"] - wager["returned"] - (wager["won"] if wager["wager"] != "progressive" else 0))
        for sign, wager, _ in settled(record)
    )
    back = total(record, "award_reversed", was="paid")
    return won - envy(record) - total(record, "award_paid") + back


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_the_figures_of_a_day(evening: Path, lines: dict[str, Lines], day: date) -> None:
    async def figures(store: Store) -> list[TableFigures]:
        return [
            await figures_in(store, span, await posted_entries(store, span, MONEY_EVENTS))
            for span in await spans_of_day(store, day)
        ]

    tables = read(evening, figures)
    assert [f"table/{table.table}" for table in tables] == list(lines)
    for table in tables:
        record = of_day(lines[f"table/{table.table}"], day)
        before = [line for line in lines[f"table/{table.table}"] if line["seq"] < record[0]["seq"]]
        inventory = total(before, "inventory_verified")
        opening = inventory + naive_win(before) + total(before, "tray_filled") - total(before, "tray_credited")
        opening -= total(before, "player_bought_in", brought=False)
        win = naive_win(record)
        expected = {
            "opening": opening,
            "fills": total(record, "tray_filled"),
            "credits": total(record, "tray_credited"),
            "drop": total(record, "player_bought_in", brought=False),
            "chips_in": total(record, "player_bought_in", brought=True),
            "chips_out": total(record, "player_stood_up", key="chips"),
            "hand_paid": total(record, "award_hand_paid"),
            "rounds": sum(line["name"] == "round_closed" for line in record),
            "rounds_void": len(
                {
                    line["round"]
                    for line in record
                    if line["name"] == "irregularity_ruled" and line["what"]["void"] == "round"
                }
            ),
            "win": win,
            "win_by_play": win,
            "difference": 0,
            "in_play": 0,
            "owed": 0,
        }
        expected["closing"] = opening + expected["fills"] - expected["credits"] - expected["drop"] + win
        expected["handle"] = sum(
            wager["staked"] for sign, wager, _ in settled(record) if sign > 0 and wager["outcome"] in AT_RISK
        )
        assert {name: getattr(table, name) for name in expected} == expected
        assert table.hold == (Fraction(win, table.drop) if table.drop else None)
    everything = together(tables)
    assert everything.win == sum(table.win for table in tables)
    assert everything.difference == 0


def test_the_figures_are_the_running_totals_of_the_store(evening: Path) -> None:
    async def both(store: Store) -> tuple[Counter[Any], Counter[Any]]:
        kept = Counter({(stream, name): int(n) for stream, name, n in await store.read(
            "select stream, name, sum(amount) from total group by stream, name")})  # fmt: skip
        counted: Counter[Any] = Counter()
        for span in await spans_between(store, None, None):
            figures = await figures_in(store, span, await posted_entries(store, span, MONEY_EVENTS))
            counted.update({(span.stream, name): getattr(figures, name) for name in TOTALS})
        return kept, counted

    kept, counted = read(evening, both)
    assert +counted == kept


def test_any_cut_divides_the_figures_without_a_difference(evening: Path) -> None:
    """Also in the middle of a round, when stakes lie in the tray that nobody has settled yet."""
    flows = [*TOTALS, "returned", "in_play", "owed", "win"]

    async def cut(store: Store) -> int:
        dice, in_play = random.Random(1), 0
        for whole in await spans_between(store, None, None):
            marks = sorted(dice.sample(range(1, whole.until), 12))
            parts = [Span(whole.stream, *ends) for ends in zip([0, *marks], [*marks, whole.until], strict=True)]
            figures = [
                await figures_in(store, span, await posted_entries(store, span, MONEY_EVENTS))
                for span in (whole, *parts)
            ]
            assert [part.difference for part in figures] == [0] * len(figures)
            for name in flows:
                assert sum(getattr(part, name) for part in figures[1:]) == getattr(figures[0], name)
            for left, right in pairwise(figures[1:]):
                assert right.opening == (left.closing or right.opening)  # a new table opens with its inventory
            in_play += sum(part.in_play != 0 for part in figures[1:])
        return in_play

    assert read(evening, cut) > 0


ANSWERS: dict[Any, Any] = {}


def once(ask: Callable[..., T], *questions: object) -> T:
    """An answer, worked out once for each question."""
    words = [(repr(getattr(asked, "hash", asked)), repr(getattr(asked, "table", ""))) for asked in questions]
    key = (ask.__name__, *words)
    if key not in ANSWERS:
        ANSWERS[key] = ask(*questions)
    return ANSWERS[key]  # type: ignore[no-any-return]


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_theo_is_the_exact_edge_of_every_bet(evening: Path, lines: dict[str, Lines], day: date) -> None:
    async def theos(store: Store) -> Any:  # noqa: ANN401 - several values
        houses = await HouseShelf.read(store)
        spans = await spans_of_day(store, day)
        entries = [await posted_entries(store, span, MONEY_EVENTS) for span in spans]
        figures = [await figures_in(store, *given) for given in zip(spans, entries, strict=True)]
        return figures, [theo_of(own, houses) for own in entries], houses

    tables, counted, houses = read(evening, theos)
    for figures, theo in zip(tables, counted, strict=True):
        record = of_day(lines[f"table/{figures.table}"], day)
        house = houses(record[-1]["rules"])
        assert house is not None
        assert theo.win == figures.win_by_play - figures.hand_pays
        assert theo.missing == ()
        hands = {line["round"]: line["what"]["hands"] for line in record if line["name"] == "cover_all_column_fixed"}
        players: defaultdict[int, dict[int, str]] = defaultdict(dict)
        for line in record:
            if line["name"] == "wager_placed" and line["what"]["wager"] == "progressive":
                players[line["round"]][line["what"]["seat"]] = line["what"]["patron"]
        cases = defaultdict(list)
        for case in cases_of_house(house):
            cases[case.wager].append(case)
        expected: defaultdict[str, Fraction] = defaultdict(Fraction)
        variance: defaultdict[str, Fraction] = defaultdict(Fraction)
        limited: set[str] = set()
        for sign, wager, line in settled(record):
            name, stake = wager["wager"], wager["staked"]
            if wager["outcome"] == "void" or (wager["outcome"] == "withdrawn" and name != "bet_1"):
                continue
            if name in BASE:
                if name not in {"ante", "bet_1"}:
                    continue
                name = "base"
            case = next(one for one in cases[name] if one.table.players in (None, hands.get(line["round"])))
            record_of_bet = once(price, case if name == "base" else replace(case, stake=Cents(stake)))[0]
            edge = record_of_bet.edge
            if name == "progressive":
                seat = line["what"]["seat"]
                others = {who for at, who in players[line["round"]].items() if who != players[line["round"]][seat]}
                edge = once(long_run_of, house).edge - (record_of_bet.envy or 0) * len(others)
            limit = once(limit_cost, house, {name: Cents(stake)} if name == "base" else {})
            assert limit is not None
            limited |= {name} if limit else set()
            expected[name] += sign * (edge * stake + limit)
            variance[name] += sign * record_of_bet.outcomes.variance * stake**2
        assert {wager.wager: wager.theo for wager in theo.wagers} == dict(expected)
        compared = [wager for wager in theo.wagers if not wager.long_run]
        for wager in compared:  # a payout limit cuts off what makes the spread
            assert wager.variance is not None
            assert (
                wager.variance < variance[wager.wager]
                if wager.wager in limited
                else wager.variance == variance[wager.wager]
            )
            variance[wager.wager] = wager.variance
        assert theo.apart.by == sum(wager.win - expected[wager.wager] for wager in compared)
        assert isclose(theo.apart.deviation, sqrt(sum(variance[wager.wager] for wager in compared)))
        assert theo.apart.widest >= theo.apart.deviation


def test_how_unlikely_a_win_is() -> None:
    apart = Apart(Fraction(-40_000), 8_000.0, 10_000.0)
    assert (apart.z, apart.least_z, apart.most) == (-5, -4, 1 / 16)
    assert isclose(apart.bell, 6.334e-5, rel_tol=1e-3)  # four standard deviations, both sides
    assert apart.is_beyond_chance
    assert not Apart(Fraction(-29_000), 8_000.0, 10_000.0).is_beyond_chance
    assert Apart(Fraction(-29_000), 8_000.0, 10_000.0).is_unusual


def test_meters_hold_what_the_lines_say(evening: Path, lines: dict[str, Lines]) -> None:
    async def meters(store: Store) -> Any:  # noqa: ANN401 - several values
        whole = await meters_in(store, await spans_between(store, None, None))
        days = [await meters_in(store, await spans_of_day(store, day)) for day in DAYS]
        return whole, days

    whole, days = read(evening, meters)
    assert len(whole) == 4
    for meter in (*whole, *days[0], *days[1]):
        assert meter.difference == 0
    for meter, first, second in zip(whole, *days, strict=True):
        record = lines["/".join(meter.account.split("/")[:2])]
        raised = [line["what"] for line in record if line["name"] == "meter_raised"]
        assert meter.contributions == sum(one["units"] for one in raised) > 0
        pending = [line["what"] for line in record if line["name"] == "award_pending" and line["what"]["meter"]]
        assert meter.awards == sum(one["taken"] + one["reset"] for one in pending)
        assert meter.hits == len(pending)
        assert meter.seeded == dict(record[0]["what"]["meters"])["main"]
        assert (first.closing, second.closing) == (second.opening, meter.closing)
        assert first.contributions + second.contributions == meter.contributions


def test_rulings_decks_and_awards_are_those_of_the_lines(evening: Path, lines: dict[str, Lines]) -> None:
    async def happenings(store: Store) -> Any:  # noqa: ANN401 - several values
        spans = await spans_between(store, None, None)
        kinds = (RULING_EVENTS, DECK_EVENTS, AWARD_EVENTS)
        found = [[one for span in spans for one in await posted_entries(store, span, kind)] for kind in kinds]
        return rulings_of(found[0]), decks_of(found[1]), awards_of(found[2], default_thresholds())

    rulings, decks, awards = read(evening, happenings)
    everything = [line for record in lines.values() for line in record]
    ruled = [line for line in everything if line["name"] == "irregularity_ruled"]
    assert [(f"table/{one.table}", one.round, one.irregularity, one.clause, one.by) for one in rulings] == [
        (line["stream"], line["round"], line["what"]["irregularity"], line["what"]["clause"], line["by"]["id"])
        for line in ruled
    ]
    refunds: Counter[Any] = Counter()
    for sign, wager, line in settled(everything):
        if wager["outcome"] == "void":
            refunds[line["stream"], line["round"]] += sign * wager["returned"]
    told: Counter[Any] = Counter()
    for ruling in rulings:
        told[f"table/{ruling.table}", ruling.round] += ruling.refunded
    assert +told == +refunds
    assert sum(told.values()) > 0

    received = [line for line in everything if line["name"] == "deck_received"]
    assert [(f"table/{deck.table}", deck.deck) for deck in decks] == [
        (line["stream"], line["what"]["deck"]) for line in received
    ]
    condemned = [line["what"] for line in everything if line["name"] == "deck_condemned"]
    assert [(deck.deck, deck.clause) for deck in decks if deck.why] == [
        (one["deck"], one["clause"]) for one in condemned
    ]
    assert condemned
    for deck in decks:
        assert deck.received <= deck.inspected <= deck.verified <= deck.placed
        assert (deck.hours(datetime.fromisoformat(everything[-1]["at"])) or 0) >= 0

    pending = [line for line in everything if line["name"] == "award_pending"]
    assert [(award.round, award.patron, award.amount) for award in awards] == [
        (line["round"], line["what"]["patron"], line["what"]["amount"]) for line in pending
    ]
    statuses = Counter(award.status for award in awards)
    names = Counter(line["name"] for line in everything)
    assert statuses["paid"] == names["award_paid"] > 0
    assert statuses["hand paid"] == names["award_hand_paid"] > 0
    assert statuses["rejected"] == names["award_rejected"] > 0
    for award in awards:
        flagged = award.amount >= 60_000 and award.amount >= 300 * award.staked
        assert ("tax form for a jackpot" in award.flags) == flagged
        assert award.hand
        assert (award.paid_at is not None) == (award.status in {"paid", "hand paid"})


def test_cash_is_added_up_over_tables_and_by_gaming_day(evening: Path, lines: dict[str, Lines]) -> None:
    async def moves(store: Store) -> list[CashMove]:
        return [move for day in DAYS for move in await cash_moves(store, CashPeriod(day=day))]

    flags = cash_flags(read(evening, moves), default_thresholds())
    expected = []
    for day in DAYS:
        sums: Counter[tuple[str, str]] = Counter()
        for record in lines.values():
            for line in of_day(record, day):
                what = line["what"]
                if line["name"] == "player_bought_in" and not what["brought"]:
                    sums["cash_in", what["patron"]] += what["amount"]
                elif line["name"] == "player_stood_up":
                    sums["cash_out", what["patron"]] += what["chips"]
        for row in default_thresholds():
            for (kind, patron), amount in sorted(sums.items()):
                above = amount > row.amount if row.reaches == "more_than" else amount >= row.amount
                if kind == row.applies_to and above:
                    expected.append((str(day), patron, row.name, amount))
    assert expected
    assert [(flag.day, flag.patron, flag.threshold.name, flag.amount) for flag in flags] == expected


def test_accounts_have_one_name_and_come_back_from_it(evening: Path) -> None:
    names = read(evening, lambda store: store.read("select name from account"))
    for (name,) in names:
        stream = "/".join(name.split("/")[:2])
        assert account_of(stream, account_named(name)).name == name


# --- the commands


@pytest.mark.parametrize("kind", ["day", "meters", "irregularities", "decks", "awards"])
def test_each_report_is_given_in_every_form(evening: Path, tmp_path: Path, kind: str) -> None:
    files = ["--csv", str(tmp_path / "r.csv"), "--parquet", str(tmp_path / "r.parquet")]
    shown = here("report", kind, str(evening), *files)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert max(map(len, shown.stdout.splitlines())) <= 250
    plain = json.loads(here("report", kind, str(evening), "--json").stdout)
    rows = plain.get("rows") or plain.get("meters") or [*plain["tables"], plain["all"]]
    assert (tmp_path / "r.csv").read_text().count("\n") == len(rows) + 1
    columns = parquet.read_table(tmp_path / "r.parquet").column_names
    assert (tmp_path / "r.csv").read_text().partition("\n")[0].split(",") == columns
    lines = [json.loads(line) for line in here("report", kind, str(evening), "--lines").stdout.splitlines()]
    assert [line for line in lines if line.get("row") != "cash"] == (
        [{"row": "table" if row["table"] else "all", **row} for row in rows] if kind == "day" else rows
    )
    assert here("report", kind, str(evening), "--lines", "--json").returncode == 2


@pytest.mark.parametrize("kind", ["day", "meters", "irregularities", "decks", "awards"])
def test_a_file_has_every_column_of_its_rows_and_a_quiet_day_has_them_too(
    evening: Path, tmp_path: Path, kind: str
) -> None:
    if kind != "day":
        rows = [json.loads(line) for line in here("report", kind, str(evening), "--lines").stdout.splitlines()]
        wanted = {"day": columns.FIGURES, "meters": columns.METERS, "irregularities": columns.RULINGS}
        wanted |= {"decks": columns.DECKS, "awards": columns.AWARDS}
        assert [list(flat_row(row)) for row in rows] == [list(wanted[kind])] * len(rows)
    quiet, file = str(tmp_path / "quiet.db"), tmp_path / "r.csv"
    script = here("table", "example").stdout
    assert here("table", "run", "-", "--store", quiet, stdin=script).returncode == 0
    done = here("report", kind, quiet, "--csv", str(file), "--parquet", str(tmp_path / "r.parquet"))
    assert (done.returncode, done.stderr) == (0, "")
    assert file.read_text().count("\n") >= 1


def test_the_file_of_a_day_has_the_warnings_and_the_cash_flags(evening: Path, tmp_path: Path) -> None:
    plain = json.loads(here("report", "day", str(evening), "--day", "2026-01-01", "--json").stdout)
    file = tmp_path / "r.csv"
    assert here("report", "day", str(evening), "--day", "2026-01-01", "--csv", str(file)).returncode == 0
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert "more than chance allows" in next(row for row in rows if row["table"] == "md_4")["warnings"]
    assert [row["beyond_chance"] for row in rows[:-1]] == [
        str(table["compared"]["beyond_chance"]) for table in plain["tables"]
    ]
    flags = [f"{flag['patron']}: {flag['flag']}, {flag['amount']}" for flag in plain["cash"]]
    assert flags
    assert all(flag in rows[-1]["cash_flags"] for flag in flags)


def test_a_name_that_a_spreadsheet_would_take_for_a_formula_is_guarded_in_csv_alone(
    evening: Path, tmp_path: Path
) -> None:
    for suffix in ("", ".key"):
        shutil.copy(f"{evening}{suffix}", tmp_path / f"own.db{suffix}")
    store, files = str(tmp_path / "own.db"), (tmp_path / "r.csv", tmp_path / "r.parquet")
    assert here("store", "name", store, "ann", '=HYPERLINK("x")').returncode == 0
    assert here("report", "awards", store, "--csv", str(files[0]), "--parquet", str(files[1])).returncode == 0
    names = {row["name"] for row in csv.DictReader(files[0].read_text().splitlines())}
    assert {name for name in names if "HYPER" in name} == {'\'=HYPERLINK("x")'}
    assert '=HYPERLINK("x")' in parquet.read_table(files[1]).column("name").to_pylist()


@pytest.mark.parametrize("suffix", ["", ".key", ".lock", "-wal", "-shm", "-journal"])
def test_a_report_never_writes_over_the_store_or_what_belongs_to_it(evening: Path, tmp_path: Path, suffix: str) -> None:
    for own in ("", ".key"):
        shutil.copy(f"{evening}{own}", tmp_path / f"own.db{own}")
    store, before = tmp_path / "own.db", (tmp_path / "own.db").read_bytes()
    (tmp_path / "link.csv").symlink_to(f"{store}{suffix}")
    commands = ["report day", "report meters", "report irregularities", "report decks", "report awards", "recall"]
    for command in commands:
        for form, path in (("--csv", f"{store}{suffix}"), ("--parquet", tmp_path / "link.csv")):
            done = here(*command.split(), str(store), form, str(path))
            assert (done.returncode, "that is the store itself" in done.stderr) == (2, True), (command, form)
    assert store.read_bytes() == before
    secret = str(tmp_path / "secret")
    shutil.copy(f"{store}.key", secret)
    assert here("recall", str(store), "--csv", secret, CROUPIER_KEY_FILE=secret).returncode == 2
    assert here("recall", str(store), "--csv", f"{store}.csv", "--parquet", f"{store}.csv").returncode == 2


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
@pytest.mark.parametrize("kind", ["day", "meters", "awards"])
def test_a_day_that_nobody_can_mean_is_refused_in_one_line(evening: Path, kind: str, day: str) -> None:
    done = here("report", kind, str(evening), "--day", day)
    assert (done.returncode, f"'{day}' is not a day" in done.stderr) == (2, True)


def test_a_shift_and_a_day_say_the_same_of_the_same_hours(evening: Path) -> None:
    day = json.loads(here("report", "day", str(evening), "--day", "2026-01-02", "--json").stdout)
    hours = ("--from", "2026-01-01T21:50Z", "--to", "2026-01-02T12:00+00:00")
    shift = json.loads(here("report", "shift", str(evening), *hours, "--json").stdout)
    assert day["all"] == shift["all"]
    assert day["period"] == "gaming day 2026-01-02"


def test_win_far_from_theo_is_called_out(evening: Path) -> None:
    shown = here("report", "day", str(evening), "--table", "md_4")
    assert "more than chance allows" in shown.stdout
    assert here("report", "day", str(evening), "--table", "md_2").stdout.count("chance allows") == 0


def test_an_operator_sets_the_thresholds(evening: Path, tmp_path: Path) -> None:
    ours = tmp_path / "ours.toml"
    ours.write_text('[[threshold]]\nname = "any award"\napplies_to = "award"\namount = "0.01"\n')
    rows = json.loads(here("report", "awards", str(evening), "--thresholds", str(ours), "--json").stdout)["rows"]
    assert all(row["flags"] == ["any award"] for row in rows)
    ours.write_text('[[threshold]]\nname = "any award"\napplies_to = "award"\namount = "much"\n')
    done = here("report", "awards", str(evening), "--thresholds", str(ours))
    assert (done.returncode, done.stdout) == (2, "")
    assert "ours.toml, threshold 'any award': 'much' is not an amount" in done.stderr


def test_a_meter_that_does_not_reconcile_is_exit_1(evening: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    shutil.copy(evening, broken)
    connection = apsw.Connection(str(broken))
    connection.execute("update account set amount = amount + 1 where name = 'table/md_4/meter/main'")
    connection.close()
    done = here("report", "meters", str(broken))
    assert done.returncode == 1
    assert done.stderr == "croupier report: 1 meter does not hold what it should: table/md_4/meter/main\n"
    assert "$0.000001" in done.stdout


def test_a_tray_that_does_not_agree_with_play_is_exit_1(evening: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    shutil.copy(evening, broken)
    connection = apsw.Connection(str(broken))
    connection.execute(
        "update event set postings = (select json_group_array("
        "json_array(account, amount - 500 * (account = 'table/ma_1/tray'))) from posting"
        " where posting.stream = event.stream and posting.seq = event.seq)"
        " where id = (select id from event where stream = 'table/ma_1' and name = 'hand_settled/1' limit 1)"
    )
    connection.close()
    done = here("report", "day", str(broken), "--day", "2026-01-01")
    assert done.returncode == 1
    assert "tray and play differ by −$5, and nothing explains it" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["day", "{}", "--day", "2031-01-01"], 1, "nothing is recorded"),
        (["day", "{}", "--table", "99"], 1, "nothing is recorded"),
        (["shift", "{}", "--from", "2031-01-01"], 1, "nothing is recorded"),
        (["shift", "{}"], 2, "a shift needs its times"),
        (["day", "{}", "--day", "New Year"], 2, "is not a day such as 2026-01-01"),
        (["decks", "{}", "--day", "2026-01-01", "--from", "2026-01-01"], 2, "a gaming day or times, not both"),
        (["meters", "nowhere.db"], 2, "no such store"),
        (["awards", "{}", "--csv", "nowhere/r.csv"], 2, "there is no folder"),
    ],
)
def test_what_is_not_there_is_1_and_what_cannot_be_read_is_2(
    evening: Path, arguments: list[str], code: int, words: str
) -> None:
    done = here("report", *(word.format(evening) for word in arguments))
    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
