"""Makes v1/wrap.json: the couple key under a recovery phrase (closer-keys-formats(7), Wrapped couple key).

Argon2id is argon2-cffi's, AES-256-GCM pyca/cryptography's. A derivation costs some 100 ms, so they are few.
"""

import base64
import json

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from google.protobuf import json_format

from kit import aes_keys, ecies_keys, keyset_faults
from kit.changes import flipped
from kit.frame import Group, VectorFile
from kit.stream import stream

from partner.wrap import COSTS, derived

NOTES = {
    "Normal": "Ten words, as they are written down",
    "Phrase": "Typed otherwise: case, white space, hyphens. The key is derived from the normal form",
    "Verbatim": "Another client's phrase, which only opens as it was typed",
    "Text": "The phrase is any text: not in the word list, not ASCII",
    "JSON": "The wrapped keyset is Tink's JSON",
    "Base64": "Either alphabet for the wrapped key, padded or not",
    "Costs": "Other spellings of the costs",
    "Rotation": "Several keys",
    "OtherPhrase": "Another phrase or salt",
    "Modified": "A byte of the wrapped key changed or was cut off",
    "AssociatedData": "Sealed as something else",
    "Keyset": "It opens, and holds no couple key in its one spelling",
    "Malformed": "A member that cannot be: nothing needs to be derived",
    "OtherCosts": "Costs other than v1's: nothing may be derived",
}
PHRASE = "alpha bravo charlie delta echo foxtrot golf hotel india juliet"
OF_KEY, OF_PHRASE, SALT = b"closer_couple_key", b"closer_recovery_phrase", stream("wrap salt", 16)


def standard(content: bytes) -> str:
    return base64.b64encode(content).decode()


def wrapped(content: bytes, phrase: str = PHRASE, salt: bytes = SALT, data: bytes = OF_KEY) -> dict:
    iv = stream(f"wrap iv {phrase}", 12)
    box = iv + AESGCM(derived(phrase.encode(), salt)).encrypt(iv, content, data)
    return {
        "wrappedCoupleKey": standard(box),
        "kdfSalt": standard(salt),
        "kdfParams": COSTS,
        "phrase": phrase,
    }


def opens(group: Group, comment: str, flag: str, case: dict, keyset: bytes, phrase: str) -> dict:
    key = derived(phrase.encode(), base64.b64decode(case["kdfSalt"]))
    return group.valid(comment, case, {"keyset": keyset}, flag, trace={"derivedKey": key})


def valid(group: Group, keyset: bytes) -> dict:
    good = opens(group, "ten words", "Normal", wrapped(keyset), keyset, PHRASE)
    typed = f"\n {PHRASE.upper().replace(' ', '-', 3).replace(' ', chr(0xA0), 1)}\t\r\n"
    opens(group, "typed in capitals, with hyphens", "Phrase", good | {"phrase": typed}, keyset, PHRASE)
    for comment, phrase, flag in (
        ("words of another client", "Correct-Horse  Battery", "Verbatim"),
        ("not ASCII", "pässwörd ❤ É", "Text"),
        ("one letter", "a", "Text"),
    ):
        opens(group, comment, flag, wrapped(keyset, phrase), keyset, phrase)
    document = json_format.MessageToDict(aes_keys.keyset(aes_keys.entry("wrap", 305419896)))
    opens(group, "a JSON keyset", "JSON", wrapped(json.dumps(document, indent=2).encode()), keyset, PHRASE)
    url = base64.urlsafe_b64encode(base64.b64decode(good["wrappedCoupleKey"])).decode().rstrip("=")
    opens(group, "base64url without padding", "Base64", good | {"wrappedCoupleKey": url}, keyset, PHRASE)
    opens(
        group,
        "costs as a PHC string",
        "Costs",
        good | {"kdfParams": "argon2id$v=19$m=46080,t=3,p=1"},
        keyset,
        PHRASE,
    )
    several = aes_keys.binary(
        aes_keys.keyset(*(aes_keys.entry(f"wrap {n}", n, status=1 + n % 2) for n in (2, 1, 4)))
    )
    opens(group, "three keys", "Rotation", wrapped(several, salt=stream("other salt", 16)), several, PHRASE)
    return good


def invalid(group: Group, keyset: bytes, good: dict) -> None:
    group.invalid(
        "another phrase", good | {"phrase": PHRASE.replace("alpha", "alphb")}, "authFailed", "OtherPhrase"
    )
    group.invalid(
        "nine words", good | {"phrase": PHRASE.removesuffix(" juliet")}, "authFailed", "OtherPhrase"
    )
    salt = standard(flipped(SALT, -1))
    group.invalid("another salt", good | {"kdfSalt": salt}, "authFailed", "OtherPhrase")
    box = base64.b64decode(good["wrappedCoupleKey"])
    for place in (0, 12, -1):
        group.invalid(
            f"byte {place}",
            good | {"wrappedCoupleKey": standard(flipped(box, place))},
            "authFailed",
            "Modified",
        )
    group.invalid("a byte less", good | {"wrappedCoupleKey": standard(box[:-1])}, "authFailed", "Modified")
    group.invalid("sealed as a phrase", wrapped(keyset, data=OF_PHRASE), "authFailed", "AssociatedData")
    fields = keyset_faults.aes()
    weak = keyset_faults.at(fields, (*keyset_faults.VALUE, 3), keyset_faults.sets(3, b"k" * 16))
    identity = aes_keys.binary(aes_keys.keyset(ecies_keys.entry(ecies_keys.scalar("wrap"), 4)))
    contents = {
        "no keyset": b"this is none, and yet it was wrapped",
        "an AES-128 key": keyset_faults.join(weak),
        "an identity": identity,
        "fields in reverse": keyset_faults.join(fields[::-1]),
        "JSON with a name twice": b'{"primaryKeyId":1,"primaryKeyId":1,"key":[]}',
    }
    for name, content in contents.items():
        group.invalid(f"holds {name}", wrapped(content), "malformed", "Keyset")
    for costs in (
        '{"alg":"argon2id","m":8,"p":1,"t":1,"v":19}',
        '{"alg":"argon2id","m":4194304,"p":1,"t":3,"v":19}',
        "",
    ):
        group.invalid(f"costs {costs[18:25]}", good | {"kdfParams": costs}, "malformed", "OtherCosts")
    salts = {
        "15 bytes": standard(SALT[:15]),
        "17 bytes": standard(SALT + b"x"),
        "no bytes": "",
        "unpadded": good["kdfSalt"].rstrip("="),
        "hexadecimal": SALT.hex(),
    }
    for name, text in salts.items():
        group.invalid(f"salt: {name}", good | {"kdfSalt": text}, "malformed", "Malformed")
    keys = {
        "no bytes": "",
        "27 bytes": standard(box[:27]),
        "both alphabets": good["wrappedCoupleKey"] + "*",
        "a line break": good["wrappedCoupleKey"][:76] + "\n" + good["wrappedCoupleKey"][76:],
    }
    for name, text in keys.items():
        group.invalid(f"wrapped key: {name}", good | {"wrappedCoupleKey": text}, "malformed", "Malformed")


def main() -> None:
    file = VectorFile("wrap", "Couple key under a recovery phrase", NOTES)
    group = file.group("wrap.unwrap", "argon2-cffi")
    keyset = aes_keys.binary(aes_keys.keyset(aes_keys.entry("wrap", 305419896)))
    invalid(group, keyset, valid(group, keyset))
    file.write()


main()
