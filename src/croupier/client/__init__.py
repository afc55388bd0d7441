"""A client of a house, for Python: `HouseClient` waits for each answer, `AsyncHouseClient` does many things at once.

    with HouseClient("http://127.0.0.1:8000") as house:
        house.sign_up("ann", "correct horse")
        table = house.tables()[0].id
        house.command(table, "sit", seat=1)
        house.command(table, "buy_in", amount="200.00")

Cookies, the CSRF token and the keys of commands are looked after: a command that has to be sent again is carried out
once. What the house refuses is raised as `Refused`, with the clause.
"""

from typing import TYPE_CHECKING

from croupier.client.patience import Patience
from croupier.client.problems import (
    GarbledAnswer,
    HouseError,
    HouseSaysNo,
    HouseUnreachable,
    NotAllowed,
    NotSignedIn,
    NotThere,
    Refused,
    TooOften,
    Unreadable,
)
from croupier.client.values import (
    AllowedAmount,
    AllowedCommand,
    CommandAnswer,
    DemoPerson,
    HousePerson,
    ListedTable,
    LiveChange,
    RecordEntry,
    SavedSession,
    SeenBox,
    SeenEnvy,
    SeenResult,
    SeenRound,
    SeenTable,
    SignedInAs,
    TableAnswer,
    TurnAwaited,
    TurnChoice,
)
from croupier.lazy_door import lazy_door

if TYPE_CHECKING:
    from croupier.client.async_house import AsyncHouseClient
    from croupier.client.calls import new_key
    from croupier.client.house import HouseClient
    from croupier.client.live import LiveFeed

__all__ = [
    "AllowedAmount",
    "AllowedCommand",
    "AsyncHouseClient",
    "CommandAnswer",
    "DemoPerson",
    "GarbledAnswer",
    "HouseClient",
    "HouseError",
    "HousePerson",
    "HouseSaysNo",
    "HouseUnreachable",
    "ListedTable",
    "LiveChange",
    "LiveFeed",
    "NotAllowed",
    "NotSignedIn",
    "NotThere",
    "Patience",
    "RecordEntry",
    "Refused",
    "SavedSession",
    "SeenBox",
    "SeenEnvy",
    "SeenResult",
    "SeenRound",
    "SeenTable",
    "SignedInAs",
    "TableAnswer",
    "TooOften",
    "TurnAwaited",
    "TurnChoice",
    "Unreadable",
    "new_key",
]

_LAZY = {
    "AsyncHouseClient": "async_house",
    "HouseClient": "house",
    "LiveFeed": "live",
    "new_key": "calls",
}
__getattr__ = lazy_door(__name__, _LAZY)
