"""Samples of the shuffle in the forms that a laboratory's test batteries read; docs/fairness.md says what each is.

`bytes` and `bits` are the generator's stream of one seed, much longer than a shuffle ever reads. `decks` and `csv` are
whole shuffles, each with a seed of its own.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from itertools import count, islice
from typing import Final, Literal, TypeAlias

from croupier.cards import DECK, format_cards
from croupier.fairness import SYSTEM, Entropy, blocks, shuffle

__all__ = ["SampleForm", "samples", "shuffle_seed"]

SampleForm: TypeAlias = Literal["bytes", "bits", "decks", "csv"]
_BLOCKS: Final = 1024
"""Blocks of 32 bytes that are written at once."""
_DECKS: Final = 256
_LABEL: Final = b"croupier-samples-1\n"


def samples(form: SampleForm, number: int | None, seed: bytes | None, entropy: Entropy = SYSTEM) -> Iterator[bytes]:
    """So many bytes, bits or decks, without end if no number is given, in pieces to be written one after the other.

    Without a seed, every shuffle has one of its own from the operating system, as at a table.

    >>> b"".join(samples("bits", 12, bytes(32)))
    b'000001100111'
    >>> b"".join(samples("decks", 1, bytes(32)))[:15]
    b'3s 6d Th 9c Qh '
    """
    if form in {"bytes", "bits"}:
        return _stream(seed or entropy.seed(), number, in_bits=form == "bits")
    numbers = count() if number is None else iter(range(number))
    seeds = ((place, entropy.seed() if seed is None else shuffle_seed(seed, place)) for place in numbers)
    return _decks(seeds, as_csv=form == "csv")


def shuffle_seed(seed: bytes, number: int) -> bytes:
    """The seed of one shuffle of a sample, counted from 0: HMAC-SHA-256 under the seed of the sample."""
    return hmac.digest(seed, _LABEL + number.to_bytes(8, "big"), "sha256")


def _stream(seed: bytes, number: int | None, *, in_bits: bool) -> Iterator[bytes]:
    source, left = blocks(seed), number
    while left is None or left > 0:
        piece = b"".join(islice(source, _BLOCKS))
        if in_bits:
            piece = f"{int.from_bytes(piece, 'big'):0{8 * len(piece)}b}".encode()
        yield piece if left is None else piece[:left]
        left = None if left is None else left - len(piece)


def _decks(seeds: Iterator[tuple[int, bytes]], *, as_csv: bool) -> Iterator[bytes]:
    if as_csv:
        places = ",".join(f"card_{place}" for place in range(1, len(DECK) + 1))
        yield f"shuffle,seed,{places}\n".encode()
    while some := list(islice(seeds, _DECKS)):
        lines = []
        for place, seed in some:
            deck = format_cards(shuffle(seed))
            lines.append(f"{place},{seed.hex()},{deck.replace(' ', ',')}\n" if as_csv else f"{deck}\n")
        yield "".join(lines).encode()
