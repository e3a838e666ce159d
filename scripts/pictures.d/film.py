"""A terminal, in which commands are typed and print what they printed.

    seconds NUMBER          how long one round is
    setup COMMAND           is run first, and not shown
    $ COMMAND               is typed; the lines below it, which begin with >, are what came out
"""

import os
import re
import subprocess
import tempfile
import textwrap
from pathlib import Path

from canvas import MARGIN, WIDTH, Canvas, Fault, width

COLUMNS = int((WIDTH - 2 * MARGIN - 8) / width("x", "mono"))
# The height of a line; then seconds: how long the last frame stays, and how long each line of input or output waits.
LINE, REST, PAUSE = 22, 5.0, 0.3
PEOPLE = "".join(f'{name}() {{ CLOSER_KEYS_VAULT={name}.db closer-keys "$@"; }}\n' for name in ("alice", "bob"))
MASKS = [(r"^key: \d+", "key: …"), (r"^fingerprint: .*", "fingerprint: …"), (r"enc:v1:\S+", "enc:v1:…")]
STILL = "\n@media (prefers-reduced-motion:reduce){.show{animation:none!important;opacity:1}.cover{display:none}}"


def draw(lines: list[tuple[str, str]]) -> Canvas:
    canvas = Canvas()
    rows = [(word, row, index == 0) for word, rest in lines if word in "$>" for index, row in enumerate(folded(word, rest))]
    total = next(float(rest) for word, rest in lines if word == "seconds")
    for dot in range(3):
        canvas.parts.append(f'<circle cx="{MARGIN + 8 + 18 * dot}" cy="{canvas.y + 6:g}" r="5" class="head"/>')
    canvas.y += 22
    for number, ((word, row, is_first), times) in enumerate(zip(rows, timed(rows, total))):
        canvas.y += LINE + (4 if word == "$" and is_first else 0)
        line(canvas, number, word, row, times, total)
    canvas.y += 5
    canvas.rules += STILL
    screen = f'<clipPath id="screen"><rect x="4" y="4" width="{WIDTH - 8}" height="{canvas.y:g}"/></clipPath>'
    canvas.parts = [screen, '<g clip-path="url(#screen)">', *canvas.parts, "</g>"]
    return canvas


def timed(rows: list[tuple[str, str, bool]], total: float) -> list[tuple[float, float]]:
    """When each row begins and ends, in percent of the film. A row of output takes as long as six letters that are typed."""
    costs = [len(row) if word == "$" else 6 for word, row, _ in rows]
    speed = (total - REST - PAUSE * sum(is_first for _, _, is_first in rows)) / sum(costs)
    times, now = [], 0.0
    for (_, _, is_first), cost in zip(rows, costs):
        now += PAUSE if is_first else 0
        times.append((100 * now / total, 100 * (now + cost * speed) / total))
        now += cost * speed
    return times


def line(canvas: Canvas, number: int, word: str, row: str, times: tuple[float, float], total: float) -> None:
    canvas.rules += f"\n@keyframes t{number}{{0%,{times[0]:.2f}%{{opacity:0}}{times[0] + 0.01:.2f}%,100%{{opacity:1}}}}"
    extra = f' style="animation:t{number} {total:g}s infinite"'
    canvas.text(MARGIN + 4, canvas.y, row, "mono show" if word == "$" else "mono show muted", extra=extra)
    if word == "$":
        typed(canvas, number, row, times, total)


def typed(canvas: Canvas, number: int, row: str, times: tuple[float, float], total: float) -> None:
    """A cover of the line, which moves to the right, a letter at a time. It rests beside the line, so that a picture that stands still
    shows the command."""
    reach = round(width(row, "mono") + 4)
    canvas.rules += (
        f"\n@keyframes c{number}{{0%,{times[0]:.2f}%{{transform:translateX(-{reach}px)}}"
        f"{times[1]:.2f}%,100%{{transform:translateX(0)}}}}")
    extra = f' style="animation:c{number} {total:g}s steps({len(row)}) infinite"'
    canvas.box(MARGIN + 4 + reach, canvas.y - 16, WIDTH - 3 + reach, canvas.y + 5, "ground cover", 0, extra)


def folded(word: str, rest: str) -> list[str]:
    return textwrap.wrap(("$ " if word == "$" else "") + rest, COLUMNS, subsequent_indent="    ", break_on_hyphens=False) or [""]


def recorded(lines: list[tuple[str, str]], program: Path) -> list[tuple[str, str]]:
    """The commands with what they print now, ids masked."""
    found = [(word, rest) for word, rest in lines if word != ">"]
    commands = [rest for word, rest in found if word in ("setup", "$")]
    outputs = iter(run(commands, program))
    result = []
    for word, rest in found:
        result.append((word, rest))
        if word in ("setup", "$"):
            output = next(outputs)
            result += [(">", masked(line)) for line in output.splitlines()] if word == "$" else []
    return result


def run(commands: list[str], program: Path) -> list[str]:
    """What each command prints, in one shell and a folder of its own."""
    mark = "--- the command ends ---\n"
    with tempfile.TemporaryDirectory() as folder:
        script = "exec 2>&1\n" + PEOPLE + "".join(f"{command}\nprintf -- '{mark[:-1]}\\n'\n" for command in commands)
        environment = {"PATH": f"{program.resolve().parent}:{os.environ['PATH']}", "HOME": folder, "XDG_STATE_HOME": folder}
        done = subprocess.run(
            ["bash", "-euc", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    outputs = done.stdout.split(mark)
    if done.returncode != 0 or len(outputs) != len(commands) + 1:
        raise Fault(f"the film's commands fail: {done.stdout[-300:]}")
    return outputs[:-1]


def masked(line: str) -> str:
    for pattern, text in MASKS:
        line = re.sub(pattern, text, line)
    return line
