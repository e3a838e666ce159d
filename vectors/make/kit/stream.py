"""Bytes that depend on a label alone: what the makers use for keys, salts, nonces and contents."""

import hashlib


def stream(label: str, count: int) -> bytes:
    return hashlib.shake_256(label.encode()).digest(count)
