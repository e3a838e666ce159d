"""What the server can change of an answer, of its release, or of a field, on the way to the reader."""

from collections.abc import Callable

import texts
from dishonest_answers import another_answer
from partner import encoding
from partner.couple_key import CoupleKey, new_keyset
from scene import Scene, changed, member

Attempt = Callable[[], object]


def copied_commitment(scene: Scene) -> Attempt:
    theirs = changed(scene.theirs, commitmentHash=member(scene.ours, "commitmentHash"))
    return lambda: scene.reveal(theirs)


def release_to_a_copy(scene: Scene) -> Attempt:
    theirs = changed(scene.theirs, commitmentHash=member(scene.ours, "commitmentHash"))
    return lambda: scene.release_by_reader(theirs)


def changed_commitment(scene: Scene) -> Attempt:
    """The commitment of another answer by the same author."""
    other, _ = another_answer(scene)
    return lambda: scene.reveal(changed(scene.theirs, commitmentHash=member(other, "commitmentHash")))


def changed_payload(scene: Scene) -> Attempt:
    """Changes one bit. It may be one of the prefix, since the one-time key is then the wrong one all the same."""
    box = encoding.token_payload("sealed:v1:", member(scene.theirs, "encryptedPayload"))
    text = encoding.token("sealed:v1:", texts.flipped(scene.draw, box))
    return lambda: scene.reveal(changed(scene.theirs, encryptedPayload=text))


def payload_of_another_answer(scene: Scene) -> Attempt:
    other, _ = another_answer(scene)
    return lambda: scene.reveal(other)


def changed_keybox(scene: Scene) -> Attempt:
    """Changes one bit behind the prefix, since the prefix names the key."""
    box = encoding.token_payload("keybox:v1:", member(scene.released, "encryptedAnswerKey"))
    text = encoding.token("keybox:v1:", box[:5] + texts.flipped(scene.draw, box[5:]))
    return lambda: scene.reveal(released=changed(scene.released, encryptedAnswerKey=text))


def missing_release(scene: Scene) -> Attempt:
    return lambda: scene.reader.reveal(scene.question, scene.author.user, scene.theirs, None)


def missing_keybox(scene: Scene) -> Attempt:
    return lambda: scene.reveal(released=changed(scene.released, encryptedAnswerKey=None))


def other_users_document(scene: Scene) -> Attempt:
    return lambda: scene.reveal(changed(scene.theirs, userId=texts.other(scene.draw, scene.author.user)))


def field_of_another_couple(scene: Scene) -> Attempt:
    couple = texts.other(scene.draw, scene.question.couple)
    scene.reader.recover(couple, scene.document, scene.phrase)
    field = scene.author.seal_field(scene.question.couple, b"for this couple")
    return lambda: scene.reader.open_field(couple, field)


def changed_field(scene: Scene) -> Attempt:
    """Changes one bit behind the prefix."""
    box = encoding.token_payload("enc:v1:", scene.author.seal_field(scene.question.couple, b"genuine"))
    field = encoding.token("enc:v1:", box[:5] + texts.flipped(scene.draw, box[5:]))
    return lambda: scene.reader.open_field(scene.question.couple, field)


def field_of_another_key(scene: Scene) -> Attempt:
    field = CoupleKey(new_keyset()).seal_field(scene.question.couple, b"of nobody here")
    return lambda: scene.reader.open_field(scene.question.couple, field)
