"""Holds what was made from rules.json against every case of a file of documents, v1/documents.json by default.

    scripts/python vectors/contract/make/judge.py [DOCUMENTS]

A case of document.check that is valid must be accepted. One that is invalid may be accepted if it breaks a rule of the table
in README.md, "What only code sees", and each rule there must be broken so at least once. A case of document.write with a user is
judged by closer.rules too, as Firestore would call them, and the table has what they refuse though it is valid. What holds content they
close by the names of its members: see `is_closed`.
"""

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import firestore_judge
from firestore import TIME_PARTS, called, camel
from jsonschema import Draft202012Validator
from schemas import whole

FOLDER = Path(__file__).resolve().parents[1]
DOCUMENTS = FOLDER.parent / "v1" / "documents.json"
Judge = Callable[[str, object], bool]


def cases(path: Path, operation: str) -> Iterator[tuple[str, dict]]:
    for group in json.loads(path.read_text(encoding="utf-8"))["testGroups"]:
        for test in group["tests"] if group["type"] == operation else ():
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

    for _, test in [*cases(path, "document.check"), *cases(path, "document.write")]:
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


def is_closed(kind: dict, document: object) -> bool:
    """Whether closer.rules refuse what the program reads through, since they cannot walk a map: a member that the contract does not
    name, or that is no text where the contract names one. A time may be a number, too, or what an SDK makes of it."""
    if "texts" not in kind or not isinstance(document, dict):
        return False
    rows, named = {member["name"] for member in kind["members"]}, kind["texts"]["named"]
    others = {name: value for name, value in document.items() if name not in rows}
    return any(name not in named or not is_plain(named[name], value) for name, value in others.items())


def is_plain(rule: str, value: object) -> bool:
    if value is None:
        return True
    if rule == "time" and isinstance(value, dict):
        return bool(value) and all(name in TIME_PARTS and is_number(each) for name, each in value.items())
    # An encrypted field may stand under any name of an answer.
    return (rule == "time" and is_number(value)) or (isinstance(value, str) and not value.startswith("enc:"))


def is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def faults(name: str, judge: Judge, allowed: set[str], path: Path) -> Iterator[str]:
    seen, count = set(), 0
    kinds = json.loads((FOLDER / "rules.json").read_text(encoding="utf-8"))["kinds"]
    for kind, test in cases(path, "document.check"):
        accepted, count = accepts(judge, kind, test["text"]), count + 1
        rule = test.get("error", "").rpartition(".")[2]
        if accepted == (test["result"] == "valid"):
            continue
        if accepted and rule in allowed:
            seen.add(rule)
        elif name == "closer.rules" and not accepted and is_closed(kinds[kind], json.loads(test["text"])):
            continue
        else:
            yield f"{name}: case {test['tcId']}, {test['comment']}: {'accepted' if accepted else 'refused'}, expected {rule or 'valid'}"
    for rule in sorted(allowed - seen):
        yield f"{name}: README.md lists {rule}, and no case needs it"
    print(f"{name}: {count} cases; only code sees {', '.join(sorted(seen))}")


# MARK: - Writes


