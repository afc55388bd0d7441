"""What pages load: styles, modules, drawings. Their address has a hash in it, so that a browser keeps them for good."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from litestar import Request, Response, get
from msgspec import Struct

from croupier.server import NotFound
from croupier.web.drawn_cards import sprite

__all__ = ["ASSETS", "asset", "has_scripts", "see_asset"]

_STYLES: Final = ("tokens", "light", "base", "plain", "table", "pages")
_MEDIA: Final = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "txt": "text/plain"}
_FOREVER: Final = "public, max-age=31536000, immutable"
_SPARE: Final = re.compile(r'("[^"]*")|/\*.*?\*/|\s*([{};,>])\s*|(:)\s+|(\s)\s*', re.DOTALL)
"""Comments and space of a style sheet, and what stays of them: strings, signs, one blank."""
_DAY: Final = '[data-theme="light"]'


class Asset(Struct, frozen=True):
    """A file for browsers, as it is and compressed."""

    media_type: str
    plain: bytes
    packed: bytes


def _style(folder: Traversable) -> str:
    """One style sheet; whoever has not chosen gets the colors of the day when their system says so."""
    parts = {name: (folder / f"{name}.css").read_text("utf-8") for name in _STYLES}
    by_system = parts["light"].replace(_DAY, '[data-theme="auto"]')
    parts["light"] += f"@media (prefers-color-scheme: light) {{\n{by_system}}}\n"
    own = sorted(file.name for file in folder.iterdir() if file.name.removesuffix(".css") not in _STYLES)
    whole = "".join([*parts.values(), *((folder / name).read_text("utf-8") for name in own)])
    return _SPARE.sub(lambda found: " " if found[4] else found[1] or found[2] or found[3] or "", whole)


def _scripts(folder: Traversable, under: str = "") -> Iterator[tuple[str, str]]:
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.is_dir():
            yield from _scripts(file, f"{under}{file.name}/")
        elif file.name.endswith((".js", ".txt")):
            yield f"{under}{file.name}", file.read_text("utf-8")


def _read() -> dict[str, Asset]:
    static = files("croupier.web") / "static"
    texts = {
        "croupier.css": _style(static / "css"),
        "cards.svg": sprite(),
        "mark.svg": (static / "mark.svg").read_text("utf-8"),
    }
    for folder in ("js", "vendor"):
        if (static / folder).is_dir():
            texts |= {f"{folder}/{name}": text for name, text in _scripts(static / folder)}
    return {
        name: Asset(_MEDIA[name.rpartition(".")[2]], text.encode(), gzip.compress(text.encode(), 9, mtime=0))
        for name, text in texts.items()
    }


ASSETS: Final = _read()
_VERSION: Final = sha256(b"".join(asset.plain for asset in ASSETS.values())).hexdigest()[:16]


def asset(name: str) -> str:
    """The address of a file."""
    return f"/static/{_VERSION}/{name}"


def has_scripts() -> bool:
    """Whether the scripts of others were built in; without them pages work as plain pages."""
    return any(name.startswith("vendor/") for name in ASSETS)


@get("/static/{version:str}/{name:path}", include_in_schema=False)
async def see_asset(request: Request[Any, Any, Any], version: str, name: str) -> Response[bytes]:
    """A file, compressed for whoever takes it so."""
    found = ASSETS.get(name.lstrip("/"))
    if found is None or version != _VERSION:
        raise NotFound("there is nothing at this address")
    headers = {"cache-control": _FOREVER, "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(found.packed, media_type=found.media_type, headers=headers | {"content-encoding": "gzip"})
    return Response(found.plain, media_type=found.media_type, headers=headers)
