"""`croupier play` as people meet it: keys through a pipe and on a terminal, and money that adds up."""

import io
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from rich.console import Console

from croupier.analysis.advice import advise
from croupier.cards import parse_cards
from croupier.cli.play import screen as screens
from croupier.cli.play.coach import Coach, Review
from croupier.cli.play.computer import computer_decides
from croupier.cli.play.game import Game
from croupier.cli.play.hands import HandSoFar, box_of, hand_at
from croupier.cli.play.pages import pay_pages
from croupier.cli.play.scorecard import Scorecard, net_of
from croupier.cli.play.screen import LiveScreen
from croupier.cli.play.session import Session, memory_host
from croupier.fairness import Entropy
from croupier.money import Cents, parse_dollars
from croupier.rulebook import check, load_rulebook, read_submission_text
from croupier.rulebook.template import starting_submission
from croupier.table import Person, view
from support import slices
from support.running import croupier, here
from support.terminal import CONTROL_C, on_a_terminal

MS, MA, LIR, HCF = "md-mississippi-stud", "ma-mississippi-stud", "md-let-it-ride", "md-high-card-flush"
BOOKS = [MS, MA, LIR, HCF]
LINE = r"^  [A-Z][a-z ]+: .*?, ([+−]?\$\S+)$"
NET = r"You (win|lose|break even)(?: (\$\S+))?\. Chips: (\$\S+)\. Session ([+−]?\$\S+): "
SUMMARY = r"Bet (\S+), paid (\S+): net (\S+)\."
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
    sign = -1 if text[0] in "-−" else 1
    return sign * parse_dollars(text.strip("+-−").removeprefix("$").replace(",", ""))


def check_money(text: str, bankroll: str = "$500") -> None:
    """Every round moves the chips by what its bets won and lost, and the summary says the same."""
    chips, session = cents(bankroll), 0
    for one in re.split(r"^Round \d+ ─", text, flags=re.MULTILINE)[1:]:
        ended = re.search(NET, flat(one))
        if ended is None:
            continue
        net = {"win": 1, "lose": -1}.get(ended[1], 0) * cents(ended[2] or "$0")
        unwrapped = re.sub(r"\n {4}", " ", one.partition("Main game")[1] + one.partition("Main game")[2])
        lines = re.findall(LINE, "  " + unwrapped.partition("  You ")[0], re.MULTILINE)
        assert sum(map(cents, lines)) == net, one
        chips, session = chips + net, session + net
        assert cents(ended[3]) == chips
        assert cents(ended[4]) == session
    summary = re.search(SUMMARY, flat(text))
    assert (summary is None) == ("played no round" in text)
    if summary is not None:
        bet, paid, net = map(cents, summary.groups())
        assert paid - bet == net == session
    assert f"Chips: {dollars(chips)}, bought in" in text.splitlines()[-1]


def dollars(amount: int) -> str:
    return f"${amount // 100:,}" + (f".{amount % 100:02}" if amount % 100 else "")


def flat(text: str) -> str:
    return " ".join(text.split())


# --- the four games


def test_mississippi_stud_street_by_street() -> None:
    text = play(MS, "--seed", "20", "--rounds", "1", keys="- 2 - 1 1 3")
    boards = re.findall(r"│(.)..││(.)..││(.)..│    │K  ││9  │", text)
    assert boards == [("░", "░", "░"), ("2", "░", "░"), ("2", "7", "░"), ("2", "7", "K")]
    assert "King high" in text
    assert "Pair of kings, with 9 7 2" in text
    assert "  Main game: pair of kings pays 1 to 1, +$60\n" in text
    assert "  Three card bonus: king high, no pay, −$1\n" in text
    assert "You win $59. Chips: $559." in text
    check_money(text)


def test_a_fold_ends_the_hand_at_once_and_the_last_bet_is_offered_again() -> None:
    text = play(MS, "--seed", "2", keys="25 - 1 F")
    assert "  Main game: folded, bet lost, −$50\n" in text
    assert "You lose $50. Chips: $450." in text
    assert "Ante, Enter for $25" in text.split("Round 2")[1]
    check_money(text)


def test_massachusetts_with_every_side_bet_and_computer_players() -> None:
    text = play(MA, "--seed", "3", "--others", "2", "--rounds", "1", keys="- 1_2_3 - 1 1 1")
    assert "Side bets: progressive $1, three card bonus $1, cover all $1." in text
    assert re.search(r"^  Cover all: .*, (no pay|pays .*), [+−]", text, re.MULTILINE)
    assert len(re.findall(r"^  Computer [23]: .*(wins|loses|breaks)", text, re.MULTILINE)) == 2
    assert "Progressive: main $10,000\n" in text
    check_money(text)


