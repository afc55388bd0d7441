"""The first rounds of a first run are played before the kernels are compiled, and are the same rounds."""

import re

import pytest

from croupier.rulebook import check, load_rulebook, rulebook_ids, starting_submission
from croupier.rulebook.submission import read_submission_text
from croupier.simulation import Plan, Seat, box_stakes, first_rounds, is_ready, run, simulate
from support.random_rounds import HCF, MS
from support.running import here


@pytest.fixture
def nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "is_compiled", lambda _: False)


def every_wager(rulebook: str, strategy: str = "optimal") -> Plan:
    text = starting_submission(load_rulebook(rulebook), every_wager=True)
    house = check(read_submission_text(text, name=rulebook)).rules()
    seats = tuple(Seat(number, tuple(box_stakes(house, {}).items())) for number in (1, 2, 3))
    return Plan(house=house, seats=seats, seed=(1 << 63) + 5, mistakes=50_000, strategy=strategy)


@pytest.mark.usefixtures("nothing_compiled")
@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_plain_python_plays_the_same_rounds(rulebook: str) -> None:
    for strategy in ("optimal", "always"):
        plan = every_wager(rulebook, strategy)
        assert first_rounds(plan, 300) == simulate(plan, 300)


def test_compiled_kernels_play_from_the_first_round() -> None:
    plan = every_wager(HCF)
    simulate(plan, 1)
    assert is_ready(plan)
    assert first_rounds(plan, 10) is None


def test_a_short_run_needs_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("simulate", "-", "--rounds", "300", "--seed", "5", "--json")
    submission = starting_submission(load_rulebook(MS), every_wager=True)
    before = here(*command, stdin=submission)
    monkeypatch.setattr(run, "is_compiled", lambda _: False)
    monkeypatch.setattr("croupier.cli.first_figures.FIRST", 300)
    monkeypatch.setattr("croupier.simulation.parallel.simulate", None)  # whoever calls it fails
    after = here(*command, stdin=submission)
    assert (before.returncode, before.stdout) == (after.returncode, after.stdout)


@pytest.mark.usefixtures("nothing_compiled")
def test_the_first_figures_are_on_screen_while_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    submission = starting_submission(load_rulebook(MS), every_wager=False)
    command = ("simulate", "-", "--rounds", "3000")
    assert here(*command, stdin=submission).stderr == ""
    monkeypatch.setattr("croupier.cli.first_figures.is_on_screen", lambda: True)
    done = here(*command, stdin=submission)
    first, base, *_ = done.stderr.splitlines()
    assert first == "The first 2,000 rounds. Compiling for the others, once on this machine."
    assert base.startswith("  base: house edge ")
    assert base.endswith(", exact 4.9149%")
    assert "3,000 rounds" in done.stdout


@pytest.mark.usefixtures("nothing_compiled")
@pytest.mark.parametrize("options", [("hold", "--months", "1"), ("bankroll", "--bankroll", "500", "--visits", "50")])
def test_what_is_made_of_every_round_shows_first_figures_too(
    options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    command, *more = options
    submission = starting_submission(load_rulebook(MS), every_wager=False)
    assert here(command, "-", *more, stdin=submission).stderr == ""
    monkeypatch.setattr("croupier.cli.first_figures.is_on_screen", lambda: True)
    *_, first, base = here(command, "-", *more, stdin=submission).stderr.splitlines()
    assert first == "The first 2,000 rounds. Compiling for the others, once on this machine."
    assert base.endswith(", exact 4.9149%")


@pytest.mark.usefixtures("nothing_compiled")
def test_a_first_hold_says_what_is_exact_before_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    submission = starting_submission(load_rulebook(MS), every_wager=False)
    monkeypatch.setattr("croupier.cli.first_figures.is_on_screen", lambda: True)
    done = here("hold", "-", "--months", "1", stdin=submission)
    expected, first, _ = done.stderr.splitlines()
    assert re.fullmatch(r"Expected win: \$[0-9.]+ per shift, \$[0-9.]+ per day, \$[0-9,.]+ per month.", expected)
    assert first.startswith("The first 2,000 rounds.")
    stop = KeyboardInterrupt()
    monkeypatch.setattr("croupier.simulation.mixed_table.play_parts", lambda *_, **__: (_ for _ in ()).throw(stop))
    stopped = here("hold", "-", "--occupancy", "10-18=2", "--months", "1", stdin=submission)
    assert stopped.returncode == 130
    assert "theo per player per hour" in stopped.stdout
    assert "The first 2,000 rounds." in stopped.stderr
