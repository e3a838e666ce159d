"""An active server, acted out: every gap of docs/threat-model.md and every line of its pairings, against the real program.

Each attack is made as the server would make it, with all that it saw and every key that follows from it, on a couple in each
state and, where it matters, in each profile of answers. What comes of it is `refused` with the program's id, `told` with the sign
that the program gives, `fails` where the server has nothing to show for it, or `possible`. Anything but what `attack_rows` expects
fails the run; so does what is possible and not admitted under the gap's **Open:**.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import attack_table
from attack_plants import PLANTS, planted
from attack_rows import ATTACKS, Attack
from attack_stage import Stage
from runner import scratch_folder
from server_couples import STATES, Pair, all_pairs

CONTROLS = 3  # what is not admitted, the list of threats, and the table
DOCS = Path(__file__).resolve().parents[3] / "docs"
THREATS, TABLES = DOCS / "threat-model.md", DOCS / "attacks.md"


@dataclass(frozen=True)
class Case:
    """One attack, on a couple in one state, in one profile."""

    place: int
    attack: Attack
    state: str
    profile: str
    expected: str

    def __str__(self) -> str:
        return f"{self.attack.gap} {self.attack.title} [{self.state}, {self.profile}]"


def cases(attacks: list[tuple[int, Attack]]) -> Iterator[Case]:
    for place, attack in attacks:
        for profile, cells in (("hardened", attack.hardened), ("compat", attack.compat)):
            for state, expected in zip(STATES, cells):
                yield Case(place, attack, state, profile, expected)


@dataclass
class Run:
    """The couples are made once; each case gets a copy. The program of a case may be another one, at fault."""

    pairs: dict[str, Pair]
    scratch: Path
    page: str

    def seen(self, case: Case, program: Path) -> str:
        if not case.expected:
            return ""
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            stage = Stage(self.pairs[case.state].copied(program, Path(folder)), case.profile)
            try:
                return case.attack.act(stage)
            except Exception as error:  # whatever it is, this attack did not end as it should
                return f"{type(error).__name__}: {error}"

    def wrong(self, case: Case, said: str) -> str:
        """Why this outcome is none that may be; nothing if it is the right one."""
        if said != case.expected:
            return f"{case}: expected {case.expected!r}, saw {said!r}"
        gap = re.search(r"possible \((W\d+)\)", said)
        return self._unadmitted(case, gap[1]) if gap else ""

    def _unadmitted(self, case: Case, gap: str) -> str:
        if not case.attack.open or case.attack.open not in attack_table.admitted(self.page, gap):
            return f"{case}: possible, and docs/threat-model.md does not have {case.attack.open!r} under {gap}, Open"
        is_of_compat = "compat" in case.attack.open
        return f"{case}: only admitted for compat" if is_of_compat and case.profile != "compat" else ""


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="attacks-", dir=scratch_folder()) as scratch:
        folder = Path(scratch)
        run = Run(all_pairs(options.program, folder), folder, options.threats.read_text())
        if options.plant:
            return _plant(run, options.plant, options.program)
        chosen = [(place, each) for place, each in enumerate(ATTACKS) if options.only in (None, each.gap)]
        wrong, seen = _acted(run, chosen, options.program, options.jobs)
        count = sum(bool(case.expected) for case in cases(chosen))
        if not options.only:
            wrong += _unplanted(run, options.program) + _uncontrolled(run) + _unnamed(run.page) + _table(options, seen)
            count += len(PLANTS) + CONTROLS
    print("\n".join(wrong))
    print(f"{count - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, help="the closer-keys binary")
    parser.add_argument("--only", metavar="GAP", help="W5, or another word of the table's first column")
    parser.add_argument("--plant", choices=PLANTS, help="act out one attack on a program with this fault: must end with 1")
    parser.add_argument("--threats", type=Path, default=THREATS, help="the page that says what stays open")
    parser.add_argument("--table", action="store_true", help="print the table as Markdown")
    parser.add_argument("--write", action="store_true", help="write the table into the page")
    parser.add_argument("--jobs", type=int, default=2, help="how many attacks run at once")
    options = parser.parse_args()
    options.program = options.program.resolve()
    return options


def _acted(run: Run, chosen: list[tuple[int, Attack]], program: Path, jobs: int) -> tuple[list[str], attack_table.Seen]:
    todo = list(cases(chosen))
    with ThreadPoolExecutor(jobs) as pool:
        said = list(pool.map(lambda case: run.seen(case, program), todo))
    wrong = [fault for case, each in zip(todo, said) if (fault := run.wrong(case, each))]
    seen: attack_table.Seen = {}
    for case, each in zip(todo, said):
        print(f"{case}: {each or '-'}")
        seen[case.place, case.profile] = seen.get((case.place, case.profile), ()) + (each,)
    return wrong, seen


def _plant(run: Run, name: str, program: Path) -> int:
    """The attack that a fault must show in, with that fault in the program."""
    with tempfile.TemporaryDirectory(dir=run.scratch) as folder:
        at_fault = planted(name, program, Path(folder))
        plant = PLANTS[name]
        chosen = [each for each in enumerate(ATTACKS) if each[1].title == plant.title]
        hardened = [case for case in cases(chosen) if case.profile == "hardened"]
        wrong = [fault for case in hardened if (fault := run.wrong(case, run.seen(case, at_fault)))]
    found = [fault for fault in wrong if plant.words in fault]
    print(f"planted, {name}: {' '.join(found[0].split())[:200] if found else f'not seen: {wrong}'}")
    return 1 if found else 0


def _unplanted(run: Run, program: Path) -> list[str]:
    """The faults that no attack saw."""
    return [f"planted, and not seen: {name}" for name in PLANTS if not _plant(run, name, program)]


def _uncontrolled(run: Run) -> list[str]:
    """What is possible must not pass on a page that admits nothing, nor in the other profile than the one that is admitted."""
    possible = [case for case in cases(list(enumerate(ATTACKS))) if case.expected.startswith("possible")]
    passed = [case for case in possible if not replace(run, page="").wrong(case, case.expected)]
    of_compat = [replace(case, profile="hardened") for case in possible if case.profile == "compat"]
    passed += [case for case in of_compat if not run.wrong(case, case.expected)]
    return [f"possible, and passed without being admitted: {case}" for case in passed[:1]]


def _unnamed(page: str) -> list[str]:
    """A threat of the page that nobody acts out."""
    acted = {attack.gap for attack in ATTACKS}
    missing = [gap for gap in re.findall(r"^### (W\d+):", page, re.M) if gap not in acted]
    return [f"not acted out: {', '.join(missing)}"] if missing else []


def _table(options: argparse.Namespace, seen: attack_table.Seen) -> list[str]:
    made = attack_table.table(ATTACKS, seen)
    if options.table:
        print(made)
    if options.write:
        attack_table.write(TABLES, made)
    differences = attack_table.differences(TABLES, made)
    said = "the table is not what was seen; scripts/checks.d/attacks PROGRAM --write writes it"
    return ["\n".join([said, *differences])] if differences else []


if __name__ == "__main__":
    sys.exit(main())
