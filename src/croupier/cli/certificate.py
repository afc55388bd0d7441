"""`croupier certificate`: figures that others can check, written and checked."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer
from msgspec.structs import replace

from croupier.analysis import (
    CUSTOM,
    Certificate,
    case_of,
    certificate_of,
    check_arithmetic,
    check_issue,
    check_recount,
    issued,
    read_certificates,
    signed,
)
from croupier.cli.case_selection import chosen_cases, house_of, price_all
from croupier.cli.completions import complete_wager
from croupier.cli.rulebook_names import house_option, rulebook_argument
from croupier.cli.shown.console import print_json, read_file
from croupier.errors import CroupierError, Malformed
from croupier.files import write_whole
from croupier.fingerprint import short_hash, software_hash
from croupier.present import counted
from croupier.rulebook import find_rulebook, load_rulebook, rulebook_ids
from croupier.signing import new_private_key, public_key, read_private_key
from croupier.wire import clip

__all__ = ["app"]

app = typer.Typer(help="Write priced wagers as certificates, sign them and check them.")


@app.command()
def write(
    rulebook: Annotated[str | None, rulebook_argument("Such as md-let-it-ride.", metavar="[RULEBOOK]")] = None,
    wager: Annotated[
        str | None,
        typer.Option("--wager", "-w", autocompletion=complete_wager, help="base or a bonus; default: all."),
    ] = None,
    paytable: Annotated[str | None, typer.Option("--paytable", "-p", help="One paytable; default: all.")] = None,
    submission: Annotated[
        Path | None, house_option("--submission", "-s", text="The wagers of this house instead.")
    ] = None,
    custom: Annotated[
        Path | None, typer.Option("--custom", "--own", metavar="FILE", help="Your own paytables instead, in TOML.")
    ] = None,
    stake: Annotated[str | None, typer.Option(help="Stake to use where a prize is a fixed amount: 5.00")] = None,
    meter: Annotated[
        list[str] | None, typer.Option("--meter", metavar="NAME=AMOUNT", help="Current meter value: main=12345.67")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead.", show_default=False)
    ] = None,
) -> None:
    """Write certificates of priced wagers: rules, counts, method, figures and a hash over all of it.

    Each says when it was issued, by which version, and the hash of the installed files.

    Example: [bold]croupier certificate write md-let-it-ride --wager base -o base.json[/bold]
    """
    cases = chosen_cases(
        [rulebook] if rulebook else [],
        house_of(submission) if submission else None,
        custom,
        wager=wager,
        paytable=paytable,
        stake=stake,
        meters=meter or (),
    )
    # What others rely on is recomputed, whatever is cached.
    papers = [_issued(certificate_of(case, record)) for case, record in price_all(cases, recompute=True)]
    _write(papers, output)
    if output is not None:
        print(f"{counted(len(papers), 'certificate')} written to {output}")


def _issued(paper: Certificate) -> Certificate:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return replace(paper, issued=issued(paper.hash, at=now, software_hash=software_hash()))


def _write(papers: Sequence[Certificate], output: Path | None) -> None:
    text = msgspec.json.format(msgspec.json.encode(papers), indent=2) + b"\n"
    if output is None:
        sys.stdout.buffer.write(text)
    else:
        write_whole(output, text)


@app.command()
def key(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file for the private key.")],
) -> None:
    """Make a key to sign certificates with, and print its public part for those who check.

    Example: [bold]croupier certificate key lab.key[/bold]
    """
    print(public_key(new_private_key(file)))


@app.command("sign")
def sign_certificates(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Certificates in JSON; - is standard input.")],
    key_file: Annotated[
        Path, typer.Option("--key", metavar="KEY", help="The file with the private key; croupier certificate key.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write to this file; default: the same file.", show_default=False),
    ] = None,
) -> int:
    """Check certificates in full, then sign each with its date, software and hash (Ed25519).

    Nothing is signed unless every certificate is valid.

    Exit code 1: a certificate is not valid, and the file is as it was.

    Example: [bold]croupier certificate sign base.json --key lab.key[/bold]
    """
    private = read_private_key(key_file)
    papers = [paper if paper.issued else _issued(paper) for paper in _papers(file)]
    for paper in papers:
        if wrong := _problems(paper):
            print(_one_line(f"{file}: {_title(paper)}: not valid, not signed: {wrong[0]}"), file=sys.stderr)
            return 1
    done = [replace(paper, issued=signed(paper.issued, private)) for paper in papers if paper.issued]
    target = output or (None if str(file) == "-" else file)
    _write(done, target)
    if target is not None:
        print(f"{counted(len(done), 'certificate')} signed by {public_key(private)}, written to {target}")
    return 0


@app.command("rulebook")
def export_rulebook(
    rulebook: Annotated[str, rulebook_argument("Such as md-let-it-ride.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead.", show_default=False)
    ] = None,
) -> None:
    """Write a rulebook as one JSON file, whose SHA-256 is the rulebook hash of its certificates.

    The independent checker compares certificates with it:
    [bold]python tools/check_certificate.py base.json --rulebook md-let-it-ride.json[/bold]

    Example: [bold]croupier certificate rulebook md-let-it-ride -o md-let-it-ride.json[/bold]
    """
    law = load_rulebook(rulebook).law.encode()
    if output is None:
        sys.stdout.buffer.write(law)
    else:
        write_whole(output, law)


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Certificates in JSON; - is standard input.")],
    signer: Annotated[
        str,
        typer.Option(
            "--key", metavar="PUBLIC", help="The public key that must have signed every one.", show_default=False
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """Check certificates: hash, sums, figures, pays and rules against the document, and a full recount.

    A certificate that names a paytable of a document must have its pays, rules and clause; any other is custom. A date,
    software hash or signature that does not hold is found.

    Exit code 0: every certificate is valid. 1: at least one is not. 2: a file cannot be read.

    Example: [bold]croupier certificate check base.json[/bold]
    """
    if signer and not re.fullmatch("[0-9a-f]{64}", signer):
        raise Malformed("--key: a public key is 64 hexadecimal digits in lower case")
    verdicts = [(file, paper, _problems(paper, signer=signer)) for file in files for paper in _papers(file)]
    if as_json:
        print_json([_verdict(file, paper, wrong) for file, paper, wrong in verdicts])
    else:
        for file, paper, wrong in verdicts:
            words = f"valid: house edge {paper.figures['house_edge']}" if not wrong else f"not valid: {wrong[0]}"
            print(_one_line(f"{file}: {_title(paper)}: {words}"))
            for more in wrong[1:] if wrong else _signature(paper):
                print(_one_line(f"  {more}"))
    return 1 if any(wrong for _, _, wrong in verdicts) else 0


def _papers(file: Path) -> tuple[Certificate, ...]:
    text = read_file(file)
    try:
        papers = read_certificates(text)
    except Malformed as error:
        raise Malformed(f"{file}: {error}") from None
    if not papers:
        raise Malformed(f"{file}: it contains no certificate")
    return papers


def _signature(paper: Certificate) -> list[str]:
    """Who signed a certificate, and when and with which software it was issued."""
    issue = paper.issued
    if issue is None or not issue.signer:
        return []
    ours = ", the software here" if issue.software_hash == software_hash() else ""
    return [
        f"issued {issue.at} by {issue.software} ({short_hash(issue.software_hash)}{ours})",
        f"signed by {issue.signer}",
    ]


def _title(paper: Certificate) -> str:
    """What was priced: wager, paytable, rulebook, and what the figures depend on."""
    named = f"{paper.wager} {paper.paytable} of {paper.rulebook}"
    if paper.clause == CUSTOM:
        named = f'custom {paper.wager} "{paper.paytable}", not a paytable of {paper.rulebook}'
    words = [_CASES.get(name, f"{name} {{}}").format(value.replace("_", " ")) for name, value in paper.case.items()]
    words += [f"stake ${stake}"] if isinstance(stake := paper.rules.get("stake"), str) else []
    meters = paper.rules.get("meters")
    words += [f"{name} meter ${amount}" for name, amount in meters.items()] if isinstance(meters, dict) else []
    words += ["the ace high only"] if paper.rules.get("ace_low") is False else []
    return ", ".join([named, *words])


_CASES: Final = {"tie_rule": "ties bet {}", "players": "{} players", "variant": "{}"}


def _one_line(text: str) -> str:
    """Untrusted text, without the characters that could pass for output of ours."""
    return clip("".join(letter if letter.isprintable() else "?" for letter in text), 400)


def _problems(paper: Certificate, *, signer: str = "") -> list[str]:
    """What is wrong with a certificate: in itself, or against the rules and counts of this installation."""
    wrong = check_arithmetic(paper)
    if signer and not wrong:
        wrong = check_issue(paper.issued, paper.hash, signer=signer) if paper.issued else ["it is not signed"]
    if wrong:
        return wrong
    if paper.rulebook not in rulebook_ids():
        return [f"no such rulebook is installed: {', '.join(rulebook_ids())}"]
    if find_rulebook(paper.rulebook, paper.rulebook_hash) is None:
        return [f"it was made from an edition of {paper.rulebook} that is not installed here"]
    try:
        recounts = [certificate_of(*priced) for priced in price_all([case_of(paper)], recompute=True)]
        recount = next((recount for recount in recounts if recount.case == paper.case), None)
        return check_recount(paper, recount) if recount else [f"no such case: {paper.case}"]
    except (CroupierError, ValueError, KeyError, TypeError, AttributeError) as error:
        return [f"its rules cannot be applied: {error}"]


def _verdict(file: Path, paper: Certificate, wrong: list[str]) -> dict[str, object]:
    asked = {"file": str(file), "rulebook": paper.rulebook, "wager": paper.wager, "paytable": paper.paytable}
    return asked | {
        "case": paper.case,
        "made_by": paper.made_by,
        "issued": paper.issued,
        "custom": paper.clause == CUSTOM,
        "holds": not wrong,
        "problems": wrong,
    }
