"""The record of a table is all that is needed: written, read back by another process, it makes the same table."""

import copy
import json
import pickle
import random
import shutil
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from rich.pretty import pretty_repr

from croupier.cards import Card
from croupier.driver import FairShuffler, Outcome, Staff, TableRunner, decide
from croupier.errors import BrokenRecord, CroupierError, RuleViolation
from croupier.fairness import Entropy, Sealed
from croupier.games import awaiting
from croupier.games import events as round_events
from croupier.journal import event_names, read_line, upcast, write_line
from croupier.money import Cents
from croupier.rulebook import Stakes, check, load_rulebook, read_submission_text
from croupier.rulebook.template import starting_submission
from croupier.table import (
    Entry,
    Person,
    Request,
    Table,
    allowed,
    commands,
    create,
    creation,
    evolve,
    new_table,
    rebuild,
    write_request,
)
from croupier.table import events as table_events
from support import folder_host, slices
from support.evening import DAY, Evening, evenings, read_script
from support.folder_host import FolderHost, digest, fresh
from support.random_rounds import HCF, LIR, MA, MS
from support.table_harness import START, TableHarness, counting_shuffler, table_of

BOOKS = (MS, MA, LIR, HCF)
GOLDEN = Path(__file__).parents[1] / "data" / "record.jsonl"
VIRTUAL = [path for path in evenings() if "\ncards: virtual " in path.read_text()]
ANN = Person("player", "Ann")


# --- every event, written and read


def test_evenings_are_read_back_by_another_process(tmp_path: Path) -> None:
    """In a slice every third."""
    expected = {}
    for path in evenings()[:: slices.count(full=1, sliced=3)]:
        folder = tmp_path / f"{path.parent.name} {path.stem}"
        evening = Evening(read_script(path), host=FolderHost(folder))
        for line in evening.script.lines:
            evening.play(line)
        expected[str(folder)] = digest(evening.run.table)
    assert fresh("read", *expected) == list(expected.values())


def test_the_golden_file_has_every_event_and_each_line_reads_and_writes_the_same() -> None:
    lines = GOLDEN.read_bytes().splitlines()
    names = [msgspec.json.decode(line)["what"]["event"] for line in lines]
    assert len(names) == len(set(names))
    assert set(event_names()) <= set(names), f"add a line for {sorted(set(event_names()) - set(names))}"
    for name, line in zip(names, lines, strict=True):
        entry = read_line(line)
        assert entry.name in event_names()
        if name in event_names():
            assert write_line(entry) == line


def test_no_event_is_missing_from_the_closed_list() -> None:
    def below(kind: type[Any]) -> set[type[Any]]:
        return {kind}.union(*(below(leaf) for leaf in kind.__subclasses__()))

    kinds = {kind for kind in below(table_events.TableEvent) if "/" in str(kind.__struct_config__.tag)}
    assert kinds <= set(get_args(table_events.Event))
    assert set(get_args(round_events.Recorded)) <= set(get_args(table_events.Event))
    assert len(event_names()) == len(set(event_names())) == len(get_args(table_events.Event))


def test_what_cannot_be_read_is_not_written() -> None:
    entry = read_line(GOLDEN.read_bytes().splitlines()[0])
    told = msgspec.structs.replace(entry, event=round_events.CardsIdentified(0, (Card("Ah"),)))
    with pytest.raises(BrokenRecord, match="CardsIdentified is not an event that a record can hold"):
        write_line(told)
    sealed = table_events.CardsSealed(place=0, cards=table_events.Hidden((Card("Ah"),)), clause="9.C")
    with pytest.raises(BrokenRecord, match="without salts cannot be recorded"):
        write_line(msgspec.structs.replace(entry, event=sealed))
    odd = table_events.DeckWashed(deck=object(), clause="5.E")  # type: ignore[arg-type]
    with pytest.raises(BrokenRecord, match="no line can hold a object"):
        write_line(msgspec.structs.replace(entry, event=odd))


