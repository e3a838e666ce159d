"""The other side of a chat, as FitLink's and Fond's apps have it: X25519, HKDF-SHA256, AES-256-GCM."""

import base64
import hashlib
import json
import os

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


class Side:
    """One key pair."""

    def __init__(self, private: bytes) -> None:
        self.private = X25519PrivateKey.from_private_bytes(private)
        self.public = self.private.public_key().public_bytes_raw()

    def agree(self, theirs: bytes, salt: bytes, info: bytes) -> bytes:
        secret = self.private.exchange(X25519PublicKey.from_public_bytes(theirs))
        return HKDF(SHA256(), 32, salt, info).derive(secret)

    def fitlink_key(self, theirs: bytes, chat: str) -> bytes:
        return self.agree(theirs, chat.encode(), b"FitLinkChat")


def seal(key: bytes, plaintext: bytes) -> bytes:
    """iv, ciphertext and tag."""
    iv = os.urandom(12)
    return iv + AESGCM(key).encrypt(iv, plaintext, None)


def open_box(key: bytes, box: bytes) -> bytes:
    return AESGCM(key).decrypt(box[:12], box[12:], None)


def document(box: bytes) -> dict:
    """A FitLink message."""
    return {"encrypted_content": encode(box[12:]), "iv": encode(box[:12])}


def box_of(text: bytes) -> bytes:
    message = json.loads(text)
    return decode(message["iv"]) + decode(message["encrypted_content"])


def encode(content: bytes) -> str:
    return base64.b64encode(content).decode()


def decode(text: str | bytes) -> bytes:
    return base64.b64decode(text, validate=True)


def safety_number(parties: list[tuple[str, bytes]]) -> str:
    """Signal's numeric fingerprint, version 0, of (user, key): sixty digits."""
    return "".join(sorted(_half(user.encode(), key) for user, key in parties))


def _half(identity: bytes, key: bytes) -> str:
    digest = hashlib.sha512(b"\0\0" + key + identity + key).digest()
    for _ in range(5199):
        digest = hashlib.sha512(digest + key).digest()
    return "".join(f"{int.from_bytes(digest[at : at + 5]) % 100_000:05}" for at in range(0, 30, 5))
