"""What somebody means who types a subcommand or an option that does not exist."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from typing import Any, Final

from typer.core import TyperGroup

from croupier.errors import Malformed
from croupier.wire import clip

__all__ = ["Subcommands", "meant_by", "usage_message"]

SAME: Final = (
    {"check", "verify", "validate", "test", "prove"},
    {"list", "ls", "names", "all"},
    {"show", "view", "print", "get", "info"},
    {"diff", "compare"},
    {"new", "create", "write", "add", "make"},
    {"backup", "save", "copy", "dump", "export"},
    {"open", "start", "play", "interactive"},
    {"shuffle", "deck", "deal"},
    {"pays", "paytable", "payout"},
    {"match-play", "match", "coupon"},
    {"sign-in", "login", "signin"},
    {"sign-out", "logout", "signout"},
    {"--seats", "--players"},
    {"--out", "--output", "--file"},
    {"--rounds", "--hands", "--games"},
    {"--rounds-per-hour", "--hands-per-hour", "--pace", "--speed"},
    {"--bankroll", "--money", "--buy-in"},
    {"--bet", "--ante", "--wager"},
    {"--rulebook", "--submission", "--house", "--table"},
    {"--board", "--community"},
)
"""Words that people use for each other; one of a row stands for whichever of the others there is."""
_EXAMPLE: Final = re.compile(r"\[bold\](croupier [^\[]+)\[/bold\]")
_PLAINER: Final = {
    r"Input should be a valid integer.*": "expected a whole number",
    r"Input should be a valid number.*": "expected a number",
    r"Input should be greater than or equal to (\S+)": r"expected at least \1",
    r"Input should be less than or equal to (\S+)": r"expected at most \1",
}
"""What the library that reads options says, and the same as people say it."""
_CARD: Final = re.compile(r"(?:[2-9TJQKA]|10)[cdhs♣♦♥♠]", re.IGNORECASE)


def meant_by(word: str, known: Collection[str]) -> str | None:
    """The one of these words that is meant, by its sense or by its letters.

    >>> meant_by("check", ["verify", "shuffle"]), meant_by("--player", ["--seats"]), meant_by("sow", ["show", "list"])
    ('verify', '--seats', 'show')
    >>> meant_by("zebra", ["show", "list"]) is None
    True
    """
    typed = {word.lower(), f"{word.lower()}s"}
    by_sense = (name for words in SAME if typed & words for name in known if name in words)
    return next(by_sense, None) or next(iter(get_close_matches(word[:100], list(known), n=1)), None)


def usage_message(error: Any) -> str:  # noqa: ANN401 - its type is private to Typer
    """What is wrong with the words that were typed, and what to type instead, from the command's own help."""
    message, context = str(error.format_message()), getattr(error, "ctx", None)
    if context is None:
        return message
    if message.startswith("Got unexpected extra argument"):
        return _too_many(context, message)
    if message.startswith(("Missing argument", "Missing option")):
        about = " ".join((getattr(getattr(error, "param", None), "help", None) or "").split())
        return " ".join(filter(None, (message, about, _example(context))))
    if message.startswith("Missing command"):
        return f"Missing command: {', '.join(context.command.commands)}"
    if hasattr(error, "possibilities"):
        options = [name for option in context.command.params for name in option.opts if name.startswith("--")]
        meant = meant_by(error.option_name, options)
        instead = f"did you mean {meant}?" if meant else f"{context.command_path} --help lists them"
        return f"{error.message.rstrip('.')}; {instead}"
    for pattern, plain in _PLAINER.items():
        message = re.sub(pattern, plain, message)
    return message


def _too_many(context: Any, message: str) -> str:  # noqa: ANN401 - its type is private to Typer
    """The usual reason for a word too many: cards or names with spaces, typed without quotes."""
    extra = message.rpartition("(")[2].removesuffix(")")
    has_arguments = any(param.param_type_name == "argument" for param in context.command.params)
    if any(_CARD.fullmatch(word) for word in extra.split()):
        instead = 'put cards and names with spaces in quotes, such as "Qh Jh"'
    elif has_arguments:
        instead = 'put names with spaces in quotes, such as "let it ride"'
    else:
        instead = _example(context)
    return f"unexpected {clip(repr(extra))}: {instead}"


def _example(context: Any) -> str:  # noqa: ANN401 - its type is private to Typer
    """The first example in the help of a command, or where its help is."""
    examples = _EXAMPLE.findall(" ".join((context.command.help or "").split()))
    example = next((text for text in examples if text.startswith(context.command_path)), None)
    return f"Example: {example}" if example else f"See {context.command_path} --help."


class Subcommands(TyperGroup):
    """A group that answers a subcommand it does not have with the one that is meant."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - its type is private to Typer
        """The subcommand that is run."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            meant = meant_by(args[0], self.commands)
            instead = f"did you mean {meant}?" if meant else ", ".join(self.commands)
            raise Malformed(f"{ctx.info_name}: no such command {clip(repr(args[0]))}: {instead}")
        return super().resolve_command(ctx, args)
