"""`croupier play`: the games in the terminal, dealt by the rules and settled by the clause."""

from croupier.cli.play.command import play

__all__ = ["play"]
