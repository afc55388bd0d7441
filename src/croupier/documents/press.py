"""The press: every kind of paper of a house, in every form that it is printed in."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import Struct

from croupier.documents.html_writer import write_html
from croupier.documents.layout_paper import layout_paper
from croupier.documents.paper import Paper
from croupier.documents.particulars import Particulars
from croupier.documents.sign import SIZES, sign
from croupier.documents.sign_drawing import draw_sign, sign_paper, write_sign
from croupier.documents.typst_writer import write_pdf
from croupier.errors import Malformed
from croupier.present import any_of
from croupier.rulebook import HouseRules, Submission

__all__ = ["FORMS", "Order", "PaperKind", "Printed", "every_paper", "form_of", "print_paper"]

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

NAMES: Final[dict[PaperKind, str]] = {
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
        raise Malformed(f"{name}: the {NAMES[kind]} is printed as {any_of(f'.{end}' for end in FORMS[kind])}")
    return form


def print_paper(order: Order, printed: Printed) -> bytes:
    """The bytes of a paper: the same order gives the same bytes."""
    house, particulars = order.house, order.particulars
    match printed.kind, printed.form:
        case "sign", "pdf":
            return write_sign(sign(house, particulars), SIZES[printed.size])
        case "sign", _:
            return write_html(sign_paper(sign(house, particulars), SIZES[printed.size])).encode()
        case "layout", "svg":
            return _drawn_layout(order).encode()
        case "math", "xlsx":
            workbook: bytes = _made("math_workbook", "write_workbook")(house, particulars)
            return workbook
    paper = _paper(order, printed.kind)
    return write_pdf(paper) if printed.form == "pdf" else write_html(paper).encode()


def _paper(order: Order, kind: PaperKind) -> Paper:
    house, particulars = order.house, order.particulars
    paper: Paper
    match kind:
        case "layout":
            lines = _made("layout", "check_list")(_made("layout", "layout")(house, particulars))
            return layout_paper(house, _drawn_layout(order), lines, particulars)
        case "submission":
            attachments = (
                ("Payout sign", draw_sign(sign(house, particulars), SIZES["letter"])),
                ("Table layout", _drawn_layout(order)),
            )
            paper = _made("submission_paper", "submission_paper")(
                order.submission, house, particulars, attachments=attachments, before=order.before
            )
        case "math":
            paper = _made("math_report", "math_report")(house, particulars)
        case "guide":
            paper = _made("players_guide", "players_guide")(house, particulars)
        case "dealer-card":
            paper = _made("dealers_card", "dealers_card")(house, particulars)
        case "sign":
            return sign_paper(sign(house, particulars), SIZES["letter"])
    return paper


def _drawn_layout(order: Order) -> str:
    drawn = _made("layout", "layout")(order.house, order.particulars)
    svg: str = _made("layout_drawing", "draw_layout")(drawn)
    return svg


def _made(module: str, name: str) -> Callable[..., Any]:
    """The function that makes a paper; figures and drawings load when they are printed."""
    function: Callable[..., Any] = getattr(import_module(f"croupier.documents.{module}"), name)
    return function
