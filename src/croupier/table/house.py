"""Staff on duty, opening and closing, the tray, and changes of the rules."""

from __future__ import annotations

from croupier.errors import Malformed, RuleViolation
from croupier.games import refuse
from croupier.money import Cents, MeterUnits, meter_units, print_dollars
from croupier.progressive import house_meters, shown
from croupier.rulebook import Finding, HouseRules, check, read_submission, submission_text
from croupier.rulebook.schema import Attestation
from croupier.table import commands
from croupier.table import events as table_events
from croupier.table.accounts import TRAY, balance
from croupier.table.duties import cite, cited_duty
from croupier.table.methods import device_problem
from croupier.table.people import LONGEST_PERSON_NAME, is_among, is_device, is_person
from croupier.table.requests import Request
from croupier.table.state import Table

__all__ = ["due_attestations", "missing_attestation"]


def assign(table: Table, command: commands.Assign, _: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "assign")
    if not is_person(command.person):
        raise refuse("no_name", cited, f"a person needs a name of 1 to {LONGEST_PERSON_NAME} printable characters")
    if is_device(command.person):
        raise refuse("no_name", cited, f"the table itself uses the name {command.person}")
    if is_among(command.person, [patron for _, patron in table.people.seats]):
        raise refuse("own_act", cited, f"{command.person} plays at this table", reading=165)
    if command.instead_of and (command.post == "dealer" or command.instead_of not in table.people.floor):
        raise refuse("not_on_duty", cited, f"{command.instead_of} is not a floorperson on duty here")
    if command.post == "floorperson":
        if command.person in table.people.floor:
            raise refuse("already_on_duty", cited, f"{command.person} is already on duty")
        if command.person == table.people.dealer:
            raise refuse("own_act", cited, f"{command.person} deals here and cannot supervise the same table")
    elif command.person == table.people.dealer:
        raise refuse("already_on_duty", cited, f"{command.person} already deals here")
    elif command.person in table.people.floor:
        raise refuse("own_act", cited, f"{command.person} supervises this table and cannot deal at it")
    relieved = table.people.dealer if command.post == "dealer" else command.instead_of
    return [table_events.PersonAssigned(post=command.post, person=command.person, relieved=relieved, **cite(cited))]


def due_attestations(table: Table) -> list[Attestation]:
    """What this table attests, given what it offers and how it deals."""
    house = table.house
    rows = [row for row in house.rulebook.procedure.attest if not row.deal or house.deal in row.deal]
    return [row for row in rows if row.offered is None or house.wager(row.offered) is not None]


def missing_attestation(table: Table) -> Attestation | None:
    """The first required attestation that nobody has made yet."""
    return next((row for row in due_attestations(table) if not row.optional and row.what not in table.attested), None)


def attest(table: Table, command: commands.Attest, _: Request) -> list[table_events.Event]:
    row = next((due for due in due_attestations(table) if due.what == command.what), None)
    if row is None:
        words = ", ".join(due.what for due in due_attestations(table))
        cited = cited_duty(table.house, "attest")
        raise refuse(
            "nothing_to_attest", cited, f"{_say(command.what)} is not attested at this table; it attests: {words}"
        )
    if row.what in table.attested:
        raise refuse("already_attested", row.on(table.house.deal), f"{_say(command.what)} is already attested")
    reference = command.reference
    if row.what == "layout":
        reference = reference or dict(table.house.approvals).get("layout", "")
        if not reference:
            raise refuse("no_reference", row, "give the layout's approval reference")
    return [table_events.AttestationMade(what=row.what, reference=reference, **cite(row.on(table.house.deal)))]


def count_inventory(table: Table, command: commands.CountInventory, _: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "count_inventory")
    if table.round is not None:
        raise refuse("round_in_progress", cited, "count the tray between rounds")
    expected = None if table.gaming_day is None else _tray(table)
    return [table_events.InventoryCounted(amount=command.amount, expected=expected, **cite(cited))]


def verify_inventory(table: Table, _: commands.Command, request: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "verify_inventory")
    if table.tray.counted is None or table.tray.verified:
        raise refuse("nothing_there", cited, "count the tray first: no count is waiting to be confirmed")
    if is_among(request.by.id, [table.tray.counted_by]):
        raise refuse("own_act", cited, f"{request.by.id} counted the tray: somebody else must confirm it", reading=165)
    if table.gaming_day is not None and table.tray.counted != _tray(table):
        message = f"{print_dollars(table.tray.counted)} counted, {print_dollars(_tray(table))} on record"
        raise refuse("count_differs", cited, f"{message}: count again, or fill or credit the difference")
    return [table_events.InventoryVerified(amount=table.tray.counted, counted_by=table.tray.counted_by, **cite(cited))]


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
        raise refuse("table_closed", cited, "a new tray has no inventory yet: count it before any fill or credit")
    if not command.amount or not command.reference:
        raise refuse("no_reference", cited, "a fill or credit needs an amount and the reference of its slip")


def open_table(table: Table, command: commands.OpenTable, _: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "open_table")
    if table.status != "closed":
        raise refuse("already_open", cited, "the table is already open")
    if table.gaming_day is not None and command.gaming_day < table.gaming_day:
        raise refuse("not_later", cited, f"the last gaming day was {table.gaming_day}: this one is earlier")
    if (missing := missing_attestation(table)) is not None:
        raise refuse("not_attested", missing, f"attest {_say(missing.what)} first")
    if not table.people.dealer or not table.people.floor:
        who = "a dealer" if not table.people.dealer else "a floorperson"
        raise refuse("nobody_on_duty", cited_duty(table.house, "assign"), f"assign {who} first")
    if not table.tray.verified or table.tray.counted is None:
        inventory = cited_duty(table.house, "verify_inventory")
        raise refuse("inventory_open", inventory, "count and confirm the tray first")
    return [
        table_events.TableOpened(
            gaming_day=command.gaming_day, rules=table.house.hash, tray=table.tray.counted, **cite(cited)
        )
    ]


