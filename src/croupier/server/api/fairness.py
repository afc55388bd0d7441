"""The proof of a shuffle, for whoever holds its commitment: after the round, never before."""

from __future__ import annotations

from typing import Annotated, Any, Final

from litestar import get
from litestar.params import PathParameter

from croupier.server.api.answers import ToldProof
from croupier.server.api.parameters import TheCaller, TheDesk
from croupier.server.described import ANYBODY, answers
from croupier.server.proofs import proof_of

__all__ = ["ROUTES"]


@get(
    "/fairness/{commitment:str}",
    summary="The seed and the deck behind a commitment, once the round is over",
    responses=answers(ToldProof, 401, 404, 409, 503),
    security=ANYBODY,
)
async def see_proof(
    desk: TheDesk,
    caller: TheCaller,
    commitment: Annotated[str, PathParameter(pattern="^[0-9a-f]{64}$", description="64 hexadecimal digits")],
) -> dict[str, Any]:
    """The proof as `croupier fairness verify` reads it, where it is recorded, and whether it holds."""
    del caller  # whoever they are
    found = await proof_of(desk, commitment)
    return {
        "table": found.table,
        "entry": found.entry,
        "depth": found.depth,
        "proof": {name: getattr(found.proof, name) for name in found.proof.__struct_fields__},
        "holds": not found.problems,
    }


ROUTES: Final = [see_proof]
