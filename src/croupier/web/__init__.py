"""Pages of the house for browsers: rendered here, whole without scripts, and showing only what the server says."""

from croupier.web.site import PAGES, make_pages

__all__ = ["PAGES", "make_pages"]
