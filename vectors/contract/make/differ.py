"""Draws random writes, and compares who says what of them: the program, documents.mjs, closer.rules, and of forms the schemas.

    scripts/python vectors/contract/make/differ.py PROGRAM [COUNT [SEED]]

The program and documents.mjs tell the same first rule of each write. closer.rules and the schemas accept what these accept, and refuse
what these refuse, but for the tables in README.md, "What only code sees". 5,000 writes by default.
"""

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator

import judge

NODE = """
import { check } from %s;
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { kind, document, ...options } = JSON.parse(line);
  console.log(JSON.stringify(check(kind, document, options).broken.map(({ rule }) => rule)));
}
"""
USERS = ["alice", "bob", "carol", "$server", None]
IDS = ["alice", "bob", "couple_1", "q_1", "a|b", ""]
FIELD, PLACED = "enc:v1:" + "A" * 60, "enc:v2:" + "B" * 60
DAYS = ["2026-11-20", "2024-02-29", "2026-02-29", "2100-02-29", "today"]
TIMES = ["2026-11-20T08:00:00Z", "2026-11-20T23:59:60.5+01:00", "2026-02-30T08:00:00Z", "2026-11-20 08:00:00Z"]
OBJECTS = [{}, [], {"seconds": 1}, {"_seconds": 1, "_nanoseconds": 0}, {"seconds": "1"}, {"x": [{"y": "in the clear"}]}, [FIELD, {"a": PLACED}], [FIELD, "x"]]
VALUES = [None, None, 0, 1, 2, 3, -1, 1.5, True, False, "", "in the clear", FIELD, PLACED, *DAYS, *TIMES, *OBJECTS, ["alice", "bob"], {"alice": True}]
MAPS = [{}, {"alice": True}, {"bob": True}, {"alice": True, "bob": True}, {"carol": True}, {"alice": 1}]
ANSWERS = [{}, {"alice": FIELD}, {"bob": PLACED}, {"alice": PLACED, "bob": FIELD}, {"alice": "rock"}, {"carol": FIELD}, {"alice": None}]
# Right values of what the first case of a kind lacks.
MORE = {
    "couple": {"userIds": [["alice", "bob"]], "encryptionMigrationUsers": MAPS, "streakCount": [1, 2], "currentQuestionId": ["q_1"], "encryptionVersion": [0, 1, 2]},
    "invite": {"status": ["pending", "accepted", "expired", "open"], "inviterUserId": ["alice"], "expiresAt": TIMES, "createdAt": OBJECTS},
    "answer": {"coupleId": IDS, "answerDate": DAYS, "createdAt": TIMES, "updatedAt": OBJECTS, "isRevealed": [True, False], "answerKeyReleased": [True, False]},
    "legacy-answer": {"answerDate": DAYS, "createdAt": TIMES, "choices": OBJECTS, "schemaVersion": [1, 2], "text": [FIELD, PLACED]},
    "game-slot": {"answers": ANSWERS, "sessionId": IDS, "createdAt": TIMES, "round": [1, 2]},
    "fitlink-message": {"sender_id": IDS, "type": ["text", "sticker"], "status": ["sent", "read"], "read_at": TIMES, "payload": OBJECTS},
    "chat-message": {"sender_id": IDS, "type": [None, None, "text"], "status": ["sent", "read"], "read_at": TIMES, "payload": [None, None, {"seconds": 1}]},
    "chat-key": {"index": [1, 2, 3, "2", None], "updatedAt": [1, 2], "senderId": IDS, "recipientId": IDS},
    "fitlink-user": {"user_id": IDS, "device_id": ["d_1", "d_2"]},
    "fond-user": {"userId": IDS, "connectionId": IDS, "partnerUid": IDS},
    "device": {"userId": IDS},
}
NEUTRAL = ["note", "memo", "extra", "updatedAt", "coupleId"]


