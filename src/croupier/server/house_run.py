"""A house from its store to its address: opened, served, and closed with every round resumable."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any, Final, TypeAlias

from croupier.errors import StoreError, Unopened
from croupier.house import DEMO_PASSWORD, DemoAccount, House, People, Tokens, demo, demo_patrons, first_start
from croupier.present import any_of
from croupier.server.app import make_app
from croupier.server.asgi import set_up_logging
from croupier.server.desk import Desk
from croupier.server.doors import Doors
from croupier.server.gate import Surroundings
from croupier.server.hall import Hall
from croupier.server.pages import NO_PAGES, Pages
from croupier.server.passing import Passing
from croupier.server.run import serve
from croupier.server.watching import now
from croupier.store import Cage, Store, open_store

__all__ = ["run_house"]

_FIRST_START: Final = "first start"
"""The stream that whoever makes the house holds; nothing is ever written to it."""
_FIRST_SECONDS: Final = 60.0
_FOR_EXAMPLE: Final = {"ann": "ann (a player)"} | {
    name: name for name in ("dealer", "floorperson", "operator", "regulator")
}
Patrons: TypeAlias = Callable[[str, str], Coroutine[Any, Any, None]]
"""Let the automatic patrons of a demo play at this address, with this password."""


async def run_house(
    url: str,
    sock: socket.socket,
    *,
    demo_house: bool = False,
    log: str = "warning",
    say: Callable[[str], None] = print,
    pages: Pages = NO_PAGES,
    public_url: str = "",
    proxies: Sequence[str] = (),
    patrons: Patrons | None = None,
) -> None:
    """Run the house of this store on this socket until it is told to stop; `say` tells whoever started it.

    `patrons` play in a demo, until they are cancelled.
    """
    set_up_logging(level=log)
    host, port = sock.getsockname()[:2]
    surroundings = Surroundings.at(host, public_url=public_url, proxies=proxies, names=[socket.gethostname()])
    async with AsyncExitStack() as closing:
        store = await open_store(url)
        closing.push_async_callback(store.close)
        if not store.can_deal:
            raise Unopened(f"{url}: the house's key is missing: without it this store can be read, but not dealt from")
        alone = ipaddress.ip_address(host).is_loopback and not public_url
        people = People(House(store))
        closing.callback(people.close)
        async with _one_at_a_time(store):
            accounts = await _begin(people, say, demo_house=demo_house, alone=alone)
            # One process has them, and a proxy's names and cookies are not theirs.
            has_patrons = people.house.state.demo and store.engine.name == "sqlite" and not public_url
            company = patrons if has_patrons else None
            secret = await demo_patrons(people, now()) if company is not None else ""
        address = f"http://{_reachable(host)}:{port}"
        hall = Hall(store, Cage(store), play_chips=people.house.state.demo, address=address)
        doors = Doors(
            people, Tokens(people.house), surroundings=surroundings, demo=accounts if alone else (), alone=alone
        )
        await doors.read_names()
        desk = Desk(hall, doors, Passing(store))
        closing.push_async_callback(desk.stop)
        if hall.is_shared:
            await store.announce(address)  # before it holds anything
        desk.start()
        await desk.set_up()

        playing: list[asyncio.Task[None]] = []

        def started() -> None:
            if company is not None:
                playing.append(asyncio.create_task(company(_here(host, port), secret), name="patrons"))
            say(f"The house is open: {public_url or _where_to_go(host, port)}")
            for name, problem in hall.problems.items():
                say(f"Table {name} could not be opened: {problem}")
            say("Stop it with Ctrl+C: every round is kept, and goes on when the house opens again.")

        async def leave() -> None:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            await desk.leave()

        await serve(make_app(desk, pages), sock, started, leave)
    say("The house is closed. Every round is kept.")


def _where_to_go(host: str, port: int) -> str:
    """The address for a browser on this machine; one that listens everywhere is reached here as well."""
    everywhere = ipaddress.ip_address(host).is_unspecified
    return _here(host, port) + (" here, and by every address of this machine" if everywhere else "")


def _here(host: str, port: int) -> str:
    """The address on this machine."""
    everywhere = ipaddress.ip_address(host).is_unspecified
    return f"http://{'127.0.0.1' if everywhere else f'[{host}]' if ':' in host else host}:{port}"


def _reachable(host: str) -> str:
    """Where other processes of the house reach this one; a server that listens everywhere is reached by its name."""
    if ipaddress.ip_address(host).is_unspecified:
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


@asynccontextmanager
async def _one_at_a_time(store: Store) -> AsyncIterator[None]:
    """Of several processes that start at once, one makes what the first start makes."""
    while not await store.claim([_FIRST_START], seconds=_FIRST_SECONDS):  # noqa: ASYNC110 - another process has it
        await asyncio.sleep(0.2)
    try:
        yield
    finally:
        with suppress(StoreError):  # it is free as soon as this process ends
            await store.release([_FIRST_START])


async def _begin(
    people: People, say: Callable[[str], None], *, demo_house: bool, alone: bool
) -> tuple[DemoAccount, ...]:
    """What the first start makes, told once."""
    if not demo_house and not people.house.state.demo:
        state = await people.house.load()
        if not state.demo:
            first = await first_start(people, now())
            if first is not None:
                say(f"A new house. Sign in as {first.name} with the password {first.password} and change it.")
                say("This password is not shown again, and stops working after 7 days.")
            return ()
    accounts = await demo(people, now(), well_known=alone)
    say("A demo with play chips: not for money.")
    if alone:
        known = {account.name for account in accounts if account.password}
        examples = [words for name, words in _FOR_EXAMPLE.items() if name in known]
        if examples:
            say(f"Sign in as {any_of(examples)}, each with the password: {DEMO_PASSWORD}")
        if not all(account.password for account in accounts):
            others = "The other accounts" if examples else "Its accounts"
            say(f"{others} have the passwords that were printed when they were made, or chosen since.")
        say("The sign-in page lists every account; players may sign themselves up.")
    else:
        for account in accounts:
            if account.password is not None:
                say(f"{account.name} ({account.role.replace('_', ' ')}): {account.password}")
    return accounts
