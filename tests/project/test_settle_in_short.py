"""`croupier settle` for people: a round on the line, by questions, from an example, with a submission by its file."""

import json
import shlex
from pathlib import Path

import pytest

from croupier.cli.settle.questions import Described, RoundQuestion, question_after
from croupier.cli.settle.short_form import ShortRound, read_seat, round_of
from croupier.errors import Malformed
from croupier.rulebook import HouseRules, check, load_rulebook, read_submission_text, rulebook_ids, starting_submission
from support.running import here

MS, LIR, HCF = "md-mississippi-stud", "md-let-it-ride", "md-high-card-flush"


def every_wager(rulebook: str) -> HouseRules:
    text = starting_submission(load_rulebook(rulebook), every_wager=True)
    return check(read_submission_text(text, name=rulebook)).rules()


@pytest.fixture(scope="module")
def stud() -> HouseRules:
    return every_wager(MS)


@pytest.mark.parametrize(
    "text",
    [
        "1: Ah Kh, ante 25, three card bonus 5, 3x 2x 1x",
        "1:AhKh ante=$25 3 card bonus 5 3X 2x 1x",
        "seat 1 A♥ K♥; Ante $25.00; three_card_bonus 5; 3x, 2x, 1x",
        "1: 3x 2x 1x three card 5, ante 25, ah kh",
    ],
)
def test_a_seat_is_read_however_it_is_typed(stud: HouseRules, text: str) -> None:
    assert read_seat(text, stud) == {
        "seat": 1,
        "cards": "Ah Kh",
        "wagers": read_seat("1: ante 25 three card bonus 5", stud)["wagers"],
        "decisions": ["3x", "2x", "1x"],
    }
    assert sorted(read_seat(text, stud)["wagers"].items()) == [("ante", "25.00"), ("three_card_bonus", "5.00")]


def test_thousands_tens_patrons_coupons_and_fixed_stakes(stud: HouseRules) -> None:
    seat = read_seat("4: 10h 7c, ante 25,000, progressive, patron Ann, match play $10, fold", stud)
    assert seat["cards"] == "Th 7c"
    assert seat["wagers"] == {"ante": "25000.00", "progressive": "1.00"}
    assert (seat["patron"], seat["match_play"], seat["decisions"]) == ("Ann", "10.00", ["fold"])


def test_the_words_of_the_other_games() -> None:
    ride = read_seat("2: Tc Td 2h, bets 10, five card bonus, pull, let it ride", every_wager(LIR))
    assert ride["wagers"] == {"bet_1": "10.00", "bet_2": "10.00", "bet_3": "10.00", "five_card_bonus": "1.00"}
    assert ride["decisions"] == ["withdraw", "ride"]
    flush = read_seat("3: Ah Kh Qh 9h 2c 3d 5s, ante 10, raise $10", every_wager(HCF))
    assert flush["decisions"] == ["raise 10.00"]
    assert read_seat("3: ante 10, raise 2x", every_wager(HCF))["decisions"] == ["2x"]


@pytest.mark.parametrize(
    ("said", "decided"), [("raise $20.00", "raise 20.00"), ("raise 2x", "2x"), ("Raise 1,000", "raise 1000.00")]
)
def test_a_raise_may_stand_before_the_bets(said: str, decided: str) -> None:
    seat = read_seat(f"3: {said}, ante 10, flush bonus 5, patron Ann", every_wager(HCF))
    assert seat["decisions"] == [decided]
    assert seat["wagers"] == {"ante": "10.00", "flush_bonus": "5.00"}
    with pytest.raises(Malformed, match=r"'x' is not an amount"):
        read_seat("3: raise x, ante 10", every_wager(HCF))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Ah Kh, ante 25", "begin with the number of the seat"),
        ("1: Ah Kx, ante 25", "character 7: 'Kx' is not a card, a wager (ante, "),
        ("1: AhKx, ante 25", "character 4: 'Kx' is not a card: write a rank and a suit"),
        ("1: AhAh, ante 25", "character 4: duplicate card: Ah"),
        ("1: AhKh, ante", "character 10: ante needs an amount"),
        ("1: AhKh, ante 2O", "character 15: ante: '2O' is not an amount"),
        ("1: AhKh, ante 25, 4x", "or a decision (1x, 2x, 3x or fold)"),
        ("1: ante 25, ante 30", "character 13: ante appears twice"),
    ],
)
def test_what_cannot_be_read_says_what_is_wrong_and_where(stud: HouseRules, text: str, says: str) -> None:
    with pytest.raises(Malformed) as refused:
        read_seat(text, stud)
    assert says in str(refused.value)


