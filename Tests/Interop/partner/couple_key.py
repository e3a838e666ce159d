"""The key that both partners have: a Tink keyset of AES-256-GCM keys, and what is derived from it."""

import os

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from google.protobuf.message import DecodeError
from tink import TinkError
from tink.proto import aes_gcm_pb2, tink_pb2

import keysets
import theirs
from checks import Refused
from partner.encoding import length_prefixed, placed, placed_payload, token, token_payload


class CoupleKey:
    """Seals with its primary and opens with every enabled key."""

    def __init__(self, keyset: tink_pb2.Keyset, private: frozenset[bytes] = frozenset()) -> None:
        """What is private came by a pairing: no server ever saw it."""
        self.keyset, self.private = keyset, private

    def with_private_primary(self) -> "CoupleKey":
        return CoupleKey(self.keyset, frozenset(self.enabled()[:1]))

    def binary(self) -> bytes:
        return self.keyset.SerializeToString(deterministic=True)

    def json(self) -> bytes:
        return theirs.write(self.keyset, "json")

    def enabled(self) -> list[bytes]:
        """The bytes of every key that may open, the primary's first."""
        keys = [key for key in self.keyset.key if key.status == tink_pb2.ENABLED]
        keys.sort(key=lambda key: key.key_id != self.keyset.primary_key_id)
        return [aes_gcm_pb2.AesGcmKey.FromString(key.key_data.value).key_value for key in keys]

    def seal_field(self, couple: str, plaintext: bytes) -> str:
        return token("enc:v1:", theirs.field_cipher(self.keyset).encrypt(plaintext, couple.encode()))

    def open_field(self, couple: str, text: str) -> bytes:
        return opened(self.keyset, token_payload("enc:v1:", text), couple.encode())

    def seal_placed_field(self, couple: str, place: str, plaintext: bytes) -> str:
        return token("enc:v2:", theirs.field_cipher(self.keyset).encrypt(plaintext, placed(couple, place)))

    def open_placed_field(self, couple: str, place: str, text: str) -> bytes:
        return opened(self.keyset, placed_payload(text), placed(couple, place))

    def fingerprint(self, couple: str) -> str:
        """What two people read to each other: groups of four digits."""
        digits = subkey(self.enabled()[0], "fingerprint", couple)[:10].hex()
        return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))


def subkey(key: bytes, label: str, couple: str) -> bytes:
    info = length_prefixed(label.encode(), couple.encode())
    return HKDF(algorithm=SHA256(), length=32, salt=b"closer-keys/v1", info=info).derive(key)


def keyset_of(key: bytes, key_id: int) -> tink_pb2.Keyset:
    """One AES key, as Tink's template makes it."""
    value = aes_gcm_pb2.AesGcmKey(key_value=key).SerializeToString()
    data = tink_pb2.KeyData(type_url=keysets.AES, value=value, key_material_type=tink_pb2.KeyData.SYMMETRIC)
    entry = tink_pb2.Keyset.Key(
        key_data=data, status=tink_pb2.ENABLED, key_id=key_id, output_prefix_type=tink_pb2.TINK
    )
    return tink_pb2.Keyset(primary_key_id=key_id, key=[entry])


def new_keyset(key_id: int | None = None) -> tink_pb2.Keyset:
    return keyset_of(os.urandom(32), key_id or 1 + int.from_bytes(os.urandom(4), "big") % ((1 << 32) - 1))


def unwrapped(content: bytes) -> CoupleKey:
    """What a wrap held: Tink's JSON, or binary that is written again with the same bytes."""
    form = "json" if content.lstrip()[:1] == b"{" else "binary"
    return CoupleKey(strict_keyset(content, form))


def strict_keyset(content: bytes, form: str = "binary") -> tink_pb2.Keyset:
    """1 to 32 AES-256 keys and nothing else, or a server could plant a key that it knows."""
    try:
        keyset = theirs.read(content, form)
        keyset.DiscardUnknownFields()
    except (TinkError, DecodeError, ValueError):
        raise Refused("malformed") from None
    aes_keys = [_aes_key(key) for key in keyset.key]
    same_bytes = form == "json" or keyset.SerializeToString(deterministic=True) == content
    if not same_bytes or {len(key.key_value) for key in aes_keys} != {32} or len(aes_keys) > 32:
        raise Refused("malformed")
    return keyset


def opened(keyset: tink_pb2.Keyset, box: bytes, associated_data: bytes) -> bytes:
    """`noKey` if no enabled key has the box's prefix, which is no secret; anything else is `authFailed`."""
    enabled = [key for key in keyset.key if key.status == tink_pb2.ENABLED]
    if not any(box.startswith(_prefix(key)) for key in enabled):
        raise Refused("noKey")
    try:
        return theirs.field_cipher(keyset).decrypt(box, associated_data)
    except TinkError:
        raise Refused("authFailed") from None


def _aes_key(entry: tink_pb2.Keyset.Key) -> aes_gcm_pb2.AesGcmKey:
    """Reads an AES key, and refuses one that is not in its only accepted spelling."""
    key = aes_gcm_pb2.AesGcmKey.FromString(entry.key_data.value)
    key.DiscardUnknownFields()
    if entry.key_data.type_url != keysets.AES or key.SerializeToString() != entry.key_data.value:
        raise Refused("malformed")
    return key


def _prefix(key: tink_pb2.Keyset.Key) -> bytes:
    if key.output_prefix_type == tink_pb2.RAW:
        return b""
    return bytes([key.output_prefix_type == tink_pb2.TINK]) + key.key_id.to_bytes(4, "big")
