"""A submission on the bench, ready to be shown: its form, its findings, exact prices, charts, and what has changed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from croupier.analysis import BASE, Price, tables_of
from croupier.documents import CaseAsked, asked_of, chosen_id, is_priced, line_chart, meter_chart
from croupier.house import HouseState, SubmissionVersion
from croupier.present import titled
from croupier.rulebook import Finding, HouseRules, Rulebook, check_by, load_rulebook, read_submission_text
from croupier.web.bench_fields import BenchDraft, draft_of
from croupier.web.bench_form import parts_of
from croupier.web.bench_paytables import priced_tables
from croupier.web.bench_shapes import BenchPart
from croupier.web.bench_work import PATIENCE, Workshop

__all__ = [
    "BenchView",
    "ChangeRow",
    "ChartShown",
    "PriceRow",
    "approved_before",
    "bench_view",
    "compared_with",
    "filed",
]


class PriceRow(Struct, frozen=True, kw_only=True):
    """What one wager is worth to the house."""

    wager: str
    title: str
    players: int | None
    price: Price | None
    pending: bool = False
    failed: bool = False
    before: Fraction | None = None
    """The edge under the version it is compared with, where that offers the wager."""
    new: bool = False
    """Whether that version is without it."""

    @property
    def change(self) -> Fraction | None:
        """By how much the edge changes."""
        return None if self.price is None or self.before is None else self.price.edge - self.before


class ChangeRow(Struct, frozen=True, kw_only=True):
    """One difference from the version it is compared with."""

    part: str
    anchor: str
    what: str
    was: str
    now: str
    clause: str = ""


class ChartShown(Struct, frozen=True):
    """A chart with its title."""

    title: str
    note: str
    svg: Markup


class BenchView(Struct, frozen=True, kw_only=True):
    """Everything that the page shows."""

    name: str
    book: Rulebook
    draft: BenchDraft
    parts: tuple[BenchPart, ...]
    findings: tuple[Finding, ...]
    house: HouseRules | None
    prices: tuple[PriceRow, ...]
    unpriced: tuple[str, ...]
    charts: tuple[ChartShown, ...]
    changes: tuple[ChangeRow, ...]
    before: SubmissionVersion | None
    pending: bool
    failed: bool
    """Whether a figure could not be computed; it is tried again."""

    @property
    def anchors(self) -> frozenset[str]:
        """The keys that have a field of their own on the page."""
        return frozenset(field.key for part in self.parts for field in part.fields if field.kind != "hidden")

    def place_of(self, finding: Finding) -> str:
        """The part in which a finding stands."""
        return next((part.id for part in self.parts if finding in part.every()), self.parts[0].id)

    def label_of(self, finding: Finding) -> str:
        """The field that a finding is about."""
        fields = (field for part in self.parts for field in part.fields if field.kind != "hidden")
        return next((field.label for field in fields if field.key == finding.key), "")

    @property
    def errors(self) -> int:
        """How many findings keep it from being sent."""
        return sum(finding.severity == "error" for finding in self.findings)

    @property
    def warnings(self) -> int:
        """How many findings the operator should know."""
        return len(self.findings) - self.errors


def filed(version: SubmissionVersion) -> tuple[Rulebook, BenchDraft]:
    """A version that was filed, with its rulebook."""
    submission = read_submission_text(version.text, name=f"{version.name} version {version.version}")
    book = load_rulebook(submission.rulebook, edition=submission.edition)
    return book, draft_of(submission, book)


def approved_before(state: HouseState, name: str, version: int | None = None) -> SubmissionVersion | None:
    """The last approved version of a submission, or the last before this one."""
    approved = [
        filed
        for filed in state.versions(name)
        if filed.status == "approved" and (version is None or filed.version < version)
    ]
    return approved[-1] if approved else None


def compared_with(state: HouseState, name: str, version: int | None = None) -> SubmissionVersion | None:
    """What a version is compared with: the last one that was approved, else the last that was returned."""
    judged = [
        filed
        for filed in state.versions(name)
        if filed.status == "returned" and (version is None or filed.version < version)
    ]
    return approved_before(state, name, version) or (judged[-1] if judged else None)


async def bench_view(
    workshop: Workshop,
    name: str,
    book: Rulebook,
    draft: BenchDraft,
    before: SubmissionVersion | None,
    *,
    patience: float = PATIENCE,
) -> BenchView:
    """A submission as the page shows it now; prices that are not known in time are said to be in the making."""
    old = None if before is None else filed(before)
    checked = check_by(book, draft.submission)
    findings = (*draft.unread, *checked.findings)
    asked = _chosen_first(book, draft, list(asked_of(book, draft.submission)))
    olds = [] if old is None else _chosen_of(old[0], old[1], list(asked_of(old[0], old[1].submission)))
    known = await workshop.prices([*asked, *olds], patience=patience)
    failed = workshop.failed([*asked, *olds])
    parts = tuple(
        part if part.tables is None else replace(part, tables=priced_tables(part.tables, asked, known, failed))
        for part in parts_of(book, draft, findings, None if old is None else old[1].fields, house=checked.house)
    )
    was = {(case.wager, case.players): known.get(case) for case in olds}
    rows = tuple(
        PriceRow(
            wager=case.wager,
            title=_title(book, case),
            players=case.players,
            price=known.get(case),
            pending=case not in known and case not in failed,
            failed=case in failed,
            before=price.edge if (price := was.get((case.wager, case.players))) is not None else None,
            new=old is not None and (case.wager, case.players) not in was,
        )
        for case in _chosen_of(book, draft, asked)
    )
    return BenchView(
        name=name,
        book=book,
        draft=draft,
        parts=parts,
        findings=findings,
        house=checked.house if not draft.unread else None,
        prices=rows,
        unpriced=tuple(
            titled(wager)
            for wager in draft.submission.wagers
            if wager != BASE and not is_priced(book, draft.submission, wager)
        ),
        charts=tuple(_charts(rows)),
        changes=tuple(_changes(parts)) if old is not None else (),
        before=before,
        pending=any(case not in known and case not in failed for case in (*asked, *olds)),
        failed=bool(failed),
    )


def _chosen_of(book: Rulebook, draft: BenchDraft, asked: Sequence[CaseAsked]) -> list[CaseAsked]:
    """The paytables that are chosen, of the wagers that are offered."""
    submission = draft.submission
    return [
        case
        for case in asked
        if (case.wager == BASE or case.wager in submission.wagers)
        and case.paytable == chosen_id(book, submission, case.wager)
    ]


def _chosen_first(book: Rulebook, draft: BenchDraft, asked: list[CaseAsked]) -> list[CaseAsked]:
    """The panel at the side is read first, so it is priced first."""
    chosen = set(_chosen_of(book, draft, asked))
    return sorted(asked, key=lambda case: case not in chosen)


def _title(book: Rulebook, case: CaseAsked) -> str:
    if case.wager == BASE:
        return f"Main game {case.paytable}" if len(tables_of(book, BASE)) > 1 else "Main game"
    if case.players is not None:
        return f"{titled(case.wager)}, {case.players} player{'s' * (case.players > 1)}"
    return f"{titled(case.wager)} {case.paytable}"


def _charts(rows: Sequence[PriceRow]) -> list[ChartShown]:
    charts = []
    fullest = max((row.players for row in rows if row.players is not None), default=None)
    for row in rows:
        if row.price is None or row.players != (None if row.players is None else fullest):
            continue  # of paytables by the number of players one picture is enough
        for meter in row.price.meters:
            note = f"{row.title}, {meter.name} meter"
            charts.append(ChartShown("Return against the meter", note, Markup(meter_chart(row.price, meter))))  # noqa: S704 - our own drawing
        if row.wager == BASE or not row.price.meters:
            chart = Markup(line_chart(row.price))  # noqa: S704 - our own drawing
            paying = "" if row.wager == BASE else ", lines that pay"
            charts.append(ChartShown(f"{row.title}, line by line", f"of one {row.price.unit}{paying}", chart))
    return charts


def _changes(parts: Sequence[BenchPart]) -> list[ChangeRow]:
    rows = []
    for part in parts:
        if part.was_offered is not None and part.was_offered != part.offered:
            words = ("offered", "not offered") if part.was_offered else ("not offered", "offered")
            law = part.cited[0].clause if part.cited else ""
            rows.append(
                ChangeRow(part=part.title, anchor=part.id, what="The wager", was=words[0], now=words[1], clause=law)
            )
            if not part.offered:
                continue
        if part.tables is not None and part.tables.changed and (part.offered is None or part.was_offered):
            chosen = next((column for column in part.tables.columns if column.id == part.tables.chosen), None)
            rows.append(
                ChangeRow(
                    part=part.title,
                    anchor=part.id,
                    what="Paytable",
                    was=part.tables.was or "none",
                    now=part.tables.chosen or "none",
                    clause=chosen.clause if chosen is not None else "",
                )
            )
        rows += [
            ChangeRow(
                part=part.title,
                anchor=f"f-{field.key}",
                what=field.label.rstrip("."),
                was=field.was or "not set",
                now=field.now,
                clause=field.clause,
            )
            for field in part.fields
            if field.changed
        ]
    return rows
