"""The audit: rounds searched for, each line by line with its proofs, chains against a saved checkpoint, exports."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Annotated, Any, Final, get_args

from litestar import Response, get, post
from litestar.params import Parameter
from msgspec import Struct

from croupier.errors import CroupierError, Malformed, MoneyError
from croupier.ledger import HouseRole, account_named
from croupier.money import Cents, format_dollars, typed_dollars
from croupier.present import CardPlaces, capitalized, dollars, gain, irregularity_words, meter_dollars, spoken
from croupier.rulebook.names import Irregularity
from croupier.server import (
    AuditedRound,
    Caller,
    Desk,
    RecordCheck,
    audit_round,
    check_record,
    find_for_audit,
    lines_of_round,
    prove,
    sign_head,
)
from croupier.store import ProvedMove, RecalledRound, RoundSearch, story_of
from croupier.web.bench_house import may
from croupier.web.past_rounds import (
    At,
    RoundId,
    Text,
    days_of,
    gaming_day_named,
    patron_named,
    rows_of,
    source_of,
    winning_hands,
)
from croupier.web.posting import Fields
from croupier.web.rendering import Page, page
from croupier.web.retelling import lay_out, steps_of_links, tables_of, the_step
from croupier.web.shell import NavItem
from croupier.web.words import Namer, namer

__all__ = ["NAV", "ROUTES"]

_MOST: Final = 100
_MOST_IN_FILE: Final = 100_000
_AUDITORS: Final[frozenset[HouseRole]] = frozenset({"operator", "regulator", "auditor"})
_ASKED: Final = ("table", "patron", "day", "hand", "void", "irregularity", "clause", "staked", "paid")
_HEADINGS: Final = (
    "round", "table", "number", "opened", "closed", "rules", "void", "staked", "paid", "house",
    "hands", "irregularities", "seats",
)  # fmt: skip


class MoneyRow(Struct, frozen=True, kw_only=True):
    """An account that a round moved."""

    words: str
    before: str
    change: str
    sign: int
    agrees: bool


# --- searching


@get("/audit")
async def see_audit(
    desk: Desk,
    caller: Caller,
    *,
    table: Text = "",
    patron: Text = "",
    day: Text = "",
    hand: Text = "",
    void: Text = "",
    irregularity: Text = "",
    clause: Text = "",
    staked: Text = "",
    paid: Text = "",
) -> Page:
    """Rounds that are searched for; at first the newest."""
    given = (table, patron, day, hand, void, irregularity, clause, staked, paid)
    return await _searched(desk, caller, dict(zip(_ASKED, given, strict=True)))


@post("/audit", status_code=200)
async def check_everything(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """Follow every chain of the house, and hold it against a checkpoint that somebody saved."""
    checked = await check_record(desk, caller, None, fields.get("checkpoint", ""))
    return await _searched(desk, caller, {}, checked=checked, pasted=fields.get("checkpoint", ""))


async def _searched(
    desk: Desk, caller: Caller, asked: dict[str, str], *, checked: RecordCheck | None = None, pasted: str = ""
) -> Page:
    start, end = gaming_day_named(desk, asked.get("day", ""))
    search = RoundSearch(
        table=asked.get("table") or None,
        patron=patron_named(desk, caller, asked.get("patron", "")) or None,
        hand=asked.get("hand") or None,
        clause=asked.get("clause") or None,
        irregularity=asked.get("irregularity") or None,
        void={"yes": True, "no": False}.get(asked.get("void", "")),
        least_staked=_amount(asked.get("staked", ""), "staked"),
        least_paid=_amount(asked.get("paid", ""), "paid"),
        start=start,
        end=end,
        limit=_MOST,
    )
    rounds, problem = await find_for_audit(desk, caller, search)
    return page(
        "audit",
        caller,
        rows=rows_of(rounds, namer(desk, caller), own=None),
        problem=problem,
        asked=dict.fromkeys(_ASKED, "") | asked,
        most=_MOST,
        hands=winning_hands(),
        irregularities={name: irregularity_words(name) for name in get_args(Irregularity)},
        tables=sorted(desk.hall.plans),
        checked=checked,
        pasted=pasted,
        today=desk.gaming_day().isoformat(),
        days=days_of(desk),
        may_sign=may(desk, caller, "sign_head"),
    )


def _amount(text: str, name: str) -> int | None:
    try:
        return typed_dollars(text) if text.strip() else None
    except MoneyError as error:
        raise Malformed(f"{name}: {error}") from error


# --- one round


@get("/audit/{round_id:str}")
async def see_audited(
    desk: Desk, caller: Caller, round_id: RoundId, *, at: At = None, on: Text = "", part: Text = ""
) -> Page:
    """A round line by line; with `part` only what changes from step to step."""
    audited = await audit_round(desk, caller, round_id)
    return await _audited(desk, caller, audited, at=at, felt=on == "felt", part=bool(part))


@post("/audit/{round_id:str}", status_code=200)
async def check_stream(desk: Desk, caller: Caller, round_id: RoundId, fields: Fields) -> Page:
    """Follow the whole chain of the round's table, and hold it against a checkpoint that somebody saved."""
    audited = await audit_round(desk, caller, round_id)
    checked = await check_record(desk, caller, audited.found.stream, fields.get("checkpoint", ""))
    return await _audited(desk, caller, audited, checked=checked, pasted=fields.get("checkpoint", ""))


