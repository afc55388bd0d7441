"""What a player finds beside the game: devices, keys, practice that is kept, and the trainer at a table."""

import asyncio
import html
import re
from pathlib import Path

import pytest

from croupier.analysis.answering import answers
from croupier.cards import parse_cards
from croupier.documents import felt_layout
from croupier.hands import dealer_qualifies, longest_flush
from croupier.house.first_start import demo_id
from croupier.rulebook import rulebook_ids
from croupier.table import Person, view
from croupier.web import advice, table_trainer, trainer
from croupier.web.adviser import Adviser
from croupier.web.told import dealers_hand, round_shown
from support.browser import Browser, Form, HouseForBrowsers, ThePage, browse

FLUSH = str(rulebook_ids().index("md-high-card-flush") + 1)
STUD = str(rulebook_ids().index("md-mississippi-stud") + 1)
BY_HAND = str(len(rulebook_ids()) + 1)
HAND = "/trainer/md-mississippi-stud/abcd1234?stake=20.00"
"""Five of diamonds, four of spades: a bet is wrong."""


def form_to(page: ThePage, ending: str, **fields: str) -> Form:
    posted = [form for form in page.forms if form.method == "post" and form.action.endswith(ending)]
    return next(form for form in posted if fields.items() <= form.fields.items())


async def sit_and_bet(browser: Browser, table: str) -> None:
    page = await browser.see(f"/tables/{table}")
    page = await browser.send(form_to(page, f"/tables/{table}", do="sit"), button=("seat", "1"))
    page = await browser.send(form_to(page, f"/tables/{table}", do="buy_in"), amount="500")
    await browser.send(form_to(page, "/bets"))


async def awaited(browser: Browser, path: str, words: str) -> ThePage:
    page = await browser.see(path)
    for _ in range(300):
        if words in page.text:
            return page
        await asyncio.sleep(0.02)
        page = await browser.see(path)
    raise AssertionError(page.text)


