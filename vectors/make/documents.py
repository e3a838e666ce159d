"""Makes v1/documents.json: what the apps store, and the rule that each broken document breaks.

closer-keys-formats(7), DOCUMENTS.
"""

import json

from kit import FOLDER, aes_keys, answer_parts as parts, pair_tokens
from kit import document_writes as writes
from kit.document_faults import MAP, faults, missing, of_migration
from kit.frame import Group, VectorFile
from kit.pairing_scene import Scene, alone

from partner.payload import commitment

NOTES = {
    "Normal": "As the apps store it",
    "Unknown": "Unknown members are kept and ignored; one that is null counts as missing",
    "Spelling": "The same JSON spelled otherwise",
    "Thread": "A message in a thread is an answer without isRevealed",
    "Version": "The three fields of a wrap present: 1 or 2; none of them: 0; never lower than before",
    "Missing": "A member is missing",
    "Type": "A member of another type",
    "Value": "A member's text or number is not as it must be",
    "Person": "A release or a rekey to oneself",
    "Migration": "Who has migrated, and which two users may: both members may be missing",
    "Content": "Each text of what holds content is a token, or stands under a name that the apps' documents name, and has its form",
    "Write": "Who may create a document, and what of it may be changed",
    "NotAnObject": "No JSON object: strict, no name twice, nothing behind it",
}
WRAP = {
    "wrappedCoupleKey": "EBESExQVFhcYGRob3AM+KCEZkKnqIEXXAdbsiFVRSr+zY+Z16nP60+w0bpqGMV09ay71gKit3FlHENu1nV+JRIIUhuCol8X5sSd2In7/WgC7Ojt8IzCD/wjO+jlj0bYGvpCyLKhn4Q5tr3wD232bXd6wkEsQaIxH65mNc8FjqbbuL6Reclg=",
    "kdfSalt": "AAECAwQFBgcICQoLDA0ODw==",
    "kdfParams": '{"alg":"argon2id","m":46080,"p":1,"t":3,"v":19}',
}
PHRASE = "ATAxMjM0NTY3ODk6Ozw9Pj9AQUJDREVGR0hJSktg/ZeBvWdrVTXubotvgNa++BAShwdFwzmoNAsWu/I0t0RHZ+sAEUtin18qoTZVNOoyE2aS/rcfMQY0iEYFF7W9gCsBoGgp+T3aFR7dEx0="
KEY = parts.keyset_key("document")
PUBLIC = parts.url("pub:v1:", aes_keys.binary(parts.ecies_keys.public(aes_keys.keyset(parts.IDENTITY[0]))))
CHATS = json.loads((FOLDER / "golden.json").read_text())["chat"]
BOUND = json.loads((FOLDER / "chat.json").read_text())
FOND = ("encryptedStatus", "encryptedLocation", "encryptedHeartbeat", "encryptedName", "encryptedMessage", "encryptedPromptAnswer")
PLACED = parts.FIELD.replace("enc:v1:", "enc:v2:")
TIMES = {"createdAt": "2026-11-20T08:00:00Z", "updatedAt": {"seconds": 1764000000, "nanoseconds": 0}}
ACCEPTED = {"inviterUserId": "alice", "status": "accepted", "createdAt": {"_seconds": 1764000000, "_nanoseconds": 0}}
DOCUMENTS = {
    "couple": {"encryptionVersion": 2, **WRAP},
    "invite": {"code": "7KQ2MX", **WRAP, "recoveryPhrase": PHRASE},
    "answer": {
        "userId": "alice",
        "questionId": "q_42",
        "schemaVersion": 3,
        "encryptedPayload": parts.sealed_text(KEY, parts.hardened("document"), "document"),
        "commitmentHash": commitment(parts.hardened("document")),
        "answerKeyReleased": False,
        "isRevealed": False,
    },
    "release-key": {
        "encryptedAnswerKey": parts.keybox(KEY.content, "document"),
        "senderId": "alice",
        "recipientId": "bob",
    },
    "device": {"publicKey": PUBLIC, "platform": "ios"},
    "pair-offer": json.loads(Scene().offer().text()),
    "pair-reply": json.loads(Scene().reply()),
    "pair-grant": json.loads(Scene().grant()),
    "rekey": {
        "encryptedCoupleKey": parts.keybox(KEY.content, "rekey"),
        "senderId": "alice",
        "recipientId": "bob",
        "epoch": 1,
    },
    "game-slot": {"answers": {"alice": parts.FIELD, "bob": parts.FIELD}},
    "fitlink-message": {name: CHATS["fitlink"][name] for name in ("encrypted_content", "iv")},
    "fitlink-user": {"public_key": CHATS["alicePublic"]},
    "fond-user": {
        "publicKey": CHATS["bobPublic"],
        **{name: CHATS["fond"]["combined"] for name in FOND},
    },
    "legacy-answer": {"userId": "alice", "questionId": "q_42", "schemaVersion": 2, "text": parts.FIELD, "isRevealed": False},
    "chat-message": {"encrypted_content": BOUND["chatV2"][0]["token"], "sender_id": "alice"},
    "chat-key": BOUND["chatKeys"][0],
}


