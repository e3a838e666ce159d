"""Writes of each kind of document: by whom, in place of what, and the rule that each breaks, written down by hand."""

import json
from collections.abc import Iterator

ALICE, BOB, CAROL, SERVER = "alice", "bob", "carol", "$server"
MAP, STRANGER, OK = "encryptionMigrationUsers", "userIds.notAMember", ""
NO_USER = "userIds.notTheServer"
GONE = None


class Row:
    """A change, and what becomes of it for each writer: the rule that is broken, or OK."""

    def __init__(self, comment: str, before: dict, after: dict, alice: str, bob: str | None = None, server: str | None = None):
        self.comment, self.before, self.after = comment, before, after
        self.verdicts = {
            ALICE: alice,
            BOB: alice if bob is None else bob,
            SERVER: alice if server is None else server,
            # The version comes before the writer.
            CAROL: alice if alice.endswith(".notLowered") else STRANGER,
        }


def of_couple(whole: dict) -> Iterator[tuple[str, dict, str]]:
    """Each row by either partner, by another user, and by the server."""
    stored = whole | {
        "userIds": [ALICE, BOB],
        "streakCount": 4,
        "lastAnsweredAt": {"seconds": 1764000000, "nanoseconds": 0},
        "currentQuestionId": "q_41",
        "activePackId": "p_1",
        "note": {"é": [1, 2.5], "a": "x"},
    }
    wrap = ("wrappedCoupleKey", "kdfSalt", "kdfParams")
    clear = {name: GONE for name in wrap} | {"encryptionVersion": 0}
    other = {"wrappedCoupleKey": "A" * 56, "kdfSalt": "AAECAwQFBgcICQoLDA0OEA=="}
    version, salt = "encryptionVersion.notAnUpdate", "kdfSalt.notAnUpdate"
    users, marks = "userIds.notAnUpdate", f"{MAP}.notAnUpdate"
    one = {"encryptionVersion": 1}
    for row in (
        Row("nothing changes", {}, {}, OK),
        Row("the start of a migration", clear, one | {MAP: {}}, OK),
        Row("the start without a map", clear, one, OK),
        Row("the start with alice's mark", clear, one | {MAP: {ALICE: True}}, version, bob=marks, server=marks),
        Row("the start with both marks", clear, one | {MAP: {ALICE: True, BOB: True}}, marks),
        Row("the start with carol's mark", clear, one | {MAP: {CAROL: True}}, marks),
        Row("the start, and a streak", clear, one | {"streakCount": 5}, version),
        Row("from 0 to 2", clear, {"encryptionVersion": 2}, version),
        Row("a wrap beside a version that is missing, which was 0 and is 2", clear | {"encryptionVersion": GONE}, {"encryptionVersion": GONE}, "wrappedCoupleKey.notAnUpdate"),
        Row("an empty map at version 1", one, one | {MAP: {}}, OK, server=marks),
        Row("a mark that was no mark", one | {MAP: {ALICE: 1}}, one | {MAP: {ALICE: True}}, OK, bob=marks, server=marks),
        Row("version 1.0 before", {"encryptionVersion": 1.0}, one | other, OK),
        Row("a version that was missing, the start", clear | {"encryptionVersion": GONE}, one, OK),
        Row("alice's mark", one, one | {MAP: {ALICE: True}}, OK, bob=marks, server=marks),
        Row("alice's mark beside bob's", one | {MAP: {BOB: True}}, one | {MAP: {ALICE: True, BOB: True}}, OK, bob=marks, server=marks),
        Row("alice's mark and version 2", one | {MAP: {BOB: True}}, {MAP: {ALICE: True, BOB: True}}, OK, bob=marks, server=marks),
        Row("alice's mark alone and version 2", one, {MAP: {ALICE: True}}, version, bob=marks, server=marks),
        Row("version 2 with both marks", one | {MAP: {ALICE: True, BOB: True}}, {MAP: {ALICE: True, BOB: True}}, OK),
        Row("version 2 with bob's mark and carol's", one | {MAP: {BOB: True, CAROL: True}}, {MAP: {BOB: True, CAROL: True}}, version),
        Row("alice's mark at version 2", {}, {MAP: {ALICE: True}}, OK, bob=marks, server=marks),
        Row("alice's mark at version 0", clear, clear | {MAP: {ALICE: True}}, marks),
        Row("alice's mark is gone", one | {MAP: {ALICE: True}}, one | {MAP: {}}, OK, bob=marks, server=marks),
        Row("both marks at once", one, one | {MAP: {ALICE: True, BOB: True}}, marks),
        Row("the map is gone", one | {MAP: {ALICE: True}}, one | {MAP: GONE}, OK, bob=marks, server=marks),
        Row("alice's mark, and a new wrap", one, one | other | {MAP: {ALICE: True}}, "wrappedCoupleKey.notAnUpdate", bob=marks, server=marks),
        Row("from 1 to 2", one, {}, version),
        Row("from 1 to a version that is missing beside a wrap, which is 2", one, {"encryptionVersion": GONE}, version),
        Row("from 2 to 1", {}, one, "encryptionVersion.notLowered"),
        Row("a version that was missing beside a wrap is 2", {"encryptionVersion": GONE}, {}, OK),
        Row("a new wrap", {}, other, OK),
        Row("another salt alone", {}, {"kdfSalt": other["kdfSalt"]}, OK),
        Row("a new wrap, and version 2", one, other, version),
        Row("another salt, and a streak", {}, {"kdfSalt": other["kdfSalt"], "streakCount": 5}, salt),
        Row("a streak", {}, {"streakCount": 5}, OK),
        Row("a streak and its time", {}, {"streakCount": 5, "lastAnsweredAt": "2026-11-28T08:00:00Z"}, OK),
        Row("a time alone", {}, {"lastAnsweredAt": {"_seconds": 1764000001, "_nanoseconds": 0}}, OK),
        Row("a streak is gone", {}, {"streakCount": GONE}, OK),
        Row("another question", {}, {"currentQuestionId": "q_42"}, "currentQuestionId.notAnUpdate", server=OK),
        Row("another pack", {}, {"activePackId": "p_2"}, "activePackId.notAnUpdate", server=OK),
        Row("another question and pack", {}, {"currentQuestionId": "q_42", "activePackId": "p_2"}, "activePackId.notAnUpdate", server=OK),
        Row("another question, and a streak", {}, {"currentQuestionId": "q_42", "streakCount": 5}, "currentQuestionId.notAnUpdate"),
        Row("the users in another order", {}, {"userIds": [BOB, ALICE]}, users),
        Row("another partner", {}, {"userIds": [ALICE, CAROL]}, users),
        Row("the users are gone", {}, {"userIds": GONE}, users),
        Row("a member that no rule reads", {}, {"note": {"é": [1, 2.6], "a": "x"}}, "note.notAnUpdate"),
        Row("an accent spelled otherwise", {}, {"note": {"e\u0301": [1, 2.5], "a": "x"}}, "note.notAnUpdate"),
        Row("a new member", {}, {"zebra": 1}, "zebra.notAnUpdate"),
        Row("a member is gone", {}, {"note": GONE}, "note.notAnUpdate"),
        Row("the same in another order", {}, {"note": {"a": "x", "é": [1.0, 25e-1]}, "streakCount": 4.0}, OK),
        Row("null, which is missing", {}, {"zebra": GONE, MAP: GONE}, OK),
    ):  # fmt: skip
        before, after = stored | row.before, stored | row.after
        for writer, rule in row.verdicts.items():
            case = {"text": json.dumps(after), "previous": json.dumps(before)}
            if writer == SERVER and row.comment.startswith("the same"):
                case["text"] = json.dumps(dict(reversed(after.items())), indent=1, ensure_ascii=False)
            yield f"{row.comment}, by {shown(writer)}", case | by(writer), rule
    for writer, rule in ((ALICE, NO_USER), (BOB, NO_USER), (SERVER, OK), (CAROL, NO_USER)):
        yield f"a new couple, by {shown(writer)}", {"text": json.dumps(stored)} | by(writer), rule
    for writer, rule in ((ALICE, NO_USER), (BOB, NO_USER), (SERVER, OK), (CAROL, NO_USER)):
        marked = json.dumps(stored | one | {MAP: {ALICE: True}})
        yield f"a new couple with alice's mark, by {shown(writer)}", {"text": marked} | by(writer), rule
    text = json.dumps(whole)
    yield "a couple without its users, by the server", {"text": text} | by(SERVER), OK
    yield "a couple without its users, by alice", {"text": text} | by(ALICE), NO_USER
    yield "its form alone, without a writer", {"text": text}, OK
    yield "in the place of another, without a writer", {"text": text, "previous": text}, "malformed"
    mallory = json.dumps(whole | {"userIds": ["mallory", ALICE]})
    yield "a couple with a stranger, by the other", {"text": mallory} | by("mallory"), NO_USER
    for bad in ('{"encryptionVersion":3}', "[]", json.dumps(whole | {"encryptionVersion": 0})):
        yield f"in the place of {bad[:20]}", {"text": text, "previous": bad} | by(SERVER), "malformed"
    both = {MAP: {ALICE: True, BOB: True}}
    raised = {"text": json.dumps(whole | both), "previous": json.dumps(whole | both | one)}
    yield "from 1 to 2 with both marks, of a couple without its users, by the server", raised | by(SERVER), version
    named = json.dumps(whole | {"userIds": [ALICE, BOB]})
    for writer, rule in ((ALICE, STRANGER), (SERVER, users)):
        yield f"its users come later, by {shown(writer)}", {"text": named, "previous": text} | by(writer), rule


