"""Keysets of AES-256-GCM keys as Tink's protobufs, and ciphertexts under them with nonces of our choice."""

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from tink.proto import aes_gcm_pb2, tink_pb2

import keysets
from kit.readers.tink_ciphertexts import prefix
from kit.stream import stream


def entry(label: str, key_id: int, prefix_type: int = tink_pb2.TINK, status: int = tink_pb2.ENABLED):
    key = aes_gcm_pb2.AesGcmKey(key_value=stream(label, 32))
    data = tink_pb2.KeyData(
        type_url=keysets.AES, value=key.SerializeToString(), key_material_type=tink_pb2.KeyData.SYMMETRIC
    )
    return tink_pb2.Keyset.Key(key_data=data, status=status, key_id=key_id, output_prefix_type=prefix_type)


def keyset(*entries: tink_pb2.Keyset.Key) -> tink_pb2.Keyset:
    """The first is the primary."""
    return tink_pb2.Keyset(primary_key_id=entries[0].key_id, key=entries)


def binary(keyset: tink_pb2.Keyset) -> bytes:
    return keyset.SerializeToString(deterministic=True)


def key_bytes(entry: tink_pb2.Keyset.Key) -> bytes:
    return aes_gcm_pb2.AesGcmKey.FromString(entry.key_data.value).key_value


def sealed(entry: tink_pb2.Keyset.Key, plaintext: bytes, data: bytes, label: str) -> bytes:
    """As Tink would under this key, with a nonce that depends on the label; by pyca/cryptography."""
    iv = stream(f"iv {label}", 12)
    return prefix(entry) + iv + AESGCM(key_bytes(entry)).encrypt(iv, plaintext, data)
