"""When and with which software a certificate was issued, and who signed that; docs/certificates.md has the form.

The figures of a wager are the same whenever they are counted, so a certificate's own hash has no date. What was issued
has a hash of its own, over the certificate's hash, the date and the software, and that is what is signed.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier import __version__
from croupier.signing import is_signed, public_key, sign

__all__ = ["Issue", "check_issue", "issued", "signed"]

_PREFIX: Final = b"croupier-certificate-1\n"
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


class Issue(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What was issued: when, by which version, from which files; signed or not."""

    at: str
    software: str
    software_hash: str
    hash: str
    signer: str = ""
    signature: str = ""


def issued(certificate: str, *, at: str, software_hash: str) -> Issue:
    """The issue of a certificate with this hash, not signed.

    >>> issue = issued("00" * 32, at="2026-01-01T12:00:00Z", software_hash="11" * 32)
    >>> check_issue(issue, "00" * 32), check_issue(issue, "22" * 32)
    ([], ['issued: the hash does not match: the date, the software or the certificate was changed'])
    """
    issue = Issue(at=at, software=f"croupier {__version__}", software_hash=software_hash, hash="")
    return replace(issue, hash=_hash(issue, certificate))


def signed(issue: Issue, private: bytes) -> Issue:
    """The same issue, signed."""
    return replace(issue, signer=public_key(private), signature=sign(private, _PREFIX + issue.hash.encode()))


def check_issue(issue: Issue, certificate: str, *, signer: str = "") -> list[str]:
    """What is wrong with an issue: its date, its hash, its signature, or that another key signed it."""
    wrong = [] if _TIME.fullmatch(issue.at) else ["issued: at is not a time such as 2026-01-01T12:00:00Z"]
    if issue.hash != _hash(issue, certificate):
        wrong.append("issued: the hash does not match: the date, the software or the certificate was changed")
    if issue.signer or issue.signature:
        try:
            holds = is_signed(issue.signer, issue.signature, _PREFIX + issue.hash.encode())
        except ValueError:
            holds = False
        wrong += [] if holds else ["issued: the signature does not hold"]
    if signer and issue.signer != signer:
        wrong.append(f"issued: it is signed by {issue.signer}, not by {signer}" if issue.signer else "it is not signed")
    return wrong


def _hash(issue: Issue, certificate: str) -> str:
    """SHA-256 over the certificate's hash and what was issued: keys sorted, no spaces, UTF-8."""
    content = {name: getattr(issue, name) for name in ("at", "software", "software_hash")}
    return hashlib.sha256(msgspec.json.encode(content | {"certificate": certificate}, order="sorted")).hexdigest()
