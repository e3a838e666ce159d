"""Makes v1/x25519.json: agreements by pyca/cryptography, and the two that RFC 7748 published in §5.2."""

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from kit.frame import Group, VectorFile
from kit.stream import stream
from kit.x25519_keys import ALICE, BOB, LOW_ORDER, P, bytes_of

NOTES = {
    "Normal": "An agreement of two fresh keys, from either side",
    "RFC7748": "Published in RFC 7748",
    "HighBit": "The highest bit of a public key is ignored",
    "NotReduced": "A public key of the prime or more counts as its remainder",
    "Twist": "A point of the twist: taken as it is",
    "LowOrder": "The shared secret would be zero: everyone knows it",
    "Length": "A key has 32 bytes",
}
RFC7748 = (
    (
        "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
        "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    ),
    (
        "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
        "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
        "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
    ),
)


def agreements() -> None:
    file = VectorFile("x25519", "X25519", NOTES)
    group = file.group("x25519.agree", "cryptography")
    for private, public, shared in RFC7748:
        group.valid(
            f"RFC 7748 §5.2, {private[:8]}",
            {"privateKey": private, "publicKey": public},
            {"sharedSecret": shared},
            "RFC7748",
        )
    for number in range(12):
        pair = [
            X25519PrivateKey.from_private_bytes(stream(f"x25519 {side} {number}", 32))
            for side in ("ours", "theirs")
        ]
        for side, (ours, theirs) in enumerate((pair, pair[::-1])):
            agrees(
                group,
                f"pair {number}, side {side}",
                ours.private_bytes_raw(),
                theirs.public_key().public_bytes_raw(),
                "Normal",
            )
    private, public = ALICE.private_bytes_raw(), BOB.public_key().public_bytes_raw()
    agrees(group, "the highest bit set", private, public[:-1] + bytes([public[-1] | 0x80]), "HighBit")
    for number in (2, 3, 4, 5, 9):
        agrees(group, f"u = {number}", private, bytes_of(number), "Twist" if number == 2 else "Normal")
    for number in (9, 16, 18):
        agrees(group, f"u = the prime and {number}", private, bytes_of(P + number), "NotReduced")
    for scalar in (bytes(32), b"\xff" * 32):
        agrees(group, f"scalar {scalar[:1].hex()}…", scalar, public, "Normal")
    for name, number in LOW_ORDER.items():
        group.invalid(
            f"u = {name}", {"privateKey": private, "publicKey": bytes_of(number)}, "malformed", "LowOrder"
        )
    for count in (0, 31, 33):
        other = stream("length", count)
        group.invalid(
            f"a public key of {count} bytes",
            {"privateKey": private, "publicKey": other},
            "malformed",
            "Length",
        )
        group.invalid(
            f"a private key of {count} bytes",
            {"privateKey": other, "publicKey": public},
            "malformed",
            "Length",
        )
    file.write()


def agrees(group: Group, comment: str, private: bytes, public: bytes, flag: str) -> None:
    shared = X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(public))
    group.valid(comment, {"privateKey": private, "publicKey": public}, {"sharedSecret": shared}, flag)


agreements()
