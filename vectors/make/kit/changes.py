"""What an attacker, or a careless encoder, does to bytes: one thing at a time."""

from collections.abc import Iterator


def flipped(content: bytes, place: int, bit: int = 0) -> bytes:
    place %= len(content)
    return content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :]


def respelled_standard(text: str) -> Iterator[tuple[str, str]]:
    """Other texts for the bytes of a padded base64 text whose last group is not whole, or texts for none."""
    letters = text.rstrip("=")
    yield "padding is missing", letters
    yield "one more padding character", text + "="
    yield "stray bits in the last letter", letters[:-1] + _next_letter(letters[-1]) + text[len(letters) :]
    yield "a line break at the end", text + "\n"
    yield "a line break in the middle", text[:4] + "\n" + text[4:]
    yield "a space before it", " " + text
    yield "a letter outside the alphabet", "*" + text[1:]
    yield "a letter that is not ASCII", "é" + text[1:]
    yield "padding in the middle", text[:2] + "==" + text[4:]


def respelled_url(text: str) -> Iterator[tuple[str, str]]:
    """The same for an unpadded base64url text whose last group is not whole."""
    assert len(text) % 4, "a whole last group has no stray bits"
    yield "with padding", text + "=" * (-len(text) % 4)
    last = text[-1].translate({ord("-"): "+", ord("_"): "/"})
    yield "stray bits in the last letter", text[:-1] + _next_letter(last)
    yield "a letter of the other alphabet", "+" + text[1:]
    yield "a line break in the middle", text[:64] + "\n" + text[64:]
    yield "a letter that is not ASCII", "é" + text[1:]
    yield "one letter more", text + "A" * (5 - len(text) % 4 if len(text) % 4 > 1 else 1)


def _next_letter(letter: str) -> str:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return letters[letters.index(letter) + 1]
