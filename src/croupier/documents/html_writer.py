"""Papers as a page: one file with its style, no script and nothing from elsewhere, for screens and for printing."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import count

from croupier.documents.paper import (
    Block,
    Boxed,
    Cite,
    Facts,
    Grid,
    Heading,
    Inline,
    Items,
    Mono,
    OwnPage,
    PageBreak,
    Paper,
    Paragraph,
    Picture,
    SideBySide,
    Strong,
    Together,
    Words,
    plain,
    unbroken,
)

__all__ = ["write_html"]

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""Browsers load nothing for this page, and run nothing in it, not even what a drawing brings along."""


def write_html(paper: Paper) -> str:
    """A paper as one page; the same paper is the same text.

    >>> page = write_html(Paper("Odds & ends", "", (Heading("A"),)))
    >>> page.splitlines()[:2], "<h1>Odds &amp; ends</h1>" in page
    (['<!doctype html>', '<html lang="en-US">'], True)
    """
    writer = _Writer()
    front = writer.all(paper.front)
    body = writer.all(paper.blocks)
    subtitle = f'<p class="subtitle">{_text(paper.subtitle)}</p>\n' if paper.subtitle else ""
    contents = writer.contents() if paper.contents else ""
    foot = f"<footer><p>{_text(paper.foot)}</p></footer>\n" if paper.foot else ""
    return (
        f'<!doctype html>\n<html lang="{_text(paper.language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(paper.title)}</title>\n<style>\n{_style(paper)}</style>\n</head>\n<body>\n"
        f"<header>\n<h1>{_text(paper.title)}</h1>\n{subtitle}</header>\n<main>\n{front}{contents}{body}</main>\n{foot}"
        "</body>\n</html>\n"
    )


def _style(paper: Paper) -> str:
    sheet = paper.sheet
    page = (
        f"@page{{size:{sheet.width:g}in {sheet.height:g}in;margin:{sheet.margin:g}in}}\n"
        f"@media print{{html{{font-size:{sheet.type:g}pt}}}}\n"
    )
    return (files("croupier.documents") / "paper.css").read_text(encoding="utf-8") + page


class _Writer:
    """Writes blocks, and remembers the headings for the contents."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._headings: list[tuple[int, str, str]] = []

    def contents(self) -> str:
        listed = [entry for entry in self._headings if entry[0] <= 2]
        lines = "".join(
            f'<li class="level-{level}"><a href="#{anchor}">{_text(text)}</a></li>\n' for level, text, anchor in listed
        )
        return f'<nav aria-label="Contents">\n<h2>Contents</h2>\n<ol>\n{lines}</ol>\n</nav>\n'

    def all(self, blocks: Sequence[Block]) -> str:
        return "".join(self._each(blocks))

    def _each(self, blocks: Sequence[Block]) -> Iterator[str]:
        broken = False
        for block in blocks:
            if isinstance(block, PageBreak):
                broken = True
                continue
            written = self._block(block)
            yield f'<div class="page-break">\n{written}</div>\n' if broken else written
            broken = False

    def _block(self, block: Block) -> str:
        match block:
            case Heading(text, level):
                anchor = f"part-{next(self._numbers)}"
                self._headings.append((level, text, anchor))
                tag = f"h{min(level, 5) + 1}"
                return f'<{tag} id="{anchor}">{_text(text)}</{tag}>\n'
            case Paragraph(said, style):
                kind = "" if style == "body" else f' class="{style}"'
                return f"<p{kind}>{_words(said)}</p>\n"
            case Items(items, numbered):
                tag = "ol" if numbered else "ul"
                rows = "".join(f"<li>{_words(item)}</li>\n" for item in items)
                return f"<{tag}>\n{rows}</{tag}>\n"
            case Facts(facts):
                rows = "".join(f"<dt>{_text(name)}</dt><dd>{_words(value)}</dd>\n" for name, value in facts)
                return f"<dl>\n{rows}</dl>\n"
            case Grid():
                return _table(block)
            case Picture():
                return _picture(block)
            case Boxed(blocks, title):
                name = f'<p class="name">{_text(title)}</p>\n' if title else ""
                return f'<section class="frame">\n{name}{self.all(blocks)}</section>\n'
            case SideBySide(columns, widths):
                parts = " ".join(f"minmax(0,{part}fr)" for part in widths or (1,) * len(columns))
                inner = "".join(f"<div>\n{self.all(column)}</div>\n" for column in columns)
                return f'<div class="beside" style="--columns:{parts}">\n{inner}</div>\n'
            case Together(blocks):
                return f'<div class="together">\n{self.all(blocks)}</div>\n'
            case OwnPage(heading, _, _, blocks):
                return f"<section>\n{self._block(Heading(heading))}{self.all(blocks)}</section>\n"
            case PageBreak():
                return ""


def _table(table: Grid) -> str:
    sides = [f' class="{side}"' if side != "left" else "" for side in table.align]
    caption = f"<caption>{_text(table.caption)}</caption>\n" if table.caption else ""
    head = "".join(f'<th scope="col"{side}>{_text(name)}</th>' for side, name in zip(sides, table.head, strict=True))
    heads = f"<thead><tr>{head}</tr></thead>\n" if any(table.head) else ""
    rows = "".join(f"<tr>{_cells(row, sides)}</tr>\n" for row in table.rows)
    widths = "".join(f'<col style="width:{100 * part / sum(table.widths):.4g}%">' for part in table.widths)
    columns = f"<colgroup>{widths}</colgroup>\n" if widths else ""
    note = f'<figcaption class="below note">{_words(table.note)}</figcaption>\n' if table.note else ""
    kinds = [name for name, is_so in (("wide", widths), ("tall", table.tall)) if is_so]
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    return (
        f'<figure>\n<div class="scroll" tabindex="0">\n<table{kind}>\n{caption}{columns}{heads}'
        f"<tbody>\n{rows}</tbody>\n</table>\n</div>\n{note}</figure>\n"
    )


def _cells(row: Sequence[Words], sides: Sequence[str]) -> str:
    return "".join(f"<td{side}>{_words(cell)}</td>" for side, cell in zip(sides, row, strict=True))


def _picture(picture: Picture) -> str:
    data = base64.b64encode(picture.svg.encode()).decode()
    below = f'<figcaption class="below">{_text(picture.caption)}</figcaption>\n' if picture.caption else ""
    return (
        f'<figure class="picture">\n<img src="data:image/svg+xml;base64,{data}" alt="{_text(picture.alt)}"'
        f' style="width:{100 * picture.width:.4g}%">\n{below}</figure>\n'
    )


def _words(said: Words) -> str:
    return "".join(_inline(part) for part in said)


def _inline(part: Inline) -> str:
    match part:
        case str():
            return _text(part)
        case Strong(text):
            return f"<strong>{_text(text)}</strong>"
        case Mono(text):
            return f"<code>{_text(text)}</code>"
        case Cite():
            return f"<cite>{_text(plain((part,)))}</cite>"


def _text(text: str) -> str:
    """Text as a page may hold it: escaped, and without characters that no page may hold."""
    return escape(unbroken("".join(letter if letter.isprintable() or letter in " \n" else "\ufffd" for letter in text)))
