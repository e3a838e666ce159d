"""What the pages say of attacks: what docs/threat-model.md admits as open, and the table of docs/attacks.md, which a run writes or compares."""

import difflib
import re
from pathlib import Path

from attack_rows import Attack, Cells
from server_couples import STATES

FIRST, LAST = "<!-- attacks: made by `make check-attacks` -->", "<!-- attacks end -->"
Seen = dict[tuple[int, str], Cells]  # by the attack's place and the profile


def admitted(threats: str, gap: str) -> str:
    """What a threat leaves open, in one line."""
    section = re.search(rf"^### {gap}: .*?(?=^### |^## )", threats, re.M | re.S)
    found = re.search(r"\*\*Open:\*\*(.*)", section[0], re.S) if section else None
    return " ".join(found[1].split()) if found else ""


def table(attacks: tuple[Attack, ...], seen: Seen) -> str:
    """Two tables: what differs by the state of the couple or by the profile, and what does not."""
    apart = [line for place, attack in enumerate(attacks) for line in _lines(attack, place, seen)]
    by_state = [f"| {' | '.join(line)} |" for line in apart if len(line) > 3]
    alike = [f"| {' | '.join(line)} |" for line in apart if len(line) == 3]
    head = ["| gap | the server | " + " | ".join(STATES) + " |", "| --- " * 6 + "|"]
    return "\n".join([*head, *by_state, "", "| gap | the server | any couple |", "| --- " * 3 + "|", *alike])


def _lines(attack: Attack, place: int, seen: Seen) -> list[list[str]]:
    hardened, compat = seen[place, "hardened"], seen.get((place, "compat"))
    lines = [[attack.gap, attack.title, *_short(hardened)]]
    if compat and compat != hardened:
        width = max(len(_short(hardened)), len(_short(compat)))
        both = ((attack.title, hardened), (attack.title + ", `compat`", compat))
        lines = [[attack.gap, title, *_wide(cells, width)] for title, cells in both]
    return lines


def _short(cells: Cells) -> list[str]:
    """One cell if all are alike."""
    return [_cell(cells[0])] if len(set(cells)) == 1 else [_cell(each) for each in cells]


def _wide(cells: Cells, width: int) -> list[str]:
    return _short(cells) if width == 1 else [_cell(each) for each in cells]


def _cell(said: str) -> str:
    """Ids as code; `-` where the attack needs what such a couple does not have."""
    kind, colon, rest = said.partition(": ")
    if kind == "refused":
        return f"refused: {', '.join(f'`{each}`' for each in rest.split(', '))}"
    return said or "-"


def differences(page: Path, made: str) -> list[str]:
    """Between the page and what was seen."""
    before = _parts(page.read_text())[1].strip("\n")
    return list(difflib.unified_diff(before.splitlines(), made.splitlines(), page.name, "as seen", lineterm=""))


def write(page: Path, made: str) -> None:
    head, _, tail = _parts(page.read_text())
    page.write_text(f"{head}\n{made}\n{tail}")


def _parts(text: str) -> tuple[str, str, str]:
    if text.count(FIRST) != 1 or text.count(LAST) != 1:
        raise SystemExit(f"no single pair of marks: {FIRST} and {LAST}")
    head, _, rest = text.partition(FIRST)
    inside, _, tail = rest.partition(LAST)
    return head + FIRST, inside, LAST + tail
