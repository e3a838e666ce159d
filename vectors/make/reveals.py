"""Makes v1/reveal.json: the whole reading order, from the keybox to the place.

closer-keys-formats(7), Reading order.
"""

import json

from kit import aes_keys, answer_parts as parts, keyset_faults
from kit.changes import flipped
from kit.frame import Group, VectorFile
from kit.reveal_faults import broken_payloads, forged_payloads
from kit.stream import stream

from partner.contexts import Context
from partner.payload import android, commitment, compat

NOTES = {
    "Normal": "A hardened answer, with its MAC under a key of the couple",
    "Rotation": "The MAC is under an older key that is still enabled, or the keybox is sealed to an older identity",
    "RawKey": "The keybox holds 32 bytes: the sealed text has no prefix",
    "Size": "Padded to 256 bytes and more, up to 64 KiB",
    "Place": "Daily questions and threads",
    "Pin": "A commitment that was seen before",
    "Compat": "Without the four members: nothing is said of who wrote it",
    "Android": "Escaped by Android, and committed to in canonical form",
    "Keybox": "The keybox does not open, or is another person's",
    "OneTimeKey": "What the keybox holds is no one-time key",
    "Sealed": "The sealed text does not open",
    "Commitment": "Another content than was committed to",
    "Payload": "Committed to, and no JSON object as it must be",
    "Members": "Some of the four members, or not of their type, or not canonical as received",
    "MAC": "Nobody with an enabled couple key wrote it for this couple, question and author",
    "OtherPlace": "Written for another day or thread",
    "Order": "Two faults on purpose: the earlier check gives the error",
    "Identifier": "An id that is none, or a question's that is reserved",
}
RAW, KEYSET = parts.raw_key("reveal raw"), parts.keyset_key("reveal")


def case(
    payload: bytes,
    label: str,
    *,
    key=KEYSET,
    context=parts.CONTEXT,
    committed: bytes | None = None,
    place: str = parts.PLACE,
    identity=parts.IDENTITY[0],
    content: bytes | None = None,
) -> dict:
    return {
        "senderId": context.author,
        "recipientId": parts.RECIPIENT,
        **parts.ids(context),
        "encryptedPayload": parts.sealed_text(key, payload, label, context),
        "commitmentHash": commitment(payload if committed is None else committed),
        "encryptedAnswerKey": parts.keybox(
            key.content if content is None else content, label, context, identity=identity
        ),
        "place": place,
    }


def shows(
    group: Group, comment: str, flag: str, payload: bytes, mac_key=parts.COUPLE_KEYS[0], **more: object
) -> dict:
    proven = {"place": more.get("place", parts.PLACE), "macKeyId": mac_key.key_id} if mac_key else {}
    made = case(payload, comment, **more)
    return group.valid(comment, made, {"payload": more.get("committed", payload), **proven}, flag)


