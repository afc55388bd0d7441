"""Every command by name, with what it does in one line; its module is loaded when somebody asks for it.

Loading all of them takes half a second, so help, completion and every single command would wait for the other thirty.
A command is the function, or the Typer `app`, in the module of its name. A test keeps each line equal to its docstring.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from croupier.cli.hints import Subcommands
from croupier.errors import Malformed

__all__ = ["OLD_OPTIONS", "OTHER_WORDS", "SUMMARIES", "CommandsOnDemand"]

SUMMARIES: Final = {
    "hand": "Identify a hand: three, five or six cards, or the seven of High Card Flush.",
    "rulebook": "Look up wagers, paytables, dealing, clauses and readings, and compare rulebooks.",
    "submission": "Write, check, show and compare Rules Submissions.",
    "layout": "Check the drawing of a table layout against its submission.",
    "settle": "Settle a round: every wager with its outcome, what it pays, the clause that decided it, and why.",
    "ruling": (
        "Say what an irregularity demands: what is void, returned, replaced or removed, whom to call, what to record."
    ),
    "analyze": "Exact house edge, volatility and hit frequency for any wager, line by line. Results are cached.",
    "advise": "Show the exact EV of every decision, the best play, and the cost of each mistake.",
    "strategy": "List strategies you can memorize, published and derived, with their exact cost against optimal play.",
    "cost": "Theoretical win (theo) per hour for a player's bets, assuming optimal play.",
    "compare": "Compare two submissions, two rulebooks or two paytables: both house edges and the exact difference.",
    "design": (
        "Design a paytable: what one more on each line costs, or whole-number paytables that meet a target house edge."
    ),
    "simulate": "Play millions of rounds and compare the results with the exact figures.",
    "hold": "Expected win, hold % and volatility per shift, day and month.",
    "bankroll": "How a player's money goes up and down over a visit, and the risk of ruin.",
    "irregularities": (
        "Simulate full table procedure with misdeals and equipment failures: void rounds, refunds, lost time."
    ),
    "meter": (
        "Progressive jackpot economics: time between hits, average jackpot, contributions, reseeds, player return."
    ),
    "promotion": "Price promotions exactly: match play coupons and higher pays.",
    "certificate": "Write priced wagers as certificates, sign them and check them.",
    "document": (
        "Print the papers of a submission: payout sign, table layout, Rules Submission, math report, player's "
        "guide and dealer's card."
    ),
    "clauses": "List clauses: what each says, where data or code carries it out, and which tests show it.",
    "fairness": "Check the shuffles of virtual tables, and write samples for test batteries.",
    "fingerprint": "Hash the installed files and rulebooks, and compare them with what was released.",
    "table": "Run a table through its whole procedure.",
    "recall": "Find rounds in a store, the newest first: by table, number, patron, hand, clause, irregularity or time.",
    "report": "Reports from the store of a house: shift, day, meters, irregularities, decks, awards.",
    "play": (
        "Play against the house for play money, with exact hints, a review of every decision, and a clause for "
        "every cent."
    ),
    "serve": "Run a house: its tables, live, for players, dealers and the floor.",
    "bot": "Let bots play at a house through its API: they sit down, buy in, bet, and decide by a strategy.",
    "house": "Work at a running house without a browser: sign in, then go on.",
    "journal": "Verify, replay and export the record of a house.",
    "ledger": "Show the accounts of a store, and check them against its record.",
    "store": "Look after the store of a house: back up, restore, move; names; lost passwords; keys of old days.",
    "tour": "Show what Croupier can do, step by step. Nothing is stored or sent.",
}
"""In the order in which they are shown."""
OTHER_WORDS: Final = {
    **dict.fromkeys(
        ("price", "prices", "edge", "house-edge", "odds", "rtp", "volatility", "variance", "exact"), "analyze"
    ),
    **dict.fromkeys(("pays", "payouts", "paytable", "paytables", "bonus"), "rulebook show RULEBOOK WAGER"),
    **dict.fromkeys(("wager", "wagers", "rules"), "rulebook show RULEBOOK wagers"),
    **dict.fromkeys(("ask", "find", "search"), "clauses --search WORDS"),
    **dict.fromkeys(("clause", "where"), "rulebook show RULEBOOK clause CLAUSE"),
    **dict.fromkeys(("diff", "difference", "differences", "changes", "states"), "rulebook diff RULEBOOK OTHER"),
    "glossary": "rulebook show RULEBOOK glossary",
    **dict.fromkeys(("reading", "readings"), "rulebook readings"),
    **dict.fromkeys(("rulebooks", "games", "list"), "rulebook list"),
    **dict.fromkeys(("forecast", "win", "shift"), "hold"),
    **dict.fromkeys(("jackpot", "progressive", "meters"), "meter"),
    **dict.fromkeys(("match", "match-play", "matchplay", "coupon", "coupons"), "promotion match-play"),
    **dict.fromkeys(("hint", "advice"), "advise"),
    **dict.fromkeys(("theo", "ev"), "cost"),
    "new": "submission new",
    **dict.fromkeys(("check", "validate", "comply", "compliance", "lint"), "submission check FILE"),
    **dict.fromkeys(("shuffle", "deck", "fair"), "fairness"),
    **dict.fromkeys(("verify", "prove", "proof", "seed"), "fairness verify"),
    **dict.fromkeys(("hash", "hashes", "sha256", "checksum"), "fingerprint"),
    **dict.fromkeys(("audit", "replay", "export"), "journal"),
    **dict.fromkeys(("misdeal", "irregularity", "floor", "rule", "exposed", "dispute", "error", "mistake"), "ruling"),
    **dict.fromkeys(("pay", "payout", "settlement", "mispay", "bet"), "settle"),
    **dict.fromkeys(("deal", "dealer", "evening"), "table open RULEBOOK"),
    **dict.fromkeys(("print", "sign", "card"), "document"),
    **dict.fromkeys(("papers", "paper", "pdf"), "document --all DIR FILE"),
    **dict.fromkeys(("server", "run", "start", "demo", "web", "browser", "api"), "serve --demo"),
    **dict.fromkeys(("player", "game", "trainer", "train", "practice", "learn"), "play"),
    **dict.fromkeys(("tutorial", "example", "examples", "docs"), "tour"),
    "sim": "simulate",
    "version": "--version",
    "help": "--help",
}
"""What people type for a command, and what they mean."""
_CLOSE: Final = 0.75
"""How alike a mistyped name must be: `prove` is not `serve`."""
OLD_OPTIONS: Final = {"rounds-an-hour": "rounds-per-hour"}
"""Earlier names of options; they keep working."""


class CommandsOnDemand(TyperGroup):
    """The commands: listed from their lines, loaded when one is run."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - Typer's own
        super().__init__(**settings)
        self.commands = _Loaded()  # type: ignore[assignment]

    def get_command(self, ctx: object, cmd_name: str) -> Any:  # noqa: ANN401, ARG002 - its type is private to Typer
        """A command as help and completion list it."""
        summary = SUMMARIES.get(cmd_name)
        return None if summary is None else TyperCommand(cmd_name, help=summary)

    def list_commands(self, ctx: object) -> list[str]:  # noqa: ARG002
        """The names, in order."""
        return list(SUMMARIES)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - its type is private to Typer
        """The command that is run."""
        if args and args[0] not in SUMMARIES and not args[0].startswith("-"):
            if meant := OTHER_WORDS.get(args[0].lower()):
                raise Malformed(f"no such command {args[0]!r}: try croupier {meant}")
            if not get_close_matches(args[0], SUMMARIES, cutoff=_CLOSE):
                raise Malformed(f"no such command {args[0]!r}: croupier --help lists them")
        name, command, rest = super().resolve_command(ctx, args)
        return name, None if command is None or name is None else self.commands[name], rest


