"""Strict JSON and its canonical form, RFC 8785, of which payloads are made: closer-keys-formats(7), Payload."""

import json

import rfc8785

from checks import Refused

MAXIMUM_DEPTH = 16


def canonical(value: object) -> bytes:
    try:
        return rfc8785.dumps(value)
    except (
        rfc8785.CanonicalizationError,
        UnicodeEncodeError,
    ):  # an integer beyond 2^53 - 1; a lone surrogate
        raise Refused("malformed") from None


def parsed(text: bytes) -> object:
    """No name twice, no number that overflows, nothing too deep, nothing whose canonical form is refused.

    The last is so of `1e20`, which is written as an integer beyond 2^53 - 1.
    """
    try:
        value = json.loads(text.decode("utf-8"), object_pairs_hook=_members, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Refused("malformed") from None
    if _depth(value) > MAXIMUM_DEPTH:
        raise Refused("malformed")
    canonical(json.loads(canonical(value)))
    return value


def parsed_object(text: bytes) -> dict:
    value = parsed(text)
    if not isinstance(value, dict):
        raise Refused("malformed")
    return value


def _members(pairs: list[tuple[str, object]]) -> dict:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a name occurs twice")
    return members


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0