def of_answer(whole: dict, couple: dict) -> Iterator[tuple[str, dict, str]]:
    owner, release, reveal = "userId.notTheOwner", "answerKeyReleased", "isRevealed"
    text, path = json.dumps(whole), "couples/couple_1/daily_question/2026-11-20/answers/alice"
    for writer, rule in ((ALICE, OK), (BOB, owner), (SERVER, owner)):
        yield f"a new answer, by {shown(writer)}", {"text": text} | by(writer), rule
    for name in (release, reveal):
        new = json.dumps(whole | {name: True})
        yield f"a new answer, {name} true", {"text": new} | by(ALICE), f"{name}.notAnUpdate"
    yield "a new answer without isRevealed", {"text": json.dumps(whole | {reveal: GONE})} | by(ALICE), OK
    both = {release: True, reveal: True}
    for comment, changes, rule in (
        ("released", {release: True}, OK),
        ("revealed", {reveal: True}, OK),
        ("released and revealed", both | {"updatedAt": {"seconds": 1}}, OK),
        ("touched", {"updatedAt": "2026-11-20T08:00:00Z"}, OK),
        ("nothing changes", {}, OK),
        ("another question", {"questionId": "q_43"}, "questionId.notAnUpdate"),
        ("another payload", {"encryptedPayload": "sealed:v1:" + "A" * 80}, "encryptedPayload.notAnUpdate"),
        ("another commitment", {"commitmentHash": "sha256:" + "A" * 43}, "commitmentHash.notAnUpdate"),
        ("another commitment, released", both | {"commitmentHash": "sha256:" + "A" * 43}, "commitmentHash.notAnUpdate"),
        ("another member", {"createdAt": 1}, "createdAt.notAnUpdate"),
    ):
        case = {"text": json.dumps(whole | changes), "previous": text}
        for writer in (ALICE, BOB, SERVER):
            yield f"{comment}, by {shown(writer)}", case | by(writer), owner if writer == BOB else rule
    stolen = {"text": json.dumps(whole | {"userId": BOB}), "previous": text}
    yield "another author, by bob", stolen | by(BOB), owner
    yield "another author, by the server", stolen | by(SERVER), "userId.notAnUpdate"
    yield from _in_couple(whole, "userId", couple)
    yield "released by the server, with its couple", {"text": json.dumps(whole | both), "previous": text} | _named(couple) | by(SERVER), OK
    for other in (5, {}, ["alice"], True, ""):
        odd = {"text": text, "previous": json.dumps(whole | {"userId": other}), "path": path}
        yield f"the author before is {json.dumps(other)}", odd | by(ALICE), owner
    yield from _at(whole, path, "userId", BOB, ALICE)
    thread = "couples/couple_1/threads/t_1/messages/alice"
    message = json.dumps(_without(whole, reveal))
    dated = json.dumps(_without(whole, reveal) | {"answerDate": "2026-11-20"})
    yield "in a thread", {"text": text, "path": thread} | by(ALICE), f"{reveal}.notInThread"
    yield "a message in a thread", {"text": message, "path": thread} | by(ALICE), OK
    yield "a message in a thread, with a date", {"text": dated, "path": thread} | by(ALICE), "answerDate.notInThread"
    yield "a dated answer, in its place", {"text": dated, "path": path} | by(ALICE), OK
    yield "in another's place", {"text": message, "path": thread.replace("alice", "bob")} | by(ALICE), "userId.samePath"
    for day in ("2026-02-29", "2026-11-31", "2026-13-01", "2026-1-2", "today", "1900-02-29"):
        yield f"on {day}", {"text": text, "path": path.replace("2026-11-20", day)} | by(ALICE), "malformed"
    yield "on a leap day", {"text": text, "path": path.replace("2026-11-20", "2024-02-29")} | by(ALICE), OK
    clear = json.dumps(whole | {"answerText": "in the clear"})
    yield "with a text in the clear", {"text": clear} | by(ALICE), "answerText.plaintext"
    yield "a text in the clear is added", {"text": clear, "previous": text} | by(ALICE), "answerText.plaintext"
    yield "with the couple's id", {"text": json.dumps(whole | {"coupleId": "couple_1"}), "path": path} | by(ALICE), OK
    yield "with another couple's id", {"text": json.dumps(whole | {"coupleId": "couple_2"}), "path": path} | by(ALICE), "coupleId.samePath"
    yield "with a couple's number", {"text": json.dumps(whole | {"coupleId": 1}), "path": path} | by(ALICE), "coupleId.samePath"
    yield "without an author, and no path", {"text": json.dumps(_without(whole, "userId"))} | by(ALICE), "userId.present"
    for bad in (
        "couples/couple_1", "", "couples", path + "/", "/" + path, path.replace("alice", ""), path.replace("alice", "a|b"),
        path.replace("alice", "x" * 129), path.replace("answers", "Answers"), path.replace("alice", "é"), "couples//" + path,
    ):  # fmt: skip
        yield f"the path {ascii(bad)[:60]}", {"text": text, "path": bad} | by(ALICE), "malformed"
    for bad in ("", "a|b", "x" * 129):
        yield f"the writer {bad[:9]!r}", {"text": text, "as": bad}, "malformed"


