"""Makes v1/sealed_answer.json: answers opened with their one-time key, without the couple key.

closer-keys-formats(7), SEALED ANSWERS.
"""

import json

from kit import aes_keys, answer_parts as parts, keyset_faults
from kit.changes import flipped, respelled_url
from kit.frame import Group, VectorFile
from kit.stream import stream

import theirs
from partner.payload import android, commitment, compat

NOTES = {
    "Normal": "As the app seals it: a keyset of one key, a canonical payload",
    "RawKey": "A one-time key of 32 bytes: the ciphertext has no prefix",
    "Hardened": "A payload with the four members that bind it",
    "Android": "Escaped by Android; its canonical form was committed to, and is the payload",
    "Size": "The smallest payload that makes a token, and 64 KiB",
    "Context": "coupleId|questionId|userId is the associated data",
    "Identifier": "An id that is none, or a question's that is reserved",
    "OtherKey": "The one-time key of another answer",
    "Key": "No one-time key, or not in its one spelling: it comes from a partner",
    "Modified": "A byte of the sealed text changed, was cut off or was added",
    "Commitment": "Another content than was committed to",
    "Token": "Not the token's name, too short, or not in its one spelling",
}


def case(
    key: parts.OneTimeKey, payload: bytes, label: str, context=parts.CONTEXT, committed: bytes | None = None
) -> dict:
    return {
        "oneTimeKey": key.content,
        "userId": context.author,
        **parts.ids(context),
        "encryptedPayload": parts.sealed_text(key, payload, label, context),
        "commitmentHash": commitment(payload if committed is None else committed),
    }


def opens(
    group: Group, comment: str, flag: str, key: parts.OneTimeKey, payload: bytes, **more: object
) -> dict:
    made = case(key, payload, comment, **more)
    context = more.get("context", parts.CONTEXT)
    output = {"payload": more.get("committed", payload)}
    return group.valid(comment, made, output, flag, trace={"associatedData": context.of_payload()})


def valid(group: Group) -> None:
    key, raw, plain = parts.keyset_key("one-time"), parts.raw_key("one-time raw"), compat(parts.ANSWER)
    for name, each, flag in (("keyset", key, "Normal"), ("raw key", raw, "RawKey")):
        opens(group, f"compat, {name}", flag, each, plain)
        opens(
            group, f"hardened, {name}", "Hardened" if flag == "Normal" else flag, each, parts.hardened(name)
        )
        opens(group, f"Android, {name}", "Android", each, android(parts.ANSWER), committed=plain)
    for size in (32, 33, 255, 256, 1000, 1 << 16):
        text = json.dumps({"answer": "x" * (size - len('{"answer":""}'))}, separators=(",", ":")).encode()
        opens(group, f"{len(text)} bytes", "Size", key, text)
        if size < 256:
            opens(group, f"{len(text)} bytes, raw key", "RawKey", raw, text)
    opens(group, "27 bytes", "Size", key, b'{"answer":"yes","extra":12}')
    for key_id in (1, 128, 16384, 2097152, (1 << 32) - 1):
        opens(group, f"one-time key id {key_id}", "Normal", parts.keyset_key("one-time id", key_id), plain)
    ids = ("A.b_c-d:e@f+g", "x" * 128, "0")
    opens(group, "other ids", "Context", key, plain, context=parts.Context(*ids))


