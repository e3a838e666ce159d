"""A vector file in Wycheproof's frame: groups of cases, each with its source, and why a case is there."""

import json
import sys
from importlib.metadata import version
from pathlib import Path

from kit import FOLDER
from kit.readers import verdict

# Values that a text gives, and no package.
PUBLISHED = {"libsignal": "as published", "draft-irtf-cfrg-cpace": "21"}
FRAME = ("tcId", "comment", "flags", "result", "error", "output", "trace")


class VectorFile:
    """Collects cases; `write` shows each one to a reader that is not closer-keys before it is written."""

    def __init__(self, name: str, algorithm: str, notes: dict[str, str]) -> None:
        self.name, self.algorithm, self.notes = name, algorithm, notes
        self.path = FOLDER / "v1" / f"{name}.json"
        self.groups: list[Group] = []
        self.before = _tests_by_comment(self.path)

    def group(self, operation: str, source: str, **parameters: object) -> "Group":
        """Cases of one operation, made by one implementation: a package's name, or Python's own library."""
        group = Group(self, operation, _source(source), _written(parameters))
        self.groups.append(group)
        return group

    def kept(self, operation: str, source: str, comment: str, member: str, make):
        """What a random source made before, so that the file stays as it is; `--fresh` makes it anew."""
        test = self.before.get((operation, source, comment))
        return test[member] if test and "--fresh" not in sys.argv else make()

    def write(self) -> None:
        tests = [test for group in self.groups for test in group.tests]
        for number, test in enumerate(tests, start=1):
            test["tcId"] = number
        document = {
            "algorithm": self.algorithm,
            "schema": f"{self.name}.json",
            "numberOfTests": len(tests),
            "notes": self.notes,
            "testGroups": [group.document() for group in self.groups],
        }
        faults = misread(document)
        if faults:
            sys.exit("\n".join(f"{self.path.name}: {fault}" for fault in faults))
        self.path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        valid = sum(test["result"] == "valid" for test in tests)
        print(f"{self.path.name}: {valid} valid, {len(tests) - valid} invalid")


class Group:
    def __init__(self, file: VectorFile, operation: str, source: dict, parameters: dict) -> None:
        self.file, self.operation, self.source, self.parameters = file, operation, source, parameters
        self.tests: list[dict] = []

    def valid(self, comment: str, case: dict, output: dict, *flags: str, trace: dict | None = None) -> dict:
        """Returns the case, for the invalid ones that differ from it in one thing."""
        expected = {"result": "valid", "output": _written(output)}
        self._add(comment, flags, case, expected | ({"trace": _written(trace)} if trace else {}))
        return case

    def invalid(self, comment: str, case: dict, error: str, *flags: str) -> None:
        self._add(comment, flags, case, {"result": "invalid", "error": error})

    def document(self) -> dict:
        return {"type": self.operation, "source": self.source, **self.parameters, "tests": self.tests}

    def _add(self, comment: str, flags: tuple[str, ...], case: dict, expected: dict) -> None:
        self.tests.append({"tcId": 0, "comment": comment, "flags": list(flags), **_written(case), **expected})


def cases(document: dict):
    """Each test, with its operation and with what an implementation is told of it."""
    for group in document["testGroups"]:
        parameters = {name: value for name, value in group.items() if name not in ("type", "source", "tests")}
        for test in group["tests"]:
            told = {name: value for name, value in test.items() if name not in FRAME}
            yield test, group["type"], parameters | told


def misread(document: dict) -> list[str]:
    """The tests whose readers do not find what they should."""
    faults = []
    for test, operation, case in cases(document):
        expected = test.get("output", test.get("error"))
        found = verdict(operation, case)
        if found != expected:
            faults.append(f"{test['tcId']} {test['comment']}: expected {expected}, the reader found {found}")
    return faults


def _tests_by_comment(path: Path) -> dict:
    if not path.exists():
        return {}
    groups = json.loads(path.read_text())["testGroups"]
    return {
        (group["type"], group["source"]["name"], test["comment"]): test
        for group in groups
        for test in group["tests"]
    }


def _source(name: str) -> dict:
    if name == "python":
        return {"name": "python", "version": "{}.{}".format(*sys.version_info[:2])}
    if name in PUBLISHED:
        return {"name": name, "version": PUBLISHED[name]}
    return {"name": name, "version": version(name)}


def _written(members: dict) -> dict:
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in members.items()}
