"""Makes v1/stream.json: Tink's streaming AEAD. Some are Tink's, the others put together by pyca.

closer-keys-formats(7), FILES.
"""

import io

from tink import proto_keyset_format, secret_key_access, streaming_aead

from kit.aes_keys import binary, keyset
from kit.changes import flipped
from kit.frame import Group, VectorFile
from kit.stream import stream
from kit.streaming_keys import segments, streaming_entry

NOTES = {
    "Normal": "A file of a few bytes",
    "Size": "Plaintexts around the borders of segments; nothing at all is one empty segment",
    "AssociatedData": "The associated data is the HKDF's info",
    "SeveralKeys": "There is no prefix: every enabled key is tried",
    "Modified": "A byte changed or was added",
    "Truncated": "The end is missing, at a segment's border or within one",
    "Order": "Segments exchanged, left out, doubled, or of another stream",
    "Header": "The header's length is not 40, or the header is not whole",
    "OtherKey": "Another key",
}
SMALL, LARGE = 1 << 12, 1 << 20
FIRST, REST = SMALL - 40 - 16, SMALL - 16
DATA = b"photo.jpg"


def of_tink(file: VectorFile) -> None:
    for segment, sizes in ((SMALL, (0, 1, FIRST, FIRST + 1)), (LARGE, (0, 1, 1000))):
        content = binary(keyset(streaming_entry(f"stream tink {segment}", 6, segment)))
        group = file.group("stream.open", "tink", keyset=content)
        for size in sizes:
            comment, text = f"{size} bytes in segments of {segment}", stream(f"stream {size}", size)
            box = file.kept(
                "stream.open", "tink", comment, "ciphertext", lambda: sealed_by_tink(content, text)
            )
            group.valid(comment, {"ciphertext": box, "associatedData": DATA}, {"plaintext": text}, "Size")


def sealed_by_tink(content: bytes, text: bytes) -> bytes:
    handle = proto_keyset_format.parse(content, secret_key_access.TOKEN)
    target = io.BytesIO()
    target.close = lambda: None  # the sealing stream closes what it writes to
    with handle.primitive(streaming_aead.StreamingAead).new_encrypting_stream(target, DATA) as source:
        source.write(text)
    return target.getvalue()


def opens(group: Group, comment: str, key, text: bytes, data: bytes, flag: str) -> list[bytes]:
    parts, derived = segments(key, text, data, comment)
    case = {"ciphertext": b"".join(parts), "associatedData": data}
    group.valid(comment, case, {"plaintext": text}, flag, trace={"derivedKey": derived})
    return parts


def valid(file: VectorFile) -> None:
    for segment in (SMALL, LARGE):
        key = streaming_entry(f"stream {segment}", 6, segment)
        group = file.group("stream.open", "cryptography", keyset=binary(keyset(key)))
        sizes = (
            (0, 1, 16, FIRST - 1, FIRST, FIRST + 1, FIRST + REST, FIRST + REST + 1)
            if segment == SMALL
            else (0, 1, 5000)
        )
        for size in sizes:
            opens(
                group,
                f"{size} bytes, segments of {segment}",
                key,
                stream(f"stream {size}", size),
                DATA,
                "Size",
            )
        for data in (b"", b"\0", "übung.pdf".encode(), b"x" * 1000):
            opens(
                group,
                f"associated data of {len(data)}, segments of {segment}",
                key,
                b"hello",
                data,
                "AssociatedData",
            )
    keys = [streaming_entry("stream first", 1, SMALL), streaming_entry("stream second", 2, LARGE)]
    group = file.group("stream.open", "cryptography", keyset=binary(keyset(*keys)))
    for key in keys:
        opens(group, f"under key {key.key_id}", key, b"one of two", DATA, "SeveralKeys")


def invalid(file: VectorFile) -> None:
    key, other = streaming_entry("stream", 6, SMALL), streaming_entry("stream other", 6, SMALL)
    group = file.group("stream.open", "cryptography", keyset=binary(keyset(key)))
    text = stream("stream invalid", FIRST + REST + 100)
    parts = opens(group, "three segments", key, text, DATA, "Normal")
    whole = b"".join(parts)
    case = {"ciphertext": whole, "associatedData": DATA}

    def refuse(comment: str, ciphertext: bytes, flag: str, error: str = "authFailed") -> None:
        group.invalid(comment, case | {"ciphertext": ciphertext}, error, flag)

    for name, place in {
        "salt's first": 1,
        "salt's last": 32,
        "nonce's first": 33,
        "nonce's last": 39,
        "first segment's first": 40,
        "first segment's tag": SMALL - 1,
        "second segment's first": SMALL,
        "last segment's tag": -1,
    }.items():
        refuse(f"{name} byte", flipped(whole, place), "Modified")
    refuse("a byte more", whole + b"\0", "Modified")
    refuse("the last byte is missing", whole[:-1], "Truncated")
    refuse("the last segment is missing", b"".join(parts[:-1]), "Truncated")
    refuse("two segments are missing", b"".join(parts[:2]), "Truncated")
    refuse("five bytes of the last segment", b"".join(parts[:-1]) + parts[-1][:5], "Truncated")
    header, first, second, last = parts
    another = segments(key, text, DATA, "another stream")[0]
    orders = {
        "the middle segment is missing": [header, first, last],
        "the middle segment twice": [header, first, second, second, last],
        "the last segment twice": [*parts, last],
        "a segment of another stream": [header, first, another[2], last],
        "another stream's header": [another[0], first, second, last],
    }
    for comment, order in orders.items():
        refuse(comment, b"".join(order), "Order")
    one = segments(key, b"hello", DATA, "one segment")[0]
    refuse("an empty segment more", b"".join(one) + bytes(16), "Modified")
    for length in (0, 39, 41):
        refuse(f"header length {length}", bytes([length]) + b"".join(one)[1:], "Header", "malformed")
    for count in (0, 1, 39, 40, 55):
        refuse(f"{count} bytes", b"".join(one)[:count], "Header", "malformed")
    refuse("under another key", b"".join(segments(other, b"hello", DATA, "other")[0]), "OtherKey")
    small = case | {"ciphertext": b"".join(one)}
    for data in (b"", b"photo.jp", b"Photo.jpg"):
        group.invalid(
            f"associated data {data!r}", small | {"associatedData": data}, "authFailed", "AssociatedData"
        )


def main() -> None:
    file = VectorFile("stream", "Tink streaming AEAD, AES-256-GCM, HKDF-SHA256", NOTES)
    of_tink(file)
    valid(file)
    invalid(file)
    file.write()


main()
