"""Payloads that only the author can make: sealed and committed to as they should be, and wrong inside.

Only somebody who has the couple key can make them. The last ones have several faults, and must be refused for the one
that comes first in the reading order.
"""

import json
from collections.abc import Callable
from dataclasses import replace

import texts
from checks import must_say
from draw import Draw
from partner import payload
from partner.canonical import canonical
from partner.contexts import Context
from program import Program
from scene import Scene, changed, member

NO_JSON = '{"answer":1,"answer":2,"x":"1234567890123456"}'
ANSWER = '{"answer":"http://of.the/author","schemaVersion":3}'


def refused(draw: Draw, program: Program) -> dict[str, str]:
    fault = draw.turn("fault", FAULTS)
    scene = Scene(draw, program, "ours", "python")
    scene.seal()
    exit_status, code, make, promise = FAULTS[fault]
    content = make(scene)
    if fault in PINNED:
        scene.release_by_reader()
    theirs = scene.author.seal_payload(scene.question, content, promise(content))
    released = scene.release_by(scene.author)
    if fault in RESEALED:
        theirs = changed(theirs, encryptedPayload=_under_another_key(scene, content))
    must_say(exit_status, code, lambda: scene.reveal(theirs, released))
    scene.check_genuine()
    return {"fault": fault}


Make = Callable[[Scene], bytes]
Promise = Callable[[bytes], str]


def _under_another_key(scene: Scene, content: bytes) -> str:
    """The answer is under another key than the one in the release."""
    return member(
        scene.author.seal_payload(scene.question, content, _of_nothing(content)), "encryptedPayload"
    )


def _hardened(scene: Scene, context: Context | None = None, place: str | None = None) -> dict:
    """The members of a payload whose MAC is good for that context."""
    key = scene.author.memory.couple(scene.question.couple).key.enabled()[0]
    place = place or scene.question.place
    return json.loads(payload.hardened(ANSWER, key, context or _context(scene), place))


def _context(scene: Scene) -> Context:
    return scene.author.context(scene.question)


def _of_another(name: str) -> Make:
    """The MAC is for another couple, question or author."""

    def make(scene: Scene) -> bytes:
        context = _context(scene)
        other = texts.other(scene.draw, getattr(context, name))
        return canonical(_hardened(scene, replace(context, **{name: other})))

    return make


def _without(name: str) -> Make:
    return lambda scene: canonical({key: value for key, value in _hardened(scene).items() if key != name})


def _with(**members: object) -> Make:
    """Members that were put in after the MAC was made."""
    return lambda scene: canonical(_hardened(scene) | members)


def _mac_before_padding(scene: Scene) -> bytes:
    members = _hardened(scene)
    key = scene.author.memory.couple(scene.question.couple).key.enabled()[0]
    return canonical(members | {"_m": payload.mac(members | {"_p": ""}, key, _context(scene))})


def _in_other_order(scene: Scene) -> bytes:
    """A hardened payload as Android would write it."""
    return json.dumps(dict(reversed(_hardened(scene).items())), separators=(",", ":")).encode()


def _elsewhere(scene: Scene) -> bytes:
    return canonical(_hardened(scene, place="thread:of-nobody") | {"answer": "changed after the MAC"})


def _text(text: str) -> Make:
    return lambda scene: text.encode("utf-8", "surrogatepass")


def _as_sealed(content: bytes) -> str:
    return payload.commitment(content)


def _canonical_form(content: bytes) -> str:
    return payload.commitment(canonical(json.loads(content)))


def _of_nothing(content: bytes) -> str:
    return payload.commitment(b"")


FAULTS = {
    **{f"without {name}": (5, "malformed", _without(name), _as_sealed) for name in payload.ADDED},
    "a MAC of another couple": (3, "macInvalid", _of_another("couple"), _as_sealed),
    "a MAC of another question": (3, "macInvalid", _of_another("question"), _as_sealed),
    "a MAC of another author": (3, "macInvalid", _of_another("author"), _as_sealed),
    "a MAC before padding": (3, "macInvalid", _mac_before_padding, _as_sealed),
    "a member after the MAC": (3, "macInvalid", _with(answer="no"), _as_sealed),
    "a number for _p": (5, "malformed", _with(_p=0), _as_sealed),
    "another order": (5, "malformed", _in_other_order, _as_sealed),
    "another order, canonical commitment": (5, "malformed", _in_other_order, _canonical_form),
    "a name twice": (5, "malformed", _text('{"answer":"yes","answer":"no","x":"12345678"}'), _as_sealed),
    "a lone surrogate": (5, "malformed", _text('{"answer":"\\ud83d","x":"1234567890123456"}'), _as_sealed),
    "broken UTF-8": (5, "malformed", _text('{"answer":"\ud83d","x":"1234567890123456"}'), _as_sealed),
    "an array": (5, "malformed", _text('["answer","answer","answer","answer"]'), _as_sealed),
    "2^53": (5, "malformed", _text('{"answer":9007199254740992,"x":"1234567"}'), _as_sealed),
    "1e20": (5, "malformed", _text('{"answer":100000000000000000000,"x":"1234567"}'), _as_sealed),
    "17 levels": (5, "malformed", _text('{"answer":' + "[" * 16 + "]" * 16 + "}"), _as_sealed),
    "more than 64 KiB": (5, "malformed", _text('{"answer":"' + "x" * 65536 + '"}'), _as_sealed),
    "AEAD before the commitment": (3, "authFailed", _text(NO_JSON), _of_nothing),
    "commitment before the form": (1, "commitmentMismatch", _text(NO_JSON), _of_nothing),
    "commitment before the pin": (1, "commitmentMismatch", _text(NO_JSON), _of_nothing),
    "pin before the form": (1, "pinMismatch", _text(NO_JSON), _as_sealed),
    "form before the MAC": (5, "malformed", _with(_b=1, _c="thread:other"), _as_sealed),
    "MAC before the place": (3, "macInvalid", _elsewhere, _as_sealed),
}
PINNED = ("commitment before the pin", "pin before the form")  # the genuine answer, before
RESEALED = ("AEAD before the commitment",)
