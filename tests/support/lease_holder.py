"""A process that holds streams of a store and writes to them for as long as it lives: somebody else stops it.

python lease_holder.py URL SECONDS
"""

import asyncio
import sys

from croupier.errors import Conflict
from croupier.store import open_store
from croupier.store.values import Claim
from support.stores import after, appended

STREAMS = [f"table/{number}" for number in range(20)]


async def main(url: str, seconds: float) -> None:
    store = await open_store(url)
    refused = 0

    async def write(claim: Claim) -> None:
        nonlocal refused
        while True:
            append = appended(claim)
            try:
                await store.append(append)
            except Conflict:
                refused += 1
                return
            claim = after(claim, append)
            await asyncio.sleep(0.01)

    claims = await store.claim(STREAMS, seconds=seconds)
    print("holding", len(claims), flush=True)
    await asyncio.gather(*map(write, claims))
    print("refused", refused, flush=True)
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2])))
