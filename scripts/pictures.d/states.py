"""States and the commands between them, at places that the source names.

    frame NAME LEFT TOP RIGHT BOTTOM COLOUR     around the states that have its colour; an edge may begin or end at it
    state NAME X Y COLOUR
    start X Y: TEXT                             where the device has no key yet
    edge FROM > TO X,Y … @ X,Y: COMMANDS        a line through these points, and its label at the last one; / begins a new line
    label X,Y: TEXT
"""

from canvas import Canvas


def draw(lines: list[tuple[str, str]]) -> Canvas:
    canvas = Canvas()
    for word, rest in lines:
        places, _, text = rest.partition(": ")
        PARTS[word](canvas, places.split(), text)
    return canvas


def frame(canvas: Canvas, places: list[str], text: str) -> None:
    left, top, right, bottom = map(float, places[1:5])
    canvas.box(left, top, right, bottom, places[5], 12)
    canvas.y = max(canvas.y, bottom)


def state(canvas: Canvas, places: list[str], text: str) -> None:
    name, x, y, colour = places
    canvas.box(float(x) - 66, float(y) - 20, float(x) + 66, float(y) + 20, f"{colour} state")
    canvas.text(float(x), float(y) + 5.5, name, "bold", "middle")


def start(canvas: Canvas, places: list[str], text: str) -> None:
    x, y = map(float, places)
    canvas.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="7" class="head"/>')
    canvas.text(x + 16, y + 5.5, text, "muted")
    canvas.y = max(canvas.y, y + 12)


def edge(canvas: Canvas, places: list[str], text: str) -> None:
    points = [tuple(map(float, place.split(","))) for place in places[3:] if place != "@"]
    canvas.line(points[:-1])
    label(canvas, [places[-1]], text, "mono")


def label(canvas: Canvas, places: list[str], text: str, style: str = "muted") -> None:
    x, y = map(float, places[0].split(","))
    for index, line in enumerate(text.split(" / ")):
        canvas.text(x, y + 20 * index, line, style)


PARTS = {"frame": frame, "state": state, "start": start, "edge": edge, "label": label}
