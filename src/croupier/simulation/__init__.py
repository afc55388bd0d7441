"""Rounds by the million: compiled kernels on the house rules, which agree with `croupier.games` to the cent.

| step | |
|---|---|
| `Plan(house=…, seats=(sit(1, ante=1000), …), strategy="optimal", mistakes=0, seed=0)` | what is played; checked |
| `simulate(plan, rounds, start=0)` | a `Tally`: how often each end of a round came about, and who won what beside it |
| `play_by(plan, decide, rounds, start=0)` | the same by a function, which is asked at each decision |
| `merge(tallies)` | one tally of adjoining parts, bit for bit that of one run |
| `figures(plan, tally)` | sums in whole cents per wager, box and meter |

A round depends on the seed and its number alone, so work can be split anywhere. A tally is made of whole numbers and
can be sent between processes; sums are made from it at the end, with the meters run through all rounds in order.

>>> from croupier.rulebook import check, read_submission
>>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
>>> plan = Plan(house=house, seats=(sit(1, ante=1000),), seed=7)
>>> whole = simulate(plan, 3000)
>>> merge([simulate(plan, 2000, start=1000), simulate(plan, 1000)]) == whole
True
>>> box = figures(plan, whole).boxes[0]
>>> box.sums.rounds, box.wagers[0].sums.staked
(3000, 3000000)
"""

from croupier.simulation.custom.decision_point import Decide, DecisionPoint
from croupier.simulation.custom.user_strategy import play_by
from croupier.simulation.figures import BoxFigures, Figures, MoneySums, WagerFigures, figures
from croupier.simulation.meters.run import JackpotHit, MeterRun
from croupier.simulation.plan import Plan, Seat, sit
from croupier.simulation.run import Prize, Tally, merge, simulate

__all__ = [
    "BoxFigures",
    "Decide",
    "DecisionPoint",
    "Figures",
    "JackpotHit",
    "MeterRun",
    "MoneySums",
    "Plan",
    "Prize",
    "Seat",
    "Tally",
    "WagerFigures",
    "figures",
    "merge",
    "play_by",
    "simulate",
    "sit",
]
