"""Parameters that several addresses take."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from litestar.params import HeaderParameter, Parameter
from msgspec import Meta

__all__ = ["Dollars", "Key", "Line", "Name", "Number", "Secret"]

Name: TypeAlias = Annotated[str, Parameter(max_length=60, description="an id of this house")]
Number: TypeAlias = Annotated[int, Parameter(ge=1, le=1_000_000)]
Key: TypeAlias = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        pattern=r"^[ -~]{0,100}$",
        description="makes a request safe to send again: the same key gives the first answer",
    ),
]
Dollars: TypeAlias = Annotated[
    str, Meta(pattern=r"^(0|[1-9][0-9]{0,9})(\.[0-9]{1,2})?$", description="dollars, such as 12.50")
]
Line: TypeAlias = Annotated[str, Meta(max_length=500)]
Secret: TypeAlias = Annotated[str, Meta(max_length=1000)]
