"""Rounds by the million: compiled kernels on the house rules, which agree with `croupier.games` to the cent.

| step | |
|---|---|
| `Plan(house=…, seats=(sit(1, ante=1000), …), strategy="optimal", mistakes=0, seed=0)` | what is played; checked |
| `simulate(plan, rounds, start=0)` | a `Tally`: how often each end of a round came about, and who won what beside it |
| `first_rounds(plan, rounds)` | the same for a few rounds at once, before the compiler has been at work |
| `is_ready(plan)` | whether the compiler has been at work |
| `play_by(plan, decide, rounds, start=0)` | the same by a function, which is asked at each decision |
| `merge(tallies)` | one tally of consecutive parts, bit for bit that of one run |
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

from croupier.simulation.bankroll import Visits, check_bankroll, visits_of
from croupier.simulation.custom.decision_point import DecisionFunction, DecisionPoint
from croupier.simulation.custom.user_strategy import play_by
from croupier.simulation.exact_edges import Exact, ExpectedWin, exact_edges, expected_win, long_run_edges
from croupier.simulation.figures import BoxFigures, Figures, MoneySums, WagerFigures, figures
from croupier.simulation.history import History, HistoryStopped, keep_history, largest_stake, opening_stake
from croupier.simulation.hold import Calendar, Hold, HoldShare, check_buy_in, hold_of
from croupier.simulation.meters.history import LinkHistory, MeterHistory, award_rows, history_of
from croupier.simulation.meters.linked_tables import LinkedTables, LinkStopped, play_link
from croupier.simulation.meters.run import JackpotHit, MeterRun
from croupier.simulation.mixed_table import MixedTable
from croupier.simulation.parallel import (
    Interrupted,
    cores,
    own_cluster,
    parts_of,
    play_on_cluster,
    run_on_cluster,
    run_parts,
)
from croupier.simulation.plan import Plan, Seat, box_stakes, sit
from croupier.simulation.report import MeterReport, WagerReport, report_envy, report_meters, report_wagers
from croupier.simulation.run import Prize, Tally, first_rounds, is_ready, merge, simulate
from croupier.simulation.sample import NINETY_NINE, Sample, quantiles, sample_of, supported_quantiles
from croupier.simulation.scripted_rounds import ScriptedRound, places_in_order, write_scripts

__all__ = [
    "NINETY_NINE",
    "BoxFigures",
    "Calendar",
    "DecisionFunction",
    "DecisionPoint",
    "Exact",
    "ExpectedWin",
    "Figures",
    "History",
    "HistoryStopped",
    "Hold",
    "HoldShare",
    "Interrupted",
    "JackpotHit",
    "LinkHistory",
    "LinkStopped",
    "LinkedTables",
    "MeterHistory",
    "MeterReport",
    "MeterRun",
    "MixedTable",
    "MoneySums",
    "Plan",
    "Prize",
    "Sample",
    "ScriptedRound",
    "Seat",
    "Tally",
    "Visits",
    "WagerFigures",
    "WagerReport",
    "award_rows",
    "box_stakes",
    "check_bankroll",
    "check_buy_in",
    "cores",
    "exact_edges",
    "expected_win",
    "figures",
    "first_rounds",
    "history_of",
    "hold_of",
    "is_ready",
    "keep_history",
    "largest_stake",
    "long_run_edges",
    "merge",
    "opening_stake",
    "own_cluster",
    "parts_of",
    "places_in_order",
    "play_by",
    "play_link",
    "play_on_cluster",
    "quantiles",
    "report_envy",
    "report_meters",
    "report_wagers",
    "run_on_cluster",
    "run_parts",
    "sample_of",
    "simulate",
    "sit",
    "supported_quantiles",
    "visits_of",
    "write_scripts",
]
