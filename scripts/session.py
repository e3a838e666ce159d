"""A command and all that it starts, which end together."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def session(command: list[str], **options):
    """Starts a command, and kills what is left of it after the block.

    SwiftPM and Foundation give each process a group of its own, which no signal to ours reaches. All are in one session.
    """
    process = subprocess.Popen(command, start_new_session=True, **options)
    try:
        yield process
    finally:
        end(process)


def end(process: subprocess.Popen) -> None:
    killed: set[int] = set()
    # Whoever was about to be killed may have started another one.
    while found := members(process.pid) - killed:
        for number in found:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        killed |= found
    process.wait()


def members(number: int) -> set[int]:
    """The processes of a session. Where there is no /proc, its first one alone is known."""
    known = {int(path.name) for path in Path("/proc").glob("[0-9]*")}
    return {process for process in known | {number} if is_in(process, number)}


def is_in(process: int, number: int) -> bool:
    try:
        return os.getsid(process) == number
    except (ProcessLookupError, PermissionError):
        return False


def end_with_us() -> None:
    """Lets a signal to this process end its sessions, too."""
    for number in (signal.SIGHUP, signal.SIGTERM):
        # Under nohup it stays ignored.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, _: sys.exit(128 + number))
