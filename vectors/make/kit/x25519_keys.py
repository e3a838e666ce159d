"""X25519 keys that the makers share, public keys of low order, and spellings that are not the one of their key."""

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
# A reader that follows RFC 7748 takes each for 9. In a document, an option or a vault a key has one spelling.
OTHER_SPELLINGS = {
    "9 with the highest bit": 9 | 1 << 255,
    "the prime and 9": P + 9,
    "the prime and 9 with the highest bit": P + 9 | 1 << 255,
}
ALICE, BOB, EVE = (
    X25519PrivateKey.from_private_bytes(stream(f"chat {name}", 32)) for name in ("alice", "bob", "eve")
)


def bytes_of(number: int) -> bytes:
    return number.to_bytes(32, "little")
