"""Commands come in order; views come after answers, one at a time, and never much later."""

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


def test_commands_are_worked_out_one_after_the_other_in_the_order_in_which_they_came() -> None:
    async def run() -> list[str]:
        turns, done = Turns(), list[str]()

        async def command(name: str) -> None:
            with turns.answer() as turn:
                await turn.begin()
                done.append(f"{name} begins")
                for _ in range(3):
                    await asyncio.sleep(0)
            done.append(f"{name} is answered")

        await asyncio.gather(*(command(name) for name in "abc"))
        return done

    assert asyncio.run(run()) == [f"{name} {what}" for name in "abc" for what in ("begins", "is answered")]


def test_the_next_command_begins_while_the_disk_works() -> None:
    async def run() -> list[str]:
        turns, stored, done = Turns(), asyncio.Event(), list[str]()

        async def slow() -> None:
            with turns.answer() as turn:
                await turn.begin()
                turn.end()
                await stored.wait()
                done.append("slow")

        async def quick() -> None:
            with turns.answer() as turn:
                await turn.begin()
                done.append("quick")
                stored.set()

        await asyncio.gather(slow(), quick())
        return done

    assert asyncio.run(run()) == ["quick", "slow"]


def test_whoever_leaves_the_queue_or_the_house_holds_nobody_up() -> None:
    async def run() -> float:
        turns = Turns()

        async def command() -> None:
            with turns.answer() as turn:
                await turn.begin()

        with turns.answer() as first:
            await first.begin()
            leaving, staying = asyncio.create_task(command()), asyncio.create_task(command())
            await asyncio.sleep(0)
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)
        begun = asyncio.get_running_loop().time()
        await staying
        with turns.answer() as last:
            last.end()
            await last.begin()  # given up before it began: it needs no turn
        await command()
        return asyncio.get_running_loop().time() - begun

    assert min(asyncio.run(run()) for _ in range(5)) < 0.04


def test_a_command_that_is_held_up_holds_up_the_others_only_for_a_moment() -> None:
    async def run() -> bool:
        turns = Turns()
        with turns.answer() as stuck:
            await stuck.begin()
            with turns.answer() as other:
                async with asyncio.timeout(5):
                    await other.begin()
            with turns.answer() as another:
                async with asyncio.timeout(5):
                    await another.begin()
        with turns.answer() as after:
            await after.begin()
            return turns.working is after

    assert asyncio.run(run())
