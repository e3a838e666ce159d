"""Draws results.json, which `bench --results FOLDER` writes, as ratios.svg and growth.svg in the same folder.

usage: plot.py FOLDER
needs: pip install matplotlib
"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
# Text stays text, and the same figures give the same bytes.
matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "closer-keys", "font.size": 9}
import matplotlib.pyplot as plt

COLOURS = {True: "tab:green", False: "tab:red", None: "tab:gray"}
LABELS = {True: "goal met", False: "goal missed", None: "no goal"}


def peers(rows):
    """Of each row that is no point of a curve: its work, and who stood against us."""
    for row in rows:
        for lane in row["lanes"][1:] if "growth" not in row else []:
            yield row["work"], lane


def ratios(rows, machine):
    lanes = list(peers(rows))
    figure, axes = plt.subplots(figsize=(9, 1.2 + 0.2 * len(lanes)))
    for place, (_, lane) in enumerate(lanes):
        colour = COLOURS[lane.get("isMet")]
        axes.plot(lane["middleHalf"], [place, place], color=colour, linewidth=2)
        axes.plot(lane["ratio"], place, "o", color=colour, markersize=4)
        if goal := lane.get("goalRatio"):
            axes.plot(goal, place, "|", color="black", markersize=9)
    for is_met, label in LABELS.items():
        axes.plot([], [], "o-", color=COLOURS[is_met], label=label)
    axes.plot([], [], "|", color="black", label="the goal")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_yticks(range(len(lanes)), [f"{work}: {lane['name']}" for work, lane in lanes])
    axes.invert_yaxis()
    axes.margins(y=0.01)
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("the peer's time / ours: right of 1, closer-keys is faster; a bar is the middle half of all turns")
    axes.legend(loc="lower right")
    axes.set_title(f"{machine['date'][:10]}, {machine['processor']}")
    return figure


def growth(rows, machine):
    curves = {}
    for row in rows:
        if point := row.get("growth"):
            curves.setdefault(point["of"], []).append((point["pieces"], row["lanes"][0]["median"] / 1000))
    figure, axes = plt.subplots(figsize=(9, 5))
    for work, points in curves.items():
        axes.plot(*zip(*points), "o-", label=work)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.yaxis.set_major_formatter("{x:,g}")
    axes.grid(alpha=0.3)
    axes.set_xlabel("answers in the vault, or lines of the batch")
    axes.set_ylabel("ms, start to finish")
    axes.legend()
    axes.set_title(f"{machine['date'][:10]}, {machine['processor']}")
    return figure


def main():
    folder = Path(sys.argv[1])
    results = json.loads((folder / "results.json").read_text())
    for draw in [ratios, growth]:
        figure = draw(results["rows"], results["machine"])
        figure.savefig(folder / f"{draw.__name__}.svg", bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    main()
