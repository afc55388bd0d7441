"""The running house: tables that people play at, live; everything durable, every right checked."""

from croupier.server.app import make_app
from croupier.server.desk import Desk
from croupier.server.house_run import run_house
from croupier.server.run import CannotListen, listen

__all__ = ["CannotListen", "Desk", "listen", "make_app", "run_house"]