def test_let_it_ride_rides_and_withdraws() -> None:
    text = play(LIR, "--seed", "20", "--rounds", "2", keys="20 1_2_3 - R W - - w ride")
    assert "R let it ride  W take it back  H hint" in text
    assert "  Main game: pair of jacks pays 1 to 1; bet 2 taken back, +$40\n" in text
    assert "six card box" in text
    assert "five card bonus" in text.split("Round 2")[1].split("Bets:")[1]
    check_money(text)


@pytest.mark.parametrize(
    ("keys", "bet"), [("2", 20), ("R 15", 15), ("R_15", 15), ("r17", 17), ("1x", 10), ("raise_20", 20), ("R x 12", 12)]
)
def test_high_card_flush_raises_by_multiples_and_amounts(keys: str, bet: int) -> None:
    text = play(HCF, "--seed", "63", "--rounds", "1", keys=f"- - {keys}")
    assert "1 raise $10  2 raise $20  R other amount  F fold  H hint  ? pays  Q leave" in text
    assert "Five-card flush, J 10 8 6 4" in text
    beaten = "five-card flush J 10 8 6 4 beats the dealer's three-card flush A 9 4"
    assert f"Main game: {beaten}, +${10 + bet}" in flat(text)
    check_money(text)


def test_a_dealer_who_does_not_qualify_is_told_once() -> None:
    text = play(HCF, "--seed", "18", "--rounds", "1", keys="- - 1")
    assert "the dealer's two-card flush J 3 does not qualify: ante wins, raise pushes, +$10" in flat(text)
    check_money(text)


def test_a_raise_above_the_hand_is_refused_with_its_clause() -> None:
    text = play(HCF, "--seed", "63", keys="- - 3 R_5 R_40 f")
    assert "Please enter 1, 2, R or F.\n" in text
    assert "Not allowed: a 5-card flush may raise at most twice the ante (11.B(2)" in flat(text)
    assert "Not allowed: a raise must be at least the ante (11.B(2), reading 72)" in flat(text)
    assert "You lose $10. Chips: $490." in text


@pytest.mark.parametrize("rulebook", BOOKS)
def test_many_rounds_add_up(rulebook: str) -> None:
    keys = "- 1_2_3_4 - R 1 W 2 R F 1 - - 1 2 3 - - R - - F - - " * 4
    text = play(rulebook, "--seed", f"many {rulebook}", "--others", "1", "--bankroll", "5000.00", keys=keys)
    assert text.count("\nRound ") >= 5
    check_money(text, "$5000")


# --- keys


@pytest.mark.parametrize(
    ("rulebook", "keys", "allowed"), [(MS, "x", "1, 2, 3 or F"), (LIR, "f", "R or W"), (HCF, "R", "1 or F")]
)
def test_a_wrong_key_gets_one_line_that_says_what_is_allowed(rulebook: str, keys: str, allowed: str) -> None:
    text = play(rulebook, "--seed", "1", keys=f"- - {keys}")
    assert f"> {keys}\nPlease enter {allowed}.\n" in text


def test_a_bet_outside_the_limits_is_refused_before_the_chips_are_counted() -> None:
    text = play(MS, "--seed", "1", keys="1000 490 2=1000 2=200 1_2=5_3 2 2=0 - 1 F")
    assert "Not allowed: ante must be $10 to $500 in steps of $1 (7.F(1), reading 189)" in text
    assert text.count("Not allowed: three card bonus must be $1 to $100 in steps of $1") == 2
    assert "That takes $501; you have $500." in text  # 490 + 1 + 5 + 5
    assert "F fold  H hint  ? pays  Q leave\nThird street > 1\nPlease enter F.\n" in text
    check_money(text)


def test_what_cannot_be_an_amount_is_asked_for_again() -> None:
    text = play(MS, "--seed", "1", keys="ten 5 - 3 9 1=x - F")
    assert "Please enter an amount: $10 to $500 in steps of $1.\n" in text
    assert "Not allowed: ante must be $10 to $500" in text
    assert "Not allowed: six card bonus needs three card bonus, which is not placed" in flat(text)
    assert "Please enter 1, 2 or 3, or press Enter to deal.\n" in text
    assert "To bet $5 on progressive, enter 1=5.\n" in text
    check_money(text)