class _Loaded(Mapping[str, Any]):
    """The commands by name, each loaded when it is first looked at."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - its type is private to Typer
        if name not in SUMMARIES:
            raise KeyError(name)
        if name not in self._loaded:
            self._loaded[name] = _load(name)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(SUMMARIES)

    def __len__(self) -> int:
        return len(SUMMARIES)


def _load(name: str) -> Any:  # noqa: ANN401 - its type is private to Typer
    module = import_module(f"croupier.cli.{name}")
    above = typer.Typer(rich_markup_mode="rich")
    above.callback()(lambda: None)
    if group := getattr(module, "app", None):
        above.add_typer(group, name=name, no_args_is_help=True)
    else:
        above.command(name)(getattr(module, name))
    _join_lines(above)
    _with_hints(above)
    return typer.main.get_command(above).commands[name]  # type: ignore[attr-defined]


def _join_lines(application: typer.Typer) -> None:
    """Let the terminal break the lines of help texts, where Typer would keep most of the source's; examples stay."""
    for command in application.registered_commands:
        if command.callback is not None:
            text = inspect.getdoc(command.callback) or ""
            command.callback.__doc__ = re.sub(r"(?<!\n)\n(?!\n|\[bold\]croupier)", " ", text)
    for group in application.registered_groups:
        if group.typer_instance is not None:
            _join_lines(group.typer_instance)


def _with_hints(application: typer.Typer) -> None:
    """Let every group that has no class of its own answer mistyped subcommands."""
    for group in application.registered_groups:
        if group.typer_instance is not None:
            if not isinstance(group.typer_instance.info.cls, type):
                group.typer_instance.info.cls = Subcommands
            _with_hints(group.typer_instance)
