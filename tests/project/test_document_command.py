"""`croupier document` as operators meet it: asked at a terminal, with odd files and folders, and by every road."""

import json
import os
import pty
import select
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from croupier.documents.sign import HELP
from support.printed import said_in
from support.running import croupier, here

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'


@pytest.fixture
def filed(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text('rulebook = "md-mississippi-stud"\noperator = "Harbor House"\n')
    return path


def at_terminal(*arguments: str, answer: str) -> tuple[int, str, str]:
    """Run the command with a terminal before it, and answer what it asks: exit code, output, what it showed."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "croupier", "document", *arguments]
    shown, answered, until = b"", False, time.monotonic() + 120
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs) as running:
        os.close(theirs)
        while time.monotonic() < until:
            if select.select([ours], [], [], 0.2)[0]:
                try:
                    shown += os.read(ours, 4096)
                except OSError:  # the other side is closed
                    break
            elif running.poll() is not None:
                break
            if HELP.encode() in shown and not answered:
                os.write(ours, f"{answer}\n".encode())
                answered = True
        said, _ = running.communicate(timeout=60)
    os.close(ours)
    return running.returncode, said.decode(), shown.decode()


@pytest.mark.parametrize("kind", ["sign", "guide"])
def test_a_missing_help_line_is_asked_for_at_a_terminal(filed: Path, kind: str) -> None:
    out = filed.parent / f"{kind}.pdf"
    code, said, shown = at_terminal(kind, str(filed), "--out", str(out), answer=" Call 1-800-GAMBLER now. ")
    assert (code, said) == (0, f"written to {out}\n")
    assert f"{HELP}, as the sign must say it (Enter for a blank line)" in shown
    assert "warning" not in shown
    assert "Call 1-800-GAMBLER now." in said_in(out.read_bytes())


def test_who_answers_nothing_gets_a_blank_and_is_told(filed: Path) -> None:
    out = filed.parent / "sign.pdf"
    code, _, shown = at_terminal("sign", str(filed), "--out", str(out), answer="")
    assert code == 0
    assert "no help line was given, so there is a ruled blank for it" in shown
    assert HELP in said_in(out.read_bytes())


def test_an_answer_that_is_too_long_is_refused_and_nothing_is_written(filed: Path) -> None:
    out = filed.parent / "sign.pdf"
    code, _, shown = at_terminal("sign", str(filed), "--out", str(out), answer="x" * 161)
    assert code == 2
    assert "has 161 characters: at most 160" in " ".join(shown.split())
    assert not out.exists()


def test_nobody_is_asked_where_a_help_line_is_given_or_none_is_printed(filed: Path) -> None:
    out = filed.parent / "sign.pdf"
    given = at_terminal("sign", str(filed), "--out", str(out), "--help-line", "Call 1.", answer="")
    card = at_terminal("dealer-card", str(filed), "--out", str(out), answer="")
    assert [HELP in shown for _, _, shown in (given, card)] == [False, False]
    assert (given[0], card[0]) == (0, 0)


def test_json_toml_and_standard_input_give_the_same_bytes(filed: Path) -> None:
    papers = {"version": "2", "date": "2026-11-17", "help_line": "Call 1."}
    lines = "".join(f'{key} = "{value}"\n' for key, value in papers.items())
    filed.write_text(f"{filed.read_text()}[papers]\n{lines}")
    as_json = filed.with_suffix(".json")
    as_json.write_text(json.dumps({"rulebook": "md-mississippi-stud", "operator": "Harbor House", "papers": papers}))
    made = []
    for place, (source, stdin) in enumerate(((filed, ""), (as_json, ""), (Path("-"), filed.read_text()))):
        out = filed.parent / f"{place}.pdf"
        done = here("document", "sign", str(source), "--out", str(out), stdin=stdin)
        assert (done.returncode, done.stderr) == (0, "")
        made.append(out.read_bytes())
    assert len(set(made)) == 1


def test_two_processes_give_the_same_bytes(filed: Path) -> None:
    """Whatever order Python happens to keep things in."""
    made = []
    for seed in ("1", "2"):
        folder = filed.parent / seed
        for kind in ("layout", "submission"):
            done = croupier(
                "document", kind, str(filed), "--all", str(folder), "--help-line", "Call 1.", PYTHONHASHSEED=seed
            )
            assert (done.returncode, done.stderr) == (0, "")
        made.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert len(made[0]) == 5
    assert made[0] == made[1]


def test_an_older_paper_is_replaced_as_a_whole_and_keeps_its_mode(filed: Path) -> None:
    out = filed.parent / "sign.pdf"
    out.write_bytes(b"older" * 1_000_000)
    out.chmod(0o640)
    assert here("document", "sign", str(filed), "--out", str(out), "--help-line", "Call 1.").returncode == 0
    assert out.read_bytes().startswith(b"%PDF-")
    assert len(out.read_bytes()) < 5_000_000
    assert stat.S_IMODE(out.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("/dev/full", "/dev/full: the payout sign is printed as .pdf or .html"),
        ("full.pdf", "full.pdf: cannot be written: No space left on device"),
        ("folder.pdf", "folder.pdf: cannot be written: Is a directory"),
        ("house.toml/sign.pdf", "house.toml/sign.pdf: cannot be written: Not a directory"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_line(filed: Path, place: str, message: str) -> None:
    (filed.parent / "full.pdf").symlink_to("/dev/full")
    (filed.parent / "folder.pdf").mkdir()
    out = place if place.startswith("/") else str(filed.parent / place)
    done = here("document", "sign", str(filed), "--out", out, "--help-line", "Call 1.")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_folder_that_cannot_be_made_is_said_in_one_line(filed: Path) -> None:
    done = here("document", "sign", str(filed), "--all", str(filed / "papers"), "--help-line", "Call 1.")
    assert (done.returncode, done.stdout) == (2, "")
    assert "house.toml/papers: cannot be made: Not a directory" in done.stderr


@pytest.mark.parametrize(
    ("logo", "message"),
    [
        (b"\x89PNG\r\n\x1a\n\x00", "not UTF-8 text"),
        (b"<svg", "not an SVG drawing"),
        (b"<p><svg></p>", "its first element is 'p'"),
        (b'<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', "it declares an entity"),
        (b"<svg viewBox='0 0 9 9'><rect/></svg>", "its svg element lacks xmlns"),
        (SQUARE.replace("viewBox", "view").encode(), "it has no size"),
        (SQUARE.replace("rect", "g").encode(), "it draws nothing"),
        (SQUARE.replace("<rect", "<text>Harbor House</text><rect").encode(), "turn its letters into outlines"),
        (SQUARE.replace("<rect", "<image href='l.png'/><rect").encode(), "it refers to another file"),
        (SQUARE.replace('viewBox="0 0 9 9"', "width='0' height='0'").encode(), "that can be printed"),
    ],
)
@pytest.mark.parametrize("kind", ["sign", "layout"])
def test_a_logo_that_is_no_drawing_is_refused_in_one_line(filed: Path, kind: str, logo: bytes, message: str) -> None:
    (filed.parent / "logo.svg").write_bytes(logo)
    out = filed.parent / f"{kind}.pdf"
    given = ("--logo", str(filed.parent / "logo.svg"), "--help-line", "Call 1.")
    done = here("document", kind, str(filed), "--out", str(out), *given)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not out.exists()


def test_a_logo_is_printed_on_every_paper_that_has_one(filed: Path) -> None:
    (filed.parent / "logo.svg").write_text(SQUARE)
    given = ("--logo", str(filed.parent / "logo.svg"), "--help-line", "Call 1.")
    for name in ("sign.pdf", "sign.html", "layout.svg", "layout.pdf", "layout.html", "submission.pdf"):
        done = here("document", name.partition(".")[0], str(filed), "--out", str(filed.parent / name), *given)
        assert (done.returncode, done.stderr) == (0, ""), name


@pytest.mark.parametrize("name", ["x" * 161, "Donaudampfschifffahrtsgesellschaftskapitaens House"])
def test_a_name_that_fits_on_no_paper_is_refused_in_one_line(filed: Path, name: str) -> None:
    filed.write_text(filed.read_text().replace("Harbor House", name))
    done = here("document", "sign", str(filed), "--out", str(filed.parent / "sign.pdf"), "--help-line", "Call 1.")
    assert (done.returncode, done.stdout) == (2, "")
    assert "does not fit on a paper: at most 160 characters, and words of at most 40" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_letters_that_no_typeface_has_are_warned_about(filed: Path) -> None:
    filed.write_text(filed.read_text().replace("Harbor House", "賭場 Łódź 🂡"))
    given = ("--help-line", "Call 1.")
    done = here("document", "sign", str(filed), "--out", str(filed.parent / "sign.pdf"), *given)
    assert done.returncode == 0
    assert done.stderr == "croupier: warning: no typeface of the papers has 賭 場 🂡: a PDF shows boxes there\n"
    page = here("document", "sign", str(filed), "--out", str(filed.parent / "sign.html"), *given)
    assert (page.returncode, page.stderr) == (0, "")
