"""Where the game is shown and answers are read: a terminal that is redrawn, or lines through a pipe."""

from __future__ import annotations

import io
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple, TypeAlias

from rich.console import Group, RenderableType
from rich.text import Text

from croupier.cli.play.drawing import pens_for
from croupier.cli.play.keys import BACKSPACE, END, ENTER, ESCAPE, read_key
from croupier.cli.shown.console import console
from croupier.cli.typed_lines import piped_line

__all__ = ["Help", "Left", "LineScreen", "Lines", "LiveScreen", "Page", "Screen", "open_screen", "shortened"]

LONGEST: Final = 40
"""How much of what was typed is shown again."""
TALL: Final = 24
"""The question is no lower than this, so that it stays near the cards."""
Lines: TypeAlias = Sequence[str | Text]
"""Lines of Rich markup, or of text that is drawn already."""
Help: TypeAlias = Callable[[], Sequence[Lines]]
"""The pages behind `?`."""


class Left(Exception):
    """The player has left, with Q or at the end of the input."""


class Page(NamedTuple):
    """What a player sees while a question waits."""

    header: Lines = ()
    """On a terminal only, where it stays in place."""
    body: Lines = ()
    small: Lines = ()
    """The page in fewer lines, for a short screen."""
    news: Lines = ()
    """What has happened since the last question."""
    dock: Lines = ()
    """What can be done now: on a terminal it keeps its place above the question."""


class Screen(ABC):
    """What both kinds of screen share."""

    is_live = False
    """Whether the page stays in place and a key is an answer."""

    def __init__(self) -> None:
        self.out = console()
        self.pens = pens_for(self.out.encoding)
        self.asks = sys.stdin is not None and sys.stdin.isatty()
        """Whether somebody sits there who can be asked."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")

    @property
    def page_height(self) -> int | None:
        """How many lines a page of help may have."""
        return None

    @abstractmethod
    def show(self, page: Page) -> None:
        """Show a page; the next question belongs to it."""

    @abstractmethod
    def remark(self, *lines: str | Text) -> None:
        """Say something about the last answer."""

    def complain(self, text: str) -> None:
        """Say what was wrong with the last answer."""
        self.remark(Text(text, style="yellow"))

    def say(self, markup: str = "") -> None:
        """Print a line that stays."""
        self.out.print(markup)

    def ask(self, prompt: str, explain: Help | None = None, *, line: bool = False) -> str:
        """Return what is typed, a single key or a whole line; `?` explains and asks again, `Q` leaves."""
        while True:
            answer = self._answer(prompt, line=line)
            if answer.lower() in {"q", "quit"}:
                if self._leaves():
                    raise Left
            elif answer == "?" and explain is not None:
                self._explain(explain())
            else:
                return answer

    @abstractmethod
    def _answer(self, prompt: str, *, line: bool) -> str:
        """Ask once."""

    @abstractmethod
    def _explain(self, pages: Sequence[Lines]) -> None:
        """Show pages of help."""

    def _leaves(self) -> bool:
        """Whether a player who typed Q means it."""
        return True

    @abstractmethod
    def think(self) -> None:
        """Say that the answer takes a moment, where somebody waits."""

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Show the game until it is over."""
        yield


class LineScreen(Screen):
    """Questions and answers line by line: a pipe, a file, or a terminal that cannot be redrawn."""

    def show(self, page: Page) -> None:
        """Print what is new."""
        for line in (*page.news, *page.body, *page.dock):
            self.out.print(line)

    def remark(self, *lines: str | Text) -> None:
        """Print it."""
        for line in lines:
            self.out.print(line)

    def _answer(self, prompt: str, *, line: bool) -> str:
        del line
        self.out.print(f"{prompt} [bold]>[/bold] ", end="")
        try:
            text = piped_line()
        except OSError:  # a terminal that has gone
            text = ""
        answer = "".join(letter for letter in text.strip() if letter.isprintable())
        if not self.asks:
            self.out.print(shortened(answer), markup=False)  # a terminal shows it by itself
        elif not text:
            self.out.print()
        if not text:
            raise Left
        return answer

    def _explain(self, pages: Sequence[Lines]) -> None:
        for page in pages:
            for line in page:
                self.out.print(line)

    def think(self) -> None:
        """Say nothing: a reader of lines does not wait."""


