"""Settlement against a second one that was written from the documents alone and shares no code but cards."""

import random

import pytest

from croupier.games import lawful_in, read_described, settle_round
from croupier.present import settled_json
from croupier.rulebook import check, read_submission, rulebook_ids
from support import naive_settlement
from support.agreement import compared
from support.random_rounds import random_round, random_submission


def agree(rulebook: str, *, seed: int, submissions: int, rounds: int) -> None:
    dice = random.Random(seed)
    for _ in range(submissions):
        submission = random_submission(dice, rulebook)
        verdict = check(read_submission(submission))
        assert verdict.house is not None, verdict.findings
        for _ in range(rounds):
            round_ = random_round(dice, submission)
            lawful = lawful_in(verdict.house, read_described(round_))
            settled = settle_round(lawful.house, lawful.hands, lawful.shown, lawful.meters)
            assert compared(settled_json(settled, [])) == compared(naive_settlement.settle(round_)), round_


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_5_000_random_rounds(rulebook: str) -> None:
    agree(rulebook, seed=4, submissions=250, rounds=20)


@pytest.mark.torture
@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_100_000_random_rounds(rulebook: str) -> None:
    agree(rulebook, seed=5, submissions=5_000, rounds=20)
