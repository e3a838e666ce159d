"""Makes v1/jcs.json: canonical JSON (RFC 8785) by the package rfc8785, and texts that are refused.

The texts of the valid cases are made by Python's json with other spellings of the same value; what each stands
for, and its one canonical form, is the other library's word.
"""
import json
import pathlib
import random
import struct
from importlib.metadata import version

import rfc8785

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


def main():
    generator = random.Random(8785)
    values = VALUES + NUMBERS + [number for number in doubles(generator, 400)]
    values.append({f"k{generator.randrange(10**6)}": generator.random() for _ in range(200)})
    valid = []
    invalid = [text.encode().hex() for text in REFUSED] + REFUSED_BYTES
    for value in values:
        canonical = rfc8785.dumps(value)
        texts = sorted({text.encode() for text in respelled(value)})
        if is_long_integer(canonical):
            invalid += [text.hex() for text in texts]
        else:
            valid += [{"text": text.hex(), "canonical": canonical.hex()} for text in texts]
    document = {"source": f"rfc8785 {version('rfc8785')}", "valid": valid, "invalid": invalid}
    target = pathlib.Path(__file__).parent.parent / "v1" / "jcs.json"
    target.write_text(json.dumps(document, indent=1) + "\n")
    print(target.name, {"valid": len(valid), "invalid": len(invalid)})


main()
