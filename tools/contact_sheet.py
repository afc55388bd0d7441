"""One picture of every page of every paper, to be looked at: `python tools/contact_sheet.py sheet.png`.

Submissions may follow the name of the picture.
Without a submission it takes one with every wager for each rulebook. `--kind sign` takes one kind of paper alone.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import pypdf
import typst

from croupier.documents import Order, Particulars, every_paper, print_paper
from croupier.rulebook import check, load_rulebook, read_submission_text, rulebook_ids, starting_submission

HEIGHT = 420
"""Of every page in the picture, in points."""
PARTICULARS = Particulars(
    version="1", help_line="Gambling problem? Call 1-800-GAMBLER.", address="https://house.example/tables/1"
)


def pages(submissions: list[str], kind: str | None, folder: Path) -> list[tuple[str, Path, int]]:
    """Every page as a PDF of its own, with what it is."""
    shown: list[tuple[str, Path, int]] = []
    for text in submissions:
        submission = read_submission_text(text, name="the submission")
        order = Order(submission=submission, house=check(submission).rules(), particulars=PARTICULARS)
        for printed in every_paper():
            if printed.form == "pdf" and kind in {None, printed.kind}:
                title = f"{submission.rulebook} {printed.name}"
                print(title, file=sys.stderr)
                path = folder / f"{len(shown)}.pdf"
                path.write_bytes(print_paper(order, printed))
                count = len(pypdf.PdfReader(path).pages)
                shown += [(f"{title} {page}/{count}", path, page) for page in range(1, count + 1)]
    return shown


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("picture", type=Path, help="a .png or .pdf file")
    arguments.add_argument("submission", type=Path, nargs="*")
    arguments.add_argument("--kind", help="one kind of paper")
    given = arguments.parse_args()
    texts = [path.read_text() for path in given.submission]
    texts = texts or [starting_submission(load_rulebook(name), every_wager=True) for name in rulebook_ids()]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shown = pages(texts, given.kind, folder)
        cells = "\n".join(f'#shown("{path.name}", {page}, "{title}")' for title, path, page in shown)
        width = max(6 * HEIGHT, int(HEIGHT * len(shown) ** 0.5))
        sheet = folder / "sheet.typ"
        sheet.write_text(
            f"#set page(width: {width}pt, height: auto, margin: 12pt, fill: gray)\n#set par(leading: 12pt)\n"
            "#let shown(file, page, title) = box(stack(spacing: 4pt,"
            f" box(fill: white, image(file, page: page, height: {HEIGHT}pt)), text(size: 9pt, title)))\n"
            f"{cells}\n"
        )
        typst.compile(str(sheet), output=str(given.picture), ppi=72)
    print(f"{len(shown)} pages in {given.picture}")


if __name__ == "__main__":
    main()
