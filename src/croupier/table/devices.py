"""Devices that fail, go out of service and come back, and other ways to shuffle and to deal."""

from __future__ import annotations

from croupier.games import refuse
from croupier.rulebook import check_by, submission_text
from croupier.rulebook.schema import Cited
from croupier.table import commands
from croupier.table import events as table_events
from croupier.table.duties import cite, cited_duty
from croupier.table.house import unlawful
from croupier.table.methods import changed_submission, device_problem, devices_of, irregularity_row, is_out, out_of_use
from croupier.table.requests import Request
from croupier.table.state import Table, deck_named

__all__: list[str] = []


def report_jam(table: Table, command: commands.ReportJam, _: Request) -> list[table_events.Event]:
    cited, deck = cited_duty(table.house, "report_jam"), deck_named(table, command.deck)
    if "shuffler" not in devices_of(table.house):
        raise refuse("no_device", cited, "this table shuffles by hand")
    if deck is None or deck.stage not in {"stacked", "used", "shuffled"}:
        raise refuse("not_in_device", cited, "only a deck in the shuffler can jam: the round in play continues")
    return [table_events.DeckJammed(deck=deck.id, **cite(cited))]


def take_out_device(table: Table, command: commands.TakeOutDevice, _: Request) -> list[table_events.Event]:
    row = irregularity_row(table, "device_unusable")
    if command.device not in devices_of(table.house):
        raise refuse("no_device", row, f"this table does not use a {command.device}")
    if command.how not in row.attest:
        words = " or ".join(row.attest)
        raise refuse("not_so", row, f"a device that must not be used must be {words} here")
    kind = devices_of(table.house)[command.device]
    if (command.device, kind, command.how) in table.devices.out_of_use:
        raise refuse("already_out", row, f"the {command.device} is already {command.how}")
    if table.round is not None and table.round.at.kind in {"wagers", "act", "deal"}:
        raise refuse("round_in_progress", row, "this round is still being dealt from it")
    cited = out_of_use(table, command.device, command.how)
    return [table_events.DeviceTakenOut(device=command.device, kind=kind, how=command.how, **cite(cited))]


def restore_device(table: Table, command: commands.RestoreDevice, _: Request) -> list[table_events.Event]:
    cited = _why_restored(table, command.device)
    if (
        command.device not in {name for name, *_ in table.devices.out_of_use}
        and command.device not in table.devices.failed
    ):
        raise refuse("in_order", cited, f"the {command.device} is in service: there is nothing to restore")
    return [table_events.DeviceRestored(device=command.device, **cite(cited))]


def _why_restored(table: Table, device: commands.Device) -> Cited:
    """The clause of what happened to a device: it was taken out of service, or it failed."""
    how = next((how for name, _, how in table.devices.out_of_use if name == device), None)
    if how is not None:
        return out_of_use(table, device, how)
    return cited_duty(table.house, "report_jam" if device == "shuffler" else "restore_device")


def _why_changed(table: Table, command: commands.ChangeMethod) -> Cited:
    """The clause for changing methods: a device is out of service, or the house chooses to."""
    for device in devices_of(table.house):
        if is_out(table, device):
            return out_of_use(table, device)
    rules = table.house.rulebook.table
    if irregularity_row(table, "device_unusable").on_any_change:
        return cited_duty(table.house, "change_method")
    if command.deal != table.house.deal:
        return next(method for method in rules.deal if method.method == command.deal)
    if command.shuffle != table.house.shuffle:
        return next(method for method in rules.shuffle if method.method == command.shuffle)
    return rules.decks.second if command.decks > rules.decks.standard else rules.decks


def change_method(table: Table, command: commands.ChangeMethod, _: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "change_method")
    house = table.house
    if table.round is not None or table.fairness.unrevealed_shuffle is not None:
        raise refuse("round_in_progress", cited, "change the method between rounds")
    if (command.shuffle, command.deal, command.decks) == (house.shuffle, house.deal, house.decks):
        raise refuse("no_change", cited, "this table already plays that way")
    submission = changed_submission(table, command.shuffle, command.deal, command.decks)
    verdict = check_by(house.rulebook, submission)
    if verdict.house is None:
        raise unlawful("not_allowed", verdict.findings[0])
    if len(table.cards.decks) > command.decks:
        raise refuse("decks_on_table", cited, f"remove a deck first: the new method uses {command.decks}")
    if (problem := device_problem(table, verdict.house)) is not None:
        raise problem
    return [
        table_events.MethodChanged(
            shuffle=command.shuffle,
            deal=command.deal,
            decks=command.decks,
            rules=verdict.house.hash,
            submission=submission_text(submission),
            **cite(_why_changed(table, command)),
        )
    ]
