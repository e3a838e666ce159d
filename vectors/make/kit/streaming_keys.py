"""Tink's streaming AEAD keys, AES-256-GCM with HKDF-SHA256, and streams under them.

closer-keys-formats(7), FILES.
"""

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from tink.proto import aes_gcm_hkdf_streaming_pb2, common_pb2, tink_pb2

from kit.stream import stream

STREAMING = "type.googleapis.com/google.crypto.tink.AesGcmHkdfStreamingKey"
HEADER, TAG = 40, 16


def streaming_entry(label: str, key_id: int, segment: int) -> tink_pb2.Keyset.Key:
    return streaming_key(stream(label, 32), key_id, segment)


def streaming_key(value: bytes, key_id: int, segment: int) -> tink_pb2.Keyset.Key:
    params = aes_gcm_hkdf_streaming_pb2.AesGcmHkdfStreamingParams(
        ciphertext_segment_size=segment, derived_key_size=32, hkdf_hash_type=common_pb2.SHA256
    )
    key = aes_gcm_hkdf_streaming_pb2.AesGcmHkdfStreamingKey(params=params, key_value=value)
    data = tink_pb2.KeyData(
        type_url=STREAMING, value=key.SerializeToString(), key_material_type=tink_pb2.KeyData.SYMMETRIC
    )
    return tink_pb2.Keyset.Key(
        key_data=data, status=tink_pb2.ENABLED, key_id=key_id, output_prefix_type=tink_pb2.RAW
    )


def segments(
    entry: tink_pb2.Keyset.Key, plaintext: bytes, data: bytes, label: str
) -> tuple[list[bytes], bytes]:
    """The header, the segments behind it, and the key of the segments, last."""
    key = aes_gcm_hkdf_streaming_pb2.AesGcmHkdfStreamingKey.FromString(entry.key_data.value)
    salt, nonce = stream(f"salt {label}", 32), stream(f"nonce {label}", 7)
    derived = HKDF(SHA256(), 32, salt, data).derive(key.key_value)
    parts, room = [], key.params.ciphertext_segment_size - TAG
    cut = room - HEADER
    while True:
        parts.append(plaintext[:cut])
        plaintext, cut = plaintext[cut:], room
        if not plaintext:
            break
    last = len(parts) - 1
    boxes = [
        AESGCM(derived).encrypt(nonce + number.to_bytes(4, "big") + bytes([number == last]), part, None)
        for number, part in enumerate(parts)
    ]
    return [bytes([HEADER]) + salt + nonce, *boxes], derived