def test_the_list_of_side_bets_is_shown_once_a_round() -> None:
    text = play(MS, "--seed", "1", keys="- 1 2 3 3=7 1 -")
    assert text.count("six card bonus    $5 to $100") == 1
    assert text.count("Side bets: three card bonus $1, six card bonus $7.\n") == 1


def test_what_pays_can_be_seen_before_and_in_the_round_and_how_the_last_one_was_settled() -> None:
    text = play(MS, "--seed", "1", keys="? - ? 2 - ? F ?")
    assert text.count("paytable standard (12.A(1)-(10))") == 4
    assert text.count("(12.C(1)(a))") == 3  # the progressive is not in play after the deal
    assert "royal flush              500 to 1" in text
    assert "Round 1, clause by clause\n  Ante $10 is forfeited" in text
    assert re.search(r"Ante \$10 is forfeited.*\(11\.\S+\)", text)


@pytest.mark.parametrize("keys", ["Q", "- q", "- - Q", "- - 1 quit", "-", "- - 1", ""])
def test_leaving_in_the_middle_moves_no_money(keys: str) -> None:
    text = play(MS, "--seed", "1", keys=keys)
    assert ("Round 1 was not finished: its bets are not counted." in text) == (keys.count("-") > 1)
    assert text.endswith("You played no rounds.\n  Chips: $500, bought in for $500.\n")


def test_unreadable_bytes_are_a_wrong_key() -> None:
    done = croupier("play", MS, "--seed", "1", stdin=b"\n\n\xff\xfe\x1b[2J\n" + b"9" * 100_000 + b"\nF\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Please enter 1, 2, 3 or F.") == 2
    assert "\x1b" not in done.stdout
    assert len(done.stdout) < 20_000


# --- hints, mistakes and luck


def test_a_hint_gives_the_exact_value_of_every_action_in_dollars_and_antes() -> None:
    text = play(MS, "--seed", "2", keys="20 - H F")
    values = advise(load_rulebook(MS), parse_cards("3d 8h")).actions
    for action, value in values.items():
        assert re.search(rf"^  {action} +−\${-float(value) * 20:.2f} +−{-float(value):.4f} antes", text, re.MULTILINE)
    assert re.search(r"^  fold .* best$", text, re.MULTILINE)
    assert "  Best play.\n" in text


def test_a_mistake_is_told_with_what_it_costs_and_added_up() -> None:
    text = play(MS, "--seed", "2", "--rounds", "1", keys="- - 1 1 3")
    book, own = load_rulebook(MS), parse_cards("3d 8h")
    first = advise(book, own)
    second = advise(book, own, community=parse_cards("6c"), bets=["1x"])
    third = advise(book, own, community=parse_cards("6c 7s"), bets=["1x", "1x"])
    costs = [first.cost("1x"), second.cost("1x"), third.cost("3x")]
    for cost in costs:
        assert (
            f"Not the best play: fold is better by ${float(cost) * 10:.2f} ({float(cost):.4f} antes) on average."
            in text
        )
    session = f"Session −$60: expected −$0.49, 3 mistakes −${float(sum(costs)) * 10:.2f}, luck −$34.01."
    assert text.count(session) == 2  # when the round is over, and at the end


def test_expected_mistakes_luck_and_side_bets_add_up_to_the_result() -> None:
    card = Scorecard(bought_in=50000, rounds=3, bet=9000, paid=12000, main=3500, antes=3000)
    card.review(Review(best=("fold",), antes=Fraction(1, 3), cents=Fraction(1000, 3)))
    card.review(Review(best=("fold",), antes=Fraction(0), cents=Fraction(0)))
    net, *parts = (cents(text) for text in re.findall(r"[+−]\$\d+(?:\.\d\d)?", card.so_far(Fraction(-1, 10))))
    assert (net, parts[:2], parts[3], card.mistakes) == (3000, [-300, -333], -500, 1)
    assert abs(sum(parts) - net) <= 1


def test_a_raise_between_whole_antes_is_worth_what_lies_between() -> None:
    house = session_of(HCF).house
    hand = HandSoFar(parse_cards("8d 4s Td 6d 7c Jd 4d"), ())
    chips = {"ante": Cents(1000), "chips": Cents(50_000)}
    values = Coach(house).values(hand, **chips)
    costs = [Coach(house).review(hand, "raise", Cents(amount), **chips).antes for amount in (1000, 1500, 2000)]
    assert costs == [values.cost("1x"), values.cost("1x") / 2, 0]
    assert values.best == ("2x",)


