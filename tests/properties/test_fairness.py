"""The shuffle of a virtual table: what it promises, that it keeps it, and that a cheat is seen."""

import copy
import hashlib
import hmac
import importlib.util
import json
import pickle
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any

import msgspec
import pytest

import croupier.fairness
from croupier.cards import DECK, format_cards
from croupier.errors import EntropyFailure, Malformed
from croupier.fairness import (
    SYSTEM,
    Entropy,
    Sealed,
    check,
    commit,
    read_proof,
    seal,
    shuffle,
    stream,
    verify,
)
from croupier.wire import decode_json
from support import slices
from support.randomness import batches, chi_square_tail, eulerian, judge, rejected
from support.running import here as command

ROOT = Path(__file__).parents[2]
SECOND = ROOT / "src/croupier/journal/verify_shuffle.py"
SEED = bytes(range(32))


def second_verifier() -> Any:  # noqa: ANN401 - a module without types
    spec = importlib.util.spec_from_file_location("verify_shuffle", SECOND)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def second_verdict(text: str) -> tuple[int, str]:
    """What the second verifier says: its exit code and its words."""
    second = second_verifier()
    try:
        fault = second.fault_of(second.parse(text.encode()))
    except second.NotAProof as error:
        return 2, str(error)
    return (1, fault) if fault else (0, "")


# --- the generator


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def recomputed(seed: bytes, players: Sequence[bytes]) -> Iterator[int]:
    parts = chain.from_iterable((u64(len(entry)), entry) for entry in players)
    key = hashlib.sha256(b"croupier-shuffle-1 key\n" + seed + u64(len(players)) + b"".join(parts)).digest()
    return chain.from_iterable(hmac.new(key, u64(block), hashlib.sha256).digest() for block in range(8))


@pytest.mark.parametrize("players", [[], [b""], [b"", b""], [b"ab", b"c"], [b"a", b"bc"], [bytes(1000)]])
def test_the_stream_is_the_one_specified(players: list[bytes]) -> None:
    assert bytes(islice(stream(SEED, players), 256)) == bytes(recomputed(SEED, players))


def test_different_players_bytes_are_never_mixed_up() -> None:
    lists: list[list[bytes]] = [[], [b""], [b"", b""], [b"ab", b"c"], [b"a", b"bc"], [b"abc"], [b"c", b"ab"]]
    assert len({shuffle(SEED, players) for players in lists}) == len(lists)


def test_the_worked_example_of_the_page() -> None:
    page = (ROOT / "docs/fairness.md").read_text()
    second = second_verifier()
    for players in ([], [b"", bytes.fromhex("c0ffee")]):
        block = bytes(islice(stream(SEED, players), 32)).hex()
        for text in (commit(SEED), second.key_of(SEED, players).hex(), block):
            assert f"`{text[:32]}`<br>`{text[32:]}`" in page
        assert f"`{format_cards(shuffle(SEED, players)[:7])}`" in page


