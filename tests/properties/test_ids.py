"""Ids of tables, links and people: whatever is allowed, the names made of them can be told apart and read back."""

import json
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from croupier.errors import Malformed, RuleViolation
from croupier.ids import LONGEST_ID, is_id
from croupier.ledger import account_named, account_of, patron_account
from croupier.rulebook import check, read_submission
from croupier.store import Link, Store, meters_in, spans_between
from croupier.store.arrays import _told, heard
from croupier.store.values import HeadMove
from croupier.table import Person, Request, commands, handle, new_table, read_request
from croupier.table.accounts import CAGE, Account, Kind
from support.desk import Desk
from support.running import here
from support.stored import LINKED, harness, seated, with_store
from support.table_harness import START

LIKE_OURS = st.sampled_from(["meter", "table", "link", "cage", "chips", "tray", "*", "7", "main", "%", "_"])
IDS = LIKE_OURS | st.text(min_size=1, max_size=LONGEST_ID).filter(is_id)
METERS = st.sampled_from(["main", "major", "minor", "meter"])
NOT_IDS = ["", " ", "a ", " a", "a/b", "/", "a|b", "a\nb", "a\x00", "\ud800", "a\u2028b", "x" * (LONGEST_ID + 1)]


@st.composite
def accounts(draw: st.DrawFn) -> tuple[str, Account]:
    """An account of a table, as any table may have it."""
    stream = f"table/{draw(IDS)}"
    kind: Kind = draw(st.sampled_from(get_args(Kind)))
    if kind == "cage":
        return stream, CAGE
    if kind == "meter":
        return stream, Account(kind, draw(METERS), draw(IDS) if draw(st.booleans()) else "")
    return stream, Account(kind, draw(IDS) if kind in {"chips", "pending", "owed"} else "")


@given(accounts(), accounts(), IDS)
def test_no_two_accounts_share_a_name_and_every_name_can_be_read(
    one: tuple[str, Account], two: tuple[str, Account], patron: str
) -> None:
    (stream, account), (other_stream, other) = one, two
    name = account_of(stream, account).name
    assert account_named(name) == account
    assert name != patron_account(patron).name
    shared = account == CAGE or account.link
    same = account == other and (shared or stream == other_stream)
    assert (name == account_of(other_stream, other).name) == bool(same)
    if not shared:
        assert name.startswith(f"{stream}/")


@given(st.lists(st.tuples(IDS, st.integers(1, 2**62)), min_size=1, max_size=5))
def test_processes_understand_each_other(moved: list[tuple[str, int]]) -> None:
    assume(len({name for name, _ in moved}) == len(moved))
    heads = [HeadMove(f"table/{name}", 1, 0, seq, b"") for name, seq in moved]
    assert heard(_told(heads)) == [(f"table/{name}", seq) for name, seq in moved]


@pytest.mark.parametrize("name", NOT_IDS, ids=repr)
def test_what_is_no_id_is_refused_at_every_door(name: str, tmp_path: Path) -> None:
    submission = read_submission(LINKED)
    house = check(submission).rules()
    with pytest.raises(Malformed, match=r"^table: .* is not an id: 1 to 60 printable characters"):
        new_table(submission, house, id=name)
    with pytest.raises(Malformed, match="is not an id"):
        read_request({"by": {"role": "dealer", "id": name}, "at": "2026-01-01T20:00:00Z", "do": "stand_up"}, house)
    if name:
        progressive = LINKED["wagers"]["progressive"]
        for link in (name, {"name": name}):
            with pytest.raises(Malformed, match=r"^wagers\.progressive\.link.* is not an id"):
                read_submission(LINKED | {"wagers": {"progressive": progressive | {"link": link}}})
    open_table = Desk(LINKED)
    open_table.seat("Ann")
    with pytest.raises((Malformed, RuleViolation)):
        handle(open_table.table, Request(Person("player", name), START, commands.Sit(2)))

    async def work(store: Store) -> None:
        with pytest.raises(Malformed, match=r"^link: .* is not an id"):
            Link(store, name)

    with_store(tmp_path, work)
    script = json.dumps({"submission": LINKED, "table": name})
    done = here("table", "run", "-", stdin=script)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)


def test_a_link_called_meter_has_one_meter(tmp_path: Path) -> None:
    """Its other side, `link/meter/meter_seeded`, is none."""

    async def work(store: Store) -> None:
        progressive = LINKED["wagers"]["progressive"] | {"link": "meter"}
        table = await harness(store, LINKED | {"wagers": {"progressive": progressive}}, name="meter")
        await seated(table, "meter", 1, 100_000)
        await table.play("meter", 1, {"ante": 1000, "progressive": 100}, ["fold"])
        figures = await meters_in(store, await spans_between(store, None, None))
        assert [figure.account for figure in figures] == ["link/meter/meter/main"]
        assert all(figure.difference == 0 for figure in figures)

    with_store(tmp_path, work)
