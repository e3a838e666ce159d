"""Makes v1/field_v2.json: `enc:v2:` tokens, which are bound to a place. Those of one group are Tink's; all are opened by Tink."""

import base64
import json

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from tink.proto import tink_pb2

from kit import FOLDER, answer_parts, archives
from kit.aes_keys import binary, entry, key_bytes, keyset, sealed
from kit.changes import flipped, respelled_standard
from kit.frame import Group, VectorFile
from kit.stream import stream

import theirs  # the partner's: its folder is on the path once kit is there
from partner.encoding import length_prefixed

NOTES = {
    "Normal": "A field as an app writes it",
    "Size": "Empty, one byte, around the borders of blocks, 64 KiB",
    "Text": "Plaintext is verbatim: nothing is trimmed or composed",
    "Rotation": "Older keys stay enabled for reading",
    "CoupleId": "The couple's id is a part of the associated data, exactly as it is written",
    "Place": "So is the place, which the token does not contain: 1 to 512 characters of printable ASCII, as they are written",
    "Swapped": "A field of the same couple at the place of another one",
    "Unbound": "A token of version 1, which is bound to no place, where the reader has a place",
    "AssociatedData": "The ciphertext is tied to something else than name, couple and place, each behind its count of bytes",
    "Identifier": "An id has 1 to 128 of ASCII's letters and digits and . _ - : @ +",
    "Archive": "Both answers to a question, as in closer-keys-formats(7), ARCHIVES: a field like any other, and no proof",
    "Modified": "A byte changed, was cut off or was added",
    "OtherKey": "No enabled key has the id that the ciphertext names",
    "Token": "Not the token's name, another version, or white space around it",
    "Base64": "Another spelling of the same bytes, or no base64: a token has one spelling",
    "Truncated": "Too short for a prefix, a nonce and a tag",
}
GOLDEN = json.loads((FOLDER / "golden.json").read_text())
NAME, COUPLE, PLACE = "closer-keys/v2/field", "couple_1", "users/alice/encryptedStatus"
OTHER_PLACE = "users/bob/encryptedStatus"
TEXTS = ("hello ❤", " leading and trailing \n", "e\u0301 is not é", "a\r\nb\x00c", '{"a":1}')
PLACES = (
    "x",
    " ",
    "~",
    "this_or_that/s_1/alice",
    'a "quoted" \\ place, | and /',
    "".join(map(chr, range(0x20, 0x7F))),
    "p" * 512,
)
OTHER_PLACES = (
    OTHER_PLACE,
    "users/alice/encryptedStatu",
    "users/alice/encryptedStatus2",
    "users/alice/encryptedStatus ",
    " users/alice/encryptedStatus",
    "users/alice/encryptedstatus",
    "users/alice//encryptedStatus",
    "/users/alice/encryptedStatus",
    "x",
)
NO_PLACES = ("", "p" * 513, "users/käthe", "a\nb", "a\tb", "a\x00b", "a\x7f", "a\u00a0b", "ａ", "a\n")


def data(couple: str = COUPLE, place: str = PLACE) -> bytes:
    return length_prefixed(NAME.encode(), couple.encode(), place.encode())


def token(box: bytes) -> str:
    return "enc:v2:" + base64.b64encode(box).decode()


def case_of(text: str, couple: str = COUPLE, place: str = PLACE) -> dict:
    return {"token": text, "coupleId": couple, "place": place}


def valid(group: Group, comment: str, case: dict, plaintext: bytes, *flags: str) -> dict:
    trace = {"associatedData": data(case["coupleId"], case["place"])}
    return group.valid(comment, case, {"plaintext": plaintext}, *flags, trace=trace)


def opens(group: Group, comment: str, key, plaintext: bytes, *flags: str, couple=COUPLE, place=PLACE) -> dict:
    made = token(sealed(key, plaintext, data(couple, place), comment))
    return valid(group, comment, case_of(made, couple, place), plaintext, *flags)


