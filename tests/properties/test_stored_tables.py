"""A table with a store behind it, with each engine: closed, reopened, sent everything twice, it is the same table."""

import asyncio

import pytest

from croupier.errors import Conflict, RuleViolation, StoreError, Unopened
from croupier.money import Cents
from croupier.store import check_ledger
from croupier.store.values import StoredLine
from croupier.table import Request, commands
from support.folder_host import digest
from support.stores import ANN, StoredEvening, StorePlace

STREAM = "table/1"


async def lines_of(evening: StoredEvening) -> list[StoredLine]:
    """The record as it is stored, without what is sealed anew each time."""
    return [line._replace(sealed=None) for line in await evening.store.load(STREAM)]


async def books_of(evening: StoredEvening) -> list[object]:
    """What is kept beside the record."""
    names = ("posting", "account", "total", "round", "played", "command")
    return [sorted(map(repr, await evening.store.read(f"select * from {name}"))) for name in names]


async def reopened(evening: StoredEvening) -> None:
    await evening.close()
    await evening.open()


def test_a_table_that_is_reopened_after_every_command_plays_the_same_evening(
    in_sqlite: StorePlace, in_postgres: StorePlace
) -> None:
    """The undisturbed evening is in a file, the disturbed one in PostgreSQL, and both write the same lines."""

    async def run() -> None:
        plain, broken = StoredEvening(in_sqlite), StoredEvening(in_postgres)
        await plain.open()
        await plain.play(14)
        await broken.open()
        in_round = 0
        for _ in range(14):
            await broken.play(1)
            before = broken.table
            await reopened(broken)
            assert broken.table == before
            assert digest(broken.table) == digest(before)  # the cards that nobody has seen, too
            in_round += broken.table.round is not None
        assert in_round >= 8
        assert plain.table.played >= 2
        assert digest(broken.table) == digest(plain.table)
        assert await lines_of(broken) == await lines_of(plain)
        assert await books_of(broken) == await books_of(plain)
        await plain.close()
        await broken.close()

    asyncio.run(run())


def test_a_table_resumes_in_mid_round_with_the_same_cards(place: StorePlace) -> None:
    async def run() -> None:
        evening = StoredEvening(place)
        await evening.open()
        await evening.play(5)
        before = evening.table
        assert before.round is not None
        assert before.round.faces.known
        await reopened(evening)
        assert evening.table == before
        assert digest(evening.table) == digest(before)
        await evening.play(10)
        assert evening.table.played >= 2
        assert await evening.store.read("select count(*) from round") == [(evening.table.played,)]
        assert await evening.store.read("select count(*) from secret") == [(1,)]
        sums = await evening.store.read("select unit, sum(amount) from account group by unit order by unit")
        assert sums == [("cents", 0), ("meter", 0)]
        await evening.close()

    asyncio.run(run())


def test_a_round_begins_with_its_first_bet_also_after_that_was_changed_and_the_table_reopened(
    place: StorePlace,
) -> None:
    async def run() -> None:
        evening = StoredEvening(place)
        await evening.open()
        await evening.play(3)
        bet = evening.given[-1]
        assert isinstance(bet.command, commands.PlaceWager)
        more = commands.PlaceWager(1, "ante", Cents(2_000))
        await evening.handle(Request(ANN, bet.at, more, key="more"))
        assert evening.stored is not None
        before = evening.stored.round_entries
        await reopened(evening)
        assert evening.stored.round_entries == before
        while evening.table.played == 0:
            await evening.play(1)
        assert (await check_ledger(evening.store)).problems == ()
        await evening.close()

    asyncio.run(run())


def test_another_command_under_a_used_key_is_refused(place: StorePlace) -> None:
    async def run() -> None:
        evening = StoredEvening(place)
        await evening.open()
        await evening.play(3)
        used = evening.given[-1]
        assert isinstance(used.command, commands.PlaceWager)
        before = evening.table
        for other in (commands.TakeBack(1, "ante"), commands.StandUp("ann")):
            with pytest.raises((Conflict, RuleViolation)):
                await evening.handle(Request(ANN, used.at, other, key=used.key))
        assert evening.table is before
        await evening.close()

    asyncio.run(run())


def test_a_long_record_opens_through_a_snapshot_and_gives_the_same_table(place: StorePlace) -> None:
    async def run() -> None:
        evening = StoredEvening(place)
        await evening.open()
        while evening.table.seq <= 2_000:
            await evening.play(1)
        await evening.play(2)
        expected = digest(evening.table)
        assert await evening.store.read("select count(*) from snapshot") == [(2,)]

        async def damage(seq: int, byte: int) -> None:
            """Change one bit of a snapshot."""
            store = await place.open()
            ((state,),) = await store.read("select state from snapshot where seq = $1", seq)
            changed = bytearray(state)
            changed[byte] ^= 1
            await store.engine.execute("update snapshot set state = $1 where seq = $2", bytes(changed), seq)
            await store.close()

        async def opens_from(entry: int) -> None:
            await evening.open()
            assert digest(evening.table) == expected
            assert evening.stored is not None
            assert evening.stored._snapshot == entry  # noqa: SLF001 - nothing else shows what it was read from
            await evening.close()

        (newest,), (older,) = await evening.store.read("select seq from snapshot order by seq desc")
        await evening.close()
        await opens_from(newest)
        for byte in (7, 30, -400, -1):
            await damage(newest, byte)
            await opens_from(older)
        place.change(f"update snapshot set hash = substr(hash, 2) where seq = {older}")
        await opens_from(0)
        place.change("delete from snapshot")
        await opens_from(0)

    asyncio.run(run())


# --- keys


def test_without_the_key_everything_can_be_read_but_nothing_dealt(place: StorePlace) -> None:
    async def run() -> None:
        evening = StoredEvening(place)
        await evening.open()
        await evening.play(6)
        lines = await evening.store.load(STREAM)
        await evening.close()
        place.key.unlink()
        for write in (True, False):
            store = await place.open(write=write)
            assert not store.can_deal
            assert await store.load(STREAM) == lines
            await store.close()
        with pytest.raises(Unopened, match="the house's key is missing"):
            await evening.open()
        await evening.close()

    asyncio.run(run())


def test_another_key_is_refused_in_one_line(place: StorePlace) -> None:
    async def run() -> None:
        evening = StoredEvening(place)
        await evening.open()
        await evening.play(6)
        await evening.close()
        place.key.write_text("00" * 32)
        with pytest.raises(StoreError, match=r"^the house's key given here is not the one of this store$"):
            await evening.open()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("key", "mode", "message"),
    [("00" * 32, 0o644, "others can read this key"), ("a key", 0o600, "is not a key: 64 hexadecimal digits")],
)
def test_a_key_that_is_not_private_or_not_a_key_is_refused(
    place: StorePlace, key: str, mode: int, message: str
) -> None:
    async def run() -> None:
        await (await place.open()).close()
        place.key.write_text(key)
        place.key.chmod(mode)
        with pytest.raises(StoreError, match=message):
            await place.open()

    asyncio.run(run())
