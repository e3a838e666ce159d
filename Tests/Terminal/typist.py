"""A person at a terminal: runs a command there, reads what it shows, and types.

Standard input is a JSON object: `command`, the words; `steps`, pairs of what must have been shown and what is typed
then; `shown`, whether standard output and standard error are on the terminal, too, or else in the files `out` and
`err`; `terminal`, whether there is one at all. Standard output is one, too: `exit`, `screen`, `hidden`, for each
step whether the terminal echoed nothing while typing, and `echo`, whether it does in the end.
"""

import fcntl
import json
import os
import pty
import select
import subprocess
import sys
import termios
import time

LIMIT = 40.0  # seconds for all of it, on a busy machine
PATIENCE = 5.0  # seconds until echo must be off


def main() -> None:
    plan = json.load(sys.stdin)
    print(json.dumps(Sitting(plan).play()))


class Sitting:
    def __init__(self, plan: dict) -> None:
        self.plan, self.screen, self.end = plan, b"", time.monotonic() + LIMIT
        self.ours, self.theirs = pty.openpty()

    def play(self) -> dict:
        process = self._start()
        hidden = []
        for shown, typed in self.plan["steps"]:
            if not self._read_until(shown.encode(), process):
                break
            hidden.append(self._is_hidden_soon())
            os.write(self.ours, typed.encode())
        while process.poll() is None and time.monotonic() < self.end:
            self._read(0.05)
        process.kill()
        exit_code = process.wait()
        while self._read(0):
            pass
        return {"exit": exit_code, "screen": self.screen.decode(), "hidden": hidden, "echo": self._echoes()}

    def _start(self) -> subprocess.Popen:
        def take_terminal() -> None:
            if self.plan["terminal"]:
                fcntl.ioctl(self.theirs, termios.TIOCSCTTY, 0)

        output, errors = (self.theirs, self.theirs) if self.plan["shown"] else (open("out", "wb"), open("err", "wb"))
        return subprocess.Popen(
            self.plan["command"], stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
            start_new_session=True, preexec_fn=take_terminal)

    def _read(self, seconds: float) -> bool:
        if not select.select([self.ours], [], [], seconds)[0]:
            return False
        self.screen += os.read(self.ours, 65536)
        return True

    def _read_until(self, shown: bytes, process: subprocess.Popen) -> bool:
        start = getattr(self, "seen", 0)
        while (found := self.screen.find(shown, start)) < 0:
            if not self._read(0.05) and (process.poll() is not None or time.monotonic() > self.end):
                return False
        self.seen = found + len(shown)
        return True

    def _echoes(self) -> bool:
        return bool(termios.tcgetattr(self.ours)[3] & termios.ECHO)

    def _is_hidden_soon(self) -> bool:
        limit = time.monotonic() + PATIENCE
        while self._echoes() and time.monotonic() < limit:
            time.sleep(0.01)
        return not self._echoes()


main()
