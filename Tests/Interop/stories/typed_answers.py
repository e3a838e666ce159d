"""Answers as people and apps write them: JSON objects with what a canonical form easily errs on."""

import json
from random import Random

import texts

# Names that sort differently by UTF-16, by code points and by the alphabet.
NAMES = ("\U0001f600", "\ufb33", "é", "e\u0301", "a", "A", "aa", "\u20ac", "\r", "1", "10", "\x7f", "")
LARGEST = (2**53 - 1, 1 - 2**53)
NUMBERS = (0, -1, 1.5, -0.0, 100.0, 0.1, 1e15, 1e21, 1e-6, 1e-7, 5e-324, 1.7976931348623157e308, *LARGEST)
ESCAPES = ("/", "</script>", '"', "\\", "\b\f\n\r\t", "\x00\x1f", "\u2028", "\u007f", "http://a/b")

KINDS = {
    "plain": lambda draw: {"answer": draw.choice(("yes", "no")), "schemaVersion": 3},
    "escapes": lambda draw: {"answer": "".join(draw.choices(ESCAPES, k=draw.randint(1, 8))) + "/"},
    "names": lambda draw: {name: len(name) for name in draw.sample(NAMES, draw.randint(2, len(NAMES)))},
    "numbers": lambda draw: {"answer": draw.sample(NUMBERS, 6), "n": draw.uniform(-1e9, 1e9)},
    "nested": lambda draw: {"answer": _nested(draw, 15), "empty": [{}, [], "", None, True, False]},
    "texts": lambda draw: {
        "answer": "".join(draw.choices(texts.SAMPLES, k=40)),
        "b": "é" * draw.randint(0, 300),
    },
    "large": lambda draw: {"answer": "x/" * draw.randint(10_000, 20_000)},
}


def new_answer(draw: Random, kind: str) -> tuple[str, dict]:
    """A typed answer, with its members in random order and spelling, and its value. It has 27 bytes at least."""
    value = KINDS[kind](draw) | {"writtenOn": "a device", "x": 0}
    members = list(value.items())
    draw.shuffle(members)
    typed = json.dumps(
        dict(members),
        ensure_ascii=draw.random() < 1 / 2,
        indent=draw.choice((None, 1, "\t")),
        separators=draw.choice((None, (",", ":"), (" , ", " :\r\n"))),
    )
    return typed, value


def _nested(draw: Random, depth: int) -> object:
    """Of exactly that depth: with the object around it, the deepest that is taken."""
    inner: object = draw.randint(-9, 9)
    for _ in range(depth):
        inner = [inner] if draw.random() < 1 / 2 else {"/": inner, "a": 1.0}
    return inner
