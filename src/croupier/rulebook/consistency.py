"""Whether the files of a rulebook are consistent: each problem with its file and key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_args

from croupier.errors import Malformed
from croupier.money import Dollars, For, Pay, Share, To, parse_dollars, parse_pay
from croupier.rulebook import names, schema
from croupier.rulebook.cited_values import citations, row_label
from croupier.rulebook.law import BESIDE, FILES
from croupier.rulebook.lines import HANDS
from croupier.rulebook.options import option_problem

__all__ = ["problems_of"]

UNKNOWN_TO_SOME: Final = {"order_shuffle", "cancel_wager"}
"""Commands that not every document knows."""


def problems_of(book: schema.Rulebook, folder: Path, *, readings: set[int]) -> list[str]:
    """Everything in a rulebook that is inconsistent."""
    problems = (
        *_identity(book, folder),
        *_citing(book, readings),
        *_naming(book),
        *_paying(book),
        *_ordering(book),
        *_choosing(book),
        *_unique(book),
        *_staffing(book),
        *_references(book),
    )
    return [f"{folder / file}: {key}: {problem}" for file, key, problem in problems]


Problems = Iterator[tuple[str, str, str]]


def _identity(book: schema.Rulebook, folder: Path) -> Problems:
    state, game = folder.parent.parent.name, folder.parent.name
    if book.id != f"{state}-{game}":
        yield "source.toml", "id", f"{book.id!r} is in the folder of '{state}-{game}'"
    if book.source.game.replace("_", "-") != game:
        yield "source.toml", "game", f"{book.source.game!r} is in the folder of {game!r}"
    if book.edition != folder.name:
        yield "source.toml", "date", f"{book.edition!r} is in the folder of {folder.name!r}"
    for path in sorted(folder.glob("*.toml")):
        if path.stem not in (*FILES, *BESIDE):
            yield path.name, "file", f"unknown file; the files are {', '.join((*FILES, *BESIDE))}"
    seen = set()
    for clause in book.clauses:
        if clause.id in seen:
            yield "clauses.toml", clause.id, "the clause appears twice"
        seen.add(clause.id)
        if clause.kind == "physical" and not clause.note:
            yield "clauses.toml", clause.id, "it has no effect in software, and no note says why"


def _citing(book: schema.Rulebook, readings: set[int]) -> Problems:
    known = {clause.id for clause in book.clauses}
    for table in book.paytables.paytable:
        for line in table.line:
            if line.clause and line.clause not in known:
                yield (
                    "paytables.toml",
                    f"paytable[{row_label(table, 0)}].line",
                    f"cites {line.clause!r}, which is not a clause here",
                )
            if line.reading is not None and line.reading not in readings:
                yield (
                    "paytables.toml",
                    f"paytable[{row_label(table, 0)}].line",
                    f"reading {line.reading} does not exist",
                )
    for file, key, cited in citations(book):
        for clause in (cited.clause, *cited.also):
            if clause not in known:
                yield file, key, f"cites {clause!r}, which is not a clause of this document"
        for reading in (cited.reading, getattr(cited, "stakes_reading", None)):
            if reading is not None and reading not in readings:
                yield file, key, f"cites reading {reading}, which does not exist"


def _naming(book: schema.Rulebook) -> Problems:
    wagers = [wager.name for wager in book.wagers.wager]
    options = {option.rule.name for option in book.options}
    for wager in book.wagers.wager:
        for requirement in wager.requires:
            if requirement.wager not in wagers:
                yield "wagers.toml", f"wager[{wager.name}].requires", f"{requirement.wager} is not a wager here"
        if wager.needs and wager.needs.option and wager.needs.option not in options:
            yield "wagers.toml", f"wager[{wager.name}].needs.option", f"{wager.needs.option} is not an option here"
        if wager.fold and wager.fold.option and wager.fold.option not in options:
            yield "wagers.toml", f"wager[{wager.name}].fold.option", f"{wager.fold.option} is not an option here"
        if not any(table.group == wager.paytables for table in book.paytables.paytable):
            yield "wagers.toml", f"wager[{wager.name}].paytables", f"{wager.paytables} has no paytable"
    settled = [name for name in (*book.play.settlement.order, *book.play.settlement.last) if name != "envy"]
    if sorted(settled) != sorted(wagers):
        yield "play.toml", "settlement.order", f"settles {sorted(settled)}, but the wagers are {sorted(wagers)}"
    for script in book.dealing.script:
        if script.option and script.option not in options:
            yield "dealing.toml", f"script[{script.title}].option", f"{script.option} is not an option here"
    for choice in book.play.choice:
        if choice.undecided not in choice.choices:
            yield "play.toml", f"choice[{choice.decision}].undecided", f"{choice.undecided} is not one of its choices"
    for reveal in book.play.reveal:
        if reveal.offered is not None and reveal.offered not in wagers:
            yield "play.toml", f"reveal[{row_label(reveal, 0)}].offered", f"{reveal.offered} is not a wager here"
    for row in book.irregularities.irregularity:
        if row.instead is not None and row.instead.option not in options:
            key = f"irregularity[{row.event}].instead"
            yield "irregularities.toml", key, f"{row.instead.option} is not an option here"
    methods = {deal.method for deal in book.table.deal}
    for file, key, used in (
        ("dealing.toml", "script", {script.deal for script in book.dealing.script}),
        ("dealing.toml", "before_deal", {act.deal for act in book.dealing.before_deal}),
        ("table.toml", "stub_count", {count.deal for count in book.table.stub_count}),
        ("table.toml", "deck_hours", {deal for hours in book.table.deck_hours for deal in hours.deal}),
    ):
        if used != methods:
            yield file, key, f"covers {sorted(used)}, but the dealing methods are {sorted(methods)}"


def _staffing(book: schema.Rulebook) -> Problems:
    """Every command has someone who may give it, except those that a document does not have."""
    ranks = book.procedure.ranks.order
    given = {duty.do for duty in book.procedure.duty}
    for missing in sorted(set(get_args(names.Duty)) - given - UNKNOWN_TO_SOME):
        yield "procedure.toml", "duty", f"{missing} is missing: who gives this command?"
    for duty in book.procedure.duty:
        if not duty.by and duty.least is None:
            yield "procedure.toml", f"duty[{duty.do}]", "nobody may give this command: name `by` or `least`"
        if duty.least is not None and duty.least not in ranks:
            yield "procedure.toml", f"duty[{duty.do}].least", f"{duty.least} is not one of {', '.join(ranks)}"


def _paying(book: schema.Rulebook) -> Problems:
    seen = set()
    evaluators = {wager.paytables: wager.evaluator for wager in book.wagers.wager}
    for table in book.paytables.paytable:
        key = f"paytable[{row_label(table, 0)}]"
        if key in seen:
            yield "paytables.toml", key, "the paytable appears twice"
        seen.add(key)
        if table.group not in evaluators:
            yield "paytables.toml", key, f"no wager is paid by {table.group}"
            continue
        yield from _lines(key, table.line, table.evaluator or evaluators[table.group])
        meters = {pay.meter for pay in _pays(table.line) if isinstance(pay, Share)}
        given = {minimum.meter for minimum in book.paytables.minimum if minimum.paytable == table.id}
        if table.group == "progressive" and meters != given:
            yield "paytables.toml", key, f"pays the meters {sorted(meters)}, but the minimums are for {sorted(given)}"
    progressive = {table.id: table for table in book.paytables.paytable if table.group == "progressive"}
    for envy in book.paytables.envy:
        key = f"envy[{row_label(envy, 0)}]"
        if envy.paytable not in progressive or envy.stake not in progressive[envy.paytable].stakes:
            yield "paytables.toml", key, "no progressive paytable has this id and stake"
            continue
        evaluator = progressive[envy.paytable].evaluator or evaluators.get("progressive")
        if evaluator is None:
            yield "paytables.toml", key, "no wager is paid by progressive paytables"
            continue
        yield from _lines(key, envy.line, evaluator)
        if not all(isinstance(pay, Dollars) for pay in _pays(envy.line)):
            yield "paytables.toml", key, "envy is paid in dollars"
    for amount_key, amount in _amounts(book):
        try:
            if parse_dollars(amount) == 0:
                yield *amount_key, "an amount must be more than $0"
        except Malformed as error:
            yield *amount_key, str(error)


def _lines(key: str, lines: tuple[schema.Line, ...], evaluator: str) -> Problems:
    allowed = HANDS[evaluator]  # type: ignore[index]
    hands = [line.hand for line in lines]
    for line in lines:
        if line.hand not in allowed:
            yield "paytables.toml", f"{key}.line", f"{line.hand} is not a {evaluator} hand"
        elif hands.count(line.hand) > 1:
            yield "paytables.toml", f"{key}.line", f"{line.hand} appears twice"
        try:
            if str(parse_pay(line.pays)) != line.pays:
                yield "paytables.toml", f"{key}.line", f"write {line.pays!r} as {str(parse_pay(line.pays))!r}"
        except Malformed as error:
            yield "paytables.toml", f"{key}.line", str(error)


def _pays(lines: tuple[schema.Line, ...]) -> Iterator[Pay]:
    for line in lines:
        try:
            yield parse_pay(line.pays)
        except Malformed:
            continue  # named by _lines


def _amounts(book: schema.Rulebook) -> Iterator[tuple[tuple[str, str], str]]:
    for minimum in book.paytables.minimum:
        if minimum.amount is not None:
            yield ("paytables.toml", f"minimum[{minimum.paytable} {minimum.meter}]"), minimum.amount
        if minimum.warn_below is not None:
            yield ("paytables.toml", f"minimum[{minimum.paytable} {minimum.meter}].warn_below"), minimum.warn_below
    for table in book.paytables.paytable:
        for stake in table.stakes:
            yield ("paytables.toml", f"paytable[{row_label(table, 0)}].stakes"), stake
    for wager in book.wagers.wager:
        if wager.suggested_minimum is not None:
            yield ("wagers.toml", f"wager[{wager.name}].suggested_minimum"), wager.suggested_minimum
    if book.play.payout_limit.amount is not None:
        yield ("play.toml", "payout_limit.amount"), book.play.payout_limit.amount


def _has_cents(stake: str) -> bool:
    try:
        return bool(parse_dollars(stake) % 100)
    except Malformed:
        return False  # named by _paying


def _ordering(book: schema.Rulebook) -> Problems:
    """Lines go from the strongest hand down, so that each can be reached; odds fit how the stake is held."""
    for wager in book.wagers.wager:
        for table in book.paytables.paytable:
            if table.group != wager.paytables:
                continue
            key = f"paytable[{row_label(table, 0)}].line"
            order = list(HANDS[table.evaluator or wager.evaluator])
            places = [order.index(line.hand) for line in table.line if line.hand in order]
            if places != sorted(places):
                yield "paytables.toml", key, "the lines are not in order from the strongest hand down"
            wrong = To if wager.collected else For
            if any(isinstance(pay, wrong) for pay in _pays(table.line)):
                kept = "collected before the deal" if wager.collected else "left on the layout"
                yield "paytables.toml", key, f"{wrong.__name__.lower()} 1 does not fit a stake that is {kept}"
        if any(requirement.wager == wager.name for requirement in wager.requires):
            yield "wagers.toml", f"wager[{wager.name}].requires", "a wager cannot require itself"
    for limit in book.play.raise_limit:
        if limit.shortest > limit.longest:
            yield "play.toml", "raise_limit", f"from {limit.shortest} to {limit.longest} cards: the range is empty"


def _unique(book: schema.Rulebook) -> Problems:
    """No row appears twice, and no dealing method has two rules for a deck's hours."""
    keys = [
        *((file, key) for file, key, _ in citations(book)),
        *(("options.toml", option.rule.name) for option in book.options),
        *(("table.toml", f"deck_hours, {deal}") for hours in book.table.deck_hours for deal in hours.deal),
    ]
    for (file, key), times in Counter(keys).items():
        if times > 1 and not key.startswith("paytable["):  # named by _paying
            yield file, key, "appears twice"