class Writer:
    """Draws writes of a kind around its first right document."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.kinds = json.loads((judge.FOLDER / "rules.json").read_text(encoding="utf-8"))["kinds"]
        self.right: dict[str, dict] = {}
        for kind, test in judge.cases(judge.DOCUMENTS, "document.check"):
            if kind not in self.right:
                self.right[kind] = json.loads(test["text"])
        self.rows = {kind: [row["name"] for row in each["members"]] for kind, each in self.kinds.items()}

    def document(self, kind: str, faults: int) -> dict:
        made = dict(self.right[kind])
        for name, values in MORE.get(kind, {}).items():
            if self.random.random() < 0.4:
                made[name] = self.random.choice(values)
        if kind == "invite" and made.get("status") == "accepted" and self.random.random() < 0.8:
            del made["recoveryPhrase"]
        if kind == "couple" and made["encryptionVersion"] == 0 and self.random.random() < 0.8:
            made = {name: value for name, value in made.items() if name not in ("wrappedCoupleKey", "kdfSalt", "kdfParams")}
        if kind == "answer" and self.random.random() < 0.4:
            made.pop("isRevealed", None)
        for _ in range(faults):
            self.change(kind, made)
        return made

    def migration(self) -> dict:
        """A step of a couple from one encryption version to the next, which random members rarely are."""
        before, after = self.random.choice([(0, 1), (1, 1), (1, 2), (2, 2), (0, 2)])
        documents = []
        for version in (before, after):
            wrap = self.right["couple"] if version else {}
            marks = {"encryptionMigrationUsers": self.random.choice(MAPS[:4])} if self.random.random() < 0.7 else {}
            documents.append(wrap | {"userIds": ["alice", "bob"], "encryptionVersion": version} | marks)
        return {"kind": "couple", "previous": documents[0], "document": documents[1], "as": self.random.choice(USERS)}

    def change(self, kind: str, made: dict) -> None:
        name = self.random.choice(self.rows[kind] + NEUTRAL)
        if self.random.random() < 0.3:
            made.pop(name, None)
        else:
            made[name] = self.random.choice(VALUES)

    def path(self, kind: str) -> str | None:
        forms = self.kinds[kind].get("paths", [])
        if not forms or self.random.random() < 0.4:
            return None
        parts = self.random.choice(forms).split("/")
        return "/".join(self.part(part, self.right[kind]) if part[0] == "{" else part for part in parts)

    def part(self, part: str, right: dict) -> str:
        if self.random.random() < 0.1:
            return self.random.choice(IDS[:-1])
        if part == "{chatId}":
            return self.random.choice(["alice_bob", "alice_bob", "alice_carol", "alice"])
        return DAYS[self.random.randrange(5)] if part == "{date}" else str(right.get(part[1:-1], "alice"))

    def couple(self) -> dict:
        made = self.document("couple", int(self.random.random() < 0.1))
        return made | {"userIds": self.random.choice([["alice", "bob"], ["alice", "bob"], ["bob", "carol"], ["alice"]])}

    def write(self) -> dict:
        if self.random.random() < 0.05:
            return self.migration()
        kind = self.random.choice(list(self.kinds))
        made = {"kind": kind, "document": self.document(kind, self.random.choice([0, 0, 0, 1, 1, 2]))}
        if self.random.random() < 0.2:
            return made
        if self.random.random() < 0.8:
            owner = self.right[kind].get("userId") or self.right[kind].get("senderId") or "alice"
            made["as"] = owner if self.random.random() < 0.5 else self.random.choice(USERS)
        if self.random.random() < 0.5:
            made["previous"] = self.previous(kind, made["document"])
        if path := self.path(kind):
            made["path"] = path
        if kind != "couple" and self.random.random() < 0.5:
            made["couple"] = self.couple()
        return made

    def previous(self, kind: str, document: dict) -> dict | None:
        """Nothing, another one, or the same but for a member."""
        drawn = self.random.random()
        if drawn < 0.1:
            return None
        if drawn < 0.3:
            return self.document(kind, 0)
        before = dict(document)
        for name in self.random.sample(list(before), min(len(before), self.random.randrange(3))):
            more = MORE.get(kind, {}).get(name)
            before[name] = self.random.choice(more) if more else self.random.choice(VALUES)
        return before


def told_by_program(program: str, writes: list[dict]) -> list[list[str] | None]:
    """The broken rules; None where the program says that it is another kind."""
    found: list = [None] * len(writes)
    for kind in dict.fromkeys(write["kind"] for write in writes):
        places = [place for place, write in enumerate(writes) if write["kind"] == kind]
        lines = ({name: value for name, value in writes[place].items() if name != "kind"} for place in places)
        command = [program, "check", "--jsonl", "--kind", kind, "--also-text", "extra"]
        run = subprocess.run(command, input="".join(json.dumps(line) + "\n" for line in lines), capture_output=True, text=True)
        results = run.stdout.splitlines()
        assert len(results) == len(places), run.stderr
        for place, line in zip(places, results):
            found[place] = rules_of(json.loads(line))
    return found


def rules_of(result: dict) -> list[str] | None:
    if "error" not in result:
        return [broken["rule"] for broken in result["broken"]]
    return None if re.match("this is .*, not ", result["error"]["message"]) else ["malformed"]


def told_by_script(writes: list[dict]) -> list[list[str]]:
    script = NODE % json.dumps((judge.FOLDER / "documents.mjs").as_uri())
    lines = "".join(json.dumps(write | {"alsoText": ["extra"]}) + "\n" for write in writes)
    run = subprocess.run(["node", "--input-type=module", "-e", script], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


class Tables:
    """What README.md says of closer.rules and of the schemas."""

    def __init__(self) -> None:
        self.rules, self.schemas = judge.listed(2), judge.listed(1)
        self.write_judge, self.form_judge, self.schema_judge = judge.WriteJudge(), judge.rules_judge(), judge.schema_judge()
        self.kinds = self.write_judge.kinds

    def faults(self, write: dict, broken: list[str]) -> Iterator[str]:
        document, rule = write["document"], broken[0].rpartition(".")[2] if broken else ""
        accepted = self.accepted(write)
        if accepted is not None and accepted != (not broken):
            is_closed = judge.is_closed(self.kinds[write["kind"]], document)
            if not (rule in self.rules if accepted else is_closed or has_null(write)):
                yield f"closer.rules {'accept' if accepted else 'refuse'}"
        if "as" in write or "previous" in write or "path" in write or "couple" in write or "extra" in document:
            return
        accepted = self.schema_judge(write["kind"], document)
        if accepted == bool(broken) and not (accepted and rule in self.schemas):
            yield f"the schema {'accepts' if accepted else 'refuses'}"

    def accepted(self, write: dict) -> bool | None:
        """What rules say to a user. They know neither the server, nor a request without a user, nor a form at a path."""
        if write.get("as", "$server") in ("$server", None):
            is_form = not {"as", "previous", "path", "couple"} & {*write}
            return self.form_judge(write["kind"], write["document"]) if is_form else None
        texts = {"previous": "previous", "couple": "couple", "document": "text"}
        case = {name: write[name] for name in ("as", "path") if name in write}
        case |= {texts[name]: json.dumps(write[name]) for name in texts if write.get(name) is not None}
        return self.write_judge.accepts(write["kind"], case)


def has_null(write: dict) -> bool:
    """A member that was missing and becomes null counts as a change in Firestore, and so does an entry of a map."""
    documents = [write["document"], write.get("previous") or {}]
    values = [value for document in documents for value in document.values()]
    return any(value is None or (isinstance(value, dict) and None in value.values()) for value in values)


def main() -> int:
    program, count, seed = sys.argv[1], *(int(each) for each in (sys.argv[2:] + ["5000", "46"][len(sys.argv) - 2 :]))
    writer, tables = Writer(seed), Tables()
    writes = [writer.write() for _ in range(count)]
    faults, valid, others = [], 0, 0
    for write, ours, theirs in zip(writes, told_by_program(program, writes), told_by_script(writes)):
        if ours is None:
            others += 1
            continue
        valid += not ours
        if ours[:1] != theirs[:1]:
            faults.append((f"the program tells {ours[:1]}, documents.mjs {theirs[:1]}", write))
        faults += [(f"{fault} what breaks {ours[:1]}", write) for fault in tables.faults(write, ours)]
    for fault, write in faults[:10]:
        print(f"{fault}: {json.dumps(write)[:1500]}", file=sys.stderr)
    print(f"{count} random writes, seed {seed}: {valid} valid, {others} of another kind, {len(faults)} differences")
    # What is always refused compares nothing.
    return 1 if faults or valid < count // 10 else 0


if __name__ == "__main__":
    sys.exit(main())
