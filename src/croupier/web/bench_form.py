"""A submission as a form: every choice of its rulebook in parts, each with its clause, what was found, and what was
approved before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, assert_never

from msgspec.structs import replace

from croupier.analysis import BASE
from croupier.documents import DEALT_FROM, SHUFFLED, approval_rules, chosen_id, ordered_groups
from croupier.money import parse_dollars
from croupier.present import any_of, capitalized, dollars, option_value_words, spoken, titled
from croupier.rulebook import Finding, HouseRules, Rulebook
from croupier.rulebook.schema import Cited, MeterMinimum, Option, OptionValue, Wager
from croupier.web.bench_fields import NO, SHOWN, YES, BenchDraft, offered_key
from croupier.web.bench_paytables import paytables_of
from croupier.web.bench_shapes import DEFAULT_MARK, BenchField, BenchPart, FieldChoice, said_by, shown_value, value_in
from croupier.web.posting import Fields

__all__ = ["parts_of"]

_YES_NO: Final = ((YES, "yes"), (NO, "no"))


def parts_of(
    book: Rulebook,
    draft: BenchDraft,
    findings: Sequence[Finding],
    before: Fields | None,
    *,
    house: HouseRules | None = None,
) -> tuple[BenchPart, ...]:
    """The whole form; each finding stands beside its field, or in the part that it concerns.

    `house` are the rules that follow, where they do: they say what is meant where nothing is said.
    """
    made = [
        _table(book, draft),
        _cards(book, draft),
        *(_wager(book, draft, name, wager, before) for name, wager in ordered_groups(book)),
        _payout(book, draft, house),
        _readings(book, draft),
        _approvals(book, draft),
        _papers(draft),
    ]
    left = list(findings)
    parts = [_judged(part, left, before) for part in made]
    # What belongs to no part, such as an unknown setting, stands at the top.
    return (replace(parts[0], findings=(*parts[0].findings, *left)), *parts[1:])


def _judged(part: BenchPart, left: list[Finding], before: Fields | None) -> BenchPart:
    fields = []
    for field in part.fields:
        mine = _take(left, (field.key,))
        was, changed = None, False
        if before is not None and field.kind != "hidden":
            old = value_in(field, before)
            was, changed = shown_value(field, old), old != value_in(field, said_by(field))
        fields.append(replace(field, findings=mine, was=was, changed=changed))
    tables = part.tables
    if tables is not None:
        tables = replace(tables, findings=_take(left, (tables.key,)))
    others = _take(left, _owned(part))
    return replace(part, fields=tuple(fields), tables=tables, findings=others)


def _take(left: list[Finding], keys: Sequence[str]) -> tuple[Finding, ...]:
    """Take what concerns these keys, or anything below them."""
    taken = tuple(f for f in left if any(f.key == key or f.key.startswith((f"{key}.", f"{key}[")) for key in keys))
    left[:] = [finding for finding in left if finding not in taken]
    return taken


def _owned(part: BenchPart) -> tuple[str, ...]:
    match part.id:
        case "table":
            return ("operator", "edition", "seats", "boxes", "limits")
        case "payout":
            return ("payout_limit", "match_play", "handpay")
        case name if name.startswith("wager-"):
            return (f"wagers.{name.removeprefix('wager-')}",)
    return (part.id,)


# --- parts


def _field(
    draft: BenchDraft,
    key: str,
    label: str,
    kind: str = "text",
    *,
    cited: Cited | None = None,
    hint: str = "",
    choices: Iterable[FieldChoice] = (),
    usual: str = "",
    unsaid: str = "not set",
) -> BenchField:
    return BenchField(
        key=key,
        label=label,
        kind=kind,
        value=draft.fields.get(key, usual),
        usual=usual,
        unsaid=unsaid,
        hint=hint,
        choices=tuple(choices),
        clause=cited.clause if cited is not None else "",
        reading=cited.reading if cited is not None else None,
    )


def _table(book: Rulebook, draft: BenchDraft) -> BenchPart:
    table, main = book.table, next(wager for wager in book.wagers.wager if wager.limits_key)
    offered = [row for row in table.seats.fewer if row.offered in draft.submission.wagers]
    most = min([table.seats.maximum, *(row.maximum for row in offered)])
    seats = next((row for row in offered if row.maximum == most), table.seats)
    fields = [
        _field(draft, "operator", "Operator", hint="as printed on the papers"),
        _field(draft, "seats", "Seats", "count", cited=seats, hint=f"at most {most}"),
    ]
    if table.boxes.limit == "submission":
        fields.append(
            _field(draft, "boxes", "Boxes for one player", "count", cited=table.boxes, hint="side by side", usual="1")
        )
    else:
        fields.append(BenchField(key="boxes", label="", kind="hidden", value=draft.fields.get("boxes", "1")))
    name, key = spoken(main.limits_key), f"limits.{main.limits_key}"
    fields += [
        _field(draft, f"{key}.minimum", f"Minimum {name}", "money", cited=main),
        _field(draft, f"{key}.maximum", f"Maximum {name}", "money", cited=main),
        _field(draft, f"{key}.increment", "Bet increment", "money", cited=main),
    ]
    if draft.fields.get("edition"):
        fields.append(BenchField(key="edition", label="", kind="hidden", value=draft.fields["edition"]))
    return BenchPart(id="table", title="Table and limits", cited=(table.seats,), fields=tuple(fields))


def _cards(book: Rulebook, draft: BenchDraft) -> BenchPart:
    table, chosen = book.table, draft.submission.cards
    hours = next((rule for rule in table.deck_hours if chosen.deal in rule.deal), table.deck_hours[0])
    decks = (str(table.decks.standard), str(table.decks.standard + 1))
    fields = [
        _select(draft, "cards.shuffle", "Shuffled", [(r.method, SHUFFLED[r.method]) for r in table.shuffle], "manual"),
        _select(draft, "cards.deal", "Dealt", [(r.method, DEALT_FROM[r.method]) for r in table.deal], "manual_shoe"),
        _select(draft, "cards.decks", "Decks", [(number, number) for number in decks], decks[0]),
        _field(
            draft,
            "cards.deck_hours",
            "Hours until a deck is replaced",
            "count",
            cited=hours,
            hint=f"at most {hours.hours} when dealt this way" if hours.hours else "as approved",
            usual=str(hours.hours or ""),
        ),
    ]
    laws: list[Cited] = [
        next((row for row in table.shuffle if row.method == chosen.shuffle), table.shuffle[0]),
        next((row for row in table.deal if row.method == chosen.deal), table.deal[0]),
        table.decks.second if chosen.decks > table.decks.standard else table.decks,
    ]
    fields[:3] = [
        replace(field, clause=law.clause, reading=law.reading) for field, law in zip(fields, laws, strict=False)
    ]
    needs = next((w.needs for w in book.wagers.wager if w.needs is not None and w.needs.cover_all_mode), None)
    if needs is not None:
        switch = _select(draft, "cards.cover_all_mode", "Cover All mode of the device", _YES_NO, NO)
        fields.append(replace(switch, clause=needs.clause, reading=needs.reading))
    return BenchPart(id="cards", title="Cards and devices", cited=(table.decks,), fields=tuple(fields))


def _select(
    draft: BenchDraft, key: str, label: str, values: Iterable[tuple[str, str]], usual: str, *, mark: bool = False
) -> BenchField:
    value = draft.fields.get(key) or usual
    rows = list(values)
    if value not in dict(rows):
        rows.append((value, value))  # the finding says that it is not allowed
    choices = [
        FieldChoice(name, f"{words}{DEFAULT_MARK}" if mark and name == usual else words, on=name == value)
        for name, words in rows
    ]
    return replace(_field(draft, key, label, "choice", choices=choices, usual=usual), value=value)


def _wager(book: Rulebook, draft: BenchDraft, name: str, wager: Wager | None, before: Fields | None) -> BenchPart:
    tables = paytables_of(book, draft.submission, name, before)
    if wager is None:
        main = next(row for row in book.wagers.wager if row.limits_key)
        return BenchPart(id=f"wager-{BASE}", title="Main game", cited=(main,), tables=tables)
    offered = name in draft.submission.wagers
    fields: list[BenchField] = []
    if offered:
        fields += _progressive(book, draft, wager) if wager.paytables == "progressive" else _stakes(draft, wager, book)
    return BenchPart(
        id=f"wager-{name}",
        title=titled(name),
        cited=(wager, *wager.requires),
        fields=tuple(fields),
        offered=offered,
        was_offered=None if before is None else before.get(offered_key(name)) == YES,
        switch=offered_key(name),
        tables=tables,
    )


def _stakes(draft: BenchDraft, wager: Wager, book: Rulebook) -> Iterator[BenchField]:
    key = f"wagers.{wager.name}"
    if wager.stake == "fixed":
        table = next(table for table in book.paytables.paytable if table.group == wager.paytables)
        hint = f"{any_of(dollars(parse_dollars(stake)) for stake in table.stakes)} in the document"
        yield _field(draft, f"{key}.stake", "Stake", "money", cited=wager, hint=hint)
        return
    yield _field(draft, f"{key}.minimum", "Minimum", "money", cited=wager)
    yield _field(draft, f"{key}.maximum", "Maximum", "money", cited=wager)
    yield _field(draft, f"{key}.increment", "Bet increment", "money", cited=wager, hint="$1 if left empty", unsaid="$1")


def _progressive(book: Rulebook, draft: BenchDraft, wager: Wager) -> Iterator[BenchField]:
    key, chosen = f"wagers.{wager.name}", chosen_id(book, draft.submission, wager.name)
    table = next((t for t in book.paytables.paytable if (t.group, t.id) == (wager.paytables, chosen)), None)
    stakes = table.stakes if table is not None else ()
    value = draft.submission.wagers[wager.name].stake
    if stakes:
        rows = [(stake, dollars(parse_dollars(stake))) for stake in stakes]
        usual = stakes[0] if value is None else f"{value // 100}.{value % 100:02}"
        field = _select(draft, f"{key}.stake", "Stake", rows, usual)
        field = replace(field, value=usual, choices=tuple(replace(c, on=c.value == usual) for c in field.choices))
        envy = [row for row in book.paytables.envy if row.paytable == chosen and row.stake == usual]
        words = ", ".join(f"{line.pays} for a {spoken(line.hand)}" for row in envy for line in row.line)
        yield replace(field, clause=table.clause if table else "", hint=f"envy: {words}" if words else "")
    for minimum in (row for row in book.paytables.minimum if row.paytable == chosen):
        yield from _meter(book, draft, minimum, f"{key}.meters.{minimum.meter}")
    rate = book.paytables.rate or wager
    yield _field(
        draft, f"{key}.reserve_rate", "Share of each stake for the reserve", "rate",
        cited=rate, unsaid="none", hint="none if left empty",
    )  # fmt: skip
    if book.paytables.link is not None:
        yield from _linked(book, draft, key)


def _meter(book: Rulebook, draft: BenchDraft, minimum: MeterMinimum, key: str) -> Iterator[BenchField]:
    name = capitalized(minimum.meter)
    least = f"at least {dollars(parse_dollars(minimum.amount))}" if minimum.amount else "as approved"
    yield _field(draft, f"{key}.initial", f"{name} meter begins at", "money", cited=minimum, hint=least)
    yield _field(draft, f"{key}.reset", f"{name} meter resets to", "money", cited=minimum, hint=least)
    yield _field(
        draft, f"{key}.rate", f"Share of each stake for the {minimum.meter} meter", "rate",
        cited=book.paytables.rate or minimum, hint="such as 0.12 or 12%",
    )  # fmt: skip


def _linked(book: Rulebook, draft: BenchDraft, key: str) -> Iterator[BenchField]:
    link = draft.submission.wagers["progressive"].link
    name = draft.fields.get(f"{key}.link.name", draft.fields.get(f"{key}.link", ""))
    field = _field(
        draft,
        f"{key}.link.name",
        "Linked meter",
        cited=book.paytables.link,
        hint="its name; empty for none",
        unsaid="none",
    )
    yield replace(field, value=name)
    for place in range(len(link.tables) + 1 if link is not None else 0):
        row, number = f"{key}.link.tables.{place}", place + 1
        yield _field(draft, f"{row}.paytable", f"Linked table {number}: paytable", cited=book.paytables.link)
        yield _field(draft, f"{row}.stake", f"Linked table {number}: stake", "money", cited=book.paytables.link)
        yield _field(draft, f"{row}.decks", f"Linked table {number}: decks", "count", cited=book.paytables.link)


def _payout(book: Rulebook, draft: BenchDraft, house: HouseRules | None) -> BenchPart:
    rule, coupon = book.play.payout_limit, book.wagers.instruments.coupon
    limit = house.payout_limit if house is not None else None
    unsaid = dollars(limit) if limit is not None else "as the rules say" if rule.amount else "none"
    hint = f"if left empty: {unsaid}"
    fields = [
        _field(draft, "payout_limit.amount", "Payout limit per hand", "money", cited=rule, hint=hint, unsaid=unsaid)
    ]
    if rule.lower == "approval":
        fields.append(
            _field(
                draft, "payout_limit.approval", "Approval of a lower limit", cited=rule, hint="reference", unsaid="none"
            )
        )
    fields.append(
        _field(
            draft, "handpay.threshold", "Hand pays start at", "money", cited=book.play.handpay,
            hint="if left empty: only where the rules require it",
            unsaid="only where the rules require it",
        )
    )  # fmt: skip
    if coupon is not None:
        switch = _select(draft, "match_play.enabled", "Match play coupons", _YES_NO, NO)
        fields.append(replace(switch, clause=coupon.clause, reading=coupon.reading))
        fields.append(_field(draft, "match_play.pays", "Coupons pay", cited=coupon, hint="such as 1 to 1"))
    return BenchPart(id="payout", title="Payout limit", cited=(rule,), fields=tuple(fields))


def _readings(book: Rulebook, draft: BenchDraft) -> BenchPart:
    options = [o for o in book.options if o.rule.offered is None or o.rule.offered in draft.submission.wagers]
    fields = tuple(field for option in options for field in _option(draft, option))
    return BenchPart(id="readings", title="Readings and options", fields=fields, folded=True)


def _option(draft: BenchDraft, option: Option) -> Iterator[BenchField]:
    rule, key = option.rule, f"readings.{option.rule.name}"
    law = Cited(clause=option.clause, reading=rule.reading)
    if option.fixed or len(rule.values) == 1:
        return  # nothing to choose
    match rule.type:
        case "choice":
            rows = [(value, option_value_words(rule.name, value)) for value in rule.values]
            field = _select(draft, key, rule.about, rows, str(option.default), mark=True)
        case "bool":
            field = _select(draft, key, rule.about, _YES_NO, YES if option.default else NO, mark=True)
        case "count":
            hint = f"{rule.minimum} to {rule.maximum}; {option.default} if left empty"
            field = _field(draft, key, rule.about, "count", hint=hint, usual=str(option.default))
        case "choices":
            field = replace(_field(draft, key, rule.about, "ticks"), choices=tuple(_ticks(draft, option)))
        case "labels":
            for name in rule.values:
                label = f"{rule.about.rstrip('.')}: {option_value_words(rule.name, name)}"
                yield _field(draft, f"{key}.{name}", label, cited=law)
            return
        case _:
            assert_never(rule.type)
    yield replace(field, clause=law.clause, reading=law.reading)


def _ticks(draft: BenchDraft, option: Option) -> Iterator[FieldChoice]:
    key, default = f"readings.{option.rule.name}", _names(option.default)
    said = f"{key}.{SHOWN}" in draft.fields
    for value in option.rule.values:
        on = draft.fields.get(f"{key}.{value}") == YES if said else value in default
        words = option_value_words(option.rule.name, value)
        yield FieldChoice(value, f"{words}{DEFAULT_MARK}" if value in default else words, on=on)


def _names(value: OptionValue) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, tuple) else ()


def _approvals(book: Rulebook, draft: BenchDraft) -> BenchPart:
    rules: Mapping[str, Cited] = approval_rules(book)
    names = [*rules, *(name for name in draft.submission.approvals if name not in rules)]
    fields = tuple(
        _field(
            draft,
            f"approvals.{name}",
            capitalized(spoken(name)),
            cited=rules.get(name),
            hint="reference",
            unsaid="none",
        )
        for name in names
        if name != "payout_limit" or draft.fields.get(f"approvals.{name}")
    )
    return BenchPart(id="approvals", title="Approvals", fields=fields)


def _papers(draft: BenchDraft) -> BenchPart:
    fields = (
        _field(
            draft,
            "papers.version",
            "Version on the papers",
            hint="if left empty: the number under which it is filed",
            unsaid="its number",
        ),
        _field(draft, "papers.date", "Date on the papers", "day"),
        _field(
            draft, "papers.help_line", "Problem gambling help line", hint="as the sign must say it, with its number"
        ),
        _field(draft, "papers.address", "Address of the table's page", hint="for a QR code"),
        BenchField(key="papers.logo", label="", kind="hidden", value=draft.fields.get("papers.logo", "")),
    )
    return BenchPart(id="papers", title="Printed details", fields=fields, folded=True)
