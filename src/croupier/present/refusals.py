"""A refusal: in words, and as JSON for other programs."""

from __future__ import annotations

from typing import Any

from croupier.errors import RuleViolation
from croupier.games import Offer
from croupier.present.citations import cited_by
from croupier.rulebook import Finding, InvalidSubmission
from croupier.table import write_offer

__all__ = ["finding_json", "refusal_json", "refusal_words"]


def refusal_words(violation: RuleViolation) -> str:
    """Say why the rules do not allow it, with the clause.

    >>> refusal_words(RuleViolation("bets_closed", "bets are closed", clause="7.D"))
    'bets are closed (7.D)'
    """
    return cited_by(str(violation), violation.clause, violation.reading)


def refusal_json(violation: RuleViolation) -> dict[str, Any]:
    """Return the refusal as other programs read it; an invalid submission comes with its findings.

    >>> refusal_json(RuleViolation("bets_closed", "bets are closed", clause="7.D"))["refused"]["code"]
    'bets_closed'
    """
    refused = {
        "code": violation.code,
        "clause": violation.clause,
        "reading": violation.reading,
        "message": str(violation),
        "allowed": [write_offer(offer) for offer in violation.allowed if isinstance(offer, Offer)],
    }
    if isinstance(violation, InvalidSubmission):
        return {"refused": refused, "findings": [finding_json(finding) for finding in violation.findings]}
    return {"refused": refused}


def finding_json(finding: Finding) -> dict[str, Any]:
    """Return a finding as other programs read it."""
    return {
        "severity": finding.severity,
        "clause": finding.clause,
        "reading": finding.reading,
        "key": finding.key,
        "message": finding.message,
    }
