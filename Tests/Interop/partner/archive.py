"""Both answers to a question in one field of the couple: closer-keys-formats(7), ARCHIVES."""

import json

from partner.canonical import canonical
from partner.contexts import Question


def field_place(question: Question) -> str:
    return f"ck.answers/{question.place}/{question.id}"


def text(question: Question, partner: str, answers: dict[str, bytes], authenticity: str) -> bytes:
    """The payloads by their authors; the partner is the writer's, and the authenticity that of the partner's answer."""
    members = {
        "answers": {author: json.loads(payload) for author, payload in answers.items()},
        "authenticity": authenticity,
        "coupleId": question.couple,
        "partnerId": partner,
        "place": question.place,
        "questionId": question.id,
        "version": 1,
    }
    return canonical(members)
