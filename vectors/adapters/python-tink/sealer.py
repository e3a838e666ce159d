"""A sealer for `closer-keys vectors live`: what is Tink's in the v1 formats.

Tink seals with the primary key, wherever that stands in its keyset, and draws every nonce, salt and ephemeral key itself.
"""

import base64
import io
import json
import sys

from tink import aead, hybrid, proto_keyset_format, secret_key_access, streaming_aead


def seal(keyset, plaintext, associated_data):
    handle = proto_keyset_format.parse(bytes.fromhex(keyset), secret_key_access.TOKEN)
    return handle.primitive(aead.Aead).encrypt(plaintext, associated_data)


def seal_box(public_keyset, plaintext, context):
    """Nobody who seals needs a private key, and this parser lets none in."""
    handle = proto_keyset_format.parse_without_secret(public_keyset)
    return handle.primitive(hybrid.HybridEncrypt).encrypt(plaintext, context)


def seal_stream(keyset, plaintext, associated_data):
    """Closing writes the last segment, even an empty one; a stream without it does not open."""
    handle = proto_keyset_format.parse(bytes.fromhex(keyset), secret_key_access.TOKEN)
    target = Target()
    with handle.primitive(streaming_aead.StreamingAead).new_encrypting_stream(target, associated_data) as stream:
        stream.write(plaintext)
    return target.getvalue()


class Target(io.BytesIO):
    """Tink closes what it has written to, which is right for a file; here the bytes must stay."""

    def close(self):
        pass


def base64url(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def from_base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def run(operation, case):
    plaintext = bytes.fromhex(case["plaintext"])
    match operation:
        case "aead.seal":
            return {"ciphertext": seal(case["keyset"], plaintext, bytes.fromhex(case["associatedData"])).hex()}
        case "field.seal":
            box = seal(case["keyset"], plaintext, case["coupleId"].encode())
            return {"token": "enc:v1:" + base64.b64encode(box).decode()}
        case "placedField.seal":
            items = b"closer-keys/v2/field", case["coupleId"].encode(), case["place"].encode()
            data = b"".join(len(item).to_bytes(4, "big") + item for item in items)
            return {"token": "enc:v2:" + base64.b64encode(seal(case["keyset"], plaintext, data)).decode()}
        case "ecies.seal":
            public_keyset = bytes.fromhex(case["publicKeyset"])
            return {"ciphertext": seal_box(public_keyset, plaintext, bytes.fromhex(case["context"])).hex()}
        case "keybox.seal":
            public_keyset = from_base64url(case["publicKey"].removeprefix("pub:v1:"))
            return {"keybox": "keybox:v1:" + base64url(seal_box(public_keyset, plaintext, case["context"].encode()))}
        case "stream.seal":
            return {"ciphertext": seal_stream(case["keyset"], plaintext, bytes.fromhex(case["associatedData"])).hex()}


def answer(message):
    if message["cmd"] == "start":
        return {"features": ["aead.seal", "field.seal", "placedField.seal", "ecies.seal", "keybox.seal", "stream.seal"]}
    return {"output": run(message["op"], message["case"])}


for primitive in (aead, hybrid, streaming_aead):
    primitive.register()
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "stop":
        break
    print(json.dumps({"seq": message["seq"], **answer(message)}), flush=True)
