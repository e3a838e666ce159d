"""Two answers to one question are sealed, released and revealed. Then this must hold."""

import json
from dataclasses import replace

from checks import must_say, same
from partner import archive
from partner.canonical import canonical
from partner.contexts import Question
from partner.payload import ADDED, BLOCK
from partner.reveal import Revealed
from people import Person

Answer = tuple[str, dict]


def exchange(
    question: Question,
    first: Person,
    second: Person,
    answers: tuple[Answer, Answer],
    authenticity: str = "serverForgeable",
) -> None:
    """The second seals before the first releases, as the apps have it."""
    (first_typed, first_value), (second_typed, second_value) = answers
    of_first, of_second = first.seal(question, first_typed), second.seal(question, second_typed)
    to_second = release(question, first, second, of_second)
    to_first = release(question, second, first, of_first)
    by_second = second.reveal(question, first.user, of_first, to_second)
    check_revealed(question, second, of_first, first_value, by_second, authenticity)
    by_first = first.reveal(question, second.user, of_second, to_first)
    check_revealed(question, first, of_second, second_value, by_first, authenticity)
    answers = {first.user: by_second.payload, second.user: by_first.payload}
    by_two = (first, second, of_second, to_first, of_first), (second, first, of_first, to_second, of_second)
    for writer, reader, *documents in by_two:
        if not writer.has_archives:
            continue
        archived = writer.archive(question, reader.user, *documents)
        check_archive(question, archived, reader, archive.text(question, reader.user, answers, authenticity))


def check_archive(question: Question, archived: str, reader: Person, text: bytes) -> None:
    """The writer's partner opens it where it belongs, and only there."""
    same("the archive", text, reader.open_archive(question, archived))
    must_say(3, "authFailed", lambda: reader.open_archive(replace(question, id=f"{question.id}+"), archived))


def release(question: Question, author: Person, reader: Person, readers_answer: str) -> str:
    """Runs it twice: the second run must print the same."""
    reader.check("device", author.device_document())
    author.check("answer", readers_answer)
    made = author.release(question, reader.user, reader.public_key, readers_answer)
    same("the same release", made, author.release(question, reader.user, reader.public_key, readers_answer))
    reader.check("release-key", made)
    return made


def check_revealed(
    question: Question,
    reader: Person,
    document: str,
    value: dict,
    revealed: Revealed,
    authenticity: str = "serverForgeable",
) -> None:
    """The reader sees what the author typed, in the bytes committed to, and learns how authentic it is."""
    members = json.loads(revealed.payload)
    same("the payload's form", canonical(members), revealed.payload)
    typed = {name: member for name, member in members.items() if name not in ADDED}
    same("the answer", canonical(value), canonical(typed))
    same("the commitment", json.loads(document)["commitmentHash"], revealed.commitment)
    reader.verify(document, revealed.payload)
    is_daily = question.place.startswith("daily:")
    same("has isRevealed", is_daily, "isRevealed" in json.loads(document))
    is_hardened = authenticity != "unauthenticated"
    same("is hardened", is_hardened, set(ADDED) <= set(members))
    if is_hardened:
        same("the payload's length beyond whole blocks", 0, len(revealed.payload) % BLOCK)
    same("authenticity", authenticity, revealed.authenticity)
    same("the place", question.place if is_hardened else None, revealed.place)
