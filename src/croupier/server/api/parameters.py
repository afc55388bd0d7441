"""Parameters that several addresses take."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from litestar.di import NamedDependency
from litestar.params import HeaderParameter, PathParameter
from msgspec import Meta

from croupier.server.callers import Caller
from croupier.server.desk import Desk
from croupier.server.strict import KEY

__all__ = ["Dollars", "Key", "Label", "Line", "Name", "Number", "Secret", "TheCaller", "TheDesk"]

Name: TypeAlias = Annotated[str, PathParameter(max_length=60, description="an id of this house")]
Number: TypeAlias = Annotated[int, PathParameter(ge=1, le=1_000_000)]
Key: TypeAlias = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        pattern=f"^{KEY}$",
        description="makes a request safe to send again: the same key gives the first answer",
    ),
]
Dollars: TypeAlias = Annotated[
    str, Meta(pattern=r"^(0|[1-9][0-9]{0,9})(\.[0-9]{1,2})?$", description="dollars, such as 12.50")
]
Label: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60)]
Line: TypeAlias = Annotated[str, Meta(max_length=500)]
Secret: TypeAlias = Annotated[str, Meta(max_length=1000)]
TheDesk: TypeAlias = NamedDependency[Desk]
TheCaller: TypeAlias = NamedDependency[Caller]
