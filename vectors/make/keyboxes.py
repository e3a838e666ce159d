"""Makes v1/keybox.json: ECIES ciphertexts as tokens. Two are Tink's, the others pyca's.

closer-keys-formats(7), KEYBOXES.
"""

import base64

from tink.proto import tink_pb2

from kit import aes_keys
from kit.aes_keys import binary, keyset
from kit.changes import flipped, respelled_url
from kit.ecies_keys import Box, entry, ephemeral_with_zero, public, scalar, sealed
from kit.frame import Group, VectorFile
from kit.stream import stream

import theirs

NOTES = {
    "Normal": "As Tink writes it",
    "Context": "coupleId|questionId|sender|recipient, every byte and the order",
    "LeadingZero": "A shared secret, a coordinate or a scalar that begins with zero bytes: they are kept",
    "OneTimeKey": "What a keybox holds: a keyset of one key, or 32 raw bytes",
    "OtherKey": "Sealed to another key",
    "Modified": "A byte changed, was cut off or was added",
    "Token": "Not the token's name, another version, too short, or white space",
    "Base64": "Another spelling of the same bytes, or no base64",
}
KEY = entry(scalar("ecies"), 0x01020304)
CONTEXT = b"couple_1|q_42|alice|bob"


def token(box: bytes) -> str:
    return "keybox:v1:" + base64.urlsafe_b64encode(box).rstrip(b"=").decode()


def main() -> None:
    file = VectorFile("keybox", "Keybox, keybox:v1", NOTES)
    context = CONTEXT.decode()
    group = file.group("keybox.open", "tink", keyset=binary(keyset(KEY)))
    sealer = theirs.box_sealer(public(keyset(KEY)))
    one_time = {"a raw key": stream("one-time", 32), "a keyset": binary(keyset(one_time_entry()))}
    for name, content in one_time.items():
        made = file.kept(
            "keybox.open", "tink", name, "keybox", lambda: token(sealer.encrypt(content, CONTEXT))
        )
        group.valid(name, {"keybox": made, "context": context}, {"plaintext": content}, "OneTimeKey")

    group = file.group("keybox.open", "cryptography", keyset=binary(keyset(KEY)))
    for name, content in one_time.items():
        box = sealed(KEY, content, CONTEXT, f"keybox {name}")
        group.valid(
            f"{name}, known ephemeral key",
            {"keybox": token(box.ciphertext), "context": context},
            {"plaintext": content},
            "OneTimeKey",
            trace=box.trace,
        )
    for other in ("", "a|b|c|d", "x" * 515, "cöuple"):
        box = sealed(KEY, b"hello", other.encode(), f"keybox {other}")
        group.valid(
            f"context of {len(other)}",
            {"keybox": token(box.ciphertext), "context": other},
            {"plaintext": b"hello"},
            "Context",
            trace=box.trace,
        )
    for size in (0, 1, 16, 1000):
        box = sealed(KEY, stream("keybox", size), CONTEXT, f"keybox size {size}")
        group.valid(
            f"{size} bytes",
            {"keybox": token(box.ciphertext), "context": context},
            {"plaintext": stream("keybox", size)},
            "Normal",
            trace=box.trace,
        )
    box = sealed(KEY, one_time["a raw key"], CONTEXT, "keybox zero", ephemeral_with_zero(KEY))
    case = {"keybox": token(box.ciphertext), "context": context}
    group.valid("Z begins with 0", case, {"plaintext": one_time["a raw key"]}, "LeadingZero", trace=box.trace)
    refuse(group, sealed(KEY, one_time["a raw key"], CONTEXT, "keybox refused"), context)
    file.write()


def one_time_entry() -> tink_pb2.Keyset.Key:
    return aes_keys.entry("keybox one-time", 287454020)


def refuse(group: Group, sealed_box: Box, context: str) -> None:
    box, text = sealed_box.ciphertext, token(sealed_box.ciphertext)
    case = {"keybox": text, "context": context}
    for other in (
        "",
        "couple_1|q_42|bob|alice",
        "couple_1|q_42|alice",
        "couple_1|q_42|alice|bob|",
        "couple_2|q_42|alice|bob",
        "couple_1|q_43|alice|bob",
        "couple_1|q_42|alicia|bob",
        "couple_1|q_42|alice|rob",
    ):
        group.invalid(f"context {other}", case | {"context": other}, "authFailed", "Context")
    for place, error in (
        (0, "noKey"),
        (4, "noKey"),
        (5, "authFailed"),
        (40, "authFailed"),
        (75, "authFailed"),
        (90, "authFailed"),
        (-1, "authFailed"),
    ):
        group.invalid(f"byte {place}", case | {"keybox": token(flipped(box, place))}, error, "Modified")
    group.invalid("a byte less", case | {"keybox": token(box[:-1])}, "authFailed", "Modified")
    group.invalid("119 characters", case | {"keybox": text[: len("keybox:v1:") + 119]}, "malformed", "Token")
    payload = text.removeprefix("keybox:v1:")
    for prefix in ("", "keybox:v2:", "keybox:v1", "Keybox:v1:", "sealed:v1:", "keybox:v1: "):
        group.invalid(f"prefix {prefix!r}", case | {"keybox": prefix + payload}, "malformed", "Token")
    group.invalid("a line break behind it", case | {"keybox": text + "\n"}, "malformed", "Token")
    for comment, other in respelled_url(payload):
        group.invalid(comment, case | {"keybox": "keybox:v1:" + other}, "malformed", "Base64")
    impostor = sealed(entry(scalar("ecies impostor"), KEY.key_id), b"hello", CONTEXT, "impostor").ciphertext
    group.invalid(
        "sealed to another key with the same id", case | {"keybox": token(impostor)}, "authFailed", "OtherKey"
    )


main()