def invalid(group: Group) -> None:
    key, plain = parts.keyset_key("one-time"), compat(parts.ANSWER)
    good = case(key, plain, "invalid")
    for member, values in {
        "coupleId": ("couple_2", "Couple_1"),
        "questionId": ("q_43", "q_4"),
        "userId": ("bob", "alicE"),
    }.items():
        for value in values:
            group.invalid(f"{member} {value}", good | {member: value}, "authFailed", "Context")
        for value in ("", "a|b", "x" * 129, "é"):
            group.invalid(f"{member} {value[:5]!r}", good | {member: value}, "malformed", "Identifier")
    reserved = case(key, plain, "reserved", context=parts.Context("couple_1", "ck.rekey.1", "alice"))
    group.invalid("questionId ck.rekey.1", reserved, "malformed", "Identifier")
    joined = good | {"coupleId": "couple_1", "questionId": "q_42|alice", "userId": "x"}
    group.invalid("an id with a |", joined, "malformed", "Identifier")
    others = {
        "same id": parts.keyset_key("other"),
        "another id": parts.keyset_key("other", 5),
        "raw": parts.raw_key("other"),
        "its own bytes, raw": parts.OneTimeKey(aes_keys.key_bytes(key.entry), key.entry),
    }
    for name, other in others.items():
        group.invalid(f"another key, {name}", good | {"oneTimeKey": other.content}, "authFailed", "OtherKey")
    refuse_keys(group, good, key)
    box = parts.content_of(good["encryptedPayload"])
    for place in (0, 1, 4, 5, 16, 17, -17, -16, -1):
        other = parts.url("sealed:v1:", flipped(box, place))
        group.invalid(f"byte {place}", good | {"encryptedPayload": other}, "authFailed", "Modified")
    for name, other in (("a byte less", box[:-1]), ("a byte more", box + b"\0"), ("no prefix", box[5:])):
        group.invalid(
            name, good | {"encryptedPayload": parts.url("sealed:v1:", other)}, "authFailed", "Modified"
        )
    for name, committed in (
        ("other text", plain + b" "),
        ("Android's form", android(parts.ANSWER)),
        ("nothing", b""),
    ):
        group.invalid(
            f"committed to {name}",
            good | {"commitmentHash": commitment(committed)},
            "commitmentMismatch",
            "Commitment",
        )
    unparsable = case(key, b'{"a":1,"a":2,"padding":"..........."}', "twice", committed=plain)
    group.invalid("no canonical form, and another commitment", unparsable, "commitmentMismatch", "Commitment")
    refuse_tokens(group, good)


def refuse_keys(group: Group, good: dict, key: parts.OneTimeKey) -> None:
    two = aes_keys.binary(aes_keys.keyset(key.entry, aes_keys.entry("second", 9)))
    contents = {
        "31 bytes": key.content[:31],
        "33 bytes": stream("33", 33),
        "no bytes": b"",
        "two keys": two,
        "cut off": key.content[:-1],
        "a byte more": key.content + b"\0",
    }
    fields = keyset_faults.split(key.content, keyset_faults.AES)
    contents["fields in reverse"] = keyset_faults.join(fields[::-1])
    contents["an unknown field"] = keyset_faults.join([*fields, (15, 1)])
    path = (*keyset_faults.VALUE, 3)
    contents["an AES-128 key"] = keyset_faults.join(
        keyset_faults.at(fields, path, keyset_faults.sets(3, b"k" * 16))
    )
    for name, content in contents.items():
        group.invalid(f"one-time key: {name}", good | {"oneTimeKey": content}, "malformed", "Key")


def refuse_tokens(group: Group, good: dict) -> None:
    text = good["encryptedPayload"]
    payload = text.removeprefix("sealed:v1:")
    for prefix in ("", "sealed:v2:", "Sealed:v1:", "enc:v1:", "sealed:v1: "):
        group.invalid(
            f"prefix {prefix!r}", good | {"encryptedPayload": prefix + payload}, "malformed", "Token"
        )
    group.invalid(
        "79 characters", good | {"encryptedPayload": "sealed:v1:" + payload[:79]}, "malformed", "Token"
    )
    group.invalid("a line break behind it", good | {"encryptedPayload": text + "\n"}, "malformed", "Token")
    for comment, other in respelled_url(payload):
        group.invalid(comment, good | {"encryptedPayload": "sealed:v1:" + other}, "malformed", "Token")
    group.invalid(
        "a commitment of 42 letters",
        good | {"commitmentHash": good["commitmentHash"][:-1]},
        "malformed",
        "Token",
    )


def of_tink(file: VectorFile) -> None:
    group = file.group("answer.open", "tink")
    key, plain = parts.keyset_key("one-time"), compat(parts.ANSWER)
    cipher = theirs.field_cipher(aes_keys.keyset(key.entry))
    made = file.kept(
        "answer.open",
        "tink",
        "sealed by Tink",
        "encryptedPayload",
        lambda: parts.url("sealed:v1:", cipher.encrypt(plain, parts.CONTEXT.of_payload())),
    )
    group.valid(
        "sealed by Tink", case(key, plain, "") | {"encryptedPayload": made}, {"payload": plain}, "Normal"
    )


def main() -> None:
    file = VectorFile("sealed_answer", "Sealed answer, sealed:v1, with its one-time key", NOTES)
    of_tink(file)
    group = file.group("answer.open", "cryptography")
    valid(group)
    invalid(group)
    file.write()


main()
