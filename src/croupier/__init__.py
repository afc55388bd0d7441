"""Croupier: the law of house-banked card games as software that runs, explains, prices and proves them."""

__version__ = "0.1.0"
