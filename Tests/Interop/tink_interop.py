"""closer-keys against Tink for Python: fresh random cases, both ways, with the real binary.

Every case draws its keys and texts from the seed, the name of its row and its index, so that it can be run
again alone with --only. Nonces, ephemeral keys and the keys that either side makes are new each time.
Exits with 1 if a case fails, or if fewer cases passed, or of fewer kinds, than is demanded.
"""

import argparse
import importlib.metadata
import os
import secrets
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

import aead_cases
import ecies_cases
import keyset_cases
import keyset_refusals
from demands import KINDS, case_count, shortfalls
from program import Program

SHOWN_FAILURES = 10

ROWS = {
    "aead tink->ours": aead_cases.tink_to_ours,
    "aead ours->tink": aead_cases.ours_to_tink,
    "aead refused": aead_cases.refused,
    "ecies tink->ours": ecies_cases.tink_to_ours,
    "ecies ours->tink": ecies_cases.ours_to_tink,
    "ecies refused": ecies_cases.refused,
    "keysets tink->ours": keyset_cases.tink_to_ours,
    "keysets ours->tink": keyset_cases.ours_to_tink,
    "keysets refused": keyset_refusals.refused,
}


@dataclass
class Result:
    """What a case was, if it passed; why it failed, if not."""

    row: str
    index: int
    kinds: dict[str, str]
    failure: str = ""


def main() -> int:
    options = _options()
    print(f"{_version(options.program)}, tink {importlib.metadata.version('tink')}, seed {options.seed}")
    cases = [options.only] if options.only else _all_cases(options.count)
    with tempfile.TemporaryDirectory(prefix="tink-interop-", dir=_scratch()) as scratch:
        with ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda case: _run(options, Path(scratch), *case), cases))

    missing = [] if options.only else _report(results, options.count)
    failures = [result for result in results if result.failure]
    for result in failures[:SHOWN_FAILURES]:
        print(f"\nmismatch: --seed {options.seed} --only '{result.row} {result.index}'\n{result.failure}")
    for line in missing:
        print(f"too few: {line}")
    print(f"{len(results) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or missing else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, help="the closer-keys binary")
    parser.add_argument("--count", type=int, default=1000, help="round trips each way, in each category")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="a new one by default")
    parser.add_argument("--jobs", type=int, default=2, help="how many cases run at once")
    parser.add_argument("--only", type=_case, metavar="'ROW INDEX'", help="one case, as a mismatch names it")
    options = parser.parse_args()
    options.program = options.program.resolve()
    return options


def _case(text: str) -> tuple[str, int]:
    row, _, index = text.rpartition(" ")
    if row not in ROWS or not index.isdecimal():
        raise argparse.ArgumentTypeError(f"an index after one of: {', '.join(ROWS)}")
    return row, int(index)


def _all_cases(count: int) -> list[tuple[str, int]]:
    return [(row, index) for row in ROWS for index in range(case_count(row, count))]


def _version(program: Path) -> str:
    return Program(program, Path()).run("version").decode().splitlines()[0]


def _scratch() -> str | None:
    """Memory, where there is some: the key files are secret, if only for tests, and there are many."""
    memory = "/dev/shm"
    return memory if os.access(memory, os.W_OK) else None


def _run(options: argparse.Namespace, scratch: Path, row: str, index: int) -> Result:
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        ours = Program(options.program, Path(folder))
        try:
            return Result(row, index, ROWS[row](Random(f"{options.seed} {row} {index}"), ours))
        except Exception as error:  # whatever it is, this case did not pass
            failure = "\n".join([f"{type(error).__name__}: {error}", *ours.record])
            return Result(row, index, {}, failure)


def _report(results: list[Result], count: int) -> list[str]:
    """Prints the table and returns what is missing from it."""
    missing = []
    for row in ROWS:
        of_row = [result for result in results if result.row == row]
        passed = [result for result in of_row if not result.failure]
        met = Counter(kind for result in passed for kind in result.kinds.items())
        _print_row(row, met, len(passed), len(of_row) - len(passed))
        missing += shortfalls(row, count, met, len(passed))
    return missing


def _print_row(row: str, met: Counter[tuple[str, str]], passed: int, mismatches: int) -> None:
    """One line with the first thing that tells the cases of this row apart; below it the others."""
    first, *others = [(dimension, _counts(row, dimension, met)) for dimension in KINDS[row]]
    print(f"{row:18}   {first[1]}  total {passed}  mismatches {mismatches}")
    for dimension, counts in others:
        print(f"{'':18}     {dimension}: {counts}")


def _counts(row: str, dimension: str, met: Counter[tuple[str, str]]) -> str:
    """The demanded kinds, found or not, and then what else was found."""
    found = [kind for name, kind in sorted(met) if name == dimension]
    kinds = dict.fromkeys([*KINDS[row][dimension], *found])
    return "  ".join(f"{kind} {met[dimension, kind]}" for kind in kinds)


if __name__ == "__main__":
    sys.exit(main())
