"""How much of a long check runs: a slice of it in `make test`, all of it in `make torture`."""

from hypothesis import settings


def in_full() -> bool:
    """Whether this is `make torture`."""
    return settings.get_current_profile_name() == "torture"


def count(*, full: int, sliced: int) -> int:
    """How many rounds, hands, decks or whatever a check counts."""
    return full if in_full() else sliced
