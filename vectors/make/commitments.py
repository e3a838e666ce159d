"""Makes v1/commitment.json: `sha256:` tokens and what was committed to (closer-keys-formats(7), Commitment)."""

from kit.changes import flipped, respelled_url
from kit.frame import VectorFile
from kit.stream import stream

from partner.canonical import canonical, parsed
from partner.payload import android, commitment

NOTES = {
    "Normal": "The received bytes are what was committed to",
    "AnyBytes": "Committed to as they are: a commitment is not a parser",
    "Android": "Received as org.json writes it, / escaped and in another order; committed to in canonical form",
    "Respelled": "Another spelling of the same JSON; its canonical form was committed to",
    "Modified": "Other bytes than those committed to",
    "NotCanonical": "Committed to in a form that is neither as received nor canonical",
    "NotJSON": "Neither the bytes nor, for there is none, their canonical form: the error is the commitment's",
    "Token": "Not the token's name, or white space",
    "Base64": "Not 43 letters of base64url in their one spelling",
}
ANSWER = '{"schemaVersion":3,"text":"a/b","answer":"yes ❤"}'


def main() -> None:
    file = VectorFile("commitment", "Commitment, sha256", NOTES)
    group = file.group("commitment.verify", "python")
    plain = canonical(parsed(ANSWER.encode()))
    for size in (0, 1, 55, 56, 63, 64, 65, 1000, 1 << 16):
        content = stream(f"commitment {size}", size)
        group.valid(f"{size} bytes", case(content, content), {"payload": content}, "AnyBytes")
    group.valid("a canonical payload", case(plain, plain), {"payload": plain}, "Normal")
    raw = android(ANSWER)
    group.valid("as Android sent it, committed to as it is", case(raw, raw), {"payload": raw}, "Normal")
    group.valid("as Android sent it", case(raw, plain), {"payload": plain}, "Android")
    for number, text in enumerate(
        (ANSWER, ANSWER.replace(":", " : "), ANSWER.replace("❤", "\\u2764"), f"\n{ANSWER}\t")
    ):
        group.valid(f"spelling {number}", case(text.encode(), plain), {"payload": plain}, "Respelled")
    numbers = b'{"a":1.0,"b":1e2,"c":-0,"d":0.000001}'
    group.valid(
        "numbers",
        case(numbers, b'{"a":1,"b":100,"c":0,"d":0.000001}'),
        {"payload": canonical(parsed(numbers))},
        "Respelled",
    )

    for place in (0, 20, -1):
        group.invalid(
            f"byte {place} changed", case(flipped(plain, place), plain), "commitmentMismatch", "Modified"
        )
    group.invalid("a byte less", case(plain[:-1], plain), "commitmentMismatch", "Modified")
    group.invalid("a byte more", case(plain + b"x", plain), "commitmentMismatch", "Modified")
    group.invalid("no bytes", case(b"", plain), "commitmentMismatch", "Modified")
    group.invalid(
        "another answer", case(plain.replace(b"yes", b"not"), plain), "commitmentMismatch", "Modified"
    )
    group.invalid("Android's form was committed to", case(plain, raw), "commitmentMismatch", "NotCanonical")
    group.invalid(
        "a third form was committed to", case(raw, ANSWER.encode()), "commitmentMismatch", "NotCanonical"
    )
    for text in (
        b"{",
        b'{"a":1,"a":2}',
        b'"\\ud800"',
        b"[1e400]",
        b"[9007199254740993]",
        b"\xff",
        b"\xef\xbb\xbf{}",
    ):
        group.invalid(
            f"{text!r} cannot be made canonical", case(text, b"{}"), "commitmentMismatch", "NotJSON"
        )
    text = commitment(plain)
    digest = text.removeprefix("sha256:")
    for prefix in ("", "sha256", "SHA256:", "sha512:", "sha256: ", "sha256:v1:"):
        group.invalid(
            f"prefix {prefix!r}", {"received": plain, "commitmentHash": prefix + digest}, "malformed", "Token"
        )
    group.invalid(
        "a line break behind it", {"received": plain, "commitmentHash": text + "\n"}, "malformed", "Token"
    )
    group.invalid(
        "in hexadecimal", {"received": plain, "commitmentHash": "sha256:" + "ab" * 32}, "malformed", "Base64"
    )
    group.invalid("42 letters", {"received": plain, "commitmentHash": text[:-1]}, "malformed", "Base64")
    for comment, other in respelled_url(digest):
        group.invalid(
            comment, {"received": plain, "commitmentHash": "sha256:" + other}, "malformed", "Base64"
        )
    file.write()


def case(received: bytes, committed: bytes) -> dict:
    return {"received": received, "commitmentHash": commitment(committed)}


main()
