"""Makes primitives.json: known answers from pyca/cryptography, argon2-cffi and ge25519.

Inputs come from a fixed stream, so the file is the same every time; expectations are the other libraries'.
"""
import hashlib
import json
import pathlib
from importlib.metadata import version

from argon2.low_level import Type, hash_secret_raw
from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from ge25519 import ge25519_p3

TEXT_SIZES = [0, 1, 15, 16, 17, 31, 32, 33, 64, 255, 256, 257, 1000, 4097]
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
P25519 = 2**255 - 19
L25519 = 2**252 + 27742317777372353535851937790883648493


def stream(label, count):
    """`count` bytes that depend on the label alone."""
    return hashlib.shake_256(label.encode()).digest(count)


def aes_gcm():
    for key_size in (16, 32):
        for size in TEXT_SIZES:
            for data_size in (0, 1, 20, 300):
                if size > 1000 and data_size != 20:
                    continue
                label = f"gcm {key_size} {size} {data_size}"
                key, iv = stream(label + " key", key_size), stream(label + " iv", 12)
                text, data = stream(label + " text", size), stream(label + " data", data_size)
                yield {"key": key, "iv": iv, "aad": data, "msg": text, "box": AESGCM(key).encrypt(iv, text, data)}


def digests(name, algorithm):
    for size in TEXT_SIZES:
        text = stream(f"{name} {size}", size)
        digest = hashes.Hash(algorithm)
        digest.update(text)
        yield {"msg": text, "digest": digest.finalize()}


def hmac_sha256():
    for key_size in (1, 16, 32, 63, 64, 65, 200):
        for size in (0, 1, 55, 56, 64, 1000):
            key, text = stream(f"hmac key {key_size}", key_size), stream(f"hmac {size}", size)
            mac = hmac.HMAC(key, hashes.SHA256())
            mac.update(text)
            yield {"key": key, "msg": text, "tag": mac.finalize()}


def hkdf_sha256():
    for size in (1, 16, 31, 32, 33, 42, 64, 255, 8160):
        for salt_size, info_size in ((0, 0), (16, 10), (32, 200), (100, 0), (0, 32768)):
            if info_size > 1000 and size != 42:
                continue
            ikm = stream(f"hkdf ikm {size}", 97)
            salt, info = stream("hkdf salt", salt_size), stream("hkdf info", info_size)
            okm = HKDF(hashes.SHA256(), size, salt, info).derive(ikm)
            yield {"ikm": ikm, "salt": salt, "info": info, "okm": okm}


def argon2id():
    for memory, passes, lanes, salt_size in (
        (8, 1, 1, 16), (64, 2, 1, 16), (1024, 3, 1, 16), (46080, 3, 1, 16), (64, 2, 1, 8), (64, 2, 1, 32),
        (16, 1, 2, 16), (256, 3, 4, 16), (1024, 2, 3, 24),
    ):
        for password in (b"", b"password", "pässwörd ❤".encode(), stream("long password", 300)):
            salt = stream(f"argon2 {salt_size}", salt_size)
            key = hash_secret_raw(password, salt, passes, memory, lanes, 32, Type.ID)
            yield {"memoryKiB": memory, "passes": passes, "lanes": lanes, "password": password, "salt": salt,
                   "key": key}


def x25519_agreement():
    for index in range(40):
        ours = x25519.X25519PrivateKey.from_private_bytes(stream(f"x25519 ours {index}", 32))
        theirs = x25519.X25519PrivateKey.from_private_bytes(stream(f"x25519 theirs {index}", 32)).public_key()
        yield {"private": ours.private_bytes_raw(), "public": ours.public_key().public_bytes_raw(),
               "peer": theirs.public_bytes_raw(), "shared": ours.exchange(theirs)}


def scalars():
    """Small, large, and random ones whose coordinates or secrets begin with zero bytes: those are found by trying."""
    yield from (1, 2, N - 1, N - 2)
    yield from (int.from_bytes(stream(f"p256 {index}", 32)) % (N - 1) + 1 for index in range(1200))


