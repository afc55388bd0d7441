"""Certificates as others check them: by the command, and by a checker that shares no code with it."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from croupier.analysis.cases import cases_of
from croupier.analysis.certificate import certificate_of
from croupier.analysis.pricing import price
from croupier.fingerprint import software_hash
from croupier.rulebook import load_rulebook
from croupier.rulebook.editions import ENVIRONMENT, edition_folder
from support.custom_paytable import CUSTOM, written
from support.running import here as run

BOOKS = ("md-mississippi-stud", "ma-mississippi-stud", "md-let-it-ride", "md-high-card-flush")
CHECKER = Path(__file__).parents[2] / "tools/check_certificate.py"


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("papers") / "bonus.json"
    done = run("certificate", "write", "md-let-it-ride", "-w", "three_card_bonus", "-o", str(file))
    assert done.returncode == 0
    return file


def checked_by_another(file: Path, *words: str) -> int:
    done = subprocess.run([sys.executable, str(CHECKER), str(file), *words], capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    return done.returncode


def said_by_another(file: Path, *words: str) -> str:
    return subprocess.run(
        [sys.executable, str(CHECKER), str(file), *words], capture_output=True, check=False, text=True
    ).stdout


def exported(book: str, folder: Path) -> Path:
    file = folder / f"{book}.rulebook.json"
    assert run("certificate", "rulebook", book, "-o", str(file)).returncode == 0
    return file


def test_a_certificate_holds_here_and_elsewhere(certificates: Path) -> None:
    assert run("certificate", "check", str(certificates)).returncode == 0
    assert checked_by_another(certificates) == 0


def test_equally_good_plays_are_told_apart_in_the_verdict(tmp_path: Path) -> None:
    file = tmp_path / "base.json"
    assert run("certificate", "write", "md-let-it-ride", "-w", "base", "-p", "A", "-o", str(file)).returncode == 0
    edge = "valid: house edge 37963/1082900"
    more, less = (f"{file}: base A of md-let-it-ride, ties bet {tie}: {edge}" for tie in ("more", "less"))
    assert run("certificate", "check", str(file)).stdout.splitlines() == [more, less]


def test_a_certificate_holds_by_the_edition_that_it_was_made_from(tmp_path: Path) -> None:
    shipped, rules, file = edition_folder("md-let-it-ride"), tmp_path / "rules", tmp_path / "bonus.json"
    old, new = (rules / "zz/let-it-ride" / date for date in (shipped.name, "2030-01-01"))
    shutil.copytree(shipped, old)
    source = old / "source.toml"
    source.write_text(source.read_text().replace('"md-let-it-ride"', '"zz-let-it-ride"'))
    here = {ENVIRONMENT: str(rules)}
    asked = ("zz-let-it-ride", "-w", "three_card_bonus", "-p", "A", "-o", str(file))
    assert run("certificate", "write", *asked, **here).returncode == 0
    shutil.copytree(old, new)
    (new / "source.toml").write_text(source.read_text().replace(shipped.name, new.name))
    paytables = new / "paytables.toml"
    paytables.write_text(paytables.read_text().replace("40 to 1", "41 to 1"))
    assert run("certificate", "check", str(file), **here).returncode == 0
    shutil.rmtree(old)
    done = run("certificate", "check", str(file), **here)
    assert done.returncode == 1
    assert "it was made from an edition of zz-let-it-ride that" in done.stdout


@pytest.mark.parametrize("book", BOOKS)
def test_every_certificate_adds_up_elsewhere(book: str, tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    assert run("certificate", "write", book, "-o", str(file)).returncode == 0
    assert checked_by_another(file, "--no-recount") == 0


@pytest.mark.torture
@pytest.mark.parametrize("book", BOOKS)
def test_every_certificate_holds_elsewhere(book: str, tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    assert run("certificate", "write", book, "-o", str(file)).returncode == 0
    assert checked_by_another(file) == 0


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ('"count": "52"', '"count": "53"'),
        ('"128/5525"', '"127/5525"'),
        ("40 to 1", "41 to 1"),
        ('"made_by": "croupier', '"made_by": "somebody'),
    ],
)
def test_a_certificate_that_was_altered_does_not_hold(certificates: Path, tmp_path: Path, was: str, now: str) -> None:
    text = certificates.read_text()
    assert was in text
    file = tmp_path / "altered.json"
    file.write_text(text.replace(was, now, 1))
    assert run("certificate", "check", str(file)).returncode == 1
    assert checked_by_another(file) == 1


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ('"net": "40"', '"net": "1e99999999"', "not a fraction"),
        ('"wager": "three_card_bonus"', '"wager": "x holds\\nlie.json: y"', "not valid"),
        ('"rulebook": "md-let-it-ride"', '"rulebook": "md-mississippi-stud"', "not valid"),
    ],
)
def test_a_certificate_that_lies_is_caught(certificates: Path, tmp_path: Path, was: str, now: str, said: str) -> None:
    papers = json.loads(certificates.read_text().replace(was, now))
    file = rehashed(papers, tmp_path / "lie.json")
    done = run("certificate", "check", str(file))
    assert done.returncode == 1
    assert said in done.stdout
    assert len(done.stdout.splitlines()) <= 2 * len(papers)


def rehashed(papers: list[dict[str, Any]], file: Path) -> Path:
    """Write certificates as a forger would: whatever they say, both hashes are right."""
    for paper in papers:
        paper["hash"] = hash_of({name: value for name, value in paper.items() if name not in {"hash", "issued"}})
        if "issued" in paper:
            paper["issued"]["hash"] = issue_hash(paper)
    file.write_text(json.dumps(papers))
    return file


def hash_of(content: dict[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def issue_hash(paper: dict[str, Any]) -> str:
    issue = {name: paper["issued"][name] for name in ("at", "software", "software_hash")}
    return hash_of(issue | {"certificate": paper["hash"]})


def test_a_certificate_with_other_pays_cannot_claim_a_paytable_of_the_document(tmp_path: Path) -> None:
    """The straight flush pays 50 to 1 and everything else is recomputed, but paytable A and its clause are claimed."""
    honest, forged = tmp_path / "A.json", tmp_path / "forged.json"
    asked = ("md-mississippi-stud", "-w", "three_card_bonus", "-p", "A", "-o", str(honest))
    assert run("certificate", "write", *asked).returncode == 0
    (printed,) = json.loads(honest.read_text())
    lines = ", ".join(f'{{ hand = "{line["hand"]}", pays = "{line["pays"]}" }}' for line in printed["rules"]["lines"])
    file = written(tmp_path, "three_card_bonus", lines.replace("40 to 1", "50 to 1"))
    assert run("certificate", "write", "--custom", str(file), "-o", str(forged)).returncode == 0
    (paper,) = json.loads(forged.read_text())
    assert paper["figures"]["house_edge"] == "8/5525"
    assert paper["clause"] == "custom"
    rehashed([paper | {"paytable": "A", "clause": printed["clause"]}], forged)
    done = run("certificate", "check", str(forged))
    assert done.returncode == 1
    assert "straight_flush pays 50 to 1; by 12.D(1) of md-mississippi-stud it pays 40 to 1" in done.stdout
    for rulebook in ((), ("--rulebook", str(exported("md-mississippi-stud", tmp_path)))):
        assert checked_by_another(forged, *rulebook) == (1 if rulebook else 0)
    assert "pays and clause not compared with the document" in said_by_another(forged)
    rehashed([paper | {"paytable": "A"}], forged)
    done = run("certificate", "check", str(forged))
    assert done.returncode == 0
    assert 'custom three_card_bonus "A", not a paytable of md-mississippi-stud' in done.stdout


def test_a_certificate_with_another_rule_cannot_claim_a_paytable_of_the_document(tmp_path: Path) -> None:
    """A-2-3 is no straight, the counts follow, but paytable A and its clause are claimed."""
    book = load_rulebook("md-mississippi-stud")
    case = next(case for case in cases_of(book) if (case.wager, case.table.id) == ("three_card_bonus", "A"))
    case = replace(case, ace_low=False)
    paper = msgspec.to_builtins(certificate_of(case, price(case)[0]))
    assert paper["clause"] == "custom"
    forged = rehashed([paper | {"clause": case.table.clause}], tmp_path / "forged.json")
    done = run("certificate", "check", str(forged))
    assert done.returncode == 1
    assert "rules.ace_low is False; by 12.D(1) of md-mississippi-stud it is True" in done.stdout
    assert checked_by_another(forged, "--rulebook", str(exported("md-mississippi-stud", tmp_path))) == 1
    assert run("certificate", "check", str(rehashed([paper], forged))).returncode == 0


def test_a_custom_paytable_is_labeled_custom_whatever_it_is_called(tmp_path: Path) -> None:
    mine, file = tmp_path / "mine.toml", tmp_path / "paper.json"
    lines = '{ hand = "pair", pays = "2 to 1" }'
    mine.write_text(CUSTOM.format(group="three_card_bonus", lines=lines).replace('"mine"', '"A"\nclause = "12.D(1)"'))
    assert run("certificate", "write", "--own", str(mine), "-o", str(file)).returncode == 0
    assert json.loads(file.read_text())[0]["clause"] == "custom"
    assert run("certificate", "check", str(file)).stdout.startswith(f'{file}: custom three_card_bonus "A", not a')
    assert json.loads(run("certificate", "check", str(file), "--json").stdout)[0]["custom"] is True
    assert "custom paytable" in run("analyze", "--custom", str(mine)).stdout
    assert "custom: no document prints it" in said_by_another(file)


@pytest.mark.parametrize("book", BOOKS)
def test_every_certificate_is_what_its_rulebook_says(book: str, tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    assert run("certificate", "write", book, "-o", str(file)).returncode == 0
    assert checked_by_another(file, "--no-recount", "--rulebook", str(exported(book, tmp_path))) == 0
    others = [other for other in BOOKS if other != book]
    assert checked_by_another(file, "--no-recount", "--rulebook", str(exported(others[0], tmp_path))) == 1


def test_a_house_and_a_paytable_of_ones_own_have_certificates_too(tmp_path: Path) -> None:
    file, house = tmp_path / "paper.json", tmp_path / "house.toml"
    house.write_text(
        run("submission", "new", "md-high-card-flush", "--every-wager").stdout + "\n[readings.hcf]\nace_low = false\n"
    )
    mine = written(tmp_path, "three_card_bonus", '{ hand = "pair", pays = "2 to 1" }')
    for words in (("-s", str(house)), ("--own", str(mine))):
        assert run("certificate", "write", *words, "-o", str(file)).returncode == 0
        assert run("certificate", "check", str(file)).returncode == 0
        assert checked_by_another(file, "--no-recount") == 0


def test_a_file_keeps_its_links_and_its_mode(tmp_path: Path) -> None:
    file, link = tmp_path / "paper.json", tmp_path / "link.json"
    file.write_text("old")
    file.chmod(0o600)
    link.symlink_to(file)
    assert run("certificate", "write", "md-let-it-ride", "-w", "three_card_bonus", "-o", str(link)).returncode == 0
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text().startswith("[")


def test_what_is_no_certificate_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "paper.json"
    for text in ("", "{}", "[]", "[1]", "null", '{"schema": "x"}'):
        file.write_text(text)
        assert run("certificate", "check", str(file)).returncode == 2
        assert checked_by_another(file) == 2


def test_a_certificate_says_when_it_was_issued_and_by_which_software(certificates: Path) -> None:
    for paper in json.loads(certificates.read_text()):
        issue = paper["issued"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", issue["at"])
        assert (issue["software"], issue["software_hash"]) == (paper["made_by"], software_hash())
        assert paper["rulebook_hash"] == load_rulebook("md-let-it-ride").hash


@pytest.fixture(scope="module")
def signed_papers(certificates: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Signed certificates, and the public key that signed them."""
    folder = tmp_path_factory.mktemp("signed")
    private, file = folder / "lab.key", folder / "signed.json"
    public = run("certificate", "key", str(private)).stdout.strip()
    assert private.stat().st_mode & 0o777 == 0o600
    done = run("certificate", "sign", str(certificates), "--key", str(private), "-o", str(file))
    assert (done.returncode, public in done.stdout) == (0, True)
    return file, public


