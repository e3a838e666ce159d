"""Files, sealed as streams of segments: AES-256-GCM-HKDF keysets, associated data, files and pipes."""

from collections.abc import Callable
from random import Random

from tink import streaming_aead
from tink.proto import aes_gcm_hkdf_streaming_pb2 as streaming_pb2
from tink.proto import common_pb2, tink_pb2

import streams
import texts
import theirs
from checks import Mismatch, must_refuse, same
from draw import Draw
from keysets import new_keyset, prefix_name, primary, summary
from program import Program
from rotation import old_primary_disabled, rotated

WAYS = ("files", "pipes")
FORMS = ("binary", "json")


def tink_to_ours(draw: Draw, ours: Program) -> dict[str, str]:
    keyset, facts, plaintext, (kind, data) = drawn(draw)
    stream = theirs.seal_stream(keyset, plaintext, data.encode())
    rotation, after = rotated(draw, ours, keyset, streams.new_key)
    form, way = draw.choice(FORMS), draw.choice(WAYS)
    written = theirs.write(after, form)
    same("keyset list", summary(after), ours.list_keyset(written))
    same("plaintext", plaintext, run(ours, "open", way, written, data, stream))
    return facts | {"rotation": rotation, "form": form, "way": way, "associated data": kind}


def ours_to_tink(draw: Draw, ours: Program) -> dict[str, str]:
    keyset, facts, plaintext, (kind, data) = drawn(draw)
    if facts["segment"] == "1 MiB" and draw.random() < 1 / 2:
        keyset, facts["keys"] = theirs.read(ours.new_keyset("--type", "aes256-gcm-hkdf-1mb"), "binary"), "ours"
    form, way = draw.choice(FORMS), draw.choice(WAYS)
    stream = run(ours, "seal", way, theirs.write(keyset, form), data, plaintext)
    segments = streams.split(stream, streams.segment_size(primary(keyset).key_data))
    same("size", len(plaintext) + streams.HEADER + streams.TAG * len(segments), len(stream))
    rotation, after = rotated(draw, ours, keyset, streams.new_key)
    same("plaintext", plaintext, theirs.open_stream(after, stream, data.encode()))
    return facts | {"rotation": rotation, "form": form, "way": way, "associated data": kind}


def refused(draw: Draw, ours: Program) -> dict[str, str]:
    """First both open what is genuine, so that what follows is refused for the one thing that changed."""
    segment = draw.choice((57, 64, 1 << 12))
    keyset = _keyset(draw, segment)
    text = draw.randbytes(draw.randint(4, 6) * segment)
    stream = theirs.seal_stream(keyset, text, b"data")
    same("plaintext", text, run(ours, "open", "files", keyset.SerializeToString(), "data", stream))
    fault = draw.turn("fault", (*FAULTS, "associated data", "disabled key"))
    data = "date" if fault == "associated data" else "data"
    if fault == "disabled key":
        keyset = old_primary_disabled(draw, ours, keyset)
    if fault in FAULTS:
        stream = FAULTS[fault](draw, stream, segment)
    must_refuse("tink", lambda: theirs.open_stream(keyset, stream, data.encode()))
    is_stream = len(stream) >= streams.HEADER + streams.TAG and stream[0] == streams.HEADER
    _must_exit(ours, 3 if is_stream else 5, keyset.SerializeToString(), data, stream)
    return {"fault": fault}


def foreign(draw: Draw, ours: Program) -> dict[str, str]:
    """Streams under keys of Tink that closer-keys does not support: it must refuse the keyset."""
    kind = draw.turn("kind", FOREIGN)
    keyset = FOREIGN[kind](draw)
    stream = theirs.seal_stream(keyset, b"plaintext", b"")
    same("plaintext", b"plaintext", theirs.open_stream(keyset, stream, b""))
    _must_exit(ours, 5, keyset.SerializeToString(), "", stream)
    must_refuse("closer-keys", lambda: ours.list_keyset(keyset.SerializeToString()))
    return {"kind": kind}


def drawn(draw: Draw) -> tuple[tink_pb2.Keyset, dict[str, str], bytes, tuple[str, str]]:
    kind, size = draw.turn("segment", streams.SEGMENTS), draw.turn("size", streams.SIZES)
    segment = streams.SEGMENTS[kind](draw)
    keyset = _keyset(draw, segment)
    facts = {"segment": kind, "size": size, "prefix": prefix_name(primary(keyset)), "keys": "made here"}
    return keyset, facts, streams.plaintext(draw, size, segment), texts.context(draw)


