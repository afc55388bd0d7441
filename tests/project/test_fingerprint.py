"""The installed files against the released list. The wheel itself is looked at by test_wheel.py."""

import hashlib
import json
from pathlib import Path

import pytest

from croupier.errors import Malformed
from croupier.fingerprint import RELEASED, fingerprint, list_of, software_hash
from croupier.rulebook import load_rulebook
from support.running import here


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "regulations").mkdir()
    (tmp_path / "one.py").write_text("1\n")
    (tmp_path / "regulations/law.toml").write_text("seats = 6\n")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__/one.pyc").write_bytes(b"compiled")
    (tmp_path / RELEASED).write_text(list_of(tmp_path))
    return tmp_path


def test_the_list_is_what_sha256sum_writes_and_the_hash_is_of_that_text(package: Path) -> None:
    rows = [("1\n", "one.py"), ("seats = 6\n", "regulations/law.toml")]
    text = "".join(f"{hashlib.sha256(content.encode()).hexdigest()}  {name}\n" for content, name in rows)
    assert list_of(package) == text
    mark = fingerprint(package)
    assert (mark.is_released, mark.files, mark.hash) == (True, 2, hashlib.sha256(text.encode()).hexdigest())


def test_what_was_changed_removed_or_added_is_named(package: Path) -> None:
    (package / "regulations/law.toml").write_text("seats = 7\n")
    (package / "one.py").unlink()
    (package / "two.py").touch()
    mark = fingerprint(package)
    assert not mark.is_released
    assert (mark.differ, mark.missing, mark.extra) == (("regulations/law.toml",), ("one.py",), ("two.py",))


def test_a_list_that_was_rewritten_has_another_hash(package: Path) -> None:
    """Whoever changes the list too is found by the paper: the hash is not the one that was released."""
    before = fingerprint(package).hash
    (package / "one.py").write_text("2\n")
    (package / RELEASED).write_text(list_of(package))
    assert fingerprint(package).is_released
    assert fingerprint(package).hash != before


def test_a_list_that_is_none_is_refused(package: Path) -> None:
    (package / RELEASED).write_text("not a list\n")
    with pytest.raises(Malformed, match="every line must be a SHA-256"):
        fingerprint(package)


def test_a_clone_says_that_it_is_not_a_released_build() -> None:
    done = here("fingerprint", COLUMNS="80")
    assert done.returncode == 1
    assert "not a released build" in done.stdout
    assert all(len(line.rstrip()) <= 80 for line in done.stdout.splitlines())
    answer = json.loads(here("fingerprint", "--json").stdout)
    assert (answer["is_released"], answer["released_hash"]) == (False, None)
    assert answer["hash"] == software_hash()
    assert answer["short"].replace("-", "") == answer["hash"][:16]
    hashes = {row["rulebook"]: row["hash"] for row in answer["rulebooks"]}
    assert hashes["md-let-it-ride"] == load_rulebook("md-let-it-ride").hash
