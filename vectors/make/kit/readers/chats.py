"""X25519, HKDF and AES-GCM of the chats, by pyca/cryptography."""

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from checks import Refused
from kit.pair_tokens import x25519_key
from partner.encoding import from_standard, identifier


def agree(case: dict) -> dict:
    return {"sharedSecret": _shared(case["privateKey"], bytes.fromhex(case["publicKey"]))}


def open_fitlink(case: dict) -> dict:
    shared = _shared(case["privateKey"], x25519_key(case["peerPublicKey"]))
    key = HKDF(SHA256(), 32, identifier(case["chatId"]).encode(), b"FitLinkChat").derive(shared)
    return {"plaintext": opened_message(key, case)}


def open_fond(case: dict) -> dict:
    shared = _shared(case["privateKey"], x25519_key(case["peerPublicKey"]))
    key = HKDF(SHA256(), 32, bytes.fromhex(case["salt"]), case["info"].encode()).derive(shared)
    return {"plaintext": opened_box(key, case)}


def opened_message(key: bytes | None, case: dict) -> bytes:
    """A message of FitLink; without a key nothing opens."""
    iv, sealed = from_standard(case["iv"]), from_standard(case["encrypted_content"])
    if len(iv) != 12:
        raise Refused("malformed")
    return _opened(key, iv, sealed)


def opened_box(key: bytes | None, case: dict) -> bytes:
    """A value of Fond."""
    box = from_standard(case["field"])
    return _opened(key, box[:12], box[12:])


def _shared(private: str, public: bytes) -> bytes:
    """pyca refuses an all-zero secret, and a key that has not 32 bytes, with a ValueError."""
    try:
        return X25519PrivateKey.from_private_bytes(bytes.fromhex(private)).exchange(
            X25519PublicKey.from_public_bytes(public)
        )
    except ValueError:
        raise Refused("malformed") from None


def _opened(key: bytes | None, iv: bytes, sealed: bytes) -> bytes:
    if key is None or len(sealed) < 16:
        raise Refused("authFailed")
    try:
        return AESGCM(key).decrypt(iv, sealed, None)
    except InvalidTag:
        raise Refused("authFailed") from None
