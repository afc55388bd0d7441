"""Decks, devices, and what they allow to be offered."""

from __future__ import annotations

from croupier.rulebook.checks.finding import Findings, error, first_wager
from croupier.rulebook.house_options import allowed_options
from croupier.rulebook.schema import DealNeeded, DeckHours, Rulebook
from croupier.rulebook.submission import Submission
from croupier.wire import clip

__all__ = ["check_cards", "check_needs", "hours_rule"]


def check_cards(book: Rulebook, submission: Submission) -> Findings:
    """Decks, the ways to shuffle and to deal, and the life of a deck."""
    cards, table = submission.cards, book.table
    if cards.decks not in (table.decks.standard, table.decks.standard + 1):
        yield error(table.decks, "cards.decks", f"{cards.decks} decks: one, or two with an automated shuffler")
    shuffle = next((one for one in table.shuffle if one.method == cards.shuffle), None)
    deal = next((one for one in table.deal if one.method == cards.deal), None)
    if shuffle is None:
        allowed = ", ".join(one.method for one in table.shuffle)
        yield error(
            table.shuffle[0], "cards.shuffle", f"{clip(repr(cards.shuffle))} is no way to shuffle here: {allowed}"
        )
    elif shuffle.approval_required and not submission.approvals.get(shuffle.approval or ""):
        message = f"a {cards.shuffle} shuffler needs the reference of its approval in approvals.{shuffle.approval}"
        yield error(shuffle, f"approvals.{shuffle.approval}", message)
    if deal is None:
        allowed = ", ".join(one.method for one in table.deal)
        yield error(table.deal[0], "cards.deal", f"{clip(repr(cards.deal))} is no way to deal here: {allowed}")
    elif deal.needs_shuffler is not None and cards.shuffle == "manual":
        yield error(deal.needs_shuffler, "cards.shuffle", "dealing from the hand needs an automated shuffler")
    if cards.decks == table.decks.standard + 1 and cards.shuffle == "manual":
        yield error(table.decks.second, "cards.decks", "two decks need an automated shuffler")
    yield from _deck_hours(hours_rule(book, cards.deal), cards.deck_hours)


def hours_rule(book: Rulebook, deal: str) -> DeckHours:
    """How long a deck lives when dealt this way."""
    return next((rule for rule in book.table.deck_hours if deal in rule.deal), book.table.deck_hours[0])


def _deck_hours(rule: DeckHours, hours: int | None) -> Findings:
    if hours is None:
        if rule.hours is None:
            yield error(rule, "cards.deck_hours", "after how many hours a deck is replaced is missing")
    elif hours < 1:
        yield error(rule, "cards.deck_hours", f"{hours} hours: at least one")
    elif rule.hours is not None and hours > rule.hours:
        yield error(rule, "cards.deck_hours", f"{hours} hours: at most {rule.hours} when dealt this way")


def check_needs(book: Rulebook, submission: Submission) -> Findings:
    """Wagers that can be offered only with certain devices."""
    cards = submission.cards
    mode_read = False
    for wager in book.wagers.wager:
        needs = wager.needs
        if needs is None or wager.name not in submission.wagers:
            continue
        mode_read = mode_read or needs.cover_all_mode
        if needs.deal and cards.deal not in needs.deal and not _lifted(book, submission, needs):
            yield error(needs, "cards.deal", f"{wager.name} is dealt from {' or '.join(needs.deal)} only")
        if needs.shuffle and cards.shuffle not in needs.shuffle:
            yield error(needs, "cards.shuffle", f"{wager.name} needs the shuffler {' or '.join(needs.shuffle)}")
        if needs.cover_all_mode and not cards.cover_all_mode:
            yield error(needs, "cards.cover_all_mode", f"{wager.name} needs the device set to its mode")
    if cards.cover_all_mode and not mode_read:
        yield error(
            first_wager(book), "cards.cover_all_mode", "nothing reads this key: Cover All is not offered", reading=190
        )


def _lifted(book: Rulebook, submission: Submission, needs: DealNeeded) -> bool:
    """Whether an option, with its approval, lifts the need."""
    if not needs.option:
        return False
    default = next(option.default for option in book.options if option.rule.name == needs.option)
    chosen = allowed_options(book, submission).named(needs.option) != default
    return chosen and needs.approval is not None and bool(submission.approvals.get(needs.approval))
