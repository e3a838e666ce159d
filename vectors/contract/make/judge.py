"""Holds what was made from rules.json against every case of a file of documents, v1/documents.json by default.

    scripts/python vectors/contract/make/judge.py [DOCUMENTS]

A case that is valid must be accepted. A case that is invalid may be accepted if it breaks a rule of the table in
README.md, "What only code sees", and each rule there must be broken so at least once.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import firestore_judge
from firestore import called, camel
from jsonschema import Draft202012Validator
from schemas import whole

FOLDER = Path(__file__).resolve().parents[1]
DOCUMENTS = FOLDER.parent / "v1" / "documents.json"
Judge = Callable[[str, object], bool]


def cases(path: Path) -> Iterator[tuple[str, dict]]:
    for group in json.loads(path.read_text(encoding="utf-8"))["testGroups"]:
        for test in group["tests"]:
            yield group["document"], test


def schema_judge() -> Judge:
    validators = {}
    for file in (FOLDER / "schemas").iterdir():
        schema = json.loads(file.read_text(encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
        validators[schema["title"]] = Draft202012Validator(schema)
    return lambda kind, document: validators[kind].is_valid(document)


def rules_judge() -> Judge:
    made = firestore_judge.functions(FOLDER / "closer.rules")

    def accepts(kind: str, document: object) -> bool:
        data = firestore_judge.value_of(document)
        return isinstance(data, dict) and bool(made[f"is{camel(kind)}"](data, firestore_judge.Map()))

    return accepts


def pattern_faults(path: Path) -> Iterator[str]:
    """Texts of the cases for which RE2 and Python do not agree on a row of rules.json."""
    contract = json.loads((FOLDER / "rules.json").read_text(encoding="utf-8"))
    made, count = firestore_judge.functions(FOLDER / "closer.rules"), 0
    rules = {name: rule for name, rule in contract["rules"].items() if "pattern" in rule}
    for text in texts(path):
        for name, rule in rules.items():
            least, most = rule.get("length", [0, len(text)])
            matches = re.search(whole(rule["pattern"]), text) is not None and least <= len(text) <= most
            count += 1
            if matches != bool(made[called(name)](firestore_judge.Text(text))):
                yield f"closer.rules: {called(name)} is {not matches} for {text[:80]!r}"
    print(f"closer.rules: {len(rules)} patterns, {count} answers as in rules.json")


def texts(path: Path) -> set[str]:
    """Every text in a document of the cases."""
    found: set[str] = set()

    def collect(value: object) -> None:
        if isinstance(value, str):
            found.add(value)
        for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            collect(each)

    for _, test in cases(path):
        try:
            collect(json.loads(test["text"]))
        except ValueError:
            continue
    return found


def listed(column: int) -> set[str]:
    """The rules that README.md says only code sees, with a yes in the column."""
    rows = re.findall(r"(?m)^\| `(\w+)` \| (yes|) *\| (yes|) *\|", (FOLDER / "README.md").read_text(encoding="utf-8"))
    return {row[0] for row in rows if row[column] == "yes"}


def accepts(judge: Judge, kind: str, text: str) -> bool:
    try:
        document = json.loads(text)
    except ValueError:
        return False
    return judge(kind, document)


def faults(name: str, judge: Judge, allowed: set[str], path: Path) -> Iterator[str]:
    seen, count = set(), 0
    for kind, test in cases(path):
        accepted, count = accepts(judge, kind, test["text"]), count + 1
        rule = test.get("error", "").rpartition(".")[2]
        if accepted == (test["result"] == "valid"):
            continue
        if accepted and rule in allowed:
            seen.add(rule)
        else:
            yield f"{name}: case {test['tcId']}, {test['comment']}: {'accepted' if accepted else 'refused'}, expected {rule or 'valid'}"
    for rule in sorted(allowed - seen):
        yield f"{name}: README.md lists {rule}, and no case needs it"
    print(f"{name}: {count} cases; only code sees {', '.join(sorted(seen))}")


def main() -> int:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENTS
    found = [
        *faults("schemas", schema_judge(), listed(1), path),
        *faults("closer.rules", rules_judge(), listed(2), path),
        *pattern_faults(path),
    ]
    print("\n".join(found[:20]), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