def of_release_key(whole: dict, couple: dict) -> Iterator[tuple[str, dict, str]]:
    path = "couples/couple_1/daily_question/2026-11-20/answers/alice/releaseKeys/bob"
    alone = {"encryptedAnswerKey": whole["encryptedAnswerKey"]}
    yield from _once(whole, "encryptedAnswerKey")
    yield from _in_couple(whole, "senderId", couple)
    yield from _at(whole, path, "senderId", BOB, ALICE)
    yield "the key alone, and its path", {"text": json.dumps(alone), "path": path} | by(ALICE), OK
    yield "the key alone, by bob", {"text": json.dumps(alone), "path": path} | by(BOB), "senderId.notTheOwner"
    yield "the key alone, and no path", {"text": json.dumps(alone)} | by(ALICE), "senderId.present"
    to_self = {"text": json.dumps(alone), "path": path.replace("bob", "alice")}
    yield "the key alone, to oneself", to_self | by(ALICE), "recipientId.otherPerson"
    other = {"text": json.dumps(whole | {"recipientId": CAROL}), "path": path}
    yield "another recipient than its path", other | by(ALICE), "recipientId.samePath"


def of_rekey(whole: dict, couple: dict) -> Iterator[tuple[str, dict, str]]:
    yield from _once(whole, "encryptedCoupleKey")
    yield from _in_couple(whole, "senderId", couple)


