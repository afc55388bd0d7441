"""docs/architecture.md is the map of the code: its layers are the import contract's, its modules are the real ones."""

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = ROOT / "src/croupier"
PAGE: Final = (ROOT / "docs/architecture.md").read_text()
SECTIONS: Final = {section.partition("\n")[0]: section for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]}
PICTURES: Final = {
    heading.split("`")[1]: picture[1]
    for heading, section in SECTIONS.items()
    if "`" in heading and (picture := re.search(r"^```text\n(.*?)^```", section, flags=re.MULTILINE | re.DOTALL))
}
"""The picture of a package's modules, by the package that its heading names."""


def layers_in_the_picture() -> list[tuple[set[str], str]]:
    picture = SECTIONS["Layers"].split("```text\n")[1].split("```")[0]
    rows = [re.split(r" {2,}", line.strip(), maxsplit=1) for line in picture.splitlines()]
    return [(set(names.split(", ")), duty) for names, duty in rows]


def contract() -> list[set[str]]:
    (layers,) = (
        contract["layers"]
        for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers"
    )
    return [set(re.findall(r"\w+", layer)) for layer in layers]


def modules(folder: Path) -> set[str]:
    """What lies in a package: modules by file name, packages with a slash."""
    files = {path.name for path in folder.glob("*.py")} - {"__init__.py", "__main__.py"}
    return files | {f"{path.parent.name}/" for path in folder.glob("*/__init__.py")}


def test_the_layers_are_those_of_the_import_contract_in_its_order() -> None:
    assert [names for names, _ in layers_in_the_picture()] == contract()


def test_every_package_has_its_layer() -> None:
    drawn = {name for names, _ in layers_in_the_picture() for name in names}
    assert {name.removesuffix(".py").removesuffix("/") for name in modules(SOURCE)} - drawn == set()


def test_what_is_yet_to_come_is_not_there_yet() -> None:
    planned = {name for names, duty in layers_in_the_picture() for name in names if duty.startswith("yet to come")}
    assert planned & {name.removesuffix(".py").removesuffix("/") for name in modules(SOURCE)} == set()


@pytest.mark.parametrize("package", PICTURES)
def test_a_picture_names_every_module_of_its_package_and_no_other(package: str) -> None:
    named = [
        name.strip()
        for line in PICTURES[package].splitlines()
        for name in re.split(r" {2,}", line.strip(), maxsplit=1)[0].split(",")
    ]
    assert sorted(named) == sorted(modules(SOURCE / package))


def test_the_large_packages_have_a_picture() -> None:
    large = {path.parent.name for path in SOURCE.glob("*/__init__.py") if len(modules(path.parent)) > 10}
    assert large - {"cli", "present"} <= PICTURES.keys()


def test_every_module_in_the_text_exists() -> None:
    for heading, section in SECTIONS.items():
        package = heading.split("`")[1] if "`" in heading else ""
        for name in re.findall(r"`([\w/]+\.py)`", section):
            assert any((folder / name).exists() for folder in (SOURCE, SOURCE / package)), f"{heading}: {name}"
