"""A Hypothesis state machine over a round: it shrinks what the rounds of chance can only find."""

import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from croupier.errors import RuleViolation
from croupier.games import Event, Round, admits, apply, awaiting, legal_actions, open_round, problem, rebuild
from croupier.rulebook import HouseRules
from support import slices
from support.random_play import BOOKS, Book, random_action, random_house, sample
from support.random_rounds import random_deck


class RoundMachine(RuleBasedStateMachine):
    house: HouseRules
    state: Round

    @initialize(book=st.sampled_from(BOOKS), seed=st.integers(0, 10_000))
    def open(self, book: str, seed: int) -> None:
        dice = random.Random(seed)
        self.house = random_house(dice, book)
        self.deck = random_deck(dice)
        self.state = open_round(self.house)
        self.events: list[Event] = []

    @precondition(lambda self: not self.state.is_closed)
    @rule(data=st.data(), seed=st.integers(0, 2**32))
    def what_is_offered_is_accepted(self, data: st.DataObject, seed: int) -> None:
        offered = legal_actions(self.state)
        assert offered, f"nothing is allowed: {awaiting(self.state)}"
        kinds = sorted({one.do for one in offered})
        kind = data.draw(st.sampled_from(kinds), label="kind")
        action = sample(
            random.Random(seed), random.Random(seed).choice([one for one in offered if one.do == kind]), self.deck
        )
        self.state, events = apply(self.state, action)
        self.events += events

    @rule(seed=st.integers(0, 2**32))
    def what_is_not_offered_is_refused_and_changes_nothing(self, seed: int) -> None:
        action: Any = random_action(random.Random(seed))
        offered = legal_actions(self.state)
        before, reason = self.state, problem(self.state, action)
        if reason is not None:
            with pytest.raises(RuleViolation) as refused:
                apply(self.state, action)
            violation = refused.value
            assert not any(admits(offer, action) for offer in offered), action
            assert (reason.code, reason.clause, str(reason)) == (violation.code, violation.clause, str(violation))
            assert self.state == before
        else:
            self.state, events = apply(self.state, action)
            assert any(admits(offer, action) for offer in offered), action
            self.events += events

    @invariant()
    def events_rebuild_it_and_money_is_conserved(self) -> None:
        if not hasattr(self, "state"):
            return
        assert rebuild(self.house, self.events) == self.state
        book = Book(self.house)
        for event in self.events:
            book.post(event, meters=False)  # the meters were asked with values of chance
        held = sum(amount for box in self.state.boxes for _, amount in box.staked)
        settled = sum(one.staked - one.won - one.returned for box in self.state.boxes for one in box.results)
        open_ = held - sum(one.staked for box in self.state.boxes for one in box.results)
        extra: int = sum(one.won for box in self.state.boxes for one in box.envy)
        extra += sum(box.coupon_result.won for box in self.state.boxes if box.coupon_result)
        assert book.tray == settled + open_ - extra


TestRounds = RoundMachine.TestCase
TestRounds.settings = settings(max_examples=slices.count(full=150, sliced=50), stateful_step_count=60, deadline=None)