@pytest.mark.parametrize("rulebook", BOOKS)
def test_best_play_by_the_hints_costs_nothing(rulebook: str) -> None:
    session, coach = session_of(rulebook), Coach(session_of(rulebook).house)
    you = session.players[0]
    for _ in range(5):
        bet_the_minimum(session)
        session.close_bets(you)
        decided: list[str] = []
        while session.is_playing:
            shown = session.view(you)
            hand, ante = hand_at(shown, 1, decided), dict(box_of(shown, 1).bets)[session.spots.main.name]
            chips = Cents(10**9)
            best = coach.values(hand, ante=ante, chips=chips).best[0]
            raised = "raise" in {choice.choice for choice in shown.awaiting.choices} and best != "fold"
            choice, amount = ("raise", Cents(int(best[0]) * ante)) if raised else (best, None)
            assert coach.review(hand, choice, amount, ante=ante, chips=chips).antes == 0
            session.decide(you, choice, amount, seen_by=you)
            decided.append(best)


# --- chips


def test_a_player_who_is_broke_buys_in_again() -> None:
    text = play(MS, "--seed", "1", "--bankroll", "15.50", "--rounds", "2", keys="- - F x b - - F")
    assert "You have $5.50 left, and a round takes at least $10." in text
    assert "Please enter B or Q.\n" in text
    assert "Chips: $21  Ante:" in text
    assert text.endswith("  Chips: $11, bought in for $31.\n")


def test_a_buy_in_below_the_minimum_is_said_at_once() -> None:
    text = play(LIR, "--bankroll", "29.99", keys="q")
    assert "You have $29.99 left, and a round takes at least $30." in text
    assert text.endswith("You played no rounds.\n  Chips: $29.99, bought in for $29.99.\n")


def test_one_of_several_players_can_sit_out() -> None:
    text = play(MS, "--seed", "1", "--seats", "2", "--bankroll", "30", "--rounds", "2", keys="30 - - - F F S - - F")
    assert "Player 1 has $0 left, and a round takes at least $10." in text
    assert "Player 1: ante" not in text.split("Round 2")[1]
    assert "Player 2 played 2 rounds: won 0, lost 2." in text


def test_two_players_at_the_keyboard_have_their_own_money() -> None:
    text = play(HCF, "--seed", "3", "--seats", "2", "--rounds", "1", "--bankroll", "60.00", keys="20 1 - - - 1 F")
    assert "Player 1: ante, Enter for $10 > 20" in text
    assert "Player 2: raise > F" in text
    first, second = text.split("\n\n")[-1].split("Player 2 played")
    assert "Bet $41, paid" in first
    assert second.startswith(" 1 round: won 0, lost 1.\n  Bet $10, paid $0: net −$10.")


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


