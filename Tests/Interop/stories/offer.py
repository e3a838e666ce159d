"""A couple that is offered: what its maker hands out, and a taker who has nothing yet."""

from dataclasses import dataclass
from functools import cached_property
from random import Random

from people import Person, new_names, new_person
from program import Program


@dataclass
class Offer:
    """Accepts what the maker handed out, except for the parts that are given here."""

    draw: Random
    couple: str
    maker: Person
    taker: Person
    phrase: str
    document: str

    @cached_property
    def invite(self) -> str:
        """With the code in it."""
        return self.maker.invite(self.couple)[0]

    def recover(self, document: str | None = None, phrase: str | None = None) -> None:
        self.taker.recover(self.couple, document or self.document, phrase or self.phrase)

    def join(self, invite: str | None = None, code: str | None = None) -> None:
        self.taker.join(self.couple, invite or self.invite, code)


def new_offer(draw: Random, program: Program, maker: str, taker: str) -> Offer:
    couple, *users = new_names(draw)
    first, second = (new_person(side, draw, program, user) for side, user in zip((maker, taker), users))
    phrase = first.create(couple)
    return Offer(draw, couple, first, second, phrase, first.couple_document(couple))