def of_legacy_answer(whole: dict, couple: dict) -> Iterator[tuple[str, dict, str]]:
    text, owner = json.dumps(whole), "userId.notTheOwner"
    changed = json.dumps(whole | {"text": whole["text"], "scale": 3})
    for writer, rule in ((ALICE, OK), (BOB, owner), (SERVER, owner)):
        who = shown(writer)
        yield f"a new answer, by {who}", {"text": text} | by(writer), rule
        yield f"a changed answer, by {who}", {"text": changed, "previous": text} | by(writer), rule
    stolen = {"text": json.dumps(whole | {"userId": BOB}), "previous": text}
    yield "another author, by bob", stolen | by(BOB), owner
    yield "another author, by alice", stolen | by(ALICE), owner
    yield from _in_couple(whole, "userId", couple)
    sealed = json.dumps(whole | {"schemaVersion": 3})
    yield "in the place of a sealed one", {"text": text, "previous": sealed} | by(ALICE), "schemaVersion.notAnUpdate"
    clear = {"text": json.dumps(whole | {"text": "yes"})} | by(ALICE)
    wraps = ("wrappedCoupleKey", "kdfSalt", "kdfParams")
    users = {"userIds": [ALICE, BOB]}
    plain = json.dumps(_without(couple, *wraps) | users | {"encryptionVersion": 0})
    yield "in the clear", clear, "content.field"
    yield "in the clear, in a couple of version 0", clear | {"couple": plain}, OK
    yield "in the clear, in a couple without a version", clear | {"couple": json.dumps(users)}, OK
    for version in (1, 2, None):
        text = json.dumps(couple | users | {"encryptionVersion": version})
        yield f"in the clear, in a couple of version {version}", clear | {"couple": text}, "content.field"
    sealed = {"text": json.dumps(whole), "couple": plain} | by(ALICE)
    yield "tokens, in a couple of version 0", sealed, OK
    three = {"text": json.dumps(whole | {"schemaVersion": 3}), "couple": plain} | by(ALICE)
    yield "of schema 3, in a couple of version 0", three, "schemaVersion.otherSchema"
    deep = {"text": json.dumps(whole | {"choices": [{"other": ["yes"]}]})} | by(ALICE)
    yield "in the clear, in a list", deep, "choices.plaintext"
    yield "in the clear, in a list, in a couple of version 0", deep | {"couple": plain}, OK
    thread = {"text": json.dumps(whole), "path": "couples/couple_1/threads/t_1/messages/alice"}
    yield "in a thread, where all are sealed", thread | by(ALICE), "malformed"


