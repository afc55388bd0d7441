"""A user's own strategy function, loaded by name."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING

from croupier.errors import Malformed
from croupier.wire import clip

if TYPE_CHECKING:
    from croupier.simulation import DecisionFunction

__all__ = ["function_of", "prints_aside"]


class _Aside(io.TextIOBase):
    """Where a function prints: standard output is the command's own."""

    def write(self, text: str, /) -> int:
        return sys.stderr.write(text)


def prints_aside() -> redirect_stdout[_Aside]:
    """Send what is printed inside this context to standard error."""
    return redirect_stdout(_Aside())


def function_of(strategy: str) -> DecisionFunction:
    """The function that `FILE.py:NAME` or `package.module:NAME` names."""
    where, _, name = strategy.rpartition(":")
    module = _module(where)
    function: DecisionFunction | None = getattr(module, name, None)
    if function is None:
        own = [
            own_name for own_name, what in vars(module).items() if getattr(what, "__module__", "") == module.__name__
        ]
        raise Malformed(f"--strategy: {where} has no {clip(repr(name))}; it has {', '.join(own) or 'no functions'}")
    if not callable(function):
        raise Malformed(f"--strategy: {clip(name)} in {where} is not a function")
    return function


def _module(where: str) -> ModuleType:
    """A Python file or importable module; any error it raises becomes one line."""
    path = Path(where)
    if path.suffix == ".py" and not path.is_file():
        raise Malformed(f"--strategy: there is no file {clip(where)}")
    try:
        return _load(path) if path.suffix == ".py" else import_module(where)
    except SyntaxError as error:
        raise Malformed(f"--strategy: {where}, line {error.lineno}: {error.msg}") from error
    except (Exception, SystemExit) as error:
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == where]
        line = f", line {lines[-1]}" if lines else ""
        raise Malformed(f"--strategy: {clip(where)}{line}: {type(error).__name__}: {clip(str(error))}") from error


def _load(path: Path) -> ModuleType:
    spec = spec_from_file_location(f"strategy {path.stem}", path)  # a name that hides no other module
    if spec is None or spec.loader is None:
        raise ImportError("it cannot be loaded")
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
