"""Answers of an author who commits to one and shows another, and answers that a stranger makes in the author's name."""

from collections.abc import Callable

from partner.couple_key import CoupleKey, new_keyset
from partner.memory import Couple
from partner.person import Partner
from people import new_question
from scene import Scene, changed, member

ANSWER = '{"answer":"another one","from":"the author"}'

Attempt = Callable[[], object]


def swapped_payload(scene: Scene) -> Attempt:
    """The author promised one answer and releases another."""
    other, released = another_answer(scene)
    return lambda: scene.reveal(
        changed(scene.theirs, encryptedPayload=member(other, "encryptedPayload")), released
    )


def other_pinned(scene: Scene) -> Attempt:
    """The author's other answer is consistent in itself; this one was seen first."""
    scene.release_by_reader()
    other, released = another_answer(scene)
    return lambda: scene.reveal(other, released)


def release_to_another_answer(scene: Scene) -> Attempt:
    scene.release_by_reader()
    other, _ = another_answer(scene)
    return lambda: scene.release_by_reader(other)


def release_to_another_key(scene: Scene) -> Attempt:
    scene.release_by_reader()
    return lambda: scene.release_by_reader(public_key=scene.author.another().public_key)


def forged(scene: Scene) -> Attempt:
    """Payload, commitment and keybox agree: all they need is public, except the couple key (docs/threat-model.md#w5)."""
    return lambda: scene.reveal(*forgery(scene, "hardened"))


def forged_without_mac(scene: Scene) -> Attempt:
    return lambda: scene.reveal(*forgery(scene, "compat"))


def forged_after_a_mac(scene: Scene) -> Attempt:
    """The author has proven an answer before, so that not even `--allow-unauthenticated` takes this one."""
    scene.check_genuine()
    scene.question = new_question(scene.draw, scene.question.couple)
    scene.seal()
    return lambda: scene.reveal(*forgery(scene, "compat"), allow=True)


def another_answer(scene: Scene) -> tuple[str, str]:
    """An answer to the same question by another device of the author's, and its release."""
    device = scene.second_device(scene.author)
    return device.seal(scene.question, ANSWER), scene.release_by(device)


def forgery(scene: Scene, profile: str) -> tuple[str, str]:
    """An answer and its release by somebody who knows every public key but not the couple key."""
    stranger = Partner(scene.draw, scene.author.user)
    stranger.adopt(scene.question.couple, Couple(CoupleKey(new_keyset()), {}, ""))
    return stranger.seal(scene.question, ANSWER, profile), scene.release_by(stranger)
