r"""Settle rounds from standard input, JSON with one round per line, and write one CSV row per wager.

croupier settle --example md-let-it-ride | tr -d '\n' | python examples/settle_rounds.py
"""

import csv
import json
import sys

import croupier

COLUMNS = ("round", "seat", "wager", "staked", "won", "returned", "clause", "why")


def main() -> None:
    """A round that the rules do not allow raises RuleViolation, with its clause."""
    rows = csv.DictWriter(sys.stdout, COLUMNS, extrasaction="ignore")
    rows.writeheader()
    for number, line in enumerate(sys.stdin, 1):
        rows.writerows({**row, "round": number} for row in croupier.settle(json.loads(line)).rows())


if __name__ == "__main__":
    main()
