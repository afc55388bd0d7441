"""The verifier finds every change of a record, and the records are written by a second hand from the same page."""

import io
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from itertools import combinations, islice
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import format_cards
from croupier.fairness import commit, shuffle
from croupier.journal import verify
from croupier.journal.verify import DoesNotHold, Report, verify_export, verify_file
from croupier.store.migrate import migrations
from support import slices
from support.resumed import RecordProperty
from support.sized_journal import sized_journal
from support.tiny_journal import (
    COMMITMENT,
    DECK,
    SEED,
    TinyJournal,
    card_corrected,
    cards_dealt,
    cards_sealed,
    cards_shown,
    closed,
    deck_loaded,
    deck_shuffled,
    dumps,
    entropy_added,
    evening,
    note,
    sealed,
    seed_revealed,
    smallest,
    virtual_round,
)

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
LARGE: Final = 1 << 16
"""Bytes of the record whose every bit is turned in `make torture`."""
Change = Callable[[TinyJournal], object]


def refused(data: bytes, heads: tuple[bytes, ...] = (), signer: str = "") -> str:
    """Why the record does not hold; anything but a clean refusal is an error."""
    with pytest.raises(DoesNotHold) as finding:
        verify_export(data, heads, signer=signer)
    return str(finding.value)


def holds(data: bytes) -> bool:
    try:
        verify_export(data)
    except DoesNotHold:
        return False
    return True


def unnoticed(data: bytes, size: int, bit: int, every: int = 1) -> list[int]:
    """The places among the first so many, or some of them, where nobody noticed that this bit was turned."""
    changed, places = bytearray(data), []
    for place in range(bit % every, size, every):
        changed[place] ^= 1 << bit
        if holds(bytes(changed)):
            places.append(place)
        changed[place] ^= 1 << bit
    return places


def command(*arguments: object) -> tuple[int, str, str]:
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            code = verify.main([str(argument) for argument in arguments])
        except SystemExit as stopped:
            code = int(str(stopped.code))
    return code, out.getvalue(), err.getvalue()


