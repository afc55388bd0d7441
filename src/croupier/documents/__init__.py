"""What people read, print and hang up: papers of a submission, charts of figures, and figures as files."""

from typing import TYPE_CHECKING

from croupier.documents.export import Columns, Row, write_csv, write_parquet
from croupier.documents.pictures import check_place
from croupier.lazy_door import lazy_door

if TYPE_CHECKING:
    from croupier.documents.geometry import Spot, seat_spots
    from croupier.documents.geometry_screen import ScreenSeat, screen_edge, screen_places, screen_spot
    from croupier.documents.html_writer import write_html
    from croupier.documents.layout_check import LayoutFinding, check_layout
    from croupier.documents.meter_charts import Drawn, draw_meters
    from croupier.documents.paper import Paper
    from croupier.documents.particulars import Particulars
    from croupier.documents.press import Order, PaperKind, Printed, every_paper, form_of, print_paper
    from croupier.documents.price_charts import draw
    from croupier.documents.sign import HELP, SIZES, Sign, SignSize
    from croupier.documents.sign_drawing import draw_sign, write_sign
    from croupier.documents.simulation_charts import draw_edges, draw_hold, draw_visits
    from croupier.documents.typst_writer import write_pdf

__all__ = [
    "HELP",
    "SIZES",
    "Columns",
    "Drawn",
    "LayoutFinding",
    "Order",
    "Paper",
    "PaperKind",
    "Particulars",
    "Printed",
    "Row",
    "ScreenSeat",
    "Sign",
    "SignSize",
    "Spot",
    "check_layout",
    "check_place",
    "draw",
    "draw_edges",
    "draw_hold",
    "draw_meters",
    "draw_sign",
    "draw_visits",
    "every_paper",
    "form_of",
    "print_paper",
    "screen_edge",
    "screen_places",
    "screen_spot",
    "seat_spots",
    "write_csv",
    "write_html",
    "write_parquet",
    "write_pdf",
    "write_sign",
]

_LAZY = {
    "html_writer": ("write_html",),
    "geometry": ("Spot", "seat_spots"),
    "geometry_screen": ("ScreenSeat", "screen_edge", "screen_places", "screen_spot"),
    "layout_check": ("LayoutFinding", "check_layout"),
    "meter_charts": ("Drawn", "draw_meters"),
    "paper": ("Paper",),
    "particulars": ("Particulars",),
    "press": ("Order", "PaperKind", "Printed", "every_paper", "form_of", "print_paper"),
    "price_charts": ("draw",),
    "sign": ("HELP", "SIZES", "Sign", "SignSize"),
    "sign_drawing": ("draw_sign", "write_sign"),
    "simulation_charts": ("draw_edges", "draw_hold", "draw_visits"),
    "typst_writer": ("write_pdf",),
}
__getattr__ = lazy_door(__name__, {name: module for module, names in _LAZY.items() for name in names})
