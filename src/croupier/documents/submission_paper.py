"""The Rules Submission as a paper: what an operator hands to the regulator, every choice with its clause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from croupier.documents.card_procedure import card_procedures
from croupier.documents.house_choices import law_of, say_key, say_value
from croupier.documents.house_rulings import rulings
from croupier.documents.house_words import bet_words, cites, given_by, paytable_name
from croupier.documents.marks import foot_of, particular_facts
from croupier.documents.paper import (
    Block,
    Cell,
    Facts,
    Grid,
    Heading,
    Mono,
    OwnPage,
    Paper,
    Paragraph,
    Words,
    words,
)
from croupier.documents.particulars import Particulars
from croupier.documents.round_procedure import round_procedures
from croupier.documents.steps import WrittenProcedure, act_of, by_clause, is_done_here
from croupier.documents.submission_choices import choice_chapters
from croupier.errors import Malformed
from croupier.present import capitalized, counted, rulebooks
from croupier.rulebook import Finding, HouseRules, Submission, Value, check_by, diff_houses, diff_rulebooks
from croupier.rulebook.schema import Cited

__all__ = ["submission_paper"]

_BEFORE_THE_STUB = ("Bets", "Before the deal", "The deal")


def submission_paper(
    submission: Submission,
    house: HouseRules,
    particulars: Particulars,
    *,
    attachments: Sequence[OwnPage] = (),
    before: tuple[Submission, HouseRules] | None = None,
) -> Paper:
    """The Rules Submission of a house.

    `attachments` follow everything else, each on a page of its own; `before` is the version that this one replaces,
    to list what changed.
    """
    verdict = check_by(house.rulebook, submission)
    if verdict.rules().hash != house.hash:
        raise ValueError("these house rules do not follow from this submission")
    source = house.rulebook.source
    chapters = [
        *([_changes(before[1], house)] if before is not None else []),
        *choice_chapters(submission, house),
        _findings(verdict.findings),
        _procedures(house),
        _irregularities(house),
        _roles(house),
        _by_hand(house),
        attachments,
    ]
    return Paper(
        title="Rules Submission",
        subtitle=f"{source.title}, {source.jurisdiction}",
        front=(Facts(_cover(house, particulars)), _signatures(house)),
        blocks=_numbered(block for chapter in chapters for block in chapter),
        foot=foot_of(house, particulars),
        contents=True,
        cover=True,
    )


def _cover(house: HouseRules, particulars: Particulars) -> tuple[tuple[str, Words], ...]:
    source = house.rulebook.source
    taken_up = " (the day it was taken up here: the document bears no date)" if source.date_of == "intake" else ""
    draft = "; a draft: the adopted rules may differ" if source.status == "draft" else ""
    return (
        ("Operator", words(house.operator or "not named")),
        ("Game", words(source.title)),
        ("Jurisdiction", words(source.jurisdiction)),
        ("Regulator", words(source.regulator)),
        ("Document", words(f"{source.document} ({source.edition}){draft}")),
        ("Edition", words(f"{house.rulebook.edition}{taken_up}")),
        *particular_facts(particulars),
        ("House rules", words(Mono(house.hash))),
        ("Rulebook", words(Mono(house.rulebook.hash))),
    )


def _signatures(house: HouseRules) -> Grid:
    lines = (
        f"For {house.operator}" if house.operator else "For the operator",
        f"For the {house.rulebook.source.regulator}",
    )
    rows = tuple((words(line), words(""), words(""), words("")) for line in lines)
    return Grid(
        ("", "Name and title", "Signature", "Date"),
        rows,
        ("left",) * 4,
        widths=(6, 5, 5, 3),
        note=_how_it_is_known(),
        tall=True,
    )


def _how_it_is_known() -> Words:
    return words("The two hashes name the house rules and the rulebook exactly: any other choice or rule has others.")


def _numbered(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Blocks with their headings numbered: 3, 3.1, 3.2."""
    numbered: list[Block] = []
    chapter, section = 0, 0
    for block in blocks:
        if isinstance(block, Heading) and block.level == 1:
            chapter, section = chapter + 1, 0
            numbered.append(replace(block, text=f"{chapter} {block.text}"))
        elif isinstance(block, OwnPage):
            chapter, section = chapter + 1, 0
            numbered.append(replace(block, heading=f"{chapter} {block.heading}"))
        elif isinstance(block, Heading) and block.level == 2:
            section += 1
            numbered.append(replace(block, text=f"{chapter}.{section} {block.text}"))
        else:
            numbered.append(block)
    return tuple(numbered)


# --- changes


