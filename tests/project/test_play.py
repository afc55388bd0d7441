"""`croupier play` as people meet it: keys through a pipe, once on a terminal, and money that adds up."""

import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from croupier.cli.play.dealer import dealers_move, money_moved
from croupier.cli.play.strategy import computer_decides
from croupier.cli.play.table import Table

from croupier.cards import DECK, Card, parse_cards
from croupier.cli.play.betting import computer_bets
from croupier.games import actions, result
from croupier.money import Cents, parse_dollars
from croupier.progressive import shown
from croupier.rulebook import HouseRules, check, load_rulebook, read_submission_text
from croupier.rulebook.template import starting_submission
from support.running import croupier, here

MS, MA, LIR, HCF = "md-mississippi-stud", "ma-mississippi-stud", "md-let-it-ride", "md-high-card-flush"
ROW = r"^[a-z][a-z0-9 ]+? {2,}(\$\S+)  (?:win|lose|push|forfeit|withdrawn) +(\$\S+)"
SUMMARY = r"You played (\d+) rounds?, staked (\S+), got back (\S+): net (\S+)\. Bankroll: (\S+)\."
CONTROL_C = "\x03"
RED_AND_BLACK = "♣♦♥♠╭│░"


def play(*arguments: str, keys: str = "", **environment: str) -> str:
    """What a session shows; each word of `keys` is a line, `-` is Enter alone. With variables it has a process."""
    lines = "".join("\n" if word == "-" else word.replace("_", " ") + "\n" for word in keys.split())
    run = croupier if environment else here
    done = run("play", *arguments, stdin=lines, **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines()), default=0) <= 80
    return done.stdout


def cents(text: str) -> int:
    sign = -1 if text.startswith("-") else 1
    return sign * parse_dollars(text.strip("+-").removeprefix("$").replace(",", ""))


def check_money(text: str, bankroll: str = "$500") -> None:
    """Every round moves the bankroll by what its wagers were paid, and the summary says the same."""
    purse, staked, paid = cents(bankroll), 0, 0
    rounds = 0
    for one in re.split(r"^Round \d+ ", text, flags=re.MULTILINE)[1:]:
        total = re.search(r"^all +(\$\S+) +(\$\S+)", one, flags=re.MULTILINE)
        if total is None:
            continue
        rows = re.findall(ROW, one, re.MULTILINE)
        assert sum(cents(row[0]) for row in rows) == cents(total[1])
        assert sum(cents(row[1]) for row in rows) == cents(total[2])
        net = cents(total[2]) - cents(total[1])
        purse, staked, paid, rounds = purse + net, staked + cents(total[1]), paid + cents(total[2]), rounds + 1
        ended = re.search(r"You (win|lose|break even)(?: (\$\S+))? and have (\$\S+)\.", one)
        assert ended is not None
        assert {"win": 1, "lose": -1}.get(ended[1], 0) * cents(ended[2] or "$0") == net
        assert cents(ended[3]) == purse
    summary = re.search(SUMMARY, flat(text))
    assert summary is not None
    assert int(summary[1]) == rounds
    assert [cents(one) for one in summary.groups()[1:]] == [staked, paid, paid - staked, purse]


def flat(text: str) -> str:
    return " ".join(text.split())


# --- the four games


def test_mississippi_stud_street_by_street() -> None:
    text = play(MS, "--seed", "2", "--rounds", "1", keys="- 2 - 1 1 3")
    boards = re.findall(r"│(.)..││(.)..││(.)..│    │K  ││6  │", text)
    assert boards == [("░", "░", "░"), ("J", "░", "░"), ("J", "A", "░"), ("J", "A", "J")]
    assert "King high" in text
    assert "Pair of jacks, with A K 6" in text
    assert "ante                 $10  win       $20  pair of jacks: paytable standard" in text
    assert "to 1 (12.A(1)-(10))" in text
    assert "three card bonus      $1  win        $2" in text
    assert "You win $61 and have $561." in text
    check_money(text)


