"""Makes v1/invite.json: the recovery phrase under an invite code, by argon2-cffi and pyca/cryptography.

closer-keys-formats(7), Legacy invite code.
"""

import base64

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from kit.changes import flipped, respelled_standard
from kit.frame import VectorFile
from kit.stream import stream

from partner.wrap import derived

NOTES = {
    "Normal": "A code that closer-keys draws, and its phrase",
    "Code": "Other letters and digits; used exactly as given, upper and lower case apart",
    "Text": "The phrase is any text",
    "OtherCode": "Another code",
    "Modified": "A byte changed",
    "AssociatedData": "Sealed as something else",
    "Version": "The first byte is another version",
    "Length": "Too short for a salt, a nonce, a tag and a letter",
    "Spelling": "Not the one spelling of standard base64",
    "CodeFormat": "Not six ASCII letters and digits",
}
PHRASE = "alpha bravo charlie delta echo foxtrot golf hotel india juliet"
OF_KEY, OF_PHRASE = b"closer_couple_key", b"closer_recovery_phrase"


def standard(content: bytes) -> str:
    return base64.b64encode(content).decode()


def under_code(phrase: bytes, code: str, data: bytes = OF_PHRASE, version: bytes = b"\1") -> str:
    salt, iv = stream(f"invite salt {code}", 16), stream(f"invite iv {code}", 12)
    return standard(version + salt + iv + AESGCM(derived(code.encode(), salt)).encrypt(iv, phrase, data))


def main() -> None:
    file = VectorFile("invite", "Recovery phrase under an invite code", NOTES)
    group = file.group("invite.open", "argon2-cffi")
    for code, phrase, flag in (
        ("7KQ2MX", PHRASE, "Normal"),
        ("zzzzzz", PHRASE, "Code"),
        ("000000", "a", "Text"),
        ("aB3dE9", "pässwörd ❤", "Text"),
    ):
        key = derived(code.encode(), stream(f"invite salt {code}", 16))
        group.valid(
            f"code {code}",
            {"recoveryPhrase": under_code(phrase.encode(), code), "code": code},
            {"phrase": phrase},
            flag,
            trace={"derivedKey": key},
        )
    text = under_code(PHRASE.encode(), "7KQ2MX")
    good, box = {"recoveryPhrase": text, "code": "7KQ2MX"}, base64.b64decode(text)
    for code in ("7KQ2MY", "7kq2mx"):
        group.invalid(f"code {code}", good | {"code": code}, "authFailed", "OtherCode")
    for place in (1, 17, 29, -1):
        group.invalid(
            f"byte {place}",
            good | {"recoveryPhrase": standard(flipped(box, place))},
            "authFailed",
            "Modified",
        )
    group.invalid(
        "sealed as a key",
        good | {"recoveryPhrase": under_code(b"phrase", "7KQ2MX", OF_KEY)},
        "authFailed",
        "AssociatedData",
    )
    for version in (b"\0", b"\2", b""):
        other = under_code(PHRASE.encode(), "7KQ2MX", version=version)
        group.invalid(
            f"version {version.hex() or 'missing'}", good | {"recoveryPhrase": other}, "malformed", "Version"
        )
    for count in (0, 1, 17, 45):
        group.invalid(
            f"{count} bytes", good | {"recoveryPhrase": standard(box[:count])}, "malformed", "Length"
        )
    for comment, other in respelled_standard(text):
        group.invalid(comment, good | {"recoveryPhrase": other}, "malformed", "Spelling")
    for code in ("", "7KQ2M", "7KQ2MXX", "7KQ-MX", "7KQ MX", "7KQ2MÉ", "7KQ2MX\n"):
        group.invalid(f"code {code!a}", good | {"code": code}, "malformed", "CodeFormat")
    file.write()


main()
