"""The shuffle of a virtual table, its commitment and its check; docs/fairness.md is the specification.

The house commits to a secret seed before the bets close, players may add bytes of their own, the deck follows
from both, and after settlement the seed is revealed: everybody can then deal the same deck again.

>>> sealed = seal()
>>> commitment = sealed.commitment          # shown to the players before "no more bets"
>>> shoe = sealed.shuffle([b"from seat 1"])
>>> shoe
<Shoe: 52 cards, face down>
>>> cards = shoe.dealt(7)
>>> proof = shoe.prove(7)                   # shown after settlement
>>> proof.commitment == commitment, check(proof)
(True, ())
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from hmac import digest as hmac_digest
from itertools import count
from threading import Lock
from typing import Any, Final, NamedTuple, NoReturn, Protocol

import msgspec

from croupier.cards import DECK, Card, check_cards, format_cards, parse_cards
from croupier.errors import EntropyFailure, Malformed
from croupier.wire import clip

__all__ = [
    "GENERATOR",
    "SALT_BYTES",
    "SEED_BYTES",
    "SYSTEM",
    "Chance",
    "Cipher",
    "Entropy",
    "Problem",
    "Proof",
    "Sealed",
    "Shoe",
    "blocks",
    "check",
    "commit",
    "commit_card",
    "read_hex",
    "read_proof",
    "seal",
    "shuffle",
    "stream",
    "unwrap",
    "verify",
]

GENERATOR: Final = "croupier-shuffle-1"
SEED_BYTES: Final = 32
SALT_BYTES: Final = 16
_COMMITMENT: Final = f"{GENERATOR} commitment\n".encode()
_KEY: Final = f"{GENERATOR} key\n".encode()
_CARD: Final = b"croupier-card-1\n"
_SALT: Final = b"croupier-salt-1\n"
_SEED: Final = b"croupier-seed-1\n"
# Position to fill, number of cards left to choose from, first byte value that would favor some of them.
_STEPS: Final = tuple((n - 1, n, 256 - 256 % n) for n in range(len(DECK), 1, -1))


class Cipher(Protocol):
    """Encryption under a key, bound to the place that a secret belongs to."""

    def encrypt(self, secret: bytes, context: bytes) -> bytes:
        """The secret, readable only with the key and for this context."""

    def decrypt(self, box: bytes, context: bytes) -> bytes:
        """Recover the secret; refused with another key, another context or a changed byte."""


class Problem(NamedTuple):
    """One thing that fails the check: the `commitment` or the `deck`, and why."""

    what: str
    why: str


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is revealed after settlement, as it is written: bytes in hexadecimal, cards in their notation."""

    generator: str
    commitment: str
    seed: str
    players: tuple[str, ...]
    deck: str

    def __repr__(self) -> str:
        return f"<Proof: commitment {self.commitment}>"  # the seed would reveal the undealt cards too

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("commitment", self.commitment)]


def commit(seed: bytes) -> str:
    """The commitment to a seed, in hexadecimal: it binds the house and reveals nothing.

    >>> commit(bytes(range(32)))[:16]
    '716270ff085c47af'
    """
    return sha256(_COMMITMENT + _checked(seed)).hexdigest()