def _changes(before: HouseRules, house: HouseRules) -> list[Block]:
    if before.rulebook.id != house.rulebook.id:
        raise Malformed(
            f"the earlier submission is for {before.rulebook.id}: a list of changes needs two for {house.rulebook.id}"
        )
    blocks: list[Block] = [
        Heading("Changes against the earlier version"),
        Facts((("Earlier house rules", words(Mono(before.hash))), ("These house rules", words(Mono(house.hash))))),
    ]
    rows = tuple(
        (
            words(capitalized(say_key(row.key))),
            words(_changed(before, row.key, row.first)),
            words(_changed(house, row.key, row.second)),
            law_of(house, row.key) or law_of(before, row.key),
        )
        for row in diff_houses(before, house)
    )
    if rows:
        blocks.append(Grid(("Choice", "Was", "Is", "Clause"), rows, ("left",) * 4, widths=(6, 6, 6, 5)))
    else:
        blocks.append(Paragraph(words("No choice has changed.")))
    if before.rulebook.hash != house.rulebook.hash:
        blocks += _changed_rules(before, house)
    return blocks


def _changed(house: HouseRules, key: str, value: Value | None) -> str:
    """A value on one side of the list: of a wager that only one version offers, the bet and the paytable."""
    whole = next((wager for wager in house.wagers if key == f"wagers.{wager.name}"), None)
    if value is None:
        return "not offered" if key.startswith("wagers.") else "none"
    if whole is not None:
        return f"{bet_words(house, whole)}, {paytable_name(whole.paytables[0])}"
    return {"True": "yes", "False": "no"}.get(value.text) or say_value(key, value.text)


def _changed_rules(before: HouseRules, house: HouseRules) -> list[Block]:
    rows = tuple(
        (
            words(capitalized(said.what)),
            words(said.first or "none"),
            words(said.second or "none"),
            words(row.second.clause if row.second else row.first.clause if row.first else ""),
        )
        for row in diff_rulebooks(before.rulebook, house.rulebook)
        for said in (rulebooks.difference_words(row),)
    )
    said = f"The rulebook has changed in {counted(len(rows), 'value')}."
    head = ("Rule", "Was", "Is", "Clause")
    return [Paragraph(words(said)), *([Grid(head, rows, ("left",) * 4, widths=(6, 6, 6, 3))] if rows else [])]


# --- what the check found


def _findings(findings: Sequence[Finding]) -> list[Block]:
    heading = Heading("Findings of the check")
    rows = tuple(
        (
            words(capitalized(say_key(finding.key))),
            words(capitalized(finding.message)),
            cites(Cited(clause=finding.clause, reading=finding.reading)),
        )
        for finding in findings
    )
    if not rows:
        return [heading, Paragraph(words("The check against the rulebook found no error and nothing to warn of."))]
    said = words(f"The check against the rulebook found no error, and {counted(len(rows), 'warning')}.")
    return [heading, Grid(("About", "Warning", "Clause"), rows, ("left",) * 3, widths=(5, 9, 4), note=said)]


# --- procedures, irregularities, people


def _procedures(house: HouseRules) -> list[Block]:
    cards, played = card_procedures(house), round_procedures(house)
    first = [part for part in played if part.title in _BEFORE_THE_STUB]
    ordered = [*cards[:3], *first, cards[3], *(part for part in played if part not in first), *cards[4:]]
    blocks: list[Block] = [Heading("Procedures")]
    for part in ordered:
        blocks += [Heading(part.title, 2), _steps(part)]
    return blocks


def _steps(part: WrittenProcedure) -> Grid:
    rows = tuple(
        (words(str(number)), words(step.text), words(step.by), step.law) for number, step in enumerate(part.steps, 1)
    )
    return Grid(("", "Step", "By", "Clause"), rows, ("right", "left", "left", "left"), widths=(1, 18, 7, 9))


def _irregularities(house: HouseRules) -> list[Block]:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (words(row.happened), words(f"{row.demands}."), row.law) for row in rulings(house)
    )
    return [
        Heading("Irregularities"),
        Grid(
            ("What happened", "What it demands", "Clause"),
            rows,
            ("left",) * 3,
            widths=(6, 10, 5),
            note=words("Of several in one round the widest prevails: ", *cites(_reading(house)), "."),
        ),
    ]


def _reading(house: HouseRules) -> Cited | None:
    return next((duty for duty in house.rulebook.procedure.duty if duty.do == "rule"), None)


def _roles(house: HouseRules) -> list[Block]:
    rows = tuple(
        (words(act_of(duty.do)), words(given_by(house, duty)), cites(by_clause(house, duty)))
        for duty in house.rulebook.procedure.duty
        if is_done_here(house, duty.do)
    )
    said = "Whoever confirms, verifies or validates is never the person whose act it is: "
    note = words(said, *cites(house.rulebook.procedure.ranks), ".")
    return [
        Heading("Who may do what"),
        Grid(("Act", "By", "Clause"), rows, ("left",) * 3, widths=(10, 6, 5), note=note),
    ]


def _by_hand(house: HouseRules) -> list[Block]:
    physical = [clause for clause in house.rulebook.clauses if clause.kind == "physical"]
    rows = tuple((words(clause.summary), cites(Cited(clause=clause.id))) for clause in physical)
    said = "The floor sees that they are kept, as far as they concern the devices of this submission."
    return [
        Heading("Rules that only people can keep"),
        Grid(("Rule", "Clause"), rows, ("left", "left"), widths=(10, 3), note=words(said)),
    ]
