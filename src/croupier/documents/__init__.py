"""What people read, print and hang up: charts of prices, meters and simulations, and figures as files."""

from typing import TYPE_CHECKING

from croupier.documents.export import Columns, Row, write_csv, write_parquet
from croupier.documents.pictures import check_place
from croupier.lazy_door import lazy_door

if TYPE_CHECKING:
    from croupier.documents.geometry import Spot, seat_spots
    from croupier.documents.geometry_screen import ScreenSeat, screen_edge, screen_places, screen_spot
    from croupier.documents.layout_check import LayoutFinding, check_layout
    from croupier.documents.meter_charts import Drawn, draw_meters
    from croupier.documents.price_charts import draw
    from croupier.documents.simulation_charts import draw_edges, draw_hold, draw_visits

__all__ = [
    "Columns",
    "Drawn",
    "LayoutFinding",
    "Row",
    "ScreenSeat",
    "Spot",
    "check_layout",
    "check_place",
    "draw",
    "draw_edges",
    "draw_hold",
    "draw_meters",
    "draw_visits",
    "screen_edge",
    "screen_places",
    "screen_spot",
    "seat_spots",
    "write_csv",
    "write_parquet",
]

_LAZY = {
    "geometry": ("Spot", "seat_spots"),
    "geometry_screen": ("ScreenSeat", "screen_edge", "screen_places", "screen_spot"),
    "layout_check": ("LayoutFinding", "check_layout"),
    "meter_charts": ("Drawn", "draw_meters"),
    "price_charts": ("draw",),
    "simulation_charts": ("draw_edges", "draw_hold", "draw_visits"),
}
__getattr__ = lazy_door(__name__, {name: module for module, names in _LAZY.items() for name in names})
