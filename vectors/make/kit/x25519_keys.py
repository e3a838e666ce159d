"""X25519 keys that the makers share, and public keys of low order."""

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from kit.stream import stream

P = 2**255 - 19
LOW_ORDER = {
    "0": 0,
    "1": 1,
    "the prime": P,
    "the prime less 1": P - 1,
    "the prime and 1": P + 1,
    "0 with the highest bit": 1 << 255,
    "1 with the highest bit": 1 | 1 << 255,
    "of order 8": 325606250916557431795983626356110631294008115727848805560023387167927233504,
    "of order 8, the other": 39382357235489614581723060781553021112529911719440698176882885853963445705823,
}
ALICE, BOB, EVE = (
    X25519PrivateKey.from_private_bytes(stream(f"chat {name}", 32)) for name in ("alice", "bob", "eve")
)


def bytes_of(number: int) -> bytes:
    return number.to_bytes(32, "little")