def test_a_fold_ends_the_hand_at_once() -> None:
    text = play(MS, "--seed", "2", keys="25 - 1 F")
    assert len(re.findall(r" \$25  forfeit +\$0  folded: bet lost \(11\.\S+\)", text)) == 2
    assert "You lose $50 and have $450." in text
    assert "Ante, Enter for $25" in text.split("Round 2")[1]
    check_money(text)


def test_massachusetts_with_every_wager_and_players_of_the_computer() -> None:
    text = play(MA, "--seed", "3", "--others", "2", "--rounds", "1", keys="- 1_2_3 - 1 1 1")
    assert "cover all         $1 to $100 in steps of $1  on, $1" in text
    assert re.search(r"cover all +\$1  (win|lose)", text)
    assert len(re.findall(r"^Seat [23] \(computer\): .*(wins|loses|breaks)", text, re.MULTILINE)) == 2
    assert "its chips are collected; 3 counted" in flat(text)
    assert "main $10,000\n" in text
    check_money(text)


def test_let_it_ride_rides_and_withdraws() -> None:
    text = play(LIR, "--seed", "6", "--rounds", "2", keys="20 1_2_3 - R W - - w ride")
    assert "R let bet 1 ride   W take bet 1 back" in text
    assert re.search(r"bet 1 +\$20  win ", text)
    assert re.search(r"bet 2 +\$20  withdrawn +\$20  taken back before it was at risk", text)
    assert "six card box" in text
    assert "five card bonus" in text.split("Round 2")[1].split("On the layout")[1]
    check_money(text)


@pytest.mark.parametrize(
    ("keys", "staked"),
    [
        ("2", "$20"),
        ("R 15", "$15"),
        ("R_15", "$15"),
        ("r17", "$17"),
        ("1x", "$10"),
        ("raise_20", "$20"),
        ("R x 12", "$12"),
    ],
)
def test_high_card_flush_raises_by_multiples_and_amounts(keys: str, staked: str) -> None:
    text = play(HCF, "--seed", "11", "--rounds", "1", keys=f"- - {keys}")
    assert "1 raise $10   2 raise $20   R another   F fold   ? what pays   Q leave" in text
    assert "Five-card flush, K 8 6 4 2" in text
    assert re.search(rf"^raise +\{staked}  win ", text, re.MULTILINE)
    check_money(text)


def test_a_raise_above_the_hand_is_refused_with_its_clause() -> None:
    text = play(HCF, "--seed", "11", keys="- - 3 R_5 R_40 f")
    assert "Not allowed: a 5-card flush raises at most twice the ante (11.B(2); reading 72)" in flat(text)
    assert "Not allowed: a raise is at least the ante (11.B(2); reading 72)" in flat(text)
    assert "You lose $10 and have $490." in text


@pytest.mark.parametrize("rulebook", [MS, MA, LIR, HCF])
def test_many_rounds_add_up(rulebook: str) -> None:
    keys = "- 1_2_3_4 - R 1 W 2 R F 1 - - 1 2 3 - - R - - F - - " * 4
    text = play(rulebook, "--seed", f"many {rulebook}", "--others", "1", keys=keys)
    assert text.count("\nRound ") >= 5
    check_money(text)


# --- keys


@pytest.mark.parametrize(
    ("rulebook", "keys", "allowed"), [(MS, "x", "1, 2, 3 or F"), (LIR, "f", "R or W"), (HCF, "W", "1, R or F")]
)
def test_a_wrong_key_gets_one_line_that_says_what_is_allowed(rulebook: str, keys: str, allowed: str) -> None:
    text = play(rulebook, "--seed", "1", keys=f"- - {keys}")
    assert f"'{keys}' is no choice here: {allowed}; ? shows what pays, Q leaves.\n" in text


