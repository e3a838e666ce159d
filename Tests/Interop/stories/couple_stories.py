"""A couple's whole story: made, joined, used and recovered, with closer-keys on one side only."""

import texts
import typed_answers
from checks import same
from draw import Draw
from exchange import exchange
from partner import habits as habitual
from partner.habits import ORDINARY, Habits
from people import Person, new_names, new_person, new_question
from program import Program


def ours_to_python(draw: Draw, program: Program) -> dict[str, str]:
    """closer-keys makes the couple; the partner joins, and later recovers it."""
    return _story(draw, program, ("ours", "python"), ORDINARY, {})


def python_to_ours(draw: Draw, program: Program) -> dict[str, str]:
    """The partner makes the couple, in every way in which clients may differ; closer-keys joins and later recovers it."""
    kinds = {
        "costs": draw.turn("costs", habitual.COSTS),
        "base64": draw.turn("base64", habitual.BASE64),
        "content": draw.turn("content", ("binary", "json")),
        "phrase": draw.turn("phrase", habitual.PHRASES),
        "keyset": draw.turn("keyset", habitual.KEYSETS),
        "letters": draw.turn("letters", habitual.CODES),
        "integers": draw.turn("integers", ("32", "33")),
    }
    extras = draw.turn("extras", ("yes", "no"))
    habits = Habits(**kinds, has_extras=extras == "yes")
    return _story(draw, program, ("python", "ours"), habits, kinds | {"extras": extras})


def _story(
    draw: Draw, program: Program, sides: tuple[str, str], habits: Habits, kinds: dict[str, str]
) -> dict[str, str]:
    couple, *users = new_names(draw)
    maker, joiner = (new_person(side, draw, program, user, habits) for side, user in zip(sides, users))
    return lived(draw, couple, maker, joiner, habits) | kinds


def lived(draw: Draw, couple: str, maker: Person, joiner: Person, habits: Habits = ORDINARY) -> dict[str, str]:
    """Whatever these two people's devices are."""
    code = draw.turn("code", ("in it", "apart"))
    phrase = maker.create(couple)
    _join(couple, maker, joiner, is_code_apart=code == "apart")

    field_kind, plaintext = texts.field_plaintext(draw)
    field = _exchange_fields(couple, maker, joiner, plaintext)

    kind = draw.turn("answer", typed_answers.KINDS)
    answers = (typed_answers.new_answer(draw, kind), typed_answers.new_answer(draw, "plain"))
    for people in ((maker, joiner), (joiner, maker)):
        exchange(new_question(draw, couple), *people, answers)

    typing = "as it is" if habits.phrase == "verbatim" else draw.turn("typed", habitual.TYPED)
    _recover(couple, maker, joiner, habitual.TYPED[typing](phrase), (field, plaintext))
    return {"answer": kind, "code": code, "typed": typing, "field": field_kind}


def _join(couple: str, maker: Person, joiner: Person, is_code_apart: bool) -> None:
    invite, code = maker.invite(couple, is_code_apart)
    joiner.check("invite", invite)
    joiner.join(couple, invite, code if is_code_apart else None)
    same("the fingerprint", maker.fingerprint(couple), joiner.fingerprint(couple))


def _exchange_fields(couple: str, maker: Person, joiner: Person, plaintext: bytes) -> str:
    """Seals and opens a field both ways, and gives back the one that the maker sealed."""
    field = maker.seal_field(couple, plaintext)
    same("the maker's field", plaintext, joiner.open_field(couple, field))
    same("the joiner's field", plaintext, maker.open_field(couple, joiner.seal_field(couple, plaintext)))
    return field


def _recover(couple: str, maker: Person, joiner: Person, phrase: str, sealed: tuple[str, bytes]) -> None:
    """The joiner has a new device; the phrase and what the server stores of the maker's couple are enough."""
    field, plaintext = sealed
    device, document = joiner.another(), maker.couple_document(couple)
    device.check("couple", document)
    same(
        "the fingerprint in the rehearsal",
        maker.fingerprint(couple),
        device.rehearse(couple, document, phrase),
    )
    device.recover(couple, document, phrase)
    same("the fingerprint on the new device", maker.fingerprint(couple), device.fingerprint(couple))
    same("the old field on the new device", plaintext, device.open_field(couple, field))
