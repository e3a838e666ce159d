"""The JSON of bound messages: what a message may say, and what it may not."""

import json
from collections.abc import Iterator

from kit.bound_sealer import sealed_json

FIRST = {"at": 1764396000000, "body": "run at 7?", "kind": "text", "n": 1}
SECOND = {
    "at": 1765000800001, "body": "🏃", "kind": "reaction", "n": 2, "payload": {"a": "é", "z": [1, True, None]}, "replyTo": "m1", "seen": 1,
}  # fmt: skip
KINDS = "text image file voice diet_plan workout_plan challenge receipt room room-leave room-gone".split()
REFERRING = ("reaction", "edit", "delete")
LAST = 2**53 - 1


def nested(depth: int) -> dict:
    return {"a": nested(depth - 1)} if depth > 1 else {}


def good() -> Iterator[tuple[str, str, dict]]:
    """A comment, a flag, and what is said beside or in place of FIRST."""
    for kind in KINDS:
        yield f"kind {kind}", "Kind", {"kind": kind}
    for kind in REFERRING:
        yield f"kind {kind}", "Kind", {"kind": kind, "replyTo": "m0"}
    for kind in ("poll", "x" * 128, "Text"):
        yield f"kind {kind[:9]}, which this version may not know", "Kind", {"kind": kind}
    for name, values in {
        "n": (LAST,), "at": (0, LAST), "seen": (0, LAST), "expires": (0, LAST), "cut": (True,), "replyTo": ("m0", "x" * 128),
        "payload": ({}, {"read": 7, "failed": ["m1", "m2"]}, {"\u20ac": 1, "\U0001f600": 2, "\ufb33": 3, "a": [1e21, 0.1, -5]}),
    }.items():  # fmt: skip
        for value in values:
            yield f"{name}: {json.dumps(value)[:40]}", "Member", {name: value}
    yield "a payload of 16 levels", "Member", {"payload": nested(16)}
    yield "escapes", "Text", {"body": '"\\/\b\f\n\r\t\x00\x1f\x7f'}
    yield "characters of every width", "Text", {"body": "aß€\u2028𝄞\u0301"}
    least = len(sealed_json(FIRST | {"body": ""})) + 4
    for count in (0, 128 - least - 1, 128 - least, 128 - least + 1, 1000):
        yield f"a body of {count} bytes", "Size", {"body": "x" * count}
    yield "64 KiB of JSON", "Size", {"body": "x" * ((64 << 10) - least + 4)}


def bad() -> Iterator[tuple[str, str, bytes]]:
    """A comment, a flag, and a text."""
    for name in FIRST:
        yield f"no {name}", "Member", sealed_json({key: value for key, value in FIRST.items() if key != name})
    for name, values in {
        "n": (0, -1, 2**53, 1.5, "1", None, True), "at": (-1, 2**53, 0.5, "now", None), "body": (1, None, []),
        "kind": ("", "a b", 1, None, "x" * 129, "edit", "reaction", "delete"), "seen": (-1, 2**53, "1", None, 0.5),
        "replyTo": ("", "a|b", 1, None), "expires": (-1, 2**53, "never", None), "cut": (False, 1, None, "true"),
        "payload": ([], "text", None, 1),
    }.items():  # fmt: skip
        for value in values:
            changed = json.dumps(FIRST | {name: value}, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
            yield f"{name}: {json.dumps(value)[:20]}", "Member", changed.encode()
    yield "a payload of 17 levels", "Member", sealed_json(FIRST | {"payload": nested(17)})
    yield "another member", "Member", sealed_json(FIRST | {"type": "text"})
    text = sealed_json(FIRST)
    yield "a name twice", "JSON", text.replace(b'"n":1', b'"n":1,"n":1')
    yield "white space", "JSON", text.replace(b'"n"', b' "n"')
    yield "a line feed at the end", "JSON", text + b"\n"
    yield "another order", "JSON", b'{"kind":"text","at":1764396000000,"body":"run at 7?","n":1}'
    yield "an escape that canonical JSON lacks", "JSON", text.replace(b"run", b"\\u0072un")
    yield "a number that canonical JSON writes otherwise", "JSON", text.replace(b'"n":1', b'"n":1.0')
    yield "an array", "JSON", b"[1]"
    yield "no JSON", "JSON", b"run at 7?"
    yield "no bytes", "JSON", b""
    yield "a byte order mark", "JSON", b"\xef\xbb\xbf" + text
    yield "bytes that are not UTF-8", "JSON", text.replace(b"run", b"\xff\xfe\xfd")
