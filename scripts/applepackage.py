"""Package.swift as a Mac reads it, on Linux: scripts/apple.py takes from it which modules it compiles, and where their sources are."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def manifest_of_a_mac(environment: dict[str, str]) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        text = (ROOT / "Package.swift").read_text()
        (Path(folder) / "Package.swift").write_text(text.replace("#if os(macOS)", "#if os(Linux)"))
        command = ["swift", "package", "--package-path", folder, "dump-package"]
        return json.loads(subprocess.run(command, check=True, capture_output=True, env=os.environ | environment).stdout)


def target(manifest: dict, name: str) -> dict:
    return next(each for each in manifest["targets"] if each["name"] == name)


def library(manifest: dict) -> tuple[dict[str, Path], dict[str, Path]]:
    """The modules of each library product and what they need of this package, Swift's and C's, in the order of their imports, with their folders."""
    targets = {part["name"]: part for part in manifest["targets"]}
    folders: dict[str, Path] = {}

    def visit(name: str) -> None:
        if name in folders:
            return
        for need in local_dependencies(targets[name]):
            visit(need)
        folders[name] = ROOT / (targets[name].get("path") or f"Sources/{name}")

    for product in manifest["products"]:
        if "library" in product["type"]:
            for name in product["targets"]:
                visit(name)
    swift = {name: folder for name, folder in folders.items() if next(folder.rglob("*.swift"), None)}
    return swift, {name: folder for name, folder in folders.items() if name not in swift}


def local_dependencies(target: dict) -> list[str]:
    """The targets of this package that a target needs. A product of another package has a stand-in."""
    return [name for need in target["dependencies"] for kind, (name, *_) in need.items() if kind != "product"]
