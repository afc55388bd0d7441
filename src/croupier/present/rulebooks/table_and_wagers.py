"""A rulebook in words: the table, its wagers and their paytables."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.money import parse_dollars
from croupier.present.amounts import dollars
from croupier.present.citations import sources
from croupier.present.names import counted, line_words, spoken
from croupier.present.sheets import Sheet, sheet
from croupier.rulebook import Rulebook
from croupier.rulebook.schema import Paytable, Wager

__all__ = ["paytable_groups", "paytable_sheet", "progressive_sheet", "table_sheet", "wager_sheet"]


def table_sheet(book: Rulebook) -> Sheet:
    """Return seats, decks, shuffling, dealing and the layout."""
    table = book.table
    rows = [("seats", f"at most {table.seats.maximum}", sources(table.seats))]
    rows += [("", f"at most {row.maximum} with {spoken(row.offered)}", sources(row)) for row in table.seats.fewer]
    boxes = "one per player" if table.boxes.limit == "one" else "as submitted, adjacent"
    rows.append(("boxes", boxes, sources(table.boxes)))
    decks = f"{table.decks.standard}, {counted(table.decks.cover_cards, 'cover card')}"
    rows.append(("decks", decks, sources(table.decks)))
    rows.append(("", "a second with a shuffler, alternating", sources(table.decks.second)))
    for hours in table.deck_hours:
        life = f"{hours.hours} h" if hours.hours else "as submitted"
        rows.append(("deck life", f"{life}: {_spoken(hours.deal)}", sources(hours)))
    cut = f"at least {table.cut.depth} deep; cover card {spoken(table.cut.cover_card)}"
    rows.append(("cut", cut, sources(table.cut)))
    for count in table.stub_count:
        waiver = f", waived by {_spoken(count.waived_by)}" if count.waived_by else ""
        rows.append(("stub count", f"every {count.rounds} rounds: {spoken(count.deal)}{waiver}", sources(count)))
    rows += [("shuffle", spoken(row.method), sources(row)) for row in table.shuffle]
    rows += [("deal", spoken(row.method), sources(row)) for row in table.deal]
    for area in table.area:
        inscription = f", {area.inscription!r}" if area.inscription else ""
        rows.append(("layout", f"{spoken(area.name)} x{area.count}, {area.place}{inscription}", sources(area)))
    rows += [("notice", notice.says, sources(notice)) for notice in table.notice]
    return sheet(("table", "", "clause"), rows)


def wager_sheet(book: Rulebook) -> Sheet:
    """Return every wager: what may be staked, which cards decide it, what it needs."""
    rows = [(spoken(wager.name), "; ".join(_wager(wager)), sources(wager)) for wager in book.wagers.wager]
    accepted = book.wagers.instruments
    rows.append(("instruments", f"{_spoken(accepted.accepted)}; verbal bets are refused", sources(accepted)))
    return sheet(("wager", "", "clause"), rows)


def _wager(wager: Wager) -> Iterator[str]:
    yield f"{wager.offered}; {wager.stake}"
    yield f"{spoken(wager.cards)} as {spoken(wager.evaluator)}"
    if wager.requires:
        needed = (f"{row.wager} (if offered)" if row.if_offered else row.wager for row in wager.requires)
        yield f"needs {_spoken(needed)}"
    if wager.needs:
        yield f"dealt from {_spoken(wager.needs.deal)}"
        if wager.needs.shuffle:
            yield f"shuffled {_spoken(wager.needs.shuffle)}"
    if wager.fold:
        yield f"fold: {wager.fold.stake}"


def paytable_groups(book: Rulebook) -> list[str]:
    """Return the wagers that have paytables, in the document's order."""
    return list(dict.fromkeys(table.group for table in book.paytables.paytable))


def paytable_sheet(book: Rulebook, group: str) -> Sheet:
    """Return the paytables of a wager side by side, each in a column with its clause below."""
    tables = [table for table in book.paytables.paytable if table.group == group]
    longest_first = sorted(tables, key=lambda table: -len(table.line))  # it has the others' lines in their places
    hands = dict.fromkeys(line.hand for table in longest_first for line in table.line)
    pays = [{line.hand: line.pays for line in table.line} for table in tables]
    rows = [(line_words(hand), *(column.get(hand, "") for column in pays)) for hand in hands]
    rows.append(("clause", *(table.clause for table in tables)))
    if any(table.reading for table in tables):
        rows.append(("reading", *(str(table.reading or "") for table in tables)))
    return sheet((spoken(group), *map(_heading, tables)), rows, alike=True)


def _heading(table: Paytable) -> str:
    return table.id if table.players is None else f"for {table.players}"


def progressive_sheet(book: Rulebook) -> Sheet:
    """Return what goes with the progressive paytables: envy bonuses, and the minimum amounts of the meters."""
    rows = [
        (
            f"envy {envy.paytable} at {_dollars(envy.stake)}",
            ", ".join(f"{line_words(line.hand)} {line.pays}" for line in envy.line),
            sources(envy),
        )
        for envy in book.paytables.envy
    ]
    for minimum in book.paytables.minimum:
        least = f"at least {_dollars(minimum.amount)}" if minimum.amount else "as submitted"
        rows.append((f"meter {minimum.paytable} {minimum.meter}", least, sources(minimum)))
    return sheet(("progressive", "", "clause"), rows)


def _dollars(amount: str) -> str:
    return dollars(parse_dollars(amount))


def _spoken(names: Iterator[str] | tuple[str, ...]) -> str:
    return ", ".join(map(spoken, names))
