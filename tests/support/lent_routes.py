"""Routes that one house after the other is served by: making them takes longer than most tests that need them."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Final

from litestar import Litestar
from litestar.exceptions import LitestarDeprecationWarning

from croupier.server import Pages
from croupier.server.app import make_routes
from croupier.server.pages import NO_PAGES
from croupier.web import make_pages
from croupier.web.edges import Edges, HouseEdge

EDGE: Final = Fraction(53223, 1082900)
PAGES: Final = make_pages(Edges(lambda texts: [HouseEdge(EDGE, "ante") for _ in texts]))
"""Pages on which each table is said to have the same edge."""
_SPARE: Final[dict[bool, list[Litestar]]] = {False: [], True: []}


@contextmanager
def lent_routes(*, with_pages: bool = False) -> Iterator[Litestar]:
    """Routes for a house; while it is open no other has them."""
    spare = _SPARE[with_pages]
    routes = spare.pop() if spare else _made(PAGES if with_pages else NO_PAGES)
    try:
        yield routes
    finally:
        spare.append(routes)


def _made(pages: Pages) -> Litestar:
    with warnings.catch_warnings():
        # What Litestar 3 will want otherwise: we are pinned below it.
        warnings.simplefilter("ignore", LitestarDeprecationWarning)
        return make_routes(pages)
