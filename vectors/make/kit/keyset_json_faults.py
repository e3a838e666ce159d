"""JSON keysets that are broken in one thing: not strict, not exactly Tink's members, or against a rule."""

import base64
import json
import string
from collections.abc import Callable, Iterator

from kit import aes_keys, ecies_keys

import ecies


ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"


def stray_bits(value: str, padding: int = 2) -> str:
    """The same bytes, in a spelling whose last unused bit is 1."""
    text = value.rstrip("=")
    assert len(value) - len(text) == padding
    last = ALPHABET[ALPHABET.index(text[-1]) | 1]
    assert last != text[-1] and base64.b64decode(value) == base64.b64decode(text[:-1] + last + "=" * padding)
    return text[:-1] + last + "=" * padding


def broken_json(written: Callable) -> Iterator[tuple[str, bytes, str]]:
    keyset = written(aes_keys.keyset(aes_keys.entry("keyset faults", 305419896)))
    text = json.dumps(keyset)
    key = keyset["key"][0]

    def with_key(**changes: object) -> str:
        members = {name: value for name, value in (key | changes).items() if value is not None}
        return json.dumps(keyset | {"key": [members]})

    def with_data(**changes: object) -> str:
        members = {name: value for name, value in (key["keyData"] | changes).items() if value is not None}
        return with_key(keyData=members)

    value = key["keyData"]["value"]
    texts = {
        "nothing": "",
        "no object": "[]",
        "text behind it": text + "x",
        "a comma too many": text[:-1] + ",}",
        "a comment": text + "// c",
        "cut off": text[:-1],
        "an unknown member": json.dumps(keyset | {"x": 1}),
        "a member twice": text[:-1] + ', "primaryKeyId": 305419896}',
        "no keys": json.dumps({"primaryKeyId": 1}),
        "an empty list of keys": json.dumps(keyset | {"key": []}),
        "a name in snake case": text.replace("keyId", "key_id"),
        "an id as a fraction": text.replace("305419896", "305419896.0"),
        "an id with an exponent": text.replace("305419896", "3e8"),
        "an id as text": text.replace("305419896", '"305419896"'),
        "an id of 33 bits": text.replace("305419896", "4600387192"),
        "a negative id": text.replace("305419896", "-1"),
        "the primary's id is another": json.dumps(keyset | {"primaryKeyId": 1}),
        "an unknown status": with_key(status="ENABLE"),
        "status as a number": with_key(status=1),
        "status UNKNOWN_STATUS": with_key(status="UNKNOWN_STATUS"),
        "no status": with_key(status=None),
        "an unknown prefix": with_key(outputPrefixType="tink"),
        "no prefix": with_key(outputPrefixType=None),
        "no key data": with_key(keyData=None),
        "a member too many in a key": with_key(x=1),
        "a value with too much padding": with_data(value=value + "="),
        "a value with too little padding": with_data(value=value[:-1]),
        "a value without padding": with_data(value=value.rstrip("=")),
        "a value with stray bits, two bytes missing": with_data(value=stray_bits(value)),
        "a value with a space in it": with_data(value=value[:8] + " " + value[8:]),
        "a value with a newline behind it": with_data(value=value + "\n"),
        "a value in base64url": with_data(value="__" + value[2:]),
        "a value that is no base64": with_data(value="*" + value[1:]),
        "no value": with_data(value=None),
        "an empty value": with_data(value=""),
        "an unknown type": with_data(typeUrl=ecies.TYPE + "AesGcmSivKey"),
        "another material type": with_data(keyMaterialType="REMOTE"),
        "a member too many in the key data": with_data(x=1),
        "the primary is disabled": with_key(status="DISABLED"),
        "two enabled keys with one id": json.dumps(keyset | {"key": [key, key]}),
    }
    for comment, content in texts.items():
        yield comment, content.encode(), "malformed"
    salted = ecies_keys.parameters(salt=b"sa")
    boxes = written(aes_keys.keyset(ecies_keys.entry(ecies_keys.scalar("keyset faults"), 99, salted)))
    boxes["key"][0]["keyData"]["value"] = stray_bits(boxes["key"][0]["keyData"]["value"], padding=1)
    yield "ECIES, a value with stray bits, one byte missing", json.dumps(boxes).encode(), "malformed"
    yield "no UTF-8", text.replace("TINK", "TI\udcff").encode(errors="surrogateescape"), "malformed"
    yield "a byte order mark", b"\xef\xbb\xbf" + text.encode(), "malformed"
    yield (
        "33 keys",
        json.dumps(
            keyset | {"key": [key | {"keyId": number} for number in range(305419896, 305419929)]}
        ).encode(),
        "limit",
    )
    yield "32 KiB and a byte", text.encode().ljust((1 << 15) + 1), "limit"
