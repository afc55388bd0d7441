"""Rounds decided by a function: the same figures as the kernels', the view of a player, and what is refused."""

import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby, pairwise
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import asdict, replace

from croupier.cards import Card
from croupier.cli.user_function import function_of
from croupier.errors import Malformed
from croupier.games import card_counts, settle_round
from croupier.games.raising import raise_limit
from croupier.games.rules import rules_of
from croupier.money import Cents, share_of_meter
from croupier.progressive import accrue, shown
from croupier.rulebook import check, read_submission, rulebook_ids
from croupier.simulation import DecisionPoint, Plan, Tally, figures, play_by, simulate, sit
from croupier.simulation.custom import user_strategy
from croupier.simulation.kernels.prizes import ENVY, SHARE
from croupier.simulation.parallel import Interrupted, run_parts
from croupier.simulation.report import report_meters, report_wagers
from croupier.simulation.scripted_rounds import ScriptedRound, write_scripts
from support.random_rounds import HCF, LIR, MA, MS
from support.running import here
from support.simulated import random_house

SEED = 3
EXAMPLES = Path(__file__).parents[2] / "examples/strategies.py"
OWN = {HCF: 7, LIR: 3, MA: 2, MS: 2}
COMMUNITY = {HCF: [0], LIR: [0, 1], MA: [0, 1, 2], MS: [0, 1, 2]}
"""How many community cards are up at each decision."""


def full_plan(rulebook: str, **changes: object) -> Plan:
    """Five seats with every wager, on a random house whose limits allow them."""
    house = random_house(random.Random(SEED), rulebook)[1]
    main = ("bet_1", "bet_2", "bet_3") if rulebook == LIR else ("ante",)
    stakes = {one.name: one.stakes.minimum for one in house.wagers if one.stakes is not None}
    seats = tuple(sit(number, **(stakes | dict.fromkeys(main, 2500))) for number in (1, 2, 4, 5, 6))  # type: ignore[arg-type]
    return Plan(house=house, seats=seats, seed=SEED, **changes)  # type: ignore[arg-type]


@lru_cache(maxsize=64)
def scripts_of(plan: Plan, batch: int) -> list[ScriptedRound]:
    return write_scripts(plan, 256, 256 * batch)