def test_lines_that_do_not_belong_are_refused_in_one_line() -> None:
    line = GOLDEN.read_bytes().splitlines()[0]
    for bad in (b"", b"{}", b"[]", line[:-5], line.replace(b"table_created/1", b"table_invented/1"), b"\xff\xfe"):
        with pytest.raises(BrokenRecord, match=r"^[^\n]+$"):
            read_line(bad)
    with pytest.raises(BrokenRecord, match="newer version of Croupier"):
        read_line(line.replace(b"table_created/1", b"table_created/2"))
    extra = line.replace(b'"what":{', b'"what":{"surprise":1,')
    with pytest.raises(BrokenRecord, match="surprise"):
        read_line(extra)


def test_an_old_form_is_brought_forward(monkeypatch: pytest.MonkeyPatch) -> None:
    line = next(one for one in GOLDEN.read_bytes().splitlines() if b'"deck_cut/1"' in one)
    old = line.replace(b'"deck_cut/1"', b'"deck_cut/0"').replace(b'"depth"', b'"cards_above"')
    with pytest.raises(BrokenRecord):
        read_line(old)

    def renamed(event: dict[str, object]) -> dict[str, object]:
        return {"depth" if key == "cards_above" else key: value for key, value in event.items()} | {
            "event": "deck_cut/1"
        }

    monkeypatch.setitem(upcast.__globals__["NEWEST"], "deck_cut/0", renamed)
    assert read_line(old) == read_line(line)


# --- a stop after every command


def played(rulebook: str, host: FolderHost, *, rounds: int) -> list[Request]:
    """Rounds at a virtual table with every wager, played without a stop: the commands that were given."""
    dice = random.Random(rulebook)
    submission = read_submission_text(starting_submission(load_rulebook(rulebook), every_wager=True), name=rulebook)
    house = check(submission).rules()
    run = TableHarness(host.begin(new_table(submission, house), DAY, virtual=True), now=DAY)
    run.staff()
    for seat, player in enumerate(("Ann", "Bo"), 1):
        run.player(player, commands.Sit(seat))
        run.player(player, commands.BuyIn(Cents(500_000)))
    run.staff()
    for number in range(rounds):
        run.now += timedelta(minutes=5)
        run.staff()
        run.player("Ann", commands.AddEntropy(f"{number:02x}"))
        for seat, player in enumerate(("Ann", "Bo"), 1):
            for wager in house.wagers:
                if wager.stakes is not None:
                    run.player(player, commands.PlaceWager(seat, wager.name, wager.stakes.minimum))
        run.staff(close_bets=True)
        while run.table.round is not None:
            asked = awaiting(run.table.round)
            assert asked.kind == "decision", asked
            player = ("Ann", "Bo")[asked.seat - 1]
            offers = [one for one in allowed(run.table, Person("player", player), run.now) if one.do == "decide"]
            fields = dict(dice.choice(offers).fields)
            choice, amount = fields["choice"], fields["amount"]
            word = dice.choice(choice) if isinstance(choice, tuple) else str(choice)
            staked = amount.minimum if isinstance(amount, Stakes) else None
            run.player(player, commands.Decide(asked.seat, str(word), staked))
            run.staff()
    return run.given


@pytest.fixture(params=BOOKS)
def requests(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, list[Request], FolderHost]:
    """The commands of some rounds, and the record that they left."""
    host = FolderHost(tmp_path / "whole")
    return request.param, played(request.param, host, rounds=slices.count(full=3, sliced=2)), host


def _stop_and_go_on(whole: FolderHost, given: list[Request], folder: Path, *, every: int) -> tuple[FolderHost, Table]:
    """The same commands, but the host is gone after each, and another one goes on from the record."""
    host = FolderHost(folder)
    host.create(create(whole.entries()[0], whole.laws), DAY)
    for number, request in enumerate(given):
        if number % every:
            later = FolderHost(folder)
            later.run(later.load(), virtual=True).handle(request)
        else:
            fresh("go-on", str(folder), stdin=json.dumps(write_request(request)))
    host = FolderHost(folder)
    return host, host.load()


