"""Check a revealed shuffle of a virtual table.

    python3 verify_shuffle.py proof.json
    python3 verify_shuffle.py - < proof.json

Exit code 0: it holds. 1: it does not. 2: it cannot be read.

This is the second verifier. It follows docs/fairness.md, needs nothing but Python, and shares no code with
the program that dealt the cards. Copy this one file wherever you want to check.
"""

# Plain on purpose, for any reader and any Python 3.
# ruff: noqa: ANN001, ANN201, ANN204, D102, PTH123

import hashlib
import json
import sys

NAME = "croupier-shuffle-1"
KEYS = ["commitment", "deck", "generator", "players", "seed"]


class Unreadable(Exception):
    """The text is not a proof."""


def sha256(data):
    return hashlib.sha256(data).digest()


def hmac_sha256(key, message):
    # RFC 2104 spelled out: the key filled up to the block of 64 bytes, an inner and an outer hash.
    block = key + bytes(64 - len(key))
    inner = sha256(bytes(x ^ 0x36 for x in block) + message)
    return sha256(bytes(x ^ 0x5C for x in block) + inner)


def u64(number):
    return number.to_bytes(8, "big")


def commitment_of(seed):
    return sha256(NAME.encode("ascii") + b" commitment\n" + seed)


def key_of(seed, players):
    data = NAME.encode("ascii") + b" key\n" + seed + u64(len(players))
    for entry in players:
        data = data + u64(len(entry)) + entry
    return sha256(data)


class Stream:
    """The bytes of the generator, one after the other."""

    def __init__(self, key):
        self.key = key
        self.block = 0
        self.waiting = []

    def take(self):
        if not self.waiting:
            self.waiting = list(hmac_sha256(self.key, u64(self.block)))
            self.block += 1
        return self.waiting.pop(0)


def deck_of(seed, players):
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    stream = Stream(key_of(seed, players))
    i = 51
    while i >= 1:
        n = i + 1
        b = stream.take()
        while b >= 256 - (256 % n):
            b = stream.take()
        j = b % n
        held = deck[i]
        deck[i] = deck[j]
        deck[j] = held
        i -= 1
    return deck


def each_key_once(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise Unreadable("a key stands twice")
    return dict(pairs)


def unhex(value, where, digits=None):
    if not isinstance(value, str):
        raise Unreadable(where + " is not a text")
    if digits is not None and len(value) != digits:
        raise Unreadable(where + " does not have " + str(digits) + " hexadecimal digits")
    if len(value) % 2 != 0 or any(letter not in "0123456789abcdefABCDEF" for letter in value):
        raise Unreadable(where + " is not hexadecimal, two digits a byte")
    return bytes.fromhex(value)


def uncard(value):
    if not isinstance(value, str):
        raise Unreadable("deck is not a text")
    cards = []
    for word in value.split():
        card = "T" + word[2:] if word.startswith("10") else word
        if len(card) != 2 or card[0] not in "23456789TJQKA" or card[1] not in "cdhs":
            raise Unreadable("deck has something that is no card")
        if card in cards:
            raise Unreadable("deck has " + card + " twice")
        cards.append(card)
    if not cards:
        raise Unreadable("deck has no cards")
    return cards


def parse(data):
    """The parts of a proof: commitment, seed, players, cards."""
    try:
        proof = json.loads(data.decode("utf-8-sig"), object_pairs_hook=each_key_once)
    except (ValueError, RecursionError) as error:
        raise Unreadable("not JSON in UTF-8") from error
    if not isinstance(proof, dict) or sorted(proof) != KEYS:
        raise Unreadable("not an object with exactly the keys " + ", ".join(KEYS))
    if proof["generator"] != NAME:
        raise Unreadable("generator is not " + NAME)
    if not isinstance(proof["players"], list):
        raise Unreadable("players is not a list")
    commitment = unhex(proof["commitment"], "commitment", 64)
    seed = unhex(proof["seed"], "seed", 64)
    players = [unhex(entry, "an entry of players") for entry in proof["players"]]
    return commitment, seed, players, uncard(proof["deck"])


def examine(data):
    """The exit code and a line that says why."""
    try:
        commitment, seed, players, cards = parse(data)
    except Unreadable as error:
        return 2, "cannot be read: " + str(error)
    if commitment_of(seed) != commitment:
        return 1, "does not hold: commitment is not that of the seed"
    deck = deck_of(seed, players)
    for place, card in enumerate(cards):
        if card != deck[place]:
            return 1, "does not hold: deck has " + card + " as card " + str(place + 1) + ", not " + deck[place]
    return 0, "holds: " + str(len(cards)) + " cards"


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    try:
        if sys.argv[1] == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(sys.argv[1], "rb") as file:
                data = file.read()
    except OSError as error:
        print("cannot be read: " + str(error))
        return 2
    code, line = examine(data)
    print(line)
    return code


if __name__ == "__main__":
    sys.exit(main())
