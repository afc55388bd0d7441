"""A house that is killed in the middle of a round: the page says so, and the round goes on when the house is back."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from croupier.house import DEMO_PASSWORD


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def serve(folder: Path, port: int) -> subprocess.Popen[str]:
    """A demo in a process of its own, once it is open."""
    command = [sys.executable, "-m", "croupier", "serve", "--demo", "--no-patrons"]
    process = subprocess.Popen(
        [*command, "--store", str(folder / "house.db"), "--port", str(port)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("The house is open"):
            return process
    raise AssertionError("the house did not open")


def test_a_round_goes_on_after_the_house_was_killed(
    new_page: Callable[..., Page], expect_problem: Callable[[Page, str], None], tmp_path: Path
) -> None:
    port = free_port()
    page = new_page(base_url=f"http://127.0.0.1:{port}")
    expect_problem(page, r"WebSocket connection|htmx:ws:error|ERR_CONNECTION")
    house = serve(tmp_path, port)
    try:
        page.goto("/sign-in?then=/tables/1")
        page.locator("#name").fill("ann")
        page.locator("#password").fill(DEMO_PASSWORD)
        page.locator("#password").press("Enter")
        page.locator("#sit-4").click()
        page.locator('.dock input[name="amount"]').fill("500")
        page.locator(".dock .offer button").first.click()
        page.locator("form.bets button.primary").click()
        choices = page.locator(".acts .act")
        expect(choices.first).to_be_visible()
        offered = choices.all_inner_texts()
        house.kill()
        house.communicate(timeout=30)
        expect(page.locator("#connection")).to_be_visible()
        house = serve(tmp_path, port)
        expect(page.locator("#connection")).to_be_hidden()
        expect(choices.first).to_be_visible()
        assert choices.all_inner_texts() == offered, "the same decision, for the same amounts"
        while choices.count():
            before = page.locator("#live").get_attribute("data-version")
            choices.first.click()
            expect(page.locator("#live")).not_to_have_attribute("data-version", before or "")
        expect(page.locator(".made .big")).to_be_visible()
    finally:
        house.kill()
        house.communicate(timeout=30)
