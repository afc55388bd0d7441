"""The law of a rulebook as one text: the values of its files as written, and the shared options it names.

The text is canonical JSON, so comments and layout do not count, and its SHA-256 is the hash of the rulebook. The
rulebook is loaded from this text alone, wherever it was stored. Later additions to the schema have defaults, so that
every law ever stored can be read; its hash stays the same.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import RegulationError
from croupier.rulebook import schema
from croupier.rulebook.options import frozen_value
from croupier.rulebook.schema_hints import allowed_at
from croupier.wire import canonical_json, decode_json

__all__ = ["BESIDE", "FILES", "law_hash", "law_of", "read_law", "read_toml", "typed"]

Shape = TypeVar("Shape", bound=Struct)


class _Clauses(schema.RegulationPart, frozen=True, kw_only=True):
    clause: tuple[schema.Clause, ...]


class _Options(schema.RegulationPart, frozen=True, kw_only=True):
    option: tuple[schema.OptionDefault, ...]


SHAPES: Final[dict[str, type[Struct]]] = {
    "source": schema.DocumentSource,
    "clauses": _Clauses,
    "glossary": schema.Glossary,
    "table": schema.TableRules,
    "wagers": schema.Wagers,
    "paytables": schema.Paytables,
    "dealing": schema.Dealing,
    "play": schema.Play,
    "irregularities": schema.Irregularities,
    "procedure": schema.Procedure,
    "options": _Options,
}
FILES: Final = tuple(SHAPES)
"""The files of a rulebook, each `NAME.toml`."""
BESIDE: Final = ("places",)
"""What may be beside them and is no part of the law: which text it was read from, and where in it."""


def law_of(folder: Path, shared: Mapping[str, object]) -> str:
    """The law of the rulebook in a folder; `shared` has the options that all rulebooks share, by name."""
    contents = {f"{name}.toml": read_toml(folder / f"{name}.toml") for name in FILES}
    rows = contents["options.toml"].get("option")
    names = [row.get("name") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    options = {name: shared[name] for name in names if isinstance(name, str) and name in shared}
    return canonical_json({"files": contents, "options": options})


def law_hash(law: str) -> str:
    """The hash that identifies a rulebook.

    >>> from croupier.rulebook import load_rulebook
    >>> book = load_rulebook("md-let-it-ride")
    >>> law_hash(book.law) == book.hash
    True
    """
    return hashlib.sha256(law.encode()).hexdigest()


@lru_cache(maxsize=64)
def read_law(law: str, *, at: str = "law") -> schema.Rulebook:
    """The rulebook of a law; `at` says in messages where its files are.

    Consistency was checked when it was loaded from its folder: an old law need not pass later checks.

    >>> from croupier.rulebook import load_rulebook
    >>> book = load_rulebook("md-let-it-ride")
    >>> read_law(book.law) == book
    True
    """
    raw = decode_json(law)
    if not (isinstance(raw, dict) and raw.keys() == {"files", "options"} and all(map(_is_table, raw.values()))):
        raise RegulationError([f"{at}: expected the keys files and options, and no others"])
    files, rows = raw["files"], raw["options"]
    paths = {name: Path(at) / f"{name}.toml" for name in FILES}
    if odd := [f"{path}: the file is missing" for path in paths.values() if path.name not in files]:
        raise RegulationError(odd)
    if more := sorted(files.keys() - {path.name for path in paths.values()}):
        raise RegulationError([f"{Path(at) / file}: unknown file" for file in more])
    parts: dict[str, Any] = {name: typed(files[path.name], SHAPES[name], str(path)) for name, path in paths.items()}
    if unknown := [row.name for row in parts["options"].option if row.name not in rows]:
        raise RegulationError([f"{paths['options']}: {name}: no such option" for name in unknown])
    rules = {name: typed(row, schema.OptionRule, f"{at}: the shared option {name}") for name, row in rows.items()}
    parts["clauses"] = parts["clauses"].clause
    parts["options"] = tuple(_option(rules[row.name], row) for row in parts["options"].option)
    return schema.Rulebook(**parts, law=law, hash=law_hash(law))


def read_toml(path: Path) -> dict[str, Any]:
    """The values of a file of the regulations."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        dates = [key for key, value in values.items() if not _is_plain(value)]
    except FileNotFoundError:
        raise RegulationError([f"{path}: the file is missing"]) from None
    except (ValueError, RecursionError) as error:
        raise RegulationError([f"{path}: not TOML: {error}"]) from None
    except OSError as error:
        raise RegulationError([f"{path}: {error.strerror}"]) from None
    if dates:
        raise RegulationError([f"{path}: {key}: write a date as text, in quotes" for key in dates])
    return values


def typed(values: object, shape: type[Shape], at: str) -> Shape:
    """Values in their shape; an error names the file `at`, the key and what is allowed there."""
    try:
        return msgspec.convert(values, type=shape, str_keys=True)
    except msgspec.ValidationError as error:
        what, _, key = str(error).partition(" - at `$.")
        key = key.rstrip("`")
        allowed = allowed_at(shape, key)
        hint = f": {', '.join(allowed)}" if allowed else ""
        raise RegulationError([f"{at}: {key or 'top level'}: {what}{hint}"]) from None


def _is_plain(value: object) -> bool:
    """Whether JSON can hold it; of TOML's values it has no dates."""
    try:
        canonical_json(value)
    except TypeError:
        return False
    return True


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _option(rule: schema.OptionRule, row: schema.OptionDefault) -> schema.Option:
    """A rulebook's row of options.toml, joined to what the option is."""
    return schema.Option(
        rule=replace(rule, values=row.values or rule.values),
        default=frozen_value(row.default),
        fixed=row.fixed,
        clause=row.clause,
        also=row.also,
        reading=row.reading or rule.reading,
    )
