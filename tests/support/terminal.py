"""The command on a terminal of its own, with somebody at the keyboard."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

CONTROL_C = "\x03"


def on_a_terminal(
    arguments: list[str], keys: list[str], *, prompt: bytes = rb">(\x1b\[0m)? $", **environment: str
) -> tuple[str, int]:
    """What a terminal shows, each key typed when a prompt waits for it."""
    terminal, inside = pty.openpty()
    variables = os.environ | {"TERM": "xterm-256color", "PYTHONUTF8": "1"} | environment
    command = [sys.executable, "-m", "croupier", *arguments]
    # Tests that run in the background ignore Ctrl+C, and so would whatever they start; a terminal's programs do not.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, env=variables)
    signal.signal(signal.SIGINT, before)
    os.close(inside)
    shown, waiting, deadline = b"", list(keys), time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # it has gone
            break
        if waiting and re.search(prompt, shown):
            key = waiting.pop(0)
            time.sleep(0.1)  # until it waits
            if key == CONTROL_C:
                process.send_signal(signal.SIGINT)
            else:
                os.write(terminal, key.encode())
    os.close(terminal)
    return shown.decode(), process.wait(timeout=10)
