"""One AES-GCM ciphertext that opens under two keys: the tag does not say which, since one block of it can be chosen.

NIST SP 800-38D; the attack is Dodis, Grubbs, Ristenpart and Woodage, "Fast message franking", 2018.
"""

import os
from collections.abc import Sequence

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from tink.proto import tink_pb2

import theirs
from partner.couple_key import CoupleKey

BLOCK, BITS, REDUCTION = 16, 128, 0xE1 << 120


def box(keysets: Sequence[tink_pb2.Keyset], data: bytes, texts: tuple[bytes, bytes]) -> tuple[bytes, list[bytes]]:
    """A Tink ciphertext for both keysets, which have one id, and what each of them opens it to.

    The first block is the first text under the first key, the second is the second's; the third is what the tag needs.
    Two more make it long enough for every token.
    """
    keys, iv = [CoupleKey(each).enabled()[0] for each in keysets], os.urandom(12)
    streams = [_blocks(key, iv, range(2, 7)) for key in keys]
    blocks = [_xor(texts[0], streams[0][0]), _xor(texts[1], streams[1][1]), bytes(BLOCK), os.urandom(16), os.urandom(16)]
    blocks[2] = _balancing(keys, iv, data, blocks)
    made = b"".join(blocks)
    prefix = b"\x01" + keysets[0].primary_key_id.to_bytes(4, "big")
    content = prefix + iv + made + _tag(keys[0], iv, data, blocks).to_bytes(BLOCK, "big")
    return content, [theirs.field_cipher(each).decrypt(content, data) for each in keysets]


def _balancing(keys: list[bytes], iv: bytes, data: bytes, blocks: list[bytes]) -> bytes:
    """The third block with which both keys have one tag; with zeros in its place the tags differ by what it adds."""
    power = len(blocks) - 1  # the lengths follow the blocks
    first, second = (_power(_hash_key(key), power) for key in keys)
    gap = _tag(keys[0], iv, data, blocks) ^ _tag(keys[1], iv, data, blocks)
    return _product(gap, _power(first ^ second, 2**BITS - 2)).to_bytes(BLOCK, "big")


def _tag(key: bytes, iv: bytes, data: bytes, blocks: list[bytes]) -> int:
    hash_key, state = _hash_key(key), 0
    lengths = (8 * len(data)).to_bytes(8, "big") + (8 * BLOCK * len(blocks)).to_bytes(8, "big")
    padded = data + bytes(-len(data) % BLOCK)
    for each in [*(padded[at : at + BLOCK] for at in range(0, len(padded), BLOCK)), *blocks, lengths]:
        state = _product(state ^ int.from_bytes(each, "big"), hash_key)
    return state ^ int.from_bytes(_blocks(key, iv, [1])[0], "big")


def _product(one: int, other: int) -> int:
    """In GCM's field, where the first bit is the lowest power."""
    result = 0
    for place in reversed(range(BITS)):
        result ^= other * (one >> place & 1)
        other = other >> 1 ^ REDUCTION * (other & 1)
    return result


def _power(base: int, exponent: int) -> int:
    result = 1 << BITS - 1
    for place in reversed(range(exponent.bit_length())):
        result = _product(result, result)
        result = _product(result, base) if exponent >> place & 1 else result
    return result


def _hash_key(key: bytes) -> int:
    return int.from_bytes(_encrypted(key, bytes(BLOCK)), "big")


def _blocks(key: bytes, iv: bytes, counters: Sequence[int]) -> list[bytes]:
    return [_encrypted(key, iv + each.to_bytes(4, "big")) for each in counters]


def _encrypted(key: bytes, block: bytes) -> bytes:
    cipher = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return cipher.update(block)


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(left ^ right for left, right in zip(one, other, strict=True))
