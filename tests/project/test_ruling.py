"""`croupier ruling`: what an irregularity demands, by which clause, at which moment, and where it differs."""

import json

import pytest

from croupier.cli.ruling.search import rulings_for
from croupier.driver import moments_of, ruled_at
from croupier.present import ruling_card, ruling_names
from croupier.rulebook import HouseRules, check, load_rulebook, read_submission_text, rulebook_ids, starting_submission
from support.running import here

MS, MA, HCF = "md-mississippi-stud", "ma-mississippi-stud", "md-high-card-flush"


def house_of(rulebook: str) -> HouseRules:
    text = starting_submission(load_rulebook(rulebook), every_wager=True)
    return check(read_submission_text(text, name=rulebook)).rules()


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_row_of_the_document_has_a_card_with_its_clause(rulebook: str) -> None:
    house = house_of(rulebook)
    for row in house.rulebook.irregularities.irregularity:
        card = ruling_card(house, row.event)
        if row.deal and house.deal not in row.deal:
            assert card is None
            continue
        assert card is not None
        assert card.law.clause == row.on(house.deal).clause
        assert card.when
        assert card.steps


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_engine_itself_says_when_and_what_is_void(rulebook: str) -> None:
    """Nothing happens before the deal, and what the engine voids is what the document's row says."""
    house = house_of(rulebook)
    rows = {row.event: row for row in house.rulebook.irregularities.irregularity}
    ruled = ruled_at(house)
    assert {moment for moment, _ in ruled} == set(moments_of(house)[1:])
    assert {(name, result.voids) for (_, name), result in ruled.items()} == {
        (name, rows[name].void) for _, name in ruled
    }
    for moment, name in ruled:
        card = ruling_card(house, name, moment=moment)
        assert card is not None
        assert card.possible


def test_a_card_shown_after_its_turn_cannot_have_been_shown_too_early() -> None:
    house = house_of(MS)
    early, late = (ruling_card(house, "community_exposed", moment=when) for when in ("fifth_street", "settlement"))
    assert early is not None
    assert early.possible
    assert late is not None
    assert not late.possible


def test_reading_132_a_card_face_up_in_the_stub_is_only_recorded() -> None:
    deal = here("ruling", "one card face up", "-r", MS, "--stage", "during the deal", COLUMNS="200").stdout
    stub = here("ruling", "one card face up", "-r", MS, "--stage", "after third street", COLUMNS="200").stdout
    assert "the card goes to the rack unused" in deal
    assert "the card goes to the rack unused" not in stub.partition("clause says")[0]
    assert "it is recorded, and play continues" in stub


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("community_exposed", {"community_exposed"}),
        ("Community Exposed", {"community_exposed"}),
        ("too many cards", {"wrong_count_player", "wrong_count_community", "wrong_count_box"}),
        ("jam", {"shuffler_failed"}),
        ("the shuffler jams", {"shuffler_failed"}),
        ("mispay", {"reverse_settlement"}),
        ("player left", {"leave"}),
        ("foreign", {"foreign_card"}),
        ("player got 3 cards", {"wrong_count_player"}),
    ],
)
def test_plain_words_find_the_ruling(words: str, names: set[str]) -> None:
    assert names <= set(rulings_for(words, ruling_names(house_of(MS))))


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("dealer overpaid", ["reverse_settlement"]),
        ("table max", ["reduce_raise"]),
        ("dealer turned up third street too early", ["community_exposed"]),
        ("player folded after dealer turned up third street", []),
        ("late bet", []),
        ("card on the floor", []),
    ],
)
def test_what_only_sounds_alike_is_not_the_ruling(words: str, names: list[str]) -> None:
    """A floorperson acts on the answer: "folded after the dealer turned up third street" is no card dealt face up."""
    assert rulings_for(words, ruling_names(house_of(MS))) == names


def test_what_has_no_ruling_is_looked_for_in_the_clauses_and_readings() -> None:
    fold = here("ruling", "player", "folded", "after", "third", "street", "-r", MS)
    assert (fold.returncode, fold.stdout) == (2, "")
    assert "croupier ruling lists them; see also croupier clauses md-mississippi-stud --search fold" in fold.stderr
    floor = here("ruling", "card", "on", "the", "floor").stderr
    assert "see also croupier rulebook readings --search floor" in floor
    assert floor.count("\n") == 1


def test_the_rulebook_may_be_named_anywhere_among_the_words() -> None:
    assert (
        here("ruling", f"player got 8 cards {HCF}").stdout == here("ruling", "8 cards", "to player", "-r", HCF).stdout
    )