def longer(kind: str, count: int) -> dict:
    """The token with as many bytes, cut or with zeros behind it."""
    token = DOCUMENTS[f"pair-{kind}"][kind]
    return {kind: pair_tokens.text(kind, (parts.content_of(token) + bytes(count))[:count])}


MORE = {
    "couple": {
        "version 1": DOCUMENTS["couple"] | {"encryptionVersion": 1},
        "no version, a wrap": WRAP,
        "no version, no wrap": {},
        "version 0, no wrap": {"encryptionVersion": 0},
    },
    "invite": {
        "without a code": {name: value for name, value in DOCUMENTS["invite"].items() if name != "code"},
        "a code in lower case": DOCUMENTS["invite"] | {"code": "abc123"},
        "pending, with its times": DOCUMENTS["invite"]
        | {"inviterUserId": "alice", "status": "pending", "createdAt": "2026-11-20T08:00:00Z", "expiresAt": 1764000000},
        "expired": DOCUMENTS["invite"] | {"status": "expired", "expiresAt": None},
        "accepted, its phrase wiped": {name: value for name, value in DOCUMENTS["invite"].items() if name != "recoveryPhrase"} | ACCEPTED,
        "accepted, its phrase null": DOCUMENTS["invite"] | ACCEPTED | {"recoveryPhrase": None},
    },
    "answer": {
        "in a thread": {name: value for name, value in DOCUMENTS["answer"].items() if name != "isRevealed"},
        "released and revealed": DOCUMENTS["answer"] | {"answerKeyReleased": True, "isRevealed": True},
        "with all that the manual names": DOCUMENTS["answer"] | TIMES | {"coupleId": "couple_1", "date": "2024-02-29", "answerDate": "2024-02-29"},
        "times of every spelling": DOCUMENTS["answer"]
        | {"createdAt": "2026-11-20T23:59:60.123456789+23:59", "revealedAt": "0000-02-29T00:00:00-00:00", "updatedAt": None},
        "numbers and truth values under any name": DOCUMENTS["answer"] | {"mood": 4, "map": {"deep": [True, None, 1.5, {}]}, "createdAt": 1},
    },
    "release-key": {
        "other ids": DOCUMENTS["release-key"] | {"senderId": "A.b_c-d:e@f+g", "recipientId": "x" * 128}
    },
    "device": {"platform of 128 bytes": DOCUMENTS["device"] | {"platform": "é" * 64}},
    "pair-offer": {
        "other names": DOCUMENTS["pair-offer"] | {"userId": "A.b_c-d:e@f+g", "coupleId": "x" * 128}
    },
    "pair-reply": {
        "nothing held": json.loads(alone().reply()),
        "a hold of 28 bytes": DOCUMENTS["pair-reply"] | longer("reply", 64 + 28),
        "16 KiB": DOCUMENTS["pair-reply"] | longer("reply", 16 * 1024),
    },
    "pair-grant": {
        "nothing sealed but a nonce and a tag more": DOCUMENTS["pair-grant"] | longer("grant", 90),
        "16 KiB": DOCUMENTS["pair-grant"] | longer("grant", 16 * 1024),
    },
    "rekey": {
        "the last epoch": DOCUMENTS["rekey"] | {"epoch": 4294967295},
        "other ids": DOCUMENTS["rekey"] | {"senderId": "A.b_c-d:e@f+g", "recipientId": "x" * 128},
    },
    "game-slot": {
        "one answer": {"answers": {"A.b_c-d:e@f+g": parts.FIELD}},
        "no answer": {"answers": {}},
        "a short field": {"answers": {"alice": "enc:v1:AA=="}},
        "fields that are bound to their places": {"answers": {"alice": PLACED, "bob": parts.FIELD}, "scores": [PLACED, 2]},
        "with its names": DOCUMENTS["game-slot"] | TIMES | {"coupleId": "couple_1", "sessionId": "s_1", "questionId": "q_1", "createdByUserId": "bob"},
    },
    "fitlink-message": {
        "an empty text": DOCUMENTS["fitlink-message"] | {"encrypted_content": "A" * 22 + "=="},
        "as FitLink writes it": DOCUMENTS["fitlink-message"]
        | {"id": "m_1", "sender_id": "alice", "type": "text", "timestamp": "2026-11-20T08:00:00.5Z", "status": "sent", "read_at": None, "reply_to": None},
        "a payload without a text": DOCUMENTS["fitlink-message"] | {"type": "voice", "payload": {"seconds": 12, "loop": False}},
    },
    "fitlink-user": {"another key": {"public_key": CHATS["bobPublic"]}},
    "fond-user": {
        "a key alone": {"publicKey": CHATS["bobPublic"]},
        "an empty status": DOCUMENTS["fond-user"] | {"encryptedStatus": "A" * 38 + "=="},
        "linked": DOCUMENTS["fond-user"] | {"connectionId": "c_1", "partnerUid": "bob"},
    },
    "legacy-answer": {
        "without a schema": {"userId": "alice", "questionId": "q_42", "text": parts.FIELD},
        "the first schema": DOCUMENTS["legacy-answer"] | {"schemaVersion": 1},
        "its date and times": DOCUMENTS["legacy-answer"]
        | {"answerDate": "2026-11-20", "createdAt": "2026-11-20T08:00:00Z", "updatedAt": {"seconds": 1}, "At": "2026-11-20T08:00:00Z"},
        "fields at any depth, bound and unbound": DOCUMENTS["legacy-answer"] | {"choices": [parts.FIELD, PLACED, {"why": PLACED}]},
        "without a text": {"userId": "alice", "questionId": "q_42"},
        "a number, a list and nothing": DOCUMENTS["legacy-answer"] | {"scale": 4, "choices": [1], "note": None},
    },
    "chat-message": {
        "the shortest token": DOCUMENTS["chat-message"] | {"encrypted_content": "chat:v2:" + "A" * 176},
        "the token of 64 KiB": DOCUMENTS["chat-message"] | {"encrypted_content": "chat:v2:" + "A" * 87558},
        "as an app writes it": DOCUMENTS["chat-message"]
        | {"id": "m_1", "timestamp": "2026-11-20T08:00:00.5Z", "status": "sent", "read_at": None, "iv": None, "type": None, "payload": None, "reply_to": None},
    },
    "chat-key": {
        "the first index": DOCUMENTS["chat-key"] | {"index": 1},
        "the last index": DOCUMENTS["chat-key"] | {"index": 4294967295},
        "other ids": DOCUMENTS["chat-key"] | {"senderId": "A.b_c-d:e@f+g", "recipientId": "x" * 128},
    },
}


