"""Rulebooks from their files: typed, frozen, and checked to hold together."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import Malformed, RegulationError
from croupier.rulebook import schema
from croupier.rulebook.allowed import allowed_at
from croupier.rulebook.options import frozen_value
from croupier.rulebook.sound import problems_of

__all__ = ["SHIPPED", "load_readings", "load_rulebook", "rulebook_ids"]

SHIPPED: Final = Path(str(files("croupier") / "regulations"))
ENVIRONMENT: Final = "CROUPIER_REGULATIONS"
"""Names a folder of further rulebooks, laid out as the shipped one."""

Shape = TypeVar("Shape", bound=Struct)


class _Clauses(schema.Part, frozen=True, kw_only=True):
    clause: tuple[schema.Clause, ...]


class _Readings(schema.Part, frozen=True, kw_only=True):
    reading: tuple[schema.Reading, ...]


class _OptionRules(schema.Part, frozen=True, kw_only=True):
    option: tuple[schema.OptionRule, ...]


class _OptionDefaults(schema.Part, frozen=True, kw_only=True):
    option: tuple[schema.OptionDefault, ...]


def rulebook_ids() -> list[str]:
    """Every rulebook there is, as `state-game`: the shipped ones, then those of a further folder.

    >>> rulebook_ids()[0]
    'ma-mississippi-stud'
    """
    return list(_folders())


def load_rulebook(name: str) -> schema.Rulebook:
    """One rulebook by its id.

    >>> load_rulebook("md-let-it-ride").source.status
    'draft'
    """
    folders = _folders()
    if name not in folders:
        raise Malformed(f"unknown rulebook {name!r}: {', '.join(folders)}")
    return _load(folders[name])


@cache
def load_readings() -> tuple[schema.Reading, ...]:
    """The 197 readings."""
    return _file(SHIPPED / "readings.toml", _Readings).reading


@cache
def _option_rules() -> dict[str, schema.OptionRule]:
    return {rule.name: rule for rule in _file(SHIPPED / "options.toml", _OptionRules).option}


def _folders() -> dict[str, Path]:
    """The folder of each rulebook, by its id."""
    found = _below(SHIPPED)
    further = os.environ.get(ENVIRONMENT)
    if further:
        if not Path(further).is_dir():
            raise Malformed(f"{ENVIRONMENT}: {further!r} is no folder")
        more = _below(Path(further))
        if twice := sorted(found.keys() & more.keys()):
            raise Malformed(f"{ENVIRONMENT}: {', '.join(twice)} is shipped already; give yours another state")
        found |= more
    return found


def _below(root: Path) -> dict[str, Path]:
    return {
        f"{path.parent.parent.name}-{path.parent.name}": path.parent for path in sorted(root.glob("*/*/source.toml"))
    }


@cache
def _load(folder: Path) -> schema.Rulebook:
    options = _file(folder / "options.toml", _OptionDefaults).option
    rules = _option_rules()
    unknown = [
        f"{folder / 'options.toml'}: {option.name}: no such option" for option in options if option.name not in rules
    ]
    if unknown:
        raise RegulationError(unknown)
    parts: dict[str, Any] = {
        "source": _file(folder / "source.toml", schema.Source),
        "clauses": _file(folder / "clauses.toml", _Clauses).clause,
        "glossary": _file(folder / "glossary.toml", schema.Glossary),
        "table": _file(folder / "table.toml", schema.Table),
        "wagers": _file(folder / "wagers.toml", schema.Wagers),
        "paytables": _file(folder / "paytables.toml", schema.Paytables),
        "dealing": _file(folder / "dealing.toml", schema.Dealing),
        "play": _file(folder / "play.toml", schema.Play),
        "irregularities": _file(folder / "irregularities.toml", schema.Irregularities),
        "procedure": _file(folder / "procedure.toml", schema.Procedure),
        "options": tuple(_option(rules[option.name], option) for option in options),
    }
    content = msgspec.json.encode(parts, order="sorted")
    book = schema.Rulebook(**parts, hash=hashlib.sha256(content).hexdigest())
    problems = problems_of(book, folder, readings={reading.number for reading in load_readings()})
    if problems:
        raise RegulationError(problems)
    return book


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


def _file(path: Path, shape: type[Shape]) -> Shape:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=shape)
    except FileNotFoundError:
        raise RegulationError([f"{path}: the file is missing"]) from None
    except msgspec.ValidationError as error:
        what, _, key = str(error).partition(" - at `$.")
        key = key.rstrip("`")
        allowed = allowed_at(shape, key)
        hint = f": {', '.join(allowed)}" if allowed else ""
        raise RegulationError([f"{path}: {key or 'top level'}: {what}{hint}"]) from None
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise RegulationError([f"{path}: not TOML: {error}"]) from None
    except OSError as error:
        raise RegulationError([f"{path}: {error.strerror}"]) from None
