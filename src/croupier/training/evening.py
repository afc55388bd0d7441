"""A trainee's evening: rounds, streaks, and which steps go wrong."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from croupier.training.scoring import Score

__all__ = ["EveningRecord", "TrainingStep"]


class TrainingStep(Struct, frozen=True):
    """How often a step was asked for, and how often it was right."""

    step: str
    asked: int
    right: int

    @property
    def wrong(self) -> int:
        """How often it was wrong."""
        return self.asked - self.right


class EveningRecord(Struct, frozen=True, kw_only=True):
    """What somebody did in training tonight."""

    rounds: int = 0
    perfect: int = 0
    streak: int = 0
    """Rounds without a mistake, up to the last one."""
    best: int = 0
    """The longest streak."""
    points: int = 0
    most: int = 0
    steps: tuple[TrainingStep, ...] = ()
    scored: tuple[str, ...] = ()
    """The rounds that were scored, so that none counts twice."""

    def after(self, score: Score, name: str) -> EveningRecord:
        """The record with another round; one that was scored before changes nothing."""
        if name in self.scored:
            return self
        streak = self.streak + 1 if score.is_perfect else 0
        known = {step.step: step for step in self.steps}
        for step, asked in score.asked.items():
            old = known.get(step, TrainingStep(step, 0, 0))
            known[step] = TrainingStep(step, old.asked + asked, old.right + score.right.get(step, 0))
        return replace(
            self,
            rounds=self.rounds + 1,
            perfect=self.perfect + score.is_perfect,
            streak=streak,
            best=max(self.best, streak),
            points=self.points + score.points,
            most=self.most + score.most,
            steps=tuple(known.values()),
            scored=(*self.scored, name)[-500:],
        )

    @property
    def weakest(self) -> list[TrainingStep]:
        """The steps that went wrong, the worst first."""
        wrong = [step for step in self.steps if step.wrong]
        return sorted(wrong, key=lambda step: (-step.wrong / step.asked, -step.wrong, step.step))
