"""What papers need beside the house rules: who signs, which version, which help line, where the table's page is."""

from __future__ import annotations

from datetime import date

from msgspec import Struct

__all__ = ["Particulars"]


class Particulars(Struct, frozen=True, kw_only=True):
    """Given by the operator, in the submission's `[papers]` or on the command line; nothing here changes a rule."""

    version: str = ""
    """The submission's version, as the operator counts."""
    date: date | None = None
    """The day that the papers bear; never today by itself, so that the same submission gives the same bytes."""
    help_line: str = ""
    """The state's problem gambling help, as the sign must say it, with its number."""
    address: str = ""
    """The address of the table's page, for a QR code."""
    logo: str = ""
    """The operator's logo as SVG text; without one the operator's name is printed."""
