"""Makes v1/file.json: a couple's files (closer-keys-formats(7), FILES). Some are Tink's, the others put together by pyca."""

import io

from tink import proto_keyset_format, secret_key_access, streaming_aead
from tink.proto import tink_pb2

from kit.aes_keys import binary, entry, key_bytes, keyset
from kit.changes import flipped
from kit.frame import Group, VectorFile
from kit.stream import stream
from kit.streaming_keys import segments, streaming_key
from partner.couple_key import subkey

NOTES = {
    "Normal": "A photo of a couple, under a subkey of the primary",
    "Size": "No byte, one, a block of the cipher, a few thousand",
    "AssociatedData": "The associated data is the HKDF's info, as in any stream",
    "Couple": "The subkey depends on the couple's id",
    "SeveralKeys": "There is no prefix: a subkey of every enabled key is tried",
    "OtherKey": "Under a key that is not there, or not enabled",
    "OtherSubkey": "Under the couple's key itself, or under a subkey for something else",
    "Segment": "A segment has 1 MiB; other sizes belong to keyset files",
    "Modified": "A byte changed or was added",
    "Truncated": "The end is missing",
    "Header": "The header's length is not 40, or the header is not whole",
}
COUPLE, DATA, PHOTO, MIB = "couple_1", b"photo.jpg", stream("file photo", 100), 1 << 20
NEW, OLD, OFF, GONE = entry("file", 168496141), entry("file old", 7), entry("file off", 8), entry("file gone", 9)
RAW = entry("file raw", 10, tink_pb2.RAW)
OFF.status = tink_pb2.DISABLED
KEYS = binary(keyset(NEW, OLD, RAW, OFF))


def file_key(key=NEW, couple: str = COUPLE, label: str = "file", segment: int = MIB):
    return streaming_key(subkey(key_bytes(key), label, couple), key.key_id, segment)


def sealed(key, text: bytes = PHOTO, data: bytes = DATA) -> bytes:
    return b"".join(segments(key, text, data, f"file {key.key_id}")[0])


def case(ciphertext: bytes, data: bytes = DATA, couple: str = COUPLE) -> dict:
    return {"ciphertext": ciphertext, "associatedData": data, "coupleId": couple}


def of_tink(file: VectorFile) -> None:
    group = file.group("file.open", "tink", keyset=KEYS)
    content = binary(keyset(file_key()))
    for size, data in ((0, DATA), (100, DATA), (1000, b"")):
        comment, text = f"{size} bytes by Tink", stream(f"file {size}", size)
        box = file.kept(
            "file.open", "tink", comment, "ciphertext", lambda: sealed_by_tink(content, text, data)
        )
        group.valid(comment, case(box, data), {"plaintext": text}, "Normal")


def sealed_by_tink(content: bytes, text: bytes, data: bytes) -> bytes:
    handle = proto_keyset_format.parse(content, secret_key_access.TOKEN)
    target = io.BytesIO()
    target.close = lambda: None  # the sealing stream closes what it writes to
    with handle.primitive(streaming_aead.StreamingAead).new_encrypting_stream(target, data) as source:
        source.write(text)
    return target.getvalue()


def valid(group: Group) -> None:
    for size in (0, 1, 16, 5000):
        text = stream(f"file {size}", size)
        group.valid(f"{size} bytes", case(sealed(file_key(), text)), {"plaintext": text}, "Size")
    for data in (b"", "übung.pdf".encode()):
        box = sealed(file_key(), data=data)
        group.valid(f"associated data of {len(data)}", case(box, data), {"plaintext": PHOTO}, "AssociatedData")
    for couple in ("c", "x" * 128):
        box = sealed(file_key(couple=couple))
        group.valid(f"a couple's id of {len(couple)}", case(box, couple=couple), {"plaintext": PHOTO}, "Couple")
    for name, key in {"the older key": OLD, "a key without a prefix": RAW}.items():
        group.valid(name, case(sealed(file_key(key))), {"plaintext": PHOTO}, "SeveralKeys")


def invalid(group: Group) -> None:
    whole = sealed(file_key())

    def refuse(comment: str, flag: str, box: bytes = whole, error: str = "authFailed", **changes) -> None:
        group.invalid(comment, case(box, **changes), error, flag)

    refuse("a file of another couple", "Couple", couple="couple_2")
    refuse("another couple's file", "Couple", sealed(file_key(couple="couple_2")))
    for couple in ("", "a|b"):
        refuse(f"a couple named {couple!r}", "Couple", error="malformed", couple=couple)
    refuse("under a disabled key", "OtherKey", sealed(file_key(OFF)))
    refuse("under a key that is not there", "OtherKey", sealed(file_key(GONE)))
    refuse("under the couple's key itself", "OtherSubkey", sealed(streaming_key(key_bytes(NEW), 1, MIB)))
    for label in ("fingerprint", "sealed-mac", "File"):
        refuse(f"under the subkey {label}", "OtherSubkey", sealed(file_key(label=label)))
    refuse("in segments of 4 KiB", "Segment", sealed(file_key(segment=4096), stream("file 5000", 5000)))
    for name, place in {"salt's first": 1, "nonce's last": 39, "content's first": 40, "tag's last": -1}.items():
        refuse(f"{name} byte", "Modified", flipped(whole, place))
    refuse("a byte more", "Modified", whole + b"\0")
    refuse("the last byte is missing", "Truncated", whole[:-1])
    refuse("the last 16 bytes are missing", "Truncated", whole[:-16])
    for count in (0, 40, 55):
        refuse(f"{count} bytes", "Header", whole[:count], "malformed")
    refuse("header length 24", "Header", b"\x18" + whole[1:], "malformed")
    refuse("other associated data", "AssociatedData", data=b"photo.jp")


def main() -> None:
    file = VectorFile("file", "A couple's files: Tink streaming AEAD under a subkey, HKDF-SHA256", NOTES)
    of_tink(file)
    group = file.group("file.open", "cryptography", keyset=KEYS)
    group.valid("a photo", case(sealed(file_key())), {"plaintext": PHOTO}, "Normal")
    valid(group)
    invalid(group)
    file.write()


main()
