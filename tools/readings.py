"""Write docs/readings.md: every reading on one page, with its clauses, choice, reason and options.

python tools/readings.py            write it
python tools/readings.py --check    exit 1 if it has gone stale
"""

from __future__ import annotations

import sys
from pathlib import Path

from croupier.present import rulebooks
from croupier.rulebook import load_readings

TARGET = Path(__file__).parents[1] / "docs" / "readings.md"
HEAD = """# Readings

Every point that the documents leave open, and how Croupier reads it; made from `regulations/readings.toml` by
`tools/readings.py`. Each is an opinion that an operator adopts with the software. So each has its clauses, the choice,
the reason, and the option that an operator has instead. Clauses are cited by rulebook. Names in `code` are options of a
[Rules Submission](submissions.md).

The same from the command line: `croupier rulebook readings md-let-it-ride --search meter`; add `--full`, `--csv` or
`--json`.
"""


def main() -> int:
    text = page()
    if "--check" in sys.argv:
        if not TARGET.is_file() or TARGET.read_text() != text:
            print("readings: docs/readings.md is stale; run `python tools/readings.py`")
            return 1
        return 0
    TARGET.write_text(text)
    print(f"readings: {len(load_readings())} readings")
    return 0


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for reading in load_readings():
        rows = rulebooks.reading_sheet(reading).rows
        parts.append(
            f"## {reading.number}. {reading.title}\n\n" + "\n".join(f"- **{name}**: {text}" for name, text in rows)
        )
    return "\n\n".join(part.strip() for part in parts) + "\n"


if __name__ == "__main__":
    sys.exit(main())