@pytest.mark.parametrize("size", range(2, 53))
def test_every_byte_kept_chooses_evenly(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All 256 bytes through the production code, at the step that has so many cards to choose from."""
    chosen = Counter(choice_at(size, byte, monkeypatch) for byte in range(256))
    refused = chosen.pop(None, 0)
    assert refused == 256 % size
    assert chosen == dict.fromkeys(range(size), 256 // size)


def choice_at(size: int, byte: int, monkeypatch: pytest.MonkeyPatch) -> int | None:
    """Where this step swaps to when it meets this byte; None if it drops it and takes another."""
    taken = []

    def drawn(_seed: bytes, _players: Sequence[bytes]) -> Iterator[int]:
        # The steps before leave every card where it lies; a nought is never dropped.
        for draw in chain(range(51, size - 1, -1), [byte], repeat(0)):
            taken.append(draw)
            yield draw

    monkeypatch.setattr(croupier.fairness, "stream", drawn)
    deck = shuffle(SEED)
    assert len(taken) in {51, 52}
    return int(deck[size - 1]) if len(taken) == 51 else None


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), "00" * 32, bytearray(32)])
def test_a_seed_has_32_bytes(seed: Any) -> None:  # noqa: ANN401
    for use in (commit, shuffle, lambda one: next(stream(one))):
        with pytest.raises(Malformed, match="32 bytes"):
            use(seed)


# --- the random source


def failing(_: int) -> bytes:
    raise OSError("no device")


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (failing, "failed, OSError"),
        (lambda size: SEED[: size - 1], "did not give 32 bytes"),
        (lambda size: SEED + bytes(size), "did not give 32 bytes"),
        (lambda _: "0" * 32, "did not give 32 bytes"),
        (bytes, "32 equal bytes"),
        (lambda size: b"\xff" * size, "32 equal bytes"),
    ],
)
def test_failed_chance_stops_dealing_for_good(read: Callable[[int], bytes], message: str) -> None:
    reads: Iterator[Callable[[int], bytes]] = iter([read, lambda _: SEED, lambda _: SEED[::-1]])

    def once(size: int) -> bytes:
        return next(reads)(size)

    source = Entropy(once)
    for _ in range(3):
        with pytest.raises(EntropyFailure, match=message):
            seal(source)


def test_repeated_chance_stops_dealing_for_good() -> None:
    other = bytes(reversed(SEED))
    answers = iter([SEED, other, SEED, SEED, other])
    source = Entropy(lambda _: next(answers))
    assert [source.seed() for _ in range(3)] == [SEED, other, SEED]
    for _ in range(3):
        with pytest.raises(EntropyFailure, match="the same 32 bytes twice: dealing stops"):
            seal(source)


def test_the_system_gives_fresh_seeds() -> None:
    assert len({SYSTEM.seed() for _ in range(1000)}) == 1000


# --- secrets


def test_nothing_secret_is_shown_or_stored() -> None:
    sealed = Sealed(SEED)
    shoe = sealed.shuffle([b"player"])
    proof = shoe.prove()
    for secret in (sealed, shoe, proof):
        for text in (repr(secret), str(secret), f"{secret}", repr([secret])):
            assert SEED.hex() not in text
            assert repr(SEED) not in text
            assert not any(str(card) in text.replace(sealed.commitment, "") for card in DECK)
    for secret in (sealed, shoe):
        assert not hasattr(secret, "__dict__")
        for store in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="holds a secret"):
                store(secret)
        with pytest.raises(TypeError):
            msgspec.json.encode(secret)


def test_from_seal_to_proof() -> None:
    sealed = seal()
    shoe = sealed.shuffle([b"one", b""])
    assert sorted(shoe.dealt(52)) == list(DECK)
    assert shoe.dealt(0) == ()
    assert shoe.dealt(7) == shoe.dealt(52)[:7]
    proof = shoe.prove(7)
    assert (proof.commitment, len(proof.deck.split()), check(proof)) == (sealed.commitment, 7, ())
    for number in (-1, 53):
        with pytest.raises(Malformed, match="cannot be dealt"):
            shoe.dealt(number)


# --- two verifiers

Raw = dict[str, Any]


def good(chance: random.Random) -> Raw:
    seed = chance.randbytes(32)
    players = [chance.randbytes(chance.choice([0, 1, 16, 40])) for _ in range(chance.randrange(4))]
    cards = shuffle(seed, players)[: chance.choice([52, 52, chance.randint(2, 51)])]
    return {
        "generator": "croupier-shuffle-1",
        "commitment": commit(seed),
        "seed": seed.hex(),
        "players": [entry.hex() for entry in players],
        "deck": format_cards(cards),
    }


def flipped(text: str, chance: random.Random) -> str:
    data = bytearray.fromhex(text)
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return data.hex()


def tamper_commitment(proof: Raw, chance: random.Random) -> None:
    proof["commitment"] = flipped(proof["commitment"], chance)


def tamper_seed(proof: Raw, chance: random.Random) -> None:
    proof["seed"] = flipped(proof["seed"], chance)


def tamper_seed_and_commitment(proof: Raw, chance: random.Random) -> None:
    tamper_seed(proof, chance)
    proof["commitment"] = commit(bytes.fromhex(proof["seed"]))


def tamper_deck(proof: Raw, chance: random.Random) -> None:
    cards = proof["deck"].split()
    one, other = chance.sample(range(len(cards)), 2)
    cards[one], cards[other] = cards[other], cards[one]
    proof["deck"] = " ".join(cards)


def tamper_players(proof: Raw, chance: random.Random) -> None:
    entries = [place for place, entry in enumerate(proof["players"]) if entry]
    if entries and chance.random() < 0.7:
        place = chance.choice(entries)
        proof["players"][place] = flipped(proof["players"][place], chance)
    else:
        proof["players"].append("")


def spoil(proof: Raw, chance: random.Random) -> None:
    """Something that makes it unreadable."""
    key, value = chance.choice(
        [
            ("seed", proof["seed"][2:]),
            ("seed", None),
            ("seed", " " + proof["seed"][1:]),
            ("commitment", "g" + proof["commitment"][1:]),
            ("commitment", ""),
            ("players", "00"),
            ("players", ["0"]),
            ("players", [7]),
            ("deck", ""),
            ("deck", "Ah Ah"),
            ("deck", "ah"),
            ("deck", "1h"),
            ("deck", proof["deck"].split()),
            ("generator", "croupier-shuffle-2"),
            ("more", 1),
        ]
    )
    proof[key] = value


TAMPER = [tamper_commitment, tamper_seed, tamper_seed_and_commitment, tamper_deck, tamper_players, spoil]


def verdict(text: str) -> int:
    try:
        return 1 if check(read_proof(decode_json(text))) else 0
    except Malformed:
        return 2


def test_two_verifiers_agree_on_500_cases() -> None:
    chance = random.Random(52)
    seen: Counter[int] = Counter()
    for case in range(500):
        proof, expected = good(chance), 0
        if case % 2:
            tamper = TAMPER[case // 2 % len(TAMPER)]
            tamper(proof, chance)
            expected = 2 if tamper is spoil else 1
        text = json.dumps(proof)
        code, line = second_verdict(text)
        assert (verdict(text), code) == (expected, expected), (text, line)
        seen[expected] += 1
    assert (seen[0], min(seen.values()) >= 40) == (250, True)


@pytest.mark.parametrize("text", ["", "[]", "null", "{", '{"seed": 1, "seed": 2}', "[" * 5000, '"\\ud800"', "9" * 5000])
def test_two_verifiers_refuse_what_is_no_proof(text: str) -> None:
    assert (verdict(text), second_verdict(text)[0]) == (2, 2)


def test_capital_digits_and_tens_are_read_by_both() -> None:
    proof = good(random.Random(1))
    proof |= {
        "commitment": proof["commitment"].upper(),
        "seed": proof["seed"].upper(),
    }
    text = json.dumps(proof | {"deck": proof["deck"].replace("T", "10")})
    assert (verdict(text), second_verdict(text)[0]) == (0, 0)


def test_the_second_verifier_stands_alone() -> None:
    """Without the packages of this environment, in a process of its own."""
    for tamper, code in ((None, 0), (tamper_deck, 1), (spoil, 2)):
        proof, chance = good(random.Random(2)), random.Random(3)
        if tamper is not None:
            tamper(proof, chance)
        run = [sys.executable, "-I", "-S", str(SECOND), "-"]
        done = subprocess.run(run, input=json.dumps(proof), capture_output=True, text=True, check=False)
        assert done.returncode == code
        assert len(done.stdout.splitlines()) + len(done.stderr.splitlines()) == 1
        assert bool(done.stderr) == (code == 2)


def test_the_commitment_is_told_before_the_deck() -> None:
    cards = shuffle(SEED)
    wrong = verify(commit(bytes(32)), SEED, [], (cards[1], cards[0]))
    assert [problem.what for problem in wrong] == ["commitment", "deck"]


# --- the commands


def test_fairness_verify_answers_by_its_exit_code(tmp_path: Path) -> None:
    proof, file = good(random.Random(4)), tmp_path / "proof.json"
    file.write_text(json.dumps(proof))
    done = command("fairness", "verify", str(file))
    assert (done.returncode, done.stdout[:8], done.stderr) == (0, "verified", "")
    done = command("fairness", "verify", "--json", "-", stdin=json.dumps(proof | {"commitment": "0" * 64}))
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["holds"], answer["problem"]["what"]) == (1, False, "commitment")
    done = command("fairness", "verify", "-", stdin=json.dumps(proof | {"seed": "00"}))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "croupier: -: seed: must be 64 hexadecimal digits, not 2 characters\n"


def test_fairness_shuffle_writes_a_proof_and_wants_a_seed() -> None:
    done = command("fairness", "shuffle", "--seed", SEED.hex(), "--player", "C0FFEE", "--player", "", "--json")
    assert json.loads(done.stdout)["players"] == ["c0ffee", ""]
    assert command("fairness", "verify", "-", stdin=done.stdout).returncode == 0
    for arguments, message in (
        ((), "Missing option '--seed'"),
        (("--seed", "00"), "--seed: must be 64 hexadecimal digits"),
    ):
        done = command("fairness", "shuffle", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr


# --- statistics


@pytest.mark.parametrize(
    ("freedom", "value", "tail"),
    [
        (1, 3.841, 0.05),
        (1, 6.635, 0.01),
        (2, 9.210, 0.01),
        (10, 18.307, 0.05),
        (10, 3.940, 0.95),
        (30, 50.892, 0.01),
        (50, 76.154, 0.01),
        (100, 124.342, 0.05),
        (100, 70.065, 0.99),
    ],
)
def test_chi_square_tails_are_the_published_ones(freedom: int, value: float, tail: float) -> None:
    """The table of critical values in the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4."""
    assert chi_square_tail(value, freedom) == pytest.approx(tail, rel=1e-3)


def test_runs_are_counted_over_all_orders() -> None:
    assert eulerian(5) == [1, 26, 66, 26, 1]
    assert sum(eulerian(10)) == 3_628_800


def test_shuffles_look_random() -> None:
    """10,000,000 in full, 50,000 in a slice."""
    p_values = judge(batches(shuffle, slices.count(full=10_000_000, sliced=50_000)))
    assert rejected(p_values) == [], p_values


def modulo_bias(seed: bytes) -> list[int]:
    deck, draws = list(range(52)), stream(seed)
    for place in range(51, 0, -1):
        other = next(draws) % (place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def even(draws: Iterator[int], size: int) -> int:
    return next(draw for draw in draws if draw < 256 - 256 % size) % size


def swap_with_any(seed: bytes) -> list[int]:
    deck, draws = list(range(52)), stream(seed)
    for place in range(52):
        other = even(draws, 52)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def sattolo(seed: bytes) -> list[int]:
    deck, draws = list(range(52)), stream(seed)
    for place in range(51, 0, -1):
        other = even(draws, place)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


SMALL = slices.count(full=4, sliced=3)
"""Bytes of a seed that is too small: 32 bits, in a slice 24."""


def small_seed(seed: bytes) -> Sequence[int]:
    return shuffle(seed[:SMALL] + bytes(32 - SMALL))


class ReusedSeed:
    """Every hundredth seed is that of the deck before."""

    def __init__(self) -> None:
        self.calls = 0
        self.last = b""

    def __call__(self, seed: bytes) -> Sequence[int]:
        self.calls += 1
        if self.calls % 100:
            self.last = seed
        return shuffle(self.last)


def stuck_byte(seed: bytes) -> list[int]:
    """The eighth byte of every block is always the same."""
    deck = list(range(52))
    draws = (0x2A if place % 32 == 7 else byte for place, byte in enumerate(stream(seed)))
    for place in range(51, 0, -1):
        other = even(draws, place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


@pytest.mark.parametrize(
    ("shuffler", "number", "seen_by"),
    [
        (modulo_bias, 20_000, "position"),
        (swap_with_any, 20_000, "position"),
        (sattolo, 20_000, "position"),
        (small_seed, slices.count(full=300_000, sliced=20_000), "repeats"),  # so many that two seeds surely meet
        (ReusedSeed(), 20_000, "repeats"),
        (stuck_byte, 20_000, "position"),
    ],
    ids=["modulo bias", "swap with any", "Sattolo", "small seed", "reused seed", "stuck byte"],
)
def test_bad_shufflers_are_rejected(shuffler: Callable[[bytes], Sequence[int]], number: int, seen_by: str) -> None:
    assert seen_by in rejected(judge(batches(shuffler, number)))
