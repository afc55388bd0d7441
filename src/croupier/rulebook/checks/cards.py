"""Decks, devices, and the wagers they allow."""

from __future__ import annotations

from croupier.rulebook.checks.finding import Findings, device_words, error, first_wager, title
from croupier.rulebook.house_options import allowed_options
from croupier.rulebook.schema import DealNeeded, DeckHours, Rulebook
from croupier.rulebook.submission import Submission
from croupier.wire import clip

__all__ = ["check_cards", "check_needs", "hours_rule"]


def check_cards(book: Rulebook, submission: Submission) -> Findings:
    """Decks, shuffle and dealing methods, and how long a deck is used."""
    cards, table = submission.cards, book.table
    if cards.decks not in (table.decks.standard, table.decks.standard + 1):
        yield error(table.decks, "cards.decks", f"{cards.decks} decks: use one, or two with an automated shuffler")
    shuffle = next((row for row in table.shuffle if row.method == cards.shuffle), None)
    deal = next((row for row in table.deal if row.method == cards.deal), None)
    if shuffle is None:
        allowed = ", ".join(row.method for row in table.shuffle)
        yield error(
            table.shuffle[0], "cards.shuffle", f"{clip(repr(cards.shuffle))} is not a shuffle method here: {allowed}"
        )
    elif shuffle.approval_required and not submission.approvals.get(shuffle.approval or ""):
        message = f"{device_words([cards.shuffle])} needs an approval reference in approvals.{shuffle.approval}"
        yield error(shuffle, f"approvals.{shuffle.approval}", message)
    if deal is None:
        allowed = ", ".join(row.method for row in table.deal)
        yield error(table.deal[0], "cards.deal", f"{clip(repr(cards.deal))} is not a dealing method here: {allowed}")
    elif deal.needs_shuffler is not None and cards.shuffle == "manual":
        yield error(deal.needs_shuffler, "cards.shuffle", "dealing from the hand needs an automated shuffler")
    if cards.decks == table.decks.standard + 1 and cards.shuffle == "manual":
        yield error(table.decks.second, "cards.decks", "two decks need an automated shuffler")
    yield from _deck_hours(hours_rule(book, cards.deal), cards.deck_hours)


def hours_rule(book: Rulebook, deal: str) -> DeckHours:
    """How long a deck dealt this way is used."""
    return next((rule for rule in book.table.deck_hours if deal in rule.deal), book.table.deck_hours[0])


def _deck_hours(rule: DeckHours, hours: int | None) -> Findings:
    if hours is None:
        if rule.hours is None:
            yield error(rule, "cards.deck_hours", "the number of hours after which a deck is replaced is missing")
    elif hours < 1:
        yield error(rule, "cards.deck_hours", f"{hours} hours: must be at least 1")
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
            yield error(needs, "cards.deal", f"the {title(wager.name)} requires {device_words(needs.deal)}")
        if needs.shuffle and cards.shuffle not in needs.shuffle:
            yield error(needs, "cards.shuffle", f"the {title(wager.name)} requires {device_words(needs.shuffle)}")
        if needs.cover_all_mode and not cards.cover_all_mode:
            yield error(needs, "cards.cover_all_mode", f"the {title(wager.name)} requires its mode on the device")
    if cards.cover_all_mode and not mode_read:
        yield error(
            first_wager(book),
            "cards.cover_all_mode",
            "this setting has no effect: Cover All is not offered",
            reading=190,
        )


def _lifted(book: Rulebook, submission: Submission, needs: DealNeeded) -> bool:
    """Whether an option, with its approval, lifts the requirement."""
    if not needs.option:
        return False
    default = next(option.default for option in book.options if option.rule.name == needs.option)
    chosen = allowed_options(book, submission).named(needs.option) != default
    return chosen and needs.approval is not None and bool(submission.approvals.get(needs.approval))
