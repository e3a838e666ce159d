"""Which key opens what: a row for each, below what opens it, and with one more dot before its word.

    group TEXT              a heading
    secret NAME: WORDS      what a person has; WORDS say by what it is derived or opened
    key NAME: WORDS         a key
    data NAME: WORDS        what a key opens or proves
    legend NAME, NAME, …    what a secret, a key and data look like
"""

from canvas import MARGIN, Canvas, width

STEP, INDENT = 38, 28
COLOURS = {"secret": "amber", "key": "blue", "data": "card"}


def draw(lines: list[tuple[str, str]]) -> Canvas:
    canvas, ends = Canvas(), {}
    for word, rest in lines:
        if word == "group":
            canvas.y += 10
            canvas.text(MARGIN, canvas.y + 14, rest, "bold")
            canvas.y += 30
            continue
        if word == "legend":
            legend(canvas, rest.split(", "))
            continue
        level, word = word.count("."), word.strip(".")
        name, _, words = rest.partition(": ")
        left, y = MARGIN + level * INDENT, canvas.y + 15
        style = "" if word == "data" else "bold"
        right = left + width(name, style) + 20
        if level:
            canvas.line([(left - 14, ends[level - 1]), (left - 14, y), (left, y)], "line", has_head=False)
        canvas.box(left, y - 15, right, y + 15, COLOURS[word], 15 if word == "secret" else 6)
        canvas.text((left + right) / 2, y + 5.5, name, style, "middle")
        for piece, style, x in pieces(words, right + 10):
            canvas.text(x, y + 5.5, piece, style)
        ends[level] = y + 15
        canvas.y += STEP
    return canvas


def legend(canvas: Canvas, names: list[str]) -> None:
    x, canvas.y = float(MARGIN), canvas.y + 10
    for name, (kind, colour) in zip(names, COLOURS.items()):
        canvas.box(x, canvas.y + 4, x + 24, canvas.y + 22, colour, 9 if kind == "secret" else 3)
        canvas.text(x + 32, canvas.y + 18.5, name, "muted")
        x += width(name) + 56
    canvas.y += 28


def pieces(words: str, x: float) -> list[tuple[str, str, float]]:
    """The words, with those between backticks as code."""
    found = []
    for index, piece in enumerate(words.split("`")):
        style = "mono" if index % 2 else "muted"
        if piece:
            found.append((piece, style, x))
        x += width(piece, style)
    return found