def p256():
    peer = ec.derive_private_key(int.from_bytes(stream("p256 peer", 32)) % N, ec.SECP256R1()).public_key()
    for index, scalar in enumerate(scalars()):
        ours = ec.derive_private_key(scalar, ec.SECP256R1())
        shared = ours.exchange(ec.ECDH(), peer)
        numbers = ours.public_key().public_numbers()
        has_zero = min(shared[0], numbers.x >> 248, numbers.y >> 248) == 0
        if index < 20 or has_zero:
            yield {"scalar": scalar.to_bytes(32), "public": encoded(ours.public_key(), "UncompressedPoint"),
                   "compressed": encoded(ours.public_key(), "CompressedPoint"),
                   "peer": encoded(peer, "UncompressedPoint"), "shared": shared}


def encoded(key, form):
    return key.public_bytes(serialization.Encoding.X962, getattr(serialization.PublicFormat, form))


def ristretto255():
    """Uniform bytes as an element and as a scalar, and the element times the scalar."""
    edges = [0, L25519 - 1, L25519 + 1, 2**512 - 1]
    for index in range(40):
        uniform = stream(f"ristretto255 hash {index}", 64)
        wide = edges[index].to_bytes(64, "little") if index < len(edges) else stream(f"ristretto255 wide {index}", 64)
        scalar = int.from_bytes(wide, "little") % L25519
        element = ge25519_p3.from_hash_ristretto255(uniform)
        product = ge25519_p3.from_bytes_ristretto255(element).scalar_mult(scalar.to_bytes(32, "little"))
        yield {"uniform": uniform, "element": element, "wide": wide, "scalar": scalar.to_bytes(32, "little"),
               "product": product.to_bytes_ristretto255()}


def no_ristretto255():
    """Encodings that RFC 9496 refuses, and the identity, which CPace does; ge25519 is asked only about points that are none."""
    element = ge25519_p3.from_hash_ristretto255(stream("ristretto255 hash 0", 64))
    number = int.from_bytes(element, "little")
    for value, reason in (
        (0, "the identity"), (number | 1 << 255, "bit 255"), (1 << 255, "the identity with bit 255"),
        (P25519 - number, "negative"), (P25519, "p"), (P25519 + 2, "above p"), (2**255 - 1, "far above p"),
    ):
        yield {"encoding": value.to_bytes(32, "little"), "why": reason}
    for index in range(40):
        text = bytearray(stream(f"ristretto255 no point {index}", 32))
        text[0], text[31] = text[0] & 0xFE, text[31] & 0x7F
        if not decodes(bytes(text)):
            yield {"encoding": bytes(text), "why": "no point"}


def decodes(encoding):
    try:
        return ge25519_p3.from_bytes_ristretto255(encoding) is not None
    except (TypeError, ValueError):
        return False


def main():
    groups = {
        "aesGcm": aes_gcm(), "sha256": digests("sha256", hashes.SHA256()),
        "sha512": digests("sha512", hashes.SHA512()), "hmacSha256": hmac_sha256(),
        "hkdfSha256": hkdf_sha256(), "argon2id": argon2id(), "x25519": x25519_agreement(), "p256": p256(),
        "ristretto255": ristretto255(), "noRistretto255": no_ristretto255(),
    }
    source = {name: f"{name} {version(name)}" for name in ("cryptography", "argon2-cffi", "ge25519")}
    document = {"sources": sorted(source.values())}
    for name, cases in groups.items():
        document[name] = [
            {key: value.hex() if isinstance(value, bytes) else value for key, value in case.items()}
            for case in cases
        ]
    target = pathlib.Path(__file__).parent.parent / "primitives.json"
    target.write_text(json.dumps(document, indent=1) + "\n")
    print(target.name, {name: len(cases) for name, cases in document.items()})


main()
