"""Training for dealers: random rounds of a house, dealt and settled by the engine, and what a trainee says of them.

>>> from croupier.rulebook import check, read_submission
>>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
>>> drill = drill_of(house, seed=7)
>>> drill == drill_of(house, seed=7)
True
>>> score(drill, right_answers(drill)).mistakes
()
"""

from croupier.training.drill import Drill, OrderTask, PayTask, SeatTask, drill_of
from croupier.training.evening import EveningRecord, TrainingStep
from croupier.training.rounds import PlayedRound, play_round
from croupier.training.scoring import Answers, Mistake, PayAnswer, Score, right_answers, score

__all__ = [
    "Answers",
    "Drill",
    "EveningRecord",
    "Mistake",
    "OrderTask",
    "PayAnswer",
    "PayTask",
    "PlayedRound",
    "Score",
    "SeatTask",
    "TrainingStep",
    "drill_of",
    "play_round",
    "right_answers",
    "score",
]
