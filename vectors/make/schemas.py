"""Makes schema/*.json, one JSON Schema for each file, from the table of operations."""

import json

from kit import FOLDER
from kit.operations import ERRORS, FILES, OPERATIONS, TEXT

DRAFT = "https://json-schema.org/draft/2020-12/schema"
FLAGS = {"type": "array", "minItems": 1, "uniqueItems": True, "items": TEXT}
SOURCE = {"name": TEXT, "version": TEXT}
HEX = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
# A document's error names the member and the rule that it breaks.
ERROR = {"anyOf": [{"enum": list(ERRORS)}, {"type": "string", "pattern": "^[a-zA-Z0-9_]+\\.[a-zA-Z0-9]+$"}]}


def closed(members: dict, optional: tuple[str, ...] = ()) -> dict:
    """An object with these members and no others; those whose names end in `?` may be missing."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [name for name in members if not name.endswith("?") and name not in optional],
        "properties": {name.removesuffix("?"): value for name, value in members.items()},
    }


def test(operation, expected: dict) -> dict:
    frame = {"tcId": {"type": "integer", "minimum": 1}, "comment": TEXT, "flags": FLAGS}
    return closed({**frame, **operation.case, **expected})


def group(name: str) -> dict:
    operation = OPERATIONS[name]
    valid = {"result": {"const": "valid"}, "output": closed(operation.output)}
    if operation.trace:
        valid["trace?"] = closed({f"{member}?": HEX for member in operation.trace})
    invalid = {
        "result": {"const": "invalid"},
        "error": ERROR if name.startswith("document.") else ERROR["anyOf"][0],
    }
    is_valid = {"properties": {"result": {"const": "valid"}}}
    tests = {"if": is_valid, "then": test(operation, valid), "else": test(operation, invalid)}
    return closed(
        {
            "type": {"const": name},
            "source": closed(SOURCE),
            **operation.group,
            "tests": {"type": "array", "minItems": 1, "items": tests},
        }
    )


def schema(file: str) -> dict:
    groups = [group(name) for name in FILES[file]]
    items = groups[0] if len(groups) == 1 else {"anyOf": groups}
    return {
        "$schema": DRAFT,
        "title": f"v1/{file}.json",
        **closed(
            {
                "algorithm": TEXT,
                "schema": {"const": f"{file}.json"},
                "numberOfTests": {"type": "integer", "minimum": 1},
                "notes": {"type": "object", "additionalProperties": TEXT},
                "testGroups": {"type": "array", "minItems": 1, "items": items},
            }
        ),
    }


def main() -> None:
    for file in FILES:
        (FOLDER / "schema" / f"{file}.json").write_text(json.dumps(schema(file), indent=1) + "\n")
    print(f"schema: {len(FILES)} files")


main()