async def _audited(
    desk: Desk,
    caller: Caller,
    audited: AuditedRound,
    *,
    at: int | None = None,
    felt: bool = False,
    part: bool = False,
    checked: RecordCheck | None = None,
    pasted: str = "",
) -> Page:
    found, name = audited.found, namer(desk, caller)
    tables = await tables_of(desk, caller, found)
    source = source_of(tables, found) or await _source(desk, found)
    rulebook = source.id if source is not None else ""
    steps = steps_of_links(audited.links, await _places(desk, caller, found), name, rulebook, caller.at_table)
    step = the_step(steps, at)
    shown: dict[str, Any] = {
        "source": source,
        "rulebook": rulebook,
        "found": found,
        "steps": steps,
        "step": step,
        "laid": lay_out(tables, found, steps[step - 1].seq, caller, name, felt=felt) if steps else None,
        "here": f"/audit/{found.table}-{found.number}",
        "on_felt": felt,
        "hashes": True,
    }
    if part:
        return page("replay", caller, **shown)
    proof, shuffle = await prove(desk, caller, audited)
    return page(
        "audit_round",
        caller,
        **shown,
        name=name,
        broken=audited.broken,
        last=audited.links[-1] if audited.links else None,
        proof=proof,
        shuffle=shuffle,
        physical=found.table in desk.hall.plans and not desk.hall.plans[found.table].virtual,
        money=[_money(move, name) for move in proof.moves],
        may_sign=may(desk, caller, "sign_head"),
        checked=checked,
        pasted=pasted,
    )


async def _source(desk: Desk, found: RecalledRound) -> Any:  # noqa: ANN401 - the source of a document, or None
    """The document that the table plays by now, where the round itself cannot be rebuilt."""
    watched = desk.hall.find(found.table)
    return watched.table.house.rulebook.source if watched is not None else None


async def _places(desk: Desk, caller: Caller, found: RecalledRound) -> CardPlaces:
    try:
        return CardPlaces((await story_of(desk.hall.store, found, audience=caller.at_table)).layout)
    except (CroupierError, LookupError, ValueError, TypeError):  # the record was altered
        return CardPlaces()


def _money(move: ProvedMove, name: Namer) -> MoneyRow:
    cents = move.unit == "cents"
    before = "" if move.before is None else dollars(move.before) if cents else meter_dollars(move.before)
    sign = "+" if move.stored > 0 else "−"
    return MoneyRow(
        words=_account(move.account, name),
        before=before,
        change=gain(move.stored) if cents else f"{sign}{meter_dollars(abs(move.stored))}",
        sign=(move.stored > 0) - (move.stored < 0),
        agrees=move.stored == move.made,
    )


def _account(account: str, name: Namer) -> str:
    known = account_named(account)
    kind = _ACCOUNTS.get(known.kind) or spoken(known.kind)
    if not known.of:
        words = kind
    elif known.kind in {"chips", "owed", "claims"}:
        words = f"{kind} of {name(known.of)}"
    else:
        words = f"{spoken(known.of)} {kind}"
    return f"{capitalized(words)}{f' (link {known.link})' if known.link else ''}"


_ACCOUNTS: Final = {
    "meter_fed": "paid into meters",
    "meter_awarded": "awarded from meters",
    "meter_seeded": "put into meters by the house",
}


# --- exports


@get("/audit/{round_id:str}/lines.jsonl")
async def download_lines(desk: Desk, caller: Caller, round_id: RoundId) -> Page:
    """The lines of a round as they are stored."""
    found, lines = await lines_of_round(desk, caller, round_id)
    name = f"table-{found.table}-round-{found.number}.jsonl"
    return _file(lines, "application/x-ndjson", name)


@get("/audit/day.csv")
async def download_day(desk: Desk, caller: Caller, day: Annotated[str, Parameter(max_length=10)] = "") -> Page:
    """Every round that was closed on a gaming day, one in a row; their times are UTC, as in the record."""
    day = day or desk.gaming_day().isoformat()
    start, end = gaming_day_named(desk, day)
    rounds, _ = await find_for_audit(desk, caller, RoundSearch(start=start, end=end, limit=_MOST_IN_FILE))
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(_HEADINGS)
    writer.writerows(_csv_row(closed) for closed in sorted(rounds, key=lambda closed: (closed.closed, closed.stream)))
    return _file(text.getvalue().encode(), "text/csv", f"rounds-{day}.csv")


@post("/audit/head", status_code=200)
async def download_head(desk: Desk, caller: Caller) -> Page:
    """Where every stream stands now, signed: for somebody's safe."""
    at = desk.doors.now()
    return _file(await sign_head(desk, caller) + b"\n", "application/json", f"head-{at:%Y-%m-%d-%H%M}.json")


def _csv_row(found: RecalledRound) -> Sequence[object]:
    seats = "; ".join(
        f"{seat.seat} {seat.patron} {format_dollars(Cents(seat.staked))} {format_dollars(Cents(seat.paid))}"
        for seat in found.seats
    )
    house = found.staked - found.paid
    return (
        f"{found.table}-{found.number}",
        found.table,
        found.number,
        found.opened.isoformat(),
        found.closed.isoformat(),
        found.rules,
        "yes" if found.void else "no",
        format_dollars(Cents(found.staked)),
        format_dollars(Cents(found.paid)),
        f"{'-' * (house < 0)}{format_dollars(Cents(abs(house)))}",
        "; ".join(found.hands),
        "; ".join(found.irregularities),
        seats,
    )


def _file(data: bytes, media_type: str, name: str) -> Page:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(data, media_type=media_type, headers=headers)


NAV: Final = [NavItem("Audit", "/audit", _AUDITORS, place=75)]
ROUTES: Final = [
    see_audit,
    check_everything,
    see_audited,
    check_stream,
    download_lines,
    download_day,
    download_head,
]
