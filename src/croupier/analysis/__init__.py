"""What the games are worth: exact prices, optimal play, and the strategies that people remember.

>>> from croupier.rulebook import load_rulebook
>>> case = next(case for case in cases_of(load_rulebook("md-let-it-ride")) if case.wager == "three_card_bonus")
>>> print(case.table.id, cached_prices(case)[0].edge)
A 128/5525

Compiled code is loaded when something is priced. The two kinds of games have rooms of their own:
`croupier.analysis.streets` and `croupier.analysis.flush`.
"""

from typing import TYPE_CHECKING

from croupier.analysis.answering import (
    CoachAsked,
    MeanAsked,
    PlayQuestion,
    StrategiesAsked,
    decode_answer,
    encode_question,
)
from croupier.analysis.cache import cached_arrays, cached_prices, code_hash
from croupier.analysis.cases import (
    ADDS,
    BASE,
    CUSTOM,
    Case,
    StreetGame,
    cases_of,
    cases_of_house,
    is_documented,
    main_table,
    main_unit,
    meters_of,
    own_cards,
    streets_of,
    tables_of,
    unpriced,
    wager_of,
    wagers_of,
)
from croupier.analysis.certificate import (
    Certificate,
    case_of,
    certificate_of,
    check_arithmetic,
    check_recount,
    read_certificates,
)
from croupier.analysis.certificate_issue import Issue, check_issue, issued, signed
from croupier.analysis.coached import CoachedDecision, Listed, RuleOfThumb, value_of_choice
from croupier.analysis.custom_paytables import custom_case, custom_cases
from croupier.analysis.drills import BOXES, DrillCard, answered, due_drills
from croupier.analysis.outcomes import Outcomes, outcomes_of
from croupier.analysis.prices import Advice, MeterPrice, Price, PricedLine, TieRule, Variant, present
from croupier.lazy_door import lazy_door

if TYPE_CHECKING:
    from croupier.analysis.advice import advise
    from croupier.analysis.bonus_wagers import price_side
    from croupier.analysis.coaching import coach, strategy_card
    from croupier.analysis.comparison import (
        ComparedWager,
        PaytableRange,
        PricedWager,
        compare_houses,
        paytable_choices,
    )
    from croupier.analysis.cost_of_play import (
        AdaptedPlay,
        BetCost,
        adapted_break_even,
        adapted_play,
        cost_of,
        limit_by_size,
        limit_cost,
    )
    from croupier.analysis.meter_long_run import LongRun, MeterLongRun, change_meters, has_long_run, long_run_of
    from croupier.analysis.player_mix import DAY_HOURS, DayPiece, OpenHours, PlayerMix
    from croupier.analysis.pricing import price
    from croupier.analysis.promotions import CouponCost, HigherPays, coupon_cost, higher_pays
    from croupier.analysis.strategies import FLUSHES, strategies_of
    from croupier.analysis.table_mix import MixedHours, mixed_hours
    from croupier.analysis.tallies import HandCount, hand_counts, line_counts
    from croupier.analysis.workbench import NICE, Designed, Search, design, record_of, sensitivity

__all__ = [
    "ADDS",
    "BASE",
    "BOXES",
    "CUSTOM",
    "DAY_HOURS",
    "FLUSHES",
    "NICE",
    "AdaptedPlay",
    "Advice",
    "BetCost",
    "Case",
    "Certificate",
    "CoachAsked",
    "CoachedDecision",
    "ComparedWager",
    "CouponCost",
    "DayPiece",
    "Designed",
    "DrillCard",
    "HandCount",
    "HigherPays",
    "Issue",
    "Listed",
    "LongRun",
    "MeanAsked",
    "MeterLongRun",
    "MeterPrice",
    "MixedHours",
    "OpenHours",
    "Outcomes",
    "PaytableRange",
    "PlayQuestion",
    "PlayerMix",
    "Price",
    "PricedLine",
    "PricedWager",
    "RuleOfThumb",
    "Search",
    "StrategiesAsked",
    "StreetGame",
    "TieRule",
    "Variant",
    "adapted_break_even",
    "adapted_play",
    "advise",
    "answered",
    "cached_arrays",
    "cached_prices",
    "case_of",
    "cases_of",
    "cases_of_house",
    "certificate_of",
    "change_meters",
    "check_arithmetic",
    "check_issue",
    "check_recount",
    "coach",
    "code_hash",
    "compare_houses",
    "cost_of",
    "coupon_cost",
    "custom_case",
    "custom_cases",
    "decode_answer",
    "design",
    "due_drills",
    "encode_question",
    "hand_counts",
    "has_long_run",
    "higher_pays",
    "is_documented",
    "issued",
    "limit_by_size",
    "limit_cost",
    "line_counts",
    "long_run_of",
    "main_table",
    "main_unit",
    "meters_of",
    "mixed_hours",
    "outcomes_of",
    "own_cards",
    "paytable_choices",
    "present",
    "price",
    "price_side",
    "read_certificates",
    "record_of",
    "sensitivity",
    "signed",
    "strategies_of",
    "strategy_card",
    "streets_of",
    "tables_of",
    "unpriced",
    "value_of_choice",
    "wager_of",
    "wagers_of",
]

_LAZY = {
    "advice": ("advise",),
    "bonus_wagers": ("price_side",),
    "cost_of_play": (
        "AdaptedPlay",
        "BetCost",
        "adapted_break_even",
        "adapted_play",
        "cost_of",
        "limit_by_size",
        "limit_cost",
    ),
    "coaching": ("coach", "strategy_card"),
    "comparison": ("ComparedWager", "PaytableRange", "PricedWager", "compare_houses", "paytable_choices"),
    "meter_long_run": ("LongRun", "MeterLongRun", "change_meters", "has_long_run", "long_run_of"),
    "player_mix": ("DAY_HOURS", "DayPiece", "OpenHours", "PlayerMix"),
    "pricing": ("price",),
    "promotions": ("CouponCost", "HigherPays", "coupon_cost", "higher_pays"),
    "strategies": ("FLUSHES", "strategies_of"),
    "table_mix": ("MixedHours", "mixed_hours"),
    "tallies": ("HandCount", "hand_counts", "line_counts"),
    "workbench": ("NICE", "Designed", "Search", "design", "record_of", "sensitivity"),
}
__getattr__ = lazy_door(__name__, {name: module for module, names in _LAZY.items() for name in names})
