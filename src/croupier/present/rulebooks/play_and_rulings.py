"""A rulebook in words: dealing, decisions, settlement, irregularities, who may do what, terms and options."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.money import parse_dollars
from croupier.present.amounts import dollars
from croupier.present.citations import sources
from croupier.present.names import spoken
from croupier.present.sheets import Sheet, sheet
from croupier.rulebook import Rulebook, say_value
from croupier.rulebook.schema import Irregularity
from croupier.table import say_givers

__all__ = [
    "dealing_sheets",
    "glossary_sheet",
    "irregularity_sheet",
    "option_sheet",
    "play_sheet",
    "procedure_sheet",
]


def dealing_sheets(book: Rulebook) -> list[Sheet]:
    """Return the order of dealing, one sheet for each way to deal."""
    sheets = []
    for script in book.dealing.script:
        rows = [
            ("before", f"{spoken(act.act)}{_offered(act.offered)}", sources(act))
            for act in book.dealing.before_deal
            if act.deal == script.deal and not script.option
        ]
        rows += [
            (spoken(step.to), f"{step.cards} face down{_offered(step.offered)}", sources(step)) for step in script.step
        ]
        again = f", {script.passes} times" if script.passes > 1 else ""
        sheets.append(sheet(("to", "", "clause"), rows, title=f"{spoken(script.deal)}: {script.title}{again}"))
    return sheets


def _offered(wager: str | None) -> str:
    return f" (with {spoken(wager)})" if wager else ""


def play_sheet(book: Rulebook) -> Sheet:
    """Return decisions, reveals, limits of a raise, settlement, payout limit, envy and rules of conduct."""
    play = book.play
    rows = [("decision", f"{spoken(row.decision)}: {_spoken(row.choices)}", sources(row)) for row in play.choice]
    rows += [("reveal", f"{spoken(row.slot)} after {spoken(row.after)}", sources(row)) for row in play.reveal]
    for limit in play.raise_limit:
        cards = f"{limit.shortest}" if limit.shortest == limit.longest else f"{limit.shortest} to {limit.longest}"
        rows.append(("raise", f"{cards} cards: up to {limit.times}x", sources(limit)))
    if play.qualify:
        least = f"qualifies with {play.qualify.length} cards, {_spoken(play.qualify.ranks)} or better"
        rows.append(("dealer", least, sources(play.qualify)))
    order = (*play.settlement.order, *play.settlement.last)
    rows.append(("settlement", _spoken(order), sources(play.settlement)))
    most = dollars(parse_dollars(play.payout_limit.amount)) if play.payout_limit.amount else "if submitted"
    rows.append(("payout limit", f"{most} on {_spoken(play.payout_limit.wagers)}", sources(play.payout_limit)))
    if play.envy:
        hands = "a folded hand qualifies" if play.envy.folded_holder else "live hands only"
        rows.append(("envy", hands, sources(play.envy)))
    for rule in play.conduct:
        penalty = "; all wagers forfeited" if rule.penalty else ""
        rows.append(("conduct", f"{spoken(rule.rule)}{penalty}", sources(rule)))
    return sheet(("play", "", "clause"), rows)


def irregularity_sheet(rows: Iterable[Irregularity]) -> Sheet:
    """Return irregularities: what each voids, what is refunded, what happens to the cards."""
    words = [(spoken(row.event), spoken(row.void), spoken(row.refund), _cards(row), _clauses(row)) for row in rows]
    return sheet(("irregularity", "void", "refund", "cards", "clause"), words)


def _clauses(row: Irregularity) -> str:
    """Its clauses and reading, and which clause it is where another device deals."""
    elsewhere = [f"{spoken(other.deal)}: {other.clause}" for other in row.device]
    return "; ".join([sources(row), *elsewhere])


def _cards(row: Irregularity) -> str:
    words: list[str] = [row.cards]
    if row.card != "none":
        words.append(f"card {row.card}")
    if row.side_wagers != "void":
        words.append(f"side wagers {row.side_wagers}")
    return _spoken([*words, *row.attest])


def procedure_sheet(book: Rulebook) -> Sheet:
    """Return every command of a table and who may give it."""
    rows = [(spoken(duty.do), say_givers(duty), sources(duty)) for duty in book.procedure.duty]
    return sheet(("command", "given by", "clause"), rows)


def glossary_sheet(book: Rulebook) -> Sheet:
    """Return every defined term."""
    return sheet(("term", "means", "clause"), [(row.term, row.meaning, sources(row)) for row in book.glossary.term])


def option_sheet(book: Rulebook) -> Sheet:
    """Return every option that the readings leave to the operator."""
    rows = [
        (
            row.rule.name,
            say_value(row.default) + (" (fixed)" if row.fixed else ""),
            f"{row.rule.about}: {', '.join(row.rule.values)}",
            sources(row),
        )
        for row in book.options
    ]
    return sheet(("option", "default", "about", "clause"), rows)


def _spoken(names: Iterable[str | int]) -> str:
    return ", ".join(spoken(str(name)) for name in names)
