"""Compile the kernels that price and simulate every rulebook; numba keeps them on disk for whoever comes next."""

import os
import tempfile

import croupier
from croupier.hands import census
from croupier.rulebook import rulebook_ids


def main() -> None:
    census.three_card()
    for name in rulebook_ids():
        croupier.prices(name)
        croupier.simulate(name, 100)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:  # a price that was kept would compile nothing
        os.environ["CROUPIER_CACHE"] = folder
        main()