def test_a_whole_record_holds() -> None:
    tiny = evening()
    report = Report(streams=4, lines=66, openings=16, shuffles=2, postings=26, accounts=7, checkpoints=2, signatures=2)
    assert verify_export(tiny.export()) == report
    saved = verify_export(tiny.export(), tiny.checkpoints, signer=tiny.signer())
    assert saved == report._replace(signatures=4)
    assert verify_export(TinyJournal().export()) == Report(0, 0, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("bit", range(8))
def test_every_bit_counts(bit: int) -> None:
    """In a slice three bits of eight of each byte, not the same ones of its neighbors."""
    data = smallest().export()
    assert unnoticed(data, len(data), bit, every=slices.count(full=1, sliced=3)) == []


@pytest.mark.torture
@pytest.mark.parametrize("bit", range(8))
def test_every_bit_of_64_kib_counts(bit: int, record_property: RecordProperty) -> None:
    """A record that the program itself has written: 524,288 bits in all."""
    data = sized_journal(LARGE)
    assert holds(data)
    assert unnoticed(data, len(data), bit) == []
    record_property("changes found", len(data))


def tampered(lines: list[bytes]) -> Iterator[list[bytes]]:
    for at, line in enumerate(lines):
        yield lines[:at] + lines[at + 1 :]
        yield [*lines[:at], line, *lines[at:]]
        yield lines[:at]
        yield [*lines[:at], line[: len(line) // 2]]
        yield [*lines[:at], line[:-1]]
        yield [*lines[:at], b"{}\n", *lines[at:]]
        yield [*lines[:at], b"\n", *lines[at:]]
        yield [*lines[:at], lines[-1], *lines[at:]]
        if at:
            yield [*lines[: at - 1], line, lines[at - 1], *lines[at + 1 :]]
    yield [*lines, b"{}\n"]
    yield [*lines, b"\n"]
    yield [*lines, lines[-2]]


def test_no_line_can_be_removed_doubled_moved_inserted_or_cut_off() -> None:
    data = evening().export()
    lines = data.splitlines(keepends=True)
    changed = [b"".join(other) for other in tampered(lines)]
    assert len(changed) > 8 * len(lines)
    assert [other for other in changed if other == data or holds(other)] == []


def deletions(data: bytes) -> Iterator[bytes]:
    """Without each run of up to three lines."""
    lines = data.splitlines(keepends=True)
    for at in range(len(lines)):
        for number in range(1, 4):
            yield b"".join(lines[:at] + lines[at + number :])


def swaps(data: bytes) -> Iterator[bytes]:
    """With each two lines in each other's place."""
    lines = data.splitlines(keepends=True)
    for first, second in combinations(range(len(lines)), 2):
        lines[first], lines[second] = lines[second], lines[first]
        yield b"".join(lines)
        lines[first], lines[second] = lines[second], lines[first]


def insertions(data: bytes) -> Iterator[bytes]:
    """With a copy of each line at each place."""
    lines = data.splitlines(keepends=True)
    for at in range(len(lines) + 1):
        for line in lines:
            yield b"".join([*lines[:at], line, *lines[at:]])


def truncations(data: bytes) -> Iterator[bytes]:
    """The beginning of it, up to each byte."""
    yield from (data[:size] for size in range(len(data)))


KINDS: Final = [deletions, swaps, insertions, truncations]


def check_all(changed: Iterator[bytes], data: bytes) -> int:
    """How many changes there are; every one is found."""
    number = 0
    for other in changed:
        if other != data:
            assert not holds(other), f"change {number} was not noticed"
            number += 1
    return number


@pytest.mark.parametrize("kind", KINDS)
def test_every_deletion_swap_insertion_and_truncation_is_found(kind: Callable[[bytes], Iterator[bytes]]) -> None:
    data = smallest().export()
    assert check_all(kind(data), data) > 15


@pytest.mark.torture
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("kind", KINDS)
def test_every_deletion_swap_insertion_and_truncation_of_64_kib_is_found(
    kind: Callable[[bytes], Iterator[bytes]], part: int, record_property: RecordProperty
) -> None:
    data = sized_journal(LARGE)
    record_property(f"{kind.__name__} found", check_all(islice(kind(data), part, None, 4), data))


def test_the_same_with_a_last_line_that_fits_is_found_by_the_numbers_or_the_checkpoint() -> None:
    tiny = evening()
    body, saved = tiny.body(), tuple(tiny.checkpoints)
    for at, line in enumerate(body):
        refused(closed([*body[:at], *body[at + 1 :]], tiny.heads()), saved)
        refused(closed([*body[:at], line, *body[at:]], tiny.heads()), saved)
        if at:
            refused(closed([*body[: at - 1], line, body[at - 1], *body[at + 1 :]], tiny.heads()), saved)


def test_a_record_rewritten_from_end_to_end_fails_against_a_saved_checkpoint() -> None:
    saved = evening().checkpoints[0]
    for stream, lines in evening().lines.items():
        for at, line in enumerate(lines):
            tiny = evening()
            tiny.lines[stream][at] = line.replace(b'"id":"d1"', b'"id":"d2"')
            tiny.checkpoints.clear()
            assert verify_export(tiny.export()).checkpoints == 0
            tiny.sign()
            tiny.sign()
            assert verify_export(tiny.export()).checkpoints == 2
            if stream != "table/é":
                assert f"{stream} has another hash" in refused(tiny.export(), (saved,))
            else:  # not yet in the first checkpoint, so only the second can tell
                assert "table/é has another hash" in refused(tiny.export(), (evening().checkpoints[1],))


def test_a_record_must_hold_to_what_was_saved() -> None:
    tiny = evening()
    saved = tiny.sign()
    tiny.checkpoints.pop()
    assert refused(tiny.export(), (saved,)).endswith("checkpoint [3], which was saved, is missing before it")
    tiny.sign(at="2026-01-03T06:00:00Z")
    assert "not the one that was saved" in refused(tiny.export(), (saved,))
    other = evening()
    other.store = "f" * 32
    other.checkpoints.clear()
    assert "another store" in refused(tiny.export(), (other.sign(),))
    for line in (b"", b"{}", b"[]", b"\xff", saved[:-1], saved.replace(b'"number', b'"n')):
        assert refused(tiny.export(), (line,)).startswith("saved checkpoint: ")


def test_signatures_and_signers() -> None:
    tiny = smallest()
    signed = json.loads(tiny.checkpoints[0])
    turned = f"{int(signed['signature'][:2], 16) ^ 1:02x}{signed['signature'][2:]}"
    more = int.from_bytes(bytes.fromhex(signed["signature"][64:]), "little") + ORDER
    beyond = signed["signature"][:64] + more.to_bytes(32, "little").hex()
    for wrong in (turned, beyond, "00" * 64, signed["signature"][64:] + signed["signature"][:64]):
        tiny.checkpoints = [dumps(signed | {"signature": wrong})]
        assert "signature does not hold" in refused(tiny.export())
    tiny = smallest()
    assert "another signer" in refused(tiny.export(), signer="12" * 32)
    tiny.key = Ed25519PrivateKey.from_private_bytes(b"x" * 32)
    tiny.sign()
    assert "another signer" in refused(tiny.export())
    tiny.checkpoints.clear()
    assert "no checkpoint" in refused(tiny.export(), signer=tiny.signer())
    tiny.sign()
    assert "another signer" in refused(tiny.export(), tuple(smallest().checkpoints))


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=80), st.integers(0, 511))
def test_signatures_hold_exactly_where_they_hold_elsewhere(secret: bytes, message: bytes, bit: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(secret)
    public, signature = key.public_key().public_bytes_raw(), key.sign(message)
    other = bytearray(signature)
    other[bit // 8] ^= 1 << bit % 8
    assert verify._signed(public, message, signature)  # noqa: SLF001
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(public).verify(bytes(other), message)
    assert not verify._signed(public, message, bytes(other))  # noqa: SLF001
    assert not verify._signed(public, message + b"\n", signature)  # noqa: SLF001


def test_keys_of_small_order_and_points_in_a_second_form_are_refused() -> None:
    prime = 2**255 - 19
    small = {0, 1, prime - 1, prime, prime + 1, 2**255 - 1}
    for y in small | {y | 1 << 255 for y in small}:
        point = y.to_bytes(32, "little")
        for first in (point, (1).to_bytes(32, "little")):
            assert not verify._signed(point, b"anything", first + bytes(32))  # noqa: SLF001


@given(st.binary(min_size=32, max_size=32), st.lists(st.binary(max_size=40), max_size=4))
def test_the_deck_is_the_one_that_was_dealt(seed: bytes, players: list[bytes]) -> None:
    assert verify._shuffled(seed, players) == format_cards(shuffle(seed, players)).split()  # noqa: SLF001


def salted(place: int = 0, **changed: object) -> dict[str, Any]:
    return cards_shown({place: "Ah"}) | changed


WRONG: Final[dict[str, Change]] = {
    "do not open": lambda tiny: tiny.add("table/7", salted(salts=["AAAAAAAAAAAAAAAAAAAAAA=="])),
    "do not open what": lambda tiny: tiny.add("table/7", salted(cards=["As"])),
    "sealed at place 1": lambda tiny: (tiny.add("table/7", cards_dealt(1)), tiny.add("table/7", salted(1))),
    "do not open what was": lambda tiny: (
        tiny.add("table/7", cards_dealt(1), round=2),
        tiny.add("table/7", salted(), round=2),
    ),
    "needs a salt": lambda tiny: tiny.add("table/7", salted(places=[0, 0], cards=["Ah", "Ah"])),
    "each card needs": lambda tiny: tiny.add("table/7", salted(places=[0, 0])),
    "salts is not": lambda tiny: tiny.add("table/7", salted(salts=["AAAAAAAAAAAAAAAAAAAAAB=="])),
    "salts is not in": lambda tiny: tiny.add("table/7", salted(salts=None)),
    "cards is not": lambda tiny: tiny.add("table/7", salted(cards=["1h"])),
    "places is not": lambda tiny: tiny.add("table/7", salted(places=[False])),
    "round is missing": lambda tiny: (tiny.add("table/7", cards_dealt(1), round=2), tiny.add("table/7", salted())),
    "no card was dealt": lambda tiny: tiny.add("table/7", cards_sealed(["As"], 1)),
    "no card was dealt to": lambda tiny: tiny.add("table/7", salted(1, salts=[])),
    "number is not in its form": lambda tiny: tiny.add("table/7", cards_dealt(53)),
    "sealed twice": lambda tiny: tiny.add("table/7", cards_sealed(["Ah"])),
    "another commitment": lambda tiny: tiny.add("table/7", card_corrected(0, "As", "Ah")),
    "do not open what was sealed at place 0": lambda tiny: (
        tiny.add("table/7", card_corrected(0, "Ah", "As")),
        tiny.add("table/7", salted()),
    ),
    "no deck was shuffled": lambda tiny: tiny.add("table/7", seed_revealed()),
    "does not give its commitment": lambda tiny: (
        tiny.add("table/7", deck_shuffled()),
        tiny.add("table/7", seed_revealed(seed="00" * 32)),
    ),
    "deck is not the one": lambda tiny: (
        tiny.add("table/7", deck_shuffled()),
        tiny.add("table/7", seed_revealed(deck=[DECK[1], DECK[0], *DECK[2:]])),
    ),
    "deck is not the one that": lambda tiny: (
        tiny.add("table/7", deck_shuffled()),
        tiny.add("table/7", seed_revealed(deck=DECK[:51])),
    ),
    "deck is not the one that its": lambda tiny: (
        tiny.add("table/7", deck_shuffled()),
        tiny.add("table/7", seed_revealed(players=["00"])),
    ),
    "generator": lambda tiny: (tiny.add("table/7", deck_shuffled()), tiny.add("table/7", seed_revealed(generator="x"))),
    "one shuffle": lambda tiny: (tiny.add("table/7", deck_shuffled()), tiny.add("table/7", deck_shuffled(COMMITMENT))),
    "commitment is not": lambda tiny: tiny.add("table/7", deck_shuffled("AB" * 32)),
    "not known": lambda tiny: tiny.add("table/7", salted(event="cards_shown/2")),
    "not known here": lambda tiny: tiny.add("cage", salted()),
    "created another": lambda tiny: tiny.add("table/8", {"event": "table_created/1", "table": "9"}),
    "begins with table_created": lambda tiny: tiny.add("table/8", note("first")),
    "table_created, once": lambda tiny: tiny.open_table(),
    "name with a version": lambda tiny: tiny.add("cage", {"event": "note_made"}),
    "what is not": lambda tiny: tiny.add("cage", []),
    "expected number": lambda tiny: tiny.add("cage", note("n"), seq=3),
    "seq is not": lambda tiny: tiny.add("cage", note("n"), seq=True),
    "2.0 is not a whole number": lambda tiny: tiny.add("cage", note("n"), seq=2.0),
    "time is before": lambda tiny: tiny.add("cage", note("n"), at="2026-01-01T20:00:00.999999Z"),
    "at is not": lambda tiny: tiny.add("cage", note("n"), at="2026-01-01T21:00:00+00:00"),
    "day is out of range": lambda tiny: tiny.add("cage", note("n"), at="2026-02-30T21:00:00Z"),
    "by is not": lambda tiny: tiny.add("cage", note("n"), by={"id": "d1", "role": "dealer"}),
    "must have the keys": lambda tiny: tiny.add("cage", note("n"), rules="ab" * 32),
    "must have the keys stream": lambda tiny: tiny.add("cage", note("n"), more=1),
    "rules is not": lambda tiny: tiny.add("table/7", note("n"), rules="AB" * 32),
    "round is not": lambda tiny: tiny.add("table/7", note("n"), round=0),
    "stream is not": lambda tiny: tiny.add("vault", note("n")),
    "sum to 0 in each unit": lambda tiny: tiny.add("cage", note("n"), [("cage", "cents", -1), ("rack", "cents", 2)]),
    "to 0 in each unit": lambda tiny: tiny.add("cage", note("n"), [("cage", "cents", -1), ("m", "meter", 1)]),
    "another unit": lambda tiny: tiny.add("cage", note("n"), [("cage", "meter", -1), ("m", "meter", 1)]),
    "moves nothing": lambda tiny: tiny.add("cage", note("n"), [("cage", "cents", 0)]),
    "order of names": lambda tiny: tiny.add("cage", note("n"), [("cage", "cents", 1), ("cage", "cents", -1)]),
    "fell below its floor at cage, 2": lambda tiny: (
        tiny.add("cage", note("n"), [("cage", "cents", 501), ("rack", "cents", -501)]),
        tiny.add("cage", note("n"), [("cage", "cents", -501), ("rack", "cents", 501)]),
    ),
    "rack is below its floor": lambda tiny: tiny.add(
        "table/7", note("n"), [("c", "cents", 501), ("rack", "cents", -501)]
    ),
    "full is below its floor": lambda tiny: tiny.floors.setdefault("full", 1),
    "expected number 2": lambda tiny: tiny.sign(number=3),
    "does not follow": lambda tiny: tiny.sign(before="00" * 32),
    "less of a stream": lambda tiny: tiny.sign(heads=[]),
    "no entry at 99": lambda tiny: tiny.sign(heads=[*tiny.heads()[:1], ["table/7", 99, "00" * 32]]),
    "heads are not in order": lambda tiny: tiny.sign(heads=tiny.heads()[::-1]),
    "it is of another store": lambda tiny: tiny.sign(store="00" * 16),
    "number is not": lambda tiny: tiny.sign(number="2"),
}
"""Part of the reason by what is wrong in a record that is consistent otherwise: chain, sums and last line are right."""


@pytest.mark.parametrize("why", WRONG)
def test_what_is_wrong_is_named(why: str) -> None:
    tiny = smallest()
    WRONG[why](tiny)
    assert why in refused(tiny.export())


FORGED: Final[dict[str, Change]] = {
    "card 1 of the round was 2h, not 8c": lambda tiny: swap(tiny, DECK[17], "8c"),
    "card 2 of the round was Kd, not 8c": lambda tiny: swap(tiny, DECK[18], "8c"),
    "card 3 of the round was Jh, not 8c": lambda tiny: swap(tiny, DECK[19], "8c"),
    "card 4 of the round was Qh, not 8c": lambda tiny: swap(tiny, DECK[20], "8c"),
    "card 1 of the round was 2h, not Qh": lambda tiny: tiny.add("table/9", card_set_right(0, "Qh")),
    "another cut": lambda tiny: tiny.add("table/9", seed_revealed(depth=16)),
    "another commitment, other entropy": lambda tiny: tiny.add("table/9", seed_revealed(depth=17, **other_players())),
    "had another commitment": lambda tiny: tiny.add("table/9", seed_revealed(depth=17, **other_seed())),
    "not the seed of its round": lambda tiny: tiny.add("table/9", seed_revealed(depth=17), round=2),
    "before it was not revealed": lambda tiny: tiny.add("table/9", cards_dealt(1), round=2),
    "or over": lambda tiny: (
        tiny.add("table/9", seed_revealed(depth=17)),
        tiny.add("table/9", cards_shown({1: "8c"}) | {"salts": []}),
    ),
}
"""What a house might do with a deck that it has committed to: all hashes, seals and signatures are made anew."""


def swap(tiny: TinyJournal, was: str, card: str) -> None:
    """Another card wherever this one was sealed or named."""
    seals = [(sealed(was, place), sealed(card, place)) for place in range(3)]
    for at, line in enumerate(tiny.lines["table/9"]):
        for old, new in ((f'"{was}"', f'"{card}"'), *seals):
            line = line.replace(old.encode(), new.encode())  # noqa: PLW2901 - one after the other
        tiny.lines["table/9"][at] = line


def card_set_right(place: int, card: str) -> dict[str, Any]:
    return {
        "event": "card_corrected/1",
        "place": place,
        "was": DECK[17],
        "card": card,
        "clause": "11.J",
        "reading": 147,
    }


def other_players() -> dict[str, object]:
    return {"players": ["00"], "deck": format_cards(shuffle(SEED, [b"\0"])).split()}


def other_seed() -> dict[str, object]:
    return {"commitment": commit(bytes(32)), "seed": bytes(32).hex(), "deck": format_cards(shuffle(bytes(32))).split()}


@pytest.mark.parametrize("why", FORGED)
def test_cards_that_a_committed_deck_does_not_have_are_found(why: str) -> None:
    tiny = smallest().open_table("9")
    tiny.add("table/9", deck_shuffled(commit(bytes(32))) | {"deck": "blue"})
    virtual_round(tiny, "table/9")
    FORGED[why](tiny)
    if b"seed_revealed" not in b"".join(tiny.lines["table/9"]):
        tiny.add("table/9", seed_revealed(depth=17))
    assert why in refused(tiny.export())


def test_what_players_added_to_the_shuffle_counts_from_the_last_time_the_deck_was_loaded() -> None:
    tiny, deck = TinyJournal().open_table(), format_cards(shuffle(SEED, [b"\x01", b"\x02"])).split()
    for what in (deck_shuffled(), deck_loaded(), entropy_added("07"), deck_loaded(), entropy_added("01")):
        tiny.add("table/7", what)
    tiny.add("table/7", entropy_added("02"))
    tiny.add("table/7", cards_dealt(1))
    tiny.add("table/7", cards_shown({0: deck[0]}) | {"salts": []})
    tiny.add("table/7", seed_revealed(players=["01", "02"], deck=deck))
    assert verify_export(tiny.export()).shuffles == 1


def test_a_round_that_ends_before_its_first_card_has_a_seed_to_reveal() -> None:
    tiny = TinyJournal().open_table()
    tiny.add("table/7", deck_shuffled()).add("table/7", deck_loaded()).add("table/7", seed_revealed())
    assert verify_export(tiny.export()).shuffles == 1


def test_a_shared_account_may_pass_below_its_floor_in_one_stream() -> None:
    tiny = smallest()
    tiny.add("cage", note("n"), [("cage", "cents", 600), ("rack", "cents", -600)])
    tiny.add("table/7", note("n"), [("cage", "cents", -600), ("rack", "cents", 600)])
    assert verify_export(tiny.export()).postings == 6


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        (b'{"export":', b'{"export": '),
        (b'"store":"0', b'"store":"A'),
        (b"croupier-export-1", b"croupier-export-2"),
        (b'["cage","cents",-500],["rack","cents",500]', b'["rack","cents",500],["cage","cents",-500]'),
        (b'["cage","cents",-500],["rack"', b'["cage","cents",-5e2],["rack"'),
        (b'["cage","cents",-500],["rack"', b'["cage","cents",-500.0],["rack"'),
        (b'["cage","cents",-500],["rack"', b'["c\\u0061ge","cents",-500],["rack"'),
        (b'["cage","cents",null,-500]', b'["cage","cents",null,-400]'),
        (b'["cage","cents",null,-500],', b""),
        (b'["rack","cents",0,500]', b'["rack","meter",0,500]'),
        (b'["rack","cents",0,500]', b'["rack","cents",-0,500]'),
        (b'["rack","cents",0,500]', b'["rack","cents",0,500],["rack","cents",0,500]'),
        (b'{"of":["cage",1]', b'{"of":["cage",2]'),
        (b'{"of":["cage",1],"postings":[["cage","cents",-500],["rack","cents",500]]}\n', b""),
        (b'"postings":[["cage","cents",-500],["rack","cents",500]]', b'"postings":[]'),
    ],
)
def test_lines_outside_the_chain_have_one_form_and_must_add_up(was: bytes, becomes: bytes) -> None:
    tiny = smallest()
    body = b"".join(line + b"\n" for line in tiny.body())
    assert body.count(was) == 1
    refused(closed(body.replace(was, becomes).splitlines(), tiny.heads()))


HOSTILE: Final = {
    "nothing": b"",
    "a line break": b"\n",
    "zeros": bytes(1000),
    "not UTF-8": b'{"stream":"\xff"}',
    "half a pair": b'{"stream":"table/\\ud800","seq":1,"what":{}}',
    "nested lists": b'{"stream":' + b"[" * 100_000,
    "nested objects": b'{"stream":' * 100_000,
    "a huge number": b'{"stream":"cage","seq":' + b"9" * 100_000 + b"}",
    "a large number": b'{"stream":"cage","seq":' + b"9" * 4000 + b"}",
    "a huge fraction": b'{"stream":"cage","seq":1e999999999}',
    "a key twice": b'{"stream":"cage","stream":"cage"}',
    "a key twice, deep": b'{"stream":"cage","seq":1,"what":{"a":{"b":1,"b":1}}}',
    "not a number": b'{"stream":"cage","seq":NaN}',
    "infinity": b'{"stream":"cage","seq":-Infinity}',
    "null": b"null",
    "a list": b"[]",
    "text": b'"stream"',
    "an empty object": b"{}",
    "an empty key": b'{"":1}',
    "only a stream": b'{"stream":"cage"}',
    "a stream that is a list": b'{"stream":[],"seq":1}',
    "an object for everything": b'{"stream":{},"seq":{},"at":{},"by":{},"what":{}}',
    "a byte order mark": b'\xef\xbb\xbf{"stream":"cage"}',
    "postings of nothing": b'{"of":["cage",1],"postings":[]}',
    "accounts of wrong types": b'{"accounts":[[1,2,3,4]]}',
    "accounts of lists": b'{"accounts":[[[],[],[],[]]]}',
    "accounts that are too short": b'{"accounts":[["a"]]}',
    "accounts that are a number": b'{"accounts":7}',
    "a body that is not JSON": b'{"body":"x","signer":"%s","signature":"%s"}' % (b"0" * 64, b"0" * 128),
    "a body that is nested": b'{"body":"%s","signer":"%s","signature":"%s"}' % (b"[" * 99999, b"0" * 64, b"0" * 128),
    "a break inside": b'{"stream":"cage",\r"seq":1}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    head, *others = smallest().export().splitlines(keepends=True)
    accounts = next(line for line in others if line.startswith(b'{"accounts"'))
    for data in (
        HOSTILE[name],
        HOSTILE[name] + b"\n",
        head + HOSTILE[name] + b"\n",
        head + accounts + HOSTILE[name] + b"\n",
        head + b'{"accounts":[]}\n' + HOSTILE[name] + b"\n",
        b"".join([head, *others[:2], HOSTILE[name], b"\n", *others[2:]]),
    ):
        assert "\n" not in refused(data)
        path = tmp_path / "record.jsonl"
        path.write_bytes(data)
        code, out, err = command(path)
        assert (code, out, err.count("\n")) == (1 if data.startswith(head) else 2, "", 1)
        assert len(err) < 400


@given(st.data())
def test_no_bytes_make_it_stumble(data: st.DataObject) -> None:
    whole = smallest().export()
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 60)))
    token = st.sampled_from(
        [b"null", b"-1", b"[]", b"{}", b'""', b'"', b",", b"1e9", b"NaN", b"\\u0000", b"\n", b"\xf0"]
    )
    middle = data.draw(st.binary(max_size=8) | token)
    if (changed := whole[:start] + middle + whole[end:]) != whole:
        refused(changed)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "a store?#.db"
    evening().write_store(path)
    return path