def change_day(table: Table, command: commands.ChangeDay, _: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "change_day")
    if table.status == "closed" or table.gaming_day is None:
        raise refuse("table_closed", cited, "a closed table gets its gaming day when it opens")
    if table.round is not None:
        raise refuse("round_in_progress", cited, "change the gaming day between rounds")
    if command.gaming_day <= table.gaming_day:
        raise refuse("not_later", cited, f"the gaming day is {table.gaming_day}: the next must be later")
    return [table_events.GamingDayChanged(gaming_day=command.gaming_day, **cite(cited))]


def close_table(table: Table, *_: object) -> list[table_events.Event]:
    cited = cited_duty(table.house, "close_table")
    if table.status == "closed" or table.gaming_day is None:
        raise refuse("table_closed", cited, "the table is closed")
    if table.round is not None:
        raise refuse("round_in_progress", cited, "finish the round first")
    if table.fairness.unrevealed_shuffle is not None:
        raise refuse("seed_sealed", cited, "reveal the seed of the last round first")
    if table.people.seats:
        raise refuse("players_seated", cited, "every player must leave the table first")
    left = [account for account, amount in table.books if account.kind == "chips" and amount]
    if left:
        words = f"{left[0].of}'s chips are still at the table: stand_up sends them to the cage"
        raise refuse("chips_left", cited, words)
    if table.cards.decks:
        raise refuse("decks_on_table", cited_duty(table.house, "remove_deck"), "remove the decks first")
    if not table.tray.verified or table.tray.counted is None:
        inventory = cited_duty(table.house, "verify_inventory")
        raise refuse("inventory_open", inventory, "count and confirm the tray first")
    return [
        table_events.TableClosed(
            gaming_day=table.gaming_day, tray=table.tray.counted, rounds=table.rounds, **cite(cited)
        )
    ]


def suspend_table(table: Table, *_: object) -> list[table_events.Event]:
    cited = cited_duty(table.house, "suspend_table")
    if table.suspended:
        raise refuse("already_suspended", cited, "the table is already suspended")
    return [table_events.TableSuspended(**cite(cited))]


def release_table(table: Table, _: commands.Command, request: Request) -> list[table_events.Event]:
    cited = cited_duty(table.house, "release_table")
    if not table.suspended:
        raise refuse("not_suspended", cited, "the table is not suspended")
    above = {"regulator": ("regulator",), "operator": ("operator", "regulator")}.get(table.suspended)
    if above is not None and request.by.role not in above:
        raise refuse(
            "not_your_act",
            cited,
            f"only the {' or the '.join(above)} can release a table that the {table.suspended} suspended",
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
        raise refuse(
            "other_rulebook",
            cited,
            f"this table plays by {table.house.rulebook.id}: new rules must be under the same rulebook",
        )
    if verdict.house is None:
        raise unlawful("bad_submission", verdict.findings[0])
    if not command.approval.strip():
        raise refuse("no_reference", cited, "give the approval reference for the new rules")
    return [
        table_events.RulesProposed(
            submission=submission_text(submission), rules=verdict.house.hash, approval=command.approval, **cite(cited)
        )
    ]


def unlawful(code: str, first: Finding) -> RuleViolation:
    """A refusal for the first error in a submission."""
    return RuleViolation(code, f"{first.key}: {first.message}", clause=first.clause, reading=first.reading)


def confirm_rules(table: Table, _: commands.Command, request: Request) -> list[table_events.Event]:
    cited, proposal = cited_duty(table.house, "confirm_rules"), table.proposal
    if proposal is None:
        raise refuse("nothing_there", cited, "no rules were proposed")
    if is_among(request.by.id, [proposal.by]):
        raise refuse(
            "own_act", cited, f"{request.by.id} proposed these rules: somebody else must confirm them", reading=165
        )
    if table.round is not None or table.fairness.unrevealed_shuffle is not None:
        raise refuse("round_in_progress", cited, "change the rules between rounds")
    if (problem := device_problem(table, proposal.house)) is not None:
        raise problem
    kept = {meter.name for meter in house_meters(proposal.house)}
    lost = [meter for meter in table.progressive.meters if meter.name not in kept]
    if lost:
        held = f"the {lost[0].name} meter holds {print_dollars(shown(lost[0]))}"
        raise refuse("meter_held", cited, f"{held}, and the new rules have no such meter", reading=182)
    if any(seat > proposal.house.seats for seat, _ in table.people.seats):
        raise refuse("players_seated", cited, f"players are seated beyond seat {proposal.house.seats}")
    if len(table.cards.decks) > proposal.house.decks:
        raise refuse("decks_on_table", cited, "the table has more decks than the new rules allow")
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
    held = {meter.name: meter.units for meter in table.progressive.meters}
    return tuple(
        (meter.name, MeterUnits(max(held[meter.name], meter_units(meter.reset))) if meter.name in held else meter.units)
        for meter in house_meters(house)
    )


def _say(name: str) -> str:
    return f"the {name.replace('_', ' ')}"
