"""A house over HTTP and WebSocket, for programs that do many things at once."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx

from croupier.client.calls import Call, Conversation, known_houses
from croupier.client.live import LiveFeed
from croupier.client.patience import Patience
from croupier.client.problems import NotSignedIn, Refused
from croupier.client.values import (
    CommandAnswer,
    DemoPerson,
    HousePerson,
    ListedTable,
    SavedSession,
    SignedInAs,
    TableAnswer,
)

__all__ = ["AsyncHouseClient"]

T = TypeVar("T")


class AsyncHouseClient:
    """A house at this address. Use it in an `async with` block, or await `close` at the end.

    Cookies, the CSRF token and the keys of commands are looked after. A device gives its `token`; a `session` that
    was saved goes on. Amounts are `Decimal` or text, `"12.50"`, never floats.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str = "",
        session: SavedSession | None = None,
        patience: Patience | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._conversation = Conversation(url, token=token, session=session)
        self._patience = patience or Patience()
        self._http = httpx.AsyncClient(
            transport=transport, timeout=self._patience.timeout, verify=known_houses(), trust_env=False
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; the session stays open."""
        await self._http.aclose()

    @property
    def person(self) -> HousePerson | None:
        """Who is signed in."""
        return self._conversation.person

    def saved(self) -> SavedSession | None:
        """The session as another process can go on with it; None if nobody is signed in."""
        return self._conversation.saved()

    # --- people

    async def sign_in(self, name: str, password: str, code: str | None = None) -> SignedInAs:
        """Sign in; `code` is the second factor, for who has one."""
        return await self._do(self._conversation.sign_in(name, password, code))

    async def sign_out(self) -> None:
        """End the session."""
        await self._do(self._conversation.sign_out())

    async def sign_up(self, name: str, password: str) -> SignedInAs:
        """Become a player of a demo, and sign in; whoever is one already, with this password, signs in."""
        try:
            answer = await self._do(self._conversation.sign_up(name, password))
        except Refused as refused:
            try:
                return await self.sign_in(name, password)
            except NotSignedIn:
                raise refused from None
        return answer if answer.csrf else await self.sign_in(name, password)

    async def demo(self) -> tuple[DemoPerson, ...]:
        """The names and passwords of a demo."""
        return await self._do(self._conversation.demo())

    # --- tables

    async def tables(self) -> tuple[ListedTable, ...]:
        """The tables of the house."""
        return await self._do(self._conversation.tables())

    async def table(self, table: str) -> TableAnswer:
        """A table as this person sees it, and what is allowed there."""
        return await self._do(self._conversation.table(table))

    async def command(self, table: str, do: str, key: str | None = None, **arguments: object) -> CommandAnswer:
        """Give a command at a table; it is carried out once, however often it has to be sent."""
        return await self._do(self._conversation.command(table, do, key, arguments))

    def live(self, table: str) -> LiveFeed:
        """The changes at a table as they happen: an async iterator that reconnects, with `send` for commands."""
        return LiveFeed(
            table,
            address=self._conversation.live,
            origin=self._conversation.origin,
            ask=self.table,
            patience=self._patience,
        )

    # --- the record

    async def rounds(self, **query: str | int | None) -> Any:  # noqa: ANN401 - plain JSON
        """Rounds by `table`, `patron`, `from_`, `to` and whatever else the house can look for."""
        return await self._do(self._conversation.rounds(query))

    async def round(self, number: str) -> Any:  # noqa: ANN401 - plain JSON
        """The full story of a round."""
        return await self.get(f"/api/rounds/{quote(number, safe='')}")

    async def fairness(self, commitment: str) -> Any:  # noqa: ANN401 - plain JSON
        """What proves a shuffle, after its round."""
        return await self.get(f"/api/fairness/{quote(commitment, safe='')}")

    # --- anything else

    async def get(self, path: str, **query: str | int | None) -> Any:  # noqa: ANN401 - plain JSON
        """Any GET of the API, as plain JSON."""
        return await self._do(self._conversation.any("GET", path, query=query))

    async def post(self, path: str, body: object = None, key: str = "") -> Any:  # noqa: ANN401 - plain JSON
        """Any POST; with a key it is sent again after a lost connection."""
        return await self._do(self._conversation.any("POST", path, body=body, key=key))

    async def patch(self, path: str, body: object) -> Any:  # noqa: ANN401 - plain JSON
        """Any PATCH."""
        return await self._do(self._conversation.any("PATCH", path, body=body))

    async def delete(self, path: str) -> Any:  # noqa: ANN401 - plain JSON
        """Any DELETE."""
        return await self._do(self._conversation.any("DELETE", path))

    async def _do(self, call: Call[T]) -> T:
        waits = self._patience.waits()
        while True:
            outcome: httpx.Response | Exception
            try:
                outcome = await self._http.send(self._conversation.request(call))
            except httpx.TransportError as error:
                outcome = error
            wait = next(waits, None) if self._conversation.may_try_again(call, outcome) else None
            if wait is not None:
                await asyncio.sleep(wait)
            elif isinstance(outcome, httpx.Response):
                return self._conversation.answered(call, outcome)
            else:
                raise self._conversation.unreachable(outcome) from None
