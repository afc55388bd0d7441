"""The running house: tables that people play at, live; everything durable, every right checked."""

from croupier.server.app import make_app
from croupier.server.callers import NOBODY, Caller, NotFound, NotTheirs, SignInFirst
from croupier.server.cookies import no_session, session_cookie
from croupier.server.desk import Desk
from croupier.server.doors import Doors, Entered
from croupier.server.hall import Hall
from croupier.server.house_run import run_house
from croupier.server.pages import Pages
from croupier.server.passing import Passing
from croupier.server.plans import TablePlan
from croupier.server.problems import problem_of
from croupier.server.proofs import ShuffleProof, last_commitment, proof_of
from croupier.server.rounds import round_story, rounds_for
from croupier.server.run import CannotListen, listen
from croupier.server.watching import Watched, now

__all__ = [
    "NOBODY",
    "Caller",
    "CannotListen",
    "Desk",
    "Doors",
    "Entered",
    "Hall",
    "NotFound",
    "NotTheirs",
    "Pages",
    "Passing",
    "ShuffleProof",
    "SignInFirst",
    "TablePlan",
    "Watched",
    "last_commitment",
    "listen",
    "make_app",
    "no_session",
    "now",
    "problem_of",
    "proof_of",
    "round_story",
    "rounds_for",
    "run_house",
    "session_cookie",
]