def of_game_slot(whole: dict, couple: dict) -> Iterator[tuple[str, dict, str]]:
    field = whole["answers"][ALICE]
    names = _named(couple)
    told, one = "answers.notAnUpdate", {"answers": {ALICE: field}}
    other = "enc:v1:" + "A" * 60
    for comment, before, after, verdicts in (
        ("alice answers first", {}, {ALICE: field}, (OK, told, OK)),
        ("alice answers", {BOB: field}, {ALICE: field, BOB: field}, (OK, told, OK)),
        ("alice answers otherwise", {ALICE: field}, {ALICE: other}, (OK, told, OK)),
        ("alice's answer is gone", {ALICE: field, BOB: field}, {BOB: field}, (OK, told, OK)),
        ("both answer", {}, {ALICE: field, BOB: field}, (told, told, OK)),
        ("nothing changes", {ALICE: field}, {ALICE: field}, (OK, OK, OK)),
    ):
        case = {"text": json.dumps({"answers": after}), "previous": json.dumps({"answers": before})} | names
        for writer, rule in zip((ALICE, BOB, SERVER, CAROL), (*verdicts, STRANGER)):
            yield f"{comment}, by {shown(writer)}", case | by(writer), rule
    for writer, rule in ((ALICE, OK), (BOB, told), (SERVER, OK), (CAROL, STRANGER)):
        yield f"a new slot, by {shown(writer)}", {"text": json.dumps(one)} | names | by(writer), rule
    yield "a new slot, empty, by bob", {"text": json.dumps({"answers": {}})} | names | by(BOB), OK
    yield "a new slot, of a couple unknown, by alice", {"text": json.dumps(one)} | by(ALICE), STRANGER
    for bad in ([], "x", [field]):
        odd = {"text": json.dumps(one), "previous": json.dumps({"answers": bad})} | names
        yield f"in the place of {json.dumps(bad)[:9]}, by alice", odd | by(ALICE), told
    more = {"text": json.dumps(one | {"game": "g"}), "previous": json.dumps(one)} | names
    yield "another member, by alice", more | by(ALICE), "game.plaintext"
    yield "another member, by the server", more | by(SERVER), "game.plaintext"
    more = {"text": json.dumps(one | {"round": 2, "sessionId": "s_1"}), "previous": json.dumps(one)} | names
    yield "a round, by alice", more | by(ALICE), "round.notAnUpdate"
    yield "a round, by the server", more | by(SERVER), OK


def of_owned(whole: dict, path: str, member: str, value: object, by_server: str = "userId.notTheOwner") -> Iterator[tuple[str, dict, str]]:
    """What only the user writes whom the path names."""
    text, owner = json.dumps(whole), "userId.notTheOwner"
    new = json.dumps(whole | {member: value})
    for writer, rule in ((ALICE, OK), (BOB, owner), (SERVER, owner)):
        who = shown(writer)
        yield f"new, by {who}", {"text": text, "path": path} | by(writer), rule
        changed = {"text": new, "previous": text, "path": path} | by(writer)
        yield f"changed, by {who}", changed, by_server if writer == SERVER else rule
    yield "new, and no path", {"text": text} | by(ALICE), owner
    other = {"text": json.dumps(whole | {"userId": BOB})} | by(BOB)
    yield "another user than in its path", other | {"path": path}, "userId.samePath"
    yield "with its user, and no path", other, OK


def of_fond_user(whole: dict) -> Iterator[tuple[str, dict, str]]:
    """Fond's functions link and unlink two users (linkUsers, unlinkConnection)."""
    path = "users/alice"
    yield from of_owned(whole, path, "encryptedStatus", None, by_server="encryptedStatus.notAnUpdate")
    linked = {"connectionId": "c_1", "partnerUid": BOB}
    for comment, before, after in (("linked", {}, linked), ("unlinked", linked, {}), ("a partner alone", linked, {"connectionId": "c_1"})):
        case = {"text": json.dumps(whole | after), "previous": json.dumps(whole | before), "path": path}
        for writer, rule in ((SERVER, OK), (ALICE, OK), (BOB, "userId.notTheOwner")):
            yield f"{comment}, by {shown(writer)}", case | by(writer), rule
    more = {"text": json.dumps(whole | linked | {"level": 1}), "previous": json.dumps(whole), "path": path}
    yield "linked, and more, by the server", more | by(SERVER), "level.notAnUpdate"