def test_wrong_stakes_are_refused_by_the_rules_or_by_the_purse() -> None:
    text = play(MS, "--seed", "1", keys="ten 5 1000 490 3 9 1=x 2=200 1_2_3=5 2 2=0 - 1")
    assert "That is no amount: $10 to $500 in steps of $1, such as $10." in text
    assert "Not allowed: ante is $10 to $500 in steps of $1 (7.F(1); reading 189)" in text
    assert "That takes $1,000, and you have $500." in text
    assert "Not allowed: six card bonus needs three card bonus, which is not placed" in flat(text)
    assert "'9' is no extra wager: 1, 2 or 3; Enter goes on." in text
    assert "'1=x': write 1=5 or 1=7.50 to stake that much." in text
    assert "That takes $200, and you have $10." in text
    assert "Not allowed: another wager still needs three card bonus" in text
    assert "That takes $490, and you have $3." in text  # an ante of 490, and 1 + 1 + 5 beside it
    assert "F fold   ? what pays   Q leave\nThird street" in text
    assert "Round 1 is called off; every stake goes back." in text
    check_money(text)


def test_what_pays_can_be_seen_before_and_in_the_round() -> None:
    text = play(MS, "--seed", "1", keys="? - ? 2 - ?")
    assert text.count("paytable standard     (12.A(1)-(10))") == 3
    assert text.count("(12.C(1)(a))") == 2  # the progressive is not in play after the deal
    assert text.count("(12.D(1))") == 3
    assert "royal flush           500 to 1" in text


@pytest.mark.parametrize("keys", ["Q", "- q", "- - Q", "- - 1 quit", "-", "- - 1", ""])
def test_leaving_in_the_middle_moves_no_money(keys: str) -> None:
    text = play(MS, "--seed", "1", keys=keys)
    assert ("Round 1 is called off" in text) == (keys not in {"", "Q"})
    assert text.endswith("You played 0 rounds, staked $0, got back $0: net $0. Bankroll: $500.\n")


