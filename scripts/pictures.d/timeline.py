"""What two people seal with, and how long each of their keys stays.

    ends A | B                  the two people
    arrow > KEYS | WORDS        a message from A to B, and the keys that it is under; < is the other direction
    heading TEXT
    days DAY DAY …              marks of the axis; the last one is its end
    key NAME BORN NEXT GONE     a chat key: the newest from BORN to NEXT, kept until GONE
    legend NAME | NAME          what the two parts of a key's line are
    note TEXT                   below all
"""

from canvas import MARGIN, WIDTH, Canvas, width, wrapped

LEFT, RIGHT = 66, WIDTH - MARGIN - 8
LAST = [0]


def draw(lines: list[tuple[str, str]]) -> Canvas:
    canvas = Canvas()
    LAST[0] = max(float(day) for word, rest in lines if word == "days" for day in rest.split())
    for word, rest in lines:
        PARTS[word](canvas, rest)
    return canvas


def x_of(day: str) -> float:
    return LEFT + (RIGHT - LEFT) * float(day) / LAST[0]


def ends(canvas: Canvas, rest: str) -> None:
    for x, name in zip((MARGIN + 62, WIDTH - MARGIN - 62), rest.split(" | ")):
        canvas.box(x - 62, canvas.y, x + 62, canvas.y + 34, "blue")
        canvas.text(x, canvas.y + 23, name, "bold", "middle")
    canvas.y += 40


def arrow(canvas: Canvas, rest: str) -> None:
    direction, _, text = rest.partition(" ")
    keys, words = text.split(" | ")
    left, right, y = MARGIN + 6, WIDTH - MARGIN - 6, canvas.y + 32
    canvas.line([(left, y), (right, y)] if direction == ">" else [(right, y), (left, y)])
    canvas.text(WIDTH / 2, y - 8, keys, "bold", "middle")
    canvas.text(WIDTH / 2, y + 20, words, "muted", "middle")
    canvas.y = y + 30


def heading(canvas: Canvas, rest: str) -> None:
    canvas.text(MARGIN, canvas.y + 24, rest, "bold")
    canvas.y += 36


def days(canvas: Canvas, rest: str) -> None:
    canvas.line([(LEFT, canvas.y + 26), (RIGHT, canvas.y + 26)], "faint", has_head=False)
    canvas.text(MARGIN, canvas.y + 18, "day", "muted")
    for day in rest.split():
        canvas.line([(x_of(day), canvas.y + 22), (x_of(day), canvas.y + 30)], "line", has_head=False)
        canvas.text(x_of(day), canvas.y + 18, day, "muted", "middle")
    canvas.y += 38


def key(canvas: Canvas, rest: str) -> None:
    name, born, following, gone = rest.split()
    canvas.text(MARGIN, canvas.y + 20.5, name, "bold")
    canvas.box(x_of(following), canvas.y + 4, x_of(gone), canvas.y + 26, "card", 3)
    canvas.box(x_of(born), canvas.y + 4, x_of(following), canvas.y + 26, "green", 3)
    canvas.y += 32


def legend(canvas: Canvas, rest: str) -> None:
    x, canvas.y = float(MARGIN), canvas.y + 6
    for name, colour in zip(rest.split(" | "), ("green", "card")):
        canvas.box(x, canvas.y + 4, x + 24, canvas.y + 22, colour, 3)
        canvas.text(x + 32, canvas.y + 18.5, name, "muted")
        x += width(name) + 54
    canvas.y += 28


def note(canvas: Canvas, rest: str) -> None:
    for text in wrapped(rest.split(), WIDTH - 2 * MARGIN, ""):
        canvas.text(MARGIN, canvas.y + 20, text)
        canvas.y += 22
    canvas.y += 8


PARTS = {"ends": ends, "arrow": arrow, "heading": heading, "days": days, "key": key, "legend": legend, "note": note}
