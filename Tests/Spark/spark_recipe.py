"""Re-encrypts fields in Apache Spark as docs/spark.md says, and demands that it is what a single run does.

    spark_recipe.py --program PROGRAM [--count COUNT] [--seed SEED]

Sealing is random, so what is compared is what opens under the new keyset: each line's plaintext and other members, byte for byte
and in order. Lines that must fail are planted; commands that die must fail the job. Speed is printed, and demanded by nobody.
"""

import argparse
import random
import re
import secrets
import sys
import tempfile
from collections import Counter
from pathlib import Path

import fields
from recipe import Recipe, Run

LINE = re.compile(rb'\{"line":(\d+),"error":\{"code":"(\w+)"')
SMALL = 2000


class Demands:
    """Counts what holds, and prints what does not."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def that(self, what: str, holds: bool, *found: object) -> None:
        self.passed, self.failed = self.passed + holds, self.failed + (not holds)
        if not holds:
            print(f"not so: {what}", *(str(each)[-2000:] for each in found), sep="\n  ", file=sys.stderr)

    def same(self, what: str, due: list, found: list) -> None:
        first = next((i for i, pair in enumerate(zip(due, found)) if pair[0] != pair[1]), min(len(due), len(found)))
        shown = [f"{len(x)} lines, number {first}: {x[first : first + 1]}" for x in (due, found)]
        self.that(what, due == found, *(text[:600] for text in shown))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--count", type=int, default=200_000, help="how many fields")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="a new one by default")
    options = parser.parse_args()
    program, demand = options.program.resolve(), Demands()
    print(f"seed {options.seed}")
    with tempfile.TemporaryDirectory(prefix="spark-") as scratch:
        recipe = Recipe(Path(scratch), program)
        given = fields.made(program, recipe.folder, options.count, random.Random(options.seed))
        compare(demand, program, recipe, given)
        not_utf8(demand, program, recipe, given.lines[:3])
        deaths(demand, recipe, given.lines[:SMALL])
    print(f"{demand.passed} passed, {demand.failed} failed")
    return 1 if demand.failed else 0


def compare(demand: Demands, program: Path, recipe: Recipe, given: fields.Fields) -> None:
    source = b"".join(line + b"\n" for line in given.lines)
    single, single_seconds = recipe.single(source)
    run = recipe.spark(source)
    found = renumbered(demand, run.parts)
    new_keyset = recipe.folder / "new.keyset"
    opened, alone = (
        fields.filtered(program, "open", new_keyset, fields.COUPLE, lines) for lines in (found, single.split(b"\n")[:-1])
    )
    count, failed = len(given.lines), len(given.codes)
    due = [record if i not in given.codes else given.codes[i] for i, record in enumerate(given.records)]
    demand.that("Spark's run succeeds", run.code == 0 and run.is_whole, run.code, run.errors)
    demand.that("several partitions have lines", filled(run) >= 3, [len(part) for part in run.parts])
    demand.same("what opens is what a single run gives", alone, opened)
    demand.same("each record opens to its bytes, or fails by its code", due, [outcome(line) for line in opened])
    said = f"{count} lines read, {count} written, {failed} failed\n"
    demand.that("the page's script counts them", run.output == said, run.output)
    tokens(demand, given.lines, found, count - failed)
    leaks(demand, recipe, run)
    report(run, given, count, single_seconds)


def filled(run: Run) -> int:
    """A long line can leave the partitions behind its beginning empty."""
    return sum(1 for part in run.parts if part)


def renumbered(demand: Demands, parts: list[list[bytes]]) -> list[bytes]:
    """All lines in order, with the number of a failed line in the whole in place of that in its part."""
    lines, wrong = [], []
    for part in parts:
        start = len(lines)
        for number, line in enumerate(part, 1):
            error = LINE.match(line)
            wrong += [line[:200]] if error and int(error[1]) != number else []
            lines.append(b'{"line":%d%s' % (start + number, line[error.end(1) :]) if error else line)
    demand.that("the number of a failed line is that in its part", not wrong, *wrong[:3])
    return lines


def outcome(line: bytes) -> bytes | str:
    error = LINE.match(line)
    return error[2].decode() if error else line


def tokens(demand: Demands, given: list[bytes], found: list[bytes], count: int) -> None:
    """Every field has a token of its own, and none is left as it was."""
    before, after = ([x for line in lines for x in re.findall(rb"enc:v1:[^\"]+", line)] for lines in (given, found))
    fresh = set(after) - set(before)
    demand.that("each field is sealed anew", len(after) == len(fresh) == count, len(after), len(fresh), count)


def leaks(demand: Demands, recipe: Recipe, run: Run) -> None:
    """No plaintext is in what Spark wrote, logged or kept."""
    written = {str(path): path.read_bytes() for path in recipe.folder.rglob("*") if path.is_file() and "bin" not in path.parts}
    written |= {"standard output": run.output.encode(), "standard error": run.errors.encode()}
    found = [name for name, content in written.items() if fields.SECRET.encode() in content]
    demand.that("no plaintext is in a file or a log", not found, *found)


def report(run: Run, given: fields.Fields, count: int, single_seconds: float) -> None:
    kinds = Counter(given.kinds.values())
    print(f"{count} lines in {filled(run)} partitions, of which must fail: " + ", ".join(f"{n} {x}" for x, n in kinds.items()))
    for title, seconds in (
        ("a single run", single_seconds),
        ("Spark, the job", run.written_in),
        ("Spark with its start and counts", run.seconds),
    ):
        rate = count / seconds if seconds else 0
        print(f"  {title:32}{seconds:6.1f} s {rate:9.0f} lines/s   {rate * single_seconds / count:5.2f} of the single run")


def not_utf8(demand: Demands, program: Path, recipe: Recipe, lines: list[bytes]) -> None:
    """The one difference that the page names: Spark replaces bytes that are not UTF-8, and a single run refuses them."""
    lines = [line.replace(b'"\xc3\xa4"', b'"\xff"') for line in lines]
    source = b"".join(line + b"\n" for line in lines)
    alone = recipe.single(source)[0].split(b"\n")[:-1]
    found = [line for part in recipe.spark(source).parts for line in part]
    demand.same("a single run refuses what is not UTF-8", ["malformed"] * len(lines), [outcome(line) for line in alone])
    demand.that("Spark replaces it", all('"\ufffd"'.encode() in line for line in found) and len(found) == len(lines), found)


def deaths(demand: Demands, recipe: Recipe, lines: list[bytes]) -> None:
    """A command that ends with anything but 0 and 9 fails the job, whichever of the two programs it is."""
    source = b"".join(line + b"\n" for line in lines)
    program, keysets = recipe.programs / "closer-keys", {x: recipe.folder / f"{x}.keyset" for x in ("old", "new")}
    real = program.resolve()

    def dies(what: str, code: int) -> None:
        run = recipe.spark(source)
        named = f"error code {code}" in run.errors
        demand.that(f"{what}: the job fails for {code}", run.code != 0 and named and not run.is_whole, run.code, run.errors)

    for name, keyset in keysets.items():
        content = keyset.read_bytes()
        keyset.write_bytes(content[:-1])
        dies(f"the {name} keyset is refused", 5)
        keyset.unlink()
        dies(f"the {name} keyset is missing", 66)
        keyset.write_bytes(content)
    for verb in ("open", "seal"):
        program.unlink()
        program.write_text(f'#!/bin/sh\n[ "$2" = {verb} ] || exec {real} "$@"\nhead -n 40 | {real} "$@"\nkill -9 $$\n')
        program.chmod(0o755)
        dies(f"{verb} is killed after some lines", 137)
    program.unlink()
    program.symlink_to(real)


if __name__ == "__main__":
    sys.exit(main())
