"""Two devices and the server between them, from top to bottom.

    lanes A | B | C         who is who
    run LEFT | RIGHT        commands on the two devices; a side may be empty
    state LEFT | RIGHT      what their states are then
    say TEXT                goes past the server
    send 1>3 NAME           a document, from lane to lane; several arrows are joined with commas
    reads MEMBER …          its members that the server reads, and opaque MEMBER: WORDS one that tells the server nothing
    note TEXT               a line more on what the server reads
    bar TEXT                holds for all
    when STATE: TEXT        another end
    legend                  what the two kinds of boxes mean
"""

from canvas import MARGIN, WIDTH, Canvas, width, wrapped

X = (86, 260, 434)
LEFT, RIGHT = 98, 422
ROOM = RIGHT - LEFT - 24


def draw(lines: list[tuple[str, str]]) -> Canvas:
    canvas = Canvas()
    bottom = canvas.y
    for index, (word, rest) in enumerate(lines):
        is_last_of_card = word in CARD and (index + 1 == len(lines) or lines[index + 1][0] not in CARD)
        STEPS[word](canvas, rest)
        canvas.y += 12 if is_last_of_card else 0
        bottom = canvas.y if word not in BELOW else bottom
    for x in X:
        canvas.line([(x, 50), (x, bottom)], "faint", has_head=False)
    canvas.parts = canvas.parts[-3:] + canvas.parts[:-3]
    return canvas


def sides(text: str) -> list[tuple[float, str]]:
    left, _, right = text.partition("|")
    return [(x, side.strip()) for x, side in ((X[0], left), (X[2], right)) if side.strip()]


def lanes(canvas: Canvas, rest: str) -> None:
    for x, name in zip(X, rest.split("|")):
        canvas.box(x - 72, canvas.y, x + 72, canvas.y + 34, "card" if x == X[1] else "blue")
        canvas.text(x, canvas.y + 23, name.strip(), "bold", "middle")
    canvas.y += 46


def run(canvas: Canvas, rest: str) -> None:
    for x, command in sides(rest):
        canvas.pill(x, canvas.y + 18, command, "paper", "mono")
    canvas.y += 40


def state(canvas: Canvas, rest: str) -> None:
    for x, name in sides(rest):
        canvas.pill(x, canvas.y + 18, name, "grey" if name == "unanswered" else "green", "bold")
    canvas.y += 40


def say(canvas: Canvas, rest: str) -> None:
    y = canvas.y + 20
    canvas.line([(X[0], y), (X[2], y)], "dash")
    canvas.pill(X[1], y, rest, "amber")
    canvas.y += 44


def send(canvas: Canvas, rest: str) -> None:
    arrows, name = rest.split(" ", 1)
    y = canvas.y + 26
    for arrow in arrows.split(","):
        start, end = (X[int(lane) - 1] for lane in arrow.split(">"))
        reach = 2 if end == X[1] else 0
        canvas.line([(start, y), (end - reach if end > start else end + reach, y)])
        middle = (start + (X[1] if abs(end - start) > 200 else end)) / 2
        canvas.text(middle, y - 8, name, "bold", "middle")
    canvas.parts.append(f'<circle cx="{X[1]}" cy="{y:g}" r="5" class="head"/>')
    canvas.y = y + 12


def reads(canvas: Canvas, rest: str) -> None:
    rows(canvas, wrapped(rest.split(), ROOM, "mono", "  "), "mono", "card")


def note(canvas: Canvas, rest: str) -> None:
    rows(canvas, [rest], "muted", "card")


def opaque(canvas: Canvas, rest: str) -> None:
    member, words = rest.split(": ")
    top = canvas.y
    canvas.box(LEFT, top, RIGHT, top + 30, "ground", 0)
    canvas.box(LEFT, top, RIGHT, top + 30, "hatch", 0)
    canvas.text(LEFT + 12, top + 20.5, member, "mono bold")
    canvas.text(LEFT + 22 + width(member, "mono"), top + 20.5, words)
    canvas.y += 30


def rows(canvas: Canvas, texts: list[str], style: str, box: str) -> None:
    top, canvas.y = canvas.y, canvas.y + 22 * len(texts) + 10
    canvas.box(LEFT, top, RIGHT, canvas.y, box, 0)
    for index, text in enumerate(texts):
        canvas.text(LEFT + 12, top + 20.5 + 22 * index, text, style)


def bar(canvas: Canvas, rest: str) -> None:
    texts = wrapped(rest.split(), WIDTH - 2 * MARGIN - 24, "bold")
    canvas.box(MARGIN, canvas.y + 6, WIDTH - MARGIN, canvas.y + 18 + 22 * len(texts), "blue")
    for index, text in enumerate(texts):
        canvas.text(WIDTH / 2, canvas.y + 28 + 22 * index, text, "bold", "middle")
    canvas.y += 28 + 22 * len(texts)


def when(canvas: Canvas, rest: str) -> None:
    name, words = rest.split(": ", 1)
    half = width(name, "bold") / 2 + 9
    texts = wrapped(words.split(), WIDTH - 2 * MARGIN - 2 * half - 14)
    canvas.y += 10
    canvas.pill(MARGIN + half, canvas.y + 18, name, "amber", "bold")
    for index, text in enumerate(texts):
        canvas.text(MARGIN + 2 * half + 12, canvas.y + 23 + 22 * index, text, "muted")
    canvas.y += 14 + 22 * len(texts)


def legend(canvas: Canvas, _: str) -> None:
    y = canvas.y + 22
    for x, style, words in ((MARGIN + 10, "card", "the server reads it"), (268, "hatch", "opaque to the server")):
        canvas.box(x, y - 13, x + 24, y + 5, style, 3)
        canvas.text(x + 34, y + 1.5, words, "muted")
    canvas.y += 34


CARD = {"reads", "opaque", "note"}
BELOW = {"bar", "when", "legend"}
STEPS = {"lanes": lanes, "run": run, "state": state, "say": say, "send": send, "reads": reads, "note": note, "opaque": opaque, "bar": bar, "when": when, "legend": legend}