def _references(book: schema.Rulebook) -> Problems:
    """Names refer to something that exists, and a wager has what its kind requires."""
    wagers = {wager.name: wager for wager in book.wagers.wager}
    for file, key, cited in citations(book):
        offered = getattr(cited, "offered", None)
        if offered is not None and not isinstance(cited, schema.Wager) and offered not in wagers:
            yield file, f"{key}.offered", f"{offered} is not a wager here"
    for name in book.play.payout_limit.wagers:
        if name not in wagers:
            yield "play.toml", "payout_limit.wagers", f"{name} is not a wager here"
    for choice in book.play.choice:
        if choice.decision not in wagers:
            yield "play.toml", f"choice[{choice.decision}]", f"{choice.decision} is not a wager here"
    decisions = {choice.decision for choice in book.play.choice}
    for reveal in book.play.reveal:
        if reveal.after not in decisions:
            yield "play.toml", f"reveal[after {reveal.after}]", f"{reveal.after} is not a decision here"
    groups = {wager.paytables for wager in book.wagers.wager}
    for chosen in book.paytables.choice:
        if chosen.group not in groups:
            yield "paytables.toml", f"choice[{chosen.group}]", f"no wager is paid by {chosen.group}"
    progressive = {table.id for table in book.paytables.paytable if table.group == "progressive"}
    for minimum in book.paytables.minimum:
        if minimum.paytable not in progressive:
            key = f"minimum[{row_label(minimum, 0)}]"
            yield "paytables.toml", key, f"no progressive paytable is {minimum.paytable}"
    for table in book.paytables.paytable:
        key = f"paytable[{row_label(table, 0)}]"
        if not table.line:
            yield "paytables.toml", key, "it has no line"
        if table.group != "progressive" and any(isinstance(pay, Share) for pay in _pays(table.line)):
            yield "paytables.toml", f"{key}.line", "only the progressive pays a share of a meter"
        fixed = any(wager.stake == "fixed" and wager.paytables == table.group for wager in wagers.values())
        if not table.stakes and fixed:
            yield "paytables.toml", f"{key}.stakes", "its wager has a fixed stake, and none is given"
        if table.group == "progressive" and any(map(_has_cents, table.stakes)):
            yield "paytables.toml", f"{key}.stakes", "a progressive stake is in whole dollars, which keeps meters exact"
    if sum(bool(wager.limits_key) for wager in book.wagers.wager) != 1:
        yield "wagers.toml", "wager.limits_key", "exactly one wager, the main one, must have it"
    for wager in book.wagers.wager:
        if (wager.stake == "multiple") != bool(wager.multiples):
            yield (
                "wagers.toml",
                f"wager[{wager.name}].multiples",
                "a wager has them exactly if its stake is a multiple",
            )
    for shuffle in book.table.shuffle:
        if shuffle.approval_required and shuffle.approval is None:
            yield "table.toml", f"shuffle[{shuffle.method}].approval", "an approval is required, and none is named"
    if not book.table.shuffle:
        yield "table.toml", "shuffle", "there is no shuffle method"
    if ("envy" in book.play.settlement.last) != (book.play.envy is not None):
        yield "play.toml", "settlement.last", "envy is settled where there are rules for it, and only there"
    for clause in book.clauses:
        if not (clause.id.strip() and clause.summary.strip()):
            yield "clauses.toml", clause.id or "id", "a clause has an id and a summary"


def _choosing(book: schema.Rulebook) -> Problems:
    """A group of several paytables has a clause that chooses one; defaults are allowed values."""
    choices = {choice.group for choice in book.paytables.choice}
    for wager in book.wagers.wager:
        tables = {table.id for table in book.paytables.paytable if table.group == wager.paytables}
        if (len(tables) > 1 or wager.offered == "option") and wager.paytables not in choices:
            yield "paytables.toml", "choice", f"no clause says who chooses among the paytables of {wager.paytables}"
    for option in book.options:
        if problem := option_problem(option.rule, option.default):
            yield "options.toml", option.rule.name, problem
