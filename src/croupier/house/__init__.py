"""The people of a house and the house's own record: roles, rights, sign-in, limits, submissions and tables."""

from croupier.days import check_settings, gaming_day, period_start
from croupier.house import commands
from croupier.house.commands import THE_HOUSE, HouseCommand, HouseRequest
from croupier.house.credentials import SecondFactorOffer
from croupier.house.decide import decide
from croupier.house.drafts import Drafts, OpenDraft
from croupier.house.first_start import (
    DEMO_ACCOUNTS,
    DEMO_PASSWORD,
    DEMO_PATRONS,
    DemoAccount,
    FirstOperator,
    demo,
    demo_patrons,
    first_start,
)
from croupier.house.floor_state import Dispute, FloorCall, FloorState, HandPaySlip
from croupier.house.house import HOUSE_STREAM, House
from croupier.house.limits import PlayedSoFar, exclusion_words, play_problem, played_so_far
from croupier.house.passwords import Passwords, check_new_password, random_password
from croupier.house.people import People, SignedIn, new_person_id
from croupier.house.rescue import RescuedOperator, rescue_operator
from croupier.house.rights import (
    STAFF,
    a_role,
    acting_role,
    device_scope,
    may_read,
    needs_second_factor,
    rights,
    table_role,
)
from croupier.house.sessions import HouseSession, NewSession, is_csrf
from croupier.house.state import (
    DeviceToken,
    HandOverOrder,
    HouseState,
    HouseTable,
    PersonState,
    RulesChange,
    RulesConfirmed,
    SubmissionVersion,
    evolve_house,
)
from croupier.house.table_steps import HOUSE_NAME
from croupier.house.throttle import SignInTooOften, Throttle, place_of
from croupier.house.tokens import Tokens, token_problem

__all__ = [
    "DEMO_ACCOUNTS",
    "DEMO_PASSWORD",
    "DEMO_PATRONS",
    "HOUSE_NAME",
    "HOUSE_STREAM",
    "STAFF",
    "THE_HOUSE",
    "DemoAccount",
    "DeviceToken",
    "Dispute",
    "Drafts",
    "FirstOperator",
    "FloorCall",
    "FloorState",
    "HandOverOrder",
    "HandPaySlip",
    "House",
    "HouseCommand",
    "HouseRequest",
    "HouseSession",
    "HouseState",
    "HouseTable",
    "NewSession",
    "OpenDraft",
    "Passwords",
    "People",
    "PersonState",
    "PlayedSoFar",
    "RescuedOperator",
    "RulesChange",
    "RulesConfirmed",
    "SecondFactorOffer",
    "SignInTooOften",
    "SignedIn",
    "SubmissionVersion",
    "Throttle",
    "Tokens",
    "a_role",
    "acting_role",
    "check_new_password",
    "check_settings",
    "commands",
    "decide",
    "demo",
    "demo_patrons",
    "device_scope",
    "evolve_house",
    "exclusion_words",
    "first_start",
    "gaming_day",
    "is_csrf",
    "may_read",
    "needs_second_factor",
    "new_person_id",
    "period_start",
    "place_of",
    "play_problem",
    "played_so_far",
    "random_password",
    "rescue_operator",
    "rights",
    "table_role",
    "token_problem",
]