def as_kernel(plan: Plan) -> Callable[[DecisionPoint], str]:
    """A function that does what the kernel does in each round."""

    def decide(turn: DecisionPoint) -> str:
        acts = scripts_of(plan, turn.round // 256)[turn.round % 256].acts[turn.seat]
        act = acts >> 2 * len(turn.decided) & 3
        return {"withdraw": ("", "withdraw", "ride"), "fold": ("fold", "1x", "2x", "3x")}[turn.legal[0]][act]

    return decide


def by_function(plan: Plan, decide: Callable[[DecisionPoint], str], rounds: int, start: int = 0) -> Tally:
    return play_by(replace(plan, strategy="tests:decide"), decide, rounds, start)


@lru_cache(maxsize=4)
def winners(rulebook: str) -> tuple[Plan, range, range]:
    """A plan, a row of rounds in which meters are hit at least twice, and one with envy."""
    plan = full_plan(rulebook, strategy="always")
    events = simulate(plan, 1_000_000).events
    hits = [event.round for event in events if event.kind == SHARE]
    first, last = min(pairwise(hits), key=lambda pair: pair[1] - pair[0])
    envied = next(event.round for event in events if event.kind == ENVY)
    return plan, range(first - 5, last + 5), range(envied - 1, envied + 2)


# --- the same as the kernels


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_kernels_decisions_give_the_kernels_tally(rulebook: str) -> None:
    """Every wager on five seats."""
    plan = full_plan(rulebook)
    played, expected = by_function(plan, as_kernel(plan), 200, 1000), simulate(plan, 200, 1000)
    assert replace(played, plan=plan.key) == expected
    assert all(wager.sums.rounds for wager in figures(plan, expected).boxes[0].wagers)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_chance_makes_the_same_mistakes(rulebook: str) -> None:
    plan = full_plan(rulebook, strategy="always", mistakes=300_000)

    def always(turn: DecisionPoint) -> str:
        return "1x" if rulebook in {MA, MS} else turn.legal[-1]

    expected = simulate(plan, 200, 1000)
    assert replace(by_function(plan, always, 200, 1000), plan=plan.key) == expected
    assert len(figures(plan, expected).boxes[0].paths) > 1


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_awards_envy_and_meters_are_the_same(rulebook: str) -> None:
    plan, *rows = winners(rulebook)
    named, awards, envy = replace(plan, strategy="tests:decide"), 0, 0
    for row in rows:
        played, expected = by_function(plan, as_kernel(plan), len(row), row.start), simulate(plan, len(row), row.start)
        mine = figures(named, played)
        assert mine == figures(plan, expected)
        assert report_meters(named, played) == report_meters(plan, expected)
        ours, exactly = report_wagers(named, played), report_wagers(plan, expected)
        assert [replace(one, exact=None) for one in ours] == [replace(one, exact=None) for one in exactly]
        awards += sum(len(run.awards) for run in mine.meters.values())
        envy += sum(box.envy for box in mine.boxes)
    assert awards >= 2
    assert envy > 0


def test_many_parts_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = full_plan(MS)
    monkeypatch.setattr(user_strategy, "AT_ONCE", 7)
    monkeypatch.setattr(user_strategy, "MANY", 3)
    heard: list[int] = []
    played = play_by(replace(plan, strategy="tests:decide"), as_kernel(plan), 100, done=heard.append)
    assert replace(played, plan=plan.key) == simulate(plan, 100)
    assert heard == [*[7] * 14, 2]


def test_no_exact_edge_is_claimed_for_a_function() -> None:
    plan = full_plan(MS)
    named = replace(plan, strategy="tests:decide")
    reports = report_wagers(named, by_function(plan, as_kernel(plan), 50))
    assert [one.exact for one in reports if one.wager == "base"] == [None] * 5


def test_the_engine_is_held_against_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the engine to pay a cent more, or the meters to run otherwise, nobody would get figures."""
    plan, row, _ = winners(HCF)

    def generous(*given: object) -> object:
        settled = settle_round(*given)  # type: ignore[arg-type]
        seat = settled.seats[0]
        wagers = (replace(seat.wagers[0], won=seat.wagers[0].won + 1), *seat.wagers[1:])
        return replace(settled, seats=(replace(seat, wagers=wagers), *settled.seats[1:]))

    monkeypatch.setattr(user_strategy, "settle_round", generous)
    with pytest.raises(ValueError, match="seat 6: the engine settles"):
        by_function(plan, as_kernel(plan), 1)
    monkeypatch.setattr(user_strategy, "settle_round", settle_round)
    monkeypatch.setattr(user_strategy, "accrue", lambda meter, _: meter)
    with pytest.raises(ValueError, match="the engine has the meters at"):
        by_function(plan, as_kernel(plan), len(row), row.start)


# --- what a player knows


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_turn_holds_what_a_player_may_know_and_nothing_else(rulebook: str) -> None:
    plan = full_plan(rulebook, mistakes=500_000)
    choices, seen = plan.house.rulebook.play.choice, list[DecisionPoint]()

    def decide(turn: DecisionPoint) -> str:
        seen.append(turn)
        return turn.legal[-1]

    by_function(plan, decide, 60, 500)
    numbers = [seat.number for seat in plan.seats]
    counts = card_counts(plan.house)
    for turn in seen:
        cards = write_scripts(plan, 1, turn.round)[0].cards
        place, done = numbers.index(turn.seat), len(turn.decided)
        first = counts.get("community", 0) + counts.get("dealer", 0) + place * OWN[rulebook]
        assert turn.cards == cards[first : first + OWN[rulebook]]
        assert turn.community == cards[: COMMUNITY[rulebook][done]]
        assert turn.decision == choices[done].decision
        assert turn.legal == legal(plan, turn)
        assert turn.staked == staked(plan, turn)
        assert turn.meters.keys() == {meter.name for wager in plan.house.wagers for meter in wager.meters}
        assert turn.house is plan.house
        assert visible(turn) <= {*turn.cards, *turn.community}
    assert {turn.round for turn in seen} == set(range(500, 560))
    assert {len(turn.decided) for turn in seen} == set(range(len(choices)))
    order = [(turn.round, len(turn.decided), turn.seat) for turn in seen]
    assert order == sorted(order)


def legal(plan: Plan, turn: DecisionPoint) -> tuple[str, ...]:
    if plan.house.rulebook.id == LIR:
        return ("withdraw", "ride")
    most = raise_limit(rules_of(plan.house), turn.cards).times if plan.house.rulebook.id == HCF else 3
    return ("fold", "1x", "2x", "3x")[: most + 1]


def staked(plan: Plan, turn: DecisionPoint) -> dict[str, int]:
    found: dict[str, int] = dict(plan.seats[0].stakes)
    for choice, act in zip(plan.house.rulebook.play.choice, turn.decided, strict=False):
        if act == "withdraw":
            del found[choice.decision]
        elif act != "ride":
            found[choice.decision] = int(act[0]) * found["ante"]
    return found


def visible(turn: DecisionPoint) -> set[Card]:
    """Every card that can be reached from a turn, the house apart."""

    def inside(one: object) -> Iterator[Card]:
        if isinstance(one, Card):
            yield one
        elif isinstance(one, Struct):
            yield from inside(asdict(one))
        elif isinstance(one, Mapping):
            yield from inside(tuple(one.items()))
        elif isinstance(one, tuple | list):
            for part in one:
                yield from inside(part)

    return {card for name, value in asdict(turn).items() if name != "house" for card in inside(value)}


def test_a_turn_cannot_be_changed() -> None:
    def decide(turn: DecisionPoint) -> str:
        with pytest.raises(AttributeError):
            turn.cards = ()  # type: ignore[misc]
        with pytest.raises(TypeError):
            turn.meters["main"] = 0  # type: ignore[index]
        with pytest.raises(TypeError):
            turn.staked["ante"] = 0  # type: ignore[index]
        return "fold"

    assert by_function(full_plan(MS), decide, 1).rounds == 1


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_meter_that_is_seen_is_the_meter_that_pays(rulebook: str) -> None:
    """It is where the rounds before left it, with this round's stakes unless they are added at its close."""
    plan, row, _ = winners(rulebook)
    staked = Cents(sum(dict(seat.stakes)["progressive"] for seat in plan.seats))
    late = plan.house.options.meter_increment == "at_close"
    follow, seen = as_kernel(plan), dict[int, dict[str, Cents]]()

    def decide(turn: DecisionPoint) -> str:
        assert seen.setdefault(turn.round, dict(turn.meters)) == turn.meters
        return follow(turn)

    tally = by_function(plan, decide, len(row), row.start)
    for number in (*row[1:10], *row[-10:]):  # around the first hit and the last
        left = figures(plan, simulate(plan, number - row.start, row.start)).meters
        assert seen[number] == {
            name: shown(run.final if late else accrue(run.final, staked)) for name, run in left.items()
        }
    awards = 0
    for name, run in figures(replace(plan, strategy="tests:decide"), tally).meters.items():
        for number, won in groupby(run.awards, key=lambda award: award.round):
            first = next(won)
            share = share_of_meter(seen[number][name], percent=first.percent, rounding=run.final.rounding)
            assert first.amount == share
            awards += 1
    assert awards


# --- what is refused


def plain_plan(**changes: object) -> Plan:
    house = check(read_submission({"rulebook": MS})).house
    assert house is not None
    return Plan(house=house, seats=(sit(3, ante=1000),), **({"strategy": "mine:odd"} | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("answer", ["ride", "4x", "raise", "", None, 3, ["fold"]])
def test_an_illegal_answer_is_named(answer: object) -> None:
    with pytest.raises(Malformed) as caught:
        play_by(plain_plan(), lambda _: answer, 5, 7)  # type: ignore[arg-type, return-value]
    message = f"mine:odd in round 7 at seat 3: it answered {answer!r}; allowed on third_street are fold, 1x, 2x, 3x"
    assert str(caught.value) == message


class Unspeakable:
    def __repr__(self) -> str:
        raise ValueError("no words")


class Everything(str):
    """Says that it is each of the legal answers."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


def test_an_answer_that_lies_or_cannot_be_printed_is_refused() -> None:
    async def later(_: DecisionPoint) -> str:
        return "fold"

    class Stop(BaseException):
        def __str__(self) -> str:
            raise ValueError("no words")

    def stops(_: DecisionPoint) -> str:
        raise Stop

    for decide, said in (
        (lambda _: Unspeakable(), "a Unspeakable that cannot be printed"),
        (lambda _: Everything("zzz"), "it answered 'zzz'"),
        (later, "it answered <coroutine"),
        (stops, "Stop: a Stop that cannot be printed"),
    ):
        with pytest.raises(Malformed, match=said):
            play_by(plain_plan(), decide, 5)  # type: ignore[arg-type]


def test_a_raise_is_bounded_by_the_hand() -> None:
    plan = full_plan(HCF)
    with pytest.raises(Malformed, match=r"answered '3x'; allowed on raise are fold, 1x$"):
        by_function(plan, lambda _: "3x", 5)


@pytest.mark.parametrize("error", [ZeroDivisionError("by nothing"), SystemExit("enough"), KeyError("main")])
def test_a_function_that_fails_is_named_with_its_line(error: BaseException) -> None:
    def helper() -> str:
        raise error

    def decide(turn: DecisionPoint) -> str:
        return helper() if turn.round == 40 else "fold"

    line = helper.__code__.co_firstlineno + 1
    with pytest.raises(Malformed) as caught:
        play_by(plain_plan(), decide, 50)
    message = f"mine:odd in round 40 at seat 3, line {line}: {type(error).__name__}: {error}"
    assert (str(caught.value), caught.value.__cause__) == (message, error)


def test_a_failure_in_a_library_is_told_by_the_line_that_called_it() -> None:
    def decide(_: DecisionPoint) -> str:
        return Card("9x").suit

    with pytest.raises(Malformed, match=rf"line {decide.__code__.co_firstlineno + 1}: CardError"):
        play_by(plain_plan(), decide, 1)


def test_kernels_and_functions_do_not_play_each_others_plans() -> None:
    with pytest.raises(Malformed, match="name a function's with a colon"):
        play_by(plain_plan(strategy="optimal"), lambda _: "fold", 5)
    with pytest.raises(Malformed, match="mine:odd: a function decides"):
        simulate(plain_plan(), 5)
    with pytest.raises(Malformed, match="mine:odd: a function decides"):
        run_parts(plain_plan(), 5)
    for rounds, start in ((0, 0), (5, -1)):
        with pytest.raises(Malformed, match="at least one"):
            play_by(plain_plan(), lambda _: "fold", rounds, start)


# --- stopping


@pytest.mark.parametrize("at", [0, 3, 40, 64])
def test_what_was_played_before_ctrl_c_is_given(at: int) -> None:
    def decide(turn: DecisionPoint) -> str:
        if turn.round == at:
            raise KeyboardInterrupt
        return "1x"

    always = plain_plan(strategy="always")
    with pytest.raises(Interrupted) as caught:
        play_by(plain_plan(), decide, 100)
    if at == 0:
        assert caught.value.tally is None
    else:
        assert caught.value.tally is not None
        assert replace(caught.value.tally, plan=always.key) == simulate(always, at)


# --- the examples


def example(name: str) -> Callable[[DecisionPoint], str]:
    return function_of(f"{EXAMPLES}:{name}")


def turn_of(
    cards: str, community: str = "", *, meter: int = 0, staked: tuple[str, ...] = ("progressive",)
) -> DecisionPoint:
    plan = plain_plan()
    return DecisionPoint(
        round=0,
        seat=1,
        decision="third_street",
        legal=("fold", "1x", "2x", "3x"),
        decided=(),
        cards=tuple(map(Card, cards.split())),
        community=tuple(map(Card, community.split())),
        staked=dict.fromkeys(staked, 100),  # type: ignore[arg-type]
        meters={"main": meter},  # type: ignore[dict-item]
        house=plan.house,
    )


@pytest.mark.parametrize(
    ("cards", "community", "cautious", "watching"),
    [
        ("6h 6d", "", "3x", "3x"),
        ("5h 5d", "", "fold", "fold"),
        ("Jh 2d", "", "1x", "1x"),
        ("Th 2d", "", "fold", "fold"),
        ("4h 8h", "", "fold", "1x"),
        ("4h 9h", "", "fold", "fold"),
        ("4h 8h", "6h", "fold", "1x"),
        ("4h 8h", "6d", "fold", "fold"),
    ],
)
def test_the_examples_play_as_they_say(cards: str, community: str, cautious: str, watching: str) -> None:
    rich, poor = 2_000_000, 1_999_999
    assert example("cautious")(turn_of(cards, community, meter=rich)) == cautious
    assert example("meter_watcher")(turn_of(cards, community, meter=rich)) == watching
    assert example("meter_watcher")(turn_of(cards, community, meter=poor)) == cautious
    assert example("meter_watcher")(turn_of(cards, community, meter=rich, staked=("ante",))) == cautious


def test_the_meter_is_watched_while_it_grows() -> None:
    """It begins below the bar and passes it; from then on hands are played that were folded before."""
    meters = {"main": {"initial": "19999.00", "reset": "10000.00", "rate": "0.10"}}
    wagers = {"progressive": {"paytable": "A", "stake": "5.00", "meters": meters}}
    verdict = check(read_submission({"rulebook": MS, "wagers": wagers}))
    assert verdict.house is not None, verdict.findings
    plan = Plan(house=verdict.house, seats=(sit(1, ante=1000, progressive=500),), strategy="examples:watcher")
    shows: dict[str, list[int]] = {"kept": [], "folded": []}
    watch, plainly = example("meter_watcher"), example("cautious")

    def decide(turn: DecisionPoint) -> str:
        answer = watch(turn)
        if answer != plainly(turn):
            shows["kept"].append(turn.meters["main"])
        elif answer == "fold" and example("draws_to_straight_flush")(turn):
            shows["folded"].append(turn.meters["main"])
        return answer

    play_by(plan, decide, 120)
    assert max(shows["folded"], default=0) < 2_000_000 <= min(shows["kept"])


# --- by name


def test_functions_are_found_by_file_and_by_module(monkeypatch: pytest.MonkeyPatch) -> None:
    assert function_of(f"{EXAMPLES}:cautious").__name__ == "cautious"
    monkeypatch.syspath_prepend(str(EXAMPLES.parent))
    assert function_of("strategies:meter_watcher").__name__ == "meter_watcher"
    monkeypatch.delitem(sys.modules, "strategies")


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "odd", "has no 'odd'; it has no functions"),
        ("def even(turn): ...", "odd", "has no 'odd'; it has even"),
        ("odd = 3", "odd", "odd in {file} is not a function"),
        ("odd = 3\nodd = (", "odd", "{file}, line 2: '(' was never closed"),
        ("import sys\n\nsys.exit('no')", "odd", "{file}, line 3: SystemExit: no"),
        ("import nowhere_at_all", "odd", "{file}, line 1: ModuleNotFoundError: No module named 'nowhere_at_all'"),
        (None, "odd", "there is no file {file}"),
    ],
)
def test_what_is_no_function_is_one_line(tmp_path: Path, text: str | None, name: str, message: str) -> None:
    file = tmp_path / "mine.py"
    if text is not None:
        file.write_text(text)
    with pytest.raises(Malformed) as caught:
        function_of(f"{file}:{name}")
    assert message.format(file=file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_module_that_is_not_there_is_one_line() -> None:
    for where in ("nowhere.at.all", "", "..up"):
        with pytest.raises(Malformed, match="--strategy: "):
            function_of(f"{where}:odd")


# --- as a command


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("house") / "house.toml"
    assert here("submission", "new", MS, "--every-wager", "-o", str(path)).returncode == 0
    return str(path)


def written(folder: Path, text: str) -> str:
    (folder / "mine.py").write_text(f"def mine(turn):\n    {text}\n")
    return f"{folder / 'mine.py'}:mine"


def test_a_function_has_the_figures_of_the_strategy_that_it_repeats(house: str, tmp_path: Path) -> None:
    asked = ("simulate", house, "--rounds", "300", "--seed", "5", "--seats", "2", "--mistakes", "10%", "--json")
    mine = written(tmp_path, "return '1x'")
    by_file = json.loads(here(*asked, "--strategy", mine).stdout)
    by_kernel = json.loads(here(*asked, "--strategy", "always").stdout)
    assert (by_file["strategy"], by_file["rounds"]) == (mine, 300)
    for mine_of, theirs in zip(by_file["wagers"], by_kernel["wagers"], strict=True):
        if mine_of["wager"] == "progressive":  # a function may keep any hand, so its interval is that of keeping all
            assert mine_of["standard_error"] >= theirs["standard_error"]
            mine_of |= {name: theirs[name] for name in ("standard_error", "interval_99")}
    assert by_file | {"strategy": "always"} == by_kernel


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("return 'call'", (), "it answered 'call'; allowed on third_street are fold, 1x, 2x, 3x"),
        ("return turn.hand", (), "at seat 1, line 2: AttributeError: 'DecisionPoint' object has no attribute 'hand'"),
        ("return '1x'", ("--workers", "2"), "--workers: "),
        ("return '1x'", ("--scheduler", "tcp://localhost:1"), "--scheduler: "),
        ("return '1x'", ("--resume", "."), "--resume: "),
    ],
)
def test_what_cannot_be_played_is_one_line(
    house: str, tmp_path: Path, text: str, options: tuple[str, ...], said: str
) -> None:
    done = here("simulate", house, "-n", "20", "--strategy", written(tmp_path, text), *options)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert done.stderr.startswith("croupier: ")
    assert said in done.stderr


def test_one_worker_is_what_there_is(house: str, tmp_path: Path) -> None:
    mine = written(tmp_path, "return '1x'")
    assert here("simulate", house, "-n", "20", "--strategy", mine, "--workers", "1").returncode == 0


def test_ctrl_c_shows_what_was_played(house: str, tmp_path: Path) -> None:
    mine = written(tmp_path, "if turn.round == 33: raise KeyboardInterrupt\n    return '1x'")
    done = here("simulate", house, "-n", "100", "--strategy", mine)
    assert done.returncode == 130
    assert ": 33 rounds, seed 0, " in " ".join(done.stdout.split())


def test_what_a_function_prints_is_not_in_the_answer(house: str, tmp_path: Path) -> None:
    file = tmp_path / "loud.py"
    file.write_text(
        "import sys\ndef loud(turn):\n    print('hello')\n    sys.stdout.close()\n    return turn.legal[-1]\n"
    )
    done = here("simulate", house, "--rounds", "1", "--strategy", f"{file}:loud", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["rounds"] == 1
    assert "hello" in done.stderr


def test_debugging_shows_where_a_function_failed(house: str, tmp_path: Path) -> None:
    with pytest.raises(AttributeError, match="hand"):
        here("simulate", house, "-n", "5", "--strategy", written(tmp_path, "return turn.hand"), CROUPIER_DEBUG="1")


def test_other_commands_do_not_ask_functions(house: str, tmp_path: Path) -> None:
    done = here("irregularities", house, "-n", "5", "--strategy", written(tmp_path, "return '1x'"))
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "a function decides round by round" in done.stderr