def test_unreadable_bytes_are_a_wrong_key() -> None:
    done = croupier("play", MS, "--seed", "1", stdin=b"\n\n\xff\xfe\x1b[2J\n" + b"9" * 100_000 + b"\nF\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("is no choice here") == 2
    assert "\x1b" not in done.stdout
    assert len(done.stdout) < 20_000


# --- options


def test_the_same_seed_deals_the_same_cards() -> None:
    first, other = (play(MS, "--seed", seed, "--rounds", "1", keys="- - 1 1 1") for seed in ("7", "8"))
    elsewhere = play(MS, "--seed", "7", "--rounds", "1", keys="- - 1 1 1", PYTHONHASHSEED="1")
    assert first == elsewhere != other
    folded = play(MS, "--seed", "7", "--rounds", "2", keys="- - F - - F").split("Round 2")[1]
    played = play(MS, "--seed", "7", "--rounds", "2", keys="- - 1 1 1 - - F").split("Round 2")[1]
    cards = [re.findall(r"│(\w+) +│", one)[:2] for one in (folded, played)]
    assert cards[0] == cards[1]


def test_without_a_seed_the_cards_are_new() -> None:
    assert len({play(keys="- - F") for _ in range(3)}) > 1


def test_two_players_at_the_keyboard_have_their_own_money() -> None:
    text = play(HCF, "--seed", "3", "--seats", "2", "--rounds", "1", "--bankroll", "60.00", keys="20 1 - - - R F")
    assert "Seat 1: ante, Enter for $10 > 20" in text
    assert "Seat 2: raise > F" in text
    last = text.splitlines()[-2:]
    assert last[0].startswith("Seat 1 played 1 round, staked $41, got back ")
    assert last[1] == "Seat 2 played 1 round, staked $10, got back $0: net -$10. Bankroll: $50."


def test_who_cannot_pay_sits_out_and_the_game_ends_politely() -> None:
    text = play(MS, "--seed", "1", "--bankroll", "15.50", keys="- - F - - F")
    assert "You have $5.50 left, and a round takes at least $10." in text
    assert text.endswith("You played 1 round, staked $10, got back $0: net -$10. Bankroll: $5.50.\n")
    check_money(text, "$15.50")
    text = play(LIR, "--bankroll", "29.99")
    assert "You have $29.99 left, and a round takes at least $30." in text
    text = play(MS, "--seed", "1", "--seats", "2", "--bankroll", "30", "--rounds", "2", keys="30 - - - F F - - F")
    assert "Seat 1 has $0 left, and a round takes at least $10." in text
    assert "Seat 1: ante" not in text.split("Round 2")[1]
    assert "Seat 2 played 2 rounds, staked $20" in text


def test_a_house_of_your_own(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text(f'rulebook = "{MS}"\nseats = 2\n[limits.ante]\nminimum = "5.00"\nmaximum = "25.00"\n')
    text = play("--submission", str(house), "--seed", "1", "--rounds", "1", keys="30 - F")
    assert "Not allowed: ante is $5 to $25 in steps of $1 (7.F(1); reading 189)" in text
    assert "Extra wagers" not in text
    assert "meter" not in text
    assert "You lose $5 and have $495." in text
    check_money(text)
    crowded = here("play", MS, "--submission", str(house), "--seats", "2", "--others", "1")
    assert (crowded.returncode, crowded.stdout) == (2, "")
    assert crowded.stderr == "croupier: --seats 2 and --others 1: this table has 2 seats\n"


def test_a_house_that_is_not_valid_exits_1_with_its_findings(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text(f'rulebook = "{MS}"\nseats = 9\n')
    done = here("play", "--submission", str(house))
    text = done.stdout
    assert (done.returncode, done.stderr) == (1, "")
    assert "error seats: 9 seats: at most 6 (2.A)\n" in text
    assert text.endswith(f"not valid {house}: 1 error\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such-game"], "no-such-game"),
        (["--submission", "missing.toml"], "missing.toml: No such file or directory"),
        (["--submission", "-"], "standard input is where you play"),
        (["--submission", "broken.toml"], "broken.toml"),
        (["--submission", "unknown.toml"], "unknown.toml: rulebook: "),
        ([LIR, "--submission", "other.toml"], f"other.toml: its rulebook is '{MS}', not '{LIR}'"),
        (["--bankroll", "lots"], "--bankroll: 'lots' is not an amount"),
        (["--seats", "7"], "--seats 7 and --others 0: this table has 6 seats"),
        (["--seats", "0"], "greater than or equal to 1"),
        (["--rounds", "0"], "greater than or equal to 1"),
        (["--others", "-1"], "greater than or equal to 0"),
    ],
)
def test_what_cannot_be_read_gets_one_line_and_exit_2(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.toml").write_text("rulebook = ")
    Path("unknown.toml").write_text('rulebook = "nowhere"\n')
    Path("other.toml").write_text(f'rulebook = "{MS}"\n')
    done = here("play", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("croupier: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


# --- looks


def test_a_terminal_without_suits_sees_letters() -> None:
    text = play(LIR, "--seed", "6", "--others", "1", "--rounds", "1", keys="- 2 - R R", PYTHONIOENCODING="ascii")
    assert text.isascii()
    assert "+---++---+" in text
    assert "|###||###|" in text
    assert re.search(r"^Seat 2 \(computer\): (\w+[cdhs] ){2}\w+[cdhs], ", text, re.MULTILINE)
    assert "?" not in text.replace("? what pays", "").replace("? shows what pays", "")


def test_on_a_terminal_it_asks_for_the_game_shows_colours_and_stops_with_control_c() -> None:
    keys = ["7\n", "3\n", "\n", "1\n", "\n", "R\n", "\n", CONTROL_C]
    text, code = on_a_terminal(["play", "--seed", "6"], keys, NO_COLOR="")
    assert "No such game: 1, 2, 3 or 4." in text
    assert "High Card Flush, Maryland" in text
    assert "\x1b[1;31m" in text
    assert all(letter in text for letter in RED_AND_BLACK)
    assert "Round 2 is called off; every stake goes back." in text
    assert re.search(r"played 1 round, staked \$21", text)
    assert code == 130


def test_colours_can_be_turned_off_and_control_d_leaves() -> None:
    text, code = on_a_terminal(["play", HCF, "--seed", "6"], ["\n", "\n", "\x04"], NO_COLOR="1")
    assert "Three-card flush" in text or "Four-card flush" in text
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", text)
    assert "Round 1 is called off" in text
    assert code == 0


def on_a_terminal(arguments: list[str], keys: list[str], **environment: str) -> tuple[str, int]:
    """What a terminal shows, each key typed when a prompt waits for it."""
    terminal, inside = pty.openpty()
    variables = os.environ | {"TERM": "xterm-256color", "PYTHONUTF8": "1"} | environment
    command = [sys.executable, "-m", "croupier", *arguments]
    process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, env=variables)
    os.close(inside)
    shown, waiting, deadline = b"", list(keys), time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # it has gone
            break
        if waiting and re.search(rb">(\x1b\[0m)? $", shown):
            key = waiting.pop(0)
            if key == CONTROL_C:
                time.sleep(0.2)  # until it waits
                process.send_signal(signal.SIGINT)
            else:
                os.write(terminal, key.encode())
    os.close(terminal)
    return shown.decode(), process.wait(timeout=10)


# --- the table in memory


def house_of(rulebook: str) -> HouseRules:
    verdict = check(read_submission_text(starting_submission(load_rulebook(rulebook), every_wager=True), name=rulebook))
    assert verdict.house is not None
    return verdict.house


def play_out(table: Table) -> Counter[int]:
    """The computer plays every seat that has bet; what each seat won or lost."""
    moved: Counter[int] = Counter()
    while not table.state.is_closed:
        events = table.do(dealers_move(table.state, table.deck, table.meters) or computer_decides(table.state))
        for event in events:
            for seat, amount in money_moved(event):
                moved[seat] += amount
    return moved


@pytest.mark.parametrize("rulebook", [MS, MA, LIR, HCF])
def test_the_computers_players_always_find_a_lawful_move(rulebook: str) -> None:
    dice = random.Random(rulebook)
    house = house_of(rulebook)
    for _ in range(60):
        table = Table(house, seats=1, others=4, bankroll=Cents(0))
        table.shuffle(dice)
        placed: Counter[int] = Counter()
        for seat in table.others:
            computer_bets(table, seat)
            placed[seat] -= sum(amount for _, amount in table.box(seat).staked)
        table.do(actions.Perform("announce"))
        moved = play_out(table)
        for one in result(table.state).seats:
            assert one.paid - one.staked == placed[one.seat] + moved[one.seat]
        raised = sum(units for name, units in table.state.desk.raised if name == "main")
        assert raised == 4 * 100 * 10_000 // 10


def stack(table: Table, seat: int, own: str, **slots: str) -> None:
    """Lay the deck so that these cards come to their places."""
    plan = table.state.cards.plan
    wanted: dict[int, Card] = dict(zip(plan.own[seat], parse_cards(own), strict=True))
    for slot, cards in slots.items():
        wanted |= dict(zip(plan.slots[slot], parse_cards(cards), strict=True))  # type: ignore[index]
    rest = iter([card for card in DECK if card not in wanted.values()])
    table.deck = [wanted[place] if place in wanted else next(rest) for place in range(len(DECK))]


def test_the_progressive_is_paid_from_the_meter_which_then_starts_again() -> None:
    table = Table(house_of(MS), seats=1, others=2, bankroll=Cents(0))
    for seat in table.others:
        computer_bets(table, seat)
    table.do(actions.Perform("announce"))
    stack(table, 3, "Ah Kh", community="Qh Jh Th")
    play_out(table)
    won = next(one for one in table.settled(3).wagers if one.wager == "progressive")
    assert (won.outcome, won.won) == ("win", 10_000_20)
    assert shown(table.meters["main"]) == 10_000_00
    assert [one.won for one in table.settled(2).envy] == [1_000_00]
    assert "envy is paid: Seat 2 (computer) $1,000" in table.said