def of_invite(whole: dict) -> Iterator[tuple[str, dict, str]]:
    """Cloud Functions alone write invites. One that is accepted has lost its phrase."""
    path, nobody = "invites/7KQ2MX", "inviterUserId.notTheServer"
    pending = whole | {"inviterUserId": ALICE, "status": "pending", "expiresAt": "2026-11-21T08:00:00Z"}
    accepted = _without(pending, "recoveryPhrase") | {"status": "accepted"}
    for writer, rule in ((ALICE, nobody), (BOB, nobody), (SERVER, OK)):
        who = shown(writer)
        yield f"at {path}, by {who}", {"text": json.dumps(whole), "path": path} | by(writer), rule
        yield f"pending, by {who}", {"text": json.dumps(pending), "path": path} | by(writer), rule
        update = {"text": json.dumps(accepted), "previous": json.dumps(pending), "path": path}
        yield f"accepted, by {who}", update | by(writer), rule
    changed = {"text": json.dumps(whole), "previous": json.dumps(whole | {"note": 1})}
    yield "changed, by carol", changed | by(CAROL), nobody
    kept = {"text": json.dumps(pending | {"status": "accepted"}), "previous": json.dumps(pending)}
    yield "accepted, with its phrase, by the server", kept | by(SERVER), "recoveryPhrase.wiped"


def of_party(whole: dict, path: str, others: tuple[str, ...]) -> Iterator[tuple[str, dict, str]]:
    """An offer or a reply: its user's, who may send it again."""
    text, own, owner = json.dumps(whole), whole["userId"], "userId.notTheOwner"
    for writer, rule in ((own, OK), *((other, owner) for other in others)):
        who = shown(writer)
        yield f"at {path}, by {who}", {"text": text, "path": path} | by(writer), rule
        yield f"once more, by {who}", {"text": text, "previous": text} | by(writer), rule
    stolen = {"text": json.dumps(whole | {"userId": others[0]}), "previous": text}
    yield f"another's in its place, by {others[0]}", stolen | by(others[0]), owner


def of_grant(whole: dict, path: str) -> Iterator[tuple[str, dict, str]]:
    """It names nobody."""
    text = json.dumps(whole)
    yield "by alice", {"text": text, "path": path} | by(ALICE), "malformed"
    yield "by the server", {"text": text, "path": path} | by(SERVER), OK
    yield "in the place of another, by the server", {"text": text, "previous": text} | by(SERVER), OK
    yield "without a writer", {"text": text, "path": path}, OK


def of_message(whole: dict) -> Iterator[tuple[str, dict, str]]:
    """A message is created by its sender (request.auth.uid == sender_id), and delivered by the server."""
    owner, sent = "sender_id.notTheOwner", whole | {"sender_id": ALICE, "status": "sent"}
    for writer, rule in ((ALICE, OK), (BOB, owner), (SERVER, owner)):
        yield f"new, by {shown(writer)}", {"text": json.dumps(sent)} | by(writer), rule
    yield "new, without a sender, by alice", {"text": json.dumps(whole)} | by(ALICE), owner
    other, server = "A" * 24, "sender_id.notTheServer"
    for comment, after, rule in (
        ("delivered", {"status": "delivered"}, OK),
        ("read", {"status": "read", "read_at": "2026-11-20T08:00:00.5+01:00"}, OK),
        ("another text", {"encrypted_content": other}, "encrypted_content.notAnUpdate"),
        ("another sender", {"sender_id": BOB}, "sender_id.notAnUpdate"),
    ):
        case = {"text": json.dumps(sent | after), "previous": json.dumps(sent)}
        for writer in (SERVER, ALICE, BOB):
            yield f"{comment}, by {shown(writer)}", case | by(writer), rule if writer == SERVER else server


