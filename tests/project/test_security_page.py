"""The pages about security: every item of both levels has its line, and whatever they name is there."""

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs/security.md").read_text("utf-8")
ITEMS: Final = {
    1: (2, 9, 11, 3, 2), 2: (3, 3, 4, 1), 3: (0, 2, 4, 6, 5, 0, 2), 4: (3, 1, 2, 4), 5: (1, 3, 2, 3),
    6: (3, 12, 4, 4, 5, 3, 0, 4), 7: (3, 4, 2, 5, 2, 2), 8: (2, 3, 1, 1), 9: (3, 4), 10: (2, 2, 4, 11, 5, 2, 3),
    11: (2, 3, 3, 4, 1, 1), 12: (3, 2, 4), 13: (1, 5, 2, 5), 14: (2, 4, 3), 15: (3, 3, 7), 16: (1, 5, 4, 3, 3),
    17: (1, 4, 2),
}  # fmt: skip
"""How many items of levels 1 and 2 each section of ASVS 5.0.0 has, by chapter; those of level 3 come last in each."""
Item = tuple[int, int, int]


def listed() -> set[Item]:
    """Every item that the page names, alone or in a range."""
    one = r"(\d+)\.(\d+)\.(\d+)"
    text = PAGE.partition("## ASVS 5.0, levels 1 and 2")[2]
    found = set()
    for match in re.finditer(rf"(?<![\d.]){one}(?:–{one})?(?![\d.]*\d)", text):
        first = tuple(map(int, match.groups()[:3]))
        last = tuple(map(int, match.groups()[3:])) if match[4] else first
        found |= {item for item in expected() if first <= item <= last}
    return found


def expected() -> set[Item]:
    return {
        (chapter, section, item)
        for chapter, sections in ITEMS.items()
        for section, count in enumerate(sections, 1)
        for item in range(1, count + 1)
    }


def test_every_item_of_levels_1_and_2_has_its_line_and_none_is_open() -> None:
    assert len(expected()) == 253
    assert sorted(expected() - listed()) == []
    assert "missing" not in PAGE
    assert "for the pages" not in PAGE


@pytest.mark.parametrize("page", ["docs/security.md", "docs/cryptography.md", "SECURITY.md"])
def test_every_place_that_is_named_exists(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    named = set(re.findall(r"`([\w.*-][\w/.*-]*(?:\.py|\.toml|\.txt|\.md|/))`", text))
    named |= {f"docs/{link}" for link in re.findall(r'<a href="([^"]+)"', text)}
    sources = ROOT / "src/croupier"
    homes = (ROOT, sources, sources / "house", sources / "journal", ROOT / "tests/project", ROOT / "tests/properties")
    gone = [name for name in named if not any((home / name).exists() or any(home.glob(name)) for home in homes)]
    assert set(gone) <= {"procedure.toml"}  # each rulebook has one
    assert named
