"""Papers block by block, as plain words; and houses of every rulebook to make papers of."""

import tomllib
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from croupier.documents.paper import (
    Block,
    Boxed,
    Facts,
    Grid,
    Heading,
    Items,
    OwnPage,
    Paper,
    Paragraph,
    SideBySide,
    Together,
    plain,
)
from croupier.documents.particulars import Particulars
from croupier.rulebook import (
    HouseRules,
    Submission,
    check,
    load_rulebook,
    read_submission,
    rulebook_ids,
    starting_submission,
)

PARTICULARS = Particulars(version="3", date=date(2026, 11, 17), help_line="Help is near: 1-800-555-0100")


class Filed(NamedTuple):
    """A submission and the house rules that follow from it."""

    submission: Submission
    house: HouseRules


def filed(raw: Mapping[str, Any]) -> Filed:
    submission = read_submission(raw)
    return Filed(submission, check(submission).rules())


def raw_submission(rulebook: str, *, every_wager: bool = True) -> dict[str, Any]:
    return tomllib.loads(starting_submission(load_rulebook(rulebook), every_wager=every_wager))


def most_and_least() -> list[Filed]:
    """Each rulebook with every wager offered, and with none that it leaves open."""
    return [filed(raw_submission(name, every_wager=every)) for name in rulebook_ids() for every in (True, False)]


def named(given: object) -> str:
    """What a test calls a house."""
    return f"{given.house.rulebook.id}-{len(given.house.wagers)}" if isinstance(given, Filed) else str(given)


def inside(blocks: tuple[Block, ...]) -> Iterator[Block]:
    """Every block in reading order, those in columns and frames too."""
    for block in blocks:
        yield block
        if isinstance(block, Boxed | Together | OwnPage):
            yield from inside(block.blocks)
        elif isinstance(block, SideBySide):
            for column in block.columns:
                yield from inside(column)


def tables(paper: Paper) -> list[Grid]:
    return [block for block in inside((*paper.front, *paper.blocks)) if isinstance(block, Grid)]


def cells(table: Grid) -> list[tuple[str, ...]]:
    return [tuple(plain(cell) for cell in row) for row in table.rows]


def rows(paper: Paper) -> list[tuple[str, ...]]:
    """Every row of every table."""
    return [row for table in tables(paper) for row in cells(table)]


def under(paper: Paper, title: str) -> list[Block]:
    """The blocks below a heading, up to the next of its level or above; its number does not matter."""
    blocks, level = [], None
    for block in inside(paper.blocks):
        if isinstance(block, Heading):
            if level is not None and block.level <= level:
                break
            if block.text.lstrip("0123456789. ") == title:
                level = block.level
                continue
        if level is not None:
            blocks.append(block)
    return blocks


def said(paper: Paper) -> str:
    """All words of a paper."""
    words = [paper.title, paper.subtitle, paper.foot]
    for block in inside((*paper.front, *paper.blocks)):
        match block:
            case Heading(text):
                words.append(text)
            case Paragraph(text_words):
                words.append(plain(text_words))
            case Items(items):
                words += [plain(item) for item in items]
            case Facts(facts):
                words += [f"{name}: {plain(value)}" for name, value in facts]
            case Grid():
                words += [
                    block.caption,
                    *block.head,
                    *(cell for row in cells(block) for cell in row),
                    plain(block.note),
                ]
    return "\n".join(words)