def _keyset(draw: Random, segment: int) -> tink_pb2.Keyset:
    """Keys of any segments, and a primary of these."""
    keyset = new_keyset(draw, streams.new_key)
    primary(keyset).key_data.CopyFrom(streams.new_key(draw, segment))
    return keyset


def run(ours: Program, verb: str, way: str, keyset: bytes, data: str, content: bytes) -> bytes:
    arguments = ["file", verb, "--keyset-file", ours.file("keyset", keyset)]
    arguments += [f"--associated-data={data}"] if data else []
    if way == "pipes":
        return ours.run(*arguments, stdin=content)
    output = f"{verb}.out"
    same("standard output", b"", ours.run(*arguments, ours.file(f"{verb}.in", content), "-o", output))
    return (ours.folder / output).read_bytes()


def _must_exit(ours: Program, status: int, keyset: bytes, data: str, stream: bytes) -> None:
    """Fails unless the program exits with this code and leaves no file."""
    arguments = ["--keyset-file", ours.file("keyset", keyset), "--associated-data", data]
    ended = ours.call("file", "open", *arguments, ours.file("stream", stream), "-o", "refused")
    same("exit code", status, ended.returncode)
    if (ours.folder / "refused").exists():
        raise Mismatch("a file was left that did not open to its end")


def _swapped(draw: Random, stream: bytes, segment: int) -> bytes:
    parts = streams.split(stream, segment)
    one, other = draw.sample(range(1, len(parts) - 1), 2)
    parts[one], parts[other] = parts[other], parts[one]
    return b"".join(parts)


def _dropped(draw: Random, stream: bytes, segment: int) -> bytes:
    parts = streams.split(stream, segment)
    del parts[draw.randrange(1, len(parts))]
    return b"".join(parts)


def _repeated(draw: Random, stream: bytes, segment: int) -> bytes:
    parts = streams.split(stream, segment)
    place = draw.randrange(len(parts))
    return b"".join(parts[: place + 1] + parts[place:])


def _cut_at_a_border(draw: Random, stream: bytes, segment: int) -> bytes:
    return stream[: segment * draw.randrange(len(streams.split(stream, segment)))]


FAULTS: dict[str, Callable[[Random, bytes, int], bytes]] = {
    "byte": lambda draw, stream, segment: texts.flipped(draw, stream),
    "header": lambda draw, stream, segment: texts.flipped(draw, stream[: streams.HEADER]) + stream[streams.HEADER :],
    "truncated": lambda draw, stream, segment: texts.truncated(draw, stream),
    "cut at a border": _cut_at_a_border,
    "extended": lambda draw, stream, segment: stream + draw.randbytes(draw.choice((1, 16, segment))),
    "swapped": _swapped,
    "dropped": _dropped,
    "repeated": _repeated,
}


def _of_template(name: str) -> Callable[[Random], tink_pb2.Keyset]:
    def keyset(draw: Random) -> tink_pb2.Keyset:
        key = theirs.new_key(getattr(streaming_aead.streaming_aead_key_templates, name))
        return tink_pb2.Keyset(primary_key_id=key.key_id, key=[key])

    return keyset


def _of_hash(hash_type: int) -> Callable[[Random], tink_pb2.Keyset]:
    def keyset(draw: Random) -> tink_pb2.Keyset:
        data = streams.new_key(draw, 1 << 12)
        key = streaming_pb2.AesGcmHkdfStreamingKey.FromString(data.value)
        key.params.hkdf_hash_type = hash_type
        data.value = key.SerializeToString()
        entry = tink_pb2.Keyset.Key(
            key_data=data, status=tink_pb2.ENABLED, key_id=7, output_prefix_type=tink_pb2.RAW
        )
        return tink_pb2.Keyset(primary_key_id=7, key=[entry])

    return keyset


FOREIGN = {
    "AES128_GCM_HKDF_4KB": _of_template("AES128_GCM_HKDF_4KB"),
    "AES128_GCM_HKDF_1MB": _of_template("AES128_GCM_HKDF_1MB"),
    "AES128_CTR_HMAC_SHA256_4KB": _of_template("AES128_CTR_HMAC_SHA256_4KB"),
    "AES256_CTR_HMAC_SHA256_4KB": _of_template("AES256_CTR_HMAC_SHA256_4KB"),
    "AES256_CTR_HMAC_SHA256_1MB": _of_template("AES256_CTR_HMAC_SHA256_1MB"),
    "SHA1": _of_hash(common_pb2.SHA1),
    "SHA512": _of_hash(common_pb2.SHA512),
}