def of_bound_message(whole: dict) -> Iterator[tuple[str, dict, str]]:
    """As a message of FitLink, and its sender is one of the two of whom the chat has its id."""
    owner, path, stranger = "sender_id.notTheOwner", "friend_chats/alice_bob/friend_messages/m_1", "sender_id.ofChat"
    for writer, rule in ((ALICE, OK), (BOB, owner), (SERVER, owner)):
        yield f"new, by {shown(writer)}", {"text": json.dumps(whole), "path": path} | by(writer), rule
        yield f"new, without a path, by {shown(writer)}", {"text": json.dumps(whole)} | by(writer), rule
    for comment, sender, chat, rule in (
        ("the other's", BOB, "alice_bob", OK),
        ("another user's", CAROL, "alice_bob", stranger),
        ("a part of an id", "ali", "alice_bob", stranger),
        ("the chat itself", "alice_bob", "alice_bob", stranger),
        ("an id with an underscore", "a_b", "a_b_c", OK),
        ("the other of such a chat", "c", "a_b_c", OK),
        ("in the middle of such a chat", "b", "a_b_c", stranger),
    ):
        text = json.dumps(whole | {"sender_id": sender})
        yield f"{comment}, by {sender}", {"text": text, "path": path.replace("alice_bob", chat)} | by(sender), rule
    alone = json.dumps(_without(whole, "sender_id"))
    yield "without a sender, by alice", {"text": alone, "path": path} | by(ALICE), "sender_id.present"
    yield "of another chat, by alice", {"text": json.dumps(whole | {"chatId": "alice_eve"}), "path": path} | by(ALICE), "chatId.plaintext"
    yield "at the path of a key, by alice", {"text": json.dumps(whole), "path": "friend_chats/alice_bob/chat_keys/alice"} | by(ALICE), "malformed"
    sent, server = whole | {"status": "sent"}, "sender_id.notTheServer"
    for comment, after, rule in (
        ("delivered", {"status": "delivered"}, OK),
        ("read", {"status": "read", "read_at": "2026-11-20T08:00:00.5+01:00"}, OK),
        ("another text", {"encrypted_content": "chat:v2:" + "A" * 176}, "encrypted_content.notAnUpdate"),
        ("another sender", {"sender_id": BOB}, "sender_id.notAnUpdate"),
        ("a type", {"type": "text"}, "type.absent"),
    ):
        case = {"text": json.dumps(sent | after), "previous": json.dumps(sent), "path": path}
        for writer in (SERVER, ALICE, BOB):
            yield f"{comment}, by {shown(writer)}", case | by(writer), rule if writer == SERVER or rule == "type.absent" else server


def of_bound_key(whole: dict) -> Iterator[tuple[str, dict, str]]:
    """Its sender overwrites it, with one that was born later."""
    owner, path, told, index = "senderId.notTheOwner", "friend_chats/alice_bob/chat_keys/alice", "index.notAnUpdate", whole["index"]
    yield from _at(whole, path, "senderId", BOB, ALICE)
    for writer, rule in ((ALICE, OK), (BOB, owner), (SERVER, owner)):
        who, text = shown(writer), json.dumps(whole)
        yield f"new, by {who}", {"text": text} | by(writer), rule
        yield f"once more, by {who}", {"text": text, "previous": text, "path": path} | by(writer), rule
        later = json.dumps(whole | {"index": index + 1, "mac": "A" * 43})
        yield f"a later one, by {who}", {"text": later, "previous": text, "path": path} | by(writer), rule
        yield f"an earlier one, by {who}", {"text": text, "previous": later, "path": path} | by(writer), told if rule == OK else rule
    for comment, before, after, rule in (
        ("another key under its index", {}, {"publicKey": "BbLp6pKMZGLaUvlEZdril1LdHC8tO2AKUjGcSuJViGw="}, "publicKey.notAnUpdate"),
        ("another mac under its index", {}, {"mac": "A" * 43}, "mac.notAnUpdate"),
        ("another recipient", {}, {"index": index + 1, "recipientId": "bob_bob"}, "recipientId.notAnUpdate"),
        ("a later index alone", {}, {"index": index + 1}, OK),
        ("a later one, at a time", {"updatedAt": 1}, {"index": index + 1, "updatedAt": 2}, OK),
        ("another time alone", {"updatedAt": 1}, {"updatedAt": 2}, "updatedAt.notAnUpdate"),
        ("a note", {}, {"index": index + 1, "note": 1}, "note.notAnUpdate"),
        ("in the place of a text", {"index": "1"}, {}, told),
        ("in the place of none", {"index": None}, {}, told),
    ):
        yield f"{comment}, by alice", {"text": json.dumps(whole | after), "previous": json.dumps(whole | before)} | by(ALICE), rule
    for comment, sender, recipient, rule in (
        ("the other's", BOB, ALICE, OK),
        ("another user's", CAROL, BOB, "senderId.ofChat"),
        ("for another user", ALICE, CAROL, "senderId.ofChat"),
        ("for oneself", ALICE, ALICE, "recipientId.otherPerson"),
    ):
        text = json.dumps(whole | {"senderId": sender, "recipientId": recipient})
        yield f"{comment}, by {sender}", {"text": text, "path": path.replace("keys/alice", f"keys/{sender}")} | by(sender), rule
    other = {"text": json.dumps(whole | {"senderId": BOB, "recipientId": ALICE}), "path": path}
    yield "another sender than its path, by bob", other | by(BOB), "senderId.samePath"


