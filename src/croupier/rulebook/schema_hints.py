"""The values that a key of a regulation file may have, for error messages."""

from __future__ import annotations

import re

from msgspec import Struct, inspect

__all__ = ["allowed_at"]


def allowed_at(shape: type[Struct], key: str) -> list[str]:
    """The names allowed at a key such as `wager[1].name`; empty if any value is allowed.

    >>> from croupier.rulebook.schema import DocumentSource
    >>> allowed_at(DocumentSource, "status")
    ['draft', 'in force']
    """
    kinds = [inspect.type_info(shape)]
    for step in re.findall(r"[^.\[\]]+|\[", key):
        if step.isdigit():
            continue
        kinds = [inner for kind in kinds for inner in (_items(kind) if step == "[" else _field(kind, step))]
    return sorted(str(value) for kind in kinds if isinstance(kind, inspect.LiteralType) for value in kind.values)


def _field(kind: inspect.Type, name: str) -> list[inspect.Type]:
    if not isinstance(kind, inspect.StructType):
        return []
    return [part for field in kind.fields if field.encode_name == name for part in _parts(field.type)]


def _items(kind: inspect.Type) -> list[inspect.Type]:
    return _parts(kind.item_type) if isinstance(kind, inspect.VarTupleType) else []


def _parts(kind: inspect.Type) -> list[inspect.Type]:
    if isinstance(kind, inspect.Metadata):
        kind = kind.type
    return list(kind.types) if isinstance(kind, inspect.UnionType) else [kind]
