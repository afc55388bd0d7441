"""Settlement against a second one that was written from the documents alone and shares no code but cards."""

import random

import pytest

from croupier.games import check_round_by, read_report, settle_round
from croupier.present import settled_json
from croupier.rulebook import check, read_submission, rulebook_ids
from support import naive_settlement, slices
from support.agreement import compared
from support.random_rounds import random_round, random_submission


def agree(rulebook: str, *, submissions: int) -> None:
    """Twenty rounds under each of so many submissions."""
    dice = random.Random(5)
    for _ in range(submissions):
        submission = random_submission(dice, rulebook)
        verdict = check(read_submission(submission))
        assert verdict.house is not None, verdict.findings
        for _ in range(20):
            round_ = random_round(dice, submission)
            checked = check_round_by(verdict.house, read_report(round_))
            settled = settle_round(checked.house, checked.hands, checked.table_cards, checked.meters)
            assert compared(settled_json(settled, [])) == compared(naive_settlement.settle(round_)), round_


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_random_rounds_settle_as_a_second_settlement_says(rulebook: str) -> None:
    """100,000 of each rulebook in full, 200 in a slice."""
    agree(rulebook, submissions=slices.count(full=5_000, sliced=10))
