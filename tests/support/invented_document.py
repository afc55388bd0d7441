"""Documents that no regulator wrote, numbered as the real ones are: only the clauses' numbers are used."""

from collections.abc import Sequence

from croupier.rulebook.passages import clause_path

HEADINGS = {"md-let-it-ride": ".{} Invented.", "ma-mississippi-stud": "{}. Invented"}


def invented(rulebook: str, clauses: Sequence[str]) -> tuple[str, dict[str, int]]:
    """A text in which every clause has a line of its own, and the line of each; pages have a header of two lines."""
    lines: list[str] = ["An invented document", ""]
    at: dict[str, int] = {}
    open_labels: tuple[str, ...] = ()
    heading = HEADINGS.get(rulebook, "Chapter {} - Invented.")
    for place, clause in enumerate(clauses):
        path = clause_path(clause)
        if place % 20 == 19:
            lines += ["", "An invented document", f"Page {place // 20 + 1}", ""]
        for depth in range(1, len(path.labels) + 1):
            labels = path.labels[:depth]
            if labels == open_labels[:depth]:
                continue
            is_last = depth == len(path.labels)
            label = path.printed if is_last and path.printed else labels[-1]
            if depth == 1:
                lines += ["", heading.format(label.removesuffix("bis")), ""]
            elif label == "intro":
                lines += ["Words before the rest.", ""]
            elif len(label) > 5 or label in {"Fold", "Push", "Rank", "Stub", "Suit"}:
                lines += [f"{label}-- means number {place}.", ""]
            else:
                mark = f"{label}." if label.isupper() else f"({label})"
                lines += [f"- {mark} {'Line' if is_last else 'Lead-in'} number {place}."]
        at[clause] = next(number for number in range(len(lines), 0, -1) if lines[number - 1])
        if path.name:
            table = f"{path.name.partition(':')[0]}, a table."
            lines += [] if table in lines else [table]
            at[clause] = lines.index(table) + 1
        open_labels = path.labels
        if path.through:
            lines += [f"- ({path.through}) Its last item."]
            open_labels = (*path.labels[:-1], path.through)
    return "\n".join(lines) + "\n", at
