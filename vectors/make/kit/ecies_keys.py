"""Tink's ECIES keys of scalars of ours, and boxes under them with ephemeral keys and nonces of ours.

closer-keys-formats(7), KEYBOXES.
"""

from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tink.proto import aes_gcm_pb2, common_pb2, ecies_aead_hkdf_pb2, tink_pb2

from kit.readers.tink_ciphertexts import prefix
from kit.stream import stream

import ecies  # the partner's
from ecies import ORDER, TYPE, WIDTHS

UNCOMPRESSED, COMPRESSED = common_pb2.UNCOMPRESSED, common_pb2.COMPRESSED


def parameters(point: int = UNCOMPRESSED, dem: int = 16, salt: bytes = b""):
    template = tink_pb2.KeyTemplate(
        type_url=TYPE + "AesGcmKey",
        value=aes_gcm_pb2.AesGcmKeyFormat(key_size=dem).SerializeToString(),
        output_prefix_type=tink_pb2.TINK,
    )
    return ecies_aead_hkdf_pb2.EciesAeadHkdfParams(
        kem_params=ecies_aead_hkdf_pb2.EciesHkdfKemParams(
            curve_type=common_pb2.NIST_P256, hkdf_hash_type=common_pb2.SHA256, hkdf_salt=salt
        ),
        dem_params=ecies_aead_hkdf_pb2.EciesAeadDemParams(aead_dem=template),
        ec_point_format=point,
    )


def entry(scalar: int, key_id: int, params=None, width: str = "33", prefix_type: int = tink_pb2.TINK):
    numbers = private_key(scalar).public_key().public_numbers()
    public = ecies_aead_hkdf_pb2.EciesAeadHkdfPublicKey(
        params=params or parameters(), x=WIDTHS[width](numbers.x), y=WIDTHS[width](numbers.y)
    )
    private = ecies_aead_hkdf_pb2.EciesAeadHkdfPrivateKey(public_key=public, key_value=WIDTHS[width](scalar))
    data = tink_pb2.KeyData(
        type_url=ecies.PRIVATE,
        value=private.SerializeToString(),
        key_material_type=tink_pb2.KeyData.ASYMMETRIC_PRIVATE,
    )
    return tink_pb2.Keyset.Key(
        key_data=data, status=tink_pb2.ENABLED, key_id=key_id, output_prefix_type=prefix_type
    )


def public(keyset: tink_pb2.Keyset) -> tink_pb2.Keyset:
    """The same keys without their scalars, in the width that they have."""
    copy = tink_pb2.Keyset()
    copy.CopyFrom(keyset)
    for key in copy.key:
        key.key_data.value = ecies.parsed(key.key_data).public_key.SerializeToString()
        key.key_data.type_url = ecies.PUBLIC
        key.key_data.key_material_type = tink_pb2.KeyData.ASYMMETRIC_PUBLIC
    return copy


def scalar(label: str, zero: str = "none") -> int:
    """From the label; `zero` asks for a leading zero byte in `x`, `y` or the scalar itself."""
    for number in range(100_000):
        value = int.from_bytes(stream(f"{label} {number}", 31 if zero == "scalar" else 32), "big") % ORDER
        if (
            zero in ("none", "scalar")
            or getattr(private_key(value).public_key().public_numbers(), zero) < 1 << 248
        ):
            return value
    raise ValueError(label)


@dataclass(frozen=True)
class Box:
    """A ciphertext and what it was made with."""

    ciphertext: bytes
    shared: bytes
    derived: bytes

    @property
    def trace(self) -> dict:
        return {"sharedSecret": self.shared, "derivedKey": self.derived}


def sealed(
    key: tink_pb2.Keyset.Key,
    plaintext: bytes,
    context: bytes,
    label: str,
    ephemeral: int = 0,
    kem_last: bool = False,
) -> Box:
    """`kem_last` makes the mistake of an implementation that puts Z first."""
    private = ecies.parsed(key.key_data)
    params, theirs = (
        private.public_key.params,
        private_key(int.from_bytes(private.key_value, "big")).public_key(),
    )
    ours = private_key(ephemeral or scalar(f"ephemeral {label}"))
    is_compressed = params.ec_point_format == COMPRESSED
    form = PublicFormat.CompressedPoint if is_compressed else PublicFormat.UncompressedPoint
    kem = ours.public_key().public_bytes(Encoding.X962, form)
    shared, iv = ours.exchange(ec.ECDH(), theirs), stream(f"iv {label}", 12)
    material = shared + kem if kem_last else kem + shared
    derived = HKDF(SHA256(), ecies.dem_key_size(params), params.kem_params.hkdf_salt, context).derive(
        material
    )
    return Box(prefix(key) + kem + iv + AESGCM(derived).encrypt(iv, plaintext, None), shared, derived)


def ephemeral_with_zero(key: tink_pb2.Keyset.Key) -> int:
    """One whose shared secret with the key begins with a zero byte."""
    point = private_key(int.from_bytes(ecies.parsed(key.key_data).key_value, "big")).public_key()
    candidates = (scalar(f"zero secret {number}") for number in range(100_000))
    return next(value for value in candidates if private_key(value).exchange(ec.ECDH(), point)[0] == 0)


def private_key(value: int) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(value, ec.SECP256R1())


def with_33_bytes(keyset: tink_pb2.Keyset) -> bytes:
    """As Java 1.13 and Go write it."""
    copy = tink_pb2.Keyset()
    copy.CopyFrom(keyset)
    for key in copy.key:
        key.key_data.CopyFrom(ecies.with_width(key.key_data, "33"))
    return copy.SerializeToString(deterministic=True)
