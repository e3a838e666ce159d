"""Makes index.json: the name, the number of tests and the SHA-256 of each file of v1/, so that a copy can be checked."""

import hashlib
import json

from kit import FOLDER
from kit.operations import FILES


def entry(name: str) -> dict:
    content = (FOLDER / "v1" / f"{name}.json").read_bytes()
    tests = json.loads(content)["numberOfTests"]
    return {"name": f"{name}.json", "numberOfTests": tests, "sha256": hashlib.sha256(content).hexdigest()}


def main() -> None:
    index = {"files": [entry(name) for name in sorted(FILES)]}
    (FOLDER / "index.json").write_text(json.dumps(index, indent=1) + "\n")


main()
