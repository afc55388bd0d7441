"""The `croupier` command, its exit codes and its one line for an error."""

from __future__ import annotations

import os
import sys
from typing import Annotated, NoReturn

import typer

from croupier import __version__
from croupier.cli.commands import OLD_OPTIONS, CommandsOnDemand
from croupier.cli.hints import usage_message
from croupier.cli.stdout import open_output
from croupier.errors import BrokenRecord, CroupierError, RuleViolation
from croupier.extras import missing_extra

__all__ = ["app", "main"]

LONGEST_WORD, LONGEST_LINE = 1_000, 2_000
"""How much of what was typed is repeated in a message, in characters."""

app = typer.Typer(
    name="croupier",
    cls=CommandsOnDemand,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "token_normalize_func": lambda name: OLD_OPTIONS.get(name, name),
    },
)


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


def main() -> NoReturn:
    """Run the command: exit 0 when done, 1 when the answer is no, 2 when the input cannot be read."""
    try:
        open_output()
        code = app(prog_name="croupier", standalone_mode=False)
        sys.stdout.flush()
    except (typer.TyperException, CroupierError) as error:
        message = usage_message(error) if isinstance(error, typer.TyperException) else str(error)
        if message.strip():  # a group without a command has shown its help
            print(f"croupier: {_one_line(message)}", file=sys.stderr)
        code = 1 if _says_no(error) else 2
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except Exception as error:
        if isinstance(error, ImportError) and (missing := missing_extra(error)) is not None:
            print(f"croupier: {missing}", file=sys.stderr)
            sys.exit(2)
        if os.environ.get("CROUPIER_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        print(f"croupier: internal error: {_one_line(what)} (set CROUPIER_DEBUG=1 to see where)", file=sys.stderr)
        code = 70
    sys.exit(code if isinstance(code, int) else 0)


def _says_no(error: Exception) -> bool:
    """Whether it could be read, and the answer is no."""
    from croupier.client import HouseSaysNo  # noqa: PLC0415 - only where something went wrong

    return isinstance(error, RuleViolation | BrokenRecord | HouseSaysNo)


def _one_line(message: str) -> str:
    """Put a message on one line of readable length, without any character that could control a terminal."""
    words = (word if len(word) <= LONGEST_WORD else f"{word[:LONGEST_WORD]}…" for word in message.split())
    line = " ".join(words)
    shown = line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in shown)
