"""What people read, print and hang up: papers of a submission, charts of figures, and figures as files."""

from typing import TYPE_CHECKING

from croupier.documents.export import Columns, Row, write_csv, write_parquet
from croupier.documents.pictures import check_place
from croupier.lazy_door import lazy_door

if TYPE_CHECKING:
    from croupier.documents.felt_plan import FeltPlan, FeltSlot, FeltSpot, felt_layout
    from croupier.documents.geometry import Spot, seat_spots
    from croupier.documents.geometry_screen import ScreenSeat, screen_edge, screen_places, screen_spot
    from croupier.documents.hold_charts import draw_hold
    from croupier.documents.house_choices import approval_rules
    from croupier.documents.house_words import DEALT_FROM, SHUFFLED
    from croupier.documents.html_writer import write_html
    from croupier.documents.layout_check import LayoutFinding, check_layout
    from croupier.documents.led_procedure import LedList, LedStep, led_list
    from croupier.documents.logo import check_logo
    from croupier.documents.meter_charts import Drawn, draw_meters
    from croupier.documents.meter_outlook import MeterOutlook, ProgressiveOutlook, outlook_of, read_outlook
    from croupier.documents.page_charts import line_chart, meter_chart
    from croupier.documents.paper import Paper
    from croupier.documents.particulars import Particulars
    from croupier.documents.paytable_cases import CaseAsked, asked_of, chosen_id, is_priced, ordered_groups
    from croupier.documents.press import PAPER_NAMES, Order, PaperKind, Printed, every_paper, form_of, print_paper
    from croupier.documents.price_charts import draw
    from croupier.documents.sign import HELP, SIZES, Panel, Sign, SignSize, sign_of
    from croupier.documents.sign_drawing import draw_sign, qr_svg, write_sign
    from croupier.documents.simulation_charts import draw_edges, draw_visits
    from croupier.documents.simulation_work import SimulationKind, SimulationOrder, SimulationResults, WorkAnswer
    from croupier.documents.typst_writer import letters_of_no_typeface, write_pdf
    from croupier.documents.workshop import PAPER_REFUSED, PaperAsked, price_here, print_here, read_price

__all__ = [
    "DEALT_FROM",
    "HELP",
    "PAPER_NAMES",
    "PAPER_REFUSED",
    "SHUFFLED",
    "SIZES",
    "CaseAsked",
    "Columns",
    "Drawn",
    "FeltPlan",
    "FeltSlot",
    "FeltSpot",
    "LayoutFinding",
    "LedList",
    "LedStep",
    "MeterOutlook",
    "Order",
    "Panel",
    "Paper",
    "PaperAsked",
    "PaperKind",
    "Particulars",
    "Printed",
    "ProgressiveOutlook",
    "Row",
    "ScreenSeat",
    "Sign",
    "SignSize",
    "SimulationKind",
    "SimulationOrder",
    "SimulationResults",
    "Spot",
    "WorkAnswer",
    "approval_rules",
    "asked_of",
    "check_layout",
    "check_logo",
    "check_place",
    "chosen_id",
    "draw",
    "draw_edges",
    "draw_hold",
    "draw_meters",
    "draw_sign",
    "draw_visits",
    "every_paper",
    "felt_layout",
    "form_of",
    "is_priced",
    "led_list",
    "letters_of_no_typeface",
    "line_chart",
    "meter_chart",
    "ordered_groups",
    "outlook_of",
    "price_here",
    "print_here",
    "print_paper",
    "qr_svg",
    "read_outlook",
    "read_price",
    "screen_edge",
    "screen_places",
    "screen_spot",
    "seat_spots",
    "sign_of",
    "write_csv",
    "write_html",
    "write_parquet",
    "write_pdf",
    "write_sign",
]

_LAZY = {
    "hold_charts": ("draw_hold",),
    "house_choices": ("approval_rules",),
    "house_words": ("DEALT_FROM", "SHUFFLED"),
    "html_writer": ("write_html",),
    "felt_plan": ("FeltPlan", "FeltSlot", "FeltSpot", "felt_layout"),
    "geometry": ("Spot", "seat_spots"),
    "geometry_screen": ("ScreenSeat", "screen_edge", "screen_places", "screen_spot"),
    "layout_check": ("LayoutFinding", "check_layout"),
    "logo": ("check_logo",),
    "led_procedure": ("LedList", "LedStep", "led_list"),
    "meter_charts": ("Drawn", "draw_meters"),
    "page_charts": ("line_chart", "meter_chart"),
    "meter_outlook": ("MeterOutlook", "ProgressiveOutlook", "outlook_of", "read_outlook"),
    "paper": ("Paper",),
    "particulars": ("Particulars",),
    "paytable_cases": ("CaseAsked", "asked_of", "chosen_id", "is_priced", "ordered_groups"),
    "press": ("PAPER_NAMES", "Order", "PaperKind", "Printed", "every_paper", "form_of", "print_paper"),
    "price_charts": ("draw",),
    "sign": ("HELP", "SIZES", "Panel", "Sign", "SignSize", "sign_of"),
    "sign_drawing": ("draw_sign", "qr_svg", "write_sign"),
    "simulation_charts": ("draw_edges", "draw_visits"),
    "simulation_work": ("SimulationKind", "SimulationOrder", "SimulationResults", "WorkAnswer"),
    "workshop": ("PAPER_REFUSED", "PaperAsked", "price_here", "print_here", "read_price"),
    "typst_writer": ("letters_of_no_typeface", "write_pdf"),
}
__getattr__ = lazy_door(__name__, {name: module for module, names in _LAZY.items() for name in names})