class LiveScreen(Screen):
    """A terminal: the page is redrawn for each question, and a key is an answer."""

    is_live = True

    def __init__(self) -> None:
        super().__init__()
        self._page = Page()
        self._remarks: Lines = ()

    def show(self, page: Page) -> None:
        """Keep the page: it is drawn with the question."""
        self._page, self._remarks = page, ()

    def remark(self, *lines: str | Text) -> None:
        """Keep it for the next drawing, in place of the last remark."""
        self._remarks = lines

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Play on the alternate screen: the terminal's earlier content comes back at the end."""
        self.out.set_alt_screen()
        try:
            yield
        finally:
            self.out.set_alt_screen(enable=False)

    def think(self) -> None:
        """Show a sign of life; the next drawing wipes it."""
        self.out.print("[dim]Thinking …[/dim]", end="")

    def _answer(self, prompt: str, *, line: bool) -> str:
        self._draw(prompt)
        typed = ""
        while True:
            key = read_key()
            if key == END:
                self.out.print()
                raise Left
            if key == ENTER or not (line or key in {BACKSPACE, ESCAPE}):
                return typed or key.strip()
            if key == BACKSPACE and typed:
                typed = typed[:-1]
                self.out.print("\b \b", end="")
            elif not typed and key.lower() in "q?":
                return key
            elif key.isprintable() and len(typed) < LONGEST:
                typed += key
                self.out.print(key, end="", markup=False)

    def _leaves(self) -> bool:
        """A single key is easily hit by mistake."""
        self._draw("Press Q again to leave, any other key to stay")
        return read_key().lower() in {"q", END}

    def _draw(self, prompt: str) -> None:
        page, room, question = self._page, min(self.out.height, TALL), f"{prompt} [bold]>[/bold] "
        above, body, said = [*page.header, ""] if page.header else [], list(page.body), [*page.news, *self._remarks]

        def missing() -> int:
            return self._height([*above, *body, *said, *page.dock, question]) - room

        # What is least missed goes first: the drawn cards, old news, the second line of the header, how others did.
        if missing() > 0 and page.small:
            body = list(page.small)
        while said and missing() > 0:
            said.pop(0)
        if missing() > 0:
            above = above[:1]
        while body and missing() > 0:
            body.pop()
        self.out.clear()
        for part in [*above, *body, *said, *[""] * -missing(), *page.dock]:
            self.out.print(part)
        self.out.print(question, end="")

    def _height(self, parts: Sequence[RenderableType]) -> int:
        texts = [Text.from_markup(part) if isinstance(part, str) else part for part in parts]
        return len(self.out.render_lines(Group(*texts), pad=False))

    @property
    def page_height(self) -> int:
        """All lines but the one that says how to continue."""
        return max(self.out.height - 2, 5)

    def _explain(self, pages: Sequence[Lines]) -> None:
        for number, page in enumerate(pages, 1):
            self.out.clear()
            for line in page:
                self.out.print(line)
            last = number == len(pages)
            then = (
                "Press any key to go back"
                if last
                else f"Page {number} of {len(pages)}: any key for the next, Q to go back"
            )
            self.out.print(f"[dim]{then}[/dim] ", end="")
            key = read_key()
            if key == END:
                raise Left
            if key in {"q", "Q", ESCAPE}:
                return


def open_screen() -> Screen:
    """The screen that fits where the program runs."""
    screen = LineScreen()
    return LiveScreen() if screen.asks and screen.out.is_terminal and not screen.out.is_dumb_terminal else screen


def shortened(text: str) -> str:
    """
    >>> shortened("fold"), len(shortened("x" * 1000))
    ('fold', 43)
    """
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
