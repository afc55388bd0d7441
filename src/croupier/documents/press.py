"""The press: every kind of paper of a house, in every form that it is printed in."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from croupier.documents.html_writer import write_html
from croupier.documents.paper import Paper
from croupier.documents.particulars import Particulars
from croupier.documents.sign import SIZES, sign_of
from croupier.documents.sign_drawing import sign_paper, sign_sheet, write_sign
from croupier.documents.typst_writer import write_pdf
from croupier.errors import Malformed
from croupier.extras import need
from croupier.present import any_of
from croupier.rulebook import HouseRules, Submission
from croupier.wire import clip

__all__ = ["FORMS", "PAPER_NAMES", "Order", "PaperKind", "Printed", "every_paper", "form_of", "print_paper"]

PaperKind: TypeAlias = Literal["sign", "layout", "submission", "math", "guide", "dealer-card"]
FORMS: Final[dict[PaperKind, tuple[str, ...]]] = {
    "sign": ("pdf", "html"),
    "layout": ("pdf", "html", "svg"),
    "submission": ("pdf", "html"),
    "math": ("pdf", "html", "xlsx"),
    "guide": ("pdf", "html"),
    "dealer-card": ("pdf", "html"),
}
"""The endings of the files that each kind can be printed as."""

LONGEST_NAME, LONGEST_WORD = 160, 40
"""Of an operator's name, in characters: more fits on no cover, sign or cloth."""
PAPER_NAMES: Final[dict[PaperKind, str]] = {
    "sign": "payout sign",
    "layout": "table layout",
    "submission": "Rules Submission",
    "math": "math report",
    "guide": "player's guide",
    "dealer-card": "dealer's card",
}


class Order(Struct, frozen=True, kw_only=True):
    """What is to be printed: a valid submission with its house rules, and what the papers say beside the rules."""

    submission: Submission
    house: HouseRules
    particulars: Particulars
    before: tuple[Submission, HouseRules] | None = None
    """The version that this one replaces."""

    def __post_init__(self) -> None:
        name = self.house.operator
        if len(name) > LONGEST_NAME or any(len(word) > LONGEST_WORD for word in name.split()):
            raise Malformed(
                f"operator: {clip(repr(name))} does not fit on a paper: at most {LONGEST_NAME} characters, and words of"
                f" at most {LONGEST_WORD}"
            )


class Printed(Struct, frozen=True):
    """A paper to print: its file's name, its kind, its form and the size of its sheet."""

    name: str
    kind: PaperKind
    form: str
    size: str = "letter"


def every_paper(kind: PaperKind | None = None) -> tuple[Printed, ...]:
    """Everything that can be printed, or everything of one kind.

    >>> [printed.name for printed in every_paper("sign")]
    ['sign-letter.pdf', 'sign-tabloid.pdf', 'sign-poster.pdf', 'sign.html']
    """
    made = []
    for name in get_args(PaperKind) if kind is None else (kind,):
        for form in FORMS[name]:
            if name == "sign" and form == "pdf":
                made += [Printed(f"sign-{size}.pdf", name, form, size) for size in SIZES]
            else:
                made.append(Printed(f"{name}.{form}", name, form))
    return tuple(made)


def form_of(kind: PaperKind, name: str) -> str:
    """The form that a file's ending chooses.

    >>> form_of("sign", "sign.HTML")
    'html'
    >>> form_of("sign", "sign.docx")
    Traceback (most recent call last):
    croupier.errors.Malformed: sign.docx: the payout sign is printed as .pdf or .html
    """
    form = name.rpartition(".")[2].lower() if "." in name else ""
    if form not in FORMS[kind]:
        raise Malformed(f"{name}: the {PAPER_NAMES[kind]} is printed as {any_of(f'.{end}' for end in FORMS[kind])}")
    return form


def print_paper(order: Order, printed: Printed, *, made: dict[PaperKind, Paper] | None = None) -> bytes:
    """The bytes of a paper: the same order gives the same bytes.

    `made` keeps what papers say between several forms of the same order.
    """
    need("papers")
    match printed.kind, printed.form:
        case "sign", "pdf":
            return write_sign(sign_of(order.house, order.particulars), SIZES[printed.size])
        case "layout", _:
            return _layout(order, printed.form)
        case "math", "xlsx":
            from croupier.documents.math.workbook import write_workbook

            return write_workbook(order.house, order.particulars)
    papers = {} if made is None else made
    if printed.kind not in papers:
        papers[printed.kind] = _paper(order, printed.kind)
    paper = papers[printed.kind]
    return write_pdf(paper) if printed.form == "pdf" else write_html(paper).encode()


def _paper(order: Order, kind: PaperKind) -> Paper:
    """What a paper says; figures load, and are computed, when they are printed."""
    house, particulars = order.house, order.particulars
    match kind:
        case "submission":
            return _submission(order)
        case "math":
            from croupier.documents.math.report import math_report

            return math_report(house, particulars)
        case "guide":
            from croupier.documents.players_guide import players_guide

            return players_guide(house, particulars)
        case "dealer-card":
            from croupier.documents.dealers_card import dealers_card

            return dealers_card(house, particulars)
    return sign_paper(sign_of(house, particulars), SIZES["letter"])


def _submission(order: Order) -> Paper:
    from croupier.documents.layout import layout
    from croupier.documents.layout_pages import layout_sheet
    from croupier.documents.submission_paper import submission_paper

    attachments = (
        sign_sheet(sign_of(order.house, order.particulars), SIZES["letter"], "Attachment: Payout sign"),
        layout_sheet(layout(order.house, order.particulars), "Attachment: Table layout"),
    )
    return submission_paper(
        order.submission, order.house, order.particulars, attachments=attachments, before=order.before
    )


def _layout(order: Order, form: str) -> bytes:
    from croupier.documents.layout import layout
    from croupier.documents.layout_drawing import draw_layout
    from croupier.documents.layout_pages import layout_html, layout_pdf

    drawn = layout(order.house, order.particulars)
    match form:
        case "pdf":
            return layout_pdf(drawn)
        case "html":
            return layout_html(drawn).encode()
    return draw_layout(drawn).encode()
