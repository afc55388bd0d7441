"""The columns of the files that reports write: the same whether there are rows or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from croupier.documents import Columns

__all__ = ["AWARDS", "DECKS", "FIGURES", "METERS", "ROUNDS", "RULINGS"]


def _columns(text: str = "", /, **others: type) -> dict[str, type]:
    return dict.fromkeys(text.split(), str) | others


FIGURES: Final[Columns] = {
    **_columns("table opening fills credits drop closing win chips_in chips_out handle handle_reversed returned paid"),
    **_columns("paid_reversed win_by_play in_play owed difference hand_paid hand_paid_reversed win_after_hand_pays"),
    **_columns("held", hold=float, win_of_handle=float),
    **_columns("hold_exact win_of_handle_exact", rounds=int, rounds_void=int, theo=float),
    **_columns("theo_exact win_with_theo coupons", standard_deviation=float, standard_deviation_at_most=float),
    **_columns(z=float, z_at_least=float, chance_on_a_bell_curve=float, chance_at_most=float, beyond_chance=bool),
    **_columns("warnings cash_flags"),
}
METERS: Final[Columns] = {
    **_columns("account opening contributions awards taken_back resets seeded closing difference", hits=int)
}
RULINGS: Final[Columns] = {
    **_columns("table", round=int),
    **_columns("at irregularity clause", reading=int),
    **_columns("void", seat=int),
    **_columns("by_role by_id name refunded"),
}
DECKS: Final[Columns] = {
    **_columns("table deck back received inspected inspected_by verified verified_by placed"),
    **_columns(hours_in_play=float, loaded=int),
    **_columns("removed condemned clause", reading=int),
}
AWARDS: Final[Columns] = {
    **_columns("table", round=int, seat=int),
    **_columns("patron name hand staked amount meter", percent=int),
    **_columns("status won_at verified_by verified_at validated_by validated_at paid_by paid_at paid_from reference"),
    **_columns("flags"),
}
ROUNDS: Final[Columns] = {
    **_columns("table", round=int),
    **_columns("opened closed rules", void=bool),
    **_columns("round_staked round_paid hands clauses irregularities", first_entry=int, last_entry=int, seat=int),
    **_columns("patron name staked paid"),
}
"""A row for each seat of a round."""
