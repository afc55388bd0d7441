"""`croupier fairness export`: what a laboratory's batteries read, made again here from the specification."""

import csv
import hashlib
import hmac
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.cards import format_cards
from croupier.cli import fairness_export
from croupier.fairness import commit, shuffle
from support.running import croupier, here

SEED = bytes(range(32))


def raw_stream(number: int) -> bytes:
    """docs/fairness.md: the key of a seed without players, then HMAC-SHA-256 over a counter of eight bytes."""
    key = hashlib.sha256(b"croupier-shuffle-1 key\n" + SEED + bytes(8)).digest()
    blocks = (hmac.digest(key, place.to_bytes(8, "big"), "sha256") for place in range(number // 32 + 1))
    return b"".join(blocks)[:number]


def exported(folder: Path, *words: str) -> bytes:
    file = folder / "sample"
    done = here("fairness", "export", *words, "--seed", SEED.hex(), "-o", str(file))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return file.read_bytes()


@pytest.mark.parametrize("number", [1, 31, 32, 33, 32_768, 32_769, 100_000])
def test_bytes_are_the_stream_of_the_seed(number: int, tmp_path: Path) -> None:
    assert exported(tmp_path, "bytes", "--count", str(number)) == raw_stream(number)


@pytest.mark.parametrize("number", [1, 8, 1_000, 262_144, 262_145])
def test_bits_are_the_same_stream_the_highest_bit_first(number: int, tmp_path: Path) -> None:
    bits = "".join(f"{byte:08b}" for byte in raw_stream(number // 8 + 1))[:number]
    assert exported(tmp_path, "bits", "--count", str(number)).decode() == bits


def seed_of(number: int) -> bytes:
    return hmac.digest(SEED, b"croupier-samples-1\n" + number.to_bytes(8, "big"), "sha256")


def test_decks_are_the_shuffles_of_seeds_of_their_own(tmp_path: Path) -> None:
    lines = exported(tmp_path, "decks", "--count", "300").decode().splitlines()
    assert lines == [format_cards(shuffle(seed_of(number))) for number in range(300)]


def test_every_row_of_the_csv_can_be_proved(tmp_path: Path) -> None:
    rows = list(csv.reader(io.StringIO(exported(tmp_path, "csv", "--count", "3").decode())))
    assert rows[0][:3] == ["shuffle", "seed", "card_1"]
    assert {len(row) for row in rows} == {54}
    for number, seed, *deck in rows[1:]:
        assert seed == seed_of(int(number)).hex()
        proof = {"generator": "croupier-shuffle-1", "commitment": commit(bytes.fromhex(seed)), "seed": seed}
        asked = json.dumps(proof | {"players": [], "deck": " ".join(deck)})
        assert here("fairness", "verify", "-", stdin=asked).returncode == 0


def test_without_a_seed_every_sample_is_another() -> None:
    first, second = (here("fairness", "export", "csv", "--count", "20").stdout for _ in range(2))
    seeds = [line.split(",")[1] for text in (first, second) for line in text.splitlines()[1:]]
    assert len(set(seeds)) == 40
    done = here("fairness", "export", "bits", "--count", "64")
    again = here("fairness", "export", "bits", "--count", "64", "--seed", done.stderr.split()[1])
    assert done.stdout == again.stdout


def test_a_stream_goes_on_until_its_reader_leaves() -> None:
    asked = [sys.executable, "-m", "croupier", "fairness", "export", "bytes", "--seed", SEED.hex()]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(200_000) == raw_stream(200_000)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_sample_that_is_interrupted_leaves_no_file(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Iterator[bytes]:
        yield b"the first piece"
        raise error

    monkeypatch.setattr(fairness_export, "samples", broken)
    done = here("fairness", "export", "bytes", "--count", "100", "-o", str(tmp_path / "sample"), "--seed", SEED.hex())
    assert done.returncode != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["dice"], "'dice' is not a form: bytes, bits, decks, csv"),
        (["bytes", "--count", "0"], "out of range"),
        (["bytes", "--count", "1.5"], "is not a whole number"),
        (["bytes", "--seed", "00"], "--seed: must be 64 hexadecimal digits"),
        (["bytes", "-o", "sample"], "a file needs an end: say how many with --count"),
    ],
)
def test_what_cannot_be_exported_is_said_in_a_line(words: list[str], message: str) -> None:
    done = here("fairness", "export", *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr


def test_a_piped_sample_is_exact_in_a_process_of_its_own() -> None:
    done = croupier("fairness", "export", "bits", "--count", "1e3", "--seed", SEED.hex())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "".join(f"{byte:08b}" for byte in raw_stream(125))