def test_stopped_after_every_command_and_continued(
    requests: tuple[str, list[Request], FolderHost], tmp_path: Path
) -> None:
    """Another host goes on after every command: the same cards, seeds and cents.

    In a slice two rounds, now and then in another process; in full three, each command in a process of its own.
    """
    _, given, whole = requests
    assert len(given) > slices.count(full=100, sliced=50)
    every = slices.count(full=1, sliced=50)
    host, table = _stop_and_go_on(whole, given, tmp_path / "stopped", every=every)
    assert digest(table) == digest(whole.load())
    assert host.head == whole.head  # byte for byte, the seeds and the sealed cards too


def test_every_single_entry_is_a_table(requests: tuple[str, list[Request], FolderHost]) -> None:
    """A record can be rebuilt up to any entry, by folds alone."""
    _, _, whole = requests
    entries = whole.entries()
    table = create(entries[0], whole.laws)
    for place, entry in enumerate(entries[1:], 2):
        table = evolve(table, entry, whole.laws)
        if place % 25 == 0:
            assert rebuild(None, entries[:place], whole.laws) == table
    assert table == whole.load()


# --- what does not hold


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of some rounds."""
    folder = tmp_path_factory.mktemp("kept")
    played(MS, FolderHost(folder), rounds=2)
    return folder


def test_another_key_is_refused(kept: Path) -> None:
    with pytest.raises(BrokenRecord, match="sealed under another house key"):
        FolderHost(kept, key=bytes(32)).load()


def test_a_changed_byte_is_refused(kept: Path, tmp_path: Path) -> None:
    folder = tmp_path / "changed"
    shutil.copytree(kept, folder)
    batches = sorted((folder / "batches").iterdir())
    changed = 0
    for path in batches[:: max(1, len(batches) // 25)]:
        whole = path.read_text()
        batch = json.loads(whole)
        line, sealed = batch["lines"][0]
        place = len(line) // 2
        batch["lines"][0][0] = line[:place] + ("x" if line[place] != "x" else "y") + line[place + 1 :]
        path.write_text(json.dumps(batch))
        with pytest.raises(CroupierError, match=r"^[^\n]+$"):
            FolderHost(folder).load()
        if sealed:
            blob = bytearray(b64decode(sealed))
            blob[-1] ^= 1
            batch["lines"][0] = [line, b64encode(bytes(blob)).decode()]
            path.write_text(json.dumps(batch))
            with pytest.raises(BrokenRecord, match="does not open: another key, or a changed byte"):
                FolderHost(folder).load()
        path.write_text(whole)
        changed += 1
    assert changed > 10
    assert FolderHost(folder).load() == FolderHost(kept).load()


def test_other_rules_are_refused(kept: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    shutil.copytree(kept, folder)
    for path in (folder / "law").rglob("*.json"):
        path.write_text(path.read_text().replace("50000.00", "60000.00").replace("100 to 1", "200 to 1"))
    with pytest.raises(CroupierError, match=r"^[^\n]+$"):
        FolderHost(folder).load()
    shutil.rmtree(folder / "law")
    with pytest.raises(CroupierError, match="not in this archive"):
        FolderHost(folder).load()


def test_another_process_refuses_in_one_line_too(kept: Path, tmp_path: Path) -> None:
    folder = tmp_path / "short"
    shutil.copytree(kept, folder)
    batches = sorted((folder / "batches").iterdir())
    batches[5].unlink()
    (said,) = fresh("read", str(folder))
    assert said.startswith("refused: table/1: ")


# --- all or nothing


def virtual_table(store: Callable[[Outcome], None] = lambda _: None) -> TableHarness:
    return TableHarness(TableRunner(table_of({"rulebook": MS}), counting_shuffler(), store=store), now=DAY)


def test_nothing_moves_before_it_is_stored() -> None:
    class Full(OSError):
        pass

    def refuse(_: object) -> None:
        raise Full("the disk is full")

    run = virtual_table(refuse)
    before = run.table
    with pytest.raises(Full):
        run.staff_step()
    assert run.table is before


def test_deciding_is_a_function() -> None:
    """The same table, seeds and command come to the same, and nothing is changed by asking."""
    run = virtual_table()
    source = FairShuffler()
    run.staff()
    request = Request(ANN, DAY, commands.Sit(1))
    one, two = (decide(run.table, request, source, {}) for _ in range(2))
    assert one == two
    assert run.table.people.seats == ()


@pytest.mark.parametrize(
    "name", ["virtual shuffler", "Virtual Shuffler", "automatic dealer", "progressive device", "seat 3"]
)
def test_names_of_devices_and_automatic_staff_are_reserved(name: str) -> None:
    run = virtual_table()
    run.staff_names = Staff("d1", "f1", "p1")
    run.staff()
    with pytest.raises(RuleViolation, match="the table itself uses the name"):
        run.player(name, commands.Sit(1))


def test_a_virtual_table_survives_a_restart_in_the_middle_of_a_round(tmp_path: Path) -> None:
    """Another host, with other objects, reveals the seed that the first one had promised."""
    run = TableHarness(FolderHost(tmp_path).begin(table_of({"rulebook": MS}), DAY, virtual=True), now=DAY)
    for command in (commands.Sit(1), commands.BuyIn(Cents(50_000)), commands.PlaceWager(1, "ante", Cents(1000))):
        run.staff()
        run.player("Ann", command)
    run.staff(close_bets=True)
    promised = next(deck.commitment for deck in run.table.cards.decks if deck.commitment)
    later = FolderHost(tmp_path)
    again = TableHarness(later.run(later.load(), virtual=True), now=DAY)
    again.player("Ann", commands.Decide(1, "fold"))
    again.staff()
    revealed = [entry.event for entry in later.entries() if isinstance(entry.event, table_events.SeedRevealed)]
    assert [event.commitment for event in revealed] == [promised]
    assert again.table.fairness.unrevealed_shuffle is None


# --- secrets


def test_no_general_writer_finds_a_hidden_card(tmp_path: Path) -> None:
    """Pickled, copied, printed, or written by msgspec with any hook: a state with faces gives nothing away."""
    evening = Evening(read_script(VIRTUAL[-1]), host=FolderHost(tmp_path))
    seen = 0
    for line in evening.script.lines:
        evening.play(line)
        state = evening.run.table.round
        if state is None or all(card is None for card in state.faces.known):
            continue
        seen += 1
        hidden = [str(card) for place, card in enumerate(state.faces.known) if card and place not in state.cards.up]
        for value in (state.faces, state, evening.run.table):
            for road in (pickle.dumps, copy.copy if value is state.faces else copy.deepcopy):
                with pytest.raises(TypeError, match="cannot be copied or stored"):
                    road(value)
            text = repr(value) + str(msgspec.to_builtins(state.faces, enc_hook=str))
            text += str(msgspec.to_builtins(state.proceedings, enc_hook=str)) + str(
                msgspec.json.encode(state.boxes, enc_hook=str)
            )
            assert not [card for card in hidden if f" {card} " in text or f"'{card}'" in text]
        with pytest.raises(TypeError):
            msgspec.json.encode(state.faces)
    assert seen
    with pytest.raises(TypeError, match="holds a secret"):
        pickle.dumps(Sealed(bytes(range(32))))


def test_every_shown_card_opens_its_commitment(kept: Path) -> None:
    """Whoever has no key can hold each card that was turned up against what was sealed before."""
    sealed: dict[tuple[int, int], bytes] = {}
    opened = 0
    for batch in FolderHost(kept).batches():
        for line, _ in batch["lines"]:
            entry = read_line(line.encode())
            match entry.event:
                case table_events.CardsSealed():
                    for offset, commitment in enumerate(entry.event.cards.commitments):
                        sealed[entry.round, entry.event.place + offset] = commitment
                case table_events.CardsShown():
                    shown = table_events.Hidden(entry.event.cards, entry.event.salts).commitments
                    for place, commitment in zip(entry.event.places, shown, strict=True):
                        assert sealed[entry.round, place] == commitment
                        opened += 1
    assert opened > 5


def test_the_envelope() -> None:
    run = virtual_table()
    run.now = START
    request = run.staff_request()
    assert request is not None
    (entry,) = run.handle(msgspec.structs.replace(request, key="c-1", reason="evening shift"))
    line = msgspec.json.decode(write_line(entry))
    assert list(line) == ["stream", "seq", "at", "by", "rules", "command", "reason", "what"]
    assert (line["stream"], line["seq"], line["at"]) == ("table/1", 2, "2026-01-01T18:00:00Z")
    assert line["rules"] == run.table.house.hash
    assert line["command"] == "c-1"


def test_an_evening_under_its_own_submission_text() -> None:
    for path in VIRTUAL:
        table = read_script(path).table
        entry = read_line(write_line(creation(table, folder_host.HOUSE, DAY)))
        assert isinstance(entry.event, table_events.TableCreated)
        assert read_submission_text(entry.event.submission, name="record") == table.submission


def test_no_field_of_an_event_has_a_name_of_the_flat_form() -> None:
    """`table run` writes envelope and event as one object."""
    names = {name for kind in get_args(table_events.Event) for name in kind.__struct_fields__}
    assert not names & {"event", "at", "by", "reason", "key", "stream", "seq"}


# --- entries that do not belong


def test_an_entry_of_another_place_table_or_law_is_refused(kept: Path) -> None:
    host = FolderHost(kept)
    entries = host.entries()
    first, second = entries[0], entries[1]

    def refused(*record: Entry) -> str:
        with pytest.raises(BrokenRecord, match=r"^[^\n]+$") as error:
            rebuild(None, record, host.laws)
        return str(error.value)

    change = msgspec.structs.replace
    assert isinstance(first.event, table_events.TableCreated)
    assert "was judged by the rules 0000" in refused(first, change(second, rules="0" * 64))
    assert "does not belong to" in refused(first, change(second, stream="table/2"))
    assert "expected entry 2" in refused(first, entries[2])
    assert "expected entry 3" in refused(first, second, second)
    assert "can only be the first entry" in refused(first, change(first, seq=2))
    assert "begins with table_created" in refused(second)
    assert "without entries" in refused()
    for event in (change(first.event, rulebook="0" * 64), change(first.event, table="9")):
        assert "does not create this table" in refused(change(first, event=event))
    assert "the meters" in refused(change(first, event=change(first.event, meters=())))
    opened = next(entry for entry in entries if isinstance(entry.event, table_events.TableOpened))
    other = change(opened, event=change(opened.event, rules="0" * 64))
    assert "under rules that are not its own" in refused(*entries[: opened.seq - 1], other)


def test_lines_of_any_shape_are_refused_in_one_line() -> None:
    endless = b'{"what":{"event":"deck_cut/' + b"9" * 5000 + b'"}}'
    for bad in (b'{"what":{"event":5}}', b'{"what":{"event":null}}', b"[" * 100_000, endless):
        with pytest.raises(BrokenRecord, match=r"^[^\n]+$"):
            read_line(bad)


def test_values_of_another_type_are_not_written() -> None:
    entry = read_line(next(one for one in GOLDEN.read_bytes().splitlines() if b'"tray_filled/1"' in one))
    assert isinstance(entry.event, table_events.TrayFilled)
    for amount in (1.5, True, "10", None):
        event = msgspec.structs.replace(entry.event, amount=amount)
        with pytest.raises(BrokenRecord, match="cannot be written"):
            write_line(msgspec.structs.replace(entry, event=event))


def test_chance_that_comes_with_a_command_cannot_be_read() -> None:
    """The seed of a shuffle is in no text of the command that brings it."""
    seed = bytes(range(32))
    request = FairShuffler(Entropy(lambda _: seed)).draw(
        Request(Person("dealer", "d1"), DAY, commands.ShuffleDeck("A"))
    )
    assert request.chance is not None
    for road in (pickle.dumps, copy.deepcopy, msgspec.json.encode):
        with pytest.raises(TypeError):
            road(request)
    text = repr(request) + pretty_repr(request) + str(msgspec.to_builtins(request, enc_hook=repr))
    assert str(seed)[2:20] not in text
    with pytest.raises(TypeError):
        request.chance.__getstate__()
    dealt = Request(Person("dealer", "d1"), DAY, commands.DealCards(1, (Card("Ah"),)))
    assert "Ah" not in pretty_repr(dealt)


def test_a_seed_is_kept_as_long_as_it_is_needed() -> None:
    kept: list[str] = []

    def store(outcome: Outcome) -> None:
        kept.extend(one.commitment for one in outcome.secrets)
        for commitment in outcome.spent:
            kept.remove(commitment)

    run = virtual_table(store)
    run.staff()
    run.player("Ann", commands.Sit(1))
    run.staff()
    floor = Person("floorperson", run.table.people.floor[0])
    for _ in range(3):
        run.handle(Request(floor, DAY, commands.OrderShuffle(run.table.cards.decks[0].id)))
        run.staff()
        assert kept == [run.table.cards.decks[0].commitment]


def test_a_command_and_what_the_staff_do_after_it_are_stored_together_or_not_at_all() -> None:
    stored: list[Outcome] = []
    full = [False]

    def store(outcome: Outcome) -> None:
        if full[0]:
            raise OSError("the disk is full")
        stored.append(outcome)

    run = TableHarness(TableRunner(table_of({"rulebook": MS}), FairShuffler(), automatic=Staff(), store=store), now=DAY)
    run.staff_step()
    assert len(stored) == 1
    assert len(run.entries) == len(stored[0].entries) == run.table.seq - 1 > 10
    full[0], before = True, run.table
    with pytest.raises(OSError, match="full"):
        run.handle(Request(ANN, DAY, commands.Sit(1)))
    assert run.table is before
    full[0] = False
    run.handle(Request(ANN, DAY, commands.Sit(1)))
    assert run.table.people.seats == ((1, ANN.id),)


def test_players_have_their_results_before_the_cards_are_shuffled_again() -> None:
    automatic = Staff(results_first=True)
    run = TableHarness(TableRunner(table_of({"rulebook": MS}), FairShuffler(), automatic=automatic), now=DAY)
    run.staff_step()
    run.player("ann", commands.Sit(1))
    run.player("ann", commands.BuyIn(Cents(100_000), brought=True))
    run.player("ann", commands.PlaceWager(1, "ante", Cents(1000)))
    run.staff(close_bets=True)
    names = [entry.name for entry in run.player("ann", commands.Decide(1, "fold", None))]
    assert names[-2:] == ["round_closed/1", "seed_revealed/1"]
    assert run.table.last_round is not None
    names = [entry.name for entry in run.handle(run.staff_request() or pytest.fail("nobody looks after the cards"))]
    assert names[0] == "deck_shuffled/1"
    assert names[-1] == "deck_loaded/1"
    assert run.staff_request() is None


def test_the_money_of_every_evening_follows_from_its_record_without_the_key(tmp_path: Path) -> None:
    for path in evenings():
        host = FolderHost(tmp_path / f"{path.parent.name} {path.stem}")
        evening = Evening(read_script(path), host=host)
        for line in evening.script.lines:
            evening.play(line)
        closed = [read_line(line.encode()) for batch in host.batches() for line, _ in batch["lines"]]
        table = rebuild(None, closed, host.laws)
        assert (table.books, table.progressive) == (evening.run.table.books, evening.run.table.progressive), path
        assert (table.played, table.cards, table.people) == (
            evening.run.table.played,
            evening.run.table.cards,
            evening.run.table.people,
        ), path
