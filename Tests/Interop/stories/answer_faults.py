"""Answers and fields with one fault each, and the refusal that each must meet. Then the genuine answer is revealed."""

from collections.abc import Callable

import changed_answers as changed
import dishonest_answers as dishonest
import misplaced_answers as misplaced
from checks import must_say
from draw import Draw
from program import Program
from scene import Scene

# In the reading order, where that applies: `reveal` must stop at the first check that does not hold.
FAULTS = {
    "unanswered": (8, "notYet", misplaced.unanswered),
    "unknown couple": (4, "noKey", misplaced.unknown_couple),
    "other user's document": (3, "authFailed", changed.other_users_document),
    "copied commitment": (1, "commitmentMismatch", changed.copied_commitment),
    "missing release": (8, "notYet", changed.missing_release),
    "missing keybox": (8, "notYet", changed.missing_keybox),
    "keybox to another user": (4, "noKey", misplaced.other_user),
    "keybox to another device": (4, "noKey", misplaced.other_device),
    "changed keybox": (3, "authFailed", changed.changed_keybox),
    "other question": (3, "authFailed", misplaced.other_question),
    "other couple": (3, "authFailed", misplaced.other_couple),
    "changed payload": (3, "authFailed", changed.changed_payload),
    "payload of another answer": (3, "authFailed", changed.payload_of_another_answer),
    "changed commitment": (1, "commitmentMismatch", changed.changed_commitment),
    "swapped payload": (1, "commitmentMismatch", dishonest.swapped_payload),
    "other answer pinned": (1, "pinMismatch", dishonest.other_pinned),
    "forged": (3, "macInvalid", dishonest.forged),
    "other place": (1, "placeMismatch", misplaced.other_place),
    "forged without a MAC": (8, "unauthenticated", dishonest.forged_without_mac),
    "forged after a MAC": (8, "unauthenticated", dishonest.forged_after_a_mac),
    "release to a copy": (1, "commitmentMismatch", changed.release_to_a_copy),
    "release to another answer": (1, "pinMismatch", dishonest.release_to_another_answer),
    "release to another key": (1, "partnerKeyMismatch", dishonest.release_to_another_key),
    "field of another couple": (3, "authFailed", changed.field_of_another_couple),
    "field of another key": (4, "noKey", changed.field_of_another_key),
    "changed field": (3, "authFailed", changed.changed_field),
}


def refused(author: str, reader: str) -> Callable[[Draw, Program], dict[str, str]]:
    def case(draw: Draw, program: Program) -> dict[str, str]:
        fault = draw.turn("fault", FAULTS)
        scene = Scene(draw, program, reader, author, place=draw.choice(("daily", "thread")))
        scene.seal()
        exit_status, code, attempt = FAULTS[fault]
        must_say(exit_status, code, attempt(scene))
        scene.check_genuine()
        return {"fault": fault}

    return case
