"""The compiled kernels say what the readable definitions say."""

from collections.abc import Callable, Sequence
from itertools import combinations, islice, pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier import hands
from croupier.cards import DECK, Card
from croupier.errors import CardError
from croupier.hands import batch, tables
from support import slices

SAMPLES = slices.count(full=100_000, sliced=8_000)


def test_all_five_card_hands() -> None:
    ladder = batch.five_card_ladder()
    every = combinations(DECK, 5)
    seen = 0
    for block in batch.all_hands(5):
        for strength, cards in zip(batch.five_card(block).tolist(), islice(every, len(block)), strict=True):
            assert ladder[strength] == hands.five_card(cards)
            seen += 1
    assert seen == 2_598_960


@pytest.mark.parametrize("ace_low", [True, False])
def test_all_three_card_hands(*, ace_low: bool) -> None:
    ladder = batch.three_card_ladder(ace_low=ace_low)
    (block,) = batch.all_hands(3)
    for strength, cards in zip(batch.three_card(block, ace_low=ace_low).tolist(), combinations(DECK, 3), strict=True):
        assert ladder[strength] == hands.three_card(cards, ace_low=ace_low)


def test_random_six_card_hands() -> None:
    ladder = batch.six_card_ladder()
    sample = random_hands(6)
    for strength, cards in zip(batch.six_card(sample).tolist(), as_cards(sample), strict=True):
        assert ladder[strength] == hands.six_card(cards)


def test_random_seven_card_hands() -> None:
    sample = random_hands(7)
    flushes = batch.longest_flush(sample).tolist()
    runs = batch.longest_straight_flush(sample).tolist()
    high_runs = batch.longest_straight_flush(sample, ace_low=False).tolist()
    quads = batch.four_of_a_kind(sample).tolist()
    for flush, run, high_run, quad, cards in zip(flushes, runs, high_runs, quads, as_cards(sample), strict=True):
        assert batch.read_flush(flush) == hands.longest_flush(cards)
        assert batch.read_straight_flush(run) == hands.longest_straight_flush(cards)
        assert batch.read_straight_flush(high_run) == hands.longest_straight_flush(cards, ace_low=False)
        assert quad == hands.four_of_a_kind(cards)


def test_rare_hands_that_a_sample_misses() -> None:
    """Every hand of one suit, of six and of seven cards, and every seven cards with four of a kind."""
    for six in combinations(DECK[1::4], 6):
        assert batch.six_card_ladder()[judge_one(batch.six_card, six)] == hands.six_card(six)
    for seven in combinations(DECK[2::4], 7):
        assert batch.read_flush(judge_one(batch.longest_flush, seven)) == hands.longest_flush(seven)
        run = judge_one(batch.longest_straight_flush, seven)
        assert batch.read_straight_flush(run) == hands.longest_straight_flush(seven)
    for rank in range(13):
        quads = DECK[4 * rank : 4 * rank + 4]
        rest = [card for card in DECK if card not in quads][:: 7 - rank % 5]
        for others in combinations(rest, 3):
            assert judge_one(batch.four_of_a_kind, quads + others)


@pytest.mark.parametrize(
    ("size", "judge", "ladder"),
    [
        (3, batch.three_card, batch.three_card_ladder),
        (5, batch.five_card, batch.five_card_ladder),
        (6, batch.six_card, batch.six_card_ladder),
    ],
)
def test_every_strength_occurs_and_orders_as_the_hands_do(
    size: int, judge: Callable[[batch.Cards], NDArray[np.uint16]], ladder: Callable[[], Sequence[object]]
) -> None:
    seen: set[int] = set()
    for block in batch.all_hands(size):
        seen |= set(np.unique(judge(block)).tolist())
    assert seen == set(range(len(ladder())))
    assert all(weaker < stronger for weaker, stronger in pairwise(ladder()))  # type: ignore[operator]


@pytest.mark.torture
def test_all_six_card_hands() -> None:
    ladder = batch.six_card_ladder()
    every = combinations(DECK, 6)
    for block in batch.all_hands(6):
        for strength, cards in zip(batch.six_card(block).tolist(), islice(every, len(block)), strict=True):
            assert ladder[strength] == hands.six_card(cards)


def test_arrays_that_are_not_hands_are_refused() -> None:
    with pytest.raises(CardError, match=r"expected uint8 of shape \(n, 5\), got int64 of shape \(1, 5\)"):
        batch.five_card(np.zeros((1, 5), dtype=np.int64))
    with pytest.raises(CardError, match="52 is not a card"):
        batch.longest_flush(np.array([[0, 1, 2, 3, 4, 5, 52]], dtype=np.uint8))
    assert len(batch.five_card(np.empty((0, 5), dtype=np.uint8))) == 0


def test_rows_need_not_lie_together_in_memory() -> None:
    sample = random_hands(7)[:1000]
    assert (batch.five_card(sample[:, 2:]) == batch.five_card(sample[:, 2:].copy())).all()
    assert (batch.five_card(sample[::3, :5]) == batch.five_card(sample[:, :5])[::3]).all()


def test_no_byte_below_52_leads_a_kernel_out_of_its_tables() -> None:
    """A row may break the promise that its cards differ; the kernel then stays inside its tables."""
    for size, table in (
        (3, tables.three_card_table(ace_low=True)),
        (5, tables.five_card_table()),
        (6, tables.six_card_table()),
    ):
        alike = np.repeat(np.arange(52, dtype=np.uint8)[:, None], size, axis=1)
        mixed = np.concatenate([np.roll(alike, shift, axis=0) for shift in range(4)] + [alike])
        sums = tables.RANK_KEYS[mixed >> 2].sum(axis=1).astype(np.int64)
        assert (table.offsets.max() + sums).max() < len(table.values)
        assert len(table.offsets) == len(table.suited) == 1 << 13


def test_a_masked_array_is_judged_by_what_it_holds() -> None:
    masked = np.ma.array([[0, 5, 10, 15, 200]], dtype=np.uint8, mask=[[False, False, False, False, True]])
    with pytest.raises(CardError, match="200 is not a card"):
        batch.five_card(masked)


def test_tables_and_ladders_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        tables.flush_table()[0] = 1
    assert isinstance(batch.five_card_ladder(), tuple)


@pytest.mark.parametrize(("size", "rows"), [(0, 10), (-1, 10), (53, 10), (5, 0)])
def test_blocks_of_nothing_are_refused(size: int, rows: int) -> None:
    with pytest.raises(CardError, match="at least one hand"):
        next(batch.all_hands(size, rows=rows))


def random_hands(size: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng(20261115)
    return rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (SAMPLES, 1)), axis=1)[:, :size].copy()


def as_cards(rows: NDArray[np.uint8]) -> list[tuple[Card, ...]]:
    return [tuple(DECK[number] for number in row) for row in rows.tolist()]


def judge_one(judge: object, cards: tuple[Card, ...]) -> int:
    return int(judge(np.array([cards], dtype=np.uint8))[0])  # type: ignore[operator]
