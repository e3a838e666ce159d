"""The forms that an answer may have besides a hardened one to a daily question."""

from collections.abc import Callable

import typed_answers
from draw import Draw
from exchange import check_revealed
from partner import payload
from partner.contexts import Question
from partner.habits import Habits
from partner.person import Partner
from people import Person, new_question
from program import Program
from scene import Scene


def python_to_ours(draw: Draw, program: Program) -> dict[str, str]:
    scene = Scene(draw, program, "ours", "python", Habits(keyset="rotated"))
    return _forms(draw, scene, PYTHON)


def ours_to_python(draw: Draw, program: Program) -> dict[str, str]:
    return _forms(draw, Scene(draw, program, "python", "ours"), OURS)


Seal = Callable[[Person, Question, str], str]


def _forms(draw: Draw, scene: Scene, forms: dict[str, Seal]) -> dict[str, str]:
    """All in one couple. Answers without a MAC come first: once the author has written a MAC, they are refused."""
    facts = {}
    for name, seal in forms.items():
        kind = facts[name] = draw.turn(name, typed_answers.KINDS)
        place = "thread" if "thread" in name else draw.turn(f"{name} place", ("daily", "thread"))
        scene.question = new_question(draw, scene.question.couple, place)
        _reveal(draw, scene, seal, kind, is_hardened=name in HARDENED)
    return facts


def _reveal(draw: Draw, scene: Scene, seal: Seal, kind: str, is_hardened: bool) -> None:
    typed, value = typed_answers.new_answer(draw, kind)
    scene.ours = scene.reader.seal(scene.question, '{"answer":"of the reader"}')
    scene.theirs = seal(scene.author, scene.question, typed)
    scene.reader.check("answer", scene.theirs)
    scene.released = scene.release_by(scene.author)
    authenticity = "serverForgeable" if is_hardened else "unauthenticated"
    revealed = scene.reveal(allow=not is_hardened)
    check_revealed(scene.question, scene.reader, scene.theirs, value, revealed, authenticity)


def _compat(author: Person, question: Question, typed: str) -> str:
    return author.seal(question, typed, "compat")


def _hardened(author: Person, question: Question, typed: str) -> str:
    return author.seal(question, typed)


def _android(author: Partner, question: Question, typed: str) -> str:
    """Commits to the canonical form, and seals the text as Android writes it."""
    return author.seal_payload(question, payload.android(typed), payload.commitment(payload.compat(typed)))


def _raw_key(author: Partner, question: Question, typed: str) -> str:
    content = payload.hardened(typed, _primary(author, question), author.context(question), question.place)
    return author.seal_payload(question, content, payload.commitment(content), raw_key=True)


def _raw_key_compat(author: Partner, question: Question, typed: str) -> str:
    content = payload.compat(typed)
    return author.seal_payload(question, content, payload.commitment(content), raw_key=True)


def _older_key(author: Partner, question: Question, typed: str) -> str:
    """The author's device has not seen the newest primary."""
    return author.seal(question, typed, key=author.memory.couple(question.couple).key.enabled()[-1])


def _primary(author: Partner, question: Question) -> bytes:
    return author.memory.couple(question.couple).key.enabled()[0]


PYTHON = {
    "compat": _compat,
    "android": _android,
    "raw key compat": _raw_key_compat,
    "thread": _hardened,
    "raw key": _raw_key,
    "older key": _older_key,
}
OURS = {"compat": _compat, "thread compat": _compat, "thread": _hardened}
HARDENED = ("thread", "raw key", "older key")
