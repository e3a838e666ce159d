"""Keyset files, read by protobuf and Tink, and held against the rules of closer-keys-formats(7), Reading a keyset."""

from cryptography.hazmat.primitives.asymmetric import ec
from google.protobuf.message import DecodeError
from tink.proto import aes_gcm_hkdf_streaming_pb2, aes_gcm_pb2, common_pb2, ecies_aead_hkdf_pb2, tink_pb2

import ecies
from checks import Refused
from kit.readers import keyset_json, wire

AES = ecies.TYPE + "AesGcmKey"
STREAMING = ecies.TYPE + "AesGcmHkdfStreamingKey"
MESSAGES = {
    AES: aes_gcm_pb2.AesGcmKey,
    ecies.PRIVATE: ecies_aead_hkdf_pb2.EciesAeadHkdfPrivateKey,
    ecies.PUBLIC: ecies_aead_hkdf_pb2.EciesAeadHkdfPublicKey,
    STREAMING: aes_gcm_hkdf_streaming_pb2.AesGcmHkdfStreamingKey,
}
SEGMENTS = {1 << 20: "aes256-gcm-hkdf-1mb", 1 << 12: "aes256-gcm-hkdf-4kb"}
MAXIMUM_KEYS, MAXIMUM_BINARY, MAXIMUM_JSON, MAXIMUM_SALT = 32, 16 * 1024, 32 * 1024, 1024


def parse(case: dict) -> dict:
    content = bytes.fromhex(case["keyset"])
    keyset = from_json(content) if case["format"] == "json" else from_binary(content, case["reading"])
    keys = [
        {
            "keyId": key.key_id,
            "type": kind(key),
            "status": tink_pb2.KeyStatusType.Name(key.status).lower(),
            "prefix": tink_pb2.OutputPrefixType.Name(key.output_prefix_type).lower(),
            "primary": key.key_id == keyset.primary_key_id and key.status == tink_pb2.ENABLED,
        }
        for key in keyset.key
    ]
    return {"primaryKeyId": keyset.primary_key_id, "keys": keys}


def from_binary(content: bytes, reading: str) -> tink_pb2.Keyset:
    if len(content) > MAXIMUM_BINARY:
        raise Refused("limit")
    wire.check(content, wire.KEYSET)
    try:
        keyset = tink_pb2.Keyset.FromString(content)
    except DecodeError:
        raise Refused("malformed") from None
    check(keyset)
    if reading == "strict" and content not in written_again(keyset):
        raise Refused("malformed")
    return keyset


def from_json(content: bytes) -> tink_pb2.Keyset:
    if len(content) > MAXIMUM_JSON:
        raise Refused("limit")
    keyset = keyset_json.parsed(content)
    for key in keyset.key:
        wire.check(key.key_data.value, wire.VALUES.get(key.key_data.type_url, {}))
    check(keyset)
    return keyset


def check(keyset: tink_pb2.Keyset) -> None:
    if len(keyset.key) > MAXIMUM_KEYS:
        raise Refused("limit")
    for key in keyset.key:
        if key.status not in (1, 2, 3) or key.output_prefix_type not in (1, 2, 3, 4):
            _refuse()
        kind(key)
    enabled = [key.key_id for key in keyset.key if key.status == tink_pb2.ENABLED]
    if len(set(enabled)) < len(enabled) or keyset.primary_key_id not in enabled:
        _refuse()


def written_again(keyset: tink_pb2.Keyset) -> list[bytes]:
    """In the two widths of integers that a strict reader takes, with nothing unknown in it."""
    copies = []
    for width in ("33", "32"):
        copy = tink_pb2.Keyset()
        copy.CopyFrom(keyset)
        for key in copy.key:
            if key.key_data.type_url in (ecies.PRIVATE, ecies.PUBLIC):
                key.key_data.CopyFrom(ecies.with_width(key.key_data, width))
            _discard(key)
        copy.DiscardUnknownFields()
        copies.append(copy.SerializeToString(deterministic=True))
    return copies


