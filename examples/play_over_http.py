"""Play one round in a demo house over its HTTP API, with nothing but Python's standard library.

croupier serve --demo
python examples/play_over_http.py http://127.0.0.1:8000
"""

from __future__ import annotations

import json
import secrets
import sys
import time
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener


class Api:
    """A signed-in session: the cookie jar keeps the session, `csrf` goes with every change."""

    def __init__(self, url: str) -> None:
        self.url, self.csrf = url.rstrip("/"), ""
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
        """The answer; a refusal is raised with the house's own words."""
        headers = {"Content-Type": "application/json", "Origin": self.url, "X-CSRF-Token": self.csrf}
        if method == "POST":
            headers["Idempotency-Key"] = secrets.token_hex(8)  # safe to send again after a lost connection
        data = None if body is None else json.dumps(body).encode()
        try:
            request = Request(self.url + path, data, headers, method=method)  # noqa: S310 - the house that was named
            with self._opener.open(request, timeout=30) as answer:
                return json.load(answer)
        except HTTPError as error:
            problem = json.load(error)
            raise SystemExit(f"{error.code} {problem['code']}: {problem['message']} ({problem['clause']})") from None


def play(url: str) -> None:
    """Sign up, sit down, bet the least, stay in to the end, and say what came of it."""
    api = Api(url)
    name = f"guest {secrets.token_hex(3)}"
    session = api.ask("POST", "/api/people", {"name": name, "password": secrets.token_urlsafe(12)})
    api.csrf, me = session["csrf"], session["person"]["id"]

    table = next(table for table in api.ask("GET", "/api/tables") if table["open_seats"] and not table["physical"])
    seat, commands = table["open_seats"][0], f"/api/tables/{table['id']}/commands"
    print(f"{name} sits down at table {table['id']}, {table['rulebook']}, seat {seat}")
    api.ask("POST", commands, {"do": "sit", "seat": seat})
    api.ask("POST", commands, {"do": "buy_in", "amount": "1000.00"})

    main = [wager for wager in ("ante", "bet_1", "bet_2", "bet_3") if wager in table["limits"]]
    before = None
    for _ in range(600):  # a live socket says when something changes; this looks twice a second
        now = api.ask("GET", f"/api/tables/{table['id']}")
        view, awaiting = now["view"], now["view"]["awaiting"]
        mine = next(box for box in view["seats"] if box["seat"] == seat)
        last = view["last_round"]
        if before is not None and last and last["number"] > before:
            break
        if awaiting["kind"] == "wagers" and not mine["bets"] and before is None:
            for wager in main:
                amount = table["limits"][wager]["minimum"]
                api.ask("POST", commands, {"do": "place_wager", "seat": seat, "wager": wager, "amount": amount})
            before = last["number"] if last else 0
        elif awaiting["kind"] == "decision" and awaiting["patron"] == me:
            choice = next(choice for choice in awaiting["choices"] if choice["choice"] != "fold")
            more = {"amount": choice["least"]} if choice["choice"] == "raise" else {}
            print(f"  {awaiting['decision']}: {choice['choice']}, holding {mine['cards']}")
            api.ask("POST", commands, {"do": "decide", "seat": seat, "choice": choice["choice"], **more})
            continue
        time.sleep(0.5)
    else:
        raise SystemExit("no round was played in five minutes")
    for result in next(box for box in last["seats"] if box["seat"] == seat)["results"]:
        print(f"  {result['wager']} {result['staked']}: {result['outcome']}, {result['why']} ({result['clause']})")


if __name__ == "__main__":
    play(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
