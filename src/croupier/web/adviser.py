"""Exact play, worked out beside the server: a page asks, and shows what is known; it never waits long.

Compiled code would hold up the process that serves, so the answers come from a process of their own. The first question
starts it, and it ends with the server.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from fractions import Fraction
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, TypeAlias

from croupier.analysis import (
    CoachAsked,
    CoachedDecision,
    Listed,
    MeanAsked,
    PlayQuestion,
    StrategiesAsked,
    decode_answer,
    encode_question,
)

__all__ = ["ADVISER", "Adviser", "AnswerLines", "answer_elsewhere"]

_LOG: Final = logging.getLogger("croupier.web")
AnswerLines: TypeAlias = Callable[[Sequence[bytes]], list[bytes]]
_KEPT: Final = 20_000
"""Answers that are remembered."""
_AT_ONCE: Final = 40
"""Questions of one asker before those of another are looked at."""
_NONE: Final = b"null"


class Adviser:
    """Answers to questions about play: known ones at once, others in the background, each once."""

    def __init__(self, answer: AnswerLines | None = None) -> None:
        self._answer: Final = answer or answer_elsewhere()
        self._known: Final[OrderedDict[bytes, bytes]] = OrderedDict()
        self._asked: Final[dict[bytes, Future[None]]] = {}
        self._waiting: Final[SimpleQueue[tuple[list[bytes], Future[None]]]] = SimpleQueue()
        self._lock: Final = Lock()
        self._thread: Thread | None = None

    def known(self, question: PlayQuestion) -> Any:  # noqa: ANN401 - one kind for each question
        """The answer if it is known; None while it is not, and where there is none."""
        line = self._known.get(encode_question(question))
        return None if line is None else decode_answer(line, _kind(question))

    def is_known(self, question: PlayQuestion) -> bool:
        """Whether this was answered."""
        return encode_question(question) in self._known

    async def ask(self, questions: Sequence[PlayQuestion], *, patience: float | None = None) -> list[Any]:
        """The answers; None for those that take longer than `patience`, in seconds: they are known later."""
        due = self._begin(list(dict.fromkeys(encode_question(question) for question in questions)))
        if due:
            waiting = [asyncio.wrap_future(future) for future in due]
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(asyncio.gather(*waiting)), patience)
        return [self.known(question) for question in questions]

    def _begin(self, lines: list[bytes]) -> list[Future[None]]:
        """Have what is not known yet worked out; what there is to wait for."""
        with self._lock:
            new = [line for line in lines if line not in self._known and line not in self._asked]
            for first in range(0, len(new), _AT_ONCE):
                part, future = new[first : first + _AT_ONCE], Future[None]()
                self._asked.update(dict.fromkeys(part, future))
                self._waiting.put((part, future))
            if new and self._thread is None:
                self._thread = Thread(target=self._work, daemon=True, name="adviser")
                self._thread.start()
            return list(dict.fromkeys(self._asked[line] for line in lines if line in self._asked))

    def _work(self) -> None:
        while True:
            lines, future = self._waiting.get()
            try:
                given = self._answer(lines)
            except Exception:  # noqa: BLE001 - logged; whoever asks again gets another try
                _LOG.exception("the adviser failed")
                given = []
            with self._lock:
                self._known.update(zip(lines, given, strict=False))
                while len(self._known) > _KEPT:
                    self._known.popitem(last=False)
                for line in lines:
                    self._asked.pop(line, None)
            future.set_result(None)


def _kind(question: PlayQuestion) -> Any:  # noqa: ANN401 - a type
    match question:
        case CoachAsked():
            return CoachedDecision
        case MeanAsked():
            return Fraction
        case StrategiesAsked():
            return list[Listed]


def answer_elsewhere() -> AnswerLines:
    """Answers from a process that stays; one that is gone is started again."""
    held: list[subprocess.Popen[bytes]] = []

    def ask(lines: Sequence[bytes]) -> list[bytes]:
        for _ in range(2):
            try:
                return _exchange(_started(held), lines)
            except OSError:
                _end(held)
        return [_NONE] * len(lines)

    return ask


def _started(held: list[subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    if not held:
        command = [sys.executable, "-m", "croupier.analysis.answering"]
        held.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL))  # noqa: S603 - ourselves
    return held[0]


def _exchange(process: subprocess.Popen[bytes], lines: Sequence[bytes]) -> list[bytes]:
    if process.stdin is None or process.stdout is None:
        raise BrokenPipeError
    given = []
    for line in lines:
        process.stdin.write(line + b"\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if not answer:
            raise BrokenPipeError
        given.append(answer.rstrip(b"\n"))
    return given


def _end(held: list[subprocess.Popen[bytes]]) -> None:
    for process in held:
        process.kill()
        process.wait()
    held.clear()


ADVISER: Final = Adviser()
"""The adviser of this process: it starts nothing before somebody asks."""
