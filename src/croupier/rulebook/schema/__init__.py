"""What a rulebook is: the shape of every file under `regulations/`.

Each value stands beside the clause it comes from, and beside the number of the reading where the document
is open. A key that is not here is an error, and so is a value without its clause.
"""

from croupier.rulebook.schema.base import Cited, OnDevice, Part, PerDevice
from croupier.rulebook.schema.book import Rulebook
from croupier.rulebook.schema.dealing import Announce, BeforeDeal, Dealing, Script, Step
from croupier.rulebook.schema.document import Clause, Glossary, Source, Term
from croupier.rulebook.schema.irregularities import Instead, Irregularities, Irregularity
from croupier.rulebook.schema.options import Option, OptionDefault, OptionRule, OptionValue, Reading
from croupier.rulebook.schema.paytables import (
    Envy,
    Line,
    LinkRule,
    MeterMinimum,
    Paytable,
    PaytableChoice,
    Paytables,
    Rate,
)
from croupier.rulebook.schema.play import (
    Choice,
    Conduct,
    EnvyRule,
    Handpay,
    PayoutLimit,
    Play,
    Qualify,
    Racked,
    RaiseLimit,
    Reveal,
    Settlement,
    Versus,
)
from croupier.rulebook.schema.table import (
    Area,
    Boxes,
    Cut,
    DealMethod,
    DeckHours,
    Decks,
    FewerSeats,
    Notice,
    Seats,
    ShuffleMethod,
    StubCount,
    Table,
)
from croupier.rulebook.schema.wagers import DealNeeded, Fold, Instruments, Requirement, Wager, Wagers

__all__ = [
    "Announce",
    "Area",
    "BeforeDeal",
    "Boxes",
    "Choice",
    "Cited",
    "Clause",
    "Conduct",
    "Cut",
    "DealMethod",
    "DealNeeded",
    "Dealing",
    "DeckHours",
    "Decks",
    "Envy",
    "EnvyRule",
    "FewerSeats",
    "Fold",
    "Glossary",
    "Handpay",
    "Instead",
    "Instruments",
    "Irregularities",
    "Irregularity",
    "Line",
    "LinkRule",
    "MeterMinimum",
    "Notice",
    "OnDevice",
    "Option",
    "OptionDefault",
    "OptionRule",
    "OptionValue",
    "Part",
    "PayoutLimit",
    "Paytable",
    "PaytableChoice",
    "Paytables",
    "PerDevice",
    "Play",
    "Qualify",
    "Racked",
    "RaiseLimit",
    "Rate",
    "Reading",
    "Requirement",
    "Reveal",
    "Rulebook",
    "Script",
    "Seats",
    "Settlement",
    "ShuffleMethod",
    "Source",
    "Step",
    "StubCount",
    "Table",
    "Term",
    "Versus",
    "Wager",
    "Wagers",
]
