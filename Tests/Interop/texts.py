"""Random plaintexts, contexts and couple ids, with the names of their kinds; and what an attacker does."""

import re
import string
from random import Random

from draw import Draw

IDENTIFIER = string.ascii_letters + string.digits + "._:@+-"

# Two, three and four bytes in UTF-8; a combining mark, which no side may compose; right to left; CR LF.
SAMPLES = ("é", "e\u0301", "Ünïcödé", "日本語", "❤️", "👩‍👩‍👧", "שלום", "\r\n", "\u00a0", "|")

PLAINTEXTS = {
    "empty": lambda draw: b"",
    "byte": lambda draw: draw.randbytes(1),
    "block": lambda draw: draw.randbytes(draw.choice((15, 16, 17))),
    "text": lambda draw: _text(draw).encode(),
    "random": lambda draw: draw.randbytes(draw.randint(18, 4096)),
}

CONTEXTS = {
    "empty": lambda draw: "",
    "short": lambda draw: "|".join(couple(draw)[:30] for _ in range(4)),
    "non-ascii": lambda draw: _text(draw),
    "long": lambda draw: "".join(draw.choices(IDENTIFIER, k=draw.choice((1000, 30_000, 32_768)))),
}


def plaintext(draw: Draw) -> tuple[str, bytes]:
    kind = draw.turn("plaintext", PLAINTEXTS)
    return kind, PLAINTEXTS[kind](draw)


def field_plaintext(draw: Draw) -> tuple[str, bytes]:
    """A field may be larger than a keybox usually is: one in thirty has 64 KiB."""
    is_large = draw.turn("large", ("yes", *["no"] * 29)) == "yes"
    return ("64 KiB", draw.randbytes(1 << 16)) if is_large else plaintext(draw)


def context(draw: Draw) -> tuple[str, str]:
    kind = draw.turn("context", CONTEXTS)
    return kind, CONTEXTS[kind](draw)


def couple(draw: Random) -> str:
    """A couple's or a user's id that closer-keys takes for a new one: servers use `.`, `..` and `__x__` otherwise."""
    name = "".join(draw.choices(IDENTIFIER, k=draw.choice((1, 9, 20, 128))))
    return couple(draw) if re.fullmatch(r"\.\.?|__.*__", name) else name


def other(draw: Random, text: str) -> str:
    """A text that is not the given one, but like it: its last character is another, in either case, since a code is tried in both."""
    return text[:-1] + draw.choice([letter for letter in "abc" if letter != text[-1:].lower()])


def flipped(draw: Random, box: bytes) -> bytes:
    """One bit of one byte is changed."""
    place = draw.randrange(len(box))
    return box[:place] + (box[place] ^ 1 << draw.randrange(8)).to_bytes() + box[place + 1 :]


def changed_letter(draw: Random, text: bytes) -> bytes:
    """One letter of the longest run of base64 in a text is another. The last four are left: they may carry no bits."""
    run = max(re.finditer(rb"[A-Za-z0-9+/]{8,}", text), key=lambda found: len(found[0]))
    place = draw.randrange(run.start(), run.end() - 4)
    return text[:place] + (b"B" if text[place : place + 1] == b"A" else b"A") + text[place + 1 :]


def truncated(draw: Random, box: bytes) -> bytes:
    """At least one byte is missing; perhaps all."""
    return box[: draw.randrange(len(box))]


def _text(draw: Random) -> str:
    return "".join(draw.choices(SAMPLES, k=draw.randint(1, 40)))
