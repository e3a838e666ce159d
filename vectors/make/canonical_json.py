"""Makes v1/canonical_json.json: canonical JSON (RFC 8785) by the package rfc8785, and texts that are refused.

The texts of the valid cases are made by Python's json with other spellings of the same value; what each stands
for, and its one canonical form, is the other library's word.
"""
import functools
import json
import random
import struct

import rfc8785

from kit.frame import VectorFile

NOTES = {
    "Normal": "Another spelling of a value: white space, escapes, the order of members",
    "Number": "A double, printed by the rule of ECMAScript",
    "Syntax": "No JSON: RFC 8259",
    "DuplicateName": "Two members with one name: readers would differ",
    "Surrogate": "A surrogate without its other half is no character",
    "NumberRange": "An integer beyond 2^53 - 1, which readers round otherwise, or a number that overflows",
    "Depth": "More than 16 levels",
    "UTF8": "No UTF-8, or a byte order mark",
}

NUMBERS = [
    0, -0.0, 1, -1, 10, 0.5, 1e-6, 1e-7, 1.5e-9, 123456789012345680000.0, 1e21, 1e20, 9007199254740991,
    -9007199254740991, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 333333333.3333333,
    333333333.33333325, 1424953923781206.2, 4.35, 0.1, 1e23, 9.999999999999997e22, 52.52, 13.4, 0.000001, 100,
]
VALUES = [
    {}, [], None, True, False, "", "a", [1, [2, [3]]], {"b": 1, "a": 2}, {"a": {"c": [], "b": {}}},
    {"€": "Euro", "\r": "CR", "\ufb33": "Hebrew", "1": "One", "😀": "Emoji", "\x80": "Control", "ö": "Latin"},
    {"\ufb33": 1, "😀": 2}, {"answer": "yes", "schemaVersion": 3}, {"text": "a/b\\c\"d\b\f\n\r\t\x00\x1f\x7f"},
    {"e\u0301": 1, "\u00e9": 2}, "❤ \u2028 \u2029 </script>", {"": "empty name"}, [{"x": 0.1}, "\U0010ffff"],
    functools.reduce(lambda value, _: [value], range(15), []),
]
REFUSED = [
    "", " ", "{", "}", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "01", "-", "1.", ".5",
    "+1", "1e", "1e+", "0x1", "NaN", "Infinity", "nul", "True", "'a'", "\"\\x41\"", "\"\\u12\"", "\"\\ud800\"",
    "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"a", "\"\t\"", "\"\n\"", "{a:1}", "[1 2]", "{\"a\" 1}", "1 2", "\ufeff1",
    "9007199254740992", "-9007199254740992", "1e400", "-1e400", "123456789012345678901234567890", "// c\n1",
    "[" * 17 + "]" * 17, "[1]]", "{\"a\":}", "tru", "\"\\", "\"\\u", "-a", "\u00a01",
]
REFUSED_BYTES = ["22ff22", "22c3a922".replace("a9", ""), "22eda08022", "22c08022", "22f490808022", "22e282", "ff"]


def doubles(generator, count):
    while count:
        value = struct.unpack(">d", generator.randbytes(8))[0]
        if value == value and abs(value) != float("inf"):
            count -= 1
            yield value


def respelled(value):
    """Other spellings of one value: white space, escapes, reversed members."""
    yield json.dumps(value, ensure_ascii=True)
    yield json.dumps(value, ensure_ascii=False, indent=2)
    yield json.dumps(value, ensure_ascii=True).replace("/", "\\/")
    if isinstance(value, dict):
        yield json.dumps(dict(reversed(value.items())), separators=(" ,", ": "))


def is_long_integer(canonical):
    """Canonical, and yet an integer literal that the sealed answers' format refuses: a double between 2^53 and 10^21."""
    return canonical.lstrip(b"-").isdigit() and abs(int(canonical)) >= 2**53


def flag(text):
    """Why a text is refused."""
    if any(byte >= 0x80 for byte in text):
        return "UTF8"
    if text.startswith(b"[[[["):
        return "Depth"
    if b"\\ud" in text:
        return "Surrogate"
    if text.startswith(b'{"a":1,"'):
        return "DuplicateName"
    if text.strip(b"-").isdigit() and len(text) > 2 or b"e400" in text:
        return "NumberRange"
    return "Syntax"


def main():
    generator = random.Random(8785)
    values = VALUES + NUMBERS + [number for number in doubles(generator, 400)]
    values.append({f"k{generator.randrange(10**6)}": generator.random() for _ in range(200)})
    file = VectorFile("canonical_json", "Canonical JSON, RFC 8785, of strict JSON", NOTES)
    group = file.group("canonical", "rfc8785")
    refused = [(text.encode(), flag(text.encode())) for text in REFUSED]
    refused += [(bytes.fromhex(text), "UTF8") for text in REFUSED_BYTES]
    for value in values:
        canonical = rfc8785.dumps(value)
        texts = sorted({text.encode() for text in respelled(value)})
        if is_long_integer(canonical):
            refused += [(text, "NumberRange") for text in texts]
            continue
        for text in texts:
            kind = "Number" if isinstance(value, float) else "Normal"
            group.valid(text[:30].decode(errors="replace"), {"text": text}, {"canonical": canonical}, kind)
    for text, kind in refused:
        group.invalid(repr(text[:30])[2:-1], {"text": text}, "malformed", kind)
    file.write()


main()
