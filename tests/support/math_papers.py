"""Houses that together offer every paytable, and the math report as tables and facts of plain words."""

import io
import json
import math
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from croupier.documents.paper import Block, Facts, Grid, Heading, Paper, SideBySide, Together, plain
from croupier.documents.particulars import Particulars
from croupier.present import line_words
from croupier.rulebook import HouseRules, check, read_submission, rulebook_ids, submission_text
from support.printed import every_paytable
from support.running import here

PARTICULARS = Particulars(version="7", date=date(2026, 11, 17))


@cache
def houses() -> dict[str, HouseRules]:
    """As few as there can be: a single seat and one size of bet, for both only make figures slow."""
    made = {}
    for name in rulebook_ids():
        for turn, raw in enumerate(every_paytable(name)):
            raw["seats"] = 1
            for choice in raw["wagers"].values():
                if "maximum" in choice:
                    choice["maximum"] = choice["minimum"]
            made[f"{name} {turn}"] = check(read_submission(raw)).rules()
    return made


@cache
def full_house(name: str) -> HouseRules:
    """A rulebook's first paytables with every wager and every seat."""
    return check(read_submission(next(iter(every_paytable(name))))).rules()


def file_of(house: str, folder: Path) -> Path:
    """The submission of a full house as a file."""
    path = folder / f"{house}.toml"
    path.write_text(submission_text(read_submission(next(iter(every_paytable(house))))))
    return path


def asked(*arguments: str) -> Any:  # noqa: ANN401 - JSON
    """What a command answers."""
    done = here(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.load(io.StringIO(done.stdout))


# --- a paper in plain words


def inside(blocks: tuple[Block, ...]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Together):
            yield from inside(block.blocks)
        if isinstance(block, SideBySide):
            for column in block.columns:
                yield from inside(column)


def tables(paper: Paper) -> list[Grid]:
    return [block for block in inside(paper.blocks) if isinstance(block, Grid)]


def table(paper: Paper, caption: str) -> list[dict[str, str]]:
    """The rows of the only table with this caption, by its heads."""
    (found,) = [made for made in tables(paper) if made.caption == caption]
    return rows(found)


def rows(made: Grid) -> list[dict[str, str]]:
    return [dict(zip(made.head, map(plain, row), strict=True)) for row in made.rows]


def headed(paper: Paper, *heads: str) -> list[dict[str, str]]:
    """The rows of the only table that begins with these heads."""
    (found,) = [made for made in tables(paper) if made.head[: len(heads)] == heads]
    return rows(found)


def facts(paper: Paper, heading: str) -> dict[str, str]:
    """The facts below a heading."""
    under = ""
    for block in inside(paper.blocks):
        if isinstance(block, Heading):
            under = block.text
        if isinstance(block, Facts) and under == heading:
            return {name: plain(value) for name, value in block.facts}
    raise AssertionError(f"there are no facts below {heading!r}")


# --- numbers as they are printed


def exact(printed: str) -> Fraction:
    """The fraction at the end of what is printed."""
    return Fraction(printed.rpartition(" ")[2].replace("−", "-"))


def is_rounded(printed: str, value: Fraction) -> bool:
    """Whether a printed number is this one, right to its last digit."""
    text = printed.replace("−", "-").replace(",", "").replace("$", "")
    shown = Fraction(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    places = len(text.rstrip("%").partition(".")[2]) + 2 * text.endswith("%")
    return bool(abs(shown - value) * 2 * 10**places <= 1)


# --- a wager as the report prints it with the same from a program


def compare(paper: Paper, title: str, answer: Any) -> None:  # noqa: ANN401 - JSON
    """A wager as the report prints it with the same from a program, cell by cell."""
    lines = table(paper, f"{title}: combinations and contribution to the return")
    fractions = table(paper, f"{title}, paytable {answer['paytable']}")
    assert len(lines) == len(fractions) == len(answer["lines"]) + 1
    for row, whole, line in zip(lines, fractions, answer["lines"], strict=False):
        assert row["Hand"] == whole["Hand"] == line_words(line["hand"])
        assert row["Combinations"] == f"{line['combinations']:,}"
        assert row["Pays"] == line["pays"] or row["Pays"].startswith("$")
        chance, part = Fraction(line["probability_exact"]), Fraction(line["return_exact"])
        assert is_rounded(row["Probability"], chance)
        assert row["Once in"] == "never" if not chance else is_rounded(row["Once in"], 1 / chance)
        assert is_rounded(row["Contribution"], part)
        assert (exact(whole["Probability"]), exact(whole["Contribution"])) == (chance, part)
    edge = Fraction(answer["house_edge_exact"])
    assert lines[-1]["Combinations"] == f"{answer['total_combinations']:,}"
    assert is_rounded(lines[-1]["Contribution"], -edge)
    assert exact(fractions[-1]["Contribution"]) == -edge
    compare_facts(facts(paper, title), answer)


def compare_facts(said: dict[str, str], answer: Any) -> None:  # noqa: ANN401 - JSON
    names = {
        "House edge": "house_edge",
        "Average wager": "average_wager",
        "Element of risk": "element_of_risk",
        "Hit frequency": "hit_frequency",
        "Folded by best play": "folded",
        "Envy": "envy_per_other_player",
    }
    for name, key in names.items():
        assert (name in said) == (key in answer)
        if name in said:
            value = Fraction(answer[f"{key}_exact"])
            assert exact(said[name]) == value
            number = next(word for word in said[name].split() if word[:1].isdigit() or word[:1] == "−")
            assert is_rounded(number.rstrip(","), value)
    edge, variance = Fraction(answer["house_edge_exact"]), Fraction(answer["variance_exact"])
    assert exact(said["Return to player"]) == 1 - edge
    assert exact(said["Variance"]) == variance
    deviation = said["Standard deviation"].split()[0]
    assert is_rounded(deviation, Fraction(answer["standard_deviation"]))
    assert is_rounded(said["Skewness"], Fraction(answer["skewness"]))
    assert is_rounded(said["Volatility index"].split()[0], Fraction(1.6448536269514722 * math.sqrt(variance)))