def kind(key: tink_pb2.Keyset.Key) -> str:
    """The type of a key that keeps every rule of its type."""
    data = key.key_data
    if key.status == tink_pb2.DESTROYED and not data.ByteSize():
        return "destroyed"
    try:
        name, material = KINDS.get(data.type_url, _refuse_key)(data.value)
    except DecodeError:
        raise Refused("malformed") from None
    return name if material == data.key_material_type else _refuse()


def _aes(value: bytes) -> tuple[str, int]:
    key = aes_gcm_pb2.AesGcmKey.FromString(value)
    return ("aes256-gcm", 1) if key.version == 0 and len(key.key_value) == 32 else _refuse()


def _private(value: bytes) -> tuple[str, int]:
    key = ecies_aead_hkdf_pb2.EciesAeadHkdfPrivateKey.FromString(value)
    number = _integer(key.key_value)
    if key.version != 0 or not 0 < number < ecies.ORDER:
        _refuse()
    point = ec.derive_private_key(number, ec.SECP256R1()).public_key().public_numbers()
    if (point.x, point.y) != (_integer(key.public_key.x), _integer(key.public_key.y)):
        _refuse()
    return "ecies-p256" + _departures(key.public_key), 2


def _public(value: bytes) -> tuple[str, int]:
    key = ecies_aead_hkdf_pb2.EciesAeadHkdfPublicKey.FromString(value)
    return "ecies-p256-public" + _departures(key), 3


def _departures(key) -> str:
    kem, template = key.params.kem_params, key.params.dem_params.aead_dem
    dem, point = aes_gcm_pb2.AesGcmKeyFormat.FromString(template.value), key.params.ec_point_format
    if len(kem.hkdf_salt) > MAXIMUM_SALT:
        raise Refused("limit")
    supported = (
        (kem.curve_type, kem.hkdf_hash_type) == (common_pb2.NIST_P256, common_pb2.SHA256)
        and template.type_url == ecies.TYPE + "AesGcmKey"
        and template.output_prefix_type in (1, 2, 3, 4)
        and (key.version, dem.version) == (0, 0)
        and dem.key_size in (16, 32)
        and point in ecies.POINT_BYTES
    )
    try:
        ec.EllipticCurvePublicNumbers(_integer(key.x), _integer(key.y), ec.SECP256R1()).public_key()
    except ValueError:
        supported = False
    if not supported:
        _refuse()
    named = {
        "+compressed": point == common_pb2.COMPRESSED,
        "+aes256-gcm": dem.key_size == 32,
        "+salt": kem.hkdf_salt,
    }
    return "".join(name for name, is_so in named.items() if is_so)


def _streaming(value: bytes) -> tuple[str, int]:
    key = aes_gcm_hkdf_streaming_pb2.AesGcmHkdfStreamingKey.FromString(value)
    params = key.params
    if (key.version, len(key.key_value), params.derived_key_size, params.hkdf_hash_type) != (0, 32, 32, 3):
        _refuse()
    return SEGMENTS.get(params.ciphertext_segment_size) or _refuse(), 1


def _integer(content: bytes) -> int:
    number = int.from_bytes(content, "big")
    return number if len(content) <= 66 and number < 1 << 256 else _refuse()


def _discard(key: tink_pb2.Keyset.Key) -> None:
    """Unknown fields inside the value, which is bytes to a keyset."""
    if key.key_data.type_url not in MESSAGES:
        return
    value = MESSAGES[key.key_data.type_url].FromString(key.key_data.value)
    value.DiscardUnknownFields()
    key.key_data.value = value.SerializeToString(deterministic=True)


def _refuse() -> None:
    raise Refused("malformed")


def _refuse_key(value: bytes) -> None:
    _refuse()


KINDS = {
    AES: _aes,
    ecies.PRIVATE: _private,
    ecies.PUBLIC: _public,
    STREAMING: _streaming,
}
