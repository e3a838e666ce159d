"""Bytes in the place of an ephemeral point that are no point, or not in the key's form."""

from collections.abc import Iterator

P = 2**256 - 2**224 + 2**192 + 2**96 - 1


def points(kem: bytes) -> Iterator[tuple[str, bytes]]:
    x, y = kem[1:33], kem[33:]
    for first in (0, 2, 3, 5, 6, 7):
        yield f"first byte {first:02x}", bytes([first]) + x + y
    yield "y negated", b"\4" + x + (P - int.from_bytes(y)).to_bytes(32)
    yield "x and y exchanged", b"\4" + y + x
    yield "a point of the twist: x 1, y 1", b"\4" + (1).to_bytes(32) + (1).to_bytes(32)
    yield "0 and 0", b"\4" + bytes(64)
    yield "all ones", b"\4" + b"\xff" * 64
    yield "x is the prime", b"\4" + P.to_bytes(32) + y
    yield "y is the prime", b"\4" + x + P.to_bytes(32)
    yield "the point at infinity", bytes(65)
    yield "compressed", bytes([2 + y[-1] % 2]) + x
    yield "without its first byte", x + y
