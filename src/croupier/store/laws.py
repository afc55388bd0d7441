"""The law of a house in its store: rulebooks and submissions by hash, so that a record is judged by its own day."""

from __future__ import annotations

from pathlib import PurePosixPath

from croupier.rulebook import Archive, HouseRules, Submission
from croupier.store.store import Store

__all__ = ["LawShelf"]


class LawShelf:
    """The shelf of an `Archive`: what the store holds, and what is new and has to be stored with the next append."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._new: dict[str, str] = {}

    def get(self, name: str) -> str | None:
        """The text of this name, if there is one."""
        return self._texts.get(name)

    def put(self, name: str, text: str) -> None:
        """Keep a text until it is stored."""
        self._texts[name] = self._new[name] = text

    def put_house(self, submission: Submission, house: HouseRules) -> None:
        """Keep the law behind a house."""
        Archive(self).put(submission, house)

    @property
    def rules(self) -> tuple[str, ...]:
        """The hash of every house whose law is here."""
        return tuple(PurePosixPath(name).stem for name in self._texts if name.startswith("houses/"))

    @property
    def new(self) -> tuple[tuple[str, str], ...]:
        """What has to be stored; a store that has it already leaves it alone."""
        return tuple(self._new.items())

    def stored(self) -> None:
        """What was new is stored now."""
        self._new = {}

    async def read(self, store: Store) -> None:
        """Exactly what the store holds: what was new and could not be stored is forgotten."""
        self._texts = {str(name): str(text) for name, text in await store.read("select name, text from law")}
        self._new = {}