def commit_card(salt: bytes, card: Card) -> bytes:
    """The commitment to one card that lies face down: it binds the house and reveals nothing without the salt.

    >>> commit_card(bytes(16), Card("Ah")).hex()[:16]
    '3302642310307342'
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes")
    return sha256(_CARD + salt + str(card).encode()).digest()


def shuffle(seed: bytes, player_entropy: Sequence[bytes] = ()) -> tuple[Card, ...]:
    """The deck that follows from a seed and the players' bytes, in the order of dealing.

    >>> format_cards(shuffle(bytes(range(32)))[:5])
    '9c 3d 5s 6h Jc'
    """
    deck, draws = list(DECK), stream(seed, player_entropy)
    for place, cards_left, refused in _STEPS:
        draw = next(draws)
        while draw >= refused:
            draw = next(draws)
        other = draw % cards_left
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


def stream(seed: bytes, player_entropy: Sequence[bytes] = ()) -> Iterator[int]:
    """The endless bytes of the generator: HMAC-SHA-256 over a counter."""
    for block in blocks(seed, player_entropy):
        yield from block


def blocks(seed: bytes, player_entropy: Sequence[bytes] = ()) -> Iterator[bytes]:
    """The same in blocks of 32 bytes."""
    key = _key(_checked(seed), player_entropy)
    for block in count():
        yield hmac_digest(key, block.to_bytes(8, "big"), "sha256")


def verify(commitment: str, seed: bytes, player_entropy: Sequence[bytes], deck: Sequence[Card]) -> tuple[Problem, ...]:
    """Everything wrong with a revealed shuffle; empty if it is valid. `deck` may be just the cards dealt.

    >>> seed = bytes(range(32))
    >>> verify(commit(seed), seed, [], shuffle(seed)[:7])
    ()
    >>> verify(commit(seed), seed, [b"late"], shuffle(seed)[:7])
    (Problem(what='deck', why='card 1 is 9c, but the seed deals Ks'),)
    """
    cards = check_cards(deck)
    if not cards:
        raise Malformed("the deck has no cards: give the cards that were dealt, in order")
    problems = []
    if commit(seed) != read_hex(commitment, "commitment", size=SEED_BYTES).hex():
        problems.append(Problem("commitment", f"the seed's commitment is {commit(seed)}"))
    for place, (given, due) in enumerate(zip(cards, shuffle(seed, player_entropy), strict=False), start=1):
        if given is not due:
            problems.append(Problem("deck", f"card {place} is {given}, but the seed deals {due}"))
            break
    return tuple(problems)


def check(proof: Proof) -> tuple[Problem, ...]:
    """Everything wrong with a proof; `Malformed` if it cannot be read."""
    if proof.generator != GENERATOR:
        raise Malformed(f"generator: {clip(repr(proof.generator))} is not known, only {GENERATOR!r}")
    seed = read_hex(proof.seed, "seed", size=SEED_BYTES)
    players = [read_hex(text, f"players[{place}]") for place, text in enumerate(proof.players)]
    return verify(proof.commitment, seed, players, parse_cards(proof.deck))


def read_proof(raw: object) -> Proof:
    """A proof from JSON that was decoded already."""
    try:
        return msgspec.convert(raw, Proof)
    except msgspec.ValidationError as error:
        raise Malformed(clip(str(error), 200)) from None


def read_hex(text: str, what: str, *, size: int | None = None) -> bytes:
    """Bytes written in hexadecimal, two digits each and nothing between them.

    >>> read_hex("00Ff", "seed", size=32)
    Traceback (most recent call last):
    croupier.errors.Malformed: seed: must be 64 hexadecimal digits, not 4 characters
    """
    if size is not None and len(text) != 2 * size:
        raise Malformed(f"{what}: must be {2 * size} hexadecimal digits, not {len(text)} characters")
    if not re.fullmatch(r"(?:[0-9a-fA-F]{2})*", text):
        raise Malformed(f"{what}: must be hexadecimal, two digits of 0-9 a-f per byte")
    return bytes.fromhex(text)


class Entropy:
    """A source of seeds that stops for good at the first sign of failure.

    `read` returns the number of random bytes asked for; it is the only door to the operating system.
    """

    def __init__(self, read: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._read = read
        self._last = b""
        self._failure = ""
        self._lock = Lock()

    def seed(self) -> bytes:
        """32 fresh bytes; `EntropyFailure` if there are none, now and ever after.

        >>> Entropy(bytes).seed()
        Traceback (most recent call last):
        croupier.errors.EntropyFailure: the random source gave 32 equal bytes: dealing stops
        """
        with self._lock:
            if self._failure:
                raise EntropyFailure(self._failure)
            try:
                block = self._read(SEED_BYTES)
            except Exception as error:
                self._failure = f"the random source failed, {type(error).__name__}: dealing stops"
                raise EntropyFailure(self._failure) from error
            self._examine(block)
            return block

    def chance(self) -> Chance:
        """Fresh randomness, carried by a command."""
        return Chance(self.seed())

    def _examine(self, block: bytes) -> None:
        wrong = ""
        if type(block) is not bytes or len(block) != SEED_BYTES:
            wrong = f"did not give {SEED_BYTES} bytes"
        elif len(set(block)) == 1:
            wrong = f"gave {SEED_BYTES} equal bytes"
        elif (mark := sha256(block).digest()) == self._last:
            wrong = f"gave the same {SEED_BYTES} bytes twice"
        else:
            self._last = mark  # a hash is enough to compare, and no seed stays in memory for it
        if wrong:
            self._failure = f"the random source {wrong}: dealing stops"
            raise EntropyFailure(self._failure)


SYSTEM: Final = Entropy()
"""The operating system's random source, one for the process, so that a repetition is seen whichever table asks."""


