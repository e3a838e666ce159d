"""Protobuf written by hand, so that it can be written wrongly: a message is a list of fields, each (number, value)."""

from collections.abc import Callable

AES = {2: {1: {2: {}}}}
PUBLIC_KEY = {2: {1: {}, 2: {2: {2: {}}}}}
ECIES_PUBLIC = {2: {1: {2: PUBLIC_KEY}}}
ECIES_PRIVATE = {2: {1: {2: {2: PUBLIC_KEY}}}}


class Raw(bytes):
    """Stands in a message as it is."""


def varint(number: int, byte_count: int = 0) -> bytes:
    """Minimal, or with zeros behind it up to so many bytes."""
    parts = []
    while number or not parts or len(parts) < byte_count:
        parts.append(number & 0x7F)
        number >>= 7
    return bytes([part | 0x80 for part in parts[:-1]] + parts[-1:])


def split(message: bytes, shape: dict) -> list:
    """The fields of a message that Tink wrote; those of `shape` are messages, too."""
    fields, place = [], 0
    while place < len(message):
        tag, place = _number(message, place)
        value, place = _number(message, place)
        if tag & 7:
            value, place = message[place : place + value], place + value
            value = split(value, shape[tag >> 3]) if tag >> 3 in shape else value
        fields.append((tag >> 3, value))
    return fields


def join(fields: list) -> bytes:
    return b"".join(value if isinstance(value, Raw) else _field(number, value) for number, value in fields)


def at(fields: list, path: tuple[int, ...], change: Callable[[object], list]) -> list:
    """The fields with the first of `path` replaced by what `change` makes of its value: a list of fields."""
    number, rest = path[0], path[1:]
    place = next(place for place, field in enumerate(fields) if field[0] == number)
    value = fields[place][1]
    new = [(number, at(value, rest, change))] if rest else change(value)
    return fields[:place] + new + fields[place + 1 :]


def _field(number: int, value: object) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    content = join(value) if isinstance(value, list) else value
    return varint(number << 3 | 2) + varint(len(content)) + content


def _number(message: bytes, place: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = message[place]
        number, shift, place = number | (byte & 0x7F) << shift, shift + 7, place + 1
        if byte < 0x80:
            return number, place
