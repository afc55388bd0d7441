"""A whole rulebook."""

from __future__ import annotations

from msgspec import Struct

from croupier.rulebook.schema.dealing import Dealing
from croupier.rulebook.schema.document import Clause, DocumentSource, Glossary
from croupier.rulebook.schema.irregularities import Irregularities
from croupier.rulebook.schema.options import Option
from croupier.rulebook.schema.paytables import Paytables
from croupier.rulebook.schema.play import Play
from croupier.rulebook.schema.procedure import Procedure
from croupier.rulebook.schema.table import TableRules
from croupier.rulebook.schema.wagers import Wagers

__all__ = ["Rulebook"]


class Rulebook(Struct, frozen=True, kw_only=True):
    """One document, loaded and checked."""

    source: DocumentSource
    clauses: tuple[Clause, ...]
    glossary: Glossary
    table: TableRules
    wagers: Wagers
    paytables: Paytables
    dealing: Dealing
    play: Play
    irregularities: Irregularities
    procedure: Procedure
    options: tuple[Option, ...]
    law: str
    """The values of all its files as written, in canonical JSON; the rulebook is loaded from this text alone."""
    hash: str
    """SHA-256 of `law`."""

    @property
    def id(self) -> str:
        """Such as `md-mississippi-stud`."""
        return self.source.id

    @property
    def edition(self) -> str:
        """Its date, such as `2014-10-29`."""
        return self.source.date.isoformat()

    def __repr__(self) -> str:
        return f"<Rulebook {self.id}, edition {self.edition}: {len(self.clauses)} clauses>"