def test_devices_are_listed_and_each_is_signed_out_alone(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        desk, phone = await house.browser(), await house.browser()
        phone.http.headers["user-agent"] = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1"
        desk.http.headers["user-agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0 \u0007<b>"
        for browser in (desk, phone):
            await browser.sign_in("ann")
        bob = await house.browser("bob")
        page = await desk.see("/account")
        assert "2 devices" in page.text
        assert re.search(r"Firefox on Linux\s+This one", page.text)
        assert "Safari on iPhone" in page.text
        marks = [form.fields["session"] for form in page.forms if form.action == "/account/sessions/end"]
        theirs = next(form for form in (await bob.see("/account")).forms if form.action == "/account/sessions/end")
        await bob.send(theirs, session=marks[1])
        assert (await phone.see("/account")).status == 200, "nobody signs out somebody else"
        page = await desk.send(form_to(page, "/account/sessions/end", session=marks[1]))
        assert "That device is signed out." in page.text
        assert "1 device" in page.text
        assert (await phone.see("/account")).status == 401
        assert (await desk.send(form_to(page, "/account/sessions/end"))).path == "/"
        assert (await desk.see("/account")).status == 401

    browse(tmp_path, visit)


def test_letters_as_keys_are_turned_off_for_every_page(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann = await house.browser("ann")
        page = await ann.see(f"/tables/{STUD}")
        assert 'data-keys="off"' not in page.html
        await ann.send(form_to(await ann.see("/account"), "/look", then="/account"), keys="off")
        for path in ("/account", f"/tables/{STUD}", HAND):
            assert 'data-keys="off"' in (await ann.see(path)).html, path
        page = await ann.see(f"/tables/{STUD}")
        assert "letters and digits are off" in page.text
        await ann.send(form_to(page, "/look"), button=("theme", "dark"))
        page = await ann.see(HAND)
        assert 'data-keys="off"' in page.html, "another choice leaves this one alone"
        assert "aria-keyshortcuts" not in page.html

    browse(tmp_path, visit)


def test_practice_is_kept_for_whoever_is_signed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer, "ADVISER", Adviser(lambda lines: list(answers(lines))))
    monkeypatch.setattr(trainer, "_PATIENT", 60.0)  # a busy machine compiles slowly

    async def visit(house: HouseForBrowsers) -> None:
        async def err(browser: Browser, seed: str) -> ThePage:
            page = await browser.see(HAND.replace("abcd1234?", f"{seed}?cards=5d4s&"))
            return await browser.send(form_to(page, seed), choice="3x")

        stranger = await house.browser()
        assert "0 of 1 decision" in (await err(stranger, "aa11")).text
        await stranger.sign_in("ann")  # what this browser kept goes along
        assert "0 of 1 decision" in (await stranger.see("/trainer")).text
        assert "0 of 2 decisions" in (await err(stranger, "aa22")).text
        assert "croupier_drills" not in stranger.http.cookies, "the house keeps it now"
        elsewhere, bob = await house.browser("ann"), await house.browser("bob")
        page = await elsewhere.see("/trainer")
        assert "0 of 2 decisions" in page.text
        assert "1 drill" in page.text
        assert "decisions" not in re.sub(r"\s+", " ", (await bob.see("/trainer")).text.split("Drills")[1][:80])

    browse(tmp_path, visit)


def test_the_trainer_beside_a_table_without_stakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Adviser(lambda lines: list(answers(lines)))
    for module in (advice, table_trainer):
        monkeypatch.setattr(module, "ADVISER", here)
    monkeypatch.setattr(table_trainer.trainer_beside, "__kwdefaults__", {"adviser": here, "patience": 20.0})

    async def visit(house: HouseForBrowsers) -> None:
        ann, bob = await house.browser("ann"), await house.browser("bob")
        await sit_and_bet(ann, STUD)
        page = await awaited(ann, f"/tables/{STUD}", "Your decision")
        assert "vs. best" not in page.text, "off until asked for"
        await ann.send(form_to(page, "/look", then=f"/tables/{STUD}"), button=("values", "before"))
        page = await awaited(ann, f"/tables/{STUD}", "vs. best")
        assert 'class="act best"' in page.html
        watched = await bob.see(f"/tables/{STUD}")
        assert "trainer-title" not in watched.html, "whoever has no cards has no trainer"
        assert "trainer-title" not in (await ann.see(f"/tables/{BY_HAND}")).html, "nor is it beside real cards"
        await ann.send(form_to(page, "/look", then=f"/tables/{STUD}"), button=("values", "after"))
        page = await ann.see(f"/tables/{STUD}")
        assert "vs. best" not in page.text
        await ann.send(form_to(page, f"/tables/{STUD}", do="decide"), button=("choice", "fold"))
        page = await awaited(ann, f"/tables/{STUD}", "vs. best")
        assert re.search(r"Fold\s+on 3rd Street|Fold\s+on third street", page.text, re.IGNORECASE), page.text

        await sit_and_bet(ann, FLUSH)
        page = await awaited(ann, f"/tables/{FLUSH}", "Your decision")
        assert "Dealer:" not in page.text, "the dealer's cards are face down"
        folding = next(form for form in page.forms if ("choice", "fold") in form.buttons)
        await ann.send(folding, button=("choice", "fold"))
        page = await awaited(ann, f"/tables/{FLUSH}", "Dealer:")
        table = house.desk.table(FLUSH).table
        shown = round_shown(view(table, Person("player", demo_id("ann"))))
        told = dealers_hand(table.house, shown)
        assert told is not None
        flush = longest_flush(parse_cards(" ".join(dict(shown.cards)["dealer"])))
        assert (told.made.lower(), told.qualifies) == (str(flush).lower(), dealer_qualifies(flush))
        assert page.text.replace("\xa0", " ").count(told.words) == 3, "on both drawings of the felt, and beside it"

    browse(tmp_path, visit)


def test_who_cannot_play_is_told_so_before_they_try(tmp_path: Path) -> None:
    """Too few chips for a round, and somebody who has excluded themselves."""

    async def visit(house: HouseForBrowsers) -> None:
        ann, bob = await house.browser("ann"), await house.browser("bob")
        path = f"/tables/{STUD}"
        page = await ann.send(form_to(await ann.see(path), path, do="sit"), button=("seat", "1"))
        page = await ann.send(form_to(page, path, do="buy_in"), amount="5")
        page = await awaited(ann, path, "Buy more chips to play: a round takes at least $10")
        page = await ann.send(form_to(page, path, do="buy_in"), amount="5")
        assert (await awaited(ann, path, "Place your bets")).going_to("/bets") is not None

        await bob.send(form_to(await bob.see("/account"), "/exclusion"), days="7", sure="yes")
        for shown in (await bob.see("/"), await bob.see(path)):
            assert "You are excluded from play until" in shown.text
        assert (await bob.see(path)).offering("sit") is None

    browse(tmp_path, visit)


def test_how_a_round_ended_is_told_until_one_bets_again_however_fast_others_bet(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann, bob = await house.browser("ann"), await house.browser("bob")
        path = f"/tables/{STUD}"
        await sit_and_bet(ann, STUD)
        page = await awaited(ann, path, "Your decision")
        await ann.send(form_to(page, path, do="decide"), button=("choice", "fold"))
        await awaited(ann, path, "Folded")
        page = await bob.send(form_to(await bob.see(path), path, do="sit"), button=("seat", "2"))
        await bob.send(form_to(page, path, do="buy_in"), amount="500")
        page = await awaited(bob, path, "Place your bets")
        await bob.send(form_to(page, "/bets"))
        page = await ann.see(path)
        assert "Seat 2, bob, $10" in page.html, "what others bet is seen"
        assert "<dt>Last round</dt>" in page.html
        assert "Folded" in page.text, "although bob has bet"
        assert "Before the deal" in (await bob.see(path)).text, "whoever was not in it waits for the deal"
        await ann.send(form_to(page, "/bets"))
        assert "<dt>Last round</dt>" not in (await ann.see(path)).html

    browse(tmp_path, visit)


def test_a_table_says_what_its_rules_have_printed_and_when_a_hand_is_whole(tmp_path: Path) -> None:
    """Every inscription is on the felt, and below a phone's; a hand that nothing is added to is not one "so far"."""

    async def visit(house: HouseForBrowsers) -> None:
        ann = await house.browser("ann")
        for table in map(str, range(1, len(rulebook_ids()) + 1)):
            path = f"/tables/{table}"
            await sit_and_bet(ann, table)
            page = await awaited(ann, path, "Your decision")
            rules = house.desk.hall.plans[table].rules
            inscribed = felt_layout(rules, 1, tall=False).inscribed
            assert [line for line in inscribed if line not in page.text] == []
            assert felt_layout(rules, 1, tall=True).lines == (), "with every wager a phone's felt has no room for them"
            below = re.findall(r'<p class="pays-note printed">(.*?)</p>', page.html)
            assert [line for line in inscribed if line not in html.unescape("".join(below))] == []
            assert ("Your hand so far" in page.text) == (table != FLUSH)

    browse(tmp_path, visit)


def test_an_empty_table_says_that_it_waits_for_a_player(tmp_path: Path) -> None:
    """The deck is shown to the player who has sat longest: without one nothing goes on."""

    async def visit(house: HouseForBrowsers) -> None:
        ann, words = await house.browser("ann"), "The game starts when a player sits down"
        assert words in (await ann.see(f"/tables/{STUD}")).text
        await sit_and_bet(ann, STUD)
        assert words not in (await ann.see(f"/tables/{STUD}")).text
        assert "The table is not open yet" in (await ann.see(f"/tables/{BY_HAND}")).text

    browse(tmp_path, visit)


def test_the_ranks_of_a_hand_stay_in_one_line(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann = await house.browser("ann")
        await sit_and_bet(ann, FLUSH)
        page = await awaited(ann, f"/tables/{FLUSH}", "Your decision")
        ranks = r"(?:10|[2-9AKQJ])"
        # a straight flush of at least three cards is told behind it, after a semicolon
        whole = rf'-card</span> flush, <span class="nowrap">{ranks}(?: {ranks})+</span>[;<]'
        assert re.search(whole, page.html), page.text

    browse(tmp_path, visit)
