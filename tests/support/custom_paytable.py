"""Files of custom paytables."""

from pathlib import Path

CUSTOM = """
rulebook = "md-mississippi-stud"
[[paytable]]
group = "{group}"
id = "mine"
line = [{lines}]
"""


def written(folder: Path, group: str, lines: str) -> Path:
    """Write a custom paytable of these lines."""
    file = folder / "own.toml"
    file.write_text(CUSTOM.format(group=group, lines=lines))
    return file
