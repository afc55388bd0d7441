"""The proof of a shuffle: checked here, and how to check it again without us."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import Parameter

from croupier.server import Caller, Desk, proof_of
from croupier.web.rendering import Page, page

__all__ = ["ROUTES"]

_PARTS: Final = ("commitment", "deck")
"""What a problem of a proof is about, by its first word."""
Commitment = Annotated[str, Parameter(pattern="^[0-9a-f]{64}$")]


@get("/fairness/{commitment:str}")
async def see_shuffle(desk: Desk, caller: Caller, commitment: Commitment) -> Page:
    """The seed, the deck, and whether they are what was promised."""
    found = await proof_of(desk, commitment)
    checks = {part: [words for words in found.problems if words.startswith(part)] for part in _PARTS}
    others = [words for words in found.problems if not words.startswith(_PARTS)]
    checks["deck"] += others
    return page("fairness", caller, found=found, checks=checks, cards=found.proof.deck.split())


@get("/fairness/{commitment:str}/proof.json")
async def download_proof(desk: Desk, commitment: Commitment) -> Page:
    """The proof as `croupier fairness verify` reads it."""
    found = await proof_of(desk, commitment)
    headers = {"content-disposition": f'attachment; filename="proof-{commitment[:12]}.json"'}
    return Response(msgspec.json.encode(found.proof), media_type="application/json", headers=headers)


ROUTES: Final = [see_shuffle, download_proof]
