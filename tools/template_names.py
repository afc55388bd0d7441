"""The names that templates read, as a program: so that `make test` does not call them dead code."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, nodes

TEMPLATES = Path(__file__).parents[1] / "src/croupier/web/templates"


def main() -> None:
    environment = Environment(autoescape=True)
    names: set[str] = set()
    for path in TEMPLATES.rglob("*.html"):
        tree = environment.parse(path.read_text())
        names |= {node.attr for node in tree.find_all(nodes.Getattr)}
        # `map(attribute="label")` names one in a text.
        names |= {
            str(given.value.value).partition(".")[0]
            for call in tree.find_all(nodes.Filter)
            for given in call.kwargs
            if given.key == "attribute" and isinstance(given.value, nodes.Const)
        }
    print("\n".join(f"_.{name}" for name in sorted(names) if name.isidentifier()))


if __name__ == "__main__":
    main()
