"""Packages that only some commands need: which extra of the installation brings them, and what to type without it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from croupier.errors import MissingExtra

__all__ = ["EXTRAS", "missing_extra", "need"]

EXTRAS: Final = {
    "plot": ("altair", "vl_convert"),
    "cluster": ("distributed",),
    "parquet": ("pyarrow",),
    "papers": ("font_source_sans_pro", "segno", "typst", "xlsxwriter"),
    "store": ("apsw", "cryptography"),
    "client": ("httpx", "websockets"),
    "server": ("argon2", "asyncpg", "jinja2", "litestar", "prometheus_client", "uvicorn", "zxcvbn"),
}
"""The modules that each extra brings, as they are imported; `pyproject.toml` has the names of their packages."""
_USES: Final = {
    "plot": "pictures",
    "cluster": "a cluster",
    "parquet": "Parquet",
    "papers": "papers",
    "store": "stores and signatures",
    "client": "house clients",
    "server": "a house with its server",
}


def need(extra: str) -> None:
    """Raise `MissingExtra` where the packages of an extra are not installed, before any work is done.

    >>> need("plot")
    """
    if any(find_spec(module) is None for module in EXTRAS[extra]):
        raise _missing(extra)


def missing_extra(error: ImportError) -> MissingExtra | None:
    """What is missing where an import has failed; None where it is no package of an extra.

    >>> print(missing_extra(ModuleNotFoundError("No module named 'typst'", name="typst")))
    papers need packages that are not installed: pip install 'croupier[papers]'
    """
    module = (error.name or "").partition(".")[0]
    return next((_missing(extra) for extra, modules in EXTRAS.items() if module in modules), None)


def _missing(extra: str) -> MissingExtra:
    needs = "need" if _USES[extra].endswith("s") else "needs"
    return MissingExtra(f"{_USES[extra]} {needs} packages that are not installed: pip install 'croupier[{extra}]'")
