"""A starting submission for a rulebook: valid, commented, every choice with its clause."""

from __future__ import annotations

import json
from collections.abc import Iterator

from croupier.money import format_dollars
from croupier.rulebook.checks.seats import MAIN_DEFAULT, SIDE_DEFAULT
from croupier.rulebook.pays import SUGGESTED_METER
from croupier.rulebook.schema import Cited, OptionValue, Rulebook, Wager

__all__ = ["starting_submission"]


def starting_submission(book: Rulebook, *, every_wager: bool = False) -> str:
    """The text of a submission that passes the check; with `every_wager` each wager is offered.

    >>> from croupier.rulebook import load_rulebook
    >>> print(starting_submission(load_rulebook("md-high-card-flush")).splitlines()[0])
    # Rules Submission: High Card Flush, Maryland (Standard Rules, undated).
    """
    return "\n".join(_lines(book, every_wager=every_wager)) + "\n"


def _lines(book: Rulebook, *, every_wager: bool) -> Iterator[str]:
    source = book.source
    optional = [wager for wager in book.wagers.wager if wager.offered == "option"]
    main = next(wager for wager in book.wagers.wager if wager.limits_key)
    yield f"# Rules Submission: {source.title}, {source.jurisdiction} ({source.edition})."
    yield "# Lines starting with # are optional wagers or defaults. Check it with: croupier submission check FILE"
    yield ""
    yield f'rulebook = "{source.id}"'
    yield f'# edition = "{book.edition}"    # keeps this edition when a newer one is published'
    yield 'operator = "Your house"'
    seats = min([book.table.seats.maximum, *(fewer.maximum for fewer in book.table.seats.fewer if every_wager)])
    yield f"seats = {seats}{_by(book.table.seats, f'at most {book.table.seats.maximum}')}"
    if book.table.boxes.limit == "submission":
        yield f"boxes = 1{_by(book.table.boxes, 'adjacent boxes per player')}"
    yield ""
    yield f"[limits.{main.limits_key}]"
    yield f'minimum = "{format_dollars(MAIN_DEFAULT.minimum)}"'
    yield f'maximum = "{format_dollars(MAIN_DEFAULT.maximum)}"'
    yield f'increment = "{format_dollars(MAIN_DEFAULT.increment)}"'
    yield ""
    yield from _cards(book, every_wager=every_wager)
    if any(choice.group == "base" for choice in book.paytables.choice):
        yield "[wagers.base]"
        yield _paytable(book, "base")
        yield ""
    for wager in optional:
        for line in _wager(book, wager):
            yield line if every_wager or not line else f"# {line}"
    yield "[approvals]                      # approval references from the Commission"
    for name, cited in _approvals(book):
        yield f'# {name} = "reference"{_by(cited, "")}'
    yield ""
    yield "[papers]                         # printed on the sign and the other papers; no rule depends on it"
    yield '# version = "1"'
    yield '# date = "2026-11-17"'
    yield '# help_line = "The problem gambling help line of the state, with its number"'
    yield '# address = "https://house.example/tables/1"    # for a QR code'
    yield '# logo = "logo.svg"    # beside this file'
    yield ""
    yield "[readings]                       # options, with their defaults"
    for option in book.options:
        rule = option.rule
        values = (
            ", ".join(rule.values) or {"bool": "true, false", "count": f"{rule.minimum} to {rule.maximum}"}[rule.type]
        )
        yield f"# {rule.about}"
        yield f"# {option.clause}, reading {rule.reading}: {values}."
        yield f"# {rule.name} = {_toml(option.default, labels=rule.type == 'labels')}"


def _by(cited: Cited, words: str) -> str:
    reading = f", reading {cited.reading}" if cited.reading else ""
    return f"    # {words + ': ' if words else ''}{cited.clause}{reading}"


def _paytable(book: Rulebook, group: str) -> str:
    ids = list(dict.fromkeys(table.id for table in book.paytables.paytable if table.group == group))
    choice = next(choice for choice in book.paytables.choice if choice.group == group)
    return f'paytable = "{ids[0]}"{_by(choice, " ".join(ids))}'


def _cards(book: Rulebook, *, every_wager: bool) -> Iterator[str]:
    needs = [wager.needs for wager in book.wagers.wager if wager.needs is not None and every_wager]
    shuffles = [shuffle for need in needs for shuffle in need.shuffle] or (
        ["automated_counting"] if needs else ["manual"]
    )
    deals = [deal for need in needs for deal in need.deal] or ["manual_shoe"]
    yield "[cards]"
    yield f"decks = 1{_by(book.table.decks.second, 'two with an automated shuffler')}"
    yield f'shuffle = "{shuffles[0]}"    # {" ".join(row.method for row in book.table.shuffle)}'
    yield f'deal = "{deals[0]}"    # {" ".join(row.method for row in book.table.deal)}'
    for rule in book.table.deck_hours:
        if rule.hours is None:
            yield f"deck_hours = 8{_by(rule, 'as approved')}"
        elif deals[0] in rule.deal:
            yield f"# deck_hours = {rule.hours}{_by(rule, f'at most {rule.hours} when dealt this way')}"
    if any(need.cover_all_mode for need in needs):
        yield "cover_all_mode = true"
    yield ""


def _wager(book: Rulebook, wager: Wager) -> Iterator[str]:
    yield f"[wagers.{wager.name}]{_by(wager, '')}"
    yield _paytable(book, wager.paytables)
    table = next(table for table in book.paytables.paytable if table.group == wager.paytables)
    if wager.stake == "fixed":
        yield f'stake = "{table.stakes[0]}"    # {" or ".join(table.stakes)}'
    else:
        yield f'minimum = "{wager.suggested_minimum or format_dollars(SIDE_DEFAULT.minimum)}"'
        yield f'maximum = "{format_dollars(SIDE_DEFAULT.maximum)}"'
    if wager.name == "progressive":
        for minimum in book.paytables.minimum:
            if minimum.paytable == table.id:
                amount = minimum.amount or SUGGESTED_METER
                words = f"at least {amount}" if minimum.amount else "as approved"
                yield f"[wagers.progressive.meters.{minimum.meter}]{_by(minimum, words)}"
                yield f'initial = "{amount}"'
                yield f'reset = "{amount}"'
                yield f'rate = "0.10"{_by(book.paytables.rate or minimum, "share of each stake")}'
    yield ""


def _approvals(book: Rulebook) -> Iterator[tuple[str, Cited]]:
    if book.table.layout_approval is not None:
        yield "layout", book.table.layout_approval
    devices = [(row.approval, row) for row in book.table.shuffle] + [(row.approval, row) for row in book.table.deal]
    yield from {name: cited for name, cited in reversed(devices) if name is not None}.items()
    if any(minimum.amount is None for minimum in book.paytables.minimum):
        yield "progressive", book.paytables.minimum[0]


def _toml(value: OptionValue, *, labels: bool) -> str:
    return "{}" if labels else json.dumps(value)
