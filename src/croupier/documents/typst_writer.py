"""Papers as PDF, set by Typst: one wheel with the whole typesetter and most of the type, nothing to download.

All words reach Typst as data, never as markup, so they may hold any character. No time of day and no font of the
machine gets in: the same paper is the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, TypeAlias

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
from croupier.errors import Malformed

if TYPE_CHECKING:
    import typst

__all__ = ["SANS", "compile_pdf", "compile_svg", "letters_of_no_typeface", "source_with", "write_pdf", "write_typst"]

SANS = "Source Sans Pro"
"""The family of body type, which drawings may name too: from a package of its own, under the Open Font License."""

_MISSING: Final = re.compile(r'the text `"(.+?)"` could not be displayed')
Data: TypeAlias = Mapping[str, object]


def write_typst(paper: Paper) -> str:
    """The Typst source of a paper: the style sheet, and the paper as data."""
    language, _, region = paper.language.partition("-")
    data = {
        "title": paper.title,
        "subtitle": paper.subtitle,
        "foot": paper.foot,
        "cover": paper.cover,
        "contents": paper.contents,
        "lang": language,
        "region": region or None,
        "sheet": {
            "width": paper.sheet.width,
            "height": paper.sheet.height,
            "margin": paper.sheet.margin,
            "type": paper.sheet.type,
        },
        "front": [_block(block) for block in paper.front],
        "blocks": [_block(block) for block in paper.blocks],
    }
    own = dict.fromkeys(block.style for block in paper.blocks if isinstance(block, OwnPage))
    sheets = [f'"{style}": data => [\n{_style(style)}\n#posted(data)\n]' for style in own]
    return f"#let sheets = ({', '.join(sheets) or ':'})\n" + source_with("paper.typ", data)


def write_pdf(paper: Paper) -> bytes:
    """A paper as PDF: tagged for screen readers, with its headings as bookmarks."""
    return compile_pdf(write_typst(paper))


def source_with(style: str, data: Data) -> str:
    """A style sheet of this package, and the data that its function `whole` sets."""
    text = json.dumps(_cleaned(data), ensure_ascii=True)
    literal = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'{_style(style)}\n#whole(json(bytes("{literal}")))\n'


def _style(name: str) -> str:
    return (files("croupier.documents") / name).read_text(encoding="utf-8")


def compile_pdf(source: str) -> bytes:
    """The PDF of a Typst source, as PDF/UA-1 unless a letter in it is in none of the fonts."""
    import typst

    compiler = _compiler()
    try:
        made = compiler.compile(source.encode(), format="pdf", pdf_standards=["ua-1"])
    except typst.TypstError as error:
        if not error.message.startswith("PDF/UA-1"):
            raise Malformed(_said(error)) from None
        made = compiler.compile(source.encode(), format="pdf")
    return _bytes(made)


def letters_of_no_typeface(text: str) -> str:
    """The letters of a text that no typeface of the papers has, which a PDF can only show as boxes.

    >>> letters_of_no_typeface("Café Łódź, Казино"), letters_of_no_typeface("賭場 A 賭")
    ('', '賭場')
    """
    import typst

    if text.isascii():
        return ""
    try:
        _compiler().compile(write_typst(Paper("", text, ())).encode(), format="pdf", pdf_standards=["ua-1"])
    except typst.TypstError as error:
        return "".join(dict.fromkeys("".join(_MISSING.findall(error.diagnostic))))
    return ""


def compile_svg(source: str) -> str:
    """The only page of a Typst source as SVG, its letters drawn."""
    import typst

    try:
        return _bytes(_compiler().compile(source.encode(), format="svg")).decode()
    except typst.TypstError as error:
        raise Malformed(_said(error)) from None


def _bytes(made: bytes | list[bytes] | None) -> bytes:
    if not isinstance(made, bytes):
        raise Malformed("a paper of one page was expected")
    return made


def _said(error: typst.TypstError) -> str:
    """What a style sheet refuses, in its own words."""
    return error.message.removeprefix("panicked with: ").strip('"')


@cache
def _compiler() -> typst.Compiler:
    import typst

    spec = find_spec("font_source_sans_pro")
    if spec is None or not spec.submodule_search_locations:
        raise Malformed("the typeface of the papers is missing: install the package font-source-sans-pro")
    folder = f"{spec.submodule_search_locations[0]}/files"
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[folder])
    return typst.Compiler(font_paths=fonts, ignore_system_fonts=True)


# --- blocks as data


def _block(block: Block) -> Data:
    match block:
        case Heading(text, level):
            return {"kind": "heading", "text": text, "level": level}
        case Paragraph(said, style):
            return {"kind": "paragraph", "words": _words(said), "style": style}
        case Items(items, numbered):
            return {"kind": "items", "items": [_words(item) for item in items], "numbered": numbered}
        case Facts(facts):
            return {"kind": "facts", "facts": [{"name": name, "value": _words(value)} for name, value in facts]}
        case Grid():
            return _table(block)
        case Picture(svg, alt, width, caption):
            return {"kind": "picture", "svg": svg, "alt": alt, "width": width, "caption": caption}
        case PageBreak():
            return {"kind": "page_break"}
        case Boxed(blocks, title):
            return {"kind": "boxed", "title": title, "blocks": [_block(inner) for inner in blocks]}
        case SideBySide(columns, widths):
            return {
                "kind": "side_by_side",
                "columns": [[_block(inner) for inner in column] for column in columns],
                "widths": widths,
            }
        case Together(blocks):
            return {"kind": "together", "blocks": [_block(inner) for inner in blocks]}
        case OwnPage(heading, style, data):
            return {"kind": "sheet", "heading": heading, "style": style, "data": data}


def _table(table: Grid) -> Data:
    for row in table.rows:
        if len(row) != len(table.align):
            raise ValueError(f"{table.caption or table.head}: {len(table.align)} columns, and a row of {len(row)}")
    return {
        "kind": "table",
        "head": table.head,
        "rows": [[{"words": _words(cell)} for cell in row] for row in table.rows],
        "align": table.align,
        "widths": table.widths,
        "caption": table.caption,
        "note": _words(table.note),
        "tall": table.tall,
    }


def _words(said: Words) -> list[Data]:
    return [_inline(part) for part in said]


def _inline(part: Inline) -> Data:
    match part:
        case str():
            return {"kind": "text", "text": part}
        case Strong(text):
            return {"kind": "strong", "text": text}
        case Mono(text):
            return {"kind": "mono", "text": text}
        case Cite():
            return {"kind": "cite", "text": plain((part,))}


def _cleaned(value: object) -> object:
    """The same data without control characters, which no font can show, and odds unbroken; drawings keep line ends."""
    match value:
        case str():
            said = "".join(letter if letter.isprintable() or letter in " \n\t" else "\ufffd" for letter in value)
            return unbroken(said)
        case Mapping():
            return {key: _cleaned(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_cleaned(inner) for inner in value]
    return value
