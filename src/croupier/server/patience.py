"""How long a connection may take to say what it wants: a request's head arrives within seconds, or the line is cut."""

from __future__ import annotations

import asyncio
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["PatientProtocol"]

HEAD_SECONDS: Final = 20.0


class PatientProtocol(H11Protocol):
    """HTTP of uvicorn, with a limit for whoever sends a head byte by byte, or nothing at all."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Somebody has connected: the first head is due."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Bytes of a head or a body."""
        if self._waiting is None and self.conn.their_state is h11.IDLE:
            self._expect()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._expect_no_more()

    def connection_lost(self, exc: Exception | None) -> None:
        """They have gone."""
        self._expect_no_more()
        super().connection_lost(exc)

    def _expect(self) -> None:
        self._waiting = self.loop.call_later(HEAD_SECONDS, self._cut)

    def _expect_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _cut(self) -> None:
        self._waiting = None
        if not self.transport.is_closing() and self.conn.their_state is h11.IDLE:
            self.transport.close()
