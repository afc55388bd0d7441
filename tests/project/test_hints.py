"""What was mistyped is answered with what is meant, and what does not end with one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.rulebook import load_rulebook, rulebook_ids, starting_submission
from support.random_rounds import MS
from support.running import croupier, here

ZERO = Path("/dev/zero")
endless = pytest.mark.skipif(not ZERO.exists(), reason="this system has no /dev/zero")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("hints") / "house.toml"
    file.write_text(starting_submission(load_rulebook(MS), every_wager=True))
    return str(file)


def answer(*words: str) -> str:
    """The one line of a command that cannot be read."""
    done = here(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr.removesuffix("\n")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("rulebook sow", "croupier: rulebook: no such command 'sow': did you mean show?"),
        ("fairness check", "croupier: fairness: no such command 'check': did you mean verify?"),
        ("rulebook compare", "croupier: rulebook: no such command 'compare': did you mean diff?"),
        ("promotion zebra", "croupier: promotion: no such command 'zebra': match-play, pays"),
        ("house peple", "croupier: house: no such command 'peple': did you mean people?"),
        ("house people lst", "croupier: people: no such command 'lst': did you mean list?"),
        (
            "house http://127.0.0.1:1",
            "croupier: Missing command: sessions, settings, people, tables, submissions, cage, disputes, tokens",
        ),
        ("hold house.toml --players 3", "croupier: No such option: --players; did you mean --seats?"),
        ("meter house.toml --seats 3", "croupier: No such option: --seats; did you mean --players?"),
        ("hold house.toml --month 3", "croupier: No such option: --month; did you mean --months?"),
        ("hold house.toml --zebra 3", "croupier: No such option: --zebra; croupier hold --help lists them"),
    ],
)
def test_a_mistyped_word_gets_the_one_that_is_meant(words: str, line: str) -> None:
    assert answer(*words.split()) == line


def test_a_wager_that_the_house_does_not_offer_is_told_with_how_to_offer_it(tmp_path: Path) -> None:
    plain = tmp_path / "house.toml"
    plain.write_text(starting_submission(load_rulebook(MS)))
    bets = ("--bet", "ante=25", "--bet", "three card bonus=5")
    for command in (("cost",), ("hold", "--share", "three card bonus=33%"), ("simulate",)):
        assert answer(*command, str(plain), *bets).endswith(
            "'three_card_bonus' is not offered here, only base; "
            "to offer it, write [wagers.three_card_bonus] in the submission"
        )


@pytest.mark.parametrize("typed", ["5 card bonus", "5CB", "five_card_bonus"])
def test_a_bonus_goes_by_its_figure_too(typed: str) -> None:
    named = ("--bet", "bet=10", "--bet", f"{typed}=1")
    assert "five_card_bonus   $1   4.8887%" in here("cost", "md-let-it-ride", *named, "--bet", "3cb=5").stdout
    seat = f"2: Tc Td 2h, bets 10, withdraw, ride, {typed.replace('_', ' ')} 1"
    settled = here("settle", "-s", "md-let-it-ride", "--board", "4s 8d", "--seat", seat, "--json").stdout
    assert '"five_card_bonus"' in settled


def test_a_strategy_that_is_not_known_is_answered_with_names_to_copy(house: str, tmp_path: Path) -> None:
    assert '"point count, A-2-4 taken for one gap and a high card", ' in answer("strategy", MS, "basic")
    assert 'optimal, always, "best list", ' in answer("simulate", house, "--strategy", "basic")
    mine = tmp_path / "mine.py"
    mine.write_text("def timid(turn): return 'fold'\n")
    says = f"croupier: {str(mine)!r} is a file: say which function of it decides, {mine}:NAME"
    assert answer("simulate", house, "--strategy", str(mine)) == says


def test_words_that_no_clause_has_are_looked_for_in_the_readings() -> None:
    shown = here("clauses", "ma-mississippi-stud", "--search", "hours").stdout
    assert "1 reading with them: croupier rulebook readings ma-mississippi-stud --search hours\n" in shown
    assert "with them" not in here("clauses", "ma-mississippi-stud", "--search", "zebra").stdout


def test_what_was_bet_is_said_when_nothing_was_typed(house: str) -> None:
    shown = here("hold", house, "--seats", "2", "--months", "1", COLUMNS="120").stdout
    assert "\nBets: ante $10, progressive $1, three card bonus $1, six card bonus $5.\n" in shown


def test_a_rulebook_says_how_the_house_deals_that_it_stands_for(house: str) -> None:
    """Alone at the table 59 rounds per hour, and 44 by hand: two theos for one question, with the reason."""
    bet = ("--bet", "ante=10")
    named = here("cost", MS, *bet, COLUMNS="140").stdout
    assert f"{MS} stands for a house with every wager: automated counting shuffle, automated shoe." in named
    assert "stands for" not in here("cost", house, *bet).stdout


def test_play_that_folds_as_often_is_not_said_to_fold_more(house: str) -> None:
    assert "instead of" not in here("cost", house, "--bet", "ante=25").stdout


@pytest.mark.parametrize("command", ["meter", "submission check"])
def test_a_rulebook_stands_for_a_house_with_every_wager(command: str) -> None:
    for book in rulebook_ids():
        every = starting_submission(load_rulebook(book), every_wager=True)
        by_name, by_file = here(*command.split(), book), here(*command.split(), "-", stdin=every)
        assert by_name.returncode == by_file.returncode == 0
        assert by_name.stdout.replace(book, "-") == by_file.stdout.replace(book, "-") != ""


def test_a_rulebook_where_only_a_file_can_be_meant() -> None:
    assert answer("certificate", "check", MS) == (
        f"croupier: {MS}: a rulebook, not a file; write a submission first: croupier submission new {MS} > house.toml"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("submission", "check", "@"),
        ("submission", "new", "@"),
        ("rulebook", "show", "@", "wagers"),
        ("rulebook", "readings", "@"),
        ("clauses", "@", ".12"),
        ("analyze", "@", "-w", "three_card_bonus"),
        ("compare", "@", "three card bonus", "A", "B"),
        ("strategy", "@"),
        ("advise", "@", "Tc Td 2h"),
        ("cost", "@", "--bet", "bet=10"),
        ("meter", "@"),
        ("play", "@"),
        ("table", "example", "@"),
        ("table", "commands", "@"),
        ("settle", "--example", "@"),
        ("settle", "-s", "@", "--board", "4s 8d", "--seat", "2: Tc Td 2h, bets 10, withdraw, ride"),
        ("ruling", "jam", "-r", "@"),
        ("ruling", "@", "jam"),
        ("ruling", "jam", "@"),
    ],
)
def test_a_game_by_the_name_that_people_use(words: tuple[str, ...]) -> None:
    typed, meant = ([word.replace("@", book) for word in words] for book in ("Let It Ride", "md-let-it-ride"))
    by_name, by_id = here(*typed), here(*meant)
    assert (by_name.returncode, by_name.stderr) == (0, "")
    assert by_name.stdout == by_id.stdout != ""


@pytest.mark.parametrize("name", ["lir", "LIR", "md lir", "let_it_ride", "letitride", "Maryland Let It Ride"])
def test_a_game_by_its_initials_or_with_its_state(name: str) -> None:
    assert here("rulebook", "show", name).stdout.startswith("Let It Ride, Maryland")


def test_a_game_of_two_states_is_answered_with_both() -> None:
    both = "did you mean ma-mississippi-stud or md-mississippi-stud?"
    for name in ("ms", "Mississippi Stud", "misissippi stud"):
        for command in (("hold", name), ("play", name), ("ruling", "jam", "-r", name), ("clauses", name)):
            assert answer(*command).endswith(both)
    assert both in answer("compare", "ms", "lir")
    assert here("rulebook", "show", "ma ms").stdout == here("rulebook", "show", "ma-mississippi-stud").stdout
    assert here("rulebook", "show", "mississippi stud maryland").stdout == here("rulebook", "show", MS).stdout


def test_a_file_comes_before_the_name_of_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lir").write_text(starting_submission(load_rulebook(MS)))
    assert here("submission", "show", "lir").stdout.startswith("Your house: Mississippi Stud, Maryland")


def test_a_submission_names_its_document_in_full(tmp_path: Path) -> None:
    """It is filed: what a person may type is not what a paper may say."""
    short = tmp_path / "house.toml"
    short.write_text('rulebook = "lir"\n')
    assert answer("submission", "check", str(short)).endswith(
        "rulebook: unknown rulebook 'lir': did you mean md-let-it-ride?"
    )


@pytest.mark.parametrize("text", ["=1", "=", "", "three_card_bonus=", " =60%"])
def test_a_share_without_a_wager_or_a_share(house: str, text: str) -> None:
    assert answer("hold", house, "--share", text) == f"croupier: --share {text!r}: write three_card_bonus=60%"


@pytest.mark.parametrize("words", ["%s", "[bold]", "[/x]", "a\0b", "", " ", "s"])
def test_a_ruling_by_no_word_at_all(words: str) -> None:
    assert answer("ruling", words).startswith(f"croupier: {words!r} is not an irregularity: ")


def test_a_ruling_by_a_document_and_words() -> None:
    assert here("ruling", MS, "community exposed").stdout == here("ruling", "community exposed", "-r", MS).stdout != ""


@pytest.mark.parametrize(
    "words",
    [
        ("@",),
        ("rulebook", "@"),
        ("clauses", "@"),
        ("hold", "@"),
        ("hold", "house.toml", "--share", "@=5%"),
        ("compare", "@", "@"),
        ("hold", "house.toml", "--@"),
        ("ruling", "jam", "--stage", "@"),
        ("fairness", "export", "@"),
    ],
)
@pytest.mark.parametrize("text", ["x" * 50_000, "x y " * 20_000])
def test_what_is_very_long_is_not_repeated_whole(house: str, words: tuple[str, ...], text: str) -> None:
    given = [word.replace("house.toml", house).replace("@", text) for word in words]
    assert len(answer(*given)) < 2_100


@endless
@pytest.mark.parametrize(
    "words",
    ["hold @", "hold house.toml --mix @", "settle @", "settle --lines @", "certificate check @", "layout check @ @"],
)
def test_a_file_that_does_not_end(house: str, words: str) -> None:
    done = here(*(word.replace("house.toml", house).replace("@", str(ZERO)) for word in words.split()))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "is larger than 64 MB" in done.stderr or "longer than 1,048,576 bytes" in done.stdout


@pytest.mark.parametrize("words", ["hand", "table open house.toml", "settle --ask --submission house.toml"])
def test_input_that_does_not_end(house: str, words: str) -> None:
    given = [word.replace("house.toml", house) for word in words.split()]
    done = croupier(*given, stdin=b"\0" * (3 << 20))
    assert done.returncode == 2
    assert "longer than 1,048,576" in done.stdout + done.stderr
    assert done.stderr.count("\n") == 1


def test_an_amount_alone_is_a_bet_on_the_main_game() -> None:
    for book, name in ((MS, "ante"), ("md-let-it-ride", "bet")):
        alone, named = (here("cost", book, "--bet", bet).stdout for bet in ("$25", f"{name}=25"))
        assert alone == named != ""
    assert answer("cost", MS, "--bet", "25", "--bet", "ante=25").endswith("ante is given twice")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ("strategy", "let", "it", "ride"),
            "unexpected 'ride': put names with spaces in quotes, such as \"let it ride\"",
        ),
        (("serve", "--port", "99999"), "Invalid value for '--port' (env var: 'PORT'): expected at most 65535"),
        (("bot", "http://x", "--pace", "x"), "Invalid value for '--pace': expected a number"),
        (("rulebook", "diff", "md", "ma"), "did you mean md-high-card-flush, md-let-it-ride or md-mississippi-stud?"),
    ],
)
def test_what_cannot_be_read_is_said_in_plain_words(words: tuple[str, ...], line: str) -> None:
    assert answer(*words).endswith(line)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("analyze", "hcf", "-w", "flush"), ("analyze", "md-high-card-flush", "-w", "flush_bonus")),
        (("compare", MS, "3 card", "a", "d"), ("compare", MS, "three_card_bonus", "A", "D")),
        (("advise", MS, "ah kh", "--community", "2c", "--bets", "1"), ("advise", MS, "Ah Kh", "-c", "2c", "-b", "1x")),
        (("table", "commands", "lir", "dealer"), ("table", "commands", "md-let-it-ride", "--role", "dealer")),
        (("clauses", MS, "--kind", "Display"), ("clauses", MS, "--kind", "display")),
        (("rulebook", "diff", MS, "ma ms", "--part", "Wagers"), ("rulebook", "diff", MS, "ma ms", "--part", "wagers")),
        (("ruling", "missdeal"), ("ruling", "misdeal")),
    ],
)
def test_names_in_whatever_form_they_are_typed(typed: tuple[str, ...], meant: tuple[str, ...]) -> None:
    assert here(*typed).stdout == here(*meant).stdout != ""


def test_the_readings_of_one_rulebook_are_the_same_in_both_commands() -> None:
    listed, shown = (
        [
            reading["reading" if "readings" in words else "number"]
            for reading in json.loads(here(*words, "--json").stdout)
        ]
        for words in (("rulebook", "readings", "hcf"), ("rulebook", "show", "hcf", "reading"))
    )
    assert listed == shown != []
    one = here("rulebook", "readings", "11").stdout
    assert one.startswith("Reading 11. ")
