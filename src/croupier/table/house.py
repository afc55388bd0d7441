"""People on duty, opening and closing, the tray, and changes of the rules."""

from __future__ import annotations

from croupier.errors import Malformed, RuleViolation
from croupier.games.offers import refuse
from croupier.money import Cents, MeterUnits, meter_units, print_dollars
from croupier.progressive import house_meters, shown
from croupier.rulebook import Finding, HouseRules, check, read_submission, submission_text
from croupier.rulebook.schema import Attestation
from croupier.table import commands
from croupier.table import events as table_events
from croupier.table.accounts import TRAY, balance
from croupier.table.people import is_among, is_device, is_person
from croupier.table.requests import Request
from croupier.table.state import Table, cite, cited_duty, deny, devices_of, irregularity_row, is_out

__all__ = ["due_attestations", "missing_attestation"]


def assign(table: Table, command: commands.Assign, _: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "assign")
    if not is_person(command.person):
        raise refuse("no_name", cited, "a person is known by a name")
    if is_device(command.person):
        raise refuse("no_name", cited, f"{command.person} is a name that the table itself uses")
    if is_among(command.person, [patron for _, patron in table.seats]):
        raise refuse("own_act", cited, f"{command.person} plays at this table", reading=165)
    if command.instead_of and (command.post == "dealer" or command.instead_of not in table.floor):
        raise refuse("not_on_duty", cited, f"{command.instead_of} is no floorperson on duty here")
    if command.post == "floorperson":
        if command.person in table.floor:
            raise refuse("already_on_duty", cited, f"{command.person} is on duty already")
        if command.person == table.dealer:
            raise refuse("own_act", cited, f"{command.person} deals here and cannot supervise the same table")
    elif command.person == table.dealer:
        raise refuse("already_on_duty", cited, f"{command.person} deals here already")
    elif command.person in table.floor:
        raise refuse("own_act", cited, f"{command.person} supervises this table and cannot deal at it")
    relieved = table.dealer if command.post == "dealer" else command.instead_of
    return [table_events.PersonAssigned(post=command.post, person=command.person, relieved=relieved, **cite(cited))]


def due_attestations(table: Table) -> list[Attestation]:
    """What is attested at this table, given what it offers and how it deals."""
    house = table.house
    rows = [row for row in house.rulebook.procedure.attest if not row.deal or house.deal in row.deal]
    return [row for row in rows if row.offered is None or house.wager(row.offered) is not None]


def missing_attestation(table: Table) -> Attestation | None:
    """The first thing that must be attested and that nobody has attested yet."""
    return next((row for row in due_attestations(table) if not row.optional and row.what not in table.attested), None)


def attest(table: Table, command: commands.Attest, _: Request) -> list[table_events.Event]:
    row = next((one for one in due_attestations(table) if one.what == command.what), None)
    if row is None:
        words = ", ".join(one.what for one in due_attestations(table))
        cited = cited_duty(table.house, "attest")
        raise refuse("nothing_to_attest", cited, f"{_say(command.what)} is no matter of this table: {words}")
    if row.what in table.attested:
        raise refuse("already_attested", row.on(table.house.deal), f"{_say(command.what)} is attested already")
    reference = command.reference
    if row.what == "layout":
        reference = reference or dict(table.house.approvals).get("layout", "")
        if not reference:
            raise refuse("no_reference", row, "a layout is attested with the reference of its approval")
    return [table_events.AttestationMade(what=row.what, reference=reference, **cite(row.on(table.house.deal)))]


def count_inventory(table: Table, command: commands.CountInventory, _: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "count_inventory")
    if table.round is not None:
        raise refuse("round_in_progress", cited, "the tray is counted between rounds")
    expected = None if table.gaming_day is None else _tray(table)
    return [table_events.InventoryCounted(amount=command.amount, expected=expected, **cite(cited))]


def verify_inventory(table: Table, _: commands.Command, order: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "verify_inventory")
    if table.counted is None or table.verified:
        raise refuse("nothing_there", cited, "the tray was not counted since it was confirmed or touched")
    if is_among(order.by.id, [table.counted_by]):
        raise refuse("own_act", cited, f"{order.by.id} counted the tray: somebody else confirms it", reading=165)
    if table.gaming_day is not None and table.counted != _tray(table):
        message = f"{print_dollars(table.counted)} were counted, {print_dollars(_tray(table))} are on record"
        raise refuse("count_differs", cited, f"{message}: count again, or fill or credit the difference")
    return [table_events.InventoryVerified(amount=table.counted, counted_by=table.counted_by, **cite(cited))]


