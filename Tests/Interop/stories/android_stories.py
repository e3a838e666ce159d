"""A mixed couple, closer-keys on one phone and Examples/Android on the other: an invite, digits and a rekey, a migration."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import texts
import typed_answers
from android_phone import AndroidPhone
from checks import must_say, same
from couple_stories import _exchange_fields, _join
from draw import Draw
from exchange import exchange
from partner import habits as habitual
from people import FIRST_USER, Person, new_names, new_person, new_question
from program import Program

ANSWER = '{"answer":"yes","to":"the question"}'

Case = Callable[[Draw, Program], dict[str, str]]


def invited(maker: str, joiner: str) -> Case:
    """By an invite of version 1: fields, answers both ways, and a recovery by the phrase as it is typed."""

    def case(draw: Draw, program: Program) -> dict[str, str]:
        couple, *users = new_names(draw)
        first, second = (new_person(side, draw, program, user) for side, user in zip((maker, joiner), users))
        kinds = {"answer": draw.turn("answer", typed_answers.KINDS), "typed": draw.turn("typed", habitual.TYPED)}
        phrase = first.create(couple)
        _join(couple, first, second, is_code_apart=draw.random() < 1 / 2)
        field = _exchange_fields(couple, first, second, texts.field_plaintext(draw)[1])
        for people in ((first, second), (second, first)):
            answers = (typed_answers.new_answer(draw, kinds["answer"]), typed_answers.new_answer(draw, "plain"))
            exchange(new_question(draw, couple, draw.choice(("daily", "thread"))), *people, answers)
        device, document = second.another(), first.couple_document(couple)
        device.check("couple", document)
        device.recover(couple, document, habitual.TYPED[kinds["typed"]](phrase))
        same("the old field", first.open_field(couple, field), device.open_field(couple, field))
        return kinds

    return case


@dataclass
class Rekeying:
    """The one whose id sorts first sends."""

    draw: Draw
    couple: str
    sender: Person
    taker: Person

    @property
    def people(self) -> tuple[tuple[Person, Person], tuple[Person, Person]]:
        return (self.sender, self.taker), (self.taker, self.sender)

    def compare(self) -> None:
        """Both see the same digits, and say so."""
        digits = [_digits(one.digits(self.couple, other.user, other.public_key)) for one, other in self.people]
        same("the digits", *digits)
        for one, other in self.people:
            one.compare_digits(self.couple, other.user, other.public_key, digits[0])

    def use(self) -> None:
        """What is proven under the new key is authenticated, and the new phrase opens the new document."""
        for one, other in self.people:
            same("the state", "rekeyed", one.shown(self.couple)["state"])
            answers = [typed_answers.new_answer(self.draw, "plain") for _ in range(2)]
            exchange(new_question(self.draw, self.couple), one, other, answers, "authenticated")
            rehearsed = other.rehearse(self.couple, one.couple_document(self.couple), one.phrase(self.couple))
            same("the fingerprint in the rehearsal", other.fingerprint(self.couple), rehearsed)


def rekeyed(sender: str, taker: str) -> Case:
    def case(draw: Draw, program: Program) -> dict[str, str]:
        couple, user, _ = new_names(draw)
        people = new_person(sender, draw, program, FIRST_USER), new_person(taker, draw, program, user)
        rekeying = Rekeying(draw, couple, *people)
        maker, joiner = draw.sample(people, 2)
        maker.create(couple)
        joiner.join(couple, maker.invite(couple)[0])
        field = maker.seal_field(couple, b"old")
        for one, other in rekeying.people:
            must_say(8, "notYet", lambda one=one, other=other: _new_rekey(one, couple, other))
        rekeying.compare()
        document = people[0].new_rekey(couple, user)
        same("the same rekey", json.loads(document), json.loads(people[0].new_rekey(couple, user)))
        for _ in range(2):
            people[1].take_rekey(FIRST_USER, document, couple)
        same("the old field", b"old", joiner.open_field(couple, field))
        rekeying.use()
        return {"maker": "sender" if maker is people[0] else "taker"}

    return case


def migrated(draw: Draw, program: Program) -> dict[str, str]:
    """The iPhone and the Android phone bring their couple from texts in the clear to sealed ones."""
    couple, *users = new_names(draw)
    first = draw.turn("first", ("ours", "android"))
    phone, other = AndroidPhone(program, users[0]), new_person("ours", draw, program, users[1])
    phone.ask("migrate", couple=couple)
    same("the version", 1, json.loads(phone.couple_document(couple))["encryptionVersion"])
    offer, code = phone.offer(couple)
    other.finish(couple, phone.confirm(couple, other.accept(offer, code)))
    same("a text in the clear", "hello", phone.ask("readText", couple=couple, text="hello")["text"])
    document = json.loads(phone.couple_document(couple)) | {"userIds": users}
    for each in (other, phone) if first == "ours" else (phone, other):
        document |= json.loads(_finished(each, couple, json.dumps(document)))
    same("the version", 2, document["encryptionVersion"])
    same("who has sealed", sorted(users), sorted(document["encryptionMigrationUsers"]))
    phone.recover(couple, json.dumps(document), phone.phrase(couple))
    must_say(8, "plaintext", lambda: phone.ask("readText", couple=couple, text="hello"))
    lowered = json.dumps(document | {"encryptionVersion": 1})
    must_say(8, "downgrade", lambda: phone.recover(couple, lowered, phone.phrase(couple)))
    return {"first": first}


def kept(draw: Draw, program: Program) -> dict[str, str]:
    """A step whose state is not kept has no result, and is made again. An offer judges once, kept or not."""
    couple, *users = new_names(draw)
    phone, other = AndroidPhone(program, users[0]), AndroidPhone(program, users[1])
    offer, code = _again(phone, lambda: phone.offer(couple))
    wrong = code[:-1] + ("0" if code[-1] != "0" else "1")
    guess, reply = other.another().accept(offer, wrong), _again(other, lambda: other.accept(offer, code))
    must_say(8, "inviteClosed", lambda: phone.ask("confirmTwice", couple=couple, document=guess, second=reply))
    # Another process, and the state of before: a guess for each kept state.
    grant = _again(phone, lambda: phone.confirm(couple, reply))
    _again(other, lambda: other.finish(couple, grant))
    _again(phone, lambda: phone.compare_digits(couple, users[1], other.public_key, phone.digits(couple, users[1], other.public_key)))
    question = new_question(draw, couple)
    ours, theirs = (_again(each, lambda each=each: each.seal(question, ANSWER)) for each in (phone, other))
    release = _again(other, lambda: other.release(question, users[0], phone.public_key, ours))
    _again(phone, lambda: phone.reveal(question, users[1], theirs, release))
    return {"fault": "none"}


def _again(phone: AndroidPhone, step: Callable[[], object]) -> object:
    """The disk is full, and then it is not."""
    before = (phone.folder / "state").read_bytes()
    (phone.folder / "full").touch()
    must_say(0, "notKept", step)
    (phone.folder / "full").unlink()
    same("the state", before, (phone.folder / "state").read_bytes())
    return step()


def _finished(person: Person, couple: str, document: str) -> str:
    if isinstance(person, AndroidPhone):
        return person.ask("finishMigration", couple=couple, document=document)["document"]
    return person._run("couple migrate", f"--couple={couple}", "--finish", person._file("server.json", document))


def _new_rekey(person: Person, couple: str, other: Person) -> None:
    """Nobody knows the other yet."""
    if isinstance(person, AndroidPhone):
        person.ask("rekey", couple=couple)
    else:
        person.new_rekey(couple, other.user)


def _digits(shown: str) -> str:
    return "".join(shown.split())
