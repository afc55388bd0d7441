"""A priced wager as a certificate that others can check: rules, counts, method, figures, and a hash of it all.

The form is described in docs/certificates.md, from which an independent checker was written.
"""

from __future__ import annotations

import hashlib
import re
from fractions import Fraction
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier import __version__
from croupier.analysis.cases import BASE, CUSTOM, Case, cases_of, is_documented, streets_of, wager_of, wagers_of
from croupier.analysis.certificate_issue import Issue, check_issue
from croupier.analysis.outcomes import Outcomes, outcomes_of
from croupier.analysis.prices import Price
from croupier.errors import Malformed
from croupier.money import Cents, format_dollars, parse_dollars
from croupier.rulebook import Rulebook, find_rulebook
from croupier.rulebook.schema import Line
from croupier.wire import clip

__all__ = [
    "SCHEMA",
    "Certificate",
    "case_of",
    "certificate_of",
    "check_arithmetic",
    "check_recount",
    "read_certificates",
]

SCHEMA: Final = "croupier/certificate/1"
_NUMBER: Final = re.compile(r"-?\d{1,400}(/[1-9]\d{0,399})?")


class CertifiedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A line, and how many of the `hands` fall on it."""

    hand: str
    pays: str
    count: str


class CertifiedOutcome(Struct, frozen=True, forbid_unknown_fields=True):
    """A net result in units, and how many of the `deals` end in it."""

    net: str
    count: str


class Certificate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One certified wager. Numbers are strings: counts outgrow what some programs can hold, figures are fractions."""

    schema: str
    made_by: str
    rulebook: str
    rulebook_hash: str
    wager: str
    paytable: str
    clause: str
    unit: str
    case: dict[str, str]
    rules: dict[str, Any]
    method: str
    hands: str
    lines: tuple[CertifiedLine, ...]
    deals: str
    outcomes: tuple[CertifiedOutcome, ...]
    figures: dict[str, str]
    hash: str = ""
    issued: Issue | None = None


def certificate_of(case: Case, record: Price) -> Certificate:
    """The certificate of one of a case's records."""
    asked = {"tie_rule": record.tie_rule, "players": record.players, "variant": record.variant}
    paper = Certificate(
        schema=SCHEMA,
        made_by=f"croupier {__version__}",
        rulebook=case.book.id,
        rulebook_hash=case.book.hash,
        wager=record.wager,
        paytable=record.paytable,
        clause=record.clause if is_documented(case) else CUSTOM,
        unit=record.unit,
        case={name: str(value) for name, value in asked.items() if value is not None},
        rules=_rules(case, record),
        method=record.method,
        hands=str(record.total),
        lines=tuple(CertifiedLine(line.hand, line.pays, str(line.combinations)) for line in record.lines),
        deals=str(record.outcomes.total),
        outcomes=tuple(CertifiedOutcome(str(net), str(count)) for net, count in record.outcomes.counts),
        figures=_figures(record),
    )
    return replace(paper, hash=_hash(paper))


def read_certificates(text: str) -> tuple[Certificate, ...]:
    """One certificate or a list of them, from JSON."""
    try:
        if text.lstrip().startswith("["):
            return msgspec.json.decode(text, type=tuple[Certificate, ...])
        return (msgspec.json.decode(text, type=Certificate),)
    except msgspec.MsgspecError as error:
        raise Malformed(f"not a certificate: {error}") from None


def case_of(paper: Certificate) -> Case:
    """The case that a certificate names; a malformed one raises whatever error it causes.

    Under a clause of the document the pays and rules are the document's own, whatever the certificate claims; only a
    custom certificate is taken at its word.
    """
    book, rules = find_rulebook(paper.rulebook, paper.rulebook_hash), paper.rules
    if book is None:
        raise Malformed(f"no {paper.rulebook} with the hash {clip(paper.rulebook_hash, 13)} is installed")
    cases = [case for case in cases_of(book) if case.wager == paper.wager]
    if not cases:
        raise Malformed(f"{book.id} has no such wager: {', '.join(wagers_of(book))}")
    case = _custom_case(paper, cases) if paper.clause == CUSTOM else _printed_case(paper, cases)
    meters = {str(name): parse_dollars(str(amount)) for name, amount in dict(rules.get("meters", {})).items()}
    envy = case.envy and "envy_per_other_player" in paper.figures
    changed = replace(
        case, stake=_stake(paper, case), meters=meters, envy=envy, ace_low=rules.get("ace_low") is not False
    )
    return changed if paper.clause == CUSTOM or is_documented(changed) else replace(changed, ace_low=True)