def valid(group: Group, name: str, members: dict) -> None:
    group.valid(f"{name}", {"text": json.dumps(members)}, {}, "Normal")
    for comment, other in MORE[name].items():
        flag = "Version" if "ersion" in comment else "Thread" if "thread" in comment else "Normal"
        group.valid(f"{name}, {comment}", {"text": json.dumps(other)}, {}, flag)
    extra = members | {"unknown": {"deep": [1, None]}, "createdAt": 1.5e9}
    group.valid(f"{name}, unknown members", {"text": json.dumps(extra)}, {}, "Unknown")
    reverse = dict(reversed(members.items()))
    group.valid(
        f"{name}, in reverse, indented", {"text": json.dumps(reverse, indent=2) + "\n"}, {}, "Spelling"
    )
    escaped = json.dumps(members).replace("/", "\\/")
    group.valid(f"{name}, / escaped", {"text": escaped}, {}, "Spelling")


def invalid(group: Group, name: str, members: dict) -> None:
    for member in members:
        rule = missing(name, member)
        without = {other: value for other, value in members.items() if other != member}
        if rule:
            group.invalid(f"{name} without {member}", {"text": json.dumps(without)}, rule, "Missing")
            group.invalid(
                f"{name}, {member} is null", {"text": json.dumps(members | {member: None})}, rule, "Missing"
            )
    for comment, changes, rule, flag in faults(name, members):
        group.invalid(f"{name}, {comment}", {"text": json.dumps(members | changes)}, rule, flag)
    text = json.dumps(members)
    twice = text[:-1] + ', "' + next(iter(members)) + '": 1}'
    texts = {
        "empty": "",
        "an array": f"[{text}]",
        "text": '"text"',
        "cut off": text[:-1],
        "twice": text + text,
        "a name twice": twice,
        "a comma too many": text[:-1] + ",}",
        "17 levels": text[:-1] + ', "x": ' + "[" * 16 + "]" * 16 + "}",
    }
    for comment, other in texts.items():
        group.invalid(f"{name}, {comment}", {"text": other}, "malformed", "NotAnObject")