def _tray(table: Table) -> Cents:
    return balance(table.books, TRAY)


def fill_tray(table: Table, command: commands.FillTray, _: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "fill_tray")
    _check_slip(table, command, cited_name="fill_tray")
    return [table_events.TrayFilled(amount=command.amount, reference=command.reference, **cite(cited))]


def credit_tray(table: Table, command: commands.CreditTray, _: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "credit_tray")
    _check_slip(table, command, cited_name="credit_tray")
    return [table_events.TrayCredited(amount=command.amount, reference=command.reference, **cite(cited))]


def _check_slip(table: Table, command: commands.FillTray | commands.CreditTray, *, cited_name: str) -> None:
    cited = cited_duty(table.house, cited_name)
    if table.gaming_day is None:
        raise refuse("table_closed", cited, "the first count says what the tray holds")
    if not command.amount or not command.reference:
        raise refuse("no_reference", cited, "chips move with an amount and the reference of their slip")


def open_table(table: Table, command: commands.OpenTable, _: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "open_table")
    if table.status != "closed":
        raise refuse("already_open", cited, "the table is open")
    if table.gaming_day is not None and command.gaming_day < table.gaming_day:
        raise refuse("not_later", cited, f"the last gaming day was {table.gaming_day}")
    if (missing := missing_attestation(table)) is not None:
        raise refuse("not_attested", missing, f"{_say(missing.what)} is attested first")
    if not table.dealer or not table.floor:
        who = "a dealer" if not table.dealer else "a floorperson"
        raise deny(table, "nobody_on_duty", "assign", f"{who} is assigned first")
    if not table.verified or table.counted is None:
        inventory = cited_duty(table.house, "verify_inventory")
        raise refuse("inventory_open", inventory, "the tray is counted and confirmed first")
    return [
        table_events.TableOpened(
            gaming_day=command.gaming_day, rules=table.house.hash, tray=table.counted, **cite(cited)
        )
    ]


def change_day(table: Table, command: commands.ChangeDay, _: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "change_day")
    if table.status == "closed" or table.gaming_day is None:
        raise refuse("table_closed", cited, "the gaming day of a closed table is given when it opens")
    if table.round is not None:
        raise refuse("round_in_progress", cited, "a gaming day begins between rounds")
    if command.gaming_day <= table.gaming_day:
        raise refuse("not_later", cited, f"the gaming day is {table.gaming_day}: the next is later")
    return [table_events.GamingDayChanged(gaming_day=command.gaming_day, **cite(cited))]


def close_table(table: Table, *_: object) -> list[table_events.Event]:
    cited = cited_duty(table.house, "close_table")
    if table.status == "closed" or table.gaming_day is None:
        raise refuse("table_closed", cited, "the table is closed")
    if table.round is not None:
        raise refuse("round_in_progress", cited, "the round is finished first")
    if table.sealed is not None:
        raise refuse("seed_sealed", cited, "the seed of the last round is revealed first")
    if table.seats:
        raise refuse("players_seated", cited, "the players stand up first")
    left = [account for account, amount in table.books if account.kind == "chips" and amount]
    if left:
        words = f"the {left[0]} are still here: with stand_up they go to the cage"
        raise refuse("chips_left", cited, words)
    if table.decks:
        raise deny(table, "decks_on_table", "remove_deck", "the decks leave the table first")
    if not table.verified or table.counted is None:
        inventory = cited_duty(table.house, "verify_inventory")
        raise refuse("inventory_open", inventory, "the tray is counted and confirmed first")
    return [
        table_events.TableClosed(gaming_day=table.gaming_day, tray=table.counted, rounds=table.rounds, **cite(cited))
    ]


def suspend_table(table: Table, *_: object) -> list[table_events.Event]:
    cited = cited_duty(table.house, "suspend_table")
    if table.suspended:
        raise refuse("already_suspended", cited, "the table is suspended")
    return [table_events.TableSuspended(**cite(cited))]


