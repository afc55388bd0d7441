"""Views come after answers, one at a time, and never much later."""

import asyncio
from functools import partial
from typing import TypeVar

from croupier.server.turns import Turns

Viewer = TypeVar("Viewer")


def _show(shown: list[Viewer], viewer: Viewer) -> bool:
    shown.append(viewer)
    return True


def test_views_wait_for_an_answer_but_not_for_long() -> None:
    async def run() -> tuple[list[int], list[int], float]:
        turns, shown = Turns(), list[int]()
        clock = asyncio.get_running_loop().time
        begun = clock()
        with turns.answer():
            turns.wake(partial(_show, shown, number) for number in range(3))
            for _ in range(20):
                await asyncio.sleep(0)
            early = list(shown)
            while len(shown) < 3:  # noqa: ASYNC110 - the answer never comes, and the views are shown all the same
                await asyncio.sleep(0.001)
        return early, shown, clock() - begun

    early, shown, seconds = asyncio.run(run())
    assert early == []
    assert shown == [0, 1, 2]
    assert seconds >= 0.02


def test_a_turn_of_the_loop_shows_one_view_and_passes_over_those_who_have_seen_it() -> None:
    async def run() -> list[list[str]]:
        turns, shown, seen = Turns(), list[str](), list[list[str]]()
        turns.wake([partial(_show, shown, "a"), lambda: False, lambda: False, partial(_show, shown, "b")])
        turns.wake([lambda: False])
        for _ in range(5):
            await asyncio.sleep(0)
            seen.append(list(shown))
        turns.wake([partial(_show, shown, "c")])
        await asyncio.sleep(0)
        return [*seen, shown]

    assert asyncio.run(run()) == [["a"], ["a", "b"], ["a", "b"], ["a", "b"], ["a", "b"], ["a", "b", "c"]]


def test_views_are_shown_at_once_when_the_answer_is_given() -> None:
    async def run() -> float:
        turns, done = Turns(), asyncio.Event()
        clock = asyncio.get_running_loop().time

        def show() -> bool:
            done.set()
            return True

        with turns.answer():
            turns.wake([show])
            await asyncio.sleep(0)
        begun = clock()
        await done.wait()
        return clock() - begun

    assert min(asyncio.run(run()) for _ in range(5)) < 0.015
