"""Rules by hash: an old record is judged by the law it was made under.

`TODAY` looks through the editions of this installation. An `Archive` stores the law itself, so that a record can be
judged when its edition is no longer installed. It stores texts by name, so a folder or a database can be its shelf:

    rulebooks/HASH.json   the law of a rulebook; the hash is the SHA-256 of this file
    houses/HASH.json      the rulebook's hash and a submission that gives the house rules with this hash
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from croupier.errors import Malformed, RulesMismatch
from croupier.files import write_whole
from croupier.rulebook.checks import house_by
from croupier.rulebook.editions import editions
from croupier.rulebook.house import HouseRules
from croupier.rulebook.law import law_hash, read_law
from croupier.rulebook.load import load_rulebook
from croupier.rulebook.schema import Rulebook
from croupier.rulebook.submission import Submission, read_submission
from croupier.rulebook.submission_text import submission_text
from croupier.wire import canonical_json, clip, decode_json

__all__ = ["TODAY", "Archive", "FolderShelf", "Laws", "Shelf"]


class Laws(Protocol):
    """A source of house rules by hash."""

    def house(self, rules: str, submission: Submission) -> HouseRules:
        """The house rules with the hash `rules` that this submission results in, or `RulesMismatch`."""


class Shelf(Protocol):
    """Texts by name: what an archive needs from a folder or a database."""

    def get(self, name: str) -> str | None:
        """The text of this name, if there is one."""

    def put(self, name: str, text: str) -> None:
        """Store a text, whole or not at all."""


class _Today(Struct, frozen=True):
    """The law as installed here."""

    def house(self, rules: str, submission: Submission) -> HouseRules:
        """The house rules with this hash, from the newest edition that gives them.

        >>> from croupier.rulebook import check, read_submission
        >>> submission = read_submission({"rulebook": "md-mississippi-stud"})
        >>> house = check(submission).rules()
        >>> TODAY.house(house.hash, submission) == house
        True
        >>> TODAY.house("0" * 64, submission)
        Traceback (most recent call last):
        croupier.errors.RulesMismatch: no edition of md-mississippi-stud gives the rules 000000000000…: 2026-11-15
        """
        try:
            dates = editions(submission.rulebook) if submission.edition is None else [submission.edition]
            for date in dates:
                house = _house(load_rulebook(submission.rulebook, edition=date), submission)
                if house is not None and house.hash == rules:
                    return house
        except Malformed as error:
            raise RulesMismatch(f"the rules {_short(rules)} cannot be found: {error}") from None
        raise RulesMismatch(f"no edition of {submission.rulebook} gives the rules {_short(rules)}: {', '.join(dates)}")


TODAY: Final[Laws] = _Today()
"""The law as installed here: a record is judged by its own edition, as long as that is installed."""


class FolderShelf(Struct, frozen=True):
    """A folder as a shelf."""

    folder: Path

    def get(self, name: str) -> str | None:
        """The text of this name, if there is one."""
        try:
            return (self.folder / name).read_bytes().decode()
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            raise RulesMismatch(f"{self.folder / name}: it has been changed: it is not text") from None
        except OSError as error:
            raise Malformed(f"{self.folder / name}: {error.strerror}") from None

    def put(self, name: str, text: str) -> None:
        """Store a text, whole or not at all."""
        path = self.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Malformed(f"{path.parent}: cannot be created: {error.strerror}") from None
        write_whole(path, text.encode())


class Archive(Struct, frozen=True):
    """The law of every house stored here, by hash.

    >>> import tempfile
    >>> from croupier.rulebook import check, read_submission
    >>> submission = read_submission({"rulebook": "md-mississippi-stud"})
    >>> house = check(submission).rules()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     archive = Archive(FolderShelf(Path(folder)))
    ...     rules = archive.put(submission, house)
    ...     archive.house(rules, submission) == house
    True
    """

    shelf: Shelf

    def put(self, submission: Submission, house: HouseRules) -> str:
        """Store the law behind a house and return its hash. Anything already stored is verified and left alone."""
        text, rules = submission_text(submission), house.hash
        _judged(house.rulebook, submission, rules)
        book, kept = _book_name(house.rulebook.hash), _house_name(rules)
        # The rulebook first, so that a stored house always has its law.
        if self.shelf.get(book) is None:
            self.shelf.put(book, house.rulebook.law)
        if self.shelf.get(kept) is None:
            self.shelf.put(kept, _kept(house.rulebook.hash, decode_json(text)))
        self.submission(rules)
        return rules

    def house(self, rules: str, submission: Submission) -> HouseRules:
        """The house rules with this hash, from the stored law; `RulesMismatch` if anything was changed."""
        book, _ = self._opened(rules)
        return _judged(book, submission, rules)

    def submission(self, rules: str) -> Submission:
        """A submission that gives these rules: the first one stored."""
        book, submission = self._opened(rules)
        _judged(book, submission, rules)
        return submission

    def _opened(self, rules: str) -> tuple[Rulebook, Submission]:
        name = _house_name(rules)
        text = self.shelf.get(name)
        if text is None:
            raise RulesMismatch(f"the rules {_short(rules)} are not in this archive")
        try:
            raw = decode_json(text)
            if text != _kept(raw["rulebook"], raw["submission"]):
                raise Malformed("the checksum does not match")
            submission = read_submission(raw["submission"])
        except (KeyError, TypeError):
            raise RulesMismatch(f"{name}: it has been changed: it is not a rulebook's hash and a submission") from None
        except Malformed as error:
            raise RulesMismatch(f"{name}: it has been changed: {clip(str(error))}") from None
        return self._rulebook(raw["rulebook"]), submission

    def _rulebook(self, expected: str) -> Rulebook:
        name = _book_name(expected)
        law = self.shelf.get(name)
        if law is None:
            raise RulesMismatch(f"{name}: it is not in this archive")
        if law_hash(law) != expected:
            raise RulesMismatch(f"{name}: it has been changed: its hash is {_short(law_hash(law))}")
        return read_law(law, at=name)


def _house(book: Rulebook, submission: Submission) -> HouseRules | None:
    """The house rules of a submission, if any; it was checked when it was filed, and its hash is compared."""
    try:
        return house_by(book, submission)
    except (LookupError, ValueError, TypeError, AttributeError):  # never valid under this rulebook
        return None


def _judged(book: Rulebook, submission: Submission, rules: str) -> HouseRules:
    """The house rules of a submission under this rulebook, which must have this hash."""
    if submission.rulebook != book.id or submission.edition not in (None, book.edition):
        named = f"{submission.rulebook} {submission.edition or ''}".strip()
        raise RulesMismatch(f"the rules {_short(rules)} are of {book.id} {book.edition}, not of {named}")
    house = _house(book, submission)
    if house is None or house.hash != rules:
        given = "no rules at all" if house is None else f"the rules {_short(house.hash)}"
        raise RulesMismatch(f"this submission gives {given}, not {_short(rules)}, under {book.id} {book.edition}")
    return house


def _kept(rulebook: str, submission: object) -> str:
    """The text of a stored house. It has its own checksum, since not every setting changes the rules."""
    content = {"rulebook": rulebook, "submission": submission}
    checksum = hashlib.sha256(canonical_json(content).encode()).hexdigest()
    return canonical_json(content | {"sha256": checksum})


def _book_name(rulebook: str) -> str:
    return f"rulebooks/{_hash(rulebook)}.json"


def _house_name(rules: str) -> str:
    return f"houses/{_hash(rules)}.json"


def _hash(text: object) -> str:
    """A hash, checked because it becomes a file name."""
    if not (isinstance(text, str) and len(text) == 64 and set(text) <= set("0123456789abcdef")):
        raise RulesMismatch(f"{clip(repr(text), 40)} is not a hash of rules")
    return text


def _short(rules: str) -> str:
    return clip(rules, 13)