def valid(group: Group) -> None:
    plain = compat(parts.ANSWER)
    shows(group, "hardened", "Normal", parts.hardened("1"))
    shows(group, "hardened, raw key", "RawKey", parts.hardened("2"), key=RAW)
    shows(
        group,
        "MAC under an older key",
        "Rotation",
        parts.hardened("3", key=parts.COUPLE_KEYS[1]),
        parts.COUPLE_KEYS[1],
    )
    shows(group, "keybox to an older identity", "Rotation", parts.hardened("4"), identity=parts.IDENTITY[1])
    for place in (
        "daily:2024-02-29",
        "daily:2000-02-29",
        "daily:0001-01-01",
        "daily:9999-12-31",
        "thread:t",
        "thread:" + "x" * 128,
        "thread:daily:2026-11-20",
    ):
        shows(group, place[:24], "Place", parts.hardened(place, place=place), place=place)
    for size in (0, 1, 100, 200, 300, 65000):
        answer = json.dumps({"answer": "x" * size})
        shows(group, f"an answer of {size} letters", "Size", parts.hardened(f"size {size}", answer))
    for answer in (
        "{}",
        '{"Z":1,"a":2,"é":3,"_":0}'.replace('"_":0', '"~":0'),
        '{"nested":{"_b":"not ours"}}',
    ):
        shows(group, f"answer {answer}", "Normal", parts.hardened(answer, answer))
    ids = Context("A.b_c-d:e@f+g", "x" * 128, "0")
    shows(group, "other ids", "Normal", parts.hardened("ids", context=ids), context=ids)
    shows(group, "compat", "Compat", plain, None)
    shows(group, "compat, at any place", "Compat", plain, None, place="thread:other")
    shows(group, "compat, raw key", "Compat", plain, None, key=RAW)
    shows(group, "compat, Android", "Android", android(parts.ANSWER), None, committed=plain)
    shows(group, "compat, Android's form committed to", "Android", android(parts.ANSWER), None)
    pinned = case(parts.hardened("pin"), "pin")
    pinned["pinnedCommitment"] = pinned["commitmentHash"]
    output = {"payload": parts.hardened("pin"), "place": parts.PLACE, "macKeyId": parts.COUPLE_KEYS[0].key_id}
    group.valid("pinned", pinned, output, "Pin")


def keyboxes(group: Group, good: dict) -> None:
    for member, value in (
        ("recipientId", "carol"),
        ("recipientId", "Bob"),
        ("senderId", "carol"),
        ("questionId", "q_43"),
        ("coupleId", "couple_2"),
    ):
        group.invalid(f"{member} {value}", good | {member: value}, "authFailed", "Keybox")
    for member in ("coupleId", "questionId", "senderId", "recipientId"):
        for value in ("", "a|b", "x" * 129):
            group.invalid(f"{member} {value[:4]!r}", good | {member: value}, "malformed", "Identifier")
    group.invalid("questionId ck.x", good | {"questionId": "ck.x"}, "malformed", "Identifier")
    box = parts.content_of(good["encryptedAnswerKey"])
    for place, error in (
        (0, "noKey"),
        (4, "noKey"),
        (5, "authFailed"),
        (50, "authFailed"),
        (75, "authFailed"),
        (-1, "authFailed"),
    ):
        other = parts.url("keybox:v1:", flipped(box, place))
        group.invalid(f"keybox, byte {place}", good | {"encryptedAnswerKey": other}, error, "Keybox")
    stranger = parts.keybox(
        KEYSET.content, "stranger", identity=parts.ecies_keys.entry(parts.ecies_keys.scalar("stranger"), 5)
    )
    group.invalid("a keybox to another device", good | {"encryptedAnswerKey": stranger}, "noKey", "Keybox")
    group.invalid(
        "a keybox cut off",
        good | {"encryptedAnswerKey": good["encryptedAnswerKey"][:129]},
        "malformed",
        "Keybox",
    )
    fields = keyset_faults.split(KEYSET.content, keyset_faults.AES)
    weak = keyset_faults.at(fields, (*keyset_faults.VALUE, 3), keyset_faults.sets(3, b"k" * 16))
    contents = {
        "31 bytes": KEYSET.content[:31],
        "33 bytes": stream("33", 33),
        "no bytes": b"",
        "two keys": aes_keys.binary(aes_keys.keyset(KEYSET.entry, aes_keys.entry("second", 9))),
        "an AES-128 key": keyset_faults.join(weak),
        "fields in reverse": keyset_faults.join(fields[::-1]),
        "an identity": aes_keys.binary(aes_keys.keyset(parts.IDENTITY[0])),
    }
    for name, content in contents.items():
        other = parts.keybox(content, f"holds {name}")
        group.invalid(
            f"the keybox holds {name}", good | {"encryptedAnswerKey": other}, "malformed", "OneTimeKey"
        )
    other = parts.keybox(parts.keyset_key("another").content, "another")
    group.invalid(
        "the keybox holds another answer's key", good | {"encryptedAnswerKey": other}, "authFailed", "Sealed"
    )
    other = parts.keybox(RAW.content, "another raw")
    group.invalid(
        "the keybox holds another raw key", good | {"encryptedAnswerKey": other}, "authFailed", "Sealed"
    )


