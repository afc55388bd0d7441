"""`croupier fingerprint`: is this the released software?"""

from __future__ import annotations

import platform
from typing import Annotated

import typer

from croupier import __version__
from croupier.cli.shown.console import print_json, print_line, print_sheet
from croupier.fingerprint import Fingerprint, short_hash
from croupier.fingerprint import fingerprint as taken
from croupier.present import counted, sheet
from croupier.rulebook import SHIPPED, edition_folder, editions, load_rulebook, rulebook_ids

__all__ = ["fingerprint"]

_LISTED = 20
"""Names of files that are shown of each kind."""


def fingerprint(
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """Hash the installed files and rulebooks, and compare them with what was released.

    One hash stands for all files: compare it with the paper that came with the release. A build without the list of
    released files, such as a clone of the source, says so.

    Exit code 0: exactly the released files. 1: not a released build, or files differ, are missing or were added.

    Example: [bold]croupier fingerprint[/bold]
    """
    mark = taken()
    books = [load_rulebook(name, edition=date) for name in rulebook_ids() for date in editions(name)]
    rows = [
        (book.id, book.edition, book.hash, edition_folder(book.id, book.edition).is_relative_to(SHIPPED))
        for book in books
    ]
    if as_json:
        print_json(
            {
                "version": __version__,
                "python": platform.python_version(),
                "is_released": mark.is_released,
                "hash": mark.hash,
                "short": short_hash(mark.hash),
                "files": mark.files,
                "released_hash": mark.released,
                "differ": mark.differ,
                "missing": mark.missing,
                "extra": mark.extra,
                "rulebooks": [
                    {"rulebook": name, "edition": edition, "hash": digest, "shipped": shipped}
                    for name, edition, digest, shipped in rows
                ],
            }
        )
    else:
        _print(mark)
        print()
        own = [
            (name, edition, short_hash(digest), "" if shipped else "not shipped with Croupier")
            for name, edition, digest, shipped in rows
        ]
        print_sheet(sheet(("rulebook", "edition", "short hash", ""), own))
    return 0 if mark.is_released else 1


def _print(mark: Fingerprint) -> None:
    print_sheet(
        sheet(
            ("", ""),
            [
                (
                    "software",
                    f"croupier {__version__}, {counted(mark.files, 'file')}, Python {platform.python_version()}",
                ),
                ("short", short_hash(mark.hash)),
                ("hash", mark.hash),
                *([("released", mark.released)] if mark.released and not mark.is_released else []),
            ],
        )
    )
    if mark.is_released:
        print_line("[green]released build[/green]: every file is the released one, none is missing, none was added")
        return
    if mark.released is None:
        print_line("[yellow]not a released build[/yellow]: it has no list of released files to compare with")
        return
    print_line("[red]DIFFERS[/red] from the released build:")
    for what, names in (("changed", mark.differ), ("missing", mark.missing), ("added", mark.extra)):
        for name in names[:_LISTED]:
            print(f"  {what}  {name}")
        if len(names) > _LISTED:
            print(f"  {what}  and {len(names) - _LISTED} more; --json lists them all")