def test_a_store_is_read_as_its_export(store: Path) -> None:
    before = store.read_bytes()
    saved = tuple(evening().checkpoints)
    assert verify_file(store, saved) == verify_export(evening().export(), saved)
    assert store.read_bytes() == before
    assert [path.name for path in store.parent.iterdir()] == [store.name]
    with closing(
        sqlite3.connect(store)
    ) as db:  # somebody writes to it: what is not yet in the main file counts as well
        db.execute("UPDATE account SET amount = amount + 1 WHERE name = 'cage'")
        db.commit()
        assert "cage" in command(store)[2]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE meta SET value = upper(value)",
        "DELETE FROM meta",
        "UPDATE event SET hash = zeroblob(32) WHERE stream = 'table/7' AND seq = 3",
        "UPDATE event SET hash = NULL WHERE stream = 'table/7' AND seq = 3",
        "UPDATE event SET line = NULL WHERE stream = 'table/7' AND seq = 3",
        "UPDATE event SET line = replace(CAST(line AS TEXT), 'd1', 'd2') WHERE stream = 'cage'",
        "UPDATE event SET name = 'wager_placed/1' WHERE name = 'note_made/1' AND stream = 'cage'",
        "UPDATE event SET at = at + 1 WHERE stream = 'table/7' AND seq = 3",
        "UPDATE event SET round = 7 WHERE stream = 'table/7' AND seq = 3",
        "UPDATE event SET round = NULL WHERE stream = 'cage'",
        "UPDATE event SET seq = 99 WHERE stream = 'table/é' AND seq = 31",
        "UPDATE event SET stream = 'cagf' WHERE stream = 'cage'",
        "DELETE FROM event WHERE stream = 'table/7' AND seq = 3",
        "DELETE FROM event WHERE stream = 'link/major'",
        "INSERT INTO event SELECT * FROM event WHERE stream = 'cage'",
        "UPDATE head SET seq = seq - 1 WHERE stream = 'table/7'",
        "UPDATE head SET hash = zeroblob(32) WHERE stream = 'table/7'",
        "DELETE FROM head WHERE stream = 'cage'",
        "UPDATE head SET seq = 0 WHERE stream = 'cage'",
        "INSERT INTO head VALUES ('table/z', 1, zeroblob(32))",
        "UPDATE posting SET amount = amount + 1 WHERE stream = 'cage' AND amount > 0",
        "UPDATE posting SET amount = 'many' WHERE stream = 'cage'",
        "UPDATE posting SET amount = 9e999 WHERE stream = 'cage'",
        "UPDATE posting SET account = 'nobody' WHERE stream = 'cage' AND amount > 0",
        "UPDATE posting SET seq = 77 WHERE stream = 'cage'",
        "INSERT INTO posting VALUES ('zoo', 1, 'cage', 5), ('zoo', 1, 'rack/7', -5)",
        "DELETE FROM posting WHERE stream = 'cage'",
        "UPDATE account SET amount = amount + 1 WHERE name = 'cage'",
        "UPDATE account SET unit = 'chips' WHERE name = 'cage'",
        "UPDATE account SET floor = 1 WHERE name = 'quiet'",
        "UPDATE account SET name = X'ff' WHERE name = 'quiet'",
        "DELETE FROM account WHERE name = 'cage'",
        "INSERT INTO account SELECT * FROM account WHERE name = 'cage'",
        "DELETE FROM checkpoint WHERE number = 1",
        "UPDATE checkpoint SET body = replace(body, '06:00', '07:00')",
        "UPDATE checkpoint SET body = NULL",
        "UPDATE checkpoint SET signature = zeroblob(64) WHERE number = 2",
        "UPDATE checkpoint SET signer = zeroblob(32) WHERE number = 2",
    ],
)
def test_every_table_of_a_store_counts(store: Path, change: str) -> None:
    with closing(sqlite3.connect(store)) as db:
        assert db.execute(change).rowcount > 0
        db.commit()
    code, out, err = command(store)
    assert (code, out, err.count("\n")) == (1, "", 1)