def release_table(table: Table, _: commands.Command, order: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "release_table")
    if not table.suspended:
        raise refuse("not_suspended", cited, "the table is not suspended")
    above = {"regulator": ("regulator",), "operator": ("operator", "regulator")}.get(table.suspended)
    if above is not None and order.by.role not in above:
        raise refuse(
            "not_your_act", cited, f"a table that the {table.suspended} suspended is released by the {above[0]}"
        )
    return [table_events.TableReleased(**cite(cited))]


def propose_rules(table: Table, command: commands.ProposeRules, _: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "propose_rules")
    try:
        submission = read_submission(command.submission)
        verdict = check(submission)
    except Malformed as error:
        raise refuse("bad_submission", cited, str(error)) from None
    if submission.rulebook != table.house.rulebook.id:
        raise refuse("other_rulebook", cited, f"this table plays by {table.house.rulebook.id}")
    if verdict.house is None:
        raise unlawful("bad_submission", verdict.findings[0])
    if not command.approval.strip():
        raise refuse("no_reference", cited, "a change of rules has the reference of its approval")
    return [
        table_events.RulesProposed(
            submission=submission_text(submission), rules=verdict.house.hash, approval=command.approval, **cite(cited)
        )
    ]


def device_problem(table: Table, house: HouseRules) -> RuleViolation | None:
    """Why the table may not go over to the devices of another house yet (reading 144)."""
    row, old, new = irregularity_row(table, "device_unusable"), devices_of(table.house), devices_of(house)
    for device, kind in old.items():
        gone = new.get(device) != kind
        if gone and (row.on_any_change or device in table.failed) and not is_out(table, device):
            words = f"the {device} is {' or '.join(row.attest)} before another method is used"
            return refuse("not_out_of_use", row, words)
    for device, kind in new.items():
        if any((name, what) == (device, kind) for name, what, _ in table.out_of_use):
            return refuse("out_of_use", row, f"the {device} is out of use")
    return None


def unlawful(code: str, first: Finding) -> RuleViolation:
    """A refusal by what is wrong with a submission."""
    return RuleViolation(code, f"{first.key}: {first.message}", clause=first.clause, reading=first.reading)


def confirm_rules(table: Table, _: commands.Command, order: Request) -> list[table_events.Event]:
    cited, proposal = cited_duty(table.house, "confirm_rules"), table.proposal
    if proposal is None:
        raise refuse("nothing_there", cited, "no rules were proposed")
    if is_among(order.by.id, [proposal.by]):
        raise refuse("own_act", cited, f"{order.by.id} proposed these rules: somebody else confirms them", reading=165)
    if table.round is not None or table.sealed is not None:
        raise refuse("round_in_progress", cited, "rules change between rounds")
    if (problem := device_problem(table, proposal.house)) is not None:
        raise problem
    kept = {meter.name for meter in house_meters(proposal.house)}
    lost = [meter for meter in table.meters if meter.name not in kept]
    if lost:
        held = f"the {lost[0].name} meter holds {print_dollars(shown(lost[0]))}"
        raise refuse("meter_held", cited, f"{held}, and the new rules have no such meter", reading=182)
    if any(seat > proposal.house.seats for seat, _ in table.seats):
        raise refuse("players_seated", cited, f"players sit beyond seat {proposal.house.seats}")
    if len(table.decks) > proposal.house.decks:
        raise refuse("decks_on_table", cited, "more decks are at the table than the new rules have")
    return [
        table_events.RulesChanged(
            rules=proposal.house.hash,
            approval=proposal.approval,
            proposed_by=proposal.by,
            meters=_carried_over(table, proposal.house),
            **cite(cited),
        )
    ]


def _carried_over(table: Table, house: HouseRules) -> tuple[tuple[str, MeterUnits], ...]:
    """What each meter holds under new rules: as before, and at least the new reset amount (reading 182)."""
    held = {meter.name: meter.units for meter in table.meters}
    return tuple(
        (meter.name, MeterUnits(max(held[meter.name], meter_units(meter.reset))) if meter.name in held else meter.units)
        for meter in house_meters(house)
    )


def _say(name: str) -> str:
    return f"the {name.replace('_', ' ')}"
