"""Every paytable of a wager, the best one for the player first.

python examples/paytables.py md-mississippi-stud three_card_bonus
"""

import sys

import croupier


def main(rulebook: str, wager: str) -> None:
    """Print house edge and hit frequency of each."""
    for price in sorted(croupier.prices(rulebook, wager=wager), key=lambda price: price.edge):
        print(f"{price.paytable:<8} house edge {float(price.edge):8.4%} ({price.edge}), wins {float(price.hit):6.2%}")


if __name__ == "__main__":
    main(*sys.argv[1:])
