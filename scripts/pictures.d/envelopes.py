"""Documents as a server has them: members that it reads, and what is sealed.

    envelope TEXT           begins a document
    reads NAME: VALUE       {a.b} in a value is that value of vectors/golden.json
    opaque NAME: VALUE
    inside TEXT             what the two devices read in it
    also TEXT               what shows without being a member
"""

import json
import re
from pathlib import Path

from canvas import MARGIN, WIDTH, Canvas, width, wrapped

GOLDEN = Path(__file__).resolve().parents[2] / "vectors" / "golden.json"
LEFT, RIGHT, VALUE = MARGIN + 12, WIDTH - MARGIN - 12, 214


def draw(lines: list[tuple[str, str]]) -> Canvas:
    canvas, golden = Canvas(), json.loads(GOLDEN.read_text(encoding="utf-8"))
    for index, (word, rest) in enumerate(lines):
        rest = re.sub(r"\{([a-z][\w.]+)\}", lambda found: value(golden, found[1]), rest)
        if word == "envelope":
            end = next((at for at in range(index + 1, len(lines)) if lines[at][0] == "envelope"), len(lines))
            envelope(canvas, rest, sum(height(*each) for each in lines[index + 1 : end]))
        else:
            row(canvas, word, rest)
            if index + 1 == len(lines) or lines[index + 1][0] == "envelope":
                canvas.y += 24
    canvas.y -= 10
    return canvas


def value(golden: dict, path: str) -> str:
    for name in path.split("."):
        golden = golden[name]
    return str(golden)


def envelope(canvas: Canvas, title: str, inner: float) -> None:
    """The envelope, its flap, and a stamp."""
    top, bottom = canvas.y, canvas.y + 66 + inner
    canvas.box(MARGIN, top, WIDTH - MARGIN, bottom, "card", 8)
    canvas.line([(MARGIN + 2, top + 3), (WIDTH / 2, top + 44), (WIDTH - MARGIN - 2, top + 3)], "faint", has_head=False)
    canvas.box(WIDTH / 2 - width(title, "bold") / 2 - 14, top + 10, WIDTH / 2 + width(title, "bold") / 2 + 14, top + 44, "blue", 17)
    canvas.text(WIDTH / 2, top + 32.5, title, "bold", "middle")
    canvas.y = top + 56


def height(word: str, rest: str) -> float:
    return 26 if word == "reads" else 40 if word == "opaque" else 22 * len(texts(word, rest)) + 12


def texts(word: str, rest: str) -> list[str]:
    return wrapped((("inside: " if word == "inside" else "and ") + rest).split(), RIGHT - LEFT - 20)


def row(canvas: Canvas, word: str, rest: str) -> None:
    top, canvas.y = canvas.y, canvas.y + height(word, rest)
    if word in ("reads", "opaque"):
        name, _, text = rest.partition(": ")
        if word == "opaque":
            canvas.box(LEFT - 4, top + 4, RIGHT + 4, top + 36, "ground", 4)
            canvas.box(LEFT - 4, top + 4, RIGHT + 4, top + 36, "hatch", 4)
        y = top + (25.5 if word == "opaque" else 19)
        canvas.text(LEFT + 6, y, name, "mono muted" if word == "reads" else "mono bold")
        canvas.text(VALUE, y, shortened(text, RIGHT - VALUE), "mono")
        return
    for index, line in enumerate(texts(word, rest)):
        canvas.text(LEFT + 6, top + 20 + 22 * index, line, "green" if word == "inside" else "muted")


def shortened(text: str, room: float) -> str:
    count = int(room / width("x", "mono"))
    return text if len(text) <= count else text[: count - 1] + "…"
