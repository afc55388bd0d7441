"""The documents behind the rulebooks: which there are, and what one of them is."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.present.names import spoken
from croupier.present.rulebooks.clause_counts import text_identity
from croupier.present.sheets import Sheet, sheet
from croupier.rulebook import Rulebook, editions, load_places

__all__ = ["document_sheet", "is_default", "overview_sheet"]


def is_default(book: Rulebook) -> bool:
    """Whether this is the edition used when a submission names none."""
    return book.edition == editions(book.id)[0]


def document_sheet(books: Sequence[Rulebook]) -> Sheet:
    """Return the rulebooks with their editions; `*` marks a document without a date of its own."""
    rows = []
    for book in books:
        undated = "*" if book.source.date_of == "intake" else ""
        standing = ["default" if is_default(book) else "older", *(["draft"] if book.source.status == "draft" else [])]
        row = (book.id, book.source.title, book.source.jurisdiction, f"{book.edition}{undated}", " ".join(standing))
        rows.append(row)
    return sheet(("rulebook", "game", "where", "edition", ""), rows)


def overview_sheet(book: Rulebook) -> Sheet:
    """Return what a rulebook is: its document, its edition, its wagers and how much it holds."""
    source = book.source
    taken_up = " (the date it was added; the document is undated)" if source.date_of == "intake" else ""
    older = "" if is_default(book) else ", older than the default"
    rows = [
        ("document", source.document),
        ("regulator", f"{source.regulator}; {source.edition}; {source.status}"),
        ("edition", f"{book.edition}{taken_up}{older}"),
        ("text", text_identity(load_places(book.id, edition=book.edition))),
        ("wagers", ", ".join(spoken(wager.name) for wager in book.wagers.wager)),
        ("holds", f"{len(book.clauses)} clauses, {len(book.glossary.term)} terms, {len(book.options)} options"),
        ("content", book.hash),
    ]
    if source.status == "draft":
        rows.insert(0, ("draft", "This is a draft: the adopted rules may differ (reading 159)."))
    return sheet(("", ""), rows, title=f"{source.title}, {source.jurisdiction}")
