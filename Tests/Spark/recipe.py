"""The code of docs/spark.md, as a reader would copy it into a folder and run it there."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "spark.md"
TIME_LIMIT = 600
SETTINGS = """\
spark.master local[2]
spark.ui.enabled false
spark.local.dir {folder}/local
spark.eventLog.enabled true
spark.eventLog.compress false
spark.eventLog.rolling.enabled false
spark.eventLog.dir file:{folder}/events
"""


@dataclass(frozen=True)
class Run:
    """How the page's command ended, and the seconds of the job that wrote the lines, without Spark's start."""

    code: int
    output: str
    errors: str
    seconds: float
    written_in: float
    parts: list[list[bytes]]
    is_whole: bool


class Recipe:
    """A folder with the page's two files. `PATH` finds the program under its name, and Spark."""

    def __init__(self, folder: Path, program: Path) -> None:
        self.folder, self.programs = folder, folder / "bin"
        command, script, self.submission = _blocks("sh", "python", "sh")
        (folder / "reencrypt").write_text(command)
        (folder / "reencrypt").chmod(0o755)
        (folder / "reencrypt.py").write_text(script)
        for name in ("bin", "conf", "local", "events"):
            (folder / name).mkdir()
        (folder / "conf" / "spark-defaults.conf").write_text(SETTINGS.format(folder=folder))
        (self.programs / "closer-keys").symlink_to(program)

    def single(self, source: bytes) -> tuple[bytes, float]:
        """What one run of the page's command makes of all lines, and how long it takes."""
        start = time.monotonic()
        command = [self.folder / "reencrypt", "old.keyset", "new.keyset", "couple_1"]
        ended = subprocess.run(command, input=source, capture_output=True, check=True, timeout=TIME_LIMIT, **self._place())
        return ended.stdout, time.monotonic() - start

    def spark(self, source: bytes) -> Run:
        """Types the page's last command. The part files are read without Spark."""
        (self.folder / "fields.jsonl").write_bytes(source)
        target = self.folder / "reencrypted"
        shutil.rmtree(target, ignore_errors=True)
        for log in (self.folder / "events").iterdir():
            log.unlink()
        start = time.monotonic()
        ended = subprocess.run(
            ["bash", "-c", self.submission], capture_output=True, text=True, timeout=TIME_LIMIT, **self._place()
        )
        seconds = time.monotonic() - start
        parts = [path.read_bytes().split(b"\n")[:-1] for path in sorted(target.glob("part-*"))]
        whole = (target / "_SUCCESS").exists()
        return Run(ended.returncode, ended.stdout, ended.stderr, seconds, self._first_job(), parts, whole)

    def _place(self) -> dict:
        path = f"{self.programs}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        names = {"PATH": path, "SPARK_CONF_DIR": str(self.folder / "conf"), "SPARK_LOCAL_IP": "127.0.0.1"}
        return {"cwd": self.folder, "env": os.environ | names}

    def _first_job(self) -> float:
        """From the log of the run: the first job writes, the others count."""
        lines = [line for path in (self.folder / "events").iterdir() for line in path.read_text().splitlines()]
        events = [event for event in map(json.loads, lines) if event.get("Job ID") == 0]
        times = [event.get("Submission Time", event.get("Completion Time")) for event in events]
        return (times[-1] - times[0]) / 1000 if times else 0


def _blocks(*languages: str) -> list[str]:
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    found = tuple(language for language, _ in blocks)
    if found != languages:
        raise SystemExit(f"{PAGE.name} has blocks of {found}, and not of {languages}")
    return [code for _, code in blocks]