def of_manual(file: VectorFile, comment: str, text: bytes, iv: bytes, flag: str, place: str = PLACE) -> None:
    """An example of closer-keys-formats(7), under the couple key of golden.json."""
    keys = tink_pb2.Keyset.FromString(bytes.fromhex(GOLDEN["coupleKeyset"]["binaryHex"]))
    group = file.group("placedField.open", "cryptography", keyset=binary(keys))
    box = b"\x01" + keys.primary_key_id.to_bytes(4, "big") + iv
    box += AESGCM(key_bytes(keys.key[0])).encrypt(iv, text, data(place=place))
    valid(group, comment, case_of(token(box), place=place), text, flag)


def of_tink(file: VectorFile) -> None:
    keys = keyset(entry("field tink", 168496141))
    group = file.group("placedField.open", "tink", keyset=binary(keys))

    def made(comment: str, text: str, place: str) -> str:
        def make() -> str:
            return token(theirs.field_cipher(keys).encrypt(text.encode(), data(place=place)))

        return file.kept("placedField.open", "tink", comment, "token", make)

    for number, text in enumerate(TEXTS):
        comment = f"text {number}"
        case = case_of(made(comment, text, PLACE))
        valid(group, comment, case, text.encode(), "Text")
    for place in PLACES:
        comment = f"place {place[:12]!a}, {len(place)} characters"
        case = case_of(made(comment, "hello", place), place=place)
        valid(group, comment, case, b"hello", "Place")
    of_alice = valid(group, "alice's", case_of(made("alice's", "home", PLACE)), b"home", "Normal")
    in_bobs = case_of(made("bob's", "away", OTHER_PLACE), place=OTHER_PLACE)
    of_bob = valid(group, "bob's", in_bobs, b"away", "Normal")
    group.invalid("bob's in alice's place", of_alice | {"token": of_bob["token"]}, "authFailed", "Swapped")
    group.invalid("alice's in bob's place", of_bob | {"token": of_alice["token"]}, "authFailed", "Swapped")


def of_us(file: VectorFile) -> None:
    key = entry("field", 305419896)
    old = entry("field old", 200)
    off = entry("field off", 3000, tink_pb2.TINK, tink_pb2.DISABLED)
    group = file.group("placedField.open", "cryptography", keyset=binary(keyset(key, old, off)))
    for size in (0, 1, 15, 16, 17, 1000, 1 << 16):
        opens(group, f"{size} bytes", key, stream(f"field {size}", size), "Size")
    for couple in ("a", "A.b_c-d:e@f+g", "x" * 128):
        opens(group, f"couple id {couple[:20]}", key, b"hello", "CoupleId", couple=couple)
    opens(group, "under an older key", old, b"hello", "Rotation")
    for comment, of_another, error in (
        ("under a disabled key", off, "noKey"),
        ("under another couple's key", entry("field stranger", 4000), "noKey"),
        ("under a key with the same id", entry("field impostor", 305419896), "authFailed"),
    ):
        text = token(sealed(of_another, b"hello", data(), comment))
        group.invalid(comment, case_of(text), error, "OtherKey")
    good = opens(group, "nothing changed", key, b"hello there", "Normal")
    refuse_bindings(group, good, key)
    refuse(group, good)


def refuse_bindings(group: Group, good: dict, key) -> None:
    for place in OTHER_PLACES:
        group.invalid(f"place {place!a}", good | {"place": place}, "authFailed", "Place")
    for place in NO_PLACES:
        comment = f"place {place[:12]!a}, {len(place)} characters"
        group.invalid(comment, good | {"place": place}, "malformed", "Place")
    for couple in ("couple_2", "Couple_1", "couple_"):
        group.invalid(f"couple id {couple}", good | {"coupleId": couple}, "authFailed", "CoupleId")
    for couple in ("", "couple 1", "couple|1", "cöuple", "x" * 129):
        comment = f"couple id {couple[:10]!a}, {len(couple)} characters"
        group.invalid(comment, good | {"coupleId": couple}, "malformed", "Identifier")
    moved = {"coupleId": COUPLE + "u", "place": PLACE[1:]}
    group.invalid("the place's first letter in the id", good | moved, "authFailed", "Place")
    for comment, other in (
        ("the couple alone, as in version 1", COUPLE.encode()),
        ("name, couple and place without counts", (NAME + COUPLE + PLACE).encode()),
        ("without the name", length_prefixed(COUPLE.encode(), PLACE.encode())),
        ("another name", length_prefixed(b"closer-keys/v1/field", COUPLE.encode(), PLACE.encode())),
        ("place before couple", length_prefixed(NAME.encode(), PLACE.encode(), COUPLE.encode())),
        ("nothing", b""),
    ):
        text = token(sealed(key, b"hello", other, comment))
        group.invalid(f"tied to {comment}", case_of(text), "authFailed", "AssociatedData")
    of_version_1 = base64.b64encode(sealed(key, b"hello", COUPLE.encode(), "v1")).decode()
    group.invalid("version 1", good | {"token": "enc:v1:" + of_version_1}, "unbound", "Unbound")
    renamed = good["token"].replace("enc:v2:", "enc:v1:")
    group.invalid("renamed to version 1", good | {"token": renamed}, "unbound", "Unbound")


