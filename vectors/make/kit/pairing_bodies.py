"""What is sealed in a pairing, well and in place, and has not the form that it must have."""

from collections.abc import Iterator

from tink.proto import tink_pb2

from kit import aes_keys, ecies_keys, keyset_faults
from kit.pairing_keys import Hold
from kit.pairing_scene import FIRST, PHRASE
from kit.protobuf import AES, at, join, split
from kit.streaming_keys import streaming_entry
from partner.encoding import length_prefixed as lp


# Invisible, or not what it seems to be: fillers, a joiner, selectors, vowels that are not shown, and a Cyrillic a.
STRANGE = "\u3164\u2800\u115f\uffa0\u034f\ufe0f\U000e0100\u17b4\u180b\u200b\u0430"


def keysets(good: Hold) -> Iterator[tuple[str, bytes]]:
    binary = good.binary()
    fields = split(binary, AES)
    yield "no keyset", b""
    yield "a keyset that is cut", binary[:-1]
    yield "a byte behind the keyset", binary + b"\0"
    yield "fields of the keyset in reverse", join(fields[::-1])
    yield "an unknown field", join([*fields, (15, 1)])
    yield "an AES-128 key", join(at(fields, (*keyset_faults.VALUE, 3), keyset_faults.sets(3, b"k" * 16)))
    yield "no primary", aes_keys.binary(tink_pb2.Keyset(primary_key_id=1, key=good.keyset.key))
    yield "no key", aes_keys.binary(tink_pb2.Keyset(primary_key_id=1))
    yield "two keys of one id", aes_keys.binary(aes_keys.keyset(FIRST, aes_keys.entry("other", FIRST.key_id)))
    disabled = aes_keys.entry("pairing disabled", 300, status=tink_pb2.DISABLED)
    yield "a disabled key", aes_keys.binary(aes_keys.keyset(*good.keyset.key, disabled))
    yield "a destroyed key", aes_keys.binary(aes_keys.keyset(*good.keyset.key, _destroyed()))
    yield "33 keys", aes_keys.binary(aes_keys.keyset(*many(33)))
    yield "a P-256 key", aes_keys.binary(aes_keys.keyset(ecies_keys.entry(ecies_keys.scalar("pairing"), 5)))
    yield "a streaming key", aes_keys.binary(aes_keys.keyset(streaming_entry("pairing", 5, 4096)))
    yield "a keyset in JSON", b'{"primaryKeyId":1,"key":[]}'


def bodies(good: Hold, name: bytes, other: bytes, *rest: bytes) -> Iterator[tuple[str, bytes]]:
    epoch, keyset = good.epoch.to_bytes(4, "big"), good.binary()
    whole = good.body(name, *rest)
    yield "another name", good.body(other, *rest)
    yield "no name", lp(epoch, keyset, *rest)
    yield "no epoch", lp(name, keyset, *rest)
    for count in (0, 3, 5, 8):
        yield (
            f"an epoch of {count} bytes",
            lp(name, good.epoch.to_bytes(8, "big")[8 - count :], keyset, *rest),
        )
    yield "an item more", whole + lp(b"")
    yield "a byte behind it", whole + b"\0"
    yield "cut by a byte", whole[:-1]
    yield "a length that is too large", whole[: -1 - len((keyset, *rest)[-1])] + b"\xff" + (keyset, *rest)[-1]
    yield "LEB128 lengths", bytes([len(name)]) + name + b"\4" + epoch + keyset
    yield "empty", b""


def phrases() -> Iterator[tuple[str, bytes]]:
    """What a server could guess, or people could not copy from paper."""
    words = PHRASE.split()
    yield "empty", b""
    yield "spaces", b"   "
    yield "a letter", b"a"
    yield "nine words", " ".join(words[:9]).encode()
    yield "ten times the same word", " ".join(words[:1] * 10).encode()
    yield "four different words", " ".join(words[:4] * 3).encode()
    yield "a word of two letters", " ".join([*words, "ab"]).encode()
    yield "a word of nine letters", " ".join([*words, "abcdefghi"]).encode()
    yield "257 bytes", " ".join(["alpha bravo charlie delta echo golf"] * 7 + ["abcde"]).encode()
    yield "a space in front", b" " + PHRASE.encode()
    yield "a space at the end", PHRASE.encode() + b" "
    yield "two spaces", PHRASE.replace(" ", "  ", 1).encode()
    for comment, text in (("a hyphen", "-"), ("a tab", "\t"), ("a line break", "\n"), ("a full stop", ".")):
        yield comment, PHRASE.replace(" ", text, 1).encode()
    yield "a letter in upper case", PHRASE.replace("g", "G", 1).encode()
    yield "a digit", PHRASE.replace("o", "0", 1).encode()
    for letter in STRANGE:
        yield f"U+{ord(letter):04X} in a word", PHRASE.replace("golf", f"go{letter}lf").encode()
    for letter in "\u00a0\u2003\u3000":
        yield f"U+{ord(letter):04X} for a space", PHRASE.replace(" ", letter).encode()
    yield "500 combining marks", ("a" + "\u0301" * 120).encode()
    yield "no UTF-8", PHRASE.encode() + b"\xff"


def many(count: int, first: int = 1000) -> list[tink_pb2.Keyset.Key]:
    return [aes_keys.entry(f"pairing many {number}", number) for number in range(first, first + count)]


def _destroyed() -> tink_pb2.Keyset.Key:
    return tink_pb2.Keyset.Key(
        status=tink_pb2.DESTROYED, key_id=301, output_prefix_type=tink_pb2.TINK, key_data=tink_pb2.KeyData()
    )