def test_a_ruling_and_the_rulebook_name_the_same_clauses_for_each_way_of_dealing() -> None:
    listed = " ".join(
        here("rulebook", "show", MS, "irregularities", "stub_wrong_misdealt", COLUMNS="200").stdout.split()
    )
    assert "8.J(1), reading 115; hand: 9.F; automated shoe: 10.F" in listed
    ruled = here("ruling", "stub wrong misdealt", "-r", MS, COLUMNS="200").stdout
    assert ruled.startswith(f"{MS}, dealt from the automated shoe\n")
    assert "10.F, reading 115" in ruled


def test_exposed_cards_are_all_listed() -> None:
    listed = rulings_for("exposed card", ruling_names(house_of(HCF)))
    assert {"one_card_face_up", "cards_face_up", "player_card_flashed", "dealer_exposed"} <= set(listed)


def test_a_ruling_says_what_is_void_returned_and_done_whom_to_call_and_where_it_differs() -> None:
    shown = here("ruling", "wrong count player", "-r", MA, COLUMNS="200").stdout
    for words in (
        "the hand is void", "its bets are returned", "side wagers on complete hands still settle", "play continues",
        "a floorperson or above", "14(d), reading 140", "ma.misdeal_scope", "Different elsewhere",
        "The round is void, all bets are returned, and the cards are reshuffled",
    ):  # fmt: skip
        assert words in shown
    assert MS in shown.partition("Different elsewhere")[2]


def test_an_option_of_the_house_changes_the_ruling() -> None:
    text = starting_submission(load_rulebook(MS), every_wager=True)
    changed = text.replace('# box.exposed = "void_all"', 'box.exposed = "void_six_card_only"')
    assert changed != text
    (answer,) = json.loads(here("ruling", "box exposed", "--submission", "-", "--json", stdin=changed).stdout)
    assert answer["parts"]["void"] == "the wagers of the box are void"
    assert (answer["clause"], answer["reading"]) == ("13.E", 102)
    assert "otherwise: the round is void" in answer["option"]


def test_without_words_everything_is_listed_and_without_a_rulebook_side_by_side() -> None:
    listed = here("ruling", "-r", MS, COLUMNS="200")
    assert listed.returncode == 0
    assert len(listed.stdout.splitlines()) == 1 + len(ruling_names(house_of(MS)))
    everywhere = here("ruling", "foreign card", COLUMNS="200").stdout
    assert all(name in everywhere for name in rulebook_ids())
    assert all(len(line) <= 80 for line in here("ruling", "foreign card", "-r", MA, COLUMNS="80").stdout.splitlines())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("wibble",), "'wibble' is not an irregularity: "),
        (("jam", "-r", "mars"), "unknown rulebook 'mars': "),
        (("jam", "-r", MS, "--submission", "x.toml"), "give --rulebook or --submission, not both"),
        (
            ("jam", "-r", MS, "--stage", "river"),
            "--stage: 'river' is not a moment of md-mississippi-stud: ",
        ),
    ],
)
def test_what_is_not_known_is_said_with_what_is(arguments: tuple[str, ...], says: str) -> None:
    done = here("ruling", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


@pytest.mark.parametrize(
    ("rulebook", "clause"),
    [
        ("md-mississippi-stud", "13.G"),
        ("md-high-card-flush", "13.H"),
        ("md-let-it-ride", ".13G"),
        ("ma-mississippi-stud", "14(f)"),
    ],
)
def test_a_document_alone_rules_on_a_shoe_whatever_its_starting_file_deals_from(rulebook: str, clause: str) -> None:
    cards = json.loads(here("ruling", "shoe", "failure", "-r", rulebook, "--json").stdout)
    failed = next(card for card in cards if card["name"] == "shoe_failed")
    assert failed["steps"][0]["clause"]
    assert clause in here("ruling", "-r", rulebook, COLUMNS="150").stdout
    assert failed["parts"]["cards"] == "the cards are taken out of the device and reshuffled with those already dealt"


def test_the_names_of_rulings_are_completed() -> None:
    def offered(typed: str) -> list[str]:
        words = f"croupier ruling {typed}"
        return here(
            _CROUPIER_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(words.count(" "))
        ).stdout.split()

    assert offered("co") == ["community_exposed", "correct_card"]
    for book in rulebook_ids():
        known = {row["name"] for row in json.loads(here("ruling", "-r", book, "--json").stdout)}
        assert set(offered(f"-r {book} ")) == set(offered(f"{book} ")) == known


def test_a_game_of_two_states_is_ruled_in_both() -> None:
    for words in (("exposed", "ms"), ("mississippi", "stud", "exposed")):
        cards = json.loads(here("ruling", *words, "--json").stdout)
        assert {card["rulebook"] for card in cards} == {MS, MA}
        assert {card["name"] for card in cards} == set(rulings_for("exposed", ruling_names(house_of(MS))))