def test_the_command_says_which_it_was(tmp_path: Path, store: Path) -> None:
    tiny = evening()
    export, saved = tmp_path / "export.jsonl", tmp_path / "saved.jsonl"
    export.write_bytes(tiny.export())
    saved.write_bytes(b"".join(line + b"\n" for line in tiny.checkpoints))
    whole = (
        "The record is whole: 66 lines in 4 streams, 16 cards opened, 2 shuffles dealt again, "
        "26 postings to 7 accounts, 2 checkpoints, 4 signatures.\n"
    )
    assert command(export, "--head", saved, "--signer", tiny.signer()) == (0, whole, "")
    assert command(store, "--head", saved) == (0, whole, "")
    assert "No saved checkpoint was given" in command(export)[1]
    assert command(export, "--signer", "00" * 32)[0] == 1
    for arguments in (
        [],
        [export, "--signer", "x"],
        [export, "--head", export.parent],
        [tmp_path / "none"],
        [tmp_path],
    ):
        assert command(*arguments)[0] == 2, arguments
    for text in (b"\n", b"hello\n", tiny.checkpoints[0] + b"\n{}\n", tiny.export()):
        (tmp_path / "bad").write_bytes(text)
        code, out, err = command(export, "--head", tmp_path / "bad")
        assert (code, out, err.count("\n"), str(tmp_path / "bad") in err) == (2, "", 1, True)
    (tmp_path / "letter.txt").write_text("Dear auditor,\n")
    assert command(tmp_path / "letter.txt")[::2] == (2, "it is neither an export nor a store\n")
    with closing(sqlite3.connect(store)) as db:
        db.execute("INSERT INTO migration VALUES (99, '')")
        db.commit()
    assert "its format is 99" in command(store)[2]
    assert command(store)[0] == 2
    assert migrations("sqlite")[-1].number == verify.FORMAT
    store.write_bytes(store.read_bytes()[:3000])
    assert command(store)[0] == 2


def test_the_file_alone_is_enough(tmp_path: Path) -> None:
    """It runs without this package, without any other, and with assertions off."""
    alone, export = tmp_path / "verify.py", tmp_path / "export.jsonl"
    alone.write_bytes(Path(str(verify.__file__)).read_bytes())
    export.write_bytes(evening().export())
    bare = [sys.executable, "-I", "-S", "-O", str(alone), str(export)]
    done = subprocess.run(bare, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("The record is whole: 66 lines")
