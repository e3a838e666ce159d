"""CPace, CPACE-RISTR255-SHA512 (draft-irtf-cfrg-cpace-21), on two implementations of ristretto255 that must agree.

One is libsodium, the system's, the other ge25519, which is pure Python. Nothing here is a pairing's.
"""

import ctypes
import ctypes.util
import functools
import hashlib

from ge25519 import ge25519_p3

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
DOMAIN = b"CPaceRistretto255"
BLOCK = 128


class Disagreement(Exception):
    """The two implementations do not give the same."""


class Sodium:
    _library = ctypes.CDLL(ctypes.util.find_library("sodium"))

    @classmethod
    def mapped(cls, hash_: bytes) -> bytes:
        out = ctypes.create_string_buffer(32)
        cls._library.crypto_core_ristretto255_from_hash(out, hash_)
        return out.raw

    @classmethod
    def product(cls, scalar: bytes, element: bytes) -> bytes | None:
        out = ctypes.create_string_buffer(32)
        return None if cls._library.crypto_scalarmult_ristretto255(out, scalar, element) else out.raw

    @classmethod
    def is_element(cls, encoding: bytes) -> bool:
        """Releases before 1.0.19 take bit 255, and all take the identity."""
        is_suspect = encoding[31] & 0x80 or not any(encoding)
        return not is_suspect and cls._library.crypto_core_ristretto255_is_valid_point(encoding) == 1


class Pure:
    @staticmethod
    def mapped(hash_: bytes) -> bytes:
        return bytes(ge25519_p3.from_hash_ristretto255(hash_))

    @staticmethod
    def product(scalar: bytes, element: bytes) -> bytes | None:
        point = ge25519_p3.from_bytes_ristretto255(element)
        product = point and bytes(point.scalar_mult(scalar).to_bytes_ristretto255())
        return product if product and any(product) else None

    @staticmethod
    def is_element(encoding: bytes) -> bool:
        """ge25519 does not ask whether the number is below p and even, which RFC 9496 §4.3.1 does."""
        number = int.from_bytes(encoding, "little")
        if not 0 < number < P or number % 2:
            return False
        return ge25519_p3.from_bytes_ristretto255(encoding) is not None


@functools.cache
def mapped(hash_: bytes) -> bytes:
    return _agreed("mapped", hash_)


@functools.cache
def product(scalar: bytes, element: bytes) -> bytes:
    found = _agreed("product", scalar, element)
    if found is None:
        raise ValueError("an element and a scalar that were not checked")
    return found


@functools.cache
def is_element(encoding: bytes) -> bool:
    """Whether the bytes are the one encoding of an element other than the identity."""
    return len(encoding) == 32 and _agreed("is_element", encoding)


def is_scalar(content: bytes) -> bool:
    return len(content) == 32 and 0 < int.from_bytes(content, "little") < ORDER


def leb128(number: int) -> bytes:
    parts = []
    while number >= 0x80:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


def lv_cat(*items: bytes) -> bytes:
    return b"".join(leb128(len(item)) + item for item in items)


def generator(password: bytes, channel: bytes, session: bytes) -> bytes:
    return mapped(hashlib.sha512(generator_string(password, channel, session)).digest())


def generator_string(password: bytes, channel: bytes, session: bytes) -> bytes:
    zeros = bytes(max(0, BLOCK - 1 - len(lv_cat(DOMAIN, password))))
    return lv_cat(DOMAIN, password, zeros, channel, session)


def session_key(
    session: bytes, shared: bytes, initiator: tuple[bytes, bytes], responder: tuple[bytes, bytes]
) -> bytes:
    """Each side is its share and its associated data."""
    text = lv_cat(DOMAIN + b"_ISK", session, shared) + lv_cat(*initiator) + lv_cat(*responder)
    return hashlib.sha512(text).digest()


def _agreed(operation: str, *arguments: bytes):
    found = [getattr(group, operation)(*arguments) for group in (Sodium, Pure)]
    if found[0] != found[1]:
        raise Disagreement(f"{operation} {[argument.hex() for argument in arguments]}: {found}")
    return found[0]