def refuse(group: Group, case: dict) -> None:
    text, payload = case["token"], case["token"].removeprefix("enc:v2:")
    box = base64.b64decode(payload)
    for place, error in ((0, "noKey"), (4, "noKey"), (5, "authFailed"), (17, "authFailed"), (-1, "authFailed")):
        changed = token(flipped(box, place))
        group.invalid(f"byte {place} changed", case | {"token": changed}, error, "Modified")
    group.invalid("a byte less", case | {"token": token(box[:-1])}, "authFailed", "Modified")
    group.invalid("a byte more", case | {"token": token(box + b"\0")}, "authFailed", "Modified")
    for count in (1, 27, 32):
        group.invalid(f"{count} bytes", case | {"token": token(box[:count])}, "malformed", "Truncated")
    for prefix in ("", "enc:v3:", "enc:v2", "enc:v2::", "ENC:v2:", "enc:v02:", "enc:v20:", "sealed:v1:", "еnc:v2:"):
        group.invalid(f"prefix {prefix!a}", case | {"token": prefix + payload}, "malformed", "Token")
    for other in (text + "\n", " " + text, text + " ", text + "\0", "enc:v2:"):
        group.invalid(f"white space or nothing {len(other)}", case | {"token": other}, "malformed", "Token")
    url = payload.translate({ord("+"): "-", ord("/"): "_"})
    group.invalid("in base64url", case | {"token": "enc:v2:" + url}, "malformed", "Base64")
    for comment, other in respelled_standard(payload):
        group.invalid(comment, case | {"token": "enc:v2:" + other}, "malformed", "Base64")


def of_archives(file: VectorFile) -> None:
    new, old = answer_parts.COUPLE_KEYS
    group = file.group("placedField.open", "cryptography", keyset=answer_parts.COUPLE_KEYSET)

    def holds(comment: str, question, key, *flags: str) -> dict:
        text = archives.hardened(comment, question, key)
        return opens(group, comment, key, text, "Archive", *flags, place=archives.place(question))

    of_day = holds("an archive of a daily answer", archives.DAILY, new)
    of_thread = holds("an archive in a thread", archives.THREAD, new)
    holds("an older archive of that day under an older key, put back by the server", archives.DAILY, old, "Rotation")
    claim, comment = archives.bare("authenticated"), "an archive that says authenticated of an answer without a MAC"
    opens(group, comment, new, claim, "Archive", place=of_day["place"])
    for comment, token, question in (
        ("a day's archive at another day's place", of_day["token"], archives.OTHER_DAY),
        ("a day's archive at another question's place", of_day["token"], archives.OTHER_QUESTION),
        ("a thread's archive at a day's place", of_thread["token"], archives.DAILY),
    ):
        case = case_of(token, place=archives.place(question))
        group.invalid(comment, case, "authFailed", "Archive", "Swapped")


def main() -> None:
    file = VectorFile("field_v2", "Encrypted field that is bound to its place, enc:v2", NOTES)
    example = "the example of closer-keys-formats(7)"
    of_manual(file, example, GOLDEN["field"]["plaintext"].encode(), bytes(range(12)), "Normal")
    of_tink(file)
    of_us(file)
    of_archives(file)
    text, place = archives.bare("unauthenticated"), archives.place(archives.DAILY)
    of_manual(file, f"an archive, {example}", text, bytes(range(16, 28)), "Archive", place)
    file.write()


main()
