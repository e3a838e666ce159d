"""Tink's ECIES keys, made here so that every parameter, integer width and leading zero occurs."""

from random import Random

from cryptography.hazmat.primitives.asymmetric import ec
from tink.proto import aes_gcm_pb2, common_pb2, ecies_aead_hkdf_pb2, tink_pb2

TYPE = "type.googleapis.com/google.crypto.tink."
PRIVATE, PUBLIC = TYPE + "EciesAeadHkdfPrivateKey", TYPE + "EciesAeadHkdfPublicKey"
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551

# The ways in which Tink's implementations write an integer of a key.
WIDTHS = {
    "32": lambda number: number.to_bytes(32, "big"),  # C++ and Python
    "33": lambda number: number.to_bytes(33, "big"),  # Java since 1.13, Go, and closer-keys
    # Old versions in Java: two's complement, as short as possible.
    "minimal": lambda number: number.to_bytes(number.bit_length() // 8 + 1, "big"),
}

POINT_BYTES = {common_pb2.UNCOMPRESSED: 65, common_pb2.COMPRESSED: 33}


def new_params(
    draw: Random, dem_prefixes: tuple[int, ...] = (tink_pb2.TINK, tink_pb2.RAW)
) -> ecies_aead_hkdf_pb2.EciesAeadHkdfParams:
    """Both point formats, both DEMs; salts around the 64 bytes from which HMAC hashes its key.

    The DEM has no prefix, whatever its template says.
    """
    dem = aes_gcm_pb2.AesGcmKeyFormat(key_size=draw.choice((16, 32)))
    return ecies_aead_hkdf_pb2.EciesAeadHkdfParams(
        kem_params=ecies_aead_hkdf_pb2.EciesHkdfKemParams(
            curve_type=common_pb2.NIST_P256,
            hkdf_hash_type=common_pb2.SHA256,
            hkdf_salt=draw.randbytes(draw.choice((0, 0, 0, 0, 1, 16, 64, 65, 200))),
        ),
        dem_params=ecies_aead_hkdf_pb2.EciesAeadDemParams(
            aead_dem=tink_pb2.KeyTemplate(
                type_url=TYPE + "AesGcmKey",
                value=dem.SerializeToString(),
                output_prefix_type=draw.choice(dem_prefixes),
            )
        ),
        ec_point_format=draw.choice(tuple(POINT_BYTES)),
    )


def options(params: ecies_aead_hkdf_pb2.EciesAeadHkdfParams) -> list[str]:
    """What asks `keyset new` for these parameters."""
    point = common_pb2.EcPointFormat.Name(params.ec_point_format).lower()
    dem = f"aes{8 * dem_key_size(params)}-gcm"
    salt = params.kem_params.hkdf_salt
    return ["--point-format", point, "--dem", dem, *(["--salt-hex", salt.hex()] if salt else [])]


def dem_key_size(params: ecies_aead_hkdf_pb2.EciesAeadHkdfParams) -> int:
    """16 or 32 bytes."""
    return aes_gcm_pb2.AesGcmKeyFormat.FromString(params.dem_params.aead_dem.value).key_size


def new_template(draw: Random) -> tink_pb2.KeyTemplate:
    """What Tink makes a key from."""
    parameters = ecies_aead_hkdf_pb2.EciesAeadHkdfKeyFormat(params=new_params(draw))
    return tink_pb2.KeyTemplate(
        type_url=PRIVATE, value=parameters.SerializeToString(), output_prefix_type=tink_pb2.TINK
    )


def new_key(draw: Random) -> tink_pb2.KeyData:
    """One key in four has a leading zero byte in some integer; by chance it would be one in 85."""
    zero = draw.choice(("x", "y", "scalar")) if draw.random() < 1 / 4 else "none"
    scalar = _scalar(draw, zero)
    point = _point(scalar)
    public = ecies_aead_hkdf_pb2.EciesAeadHkdfPublicKey(
        params=new_params(draw), x=WIDTHS["33"](point.x), y=WIDTHS["33"](point.y)
    )
    private = ecies_aead_hkdf_pb2.EciesAeadHkdfPrivateKey(public_key=public, key_value=WIDTHS["33"](scalar))
    return tink_pb2.KeyData(
        type_url=PRIVATE,
        value=private.SerializeToString(),
        key_material_type=tink_pb2.KeyData.ASYMMETRIC_PRIVATE,
    )


def with_width(data: tink_pb2.KeyData, width: str) -> tink_pb2.KeyData:
    """The same key, private or public, with its integers written in another width."""
    key = parsed(data)
    public = key.public_key if data.type_url == PRIVATE else key
    public.x, public.y = _rewritten(public.x, width), _rewritten(public.y, width)
    if data.type_url == PRIVATE:
        key.key_value = _rewritten(key.key_value, width)
    return tink_pb2.KeyData(
        type_url=data.type_url, value=key.SerializeToString(), key_material_type=data.key_material_type
    )


def parsed(data: tink_pb2.KeyData):
    """The private or the public key in it."""
    if data.type_url == PRIVATE:
        return ecies_aead_hkdf_pb2.EciesAeadHkdfPrivateKey.FromString(data.value)
    return ecies_aead_hkdf_pb2.EciesAeadHkdfPublicKey.FromString(data.value)


def leading_zero(data: tink_pb2.KeyData) -> str:
    """Which integer of a private key has a leading zero byte: the first of scalar, x and y that does."""
    key = parsed(data)
    integers = {"scalar": key.key_value, "x": key.public_key.x, "y": key.public_key.y}
    return next((name for name, integer in integers.items() if _number(integer) < 1 << 248), "none")


def shared_x(data: tink_pb2.KeyData, kem: bytes) -> bytes:
    """What the key agrees on with an ephemeral point. Its leading zeros are part of the key derivation."""
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), kem)
    ours = ec.derive_private_key(_number(parsed(data).key_value), ec.SECP256R1())
    return ours.exchange(ec.ECDH(), theirs)


def _scalar(draw: Random, zero: str) -> int:
    if zero == "scalar":
        return draw.randrange(1, 1 << 248)
    while True:
        scalar = draw.randrange(1, ORDER)
        if zero == "none" or getattr(_point(scalar), zero) < 1 << 248:
            return scalar


def _point(scalar: int) -> ec.EllipticCurvePublicNumbers:
    return ec.derive_private_key(scalar, ec.SECP256R1()).public_key().public_numbers()


def _rewritten(integer: bytes, width: str) -> bytes:
    return WIDTHS[width](_number(integer))


def _number(integer: bytes) -> int:
    return int.from_bytes(integer, "big")
