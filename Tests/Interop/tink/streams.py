"""Tink's streaming keys, with every segment size that closer-keys takes."""

from random import Random

from tink.proto import aes_gcm_hkdf_streaming_pb2 as streaming_pb2
from tink.proto import common_pb2, tink_pb2

TYPE = "type.googleapis.com/google.crypto.tink.AesGcmHkdfStreamingKey"
HEADER, TAG = 40, 16

SEGMENTS = {
    "1 MiB": lambda draw: 1 << 20,
    "4 KiB": lambda draw: 1 << 12,
    "least": lambda draw: 57,
    "any": lambda draw: draw.randint(58, 100_000),
}

# Sizes of the plaintext, computed from the sizes of the first segment and of the others.
SIZES = {
    "empty": lambda draw, first, other: 0,
    "byte": lambda draw, first, other: 1,
    "in the first": lambda draw, first, other: draw.randint(0, first),
    "at a border": lambda draw, first, other: max(0, first + other * draw.randint(0, 2) + draw.randint(-1, 1)),
    "between": lambda draw, first, other: first + draw.randint(1, 3 * other),
}


def new_key(draw: Random, segment: int | None = None) -> tink_pb2.KeyData:
    """A key whose segments have this size, or one that chance gives."""
    size = segment or SEGMENTS[draw.choice(tuple(SEGMENTS))](draw)
    params = streaming_pb2.AesGcmHkdfStreamingParams(
        ciphertext_segment_size=size, derived_key_size=32, hkdf_hash_type=common_pb2.SHA256
    )
    key = streaming_pb2.AesGcmHkdfStreamingKey(params=params, key_value=draw.randbytes(32))
    return tink_pb2.KeyData(
        type_url=TYPE, value=key.SerializeToString(), key_material_type=tink_pb2.KeyData.SYMMETRIC
    )


def segment_size(data: tink_pb2.KeyData) -> int:
    return streaming_pb2.AesGcmHkdfStreamingKey.FromString(data.value).params.ciphertext_segment_size


def type_name(data: tink_pb2.KeyData) -> str:
    """As `keyset list` calls it."""
    size = segment_size(data)
    return "aes256-gcm-hkdf-" + {1 << 20: "1mb", 1 << 12: "4kb"}.get(size, f"{size}b")


def plaintext(draw: Random, kind: str, segment: int) -> bytes:
    return draw.randbytes(SIZES[kind](draw, segment - HEADER - TAG, segment - TAG))


def split(stream: bytes, segment: int) -> list[bytes]:
    """The segments, the first with its header."""
    return [stream[place : place + segment] for place in range(0, len(stream), segment)]
