"""An adapter for `closer-keys vectors run`: what is Tink's in the v1 formats. It says why by a ciphertext's first bytes."""

import base64
import io
import json
import re
import sys

from tink import TinkError, aead, hybrid, proto_keyset_format, secret_key_access, streaming_aead
from tink.proto import ecies_aead_hkdf_pb2, tink_pb2

BYTES = {"keyset", "ciphertext", "associatedData"}
FEATURES = ["aead.open", "field.open", "placedField.open", "ecies.open", "keybox.open", "stream.open", "base64.decode"]


class Refused(Exception):
    """The id of an error."""


def demand(holds, error="malformed"):
    if not holds:
        raise Refused(error)


def unbase64(text, is_url):
    """Strict: encoded again it is the same text. The standard alphabet is padded, the other is not."""
    letters = b"-_" if is_url else b"+/"
    try:
        content = base64.b64decode(text + "=" * (-len(text) % 4 if is_url else 0), letters, validate=True)
    except ValueError:
        raise Refused("malformed") from None
    again = base64.b64encode(content, letters).decode()
    demand((again.rstrip("=") if is_url else again) == text)
    return content


def token(name, text, least=1):
    demand(text.startswith(name) and len(text) >= len(name) + least)
    return unbase64(text.removeprefix(name), is_url=not name.startswith("enc:"))


def identifier(text):
    demand(re.fullmatch(r"[A-Za-z0-9_.:@+-]{1,128}", text))
    return text.encode()


def placed(couple, place):
    """What a field with a place is tied to: name, couple and place, each behind its count of bytes."""
    demand(re.fullmatch(r"[ -~]{1,512}", place))
    items = b"closer-keys/v2/field", identifier(couple), place.encode()
    return b"".join(len(item).to_bytes(4, "big") + item for item in items)


def opened(keyset, primitive, box, context, least=28):
    handle = proto_keyset_format.parse(keyset, secret_key_access.TOKEN)
    try:
        return handle.primitive(primitive).decrypt(box, context)
    except TinkError:
        demand(len(box) >= least)
        keys = [key for key in tink_pb2.Keyset.FromString(keyset).key if key.status == tink_pb2.ENABLED]
        meant = [each for each in map(shortest, keys) if box.startswith(each[0])]
        demand(meant, "noKey")
        demand(len(box) >= min(count for _, count in meant))
        raise Refused("authFailed") from None


def shortest(key):
    """The prefix of a key, and the length of the shortest ciphertext under it."""
    first = bytes([key.output_prefix_type == tink_pb2.TINK]) + key.key_id.to_bytes(4, "big")
    prefix = b"" if key.output_prefix_type == tink_pb2.RAW else first
    if key.key_data.type_url.endswith(".AesGcmKey"):
        return prefix, len(prefix) + 28
    private = ecies_aead_hkdf_pb2.EciesAeadHkdfPrivateKey.FromString(key.key_data.value)
    return prefix, len(prefix) + 28 + {1: 65, 2: 33}[private.public_key.params.ec_point_format]


def open_box(keyset, box, context):
    demand(len(context) <= 32768, "limit")
    return opened(keyset, hybrid.HybridDecrypt, box, context, 61)


def open_stream(keyset, ciphertext, context):
    demand(len(ciphertext) >= 56 and ciphertext[0] == 40)
    handle = proto_keyset_format.parse(keyset, secret_key_access.TOKEN)
    try:
        return handle.primitive(streaming_aead.StreamingAead).new_decrypting_stream(io.BytesIO(ciphertext), context).read()
    except (TinkError, EOFError, OSError):
        raise Refused("authFailed") from None


def run(operation, case):
    content = {name: bytes.fromhex(case[name]) for name in BYTES & case.keys()}
    match operation:
        case "aead.open":
            return opened(content["keyset"], aead.Aead, content["ciphertext"], content["associatedData"])
        case "field.open":
            couple = identifier(case["coupleId"])
            return opened(content["keyset"], aead.Aead, token("enc:v1:", case["token"]), couple)
        case "placedField.open":
            demand(not case["token"].startswith("enc:v1:"), "unbound")
            data = placed(case["coupleId"], case["place"])
            return opened(content["keyset"], aead.Aead, token("enc:v2:", case["token"]), data)
        case "ecies.open":
            return open_box(content["keyset"], content["ciphertext"], bytes.fromhex(case["context"]))
        case "keybox.open":
            return open_box(content["keyset"], token("keybox:v1:", case["keybox"], 120), case["context"].encode())
        case "stream.open":
            return open_stream(content["keyset"], content["ciphertext"], content["associatedData"])
        case "base64.decode":
            return unbase64(case["text"], is_url=case["variant"] == "url")


def answer(message):
    if message["cmd"] == "start":
        return {"features": FEATURES}
    try:
        member = "bytes" if message["op"] == "base64.decode" else "plaintext"
        return {"output": {member: run(message["op"], message["case"]).hex()}}
    except Refused as refused:
        return {"error": str(refused)}


for primitive in (aead, hybrid, streaming_aead):
    primitive.register()
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "stop":
        break
    print(json.dumps({"seq": message["seq"], **answer(message)}), flush=True)
