"""Makes streams.json: streams that Tink sealed, and streaming keysets that it wrote.

Keys and plaintexts are the same every time; Tink draws a salt and a nonce prefix for each stream, so the streams are
not. A plaintext is `pattern(size)`. A stream of more than 20,000 bytes is given as its header and its SHA-256.
"""
import hashlib
import io
import json
import pathlib
import sys
from importlib.metadata import version

import tink
from tink import json_proto_keyset_format, proto_keyset_format, secret_key_access, streaming_aead
from tink.proto import aes_gcm_hkdf_streaming_pb2 as streaming_pb2
from tink.proto import common_pb2, tink_pb2

streaming_aead.register()

TYPE = "type.googleapis.com/google.crypto.tink.AesGcmHkdfStreamingKey"
HEADER, TAG, LONG = 40, 16, 20_000
NOTHING, TEXT, LONGEST = b"", "photo-17 ❤".encode(), bytes(range(256)) * 128


def pattern(size):
    """Byte i is i ^ i >> 8 ^ i >> 16, cut to eight bits."""
    return bytes((i ^ i >> 8 ^ i >> 16) & 0xFF for i in range(size))


def secret(label, count=32):
    return hashlib.shake_256(label.encode()).digest(count)


def key(key_id, segment, prefix=tink_pb2.RAW, size=32, hash_type=common_pb2.SHA256):
    params = streaming_pb2.AesGcmHkdfStreamingParams(
        ciphertext_segment_size=segment, derived_key_size=size, hkdf_hash_type=hash_type)
    value = streaming_pb2.AesGcmHkdfStreamingKey(params=params, key_value=secret(f"stream {key_id}", size))
    data = tink_pb2.KeyData(
        type_url=TYPE, value=value.SerializeToString(), key_material_type=tink_pb2.KeyData.SYMMETRIC)
    return tink_pb2.Keyset.Key(
        key_data=data, status=tink_pb2.ENABLED, key_id=key_id, output_prefix_type=prefix)


def keyset(primary, *others):
    return tink_pb2.Keyset(primary_key_id=primary.key_id, key=[*others, primary])


def handle(keys):
    return proto_keyset_format.parse(keys.SerializeToString(), secret_key_access.TOKEN)


def written(keys):
    """As Tink writes it, which refuses what it does not know."""
    return proto_keyset_format.serialize(handle(keys), secret_key_access.TOKEN)


def sealed(keys, plaintext, data):
    target = io.BytesIO()
    target.close = lambda: None
    with handle(keys).primitive(streaming_aead.StreamingAead).new_encrypting_stream(target, data) as stream:
        stream.write(plaintext)
    return target.getvalue()


def opened(keys, stream, data):
    aead = handle(keys).primitive(streaming_aead.StreamingAead)
    with aead.new_decrypting_stream(io.BytesIO(stream), data) as plaintext:
        return plaintext.read()


def sizes(segment):
    """Around the borders of the first, second and third segment."""
    first, other = segment - HEADER - TAG, segment - TAG
    borders = (0, first, first + other, first + 2 * other)
    return sorted({max(0, border + step) for border in borders for step in (-1, 0, 1)})


def streams():
    for segment in (57, 64, 4096, 1 << 20):
        keys = keyset(key(segment + 1, segment))
        for size in sizes(segment):
            for data in {8: (NOTHING, TEXT, LONGEST)}.get(size, (NOTHING, TEXT)) if segment == 64 else (TEXT,):
                stream = sealed(keys, pattern(size), data)
                assert opened(keys, stream, data) == pattern(size)
                yield {"keyset": written(keys), "segment": segment, "aad": data, "size": size} | shown(stream)


def shown(stream):
    if len(stream) <= LONG:
        return {"stream": stream}
    return {"header": stream[:HEADER], "count": len(stream), "sha256": hashlib.sha256(stream).digest()}


def keysets():
    """Streams under a key that is not the first of its keyset, with other segments and prefixes around it."""
    old, new = key(7, 64), key(8, 4096, prefix=tink_pb2.TINK)
    for primary, others in ((old, (new,)), (new, (old,)), (new, (key(9, 1 << 20), old, key(10, 57)))):
        keys = keyset(primary, *others)
        for size in (0, 8, 9, 200):
            stream = sealed(keys, pattern(size), TEXT)
            yield {"keyset": written(keys), "json": json_form(keys), "keyId": primary.key_id,
                   "aad": TEXT, "size": size, "stream": stream}


def json_form(keys):
    return json_proto_keyset_format.serialize(handle(keys), secret_key_access.TOKEN)


def foreign():
    """Streaming keysets of Tink that closer-keys does not take."""
    for name in ("AES128_GCM_HKDF_4KB", "AES128_GCM_HKDF_1MB", "AES256_CTR_HMAC_SHA256_4KB",
                 "AES256_CTR_HMAC_SHA256_1MB"):
        template = getattr(streaming_aead.streaming_aead_key_templates, name)
        yield {"name": name, "keyset": written(tink_proto(tink.new_keyset_handle(template)))}
    yield {"name": "SHA1", "keyset": written(keyset(key(11, 4096, hash_type=common_pb2.SHA1)))}
    yield {"name": "SHA512", "keyset": written(keyset(key(12, 4096, hash_type=common_pb2.SHA512)))}


def tink_proto(keyset_handle):
    return tink_pb2.Keyset.FromString(
        proto_keyset_format.serialize(keyset_handle, secret_key_access.TOKEN))


def main():
    document = {"sources": [f"tink {version('tink')}"]}
    for name, cases in {"streams": streams(), "keysets": keysets(), "foreign": foreign()}.items():
        document[name] = [
            {name: value.hex() if isinstance(value, bytes) else value for name, value in case.items()}
            for case in cases
        ]
    target = pathlib.Path(__file__).parent.parent / "streams.json"
    counts = {name: len(cases) for name, cases in document.items()}
    if "--fresh" in sys.argv or not target.exists():
        target.write_text(json.dumps(document, indent=1) + "\n")
        print(target.name, counts)
    else:
        print(target.name, "kept: Tink draws new salts; --fresh writes it anew", counts)


main()