def test_the_short_form_is_the_json_of_a_file(stud: HouseRules) -> None:
    short = ShortRound(["1: Ah Kh, ante 10, progressive, 1x 1x 1x"], "qh jh th", "", "2c3c4c5d", ["main=$10,012.34"])
    described = round_of(short, stud)
    assert described["community"] == "Qh Jh Th"
    assert described["six_card_box"] == "2c 3c 4c 5d"
    assert described["meters"] == {"main": "10012.34"} == round_of(short._replace(meters=["10012.34"]), stud)["meters"]
    with pytest.raises(Malformed, match="'mayor' is not a meter of this house: main"):
        round_of(short._replace(meters=["mayor=3"]), stud)


def test_a_round_on_the_line_is_settled_refused_or_cannot_be_read() -> None:
    line = ("settle", "--submission", MS, "--seat", "1: Js 8d, ante 10, 1x 1x 3x")
    paid = here(*line, "--board", "Jh 4c 2s")
    assert paid.returncode == 0
    assert paid.stdout.count("pair of jacks") == 1, "one reason for the four bets that it decides"
    assert "_" not in paid.stdout
    assert "house net −$60" in paid.stdout
    answer = json.loads(here(*line, "--board", "Jh 4c 2s", "--json").stdout)
    assert (answer["house_net"], len(answer["seats"][0]["wagers"])) == ("-60.00", 4)
    refused = here(*line, "--board", "Jh 4c")
    assert (refused.returncode, refused.stdout) == (1, "refused community: 2 cards, not 3 (13.D, reading 135)\n")
    metered = here(*line[:-1], "1: Js 8d, ante 10, progressive, 1x 1x 3x", "--board", "Jh 4c 2s")
    assert (metered.returncode, "--meter" in metered.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--seat", "1: fold"), "--submission is missing"),
        (("--board", "Ah"), "--seat is missing"),
        (("--submission", "mars", "--seat", "1: fold"), "mars: neither a file nor a rulebook"),
        (("round.json", "--seat", "1: fold"), "give the round as a file or on the line, not both"),
        (("md-let-it-ride",), "md-let-it-ride is a rulebook, not a round: add --seat"),
        (("ms",), "did you mean ma-mississippi-stud or md-mississippi-stud?"),
        (("md-let-it-ride", "-s", "house.toml", "--seat", "1: fold"), "give the round as a file or on the line"),
        (("--example", "mars"), "unknown rulebook 'mars': "),
        ((), "give the round: FILE in JSON"),
    ],
)
def test_what_is_missing_on_the_line_is_said_in_one_line(arguments: tuple[str, ...], says: str) -> None:
    done = here("settle", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_example_settles(rulebook: str) -> None:
    example = here("settle", "--example", rulebook)
    assert json.loads(example.stdout)["submission"]["rulebook"] == rulebook
    settled = here("settle", "-", "--json", stdin=example.stdout)
    assert settled.returncode == 0
    outcomes = {wager["outcome"] for wager in json.loads(settled.stdout)["seats"][1]["wagers"]}
    assert {"win", "lose"} <= outcomes, "worth looking at"


def test_a_round_names_the_file_of_its_submission(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(starting_submission(load_rulebook(MS)))
    seat = {"seat": 1, "wagers": {"ante": "10.00"}, "cards": "7c 2d", "decisions": ["fold"]}
    file = tmp_path / "round.json"
    file.write_text(json.dumps({"submission": "house.toml", "seats": [seat]}))
    assert json.loads(here("settle", str(file), "--json").stdout)["house_net"] == "10.00"
    lines = here("settle", str(file), "--lines")
    assert (lines.returncode, json.loads(lines.stdout)["house_net"]) == (0, "10.00")
    (tmp_path / "house.toml").write_text("rulebook = 7")
    bad = here("settle", str(file))
    assert bad.returncode == 2
    assert bad.stderr.startswith(f"croupier: {file}: submission: {tmp_path / 'house.toml'}, line 1: rulebook")


# --- questions

ANSWERS = ("1", "", "AhKh", "25", "y", "5", "", "3x", "1x", "1x", "", "qhjhth", "10,012.34")


def test_the_questions_end_in_the_round_that_was_described() -> None:
    described = question_after(ANSWERS)
    seats = ("1: Ah Kh, ante 25, progressive 1, three card bonus 5, 3x 1x 1x",)
    assert described == Described(MS, ShortRound(seats, "Qh Jh Th", meters=("main=10,012.34",)))


def test_every_prefix_of_the_answers_has_its_question_and_a_bad_answer_is_refused() -> None:
    for length in range(len(ANSWERS)):
        assert isinstance(question_after(ANSWERS[:length]), RoundQuestion)
    with pytest.raises(Malformed, match="'9x' is not a choice here: 1x, 2x, 3x or fold"):
        question_after([*ANSWERS[:7], "9x"])
    with pytest.raises(Malformed, match="expected 2 cards, got 1"):
        question_after(["1", "", "Ah"])
    with pytest.raises(Malformed, match="'9' is not a free seat"):
        question_after(["1", "9"])


def test_a_folded_hand_needs_no_board_and_the_other_games_ask_for_their_cards() -> None:
    board = question_after(["1", "", "", "", "", "", "", "fold", ""])
    assert isinstance(board, RoundQuestion)
    assert "Enter if not seen" in board.prompt
    dealer = question_after(["3", "", "AhKhQh9h2c3d5s", "", "", "", "", "1x", ""])
    assert isinstance(dealer, RoundQuestion)
    assert dealer.prompt == "Dealer's hand (7 cards)"


def test_asking_explains_goes_back_and_ends_with_the_command_that_asks_the_same() -> None:
    told = ["1", "", "?", "AhKx", "AhKh", "25", "y", "5", "", "2x", "back", *ANSWERS[7:]]
    done = here("settle", "--ask", stdin="\n".join(told) + "\n")
    assert done.returncode == 0, done.stderr
    assert "Write cards as rank and suit" in done.stdout
    assert "'Kx' is not a card" in done.stdout
    command = shlex.split(done.stdout.splitlines()[-1])
    assert command[:2] == ["croupier", "settle"]
    again = here(*command[1:])
    assert again.returncode == 0
    assert again.stdout in done.stdout
    unfinished = here("settle", "--ask", stdin="1\n")
    assert (unfinished.returncode, "the input ended before the last question" in unfinished.stderr) == (2, True)


def test_asked_for_json_the_answer_stands_alone_on_standard_output() -> None:
    done = here("settle", "--ask", "--json", stdin="\n".join(ANSWERS) + "\n")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["seats"]
    assert "House: a number" in done.stderr


def test_lines_are_rounds_in_json_and_the_example_is_one() -> None:
    example = here("settle", "--example", LIR, "--lines")
    settled = here("settle", "--lines", "-", stdin=example.stdout)
    assert (settled.returncode, settled.stdout.count("\n")) == (0, 1)
    for other in (("--seat", "1: Ah Kh, ante 10, fold", "--submission", MS), ("--ask",)):
        done = here("settle", "--lines", *other)
        assert (done.returncode, done.stdout) == (2, "")
        assert "--lines reads rounds in JSON" in done.stderr


def test_a_name_that_no_file_can_have_is_one_clear_line() -> None:
    name = "9" * 5000
    round_line = json.dumps({"submission": name, "seats": []})
    for arguments in (
        ("settle", "--submission", name, "--seat", "1: Ah Kh, ante 10, fold"),
        ("settle", "-"),
        ("compare", name, MS),
        ("table", "open", name),
        ("ruling", "jam", "--submission", name),
    ):
        done = here(*arguments, stdin=round_line)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert "File name too long" in done.stderr
        assert "internal" not in done.stderr
    lines = here("settle", "--lines", "-", stdin=f"{round_line}\n{round_line}\n")
    assert [list(json.loads(line)) for line in lines.stdout.splitlines()] == [["error"], ["error"]]


@pytest.mark.parametrize(
    "seat",
    [
        "1: js 8d, $25 ante, 5 three card bonus, 1x 1x 3x",
        "1: js 8d, $25, three card bonus 5, 1x 1x 3x",
        "1: J♠ 8♦, $5 three card bonus, .025k ante, 1x 1x 3x",
        "1: js 8d $25 three card bonus 5 1x 1x 3x",
    ],
)
def test_an_amount_may_come_first_and_is_the_ante_alone(seat: str) -> None:
    usual = ("1: Js 8d, ante 25, three card bonus 5, 1x 1x 3x", "-s", "md-mississippi-stud", "--board", "Jh 4c 2s")
    shown = here("settle", "md ms", "--board", "Jh 4c 2s", "--seat", seat)
    assert shown.stdout == here("settle", "--seat", *usual).stdout != ""


def test_an_amount_alone_is_every_bet_of_let_it_ride() -> None:
    seats = ("2: Tc Td 2h, $10, withdraw, ride", "2: Tc Td 2h, bets 10, withdraw, ride")
    first, second = (here("settle", "lir", "--board", "4s 8d", "--seat", seat).stdout for seat in seats)
    assert first == second != ""
    assert "'10' is not a card" in here("settle", "lir", "--board", "4s 8d", "--seat", "2: Tc Td 2h, 10").stderr


def test_cards_that_were_not_given_are_asked_for() -> None:
    raised = here("settle", "hcf", "--seat", "1: Ah Kh Qh Jh 2c 3d 4s, ante 25, raise 25")
    assert raised.returncode == 1
    assert raised.stdout.endswith("\nAdd --dealer and the cards of the dealer's hand.\n")
    assert "\nAdd --board and its cards, " in here("settle", "md ms", "--seat", "1: Ah Kh, ante 25, 1x 1x 1x").stdout
