"""Makes v1/field.json: `enc:v1:` tokens. Those of one group are Tink's; all are opened by Tink.

closer-keys-formats(7), FIELDS.
"""

import base64

from tink.proto import tink_pb2

from kit.aes_keys import binary, entry, keyset, sealed
from kit.changes import flipped, respelled_standard
from kit.frame import Group, VectorFile
from kit.stream import stream

import theirs  # the partner's: its folder is on the path once kit is there

NOTES = {
    "Normal": "A field as the apps write it",
    "Size": "Empty, one byte, around the borders of blocks, 64 KiB",
    "Text": "Plaintext is verbatim: nothing is trimmed or composed",
    "Rotation": "Older keys stay enabled for reading",
    "CoupleId": "The couple's id is the associated data, exactly as it is written",
    "Identifier": "An id has 1 to 128 of ASCII's letters and digits and . _ - : @ +",
    "Modified": "A byte changed, was cut off or was added",
    "OtherKey": "No enabled key has the id that the ciphertext names",
    "Token": "Not the token's name, another version, or white space around it",
    "Base64": "Another spelling of the same bytes, or no base64: a token has one spelling",
    "Truncated": "Too short for a prefix, a nonce and a tag",
}
COUPLE = "couple_1"
TEXTS = (
    "hello ❤",
    " leading and trailing \n",
    "e\u0301 is not é",
    "שלום",
    "a\r\nb\x00c",
    '{"a":1}',
    "👩‍👩‍👧",
)
COUPLES = ("a", "0", "A.b_c-d:e@f+g", "x" * 128)


def token(box: bytes) -> str:
    return "enc:v1:" + base64.b64encode(box).decode()


def opens(group: Group, comment: str, key, plaintext: bytes, couple: str, *flags: str) -> dict:
    case = {"token": token(sealed(key, plaintext, couple.encode(), comment)), "coupleId": couple}
    return group.valid(comment, case, {"plaintext": plaintext}, *flags)


def of_tink(file: VectorFile) -> None:
    keys = keyset(entry("field tink", 168496141))
    group = file.group("field.open", "tink", keyset=binary(keys))
    for number, text in enumerate(TEXTS):
        comment = f"text {number}"
        made = file.kept(
            "field.open",
            "tink",
            comment,
            "token",
            lambda: token(theirs.field_cipher(keys).encrypt(text.encode(), COUPLE.encode())),
        )
        group.valid(comment, {"token": made, "coupleId": COUPLE}, {"plaintext": text.encode()}, "Text")


def of_us(file: VectorFile) -> None:
    key = entry("field", 305419896)
    old = entry("field old", 200)
    off = entry("field off", 3000, tink_pb2.TINK, tink_pb2.DISABLED)
    group = file.group("field.open", "cryptography", keyset=binary(keyset(key, old, off)))
    for size in (0, 1, 2, 15, 16, 17, 31, 32, 33, 1000, 1 << 16):
        opens(group, f"{size} bytes", key, stream(f"field {size}", size), COUPLE, "Size")
    for couple in COUPLES:
        opens(group, f"couple id {couple[:20]}", key, b"hello", couple, "CoupleId")
    opens(group, "under an older key", old, b"hello", COUPLE, "Rotation")
    case = {"token": token(sealed(off, b"hello", COUPLE.encode(), "off")), "coupleId": COUPLE}
    group.invalid("under a disabled key", case, "noKey", "OtherKey")
    short = token(sealed(off, b"", COUPLE.encode(), "off")[:32])
    group.invalid("32 bytes with a disabled key's id", {"token": short, "coupleId": COUPLE}, "noKey", "OtherKey")
    stranger = entry("field stranger", 4000)
    case = {"token": token(sealed(stranger, b"hello", COUPLE.encode(), "stranger")), "coupleId": COUPLE}
    group.invalid("under another couple's key", case, "noKey", "OtherKey")
    impostor = entry("field impostor", 305419896)
    case = {"token": token(sealed(impostor, b"hello", COUPLE.encode(), "impostor")), "coupleId": COUPLE}
    group.invalid("under a key with the same id", case, "authFailed", "OtherKey")
    refuse(group, opens(group, "nothing changed", key, b"hello", COUPLE, "Normal"))


def refuse(group: Group, case: dict) -> None:
    text, payload = case["token"], case["token"].removeprefix("enc:v1:")
    box = base64.b64decode(payload)
    for place, error in (
        (0, "noKey"),
        (1, "noKey"),
        (4, "noKey"),
        (5, "authFailed"),
        (16, "authFailed"),
        (17, "authFailed"),
        (-17, "authFailed"),
        (-16, "authFailed"),
        (-1, "authFailed"),
    ):
        group.invalid(
            f"byte {place} changed", case | {"token": token(flipped(box, place))}, error, "Modified"
        )
    group.invalid("a byte less", case | {"token": token(box[:-1])}, "authFailed", "Modified")
    group.invalid("a byte more", case | {"token": token(box + b"\0")}, "authFailed", "Modified")
    for count in (1, 5, 27, 32):
        group.invalid(f"{count} bytes", case | {"token": token(box[:count])}, "malformed", "Truncated")
    for couple in ("couple_2", "Couple_1", "couple_", "couple_11", "1_elpuoc"):
        group.invalid(f"couple id {couple}", case | {"coupleId": couple}, "authFailed", "CoupleId")
    for couple in ("", "couple 1", "couple|1", "cöuple", "x" * 129, "couple_1\n", "couple/1"):
        group.invalid(
            f"couple id {couple[:10]!a}, {len(couple)} characters",
            case | {"coupleId": couple},
            "malformed",
            "Identifier",
        )
    for prefix in ("", "enc:v2:", "enc:v1", "enc:v1::", "ENC:v1:", "enc:v01:", "sealed:v1:", "еnc:v1:"):
        group.invalid(f"prefix {prefix!a}", case | {"token": prefix + payload}, "malformed", "Token")
    for other in (text + "\n", " " + text, text + " ", text + "\0", "enc:v1:"):
        group.invalid(f"white space or nothing {len(other)}", case | {"token": other}, "malformed", "Token")
    group.invalid("unpadded", case | {"token": "enc:v1:" + payload.rstrip("=")}, "malformed", "Base64")
    url = payload.translate({ord("+"): "-", ord("/"): "_"})
    group.invalid("in base64url", case | {"token": "enc:v1:" + url}, "malformed", "Base64")
    for comment, other in respelled_standard(payload):
        group.invalid(comment, case | {"token": "enc:v1:" + other}, "malformed", "Base64")


def main() -> None:
    file = VectorFile("field", "Encrypted field, enc:v1", NOTES)
    of_tink(file)
    of_us(file)
    file.write()


main()
