"""What protobuf's own reader lets pass: groups, fixed-width fields, a second value for a field that has one."""

import ecies
from checks import Refused

REPEATED = "repeated"
PUBLIC_KEY = {
    1: None,
    2: {1: {1: None, 2: None, 11: None}, 2: {2: {1: None, 2: {2: None, 3: None}, 3: None}}, 3: None},
    3: None,
    4: None,
}
AES_KEY = {1: None, 3: None}
STREAMING_KEY = {1: None, 2: {1: None, 2: None, 3: None}, 3: None}
VALUES = {
    ecies.TYPE + "AesGcmKey": AES_KEY,
    ecies.PRIVATE: {1: None, 2: PUBLIC_KEY, 3: None},
    ecies.PUBLIC: PUBLIC_KEY,
    ecies.TYPE + "AesGcmHkdfStreamingKey": STREAMING_KEY,
}
# A key's value is a message of the type that stands before it.
KEYSET = {1: None, 2: {REPEATED: True, 1: {1: None, 2: VALUES, 3: None}, 2: None, 3: None, 4: None}}


def check(message: bytes, shape: dict) -> None:
    """Known fields once, unless they are repeated; unknown ones as often as they like."""
    fields = list(_fields(message))
    for number in shape:
        values = [value for found, value in fields if found == number]
        inner = shape[number]
        if len(values) > 1 and not (isinstance(inner, dict) and REPEATED in inner):
            raise Refused("malformed")
        for value in values:
            if isinstance(value, int) and value >= 1 << 32:
                raise Refused("malformed")
            if inner is VALUES:
                url = next((value for found, value in fields if found == 1), b"")
                inner = VALUES.get(url.decode(errors="replace"), {})
            if isinstance(inner, dict) and isinstance(value, bytes):
                check(value, {name: part for name, part in inner.items() if name != REPEATED})


def _fields(message: bytes):
    place = 0
    while place < len(message):
        tag, place = _varint(message, place)
        if not 0 < tag >> 3 < 1 << 29 or tag & 7 not in (0, 2):
            raise Refused("malformed")
        value, place = _varint(message, place)
        if tag & 7 == 0:
            # A number in place of bytes, or the other way round, is an unknown field.
            yield tag >> 3, value
            continue
        if place + value > len(message):
            raise Refused("malformed")
        yield tag >> 3, message[place : place + value]
        place += value


def _varint(message: bytes, place: int) -> tuple[int, int]:
    for count in range(1, 11):
        part = message[place : place + count]
        if len(part) < count:
            break
        if part[-1] < 0x80:
            number = sum((byte & 0x7F) << 7 * shift for shift, byte in enumerate(part))
            if number < 1 << 64:
                return number, place + count
            break
    raise Refused("malformed")
