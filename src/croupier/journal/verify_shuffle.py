"""Check the proof of a fair shuffle, `croupier-shuffle-1`.

Usage: python verify_shuffle.py FILE        (a JSON proof; - is standard input)

Written from the specification (fairness.md) alone: it shares no code with the program that deals, so that a mistake
in one of them shows as a disagreement. It needs nothing but Python 3.11 or later.

One line tells the verdict. The exit code is 0 when the proof holds, 1 when it does not, and 2, with one line on
standard error, when the text is no proof at all. Compare the proof's commitment with the one you were shown before
the bets closed: this program sees only the proof.
"""

import hashlib
import hmac
import itertools
import json
import os
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

GENERATOR = "croupier-shuffle-1"
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
KEYS = {"generator", "commitment", "seed", "players", "deck"}


class NotAProof(Exception):
    """The text is not a proof, so there is nothing that could hold or not."""


class ReadProof(NamedTuple):
    """A proof whose form is right; whether it holds is still open."""

    commitment: bytes
    seed: bytes
    players: list[bytes]
    deck: list[str]


def u64(number: int) -> bytes:
    """Return the number as 8 bytes, the most significant first."""
    return number.to_bytes(8, "big")


def commitment_of(seed: bytes) -> bytes:
    """Return what the house shows before the bets close."""
    return hashlib.sha256(b"croupier-shuffle-1 commitment\n" + seed).digest()


def key_of(seed: bytes, players: list[bytes]) -> bytes:
    """Return the key of the stream, from the seed and the players' entries in their order."""
    entries = b"".join(u64(len(entry)) + entry for entry in players)
    return hashlib.sha256(b"croupier-shuffle-1 key\n" + seed + u64(len(players)) + entries).digest()


def stream_of(key: bytes) -> Iterator[int]:
    """Yield the bytes of the stream, without end."""
    for block in itertools.count():
        yield from hmac.digest(key, u64(block), "sha256")


def deck_of(seed: bytes, players: list[bytes]) -> list[str]:
    """Return all 52 cards, the one dealt first in front."""
    deck, stream = CARDS.copy(), stream_of(key_of(seed, players))
    for i in range(51, 0, -1):
        n = i + 1
        limit = 256 - 256 % n  # bytes from here on would make the small j likelier than the others
        j = next(byte for byte in stream if byte < limit) % n
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def show(value: str) -> str:
    """Return foreign text as short ASCII on one line: it must not be able to forge or flood the output."""
    text = ascii(value)
    return text if len(text) <= 60 else text[:57] + "..."


def without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object's pairs as a dictionary; Python alone would keep the last of two equal keys in silence."""
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            raise NotAProof(f"the key {show(key)} is there twice")
        result[key] = value
    return result


def hex_bytes(name: str, value: object, length: int | None = None) -> bytes:
    """Return the bytes a hexadecimal text stands for, of the given length where there is one."""
    # bytes.fromhex alone would let white space through
    if not isinstance(value, str) or len(value) % 2 or not re.fullmatch("[0-9A-Fa-f]*", value):
        raise NotAProof(f"{name} is not text in hexadecimal, two digits a byte")
    if length is not None and len(value) != 2 * length:
        raise NotAProof(f"{name} has {len(value)} hexadecimal digits instead of {2 * length}")
    return bytes.fromhex(value)


def cards(value: object) -> list[str]:
    """Return the cards of a deck's text, ten written as T."""
    if not isinstance(value, str):
        raise NotAProof("deck is not text")
    result: list[str] = []
    for word in value.split():
        card = "T" + word[2:] if word.startswith("10") else word
        if card not in CARDS:
            raise NotAProof(f"deck: {show(word)} is not a card")
        if card in result:  # with this, more than 52 cannot get past either
            raise NotAProof(f"deck: {card} is there twice")
        result.append(card)
    if not result:
        raise NotAProof("deck has no cards")
    return result


def parse(data: bytes) -> ReadProof:
    """Return the proof that the bytes of a file hold, or raise NotAProof."""
    try:
        found = json.loads(data.decode("utf-8"), object_pairs_hook=without_repeats)
    except RecursionError:
        raise NotAProof("the JSON is nested too deeply") from None
    except ValueError as error:  # not UTF-8, not JSON, or a number too long for Python
        raise NotAProof(f"not JSON in UTF-8: {error}") from None
    if not isinstance(found, dict):
        raise NotAProof("not a JSON object")
    for what, keys in (("missing", KEYS - found.keys()), ("not known", found.keys() - KEYS)):
        if keys:
            raise NotAProof(f"the key {show(min(keys))} is {what}")
    # first the generator: the other values mean something only under it
    if not isinstance(found["generator"], str):
        raise NotAProof("generator is not text")
    if found["generator"] != GENERATOR:
        raise NotAProof(f"the generator {show(found['generator'])} is not known")
    if not isinstance(found["players"], list):
        raise NotAProof("players is not a list")
    return ReadProof(
        commitment=hex_bytes("commitment", found["commitment"], 32),
        seed=hex_bytes("seed", found["seed"], 32),
        players=[hex_bytes(f"entry {i} of players", entry) for i, entry in enumerate(found["players"], 1)],
        deck=cards(found["deck"]),
    )


def fault_of(proof: ReadProof) -> str | None:
    """Return the first thing that does not hold, the commitment before the deck, or None."""
    right = commitment_of(proof.seed)
    if proof.commitment != right:
        return f"commitment: that of the seed is {right.hex()}"
    # the proof may show fewer cards than 52; zip stops with them
    for place, (shown, dealt) in enumerate(zip(proof.deck, deck_of(proof.seed, proof.players), strict=False), 1):
        if shown != dealt:
            return f"deck: card {place} is {dealt}, not {shown}"
    return None


def main(arguments: list[str]) -> int:
    """Check the proof in the file that the arguments name, print the verdict and return the exit code."""
    try:
        if len(arguments) != 1:
            raise NotAProof("usage: python verify_shuffle.py FILE   (a JSON proof; - is standard input)")
        standard_input = arguments[0] == "-"
        with open(0 if standard_input else arguments[0], "rb", closefd=not standard_input) as file:
            proof = parse(file.read())
        fault = fault_of(proof)
        if fault:
            print(f"not valid: {fault}", flush=True)
            return 1
        print(f"valid: {GENERATOR}, cards: {len(proof.deck)}, players' entries: {len(proof.players)}", flush=True)
        return 0  # noqa: TRY300 - the three verdicts stand together
    except BrokenPipeError:
        # nobody reads the verdict; without this Python would try once more on its way out, and complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 2
    except NotAProof as error:
        print(error, file=sys.stderr)
    except OSError as error:
        where = show(error.filename) if error.filename is not None else "input or output"
        print(f"{where}: {error.strerror}", file=sys.stderr)
    except (MemoryError, KeyboardInterrupt) as error:
        print(f"not checked: {type(error).__name__}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
