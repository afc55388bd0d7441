"""Every event changes a table in a known way, or in no way that anybody forgot."""

from typing import Final, get_args

from croupier.games import events as round_events
from croupier.table import Table
from croupier.table import events as table_events
from croupier.table.folds import PARTS
from croupier.table.folds.house import HOUSE

BOOKS_ALONE: Final = {table_events.TrayFilled, table_events.TrayCredited, table_events.PlayerBoughtIn}
NOTED: Final = {
    table_events.DeckDueSoon,
    table_events.HoldingsReported,
    table_events.CoverAllColumnFixed,
    table_events.AwardNotVerified,
    table_events.GestureShown,
}


def test_an_event_without_a_fold_moves_money_alone_or_is_only_noted() -> None:
    folded = {kind for folds in PARTS.values() for kind in folds} | set(HOUSE) | set(get_args(round_events.Recorded))
    assert set(get_args(table_events.Event)) - folded == {table_events.TableCreated, *BOOKS_ALONE, *NOTED}


def test_every_part_of_a_table_has_its_fold() -> None:
    assert set(PARTS) <= set(Table.__struct_fields__)
    for part, folds in PARTS.items():
        assert folds, part
        assert set(folds) <= set(get_args(table_events.Event)), part