def versions(group: Group) -> None:
    whole = DOCUMENTS["couple"]
    for before, now in ((0, 2), (1, 2), (2, 2), (1, 1)):
        texts = [
            json.dumps(whole | {"encryptionVersion": version} if version else {"encryptionVersion": 0})
            for version in (before, now)
        ]
        group.valid(f"version {now} after {before}", {"text": texts[1], "previous": texts[0]}, {}, "Version")
    for before, now in ((2, 1), (2, 0), (1, 0)):
        texts = [
            json.dumps(whole | {"encryptionVersion": version} if version else {"encryptionVersion": 0})
            for version in (before, now)
        ]
        group.invalid(
            f"version {now} after {before}",
            {"text": texts[1], "previous": texts[0]},
            "encryptionVersion.notLowered",
            "Version",
        )
    group.invalid(
        "a wrap, and version 0",
        {"text": json.dumps(whole | {"encryptionVersion": 0})},
        "encryptionVersion.versionForWrap",
        "Version",
    )
    for version in (1, 2):
        text = json.dumps({"encryptionVersion": version})
        group.invalid(
            f"no wrap, and version {version}", {"text": text}, "wrappedCoupleKey.wrapForVersion", "Version"
        )


def migration(group: Group) -> None:
    whole = DOCUMENTS["couple"] | {"userIds": ["alice", "bob"]}
    for comment, done in {
        "no one": {},
        "one": {"alice": True},
        "both": {"alice": True, "bob": True},
        "ids of every letter": {"A.b_c-d:e@f+g": True, "x" * 128: True},
    }.items():
        document = whole | {"encryptionVersion": 1, MAP: done}
        group.valid(f"migrated: {comment}", {"text": json.dumps(document)}, {}, "Migration")
    for name in ("userIds", MAP):
        text = json.dumps(whole | {name: None})
        group.valid(f"{name} is null", {"text": text}, {}, "Migration")
    group.valid("in the clear, with its users", {"text": json.dumps({"userIds": ["alice", "bob"]})}, {}, "Migration")
    for comment, changes, rule, flag in of_migration():
        group.invalid(comment, {"text": json.dumps(whole | changes)}, rule, flag)


def written() -> dict:
    """The writes of each kind."""
    couple, offer = DOCUMENTS["couple"], DOCUMENTS["pair-offer"]
    pairing = f"couples/{offer['coupleId']}/pairings/{offer['lookup']}"
    return {
        "couple": writes.of_couple(couple),
        "invite": writes.of_invite(DOCUMENTS["invite"]),
        "answer": writes.of_answer(DOCUMENTS["answer"], couple),
        "release-key": writes.of_release_key(DOCUMENTS["release-key"], couple),
        "device": writes.of_owned(DOCUMENTS["device"], "users/alice/devices/d_1", "platform", "android"),
        "pair-offer": writes.of_party(offer, pairing, ("bob", writes.SERVER)),
        "pair-reply": writes.of_party(DOCUMENTS["pair-reply"], pairing, ("alice", writes.SERVER)),
        "pair-grant": writes.of_grant(DOCUMENTS["pair-grant"], pairing),
        "rekey": writes.of_rekey(DOCUMENTS["rekey"], couple),
        "game-slot": writes.of_game_slot(DOCUMENTS["game-slot"], couple),
        "fitlink-message": writes.of_message(DOCUMENTS["fitlink-message"]),
        "fitlink-user": writes.of_chat_key(DOCUMENTS["fitlink-user"]),
        "fond-user": writes.of_fond_user(DOCUMENTS["fond-user"]),
        "legacy-answer": writes.of_legacy_answer(DOCUMENTS["legacy-answer"], couple),
        "chat-message": writes.of_bound_message(DOCUMENTS["chat-message"]),
        "chat-key": writes.of_bound_key(DOCUMENTS["chat-key"]),
    }


def main() -> None:
    file = VectorFile("documents", "Documents of the apps' server", NOTES)
    for name, members in DOCUMENTS.items():
        group = file.group("document.check", "python", document=name)
        valid(group, name, members)
        invalid(group, name, members)
        if name == "couple":
            versions(group)
            migration(group)
    for name, cases in written().items():
        group = file.group("document.write", "python", document=name)
        for comment, case, rule in cases:
            if rule:
                group.invalid(comment, case, rule, "Write")
            else:
                group.valid(comment, case, {}, "Write")
    file.write()


main()
