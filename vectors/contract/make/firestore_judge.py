"""Runs closer.rules without Firebase: each function becomes one of Python, and `matches` is RE2, as in Firestore."""

import re
from collections.abc import Callable
from pathlib import Path

import re2

FUNCTION = re.compile(r"function (\w+)\(([\w, ]*)\) \{\s*return (.*?);\s*\}", re.DOTALL)
TOKEN = re.compile(r"'[^']*'|&&|\|\||!=|!|\{\}|\w+(?:\[\d\])? is \w+|\w+|\s+|.", re.DOTALL)
WORDS = {"&&": " and ", "||": " or ", "!": " not ", "{}": "Map()", "null": "None", "true": "True", "false": "False"}
TYPES = {"string": str, "bool": bool, "map": dict, "list": list}


class Text(str):
    """A string, which has characters, and its bytes. Firestore matches whole texts; here the pattern must say so."""

    def matches(self, pattern: str) -> bool:
        return re2.search(pattern, self) is not None

    def size(self) -> int:
        return len(self)

    def toUtf8(self) -> "List":
        return List(self.encode())


class List(list):
    def size(self) -> int:
        return len(self)

    def join(self, separator: str) -> Text:
        return Text(separator.join(str(each) for each in self))

    def removeAll(self, others: list) -> "List":
        return List(each for each in self if each not in others)

    def hasOnly(self, others: list) -> bool:
        return all(any(same(each, other) for other in others) for each in self)

    def hasAll(self, others: list) -> bool:
        return all(any(same(each, other) for other in self) for each in others)

    def hasAny(self, others: list) -> bool:
        return any(same(each, other) for other in others for each in self)


class Map(dict):
    def size(self) -> int:
        return len(self)

    def keys(self) -> List:
        return List(Text(name) for name in super().__iter__())

    def values(self) -> List:
        return List(super().values())

    def diff(self, other: "Map") -> "Map":
        names = dict.fromkeys([*self.keys(), *other.keys()])
        return Map(
            {name: None for name in names if name not in self or name not in other or not same(self[name], other[name])}
        )

    def affectedKeys(self) -> List:
        return self.keys()


def same(one: object, other: object) -> bool:
    """As in Firestore, 1 is not true, at any depth."""
    if isinstance(one, dict) and isinstance(other, dict):
        return set(one) == set(other) and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def value_of(value: object) -> object:
    """What Firestore has of a JSON value: a whole number is an int."""
    if isinstance(value, dict):
        return Map({name: value_of(each) for name, each in value.items()})
    if isinstance(value, list):
        return List(value_of(each) for each in value)
    if isinstance(value, str):
        return Text(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def functions(path: Path) -> dict[str, Callable]:
    """The functions of a file of rules."""
    text = path.read_text(encoding="utf-8")
    scope = {"Map": Map, "is_": is_}
    found = FUNCTION.findall(text)
    assert len(found) == len(re.findall(r"(?m)^ *function ", text))
    for name, parameters, body in found:
        exec(f"def {name}({parameters}): return ({translated(body)})", scope)  # noqa: S102
    return {name: scope[name] for name, _, _ in found}


def translated(body: str) -> str:
    condition, found, branches = body.partition(" ? ")
    if found:
        first, _, second = branches.partition(" : ")
        return f"({translated(first)}) if {translated(condition)} else ({translated(second)})"
    return "".join(word(token) for token in TOKEN.findall(body))


def word(token: str) -> str:
    value, found, kind = token.partition(" is ")
    if found and token[0] != "'":
        return f"is_({value}, '{kind}')"
    return " " if token.isspace() else WORDS.get(token, token)


def is_(value: object, kind: str) -> bool:
    if kind in ("int", "number"):
        return isinstance(value, int if kind == "int" else (int, float)) and not isinstance(value, bool)
    if kind == "timestamp":  # which JSON has none of
        return False
    return isinstance(value, TYPES[kind])
