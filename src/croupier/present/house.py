"""The house rules a submission results in, in words."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.present.amounts import dollars
from croupier.present.names import counted, line_words, spoken
from croupier.present.sheets import Sheet, sheet
from croupier.rulebook import HouseRules, HouseWager, format_rate, say_value

__all__ = ["house_sheets"]


def house_sheets(house: HouseRules) -> list[Sheet]:
    """Return every wager, the table and every option, decided."""
    wagers = [
        (spoken(wager.name), wager.paytables[0].id, _stakes(wager), "; ".join(_extras(wager))) for wager in house.wagers
    ]
    defaults = {option.rule.name: option.default for option in house.rulebook.options}
    options = [
        (name, say_value(value), "" if value == defaults[name] else f"default {say_value(defaults[name])}")
        for name, value in house.readings.items()
    ]
    return [
        sheet(("wager", "paytable", "bet", ""), wagers),
        sheet(("table", ""), _table(house)),
        sheet(("option", "", ""), options),
    ]


def _table(house: HouseRules) -> Iterator[tuple[str, str]]:
    boxes = "1 box" if house.boxes == 1 else f"{house.boxes} boxes"
    yield "seats", f"{house.seats}, {boxes} per player"
    shuffle = f"{spoken(house.shuffle)} shuffle, dealt from {spoken(house.deal)}"
    yield "cards", f"{counted(house.decks, 'deck')}, {shuffle}; a deck lasts {house.deck_hours} h"
    if house.payout_limit is not None:
        yield "payout limit", f"{dollars(house.payout_limit)} per hand"
    if house.handpay_threshold is not None:
        yield "hand pay", f"from {dollars(house.handpay_threshold)}"
    if house.match_play:
        yield "match play", f"coupons pay {house.match_play}"
    for name, reference in house.approvals:
        yield "approval", f"{spoken(name)}: {reference}"


def _stakes(wager: HouseWager) -> str:
    if wager.stakes is None:
        return (
            f"{' or '.join(f'{times}x' for times in wager.multiples)} ante" if wager.multiples else "as the hand allows"
        )
    low, high = dollars(wager.stakes.minimum), dollars(wager.stakes.maximum)
    return low if low == high else f"{low} to {high}"


def _extras(wager: HouseWager) -> Iterator[str]:
    for meter in wager.meters:
        amounts = f"starts at {dollars(meter.initial)}, resets to {dollars(meter.reset)}"
        yield f"{meter.name} meter {amounts}, contribution {format_rate(meter.rate)}"
    if wager.envy is not None:
        yield "envy " + ", ".join(f"{line_words(line.hand)} {line.pays}" for line in wager.envy.line)
    if wager.link:
        yield f"linked as {wager.link}"