def _printed_case(paper: Certificate, cases: list[Case]) -> Case:
    for case in cases:
        if case.table.id == paper.paytable and case.table.players == paper.rules.get("players"):
            return case
    ids = ", ".join(dict.fromkeys(case.table.id for case in cases))
    raise Malformed(
        f"{paper.rulebook} prints no such {paper.wager} paytable: {ids}; any other has the clause {CUSTOM!r}"
    )


def _custom_case(paper: Certificate, cases: list[Case]) -> Case:
    """A paytable that no document prints, from the lines of a certificate."""
    shape = (paper.rules.get("players"), paper.rules.get("evaluator"))
    like = next((case for case in cases if (case.table.players, _evaluator(case)) == shape), cases[0])
    lines = tuple(Line(hand=line["hand"], pays=line["pays"]) for line in paper.rules["lines"])
    stakes = (str(paper.rules["stake"]),) if like.table.stakes else ()  # pays are written for the certificate's stake
    table = replace(like.table, id=paper.paytable, clause=CUSTOM, line=lines, stakes=stakes)
    return replace(like, table=table, main=table if like.wager == BASE else like.main, envy=False)


def _evaluator(case: Case) -> str | None:
    return None if case.wager == BASE else case.table.evaluator or wager_of(case.book, case.wager).evaluator


def _stake(paper: Certificate, case: Case) -> Cents:
    if "stake" not in paper.rules:
        return case.stake
    stake = parse_dollars(str(paper.rules["stake"]))
    printed = [parse_dollars(text) for text in case.table.stakes]
    is_free = paper.clause == CUSTOM or not printed or wager_of(case.book, case.wager).stake_approval
    if not is_free and stake not in printed:
        raise Malformed(f"{case.table.id} is printed for stakes of {' or '.join(case.table.stakes)}")
    return stake


def check_recount(paper: Certificate, recount: Certificate) -> list[str]:
    """Where a certificate differs from one that was priced again."""
    fields = ("clause", "unit", "method", "hands", "lines", "deals", "outcomes", "figures")
    differ = [f"{name} differs from a recount" for name in fields if getattr(paper, name) != getattr(recount, name)]
    source = "as custom rules" if recount.clause == CUSTOM else f"by {recount.clause} of {paper.rulebook}"
    rules = [
        f"rules.{name} is {_shown(paper.rules.get(name))}; {source} it is {_shown(recount.rules.get(name))}"
        for name in dict.fromkeys([*recount.rules, *paper.rules])
        if name != "lines" and paper.rules.get(name) != recount.rules.get(name)
    ]
    return _changed_pays(paper, recount, source) + rules + differ


def _changed_pays(paper: Certificate, recount: Certificate, source: str) -> list[str]:
    ours, theirs = ({line["hand"]: line["pays"] for line in rules["lines"]} for rules in (recount.rules, paper.rules))
    changed = [
        f"{_shown(hand)} pays {_shown(theirs.get(hand, 'nothing'))}; {source} it pays {ours.get(hand, 'nothing')}"
        for hand in dict.fromkeys([*ours, *theirs])
        if theirs.get(hand) != ours.get(hand)
    ]
    return changed or (
        ["rules.lines are in a different order"] if paper.rules["lines"] != recount.rules["lines"] else []
    )


def _shown(value: object) -> str:
    return "missing" if value is None else clip(str(value), 60)