def test_a_signed_certificate_holds_here_and_elsewhere(signed_papers: tuple[Path, str]) -> None:
    file, public = signed_papers
    done = run("certificate", "check", str(file), "--key", public)
    assert done.returncode == 0
    assert f"  signed by {public}" in done.stdout.splitlines()
    assert checked_by_another(file, "--no-recount", "--key", public) == 0
    assert f"signed by {public}" in said_by_another(file, "--no-recount")


ALTERED = [
    ("at", "2031-01-01T00:00:00Z"),
    ("software", "croupier 9.9.9"),
    ("software_hash", "0" * 64),
    ("hash", "0" * 64),
    ("signature", "0" * 128),
    ("signer", "0" * 64),
]


@pytest.mark.parametrize(("name", "value"), ALTERED)
def test_a_changed_date_software_hash_or_signature_is_found(
    signed_papers: tuple[Path, str], tmp_path: Path, name: str, value: str
) -> None:
    papers = json.loads(signed_papers[0].read_text())
    papers[0]["issued"][name] = value
    file = tmp_path / "altered.json"
    file.write_text(json.dumps(papers))
    assert run("certificate", "check", str(file)).returncode == 1
    assert checked_by_another(file, "--no-recount") == 1


def test_a_forger_who_computes_every_hash_again_lacks_the_key(signed_papers: tuple[Path, str], tmp_path: Path) -> None:
    """Another date, with the hash of the issue made right; then without the signature."""
    papers, public = json.loads(signed_papers[0].read_text())[:1], signed_papers[1]
    issue = papers[0]["issued"]
    issue["at"] = "2031-01-01T00:00:00Z"
    file = rehashed(papers, tmp_path / "forged.json")
    assert "the signature does not hold" in run("certificate", "check", str(file)).stdout
    assert "the signature does not hold" in said_by_another(file, "--no-recount")
    del issue["signature"], issue["signer"]
    file.write_text(json.dumps(papers))
    assert run("certificate", "check", str(file)).returncode == 0
    assert "it is not signed" in run("certificate", "check", str(file), "--key", public).stdout
    assert checked_by_another(file, "--no-recount", "--key", public) == 1


