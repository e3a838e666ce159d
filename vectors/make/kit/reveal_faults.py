"""Payloads that were committed to and must not be shown: no object, not whole, or nobody's of the couple."""

import json
from collections.abc import Iterator

from kit import aes_keys, answer_parts as parts

from partner import couple_key
from partner.canonical import canonical
from partner.contexts import Context
from partner.payload import mac


def broken_payloads() -> Iterator[tuple[str, bytes]]:
    yield "an array", b'["a payload that is no object"]'
    yield "a text", b'"a payload that is no object..."'
    yield "no JSON", b"this is a payload without JSON"
    yield "no bytes at all", b""
    yield "cut off", b'{"answer":"and there is no end to it"'
    yield "something behind it", b'{"answer":"and there is more to it"}x'
    yield "a name twice", b'{"answer":"yes","answer":"no, by all means"}'
    yield "a name twice, escaped", b'{"answer":"yes","\\u0061nswer":"no, by all means"}'
    yield "an integer beyond 2^53", b'{"answer":"yes","number":9007199254740993}'
    yield "a number that overflows", b'{"answer":"yes","number":1e400}'
    yield "a lone surrogate", b'{"answer":"yes, but \\ud800 is none"}'
    yield "no UTF-8", b'{"answer":"yes, but \xff is none"}....'
    yield "a byte order mark", b"\xef\xbb\xbf" + b'{"answer":"behind a mark"}'
    yield "17 levels", b'{"answer":' + b"[" * 16 + b"]" * 16 + b"}"
    yield "NaN", b'{"answer":"yes","number":NaN}'
    large = json.dumps({"answer": "x" * (1 << 16)}).encode()
    yield "more than 64 KiB", large
    whole = json.loads(parts.hardened("broken"))
    for name in ("_b", "_c", "_p", "_m"):
        yield f"without {name}", canonical({key: value for key, value in whole.items() if key != name})
        yield f"only {name}", canonical({"answer": "yes", "schemaVersion": 3, name: whole[name]})
        yield f"{name} is a number", canonical(whole | {name: 0})
        yield f"{name} is null", canonical(whole | {name: None})
    yield "_ members, with white space", json.dumps(whole, ensure_ascii=False, sort_keys=True).encode()
    yield (
        "_ members, out of order",
        json.dumps(dict(reversed(whole.items())), ensure_ascii=False, separators=(",", ":")).encode(),
    )


def forged_payloads() -> Iterator[tuple[str, bytes]]:
    whole = json.loads(parts.hardened("forged"))
    changes = {
        "answer": "no",
        "schemaVersion": 4,
        "_b": "A" * 43,
        "_c": "daily:2026-11-21",
        "_p": whole["_p"] + "0",
        "extra": True,
    }
    for name, value in changes.items():
        yield f"{name} changed, and committed to anew", canonical(whole | {name: value})
    last = "A" if whole["_m"][0] != "A" else "B"
    yield "_m changed", canonical(whole | {"_m": last + whole["_m"][1:]})
    yield "_m cut to 16 bytes", canonical(whole | {"_m": whole["_m"][:21] + "A"})
    yield "_m is empty", canonical(whole | {"_m": ""})
    yield "another couple's key", parts.hardened("forged", key=aes_keys.entry("another couple", 1))
    yield "a disabled key", parts.hardened("forged", key=parts.DISABLED)
    contexts = {
        "another couple": Context("couple_2", "q_42", "alice"),
        "another question": Context("couple_1", "q_43", "alice"),
        "the reader": Context("couple_1", "q_42", "bob"),
    }
    for name, context in contexts.items():
        yield f"a MAC for {name}", parts.hardened("forged", context=context)
    yield "a MAC under the bare key", canonical(whole | {"_m": _with_subkey(whole, lambda key, *rest: key)})
    yield "a MAC under another subkey", canonical(whole | {"_m": _with_subkey(whole, _fingerprint)})


def _fingerprint(key: bytes, _label: str, couple: str) -> bytes:
    return couple_key.subkey(key, "fingerprint", couple)


def _with_subkey(members: dict, derive) -> str:
    """The MAC that another derivation of its key would give."""
    from partner import payload

    kept, payload.subkey = payload.subkey, derive
    try:
        return mac(members, aes_keys.key_bytes(parts.COUPLE_KEYS[0]), parts.CONTEXT)
    finally:
        payload.subkey = kept
