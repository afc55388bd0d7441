"""The command, in a process of its own as people and programs meet it, and in this one."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from unittest import mock

import typer.main

from croupier.cli import main
from croupier.cli.app import app

built = cache(typer.main.get_command)
"""The commands from their signatures: the greater part of a short run, and the same in each."""


def every_command() -> list[tuple[str, ...]]:
    """Every command and group of commands, as the words that lead to it; first the program itself, with none."""

    def below(command: object, *words: str) -> Iterator[tuple[str, ...]]:
        yield words
        for name, inner in getattr(command, "commands", {}).items():
            yield from below(inner, *words, name)

    return list(below(built(app)))


def croupier(*arguments: str, stdin: str | bytes = "", **environment: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "croupier", *arguments],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        check=False,
        env=os.environ | environment,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def here(*arguments: str, stdin: str | bytes = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """The same in this process: for the many runs that need not load the program, and compile its code, each anew.

    From the arguments to the exit code it is the command's own way; streams that fail, encodings and signals are not
    the same here, and want a process.
    """
    streams = (
        io.TextIOWrapper(io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin)),
        io.TextIOWrapper(io.BytesIO()),
        io.TextIOWrapper(io.BytesIO()),
    )
    before = sys.argv, sys.stdin, sys.stdout, sys.stderr
    code: object = None
    try:
        sys.argv = ["croupier", *arguments]
        sys.stdin, sys.stdout, sys.stderr = streams
        with (
            mock.patch.dict(os.environ, environment),
            mock.patch("typer.main.get_command", built),
            mock.patch("croupier.cli.app.open_output"),  # the real one writes past what stands in for the terminal
        ):
            main()
    except SystemExit as stopped:
        code = stopped.code
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = before
    for stream in streams[1:]:
        stream.flush()
    out, err = (stream.buffer.getvalue().decode() for stream in streams[1:])
    return subprocess.CompletedProcess(list(arguments), code if isinstance(code, int) else 0, out, err)
