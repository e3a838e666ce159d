"""Who meets: people with closer-keys, people with the partner's device, and their questions."""

import calendar

import texts
from draw import Draw
from partner.contexts import Question
from partner.habits import ORDINARY, Habits
from android_phone import AndroidPhone
from pairing_device import PairingDevice
from partner.person import Partner
from program import Program

Person = PairingDevice | AndroidPhone | Partner

# The id that sorts before all others. Nobody is drawn with it: a story may need somebody whose id sorts first.
FIRST_USER = "+"


def new_person(side: str, draw: Draw, program: Program, user: str, habits: Habits = ORDINARY) -> Person:
    """`ours`, `android` or `python`."""
    if side == "android":
        return AndroidPhone(program, user)
    return PairingDevice(program, user) if side == "ours" else Partner(draw, user, habits)


def new_names(draw: Draw) -> tuple[str, str, str]:
    """A couple's id and the ids of its two users, which may look alike but differ."""
    couple, user = texts.couple(draw), texts.couple(draw)
    other = texts.other(draw, user)
    return new_names(draw) if FIRST_USER in (user, other) else (couple, user, other)


def new_question(draw: Draw, couple: str, kind: str = "daily") -> Question:
    question = texts.couple(draw)
    while question.startswith("ck."):  # reserved
        question = texts.couple(draw)
    return Question(couple, question, new_place(draw, kind))


def new_place(draw: Draw, kind: str) -> str:
    if kind == "thread":
        return f"thread:{texts.couple(draw)}"
    year, month = draw.randint(1000, 9999), draw.randint(1, 12)
    return f"daily:{year:04}-{month:02}-{draw.randint(1, calendar.monthrange(year, month)[1]):02}"