def of_chat_key(whole: dict) -> Iterator[tuple[str, dict, str]]:
    """FitLink's user_keys: anyone reads, the owner writes."""
    owner, own = "user_id.notTheOwner", whole | {"user_id": ALICE}
    for writer, rule in ((ALICE, OK), (BOB, owner), (SERVER, owner)):
        who = shown(writer)
        yield f"new, by {who}", {"text": json.dumps(own)} | by(writer), rule
        changed = {"text": json.dumps(own | {"device_id": "d_2"}), "previous": json.dumps(own)}
        yield f"changed, by {who}", changed | by(writer), rule
    yield "without its user, by alice", {"text": json.dumps(whole)} | by(ALICE), owner
    stolen = {"text": json.dumps(own | {"user_id": BOB}), "previous": json.dumps(own)}
    yield "another user's, by bob", stolen | by(BOB), owner


def _in_couple(whole: dict, author: str, couple: dict) -> Iterator[tuple[str, dict, str]]:
    """What only the couple's two write, each for themselves."""
    names, text = _named(couple), json.dumps(whole)
    other = json.dumps(whole | {author: CAROL})
    yield "with its couple, by the author", {"text": text} | names | by(ALICE), OK
    yield "with its couple, by the partner", {"text": text} | names | by(BOB), f"{author}.notTheOwner"
    yield "with its couple, by another user", {"text": text} | names | by(CAROL), STRANGER
    yield "another user's own, with a couple", {"text": other} | names | by(CAROL), STRANGER
    yield "another user's own, changed, with a couple", {"text": other, "previous": other} | names | by(CAROL), STRANGER
    yield "with a couple that does not name its users", {"text": text, "couple": json.dumps(couple)} | by(ALICE), STRANGER
    for users in ([ALICE], [ALICE, ALICE], [], "alice"):
        yield f"with a couple of the users {users}", {"text": text, "couple": json.dumps(couple | {"userIds": users})} | by(ALICE), "malformed"
    marked = json.dumps(couple | {"userIds": [ALICE, BOB], MAP: []})
    yield "with a couple whose marks are no map", {"text": text, "couple": marked} | by(ALICE), "malformed"
    lowered = json.dumps(couple | {"encryptionVersion": 0})
    yield "with a couple of version 0 and a wrap", {"text": text, "couple": lowered} | by(ALICE), "malformed"


def _named(couple: dict) -> dict:
    """The couple's document, with its users."""
    return {"couple": json.dumps(couple | {"userIds": [ALICE, BOB]})}


def by(writer: str) -> dict:
    return {"as": writer}


def shown(writer: str) -> str:
    return "the server" if writer == SERVER else writer


def _once(whole: dict, first: str) -> Iterator[tuple[str, dict, str]]:
    text, owner = json.dumps(whole), "senderId.notTheOwner"
    for writer, rule in ((ALICE, OK), (BOB, owner), (SERVER, owner)):
        yield f"new, by {shown(writer)}", {"text": text} | by(writer), rule
    again = {"text": text, "previous": text}
    yield "once more, by alice", again | by(ALICE), f"{first}.notAnUpdate"
    yield "once more, by the server", again | by(SERVER), owner
    more = {"text": json.dumps(whole | {"note": 1}), "previous": text}
    yield "a member more, by alice", more | by(ALICE), "note.notAnUpdate"


def _at(whole: dict, path: str, name: str, other: str, own: str) -> Iterator[tuple[str, dict, str]]:
    """An id in the document, in its path, or in both."""
    alone = json.dumps(_without(whole, name))
    yield f"{name} in the path alone", {"text": alone, "path": path} | by(own), OK
    yield f"{name} in the path alone, null in the document", {"text": json.dumps(whole | {name: None}), "path": path} | by(own), OK
    yield f"{name} in both", {"text": json.dumps(whole), "path": path} | by(own), OK
    yield f"{name} in the path alone, by another", {"text": alone, "path": path} | by(other), f"{name}.notTheOwner"


def _without(members: dict, *names: str) -> dict:
    return {name: value for name, value in members.items() if name not in names}
