"""Checks every file of v1/: its schema, its counts, its flags, and what the readers say."""

import json
import sys
from collections.abc import Iterator

from jsonschema import Draft202012Validator

from kit import FOLDER
from kit.frame import misread
from kit.operations import FILES, OPERATIONS


def faults(name: str) -> Iterator[str]:
    document = json.loads((FOLDER / "v1" / f"{name}.json").read_text())
    schema = json.loads((FOLDER / "schema" / f"{name}.json").read_text())
    for error in Draft202012Validator(schema).iter_errors(document):
        yield f"{error.json_path} {_innermost(error).message[:200]}"
        return
    tests = [test for group in document["testGroups"] for test in group["tests"]]
    if document["numberOfTests"] != len(tests) or [test["tcId"] for test in tests] != list(
        range(1, len(tests) + 1)
    ):
        yield "numberOfTests, or the tcIds, do not count the tests"
    if {flag for test in tests for flag in test["flags"]} != set(document["notes"]):
        yield "a flag without a note, or a note without a flag"
    if {test["result"] for test in tests} != {"valid", "invalid"}:
        yield "no valid cases, or no invalid ones"
    yield from misread(document)


def _innermost(error):
    """The failure that says most: of the alternatives, the one that came furthest."""
    while error.context:
        error = max(error.context, key=lambda part: len(part.absolute_path))
    return error


def undocumented() -> Iterator[str]:
    readme = (FOLDER / "README.md").read_text()
    for name, operation in OPERATIONS.items():
        row = next((line for line in readme.splitlines() if line.startswith(f"| `{name}` |")), "")
        for member in [*operation.group, *operation.case, *operation.output]:
            if f"`{member.removesuffix('?')}`" not in row:
                yield f"README.md: {name} lacks {member}"


def main() -> None:
    count, found = 0, list(undocumented())
    for name in FILES:
        found += [f"v1/{name}.json: {fault}" for fault in faults(name)]
        count += json.loads((FOLDER / "v1" / f"{name}.json").read_text())["numberOfTests"]
    if found:
        sys.exit("\n".join(found))
    print(f"{count} cases in {len(FILES)} files: schemas, counts, flags and readers agree")


main()