def faults(group: Group, good: dict) -> None:
    sealed = parts.content_of(good["encryptedPayload"])
    for place in (0, 5, 17, 100, -1):
        other = parts.url("sealed:v1:", flipped(sealed, place))
        group.invalid(
            f"sealed text, byte {place}", good | {"encryptedPayload": other}, "authFailed", "Sealed"
        )
    elsewhere = parts.sealed_text(
        KEYSET, parts.hardened("good"), "elsewhere", Context("couple_1", "q_42", "bob")
    )
    group.invalid("sealed for another author", good | {"encryptedPayload": elsewhere}, "authFailed", "Sealed")
    another = commitment(parts.hardened("another blinding"))
    group.invalid(
        "the commitment of another answer",
        good | {"commitmentHash": another},
        "commitmentMismatch",
        "Commitment",
    )
    bare = commitment(compat(parts.ANSWER))
    group.invalid(
        "the commitment of the bare answer",
        good | {"commitmentHash": bare},
        "commitmentMismatch",
        "Commitment",
    )
    group.invalid("another pin", good | {"pinnedCommitment": another}, "pinMismatch", "Pin")
    for comment, payload in broken_payloads():
        flag = "Members" if "_" in comment else "Payload"
        group.invalid(comment, case(payload, comment), "malformed", flag)
    whole = parts.hardened("escaped")
    escaped = whole.replace(b"/", b"\\/")
    group.invalid(
        "_ members, escaped, canonical form committed to",
        case(escaped, "escaped", committed=whole),
        "malformed",
        "Members",
    )
    group.invalid("_ members, escaped, committed to so", case(escaped, "escaped 2"), "malformed", "Members")
    for comment, payload in forged_payloads():
        group.invalid(comment, case(payload, comment), "macInvalid", "MAC")
    for place in ("daily:2026-11-21", "daily:2025-11-20", "thread:t", "thread:daily:2026-11-20"):
        group.invalid(f"shown at {place}", good | {"place": place}, "placeMismatch", "OtherPlace")
    in_thread = case(parts.hardened("thread", place="thread:t1"), "in a thread", place="thread:t2")
    group.invalid("shown in another thread", in_thread, "placeMismatch", "OtherPlace")


def order(group: Group, good: dict) -> None:
    pin = {"pinnedCommitment": commitment(b"another")}
    other = {"commitmentHash": commitment(b"another")}
    forged = case(next(payload for _, payload in forged_payloads()), "order")
    group.invalid(
        "no keybox of ours, and another pin", good | pin | {"recipientId": "carol"}, "authFailed", "Order"
    )
    group.invalid("another commitment, which is pinned", good | other | pin, "commitmentMismatch", "Order")
    group.invalid(
        "another commitment, and another pin",
        good | other | {"pinnedCommitment": good["commitmentHash"]},
        "commitmentMismatch",
        "Order",
    )
    group.invalid(
        "another pin, and no object", case(b"[" + b" " * 40 + b"]", "order 2") | pin, "pinMismatch", "Order"
    )
    group.invalid("another pin, and a forged MAC", forged | pin, "pinMismatch", "Order")
    group.invalid("a forged MAC, and another place", forged | {"place": "thread:t"}, "macInvalid", "Order")


def main() -> None:
    file = VectorFile("reveal", "Sealed answer, from keybox to place", NOTES)
    group = file.group(
        "reveal", "cryptography", coupleKeyset=parts.COUPLE_KEYSET, identityKeyset=parts.IDENTITY_KEYSET
    )
    valid(group)
    good = shows(group, "the one that is changed", "Normal", parts.hardened("good"))
    keyboxes(group, good)
    faults(group, good)
    order(group, good)
    file.write()


main()
