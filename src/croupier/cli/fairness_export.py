"""`croupier fairness export`: samples of the shuffle for test batteries."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, get_args

import typer

from croupier.cli.simulation_options import whole_number
from croupier.cli.stdout import nobody_reads
from croupier.errors import Malformed
from croupier.fairness import SEED_BYTES, SYSTEM, read_hex
from croupier.files import whole_file
from croupier.shuffle_samples import SampleForm, samples

__all__ = ["export"]


def export(
    form: Annotated[str, typer.Argument(metavar="FORM", help="bytes, bits, decks or csv.")],
    number: Annotated[
        int | None, whole_number("--count", "-n", text="Bytes, bits or decks; without it, until the reader stops.")
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="HEX", help="64 hexadecimal digits: the same sample again.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.", show_default=False)
    ] = None,
) -> None:
    """Write samples for test batteries: raw bytes, ASCII bits, or shuffled decks.

    [bold]bytes[/bold] and [bold]bits[/bold] are the generator's stream of one seed, for dieharder, PractRand and NIST
    STS. They are not decks, and a shuffle reads only about 54 bytes of its own stream.

    [bold]decks[/bold] and [bold]csv[/bold] are whole shuffles, one per line, the first card dealt first. Without
    --seed, each has a seed of its own from the operating system, as at a table. The seeds never deal at a table.

    Example: [bold]croupier fairness export bytes | RNG_test stdin8[/bold]
    """
    if form not in get_args(SampleForm):
        raise Malformed(f"{form!r} is not a form: {', '.join(get_args(SampleForm))}")
    chosen: SampleForm = form  # type: ignore[assignment]
    secret = read_hex(seed, "--seed", size=SEED_BYTES) if seed is not None else None
    if output is not None and number is None:
        raise Malformed("a file needs an end: say how many with --count")
    if output is None and sys.stdout.isatty() and (chosen == "bytes" or number is None):
        raise Malformed("this is not for a terminal: pipe it to a program, or write a file with --count and --output")
    if secret is None and chosen in {"bytes", "bits"}:
        secret = SYSTEM.seed()
        print(f"seed {secret.hex()}", file=sys.stderr)
    if output is None:
        _pour(chosen, number, secret, sys.stdout.buffer.write)
        sys.stdout.buffer.flush()
        return
    with whole_file(output) as file:
        _pour(chosen, number, secret, file.write)


def _pour(form: SampleForm, number: int | None, secret: bytes | None, write: Callable[[bytes], object]) -> None:
    for piece in samples(form, number, secret):
        write(piece)
        if nobody_reads():
            return
