"""What a submission says for its printed papers."""

from __future__ import annotations

from datetime import date
from typing import Final
from urllib.parse import urlsplit

from croupier.rulebook.checks.finding import Findings, error, first_wager
from croupier.rulebook.schema import Rulebook
from croupier.rulebook.submission import PapersTerms, Submission
from croupier.wire import clip

__all__ = ["check_papers", "papers_problems"]

LONGEST: Final = {"version": 40, "date": 10, "help_line": 160, "address": 200, "logo": 200}
"""The most characters of each text: a longer one fits on no sign."""


def check_papers(book: Rulebook, submission: Submission) -> Findings:
    """Texts that can be printed, a day of the calendar, an address that a telephone opens, a drawing."""
    if submission.papers is not None:
        for key, message in papers_problems(submission.papers):
            yield error(first_wager(book), f"papers.{key}", message, reading=190)


def papers_problems(papers: PapersTerms) -> list[tuple[str, str]]:
    """What is wrong with each text, by its key.

    >>> papers_problems(PapersTerms(version="3", date="2026-02-30", address="house.example"))
    [('date', "'2026-02-30' is not a day: write 2026-11-17"), ('address', "'house.example' must begin with https:// or http://")]
    """
    problems = []
    for key, most in LONGEST.items():
        text = getattr(papers, key)
        message = _problem(key, text, most) if text else None
        if message is not None:
            problems.append((key, message))
    return problems


def _problem(key: str, text: str, most: int) -> str | None:
    if len(text) > most:
        return f"{clip(repr(text))} has {len(text)} characters: at most {most}"
    if not text.isprintable():
        return f"{clip(repr(text))} holds a character that cannot be printed: write one line of plain text"
    match key:
        case "date" if not _is_day(text):
            return f"{clip(repr(text))} is not a day: write 2026-11-17"
        case "address" if not _is_address(text):
            return f"{clip(repr(text))} must begin with https:// or http://"
        case "logo" if not text.lower().endswith(".svg"):
            return f"{clip(repr(text))} is not the name of an SVG file: it ends with .svg"
    return None


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in {"https", "http"} and bool(parts.hostname) and " " not in text
