"""The payout sign on paper: fitted to its sheet by measuring, as PDF or SVG, and as a page for the browser."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from croupier.documents.paper import Align, Boxed, Grid, OwnPage, Paper, Paragraph, Picture, Strong, words
from croupier.documents.sign import HELP, Panel, Sign, SignSize
from croupier.documents.typst_writer import compile_pdf, compile_svg, source_with

if TYPE_CHECKING:
    import segno

__all__ = ["draw_sign", "qr_svg", "sign_paper", "sign_sheet", "write_sign"]

STYLE = "sign.typ"
QUIET = 4
"""The empty modules around a QR code."""
LARGER = 1.3
"""Type is never larger than this times what is comfortable: a sign of one wager should not shout."""


def write_sign(sign: Sign, size: SignSize) -> bytes:
    """A sign as a PDF of one page; `Malformed` where even the smallest readable type does not fit."""
    return compile_pdf(_source(sign, size))


def draw_sign(sign: Sign, size: SignSize) -> str:
    """A sign as SVG, its letters drawn: to be shown in another paper."""
    return compile_svg(_source(sign, size))


def sign_sheet(sign: Sign, size: SignSize, heading: str) -> OwnPage:
    """A sign as a page within another paper, at its real size, its words words."""
    return OwnPage(heading, STYLE, _data(sign, size), sign_paper(sign, size).blocks)


def _source(sign: Sign, size: SignSize) -> str:
    return source_with(STYLE, _data(sign, size))


def _data(sign: Sign, size: SignSize) -> dict[str, object]:
    sheet, distance = size.sheet, size.distance
    refusal = (
        f"the sign does not fit on one {sheet.name} sheet even in type of {distance.least:.1f} points, the smallest"
        f" that is read from {distance.feet:g} feet: choose a larger sheet or offer fewer wagers"
    )
    return {
        "heading": f"{sign.title}: payouts",
        "author": sign.operator or "Croupier",
        "title": sign.title,
        "operator": sign.operator,
        "place": sign.place,
        "panels": [_panel(panel) for panel in sign.panels],
        "notices": [{"title": notice.title, "text": notice.text} for notice in sign.notices],
        "help": sign.help_line,
        "blank": HELP,
        "address": sign.address,
        "qr": qr_svg(sign.address) if sign.address else "",
        "qr_modules": _qr_code(sign.address).symbol_size(border=QUIET)[0] if sign.address else 0,
        "qr_says": f"QR code of {sign.address}",
        "logo": sign.logo,
        "foot": sign.foot,
        "width": sheet.width,
        "height": sheet.height,
        "margin": sheet.margin,
        "least": distance.least,
        "most": distance.comfortable * LARGER,
        "refusal": refusal,
    }


def _panel(panel: Panel) -> dict[str, object]:
    return {
        "title": panel.title,
        "stakes": panel.stakes,
        "head": panel.head,
        "rows": panel.rows,
        "notes": panel.notes,
    }


def _sides(columns: int) -> tuple[Align, ...]:
    return tuple("right" if column else "left" for column in range(columns))


def qr_svg(address: str) -> str:
    """An address as a QR code, with the quiet zone that readers need."""
    drawn = io.BytesIO()
    _qr_code(address).save(drawn, kind="svg", border=QUIET, xmldecl=False, dark="#000", light="#fff")
    return drawn.getvalue().decode()


def _qr_code(address: str) -> segno.QRCode:
    import segno

    return segno.make(address, error="m", micro=False)


def sign_paper(sign: Sign, size: SignSize) -> Paper:
    """The same words as a paper, for a page that can be read on a telephone."""
    marks = [Picture(sign.logo, sign.operator or sign.title, 0.5)] if sign.logo else []
    blocks = [
        Boxed(
            (
                *([Paragraph(words(panel.stakes), "note")] if panel.stakes else []),
                Grid(
                    head=panel.head,
                    rows=tuple(
                        tuple(words(said) if not place else words(Strong(said)) for place, said in enumerate(row))
                        for row in panel.rows
                    ),
                    align=_sides(len(panel.head)),
                ),
                *(Paragraph(words(note), "note") for note in panel.notes),
            ),
            panel.title,
        )
        for panel in sign.panels
    ]
    blocks += [Boxed((Paragraph(words(notice.text)),), notice.title) for notice in sign.notices]
    blocks.append(Boxed((Paragraph(words(Strong(sign.help_line or f"{HELP}: ____________________")), "lead"),)))
    pictures = [Picture(qr_svg(sign.address), f"QR code of {sign.address}", 0.25, sign.address)] if sign.address else []
    subtitle = ", ".join(part for part in (sign.operator, sign.place) if part)
    return Paper(sign.title, subtitle, (*marks, *blocks, *pictures), sheet=size.sheet, foot=sign.foot)
