"""A laid-out plan as the arrays of its kernel."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import StreetGame, streets_of
from croupier.analysis.flush import flush_rules
from croupier.errors import Malformed
from croupier.games import card_counts
from croupier.rulebook.names import WagerName
from croupier.simulation.kernels.compiled_plan import CompiledPlan
from croupier.simulation.kernels.decision_tables import flush_acts, street_acts
from croupier.simulation.kernels.flushes import Flushes, flushes_kernel
from croupier.simulation.kernels.jit import Kernel
from croupier.simulation.kernels.judging import poker_tables, suit_tables
from croupier.simulation.kernels.prizes import Prizes
from croupier.simulation.kernels.streams import MOST_CARDS
from croupier.simulation.kernels.streets import StreetTable, streets_kernel

__all__ = ["Playable", "playable"]

Array: TypeAlias = NDArray[Any]


class Playable(NamedTuple):
    """A kernel and the table that it plays."""

    kernel: Kernel
    table: StreetTable | Flushes


def playable(layout: CompiledPlan) -> Playable:
    """The kernel for a plan, and its table."""
    if layout.plan.by_hand:
        raise Malformed(f"{layout.plan.strategy}: a function decides round by round, and no kernel can ask it")
    game = streets_of(layout.plan.house.rulebook)
    made = (
        Playable(flushes_kernel(), _flushes(layout))
        if game is None
        else Playable(streets_kernel(), _streets(layout, game))
    )
    if made.table.cards > MOST_CARDS:
        raise Malformed(f"{made.table.cards} cards a round: at most {MOST_CARDS} can be dealt")
    return made


def _staked(layout: CompiledPlan, wager: WagerName) -> bool:
    return any(name == wager for seat in layout.seats for name, _ in seat.stakes)


def _prizes(layout: CompiledPlan) -> Prizes:
    house, rule, metered = layout.plan.house, layout.plan.house.rulebook.play.envy, layout.rules.metered
    name = metered.name if metered else None
    patrons = [seat.patron or f"seat {seat.number}" for seat in layout.seats]
    return Prizes(
        share=layout.share,
        meter=layout.meter,
        envy=layout.envy,
        bets=np.array([any(staked == name for staked, _ in seat.stakes) for seat in layout.seats]),
        patrons=np.array([patrons.index(patron) for patron in patrons], dtype=np.int64),
        forfeits=bool(layout.metered >= 0 and layout.pays.forfeits[layout.metered]),
        after_fold=house.options.envy_after_fold,
        folded_holder=bool(rule and rule.folded_holder),
        must_bet=house.options.envy_holder_must_bet,
    )


def _streets(layout: CompiledPlan, game: StreetGame) -> StreetTable:
    house, prizes = layout.plan.house, _prizes(layout)
    counts = card_counts(house)
    metered = layout.source_of[layout.metered] if prizes.bets.any() else -1
    five, three, six, cover = layout.sources
    used = {source for name, source in zip(layout.names, layout.source_of, strict=True) if _staked(layout, name)}
    board = counts["community"]
    cards = board + game.first * len(layout.seats) + (6 - game.first) * (2 in used)
    return StreetTable(
        poker=poker_tables(),
        acts=street_acts(house, layout.plan.strategy),
        prizes=prizes,
        five=five.classes[:, 0].copy(),
        three=three.classes,
        six=six.classes,
        cover=cover.classes[:, 0].copy(),
        sizes=np.array([source.size for source in layout.sources], dtype=np.int64),
        seats=len(layout.seats),
        own=game.first,
        board=board,
        cards=cards,
        adds=np.array([0, *game.adds], dtype=np.int64),
        least=0 if game.fold else 1,
        mistakes=layout.plan.mistakes,
        look_folded=(metered == 0 and not prizes.forfeits) or 3 in used,
        three_own=any(layout.rules.judged[name] == "own" for name in layout.names),
        six_used=2 in used,
        three_used=1 in used or metered == 1,
        cover_used=3 in used,
        count_folded=house.options.cover_all_count_folded,
        no_cover=int(np.argmax(cover.lines.get("cover_all", (0,)))),  # the class on the last line, which loses
        metered=metered,
    )


def _flushes(layout: CompiledPlan) -> Flushes:
    house, prizes = layout.plan.house, _prizes(layout)
    qualifier, most = flush_rules(house.rulebook)
    _, flush, run = layout.sources
    return Flushes(
        suits=suit_tables(ace_low=house.options.hcf_ace_low),
        acts=flush_acts(house, layout.plan.strategy),
        prizes=prizes,
        flush=flush.classes[:, 0].copy(),
        run=run.classes,
        flush_size=flush.size,
        seats=len(layout.seats),
        cards=7 * (len(layout.seats) + 1),
        most=np.array(most, dtype=np.int64),
        qualifier=qualifier,
        mistakes=layout.plan.mistakes,
        metered=bool(prizes.bets.any()),
    )
