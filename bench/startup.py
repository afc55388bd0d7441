"""How long somebody waits for a command: processor time beside a bare `python -c pass`, the best of several runs.

Processor time (user and system) leaves out what else the machine does; the ratio leaves out the machine. Every command
runs once in each round. `python bench/startup.py --rounds 5`
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Final

from croupier.cards import DECK, format_cards

HERE: Final = [sys.executable, "-m", "croupier"]
BARE: Final = "python -c pass"
HANDS: Final = {
    "md-mississippi-stud": "Qh Jh",
    "ma-mississippi-stud": "Qh Jh",
    "md-let-it-ride": "Tc Td 2h",
    "md-high-card-flush": "2c 8c Ah 3h 4h 5d 9d",
}
ROUNDS_SETTLED: Final = 10_000
SUBMISSION: Final = {"rulebook": "md-mississippi-stud", "limits": {"ante": {"minimum": "10.00", "maximum": "500.00"}}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="how often each command runs (default 5)")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        one, many = Path(folder) / "one.jsonl", Path(folder) / "many.jsonl"
        write_rounds(one, 1)
        write_rounds(many, ROUNDS_SETTLED)
        environment = os.environ | {"CROUPIER_CACHE": folder}
        completing = environment | {"_CROUPIER_COMPLETE": "complete_bash", "COMP_CWORD": "2"}
        commands = {BARE: ([sys.executable, "-c", "pass"], environment)}
        for words in ("--version", "--help", "hand --help", "simulate --help", "serve --help"):
            commands[f"croupier {words}"] = ([*HERE, *words.split()], environment)
        commands["tab after croupier analyze md"] = (HERE, completing | {"COMP_WORDS": "croupier analyze md"})
        for book, hand in HANDS.items():
            commands[f"croupier advise {book}"] = ([*HERE, "advise", book, hand], environment)
        for name, file in (("one round", one), (f"{ROUNDS_SETTLED:,} rounds", many)):
            commands[f"croupier settle --lines, {name}"] = ([*HERE, "settle", "--lines", str(file)], environment)
        for command in commands.values():
            seconds(*command)  # compiled, and kept
        best = {name: min(seconds(*command) for _ in range(rounds)) for name, command in commands.items()}
    for name, spent in best.items():
        print(f"{name:44} {spent:6.3f} s {spent / best[BARE]:6.1f} times")
    first, last = list(best.values())[-2:]
    print(f"rounds of two seats settled per second: {ROUNDS_SETTLED / (last - first):,.0f}")
    return 0


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """The processor time of a command."""
    nowhere = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)]
    process = os.posix_spawn(command[0], command, environment, file_actions=nowhere)
    _, _, used = os.wait4(process, 0)
    return used.ru_utime + used.ru_stime


def write_rounds(path: Path, number: int) -> None:
    """Random rounds of two seats at one house, one per line."""
    dice = random.Random(1)  # noqa: S311 - the same rounds every time
    with path.open("w") as file:
        for _ in range(number):
            cards = dice.sample(DECK, 7)
            seats = [
                {
                    "seat": seat,
                    "wagers": {"ante": "10.00"},
                    "cards": format_cards([cards.pop(), cards.pop()]),
                    "decisions": dice.choice([["1x", "1x", "3x"], ["fold"], ["1x", "fold"], ["3x", "3x", "3x"]]),
                }
                for seat in (1, 4)
            ]
            file.write(json.dumps({"submission": SUBMISSION, "seats": seats, "community": format_cards(cards)}) + "\n")


if __name__ == "__main__":
    sys.exit(main())