def check_arithmetic(paper: Certificate) -> list[str]:
    """What is wrong with a certificate on its own: the hash, the sums, the figures."""
    wrong = [] if paper.schema == SCHEMA else [f"schema {paper.schema!r} is not supported: use {SCHEMA!r}"]
    wrong += [] if paper.hash == _hash(paper) else ["the hash does not match the content"]
    wrong += check_issue(paper.issued, paper.hash) if paper.issued else []
    counts = [*(outcome.count for outcome in paper.outcomes), *(line.count for line in paper.lines)]
    fractions = [*(outcome.net for outcome in paper.outcomes), *paper.figures.values()]
    odd = [number for number in (*counts, *fractions) if not _NUMBER.fullmatch(number)]
    odd += [count for count in counts if "/" in count]
    if odd:
        return [*wrong, f"not a whole number, or not a fraction: {clip(repr(odd[0]), 40)}"]
    outcomes = outcomes_of((Fraction(outcome.net), int(outcome.count)) for outcome in paper.outcomes)
    hands = sum(int(line.count) for line in paper.lines)
    given = {name: Fraction(figure) for name, figure in paper.figures.items()}
    if str(hands) != paper.hands:
        wrong.append(f"the lines add up to {hands:,}, not to {paper.hands}")
    if str(outcomes.total) != paper.deals:
        wrong.append(f"the outcomes add up to {outcomes.total:,}, not to {paper.deals}")
    if not outcomes.counts:
        return [*wrong, "there are no outcomes"]
    return wrong + [
        f"{name} is {figure}, not {given.get(name)}"
        for name, figure in _moments(outcomes).items()
        if given.get(name) != figure
    ]


def _moments(outcomes: Outcomes) -> dict[str, Fraction]:
    return {"house_edge": -outcomes.mean, "variance": outcomes.variance, "third_moment": outcomes.moment(3)}


def _figures(record: Price) -> dict[str, str]:
    figures = _moments(record.outcomes) | {"hit_frequency": record.hit}
    if record.average_wager is not None and record.element_of_risk is not None:
        figures |= {"average_wager": record.average_wager, "element_of_risk": record.element_of_risk}
    if record.fixed_return is not None:
        figures["fixed_return"] = record.fixed_return
    for meter in record.meters:
        figures |= {f"coefficient_{meter.name}": meter.coefficient, f"break_even_{meter.name}": meter.break_even}
    if record.envy is not None:
        figures["envy_per_other_player"] = record.envy
    return {name: str(figure) for name, figure in figures.items()}


def _hash(paper: Certificate) -> str:
    """SHA-256 over the certificate without its hash and its issue: keys sorted, no spaces, UTF-8."""
    content = {name: value for name, value in msgspec.to_builtins(paper).items() if name not in {"hash", "issued"}}
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()


def _rules(case: Case, record: Price) -> dict[str, Any]:
    """Everything a recount needs, without the rulebook."""
    lines = [{"hand": line.hand, "pays": line.pays} for line in record.lines[: len(case.table.line)]]
    if case.wager == BASE:
        return _decisions(case.book) | {"lines": lines}
    wager = wager_of(case.book, case.wager)
    rules: dict[str, Any] = {"game": "hands", "evaluator": _evaluator(case), "lines": lines}
    rules |= {"stake": format_dollars(case.stake), "collected": wager.collected is not None}
    if record.meters:
        rules["meters"] = {meter.name: format_dollars(meter.value) for meter in record.meters}
    if record.players is not None:
        return rules | {"game": "highest_of", "players": record.players}
    if record.variant == "forfeit_on_fold":
        main = [{"hand": line.hand, "pays": line.pays} for line in case.main.line]
        return rules | {"game": "hands_not_folded", "main": _decisions(case.book) | {"lines": main}}
    return rules | ({"ace_low": case.ace_low} if rules["evaluator"] in {"three_card", "straight_flush"} else {})


def _decisions(book: Rulebook) -> dict[str, Any]:
    """The decisions of a main game."""
    game = streets_of(book)
    if game is not None:
        return {"game": "streets", "first": game.first, "adds": list(game.adds), "fold": game.fold}
    qualify = book.play.qualify
    if qualify is None:
        raise ValueError(f"{book.id}: it has neither streets nor a dealer's hand")
    most = {
        str(length): limit.times
        for limit in book.play.raise_limit
        for length in range(limit.shortest, limit.longest + 1)
    }
    return {
        "game": "against_dealer",
        "qualifier": {"length": qualify.length, "ranks": list(qualify.ranks)},
        "most_raise": most,
    }
