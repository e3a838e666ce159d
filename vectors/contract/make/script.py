"""documents.mjs: the table of rules.json, and the parts of documents/ behind it."""

import json
from pathlib import Path

PARTS = ("check", "writes", "values", "curves", "json")
HEAD = """// The server's contract of closer-keys for Node 18 and later, in one file without packages. CC0-1.0: copy it.
// Made from vectors/contract/rules.json by its make/generate.py. Nothing secret passes here.

const MAXIMUM_BYTE_COUNT = {bytes}, MAXIMUM_DEPTH = 16;

const RULES = {{
{rules}
}};

const KINDS = {{
{kinds}
}};
"""
# What says who writes a member is in `writes`, too.
NOT_READ = {"create", "update", "marks", "ofWrite"}


def files(contract: dict) -> dict[str, str]:
    """The text of the script, by its path."""
    head = HEAD.format(
        bytes=contract["maximumByteCount"],
        rules="\n".join(f"  {name}: {rule_text(rule)}," for name, rule in contract["rules"].items()),
        kinds="\n".join(f"  {json.dumps(name)}: {kind_text(kind)}," for name, kind in contract["kinds"].items()),
    )
    parts = (Path(__file__).with_name("documents") / f"{part}.mjs" for part in PARTS)
    return {"documents.mjs": head + "".join(part.read_text(encoding="utf-8") for part in parts)}


def rule_text(rule: dict) -> str:
    """A rule of which the pattern is a regular expression. A slash in it is within brackets."""
    members = (
        f"{name}: /{value}/" if name == "pattern" else f"{name}: {json.dumps(value)}" for name, value in rule.items()
    )
    return f"{{ {', '.join(members)} }}"


def kind_text(kind: dict) -> str:
    members = [{name: value for name, value in row.items() if name not in NOT_READ} for row in kind["members"]]
    rows = "".join(f"\n      {json.dumps(row)}," for row in members)
    others = {name: value for name, value in kind.items() if name not in NOT_READ | {"members"}}
    lines = "".join(f"\n    {name}: {json.dumps(value)}," for name, value in others.items())
    return f"{{\n    members: [{rows}\n    ],{lines}\n  }}"