def test_a_certificate_without_a_date_is_still_valid(certificates: Path, tmp_path: Path) -> None:
    """As they were written before dates were."""
    papers = json.loads(certificates.read_text())
    for paper in papers:
        del paper["issued"]
    file = tmp_path / "old.json"
    file.write_text(json.dumps(papers))
    assert run("certificate", "check", str(file)).returncode == 0
    assert checked_by_another(file, "--no-recount") == 0


def test_nothing_is_signed_that_is_not_valid(certificates: Path, tmp_path: Path) -> None:
    private, file = tmp_path / "lab.key", tmp_path / "wrong.json"
    assert run("certificate", "key", str(private)).returncode == 0
    assert run("certificate", "key", str(private)).returncode == 2
    papers = json.loads(certificates.read_text())
    papers[0]["figures"]["house_edge"] = "1/2"
    rehashed(papers, file)
    before = file.read_bytes()
    done = run("certificate", "sign", str(file), "--key", str(private))
    assert (done.returncode, file.read_bytes()) == (1, before)
    assert "not signed" in done.stderr


@pytest.mark.parametrize(
    ("content", "mode", "said"),
    [("zz", 0o600, "64 hexadecimal digits"), ("00" * 32, 0o644, "others can read this key"), (None, 0, "No such file")],
)
def test_a_key_that_cannot_be_used_is_refused_in_a_line(
    certificates: Path, tmp_path: Path, content: str | None, mode: int, said: str
) -> None:
    private = tmp_path / "lab.key"
    if content is not None:
        private.write_text(content)
        private.chmod(mode)
    done = run("certificate", "sign", str(certificates), "--key", str(private))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr
    assert run("certificate", "check", str(certificates), "--key", "zz").returncode == 2