class _Secret:
    """A value that is never printed, copied or stored: only its own methods use what it holds."""

    __slots__ = ()

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} holds a secret: it cannot be copied or stored")

    def __getstate__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} holds a secret: it cannot be copied or stored")


class Chance(_Secret):
    """Fresh randomness that comes with a command: the seed of a shuffle, or salts for sealed cards.

    >>> chance = SYSTEM.chance()
    >>> chance, [len(salt) for salt in chance.salts([0, 1])]
    (<Chance>, [16, 16])
    """

    __slots__ = ("_block",)

    def __init__(self, block: bytes) -> None:
        self._block = _checked(block)

    def __repr__(self) -> str:
        return "<Chance>"

    def seal(self) -> Sealed:
        """The seed of a shuffle."""
        return Sealed(self._block)

    def salts(self, places: Iterable[int]) -> tuple[bytes, ...]:
        """A salt for each of these places."""
        return tuple([sha256(_SALT + self._block + place.to_bytes(2, "big")).digest()[:SALT_BYTES] for place in places])


class Shoe(_Secret):
    """A shuffled deck, face down."""

    __slots__ = ("_cards", "_players", "_seed")

    def __init__(self, seed: bytes, players: Sequence[bytes]) -> None:
        self._seed = seed
        self._players = tuple(players)
        self._cards = shuffle(seed, self._players)

    def __repr__(self) -> str:
        return f"<Shoe: {len(self._cards)} cards, face down>"

    def dealt(self, number: int) -> tuple[Card, ...]:
        """The first cards of the deck, as many as are dealt by now."""
        if not 0 <= number <= len(self._cards):
            raise Malformed(f"{number} cards cannot be dealt from {len(self._cards)}")
        return self._cards[:number]

    def prove(self, number: int = len(DECK)) -> Proof:
        """What to reveal once the round is settled and this many cards were dealt. It reveals the whole deck."""
        players = tuple(entropy.hex() for entropy in self._players)
        return Proof(GENERATOR, commit(self._seed), self._seed.hex(), players, format_cards(self.dealt(number)))


class Sealed(_Secret):
    """A seed that nobody has seen, for one shuffle, and the commitment to it that everybody may see."""

    __slots__ = ("_seed", "_shoe", "commitment")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._shoe: tuple[tuple[bytes, ...], Shoe] | None = None
        self.commitment: Final = commit(seed)

    def __repr__(self) -> str:
        return f"<Sealed: commitment {self.commitment}>"

    def shuffle(self, player_entropy: Sequence[bytes] = ()) -> Shoe:
        """The deck, once the bets are closed and the players' bytes are fixed."""
        players = tuple(player_entropy)
        if self._shoe is None or self._shoe[0] != players:  # dealt from several times in a round
            self._shoe = (players, Shoe(self._seed, players))
        return self._shoe[1]

    def wrap(self, cipher: Cipher) -> bytes:
        """The seed encrypted for storage, readable only with the key; there is no other way to export it."""
        return cipher.encrypt(self._seed, _SEED + self.commitment.encode())


def unwrap(box: bytes, commitment: str, cipher: Cipher) -> Sealed:
    """Restore a stored seed; refused if it does not match its commitment."""
    sealed = Sealed(cipher.decrypt(box, _SEED + commitment.encode()))
    if sealed.commitment != commitment:
        raise Malformed(f"the stored seed does not match the commitment {commitment}")
    return sealed


def seal(entropy: Entropy = SYSTEM) -> Sealed:
    """A fresh seed, sealed; `EntropyFailure` if the random source has failed."""
    return Sealed(entropy.seed())


def _key(seed: bytes, player_entropy: Sequence[bytes]) -> bytes:
    mixed = sha256(_KEY + seed + len(player_entropy).to_bytes(8, "big"))
    for entropy in player_entropy:
        mixed.update(len(entropy).to_bytes(8, "big") + entropy)
    return mixed.digest()


def _checked(seed: bytes) -> bytes:
    if type(seed) is not bytes or len(seed) != SEED_BYTES:
        raise Malformed(f"a seed has {SEED_BYTES} bytes")
    return seed
