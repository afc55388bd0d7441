"""A gaming floor around the rounds: evenings by the whole procedure, with irregularities and what they cost."""

from croupier.floor.assumptions import Floor, floor_of
from croupier.floor.evening import Evening, RoundSpan, open_evening
from croupier.floor.load import EVENING, Happened, LoadPlan, LoadRecord, LoadSums, merge, play_evenings, play_parts

__all__ = [
    "EVENING",
    "Evening",
    "Floor",
    "Happened",
    "LoadPlan",
    "LoadRecord",
    "LoadSums",
    "RoundSpan",
    "floor_of",
    "merge",
    "open_evening",
    "play_evenings",
    "play_parts",
]
