"""Makes from rules.json what a backend copies: schemas/, documents.mjs and closer.rules.

    python3 generate.py [--write]

It needs Python alone. Without --write it compares, and the exit status is 1 if a file differs.
"""

import json
import sys
from pathlib import Path

import firestore
import schemas
import script

FOLDER = Path(__file__).resolve().parents[1]


def files(contract: dict) -> dict[str, str]:
    """The text of each file, by its path."""
    return schemas.files(contract) | script.files(contract) | firestore.files(contract)


def main() -> int:
    contract = json.loads((FOLDER / "rules.json").read_text(encoding="utf-8"))
    made = {FOLDER / name: text for name, text in files(contract).items()}
    if "--write" in sys.argv:
        write(made)
    faults = sorted(path for path in {*found(), *made} if read(path) != made.get(path))
    for path in faults:
        print(f"{path.relative_to(FOLDER)} is not made from rules.json: scripts/checks.d/contract --write")
    return 1 if faults else 0


def write(made: dict[Path, str]) -> None:
    for path in found() - made.keys():
        path.unlink()
    for path, text in made.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def found() -> set[Path]:
    """What an earlier run made."""
    return {path for names in ("schemas/*", "*.mjs", "*.rules") for path in FOLDER.glob(names)}


def read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main())
