"""A couple that shares its key already, and a question that a reader and an author have answered."""

import json
from dataclasses import replace
from random import Random

import typed_answers
from exchange import check_revealed
from partner.contexts import Question
from partner.habits import ORDINARY, Habits
from partner.reveal import Revealed
from people import Person, new_names, new_person, new_question
from program import Program


class Scene:
    """The reader reveals what the author sealed. What is handed to the reader may be changed before."""

    def __init__(
        self,
        draw: Random,
        program: Program,
        reader: str,
        author: str,
        habits: Habits = ORDINARY,
        place: str = "daily",
    ) -> None:
        self.draw = draw
        couple, readers_name, authors_name = new_names(draw)
        self.reader = new_person(reader, draw, program, readers_name, habits)
        self.author = new_person(author, draw, program, authors_name, habits)
        self.phrase = self.author.create(couple)
        self.document = self.author.couple_document(couple)
        self.reader.recover(couple, self.document, self.phrase)
        self.question = new_question(draw, couple, place)

    def seal(self) -> None:
        """Both answer, and the author releases."""
        self.ours = self.reader.seal(self.question, '{"answer":"of the reader"}')
        typed, self.value = typed_answers.new_answer(self.draw, "plain")
        self.theirs = self.author.seal(self.question, typed)
        self.released = self.release_by(self.author)

    def release_by(self, author: Person, question: Question | None = None) -> str:
        """Releases an answer to the reader's device."""
        return author.release(question or self.question, self.reader.user, self.reader.public_key, self.ours)

    def release_by_reader(self, theirs: str | None = None, public_key: str | None = None) -> str:
        """To the author's device, which pins the author's answer."""
        key = public_key or self.author.public_key
        return self.reader.release(self.question, self.author.user, key, theirs or self.theirs)

    def reveal(
        self,
        theirs: str | None = None,
        released: str | None = None,
        question: Question | None = None,
        reader: Person | None = None,
        allow: bool = False,
    ) -> Revealed:
        """Reveals what is genuine, except for the parts that are given here."""
        return (reader or self.reader).reveal(
            question or self.question,
            self.author.user,
            theirs or self.theirs,
            released or self.released,
            allow,
        )

    def check_genuine(self) -> None:
        """The genuine answer is still accepted: a refusal leaves no trace."""
        check_revealed(self.question, self.reader, self.theirs, self.value, self.reveal())

    def elsewhere(self, **changes: str) -> Question:
        """The question, except for the parts that are given here."""
        return replace(self.question, **changes)

    def second_device(self, person: Person, couple: str | None = None) -> Person:
        """Of the same person, with the same couple key."""
        device = person.another()
        device.recover(couple or self.question.couple, self.document, self.phrase)
        return device


def changed(document: str, **members: object) -> str:
    """`None` takes a member away."""
    everything = json.loads(document) | members
    return json.dumps({name: value for name, value in everything.items() if value is not None})


def member(document: str, name: str) -> str:
    return json.loads(document)[name]
