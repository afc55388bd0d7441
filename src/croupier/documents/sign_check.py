"""Whether the posted sign says what a document lets a house post instead of inscribing it on the cloth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from croupier.documents.house_words import printed_pay
from croupier.documents.sign import Sign, printed_hand, wagers_title
from croupier.games import rules_of
from croupier.present import dollars, line_words, listed, titled
from croupier.rulebook import HouseRules, HouseWager

__all__ = ["TOPICS", "is_of_limit", "sign_lacks"]


def sign_lacks(house: HouseRules, posted: Sign, wanted: str) -> list[str]:
    """What a sign lacks of what a notice wants, in words; a notice about nothing known is lacking as a whole.

    >>> from croupier.documents.particulars import Particulars
    >>> from croupier.documents.sign import sign_of
    >>> from croupier.rulebook import check, read_submission
    >>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
    >>> posted = sign_of(house, Particulars())
    >>> sign_lacks(house, posted, "Payout odds of every wager, and what street wagers are.")
    []
    """
    looked = [look for words, look in TOPICS.items() if words in wanted.lower()]
    return [lacking for look in looked for lacking in look(house, posted)] if looked else [wanted]


def is_of_limit(wanted: str) -> bool:
    """Whether a notice is about the payout limit."""
    return "payout limit" in wanted.lower()


def _pays(house: HouseRules, posted: Sign) -> Iterator[str]:
    """Every line of every paytable of every wager offered, with what it pays."""
    groups: dict[str, list[HouseWager]] = {}
    for wager in house.wagers:
        groups.setdefault(wager.paytables[0].group, []).append(wager)
    for wagers in groups.values():
        title = wagers_title([wager.name for wager in wagers])
        rows = {row[0]: row[1:] for panel in posted.panels if panel.title == title for row in panel.rows}
        for table in wagers[0].paytables:
            for line in table.line:
                if printed_pay(house, wagers[0], line) not in rows.get(printed_hand(line.hand), ()):
                    yield f"what {line_words(line.hand)} of {title} pays"
        for line in wagers[0].envy.line if wagers[0].envy is not None else ():
            if line.pays not in rows.get(printed_hand(line.hand), ()):
                yield f"the envy bonus for {line_words(line.hand)}"


def _streets(house: HouseRules, posted: Sign) -> Iterator[str]:
    """How large the bets are that are multiples of another."""
    following = [wager for wager in house.wagers if wager.multiples]
    said = " ".join(rule.text for rule in posted.notices if rule.title == wagers_title([row.name for row in following]))
    for times in dict.fromkeys(times for wager in following for times in wager.multiples):
        if f"{times}x" not in said.replace(",", "").split():
            yield f"that {listed(titled(wager.name) for wager in following)} may be {times}x"


def _limit(house: HouseRules, posted: Sign) -> Iterator[str]:
    """The payout limit, where there is one and a wager that it covers."""
    covered = any(wager.name in rules_of(house).limited for wager in house.wagers)
    if house.payout_limit is not None and covered:
        amount = dollars(house.payout_limit)
        if not any(f"at most {amount} on " in rule.text for rule in posted.notices):
            yield f"the payout limit of {amount}"


TOPICS: Final[dict[str, Callable[[HouseRules, Sign], Iterator[str]]]] = {
    "payout odds": _pays,
    "street wagers": _streets,
    "payout limit": _limit,
}
"""What a notice is about, by words in it, and what looks whether the sign says it."""