def test_a_house_of_your_own(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text(f'rulebook = "{MS}"\nseats = 2\n[limits.ante]\nminimum = "5.00"\nmaximum = "25.00"\n')
    text = play("--submission", str(house), "--seed", "1", "--rounds", "1", keys="30 - F")
    assert "Not allowed: ante must be $5 to $25 in steps of $1 (7.F(1), reading 189)" in text
    assert "Side bets" not in text
    assert "Progressive" not in text
    assert "You lose $5. Chips: $495." in text
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
        (["--seats", "0"], "is out of range"),
        (["--rounds", "0"], "is out of range"),
        (["--others", "-1"], "is out of range"),
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
    assert "+---++---+" in text
    assert "|###||###|" in text
    assert re.search(r"^  Computer 2: (\w+[cdhs] ){2}\w+[cdhs], ", text, re.MULTILINE)
    assert not set(text) & set(RED_AND_BLACK)


@pytest.mark.parametrize("rulebook", BOOKS)
@pytest.mark.parametrize(("width", "height"), [(80, 22), (60, 22), (44, 18)])
def test_each_page_of_what_pays_fits_the_screen(rulebook: str, width: int, height: int) -> None:
    spots = session_of(rulebook).spots
    pages = pay_pages(spots, [wager.name for wager in spots.house.wagers], 1, width=width, height=height)
    shown = [re.sub(r"\[/?\w*\]|\\\\", "", str(line)) for page in pages for line in page]
    assert all(len(page) <= height for page in pages)
    assert all(len(line) <= width for line in shown)
    assert all(
        any(f"paytable {table.id} " in line for line in shown)
        for one in spots.house.wagers
        for table in one.paytables[:1]
    )


# --- on a terminal


class Recorded(LiveScreen):
    """A terminal of a size, typed at by a script; every page that was drawn is kept."""

    def __init__(self, keys: Iterator[str], width: int, height: int) -> None:
        super().__init__()
        self.file = io.StringIO()
        self.out = Console(
            file=self.file, width=width, height=height, force_terminal=True, color_system=None, legacy_windows=False
        )
        self.keys = keys
        self.pages: list[str] = []

    def read(self) -> str:
        self.pages.append(self.file.getvalue().rpartition("\x1b[2J\x1b[H")[2])
        return next(self.keys, "")


def on_screen(
    monkeypatch: pytest.MonkeyPatch, session: Session, keys: Iterator[str], size: tuple[int, int]
) -> list[str]:
    """Every page of a session on a terminal of this size."""
    screen = Recorded(keys, *size)
    monkeypatch.setattr(screens, "read_key", screen.read)
    Game(session, screen).run(rounds=None)
    return screen.pages


@pytest.mark.parametrize("rulebook", BOOKS)
@pytest.mark.parametrize("size", [(80, 24), (60, 24)])
def test_the_cards_stay_on_the_screen_whatever_is_settled(
    rulebook: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = iter([*"\r1234\rh1r1rf\r1h1111\r\rhhrrr\r\r1111", ""])
    pages = on_screen(monkeypatch, session_of(rulebook, others=3), keys, size)
    assert sum("Session" in page for page in pages) > 2
    for page in pages:
        lines = page.splitlines()
        assert len(lines) <= size[1], page
        assert all(len(line) <= size[0] for line in lines)
        if re.search("  Session|H hint", page):
            assert "your hand" in page


KEYS = slices.count(full=1_000, sliced=120)


@pytest.mark.parametrize("rulebook", BOOKS)
@pytest.mark.parametrize("size", [(80, 24), (44, 20)])
def test_random_keys_never_crash_and_every_page_fits(
    rulebook: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(f"{rulebook} {size}")
    keys = [dice.choice("\r\r\r1112233frrwwhx?=05.b\x7f\x1bé") for _ in range(KEYS)]
    pages = on_screen(monkeypatch, session_of(rulebook, seats=2, others=1), iter(keys), size)
    assert len(pages) > 0.8 * KEYS
    if size == (80, 24):
        assert max(len(page.splitlines()) for page in pages) <= 24


@pytest.mark.parametrize("rulebook", BOOKS)
def test_random_lines_never_crash(rulebook: str) -> None:
    dice = random.Random(rulebook)
    words = [
        "-",
        "-",
        "-",
        "1",
        "2",
        "3",
        "F",
        "R",
        "W",
        "h",
        "?",
        "R_15",
        "1=5",
        "2_3",
        "0",
        "999999999",
        "x" * 60,
        "[b]",
    ]
    text = play(rulebook, "--seed", "any", "--others", "1", keys=" ".join(dice.choices(words, k=250)))
    assert "bought in for" in text


def test_on_a_terminal_a_key_is_enough_and_control_c_stops() -> None:
    keys = ["7", "3", "\n", "1", "\n", "1", "\n", "\n", CONTROL_C]
    text, code = on_a_terminal(["play", "--seed", "6"], keys, NO_COLOR="")
    assert "Please enter 1, 2, 3 or 4." in text
    assert "High Card Flush, Maryland" in text
    assert "\x1b[1;31m" in text
    assert all(letter in text for letter in RED_AND_BLACK)
    assert "Round 2 was not finished: its bets are not counted." in text
    assert "Bet $21, paid" in text
    assert text.index("\x1b[?1049h") < text.index("\x1b[?1049l") < text.index("played 1 round")
    assert code == 130


def test_colors_can_be_turned_off_and_control_d_leaves() -> None:
    text, code = on_a_terminal(["play", HCF, "--seed", "6"], ["\n", "\n", "\x04"], NO_COLOR="1")
    assert "Four-card flush" in text
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", text)
    assert "Round 1 was not finished" in text
    assert code == 0


def test_a_terminal_that_cannot_be_redrawn_takes_lines() -> None:
    text, code = on_a_terminal(["play", HCF, "--seed", "6"], ["\n", "\n", "F\n", "q\n"], TERM="dumb")
    assert "\x1b" not in text
    assert "folded, bet lost" in text
    assert code == 0


# --- the table behind it


def session_of(rulebook: str, *, seats: int = 1, others: int = 0, bankroll: int = 50_000, seed: str = "1") -> Session:
    text = starting_submission(load_rulebook(rulebook), every_wager=True)
    submission = read_submission_text(text, name=rulebook)
    house = check(submission).house
    assert house is not None
    entropy = Entropy(random.Random(seed).randbytes)
    host = memory_host(house, submission, entropy)
    return Session(host, seats=seats, others=others, bankroll=Cents(bankroll))


def bet_the_minimum(session: Session) -> None:
    stakes = session.spots.main.stakes
    assert stakes is not None
    spots = (session.spots.main, *session.spots.equal)
    for player in session.players:
        session.bet(player, {spot.name: stakes.minimum for spot in spots})


@pytest.mark.parametrize("rulebook", BOOKS)
def test_computer_players_always_find_a_lawful_move_and_their_chips_add_up(rulebook: str) -> None:
    session = session_of(rulebook, seats=1, others=4)
    you = session.players[0]
    for _ in range(15):
        session.bet_for_computers()
        before = {player: session.chips(player) for player in session.others}
        stakes = {
            player: sum(amount for _, amount in box_of(session.view(you), player.seat).bets)
            for player in session.others
        }
        bet_the_minimum(session)
        session.close_bets(you)
        decided: dict[int, list[str]] = {}
        everybody = {player.seat: player for player in (you, *session.others)}
        while session.is_playing:
            player = everybody[session.view(you).awaiting.seat]
            shown = session.view(player)
            hand = hand_at(shown, player.seat, decided.setdefault(player.seat, []))
            decision = computer_decides(session.house, hand, shown.awaiting)
            session.decide(player, decision.choice, decision.amount, seen_by=you)
            decided[player.seat].append(decision.choice)
        last = session.view(you).last_round
        assert last is not None
        for player in session.others:
            won = net_of(box_of(last, player.seat))
            assert session.chips(player) == before[player] + stakes[player] + won


@pytest.mark.parametrize("rulebook", BOOKS)
def test_a_deck_whose_hours_run_out_while_a_player_thinks_is_replaced(rulebook: str) -> None:
    session, clock = session_of(rulebook), [datetime(2026, 1, 1, 20, tzinfo=UTC)]
    host = memory_host(session.house, session.table.submission)
    session = Session(host, bankroll=Cents(50_000), clock=lambda: clock[0])
    you, decks = session.players[0], set()
    for _ in range(2):
        clock[0] += timedelta(hours=30)
        bet_the_minimum(session)
        clock[0] += timedelta(hours=30)
        session.close_bets(you)
        staff = view(session.table, Person("regulator", "r1")).staff
        assert staff is not None
        decks |= {deck.id for deck in staff.decks}
        while session.is_playing:
            clock[0] += timedelta(hours=30)
            choice = session.view(you).awaiting.choices[-1].choice
            session.decide(you, choice, None, seen_by=you)
    assert len(decks) > session.house.decks


def test_bets_are_placed_together_or_not_at_all() -> None:
    session = session_of(LIR, bankroll=4000)
    you = session.players[0]
    bets = {spot.name: Cents(1500) for spot in (session.spots.main, *session.spots.equal)}
    problem = session.problem(you, bets)
    assert problem is not None
    assert problem.code == "not_enough_chips"
    assert not session.is_playing
    assert session.chips(you) == 4000


def test_nobody_at_the_keyboard_sees_another_players_cards_before_they_are_turned_up() -> None:
    session = session_of(MS, seats=2, others=1)
    bet_the_minimum(session)
    session.bet_for_computers()
    entries = session.close_bets(session.players[0])
    shown = session.view(session.players[0])
    assert [set(box.cards) == {"??"} for box in shown.seats[:3]] == [False, True, True]
    assert not any(entry.name.startswith(("deck", "tray", "stub")) for entry in entries)


def test_a_player_short_of_chips_is_not_blamed_for_bets_they_could_not_make() -> None:
    text = play(MS, "--bankroll", "30", "--seed", "3", keys="25 - H F Q")
    assert "3x" not in text.partition("Expected result of the main game")[2]
    assert "no mistakes" in text
