"""A person at a terminal: runs a command there, reads what it shows, and types.

Standard input is a JSON object: `command`, the words; `steps`, what must have been shown, what is typed then, and whether
the terminal should show it, or null if that is not waited for; `shown`, whether standard output and standard error are on the terminal, too, or else in
the files `out` and `err`; `shell`, whether standard input is; `terminal`, whether there is one at all; `kind`, its
TERM. `{drawn}` in what is typed stands for the secret that was shown last. Standard output is one, too: `exit`,
`screen`, `hidden`, for each step whether the terminal echoed nothing while typing, and `echo`, whether it does in the
end.
"""

import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time

LIMIT = 40.0  # seconds for all of it, on a busy machine
PATIENCE = 5.0  # seconds until echo must be as it should


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
        for shown, typed, visible in self.plan["steps"]:
            if not self._read_until(shown.encode(), process):
                break
            hidden.append(not self._echoes_soon(visible))
            drawn = re.findall(rb"shown this once: (.*?)\r\n", self.screen)
            os.write(self.ours, typed.encode().replace(b"{drawn}", drawn[-1] if drawn else b""))
        while process.poll() is None and time.monotonic() < self.end:
            self._read(0.05)
        process.kill()
        exit_code = process.wait()
        while self._read(0):
            pass
        return {"exit": exit_code, "screen": self.screen.decode(), "hidden": hidden, "echo": self._echoes()}

    def _start(self) -> subprocess.Popen:
        def take_terminal() -> None:
            # Whoever runs the tests may ignore or block what a shell's jobs need.
            for number in (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGCONT):
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            if self.plan["terminal"]:
                fcntl.ioctl(self.theirs, termios.TIOCSCTTY, 0)

        output, errors = (self.theirs, self.theirs) if self.plan["shown"] else (open("out", "wb"), open("err", "wb"))
        return subprocess.Popen(
            self.plan["command"], stdin=self.theirs if self.plan["shell"] else subprocess.DEVNULL, stdout=output,
            stderr=errors, start_new_session=True, preexec_fn=take_terminal,
            env=dict(os.environ, TERM=self.plan["kind"], PS1="$ "))

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

    def _echoes_soon(self, expected: bool | None) -> bool:
        limit = time.monotonic() + PATIENCE
        while expected is not None and self._echoes() != expected and time.monotonic() < limit:
            time.sleep(0.01)
        return self._echoes()


main()
