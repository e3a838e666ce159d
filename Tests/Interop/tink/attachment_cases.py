"""Attachments: a file under a key of its own, and the JSON that says which file it is (closer-keys-formats(7), CHATS, Attachments)."""

import base64
import hashlib
import json

from tink import streaming_aead

import streams
import texts
import theirs
from checks import Mismatch, same
from draw import Draw
from program import Program
from tink.proto import tink_pb2

FAULTS = ("byte", "truncated", "extended", "another file", "digest", "size", "key")
TEMPLATE = streaming_aead.streaming_aead_key_templates.AES256_GCM_HKDF_1MB


def ours_to_tink(draw: Draw, ours: Program) -> dict[str, str]:
    size = draw.turn("size", streams.SIZES)
    text, name = streams.plaintext(draw, size, 1 << 20), draw.turn("name", ("plain.jpg", "übung 1.pdf"))
    ours.run("file", "seal", "--attach-out", "attachment", "--mime", "image/jpeg", ours.file(name, text), "-o", "sealed")
    written, stream = (ours.folder / "attachment").read_bytes(), (ours.folder / "sealed").read_bytes()
    said = json.loads(written)
    key = base64.b64decode(said["key"], validate=True)
    same("attachment", said, described(stream, key, name))
    same("canonical form", written, json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
    keyset = theirs.read(key, "binary")
    same("keys", 1, len(keyset.key))
    same("plaintext", text, theirs.open_stream(keyset, stream, b""))
    return {"size": size, "name": name}


def tink_to_ours(draw: Draw, ours: Program) -> dict[str, str]:
    size, way = draw.turn("size", streams.SIZES), draw.turn("keys", ("of tink", "made here"))
    keyset, stream, text, said = sent(draw, size, way)
    more = {"url": "https://example.org/1", "seconds": 3.5, "waveform": [1, 2]}
    same("plaintext", text, opened(ours, said | more, stream))
    return {"size": size, "keys": way}


def refused(draw: Draw, ours: Program) -> dict[str, str]:
    """First it opens what is genuine, so that what follows is refused for the one thing that changed."""
    fault = draw.turn("fault", FAULTS)
    _, stream, text, said = sent(draw, "between", "of tink")
    _, other, _, others = sent(draw, "between", "of tink")
    same("plaintext", text, opened(ours, said, stream))
    (ours.folder / "opened").unlink()
    stream = {
        "byte": lambda: texts.flipped(draw, stream),
        "truncated": lambda: texts.truncated(draw, stream),
        "extended": lambda: stream + draw.randbytes(draw.choice((1, 16))),
        "another file": lambda: other,
    }.get(fault, lambda: stream)()
    said |= {name: others[name] for name in ("digest", "key") if name == fault}
    said |= {"size": said["size"] + draw.choice((-1, 1))} if fault == "size" else {}
    ended = ours.call(*command(ours, said, stream))
    same("exit code", 3, ended.returncode)
    if (ours.folder / "opened").exists():
        raise Mismatch("a file was left that is not the attachment's")
    return {"fault": fault}


def sent(draw: Draw, size: str, way: str) -> tuple[tink_pb2.Keyset, bytes, bytes, dict]:
    """A file that Tink sealed under one key."""
    entry = theirs.new_key(TEMPLATE)
    if way == "made here":
        entry.key_data.CopyFrom(streams.new_key(draw, 1 << 12))
    keyset = tink_pb2.Keyset(primary_key_id=entry.key_id, key=[entry])
    text = streams.plaintext(draw, size, streams.segment_size(entry.key_data))
    stream = theirs.seal_stream(keyset, text, b"")
    return keyset, stream, text, described(stream, theirs.write(keyset, "binary"), "a.jpg")


def described(stream: bytes, key: bytes, name: str) -> dict:
    digest = base64.urlsafe_b64encode(hashlib.sha256(stream).digest()).decode().rstrip("=")
    text = base64.b64encode(key).decode()
    return {"digest": f"sha256:{digest}", "key": text, "mime": "image/jpeg", "name": name, "size": len(stream)}


def opened(ours: Program, said: dict, stream: bytes) -> bytes:
    ours.run(*command(ours, said, stream))
    return (ours.folder / "opened").read_bytes()


def command(ours: Program, said: dict, stream: bytes) -> list[str]:
    attachment = ours.file("attachment", json.dumps(said).encode())
    return ["file", "open", "--attachment", attachment, ours.file("sealed", stream), "-o", "opened"]
