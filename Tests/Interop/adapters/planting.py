"""Runs copies of adapters with a fault in them in front of `closer-keys vectors`."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BCPROV = os.environ.get("BCPROV", "/usr/share/java/bcprov.jar")


@dataclass(frozen=True)
class Fault:
    """One line of an adapter, the same line with a fault, and the command, to which the path of the copy is added."""

    title: str
    adapter: str
    line: str
    faulty: str
    command: tuple[str, ...]


def run(
    faults: Iterable[Fault],
    judge: Callable[[str, Fault, list[str]], int],
    plant: Callable[[Fault, Path], list[str]] | None = None,
) -> bool:
    """Runs the judge on every fault, and gives back whether any demand does not hold."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = str(Path(parser.parse_args().program).resolve())
    wrong = 0
    for fault in faults:
        with tempfile.TemporaryDirectory() as scratch:
            wrong += judge(program, fault, (plant or planted)(fault, Path(scratch)))
    return wrong > 0


def failures(program: str, verb: list[str], command: list[str]) -> list[dict]:
    """Gives what the report names. Ends the script unless the judge said no, with exit status 1."""
    arguments = ["vectors", *verb, "--time-limit", "60", "--format", "json", "--", *command]
    ended = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if ended.returncode != 1:
        raise SystemExit(f"{Path(sys.argv[0]).stem}: exit code {ended.returncode}, not 1: {ended.stderr}")
    return json.loads(ended.stdout)["failures"]


def report(fault: Fault, wrong: list[str]) -> int:
    """Prints the demands that do not hold, and gives back how many there are."""
    name = Path(sys.argv[0]).stem
    sys.stderr.writelines(f"{name}: {fault.title}: {each[:300]}\n" for each in sorted(wrong))
    return len(wrong)


def planted(fault: Fault, scratch: Path) -> list[str]:
    """Copies the adapter with its fault, and gives back the command that runs the copy."""
    copy = scratch / Path(fault.adapter).name
    copy.write_text(with_fault(fault))
    return [*fault.command, str(copy)]


def with_fault(fault: Fault) -> str:
    text = (ROOT / fault.adapter).read_text()
    if text.count(fault.line) != 1:
        raise SystemExit(f"{fault.adapter} has no single line to plant in: {fault.line}")
    return text.replace(fault.line, fault.faulty)