class WriteJudge:
    """What Firestore answers to a user: the function for a write of this kind, or the one for its shape if there is none."""

    def __init__(self) -> None:
        self.functions = firestore_judge.functions(FOLDER / "closer.rules")
        self.kinds = json.loads((FOLDER / "rules.json").read_text(encoding="utf-8"))["kinds"]

    def accepts(self, kind: str, test: dict) -> bool:
        ids = self.ids(kind, test.get("path"))
        before, after, couple = (data_of(test.get(name)) for name in ("previous", "text", "couple"))
        if ids is None or not isinstance(after, dict):
            return False
        beside = {"before": before, "after": after, "data": after, "ids": ids, "uid": firestore_judge.Text(test["as"])}
        unknown = self.unknown(kind, beside["uid"])
        beside["users"] = unknown if couple is None else couple.get("userIds", firestore_judge.List())
        verb = "is" if "writes" not in self.kinds[kind] else "mayUpdate" if before is not None else "mayCreate"
        allow = self.functions.get(verb + camel(kind))
        if allow is None:
            return False
        try:
            return bool(allow(*(beside[name] for name in inspect.signature(allow).parameters)))
        except (AttributeError, TypeError):  # of a wrong type: an error refuses, as in Firestore
            return False

    def unknown(self, kind: str, uid: firestore_judge.Text) -> firestore_judge.List:
        """The users of a couple that the case does not name: members must be known, owners need not."""
        creators = self.kinds[kind].get("writes", {}).get("create", [])
        return firestore_judge.List([] if "member" in creators else [uid, firestore_judge.Text("somebody")])

    def ids(self, kind: str, path: str | None) -> firestore_judge.Map | None:
        """What a match of one of the kind's paths names; None if none of them matches."""
        if path is None:
            return firestore_judge.Map()
        for form in self.kinds[kind].get("paths", []):
            if found := re.fullmatch(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", form), path):
                return firestore_judge.value_of(found.groupdict())
        return None


def data_of(text: str | None) -> object:
    return None if text is None else firestore_judge.value_of(json.loads(text))


def refused() -> set[str]:
    """The valid cases that README.md says closer.rules refuses, by their comments without the writer."""
    _, _, section = (FOLDER / "README.md").read_text(encoding="utf-8").partition("\n## What only code sees\n")
    return set(re.findall(r"(?m)^\| (\w[^|`]*) \| [^|]+ \|$", section.partition("\n## ")[0]))


def write_faults(allowed: set[str], path: Path) -> Iterator[str]:
    judge, strict, seen = WriteJudge(), refused(), set()
    written = [(kind, test) for kind, test in cases(path, "document.write") if test.get("as", "$server") != "$server"]
    for kind, test in written:
        accepted, valid = judge.accepts(kind, test), test["result"] == "valid"
        comment, rule = test["comment"].rpartition(", by ")[0], test.get("error", "").rpartition(".")[2]
        if accepted and not valid and rule not in allowed:
            yield f"closer.rules: case {test['tcId']}, {test['comment']}: accepted, expected {rule}"
        if valid and not accepted and not is_closed(judge.kinds[kind], json.loads(test["text"])):
            seen.add(comment)
    for comment in sorted(strict ^ seen):
        yield f"closer.rules: {comment}: {'refused, and valid' if comment in seen else 'README.md says refused'}"
    print(f"closer.rules: {len(written)} writes by users; refused though valid: {', '.join(sorted(seen))}")


# Who reads what: the function, its arguments, and whether it lets them read.
ALICE, BOB, EVE, BOTH = "alice", "bob", "eve", ["alice", "bob"]
SEALED, CLEAR = {"userId": ALICE, "schemaVersion": 3}, {"userId": ALICE, "schemaVersion": 2}
READ = (
    ("Couple", ({"userIds": BOTH}, ALICE), True),
    ("Couple", ({"userIds": BOTH}, EVE), False),
    ("Couple", ({}, ALICE), False),
    ("Invite", ({"inviterUserId": ALICE}, ALICE), True),
    ("Invite", ({"inviterUserId": ALICE}, BOB), False),
    ("Invite", ({}, None), False),
    ("Answer", (SEALED, {}, ALICE, BOTH, False), True),
    ("Answer", (SEALED, {}, BOB, BOTH, True), True),
    ("Answer", (SEALED, {}, BOB, BOTH, False), False),
    ("Answer", (CLEAR, {}, BOB, BOTH, True), False),
    ("Answer", (CLEAR | {"isRevealed": True}, {}, BOB, BOTH, False), True),
    ("Answer", (SEALED | {"isRevealed": True}, {}, EVE, BOTH, True), False),
    ("Answer", (SEALED | {"userId": EVE}, {}, EVE, BOTH, True), False),
    ("ReleaseKey", ({}, {"senderId": ALICE, "recipientId": BOB}, BOB), True),
    ("ReleaseKey", ({"recipientId": BOB}, {}, ALICE), False),
    ("ReleaseKey", ({}, {}, None), False),
    ("Device", ({"userId": ALICE}, BOB, BOTH), True),
    ("Device", ({"userId": ALICE}, EVE, BOTH), False),
    ("Device", ({"userId": EVE}, BOB, BOTH), False),
)


def read_faults() -> Iterator[str]:
    made = firestore_judge.functions(FOLDER / "closer.rules")
    for noun, arguments, expected in READ:
        if made[f"mayRead{noun}"](*map(firestore_judge.value_of, arguments)) is not expected:
            yield f"closer.rules: mayRead{noun}{arguments}: expected {expected}"
    print(f"closer.rules: {len(READ)} reads")


def main() -> int:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENTS
    found = [
        *faults("schemas", schema_judge(), listed(1), path),
        *faults("closer.rules", rules_judge(), listed(2), path),
        *write_faults(listed(2), path),
        *pattern_faults(path),
        *read_faults(),
    ]
    print("\n".join(found[:20]), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
