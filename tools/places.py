"""Check where clauses are in the texts of the documents, or write it down anew; run by hand.

    python tools/places.py md-let-it-ride=LIR.txt md-mississippi-stud=MS.txt …
    python tools/places.py --write --page-begins 'Standard Rules' md-mississippi-stud=MS.txt

The texts are the regulators' and are not part of the project: only their hash, lines and pages are. The check does not
use the search that wrote the lines. For every clause it looks at the text itself: the number or name really is at the
first line, the chapter is the right one, lines follow the document's order, and the passage (with its lead-in and
heading) has words or figures of our summary.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from pathlib import Path

from croupier.rulebook import chapter_of, load_places, load_rulebook
from croupier.rulebook.editions import edition_folder
from croupier.rulebook.passages import clause_path, find_passages, lead_ins
from croupier.rulebook.places import PLACES, DocumentPlaces
from croupier.rulebook.schema import Clause, Rulebook

COMMON = set(
    "the and for with that this each are not any all but from its was one into than have has had only may".split()
)
SHORT = {"rf": "royal", "sf": "straight", "fh": "full", "fl": "flush", "st": "straight", "mr": "mini", "trips": "three"}


def main() -> int:
    parser = argparse.ArgumentParser(description="Check where the clauses are in the documents' texts.")
    parser.add_argument("texts", nargs="+", metavar="RULEBOOK=FILE")
    parser.add_argument("--write", action="store_true", help="write places.toml; titles of chapters are kept")
    parser.add_argument("--page-begins", metavar="REGEX", help="a line that begins a page")
    parser.add_argument("--page-ends", metavar="REGEX", help="a line that ends a page")
    asked = parser.parse_args()
    total = right = 0
    for text in asked.texts:
        name, _, file = text.partition("=")
        book, data = load_rulebook(name), Path(file).read_bytes()
        if asked.write:
            write(book, data, pages_of(data.decode(), asked.page_begins, asked.page_ends))
        places = load_places(name)
        if places is None:
            print(f"{name}: it has no {PLACES}")
            continue
        wrong = problems(book, places, data)
        total, right = total + len(book.clauses), right + len(book.clauses) - len(wrong)
        print(f"{name}: {len(book.clauses) - len(wrong)} of {len(book.clauses)} clauses are where {PLACES} says")
        for clause, problem in wrong.items():
            print(f"  {clause}: {problem}")
    print(f"{right} of {total}")
    return 0 if right == total else 1


def problems(book: Rulebook, places: DocumentPlaces, data: bytes) -> dict[str, str]:
    """What is wrong with each clause's place."""
    if hashlib.sha256(data).hexdigest() != places.text.sha256:
        return {clause.id: "this is another text" for clause in book.clauses}
    lines, before, wrong = data.decode().split("\n"), 0, {}
    headings = {chapter.number: chapter.line for chapter in places.chapter}
    for clause in book.clauses:
        first, last = places.clause.get(clause.id, (0, 0))
        chapter = chapter_of(clause.id)
        nearest = max((line, number) for number, line in headings.items() if line <= first)
        if not first:
            wrong[clause.id] = "no place"
        elif not before <= first <= last <= len(lines):
            wrong[clause.id] = f"lines {first}-{last} are out of order"
        elif nearest[1] != chapter:
            wrong[clause.id] = f"line {first} is in chapter {nearest[1]}"
        elif not stands(clause, lines[first - 1]):
            wrong[clause.id] = f"line {first} does not begin with its number"
        elif not shared(clause, around(clause, places, lines)):
            wrong[clause.id] = f"lines {first}-{last} have no word of our summary"
        before = first
    return wrong


def stands(clause: Clause, line: str) -> bool:
    """Whether a line begins with a clause's own number or name."""
    path = clause_path(clause.id)
    bare, label = re.sub(r"^[\s*-]*(\d{1,2} +)?[\s*-]*", "", line), path.printed or path.labels[-1]
    if path.name and path.name.split(":")[0] in line:
        return True
    if label == "intro":
        return bare[:1].isupper()
    if len(label) > 3 and label not in {"viii", "xiii"}:
        return bare.lower().startswith(label.lower())
    return re.match(rf"\(?{re.escape(label)}[).]|{re.escape(label)} [A-Z]", bare) is not None


def around(clause: Clause, places: DocumentPlaces, lines: list[str]) -> str:
    """A passage with what leads into it and the heading of its chapter."""
    ranges = [places.clause[clause.id]]
    ranges += [lead for number, lead in places.lead_in.items() if clause.id.startswith(f"{number}(")]
    ranges += [place for number, place in places.clause.items() if clause.id.startswith(f"{number}(")]
    return " ".join(line for first, last in ranges for line in lines[first - 1 : last])


def shared(clause: Clause, text: str) -> set[str]:
    """Stems and figures that a summary and a passage have in common."""
    return stems(clause.summary) & stems(text)


def stems(text: str) -> set[str]:
    words = re.findall(r"[a-z]+|\d+", text.lower().replace(",", ""))
    longer = [SHORT.get(word, word) for word in words]
    return {word[:4] for word in longer if (len(word) > 2 and word not in COMMON) or word.isdigit()}


def pages_of(text: str, begins: str | None, ends: str | None) -> list[int]:
    """The first line of each page."""
    lines = text.split("\n")
    if begins:
        return [number for number, line in enumerate(lines, 1) if re.search(begins, line)]
    if ends:
        after = [number + 1 for number, line in enumerate(lines, 1) if re.search(ends, line)]
        return [1, *after[:-1]]
    return []


def write(book: Rulebook, data: bytes, pages: list[int]) -> None:
    text, known = data.decode(), [clause.id for clause in book.clauses]
    passages, leads = find_passages(text, known), lead_ins(text, known)
    old = load_places(book.id)
    numbers = list(dict.fromkeys(map(chapter_of, known)))
    headings = find_passages(text, [*known, *numbers])
    rows = [
        "# Which text this rulebook was read from, and where each clause is in it: first and last line, never words.",
        "# Not part of the law: the hash of the rulebook does not depend on it. tools/places.py checks it.",
        "[text]",
        f'sha256 = "{hashlib.sha256(data).hexdigest()}"',
        f"bytes = {len(data)}",
        f"lines = {len(text.splitlines())}",
        *([f"pages = {len(pages)}", f"page_begins = {pages}"] if pages else []),
        "",
    ]
    for number in numbers:
        title = old.chapter_title(number) if old else ""
        rows += ["[[chapter]]", f'number = "{number}"', f'title = "{title}"', f"line = {headings[number].first}", ""]
    rows += ["[lead_in]", *(f'"{number}" = [{place.first}, {place.last}]' for number, place in leads.items()), ""]
    rows += ["[clause]", *(f'"{number}" = [{place.first}, {place.last}]' for number, place in passages.items()), ""]
    (edition_folder(book.id) / PLACES).write_text("\n".join(rows))


if __name__ == "__main__":
    sys.exit(main())
