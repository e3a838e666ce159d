"""Genuine answers shown where they do not belong: another place, question, couple, device or person."""

from collections.abc import Callable

import texts
from dishonest_answers import ANSWER
from people import new_place
from scene import Scene, changed

Attempt = Callable[[], object]


def other_place(scene: Scene) -> Attempt:
    """Sealed for another day or thread, and shown in this one."""
    question = scene.question
    while question == scene.question:
        question = scene.elsewhere(place=new_place(scene.draw, scene.draw.choice(("daily", "thread"))))
    theirs = scene.author.seal(question, ANSWER)
    released = scene.release_by(scene.author, question)
    return lambda: scene.reveal(theirs, released)


def other_question(scene: Scene) -> Attempt:
    """The document says this question, and everything in it was made for another."""
    question = scene.elsewhere(id=texts.other(scene.draw, scene.question.id))
    asked = changed(scene.ours, questionId=question.id)
    theirs = scene.author.seal(question, ANSWER)
    released = scene.author.release(question, scene.reader.user, scene.reader.public_key, asked)
    if scene.draw.random() < 1 / 2:
        return lambda: scene.reveal(theirs, released)
    return lambda: scene.reveal(changed(theirs, questionId=scene.question.id), released)


def other_couple(scene: Scene) -> Attempt:
    """An answer for another couple that has the same key."""
    question = scene.elsewhere(couple=texts.other(scene.draw, scene.question.couple))
    scene.author.recover(question.couple, scene.document, scene.phrase)
    theirs = scene.author.seal(question, ANSWER)
    released = scene.release_by(scene.author, question)
    return lambda: scene.reveal(theirs, released)


def other_device(scene: Scene) -> Attempt:
    """Another device of the same reader, which has sealed an answer to the question as well."""
    device = scene.second_device(scene.reader)
    device.seal(scene.question, '{"answer":"of the reader, again"}')
    return lambda: scene.reveal(reader=device)


def other_user(scene: Scene) -> Attempt:
    recipient = texts.couple(scene.draw)
    while recipient in (scene.author.user, scene.reader.user):
        recipient = texts.couple(scene.draw)
    return lambda: scene.reveal(released=changed(scene.released, recipientId=recipient))


def unknown_couple(scene: Scene) -> Attempt:
    unknown = scene.elsewhere(couple=texts.other(scene.draw, scene.question.couple))
    return lambda: scene.reveal(question=unknown)


def unanswered(scene: Scene) -> Attempt:
    """The reader's new device knows of no answer of the reader's."""
    device = scene.second_device(scene.reader)
    return lambda: scene.reveal(reader=device)
