"""The API described for programs (OpenAPI): what each address answers, its problems, and how a caller is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, Reference, SecurityScheme
from msgspec import Struct

from croupier.table import LONGEST_TEXT, arguments
from croupier.table.commands import COMMANDS, Command

__all__ = ["ANYBODY", "OPENAPI", "SOMEBODY", "ProblemDetails", "answers", "complete"]


class ProblemDetails(Struct):
    """What is wrong (RFC 9457): a stable code, words, and for a refusal the clause, the reading and what is allowed."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    message: str
    clause: str | None
    reading: int | None
    allowed: list[dict[str, Any]]


_WORDS: Final = {
    400: "it cannot be read",
    401: "nobody is signed in, or somebody who was away",
    403: "it is not theirs to do, or comes from another site",
    404: "there is no such thing, or none that they may know of",
    408: "it did not arrive in time",
    409: "the rules do not allow it: code, clause, reading, message, and what is allowed",
    413: "it is too large",
    429: "too often: Retry-After says how many seconds to wait",
    503: "the record cannot be read or written now: try again with the same Idempotency-Key",
}
SOMEBODY: Final[Sequence[dict[str, list[str]]]] = ({"session": [], "csrf": []}, {"device": []})
"""Whoever is signed in with a browser, or a device with its token."""
ANYBODY: Final[Sequence[dict[str, list[str]]]] = ({}, *SOMEBODY)
"""Those, and strangers."""
_SCHEMES: Final[dict[str, SecurityScheme | Reference]] = {
    "session": SecurityScheme(
        type="apiKey", security_scheme_in="cookie", name="croupier_session", description="set by POST /api/session"
    ),
    "csrf": SecurityScheme(
        type="apiKey",
        security_scheme_in="header",
        name="X-CSRF-Token",
        description="given with the session; every changing request carries it",
    ),
    "device": SecurityScheme(type="http", scheme="bearer", description="the token of a device"),
}


def answers(kind: Any, *problems: int, status: int = 200, words: str = "done") -> dict[int, ResponseSpec]:  # noqa: ANN401 - a type
    """What an address answers, and which problems it may answer with; every one of them can be asked too often."""
    told = {status: ResponseSpec(kind, description=words, generate_examples=False)}
    return told | {
        code: ResponseSpec(
            ProblemDetails, description=_WORDS[code], media_type="application/problem+json", generate_examples=False
        )
        for code in sorted({*problems, 400, 403, 429})
    }


OPENAPI: Final = OpenAPIConfig(
    title="Croupier",
    version="1",
    description="A house of table games: its tables, live, with every right and every clause.",
    path="/schema",
    render_plugins=[JsonRenderPlugin()],
    components=Components(security_schemes=_SCHEMES),
)


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the commands of a table, each with its arguments, as its body takes them."""
    body = document["paths"]["/api/tables/{table_id}/commands"]["post"]["requestBody"]["content"]["application/json"]
    body["schema"] = {"oneOf": [_command(name, kind) for name, kind in COMMANDS.items()], "title": "a command"}
    for path in document["paths"].values():
        for operation in path.values():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                name = content["schema"].get("$ref", "").rpartition("/")[2]
                if name:
                    document["components"]["schemas"][name]["additionalProperties"] = False
    return document


_KINDS: Final[dict[str, dict[str, Any]]] = {
    "dollars": {"type": "string", "pattern": r"^(0|[1-9][0-9]{0,9})(\.[0-9]{1,2})?$"},
    "number": {"type": "integer"},
    "text": {"type": "string", "maxLength": LONGEST_TEXT},
    "true or false": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "card": {"type": "string", "pattern": r"^([2-9TJQKA]|10)[cdhs]$"},
    "cards": {"type": "string", "pattern": r"^(([2-9TJQKA]|10)[cdhs]( |$))*$"},
    "numbers by seat": {"type": "object", "additionalProperties": {"type": "integer"}},
    "object": {"type": "object"},
}


def _command(name: str, kind: type[Command]) -> dict[str, Any]:
    rows = arguments(kind)
    properties: dict[str, Any] = {"do": {"const": name}, "reason": _KINDS["text"]}
    for row in rows:
        schema = {"enum": row["values"]} if row["kind"] == "choice" else _KINDS[row["kind"]]
        optional = not row["required"] and row.get("default") is None
        properties[row["name"]] = {"anyOf": [schema, {"type": "null"}]} if optional else schema
    return {
        "type": "object",
        "title": name,
        "properties": properties,
        "required": ["do", *(row["name"] for row in rows if row["required"])],
        "additionalProperties": False,
    }
