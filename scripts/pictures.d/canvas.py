"""Shapes and text in one style. A picture is 520 units wide: on a phone of 390 pixels its text, 16 units high, has 12 pixels."""

from html import escape
from string import Template

WIDTH, SIZE, MARGIN = 520, 16, 14
LIGHT = {
    "paper": "#ffffff", "ink": "#1f2328", "muted": "#59636e", "edge": "#d1d9e0", "card": "#f6f8fa", "hatch": "#c5ced8",
    "blue": "#0969da", "bluefill": "#ddf4ff", "green": "#1a7f37", "greenfill": "#dafbe1", "amber": "#9a6700", "amberfill": "#fff8c5",
}
DARK = {
    "paper": "#0d1117", "ink": "#e6edf3", "muted": "#a3abb5", "edge": "#3d444d", "card": "#161b22", "hatch": "#3d4753",
    "blue": "#58a6ff", "bluefill": "#0c2d52", "green": "#3fb950", "greenfill": "#0f3a1d", "amber": "#d29922", "amberfill": "#3d2e05",
}
RULES = Template("""
text{font:16px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:$ink;white-space:pre}
.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}.bold{font-weight:600}
text.muted{fill:$muted}text.blue{fill:$blue}text.green{fill:$green}text.amber{fill:$amber}
rect,path,circle{stroke-width:1.5}.paper{fill:$paper;stroke:$edge}.ground{fill:$paper}.card{fill:$card;stroke:$edge}
rect.blue{fill:$bluefill;stroke:$blue}rect.green{fill:$greenfill;stroke:$green}rect.amber{fill:$amberfill;stroke:$amber}
rect.grey{fill:$card;stroke:$muted}rect.state{fill:$paper}.hatch{fill:url(#hatch);stroke:$edge}
.line{fill:none;stroke:$muted}.faint{fill:none;stroke:$edge}.dash{fill:none;stroke:$muted;stroke-dasharray:6 5}.head{fill:$muted}
#hatch path{stroke:$hatch;stroke-width:3}""")
HATCH = '<pattern id="hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V9"/></pattern>'

# Letters and their widths in heights of the text. DejaVu Sans has them, which is wider than the fonts of phones.
WIDTHS = [(" ijlI.,:;'|!", 0.32), ("frt()[]-", 0.42), ("ckszvxy", 0.57), ("mwMW", 0.95)]


class Fault(Exception):
    """What is wrong with a source, in words."""


def width(text: str, style: str = "") -> float:
    """About what a wide font takes; in a narrow one there is room left."""
    if "mono" in style:
        return len(text) * SIZE * 0.602
    sizes = (next((size for letters, size in WIDTHS if each in letters), 0.7 if each.isupper() else 0.63) for each in text)
    return sum(sizes) * SIZE * (1.08 if "bold" in style else 1)


class Canvas:
    """Draws from the top; `y` is where the next part begins."""

    def __init__(self):
        self.parts: list[str] = []
        self.y = float(MARGIN)
        self.rules = ""

    def text(self, x: float, y: float, text: str, style: str = "", anchor: str = "start", extra: str = "") -> None:
        left = x - width(text, style) * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        if left < 2 or left + width(text, style) > WIDTH - 2:
            raise Fault(f"too wide: {text}")
        place = f'x="{x:g}" y="{y:g}"' + ("" if anchor == "start" else f' text-anchor="{anchor}"')
        self.parts.append(f'<text {place}{_class(style)}{extra}>{escape(text, quote=False)}</text>')

    def box(self, left: float, top: float, right: float, bottom: float, style: str, radius: float = 6, extra: str = "") -> None:
        size = f'x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" rx="{radius:g}"'
        self.parts.append(f"<rect {size}{_class(style)}{extra}/>")

    def pill(self, x: float, y: float, text: str, style: str, words: str = "") -> None:
        """A box around its text, both in the middle of a place."""
        half = width(text, words) / 2 + 9
        self.box(x - half, y - 15, x + half, y + 15, style)
        self.text(x, y + 5.5, text, words, "middle")

    def line(self, points: list[tuple[float, float]], style: str = "line", has_head: bool = True) -> None:
        self.parts.append(f'<path d="M{"L".join(f"{x:g} {y:g}" for x, y in points)}"{_class(style)}/>')
        if has_head:
            (a, b), (x, y) = points[-2:]
            length = ((x - a) ** 2 + (y - b) ** 2) ** 0.5
            u, v = (x - a) / length, (y - b) / length
            wings = f"{x - 10 * u - 5 * v:.1f} {y - 10 * v + 5 * u:.1f}L{x - 10 * u + 5 * v:.1f} {y - 10 * v - 5 * u:.1f}"
            self.parts.append(f'<path d="M{x:g} {y:g}L{wings}Z" class="head"/>')

    def svg(self, name: str, title: str, description: str, theme: dict[str, str] | None) -> str:
        """The whole file: with one theme, or with the light one and, where the reader prefers it, the dark one."""
        rules = RULES.substitute(theme or LIGHT) + self.rules
        if theme is None:
            rules += f"\n@media (prefers-color-scheme:dark){{{RULES.substitute(DARK)}\n}}"
        height = self.y + MARGIN
        ground = f'<rect x="1" y="1" width="{WIDTH - 2}" height="{height - 2:g}" rx="10" class="paper"/>'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}"'
        return "\n".join([
            f'{head} style="max-width:100%;height:auto" role="img" aria-labelledby="title desc">',
            f"<!-- Made by scripts/pictures of docs/pictures/{name}.txt -->",
            f'<title id="title">{escape(title)}</title>', f'<desc id="desc">{escape(description)}</desc>',
            f"<style>{rules}\n</style>", f"<defs>{HATCH}</defs>", ground, *self.parts, "</svg>\n"])


def _class(style: str) -> str:
    return f' class="{style}"' if style else ""


def wrapped(words: list[str], room: float, style: str = "", gap: str = " ") -> list[str]:
    """Lines of words that are not wider than the room."""
    lines: list[str] = []
    for word in words:
        if lines and width(lines[-1] + gap + word, style) <= room:
            lines[-1] += gap + word
        else:
            lines.append(word)
    return lines
