"""The product's settlement of a described round, in the form in which it is compared with the naive one."""

from typing import Any

from croupier.games import check_lawful, read_described, settle_round
from croupier.present import settled_json


def by_product(round_: dict[str, Any]) -> dict[str, Any]:
    lawful = check_lawful(read_described(round_))
    return settled_json(settle_round(lawful.house, lawful.hands, lawful.shown, lawful.meters), [])


def compared(answer: dict[str, Any]) -> dict[str, Any]:
    """What both must agree on: every cent and outcome, in order; words and clauses are ours alone."""
    wager_keys = ("wager", "staked", "outcome", "won", "returned")
    envy_keys = ("from_seat", "hand", "won")
    return {
        "seats": [
            {
                "seat": seat["seat"],
                "wagers": [{key: one[key] for key in wager_keys} for one in seat["wagers"]],
                "envy": [{key: one[key] for key in envy_keys} for one in seat["envy"]],
                "staked": seat["staked"],
                "paid": seat["paid"],
            }
            for seat in answer["seats"]
        ],
        "meters": answer["meters"],
        "house_net": answer["house_net"],
    }
