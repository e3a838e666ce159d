"""Random keysets as Tink's protobufs, and what closer-keys must say of them."""

from collections.abc import Callable
from random import Random

from tink.proto import aes_gcm_pb2, common_pb2, tink_pb2

import ecies
import streams
from draw import Draw

AES = ecies.TYPE + "AesGcmKey"
NewKey = Callable[[Random], tink_pb2.KeyData]


def new_aes_key(draw: Random) -> tink_pb2.KeyData:
    key = aes_gcm_pb2.AesGcmKey(key_value=draw.randbytes(32))
    return tink_pb2.KeyData(
        type_url=AES, value=key.SerializeToString(), key_material_type=tink_pb2.KeyData.SYMMETRIC
    )


def new_aes_template() -> tink_pb2.KeyTemplate:
    parameters = aes_gcm_pb2.AesGcmKeyFormat(key_size=32)
    return tink_pb2.KeyTemplate(
        type_url=AES, value=parameters.SerializeToString(), output_prefix_type=tink_pb2.TINK
    )


def new_keyset(draw: Draw, new_key: NewKey) -> tink_pb2.Keyset:
    """One to five keys of mixed prefixes. Some are disabled; the primary, anywhere among them, is not."""
    keyset = tink_pb2.Keyset()
    for _ in range(draw.randint(1, 5)):
        keyset.key.append(new_entry(draw, new_key(draw), keyset))
        keyset.key[-1].status = draw.choice((tink_pb2.ENABLED, tink_pb2.ENABLED, tink_pb2.DISABLED))
    chosen = draw.choice(keyset.key)
    chosen.status, keyset.primary_key_id = tink_pb2.ENABLED, chosen.key_id
    return keyset


def new_entry(draw: Draw, data: tink_pb2.KeyData, keyset: tink_pb2.Keyset) -> tink_pb2.Keyset.Key:
    return tink_pb2.Keyset.Key(
        key_data=data,
        status=tink_pb2.ENABLED,
        key_id=_new_id(draw, {key.key_id for key in keyset.key}),
        output_prefix_type=new_prefix(draw),
    )


def new_prefix(draw: Random) -> int:
    prefixes = (tink_pb2.TINK, tink_pb2.RAW, tink_pb2.CRUNCHY, tink_pb2.LEGACY)
    return draw.choices(prefixes, weights=(3, 3, 3, 1))[0]


def primary(keyset: tink_pb2.Keyset) -> tink_pb2.Keyset.Key:
    return key_with_id(keyset, keyset.primary_key_id)


def key_with_id(keyset: tink_pb2.Keyset, key_id: int) -> tink_pb2.Keyset.Key:
    return next(key for key in keyset.key if key.key_id == key_id)


def prefix_name(key: tink_pb2.Keyset.Key) -> str:
    return tink_pb2.OutputPrefixType.Name(key.output_prefix_type).lower()


def prefix_byte_count(key: tink_pb2.Keyset.Key) -> int:
    return 0 if key.output_prefix_type == tink_pb2.RAW else 5


def with_width(keyset: tink_pb2.Keyset, width: str) -> tink_pb2.Keyset:
    """The same keyset with the integers of its ECIES keys in another width."""
    copy = tink_pb2.Keyset()
    copy.CopyFrom(keyset)
    for key in copy.key:
        if key.key_data.type_url in (ecies.PRIVATE, ecies.PUBLIC):
            key.key_data.CopyFrom(ecies.with_width(key.key_data, width))
    return copy


def summary(keyset: tink_pb2.Keyset) -> dict:
    """What `keyset list --json` has to say."""
    return {
        "primaryKeyId": keyset.primary_key_id,
        "keys": [
            {
                "keyId": key.key_id,
                "type": type_name(key.key_data),
                "status": tink_pb2.KeyStatusType.Name(key.status).lower(),
                "prefix": prefix_name(key),
                "primary": key.key_id == keyset.primary_key_id,
            }
            for key in keyset.key
        ],
    }


def _new_id(draw: Draw, taken: set[int]) -> int:
    """Often a small one, or one of the largest, which take five bytes as a varint."""
    draw.key_ids |= taken
    return draw.key_id(
        lambda: draw.choice((1, draw.randint(2, 300), draw.randint(1 << 28, (1 << 32) - 1), (1 << 32) - 1))
    )


def type_name(data: tink_pb2.KeyData) -> str:
    """As `keyset new --type` calls it, with what differs from its defaults."""
    if data.type_url == AES:
        return "aes256-gcm"
    if data.type_url == streams.TYPE:
        return streams.type_name(data)
    key = ecies.parsed(data)
    params = key.public_key.params if data.type_url == ecies.PRIVATE else key.params
    return (
        ("ecies-p256" if data.type_url == ecies.PRIVATE else "ecies-p256-public")
        + ("+compressed" if params.ec_point_format == common_pb2.COMPRESSED else "")
        + ("+aes256-gcm" if ecies.dem_key_size(params) == 32 else "")
        + ("+salt" if params.kem_params.hkdf_salt else "")
    )
