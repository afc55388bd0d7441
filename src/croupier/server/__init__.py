"""The running house: tables that people play at, live; everything durable, every right checked."""

from croupier.server.app import make_app
from croupier.server.audits import (
    AuditedRound,
    RecordCheck,
    audit_round,
    check_record,
    find_for_audit,
    lines_of_round,
    prove,
    sign_head,
)
from croupier.server.callers import NOBODY, Caller, NotFound, NotTheirs, SignInFirst
from croupier.server.cookies import NOTHING_STAYS, no_session, session_cookie
from croupier.server.desk import Desk
from croupier.server.disputes import Disputed, answer_dispute, dispute_for, disputes_for, raise_dispute
from croupier.server.doors import Doors, Entered
from croupier.server.hall import Hall
from croupier.server.hand_pays import HandPay, hand_pays_for, make_slip
from croupier.server.house_run import run_house
from croupier.server.pages import Pages
from croupier.server.passing import Passing
from croupier.server.plans import TablePlan
from croupier.server.problems import problem_of
from croupier.server.proofs import ShuffleProof, last_commitment, proof_of
from croupier.server.rounds import round_story, rounds_for
from croupier.server.run import CannotListen, listen
from croupier.server.shift import ShiftRow, shift_for
from croupier.server.sockets import serve_socket
from croupier.server.strict import check_fields
from croupier.server.watching import Watched, now

__all__ = [
    "NOBODY",
    "NOTHING_STAYS",
    "AuditedRound",
    "Caller",
    "CannotListen",
    "Desk",
    "Disputed",
    "Doors",
    "Entered",
    "Hall",
    "HandPay",
    "NotFound",
    "NotTheirs",
    "Pages",
    "Passing",
    "RecordCheck",
    "ShiftRow",
    "ShuffleProof",
    "SignInFirst",
    "TablePlan",
    "Watched",
    "answer_dispute",
    "audit_round",
    "check_fields",
    "check_record",
    "dispute_for",
    "disputes_for",
    "find_for_audit",
    "hand_pays_for",
    "last_commitment",
    "lines_of_round",
    "listen",
    "make_app",
    "make_slip",
    "no_session",
    "now",
    "problem_of",
    "proof_of",
    "prove",
    "raise_dispute",
    "round_story",
    "rounds_for",
    "run_house",
    "serve_socket",
    "session_cookie",
    "shift_for",
    "sign_head",
]
