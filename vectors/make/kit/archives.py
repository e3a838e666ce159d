"""Archives of answers, by the partner: their texts and places. Alice's device wrote each, and its partner is Bob."""

from kit import answer_parts as parts

from partner import archive
from partner.contexts import Context, Question
from partner.payload import compat

DAILY, THREAD = Question("couple_1", "q_42", "daily:2026-11-20"), Question("couple_1", "q_7", "thread:t_1")
OTHER_DAY, OTHER_QUESTION = (Question("couple_1", *each) for each in (("q_42", "daily:2026-11-21"), ("q_43", DAILY.place)))
ANSWERS = {"alice": '{"answer":"yes","schemaVersion":3}', "bob": '{"answer":"no","schemaVersion":3}'}
place = archive.field_place


def bare(claim: str) -> bytes:
    """Of answers without a MAC."""
    return archive.text(DAILY, "bob", {author: compat(answer) for author, answer in ANSWERS.items()}, claim)


def hardened(label: str, question: Question, key) -> bytes:
    """The MACs of both answers are true, under this key of the couple."""

    def payload(author: str) -> bytes:
        context = Context(question.couple, question.id, author)
        return parts.hardened(f"{label}, {author}", ANSWERS[author], key, context, question.place)

    return archive.text(question, "bob", {author: payload(author) for author in ANSWERS}, "authenticated")
