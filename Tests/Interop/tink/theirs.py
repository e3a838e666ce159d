"""What Tink does: the other side of every round trip."""

import io

import tink
from tink import aead, hybrid, json_proto_keyset_format, proto_keyset_format, secret_key_access
from tink import streaming_aead
from tink.proto import tink_pb2

aead.register()
hybrid.register()
streaming_aead.register()

FORMATS = {"binary": proto_keyset_format, "json": json_proto_keyset_format}


def field_cipher(keyset: tink_pb2.Keyset) -> aead.Aead:
    return _handle(keyset).primitive(aead.Aead)


def box_sealer(public: tink_pb2.Keyset) -> hybrid.HybridEncrypt:
    handle = proto_keyset_format.parse_without_secret(public.SerializeToString())
    return handle.primitive(hybrid.HybridEncrypt)


def box_opener(keyset: tink_pb2.Keyset) -> hybrid.HybridDecrypt:
    return _handle(keyset).primitive(hybrid.HybridDecrypt)


def seal_stream(keyset: tink_pb2.Keyset, plaintext: bytes, data: bytes) -> bytes:
    target = _Target()
    with _handle(keyset).primitive(streaming_aead.StreamingAead).new_encrypting_stream(target, data) as stream:
        stream.write(plaintext)
    return target.content


def open_stream(keyset: tink_pb2.Keyset, stream: bytes, data: bytes) -> bytes:
    aead = _handle(keyset).primitive(streaming_aead.StreamingAead)
    with aead.new_decrypting_stream(io.BytesIO(stream), data) as plaintext:
        return plaintext.read()


class _Target(io.BytesIO):
    """Tink closes what it has written to, and its content with it."""

    content = b""

    def close(self) -> None:
        self.content = self.getvalue()
        super().close()


def public_keyset(keyset: tink_pb2.Keyset) -> tink_pb2.Keyset:
    return _proto(_handle(keyset).public_keyset_handle())


def new_key(template: tink_pb2.KeyTemplate) -> tink_pb2.Keyset.Key:
    """A key that Tink drew, with the id and the integers that Tink gave it."""
    return _proto(tink.new_keyset_handle(template)).key[0]


def write(keyset: tink_pb2.Keyset, form: str) -> bytes:
    """Tink's own file: Tink reads the keyset and writes it."""
    written = FORMATS[form].serialize(_handle(keyset), secret_key_access.TOKEN)
    return written.encode() if form == "json" else written


def read(written: bytes, form: str) -> tink_pb2.Keyset:
    """What Tink makes of a keyset file."""
    text = written.decode() if form == "json" else written
    return _proto(FORMATS[form].parse(text, secret_key_access.TOKEN))


def read_public(written: bytes, form: str) -> tink_pb2.Keyset:
    """The same with Tink's reader for public keysets, which refuses secrets."""
    text = written.decode() if form == "json" else written
    return _proto(FORMATS[form].parse_without_secret(text))


def _handle(keyset: tink_pb2.Keyset) -> tink.KeysetHandle:
    return proto_keyset_format.parse(keyset.SerializeToString(), secret_key_access.TOKEN)


def _proto(handle: tink.KeysetHandle) -> tink_pb2.Keyset:
    written = proto_keyset_format.serialize(handle, secret_key_access.TOKEN)
    return tink_pb2.Keyset.FromString(written)
