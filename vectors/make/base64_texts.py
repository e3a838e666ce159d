"""Makes v1/base64.json: RFC 4648 by Python's base64, and every way in which a text can be another spelling."""

import base64

from kit.changes import respelled_standard
from kit.frame import Group, VectorFile
from kit.stream import stream

NOTES = {
    "Normal": "The one spelling of some bytes",
    "Empty": "No bytes are no letters",
    "Padding": "Padding that is missing, too much, in the wrong place, or there where the alphabet has none",
    "StrayBits": "The bits behind the last byte are not zero: lenient decoders take it",
    "Alphabet": "A letter of the other alphabet, or of none",
    "WhiteSpace": "RFC 4648 §3.1: no line breaks; nor spaces",
    "Length": "A last group of one letter stands for no byte",
}
FLAGS = {"padding": "Padding", "stray": "StrayBits", "line": "WhiteSpace", "space": "WhiteSpace"}


def valid(group: Group, encode) -> None:
    group.valid("no bytes", {"text": ""}, {"bytes": b""}, "Empty")
    for size in (1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 31, 32, 33, 255, 256, 1000):
        content = stream(f"base64 {size}", size)
        group.valid(f"{size} bytes", {"text": encode(content)}, {"bytes": content}, "Normal")
    every_letter = base64.b64decode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    group.valid("every letter", {"text": encode(every_letter)}, {"bytes": every_letter}, "Normal")
    for content in (
        b"\x00",
        b"\xff",
        b"\x00\x00",
        b"\xff\xff",
        b"\xff\xff\xff",
        b"\x00" * 30,
        b"\xfb\xef\xbe" * 9,
    ):
        group.valid(f"{content[:3].hex()} and so on", {"text": encode(content)}, {"bytes": content}, "Normal")


def invalid(group: Group, text: str) -> None:
    for comment, other in respelled_standard(text):
        flag = next((flag for word, flag in FLAGS.items() if word in comment), "Alphabet")
        group.invalid(f"{comment}, {len(text)} characters", {"text": other}, "malformed", flag)


def url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def main() -> None:
    file = VectorFile("base64", "Base64 of RFC 4648, strict", NOTES)
    standard = file.group("base64.decode", "python", variant="standard")
    valid(standard, lambda content: base64.b64encode(content).decode())
    for size in (4, 5, 16, 32):
        invalid(standard, base64.b64encode(stream(f"base64 {size}", size)).decode())
    standard.invalid("letters of the other alphabet", {"text": "-_-_"}, "malformed", "Alphabet")
    standard.invalid("one letter alone", {"text": "AAAAA==="}, "malformed", "Length")
    standard.invalid("only padding", {"text": "===="}, "malformed", "Padding")
    standard.invalid("three padding characters", {"text": "A==="}, "malformed", "Padding")

    unpadded = file.group("base64.decode", "python", variant="url")
    valid(unpadded, url)
    for size in (4, 5, 16, 32):
        padded = base64.urlsafe_b64encode(stream(f"base64 {size}", size)).decode()
        unpadded.invalid(f"with padding, {size} bytes", {"text": padded}, "malformed", "Padding")
    for stray in ("AB", "AAB", "AAAAAP", "__-", "_-"):
        unpadded.invalid(f"stray bits, {len(stray)} letters", {"text": stray}, "malformed", "StrayBits")
    for text in ("++++", "//", "AA+A", "A A", "AA\n", "\tAA", "AA=", "A", "AAAAA", "AA\x00A", "AAÀ"):
        flag = (
            "Length"
            if set(text) == {"A"}
            else "Padding"
            if "=" in text
            else "WhiteSpace"
            if text.strip() != text or " " in text
            else "Alphabet"
        )
        unpadded.invalid(f"{text!a}", {"text": text}, "malformed", flag)
    file.write()


main()
