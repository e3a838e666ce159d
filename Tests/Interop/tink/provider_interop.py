"""Two closer-keys programs, built with different providers of the primitives: what one makes the other opens.

--program is the first, and SECOND_PROGRAM in the environment the second. What either refuses the other refuses, with the same
words. Keys and contents come from the seed, the row and its index. Exits with 1 if a case fails, or if fewer cases passed, or of
fewer kinds, than is demanded.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import provider_cases
import runner
import streams
import typed_answers
from draw import Draw
from program import Program

SECOND = Path(os.environ["SECOND_PROGRAM"]).resolve()

Case = Callable[[Draw, Program, Program], dict[str, str]]

CASES: dict[str, Case] = {
    "fields": provider_cases.fields,
    "keyboxes": provider_cases.keyboxes,
    "streams": provider_cases.streams_of_files,
    "chats": provider_cases.chats,
    "vaults": provider_cases.vaults,
    "couples": provider_cases.couples,
}
FAULT = {"fault": ("byte", "truncated", "context")}
KINDS = {
    "fields": FAULT,
    "keyboxes": FAULT | {"keys": ("made here", "of tink")},
    "streams": FAULT | {"segment": tuple(streams.SEGMENTS), "size": tuple(streams.SIZES)},
    "chats": {"profile": ("fitlink", "fond")},
    "vaults": {"lock": ("key file", "passphrase")},
    "couples": {"answer": tuple(typed_answers.KINDS), "code": ("in it", "apart")},
}
# A story takes some thirty starts of a program, and many derivations by Argon2id.
SLOW = ("vaults", "couples")


def main() -> int:
    print(f"the second program: {libraries(SECOND)}")
    return runner.run(SUITE)


def libraries(program: Path) -> str:
    """What it computes with, from `closer-keys version`."""
    return ", ".join(Program(program, Path()).run("version").decode().splitlines()[1:4])


def rows() -> dict[str, Callable[[Draw, Program], dict[str, str]]]:
    """Each case both ways, from the one who makes to the one who opens."""
    found = {}
    for name, case in CASES.items():
        found[f"{name} first->second"] = lambda draw, first, case=case: case(draw, first, another(first))
        found[f"{name} second->first"] = lambda draw, first, case=case: case(draw, another(first), first)
    return found


def another(first: Program) -> Program:
    """The second program in the same folder, with the same record."""
    second = Program(SECOND, first.folder)
    second.record = first.record
    return second


def noun(row: str) -> str:
    return row.split()[0]


def case_count(row: str, count: int) -> int:
    return max(2, count // 10) if noun(row) in SLOW else count


SUITE = runner.Suite(
    title=__doc__.splitlines()[0],
    peers=(),
    rows=rows(),
    kinds={row: KINDS[noun(row)] for row in rows()},
    default_count=100,
    counted="cases of each row; a tenth of it of vaults and couples",
    case_count=case_count,
    of_each_kind=lambda row, count: case_count(row, count) // 10,
)

if __name__ == "__main__":
    sys.exit(main())
