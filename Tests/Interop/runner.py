"""Runs a suite of rows against the real binary, prints what the cases were, and counts.

Exits with 1 if a case fails, or if fewer cases passed, or of fewer kinds, than is demanded.
"""

import argparse
import importlib.metadata
import os
import secrets
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from draw import Draw
from program import Program

SHOWN_FAILURES = 10

Kinds = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Suite:
    """Rows of cases, and what a run of them must have met before it counts."""

    title: str
    peers: tuple[str, ...]
    rows: dict[str, Callable[[Draw, Program], dict[str, str]]]
    kinds: dict[str, Kinds]
    default_count: int
    counted: str
    case_count: Callable[[str, int], int]
    of_each_kind: Callable[[str, int], int]


@dataclass
class Result:
    """What a case was, if it passed; why it failed, if not."""

    row: str
    index: int
    kinds: dict[str, str]
    failure: str = ""


def run(suite: Suite) -> int:
    options = _options(suite)
    peers = [f"{peer} {importlib.metadata.version(peer)}" for peer in suite.peers]
    print(", ".join([_version(options.program), *peers, f"seed {options.seed}"]))
    cases = [options.only] if options.only else _all_cases(suite, options.count)
    with tempfile.TemporaryDirectory(prefix="interop-", dir=scratch_folder()) as scratch:
        with ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda case: _result(suite, options, Path(scratch), *case), cases))

    missing = [] if options.only else _report(suite, results, options.count)
    failures = [result for result in results if result.failure]
    for result in failures[:SHOWN_FAILURES]:
        print(f"\nmismatch: --seed {options.seed} --only '{result.row} {result.index}'\n{result.failure}")
    for line in missing:
        print(f"too few: {line}")
    print(f"{len(results) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or missing else 0


def _options(suite: Suite) -> argparse.Namespace:
    def case(text: str) -> tuple[str, int]:
        row, _, index = text.rpartition(" ")
        if row not in suite.rows or not index.isdecimal():
            raise argparse.ArgumentTypeError(f"an index after one of: {', '.join(suite.rows)}")
        return row, int(index)

    parser = argparse.ArgumentParser(description=suite.title)
    parser.add_argument("--program", type=Path, required=True, help="the closer-keys binary")
    parser.add_argument("--count", type=int, default=suite.default_count, help=suite.counted)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="a new one by default")
    parser.add_argument("--jobs", type=int, default=2, help="how many cases run at once")
    parser.add_argument("--only", type=case, metavar="'ROW INDEX'", help="one case, as a mismatch names it")
    options = parser.parse_args()
    options.program = options.program.resolve()
    return options


def _all_cases(suite: Suite, count: int) -> list[tuple[str, int]]:
    return [(row, index) for row in suite.rows for index in range(suite.case_count(row, count))]


def _version(program: Path) -> str:
    return Program(program, Path()).run("version").decode().splitlines()[0]


def scratch_folder() -> str | None:
    """A folder in memory if there is one, since there are many files, and some hold keys."""
    memory = "/dev/shm"
    return memory if os.access(memory, os.W_OK) else None


def _result(suite: Suite, options: argparse.Namespace, scratch: Path, row: str, index: int) -> Result:
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        ours = Program(options.program, Path(folder))
        try:
            return Result(row, index, suite.rows[row](Draw(options.seed, row, index), ours))
        except Exception as error:  # whatever it is, this case did not pass
            failure = "\n".join([f"{type(error).__name__}: {error}", *ours.record])
            return Result(row, index, {}, failure)


def _report(suite: Suite, results: list[Result], count: int) -> list[str]:
    """Prints the table and returns what is missing from it."""
    missing = []
    for row in suite.rows:
        of_row = [result for result in results if result.row == row]
        passed = [result for result in of_row if not result.failure]
        met = Counter(kind for result in passed for kind in result.kinds.items())
        _print_row(row, suite.kinds[row], met, len(passed), len(of_row) - len(passed))
        missing += _shortfalls(suite, row, count, met, len(passed))
    return missing


def _shortfalls(suite: Suite, row: str, count: int, met: Counter[tuple[str, str]], passed: int) -> list[str]:
    """The kinds that were met too rarely."""
    wanted = [(dimension, kind) for dimension, kinds in suite.kinds[row].items() for kind in kinds]
    least = suite.of_each_kind(row, count)
    counts = [("total", passed, suite.case_count(row, count))]
    counts += [(" ".join(kind), met[kind], least) for kind in wanted]
    return [f"{row}: {name} {found}, demanded {due}" for name, found, due in counts if found < due]


def _print_row(row: str, kinds: Kinds, met: Counter[tuple[str, str]], passed: int, mismatches: int) -> None:
    """Prints one line with the counts of the first dimension of this row, and below it those of the others."""
    first, *others = [(dimension, _counts(dimension, kinds, met)) for dimension in kinds]
    print(f"{row:18}   {first[1]}  total {passed}  mismatches {mismatches}")
    for dimension, counts in others:
        print(f"{'':18}     {dimension}: {counts}")


def _counts(dimension: str, kinds: Kinds, met: Counter[tuple[str, str]]) -> str:
    """The counts of the kinds that are demanded, zeros included, and then of other kinds that were met."""
    found = [kind for name, kind in sorted(met) if name == dimension]
    everything = dict.fromkeys([*kinds[dimension], *found])
    return "  ".join(f"{kind} {met[dimension, kind]}" for kind in everything)
