"""The `croupier` command, its exit codes and its one line for an error."""

from __future__ import annotations

import inspect
import os
import re
import sys
from typing import Annotated, NoReturn

import typer

from croupier import __version__
from croupier.cli import (
    bankroll,
    bot,
    clauses,
    fairness,
    hand,
    hold,
    house,
    irregularities,
    journal,
    layout,
    ledger,
    play,
    recall,
    report,
    rulebook,
    ruling,
    serve,
    settle,
    simulate,
    store,
    submission,
    table,
    tour,
)
from croupier.cli.advise import advise
from croupier.cli.analyze import analyze
from croupier.cli.certificate import app as certificate
from croupier.cli.compare import compare
from croupier.cli.cost import cost
from croupier.cli.design import design
from croupier.cli.document import document
from croupier.cli.fingerprint import fingerprint
from croupier.cli.meter import meter
from croupier.cli.promotion import app as promotion
from croupier.cli.simulation_options import OLD_NAMES
from croupier.cli.stdout import open_output
from croupier.cli.strategy import strategy
from croupier.client import HouseSaysNo
from croupier.errors import BrokenRecord, CroupierError, RuleViolation

__all__ = ["app", "main"]

RENAMED = {"token_normalize_func": lambda name: OLD_NAMES.get(name, name)}

app = typer.Typer(
    name="croupier",
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("hand")(hand.hand)
app.add_typer(rulebook.app, name="rulebook", no_args_is_help=True)
app.add_typer(submission.app, name="submission", no_args_is_help=True)
app.add_typer(layout.app, name="layout", no_args_is_help=True)
app.command("settle")(settle.settle)
app.command("ruling")(ruling.ruling)
app.command("analyze")(analyze)
app.command("advise")(advise)
app.command("strategy")(strategy)
app.command("cost")(cost)
app.command("compare")(compare)
app.command("design")(design)
app.command("simulate")(simulate.simulate)
app.command("hold", context_settings=RENAMED)(hold.hold)
app.command("bankroll", context_settings=RENAMED)(bankroll.bankroll)
app.command("irregularities")(irregularities.irregularities)
app.command("meter")(meter)
app.add_typer(promotion, name="promotion", no_args_is_help=True)
app.add_typer(certificate, name="certificate", no_args_is_help=True)
app.command("document")(document)
app.command("clauses")(clauses.clauses)
app.add_typer(fairness.app, name="fairness", no_args_is_help=True)
app.command("fingerprint")(fingerprint)
app.add_typer(table.app, name="table", no_args_is_help=True)
app.command("recall")(recall.recall)
app.add_typer(report.app, name="report", no_args_is_help=True)
app.command("play")(play.play)
app.command("serve")(serve.serve)
app.command("bot")(bot.bot)
app.add_typer(house.app, name="house", no_args_is_help=True)
app.add_typer(journal.app, name="journal", no_args_is_help=True)
app.add_typer(ledger.app, name="ledger", no_args_is_help=True)
app.add_typer(store.app, name="store", no_args_is_help=True)
app.command("tour")(tour.tour)


@app.callback(invoke_without_command=True)
def croupier(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", "-V", help="Show the version and exit.")] = False,
) -> None:
    """Rules, payouts and exact odds for regulated casino table games, with every answer tied to its clause.

    Start with [bold]croupier play[/bold] or [bold]croupier tour[/bold].

    [bold]croupier --install-completion[/bold] sets up tab completion in your shell.
    """
    if version:
        typer.echo(f"croupier {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _join_lines(application: typer.Typer) -> None:
    """Let the terminal break the lines of help texts, where Typer would keep most of the source's; examples stay."""
    for command in application.registered_commands:
        if command.callback is not None:
            text = inspect.getdoc(command.callback) or ""
            command.callback.__doc__ = re.sub(r"(?<!\n)\n(?!\n|\[bold\]croupier)", " ", text)
    for group in application.registered_groups:
        if group.typer_instance is not None:
            _join_lines(group.typer_instance)


_join_lines(app)


def main() -> NoReturn:
    """Run the command: exit 0 when done, 1 when the answer is no, 2 when the input cannot be read."""
    try:
        open_output()
        code = app(prog_name="croupier", standalone_mode=False)
        sys.stdout.flush()
    except (typer.TyperException, CroupierError) as error:
        message = error.format_message() if isinstance(error, typer.TyperException) else str(error)
        if message.strip():  # a group without a command has shown its help
            print(f"croupier: {_one_line(message)}", file=sys.stderr)
        code = 1 if isinstance(error, RuleViolation | BrokenRecord | HouseSaysNo) else 2
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except Exception as error:
        if os.environ.get("CROUPIER_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        print(f"croupier: internal error: {_one_line(what)} (set CROUPIER_DEBUG=1 to see where)", file=sys.stderr)
        code = 70
    sys.exit(code if isinstance(code, int) else 0)


def _one_line(message: str) -> str:
    """Put a message on one line, without any character that could control a terminal."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in " ".join(message.split()))
