"""Two people who pair: the steps, each made twice, and what both must have afterwards."""

import json
from dataclasses import dataclass
from functools import cached_property

import typed_answers
from checks import same
from draw import Draw
from exchange import exchange
from android_phone import AndroidPhone
from pairing_device import PairingDevice
from partner import pairing_code
from partner.person import Partner
from partner.transcript import public_bytes
from people import Person, new_question


@dataclass
class Meeting:
    """What is handed over may be changed on the way. `new_key`: whoever meets the other's new phone says so."""

    draw: Draw
    couple: str
    inviter: Person
    acceptor: Person
    typing: str = "as it is"
    new_key: bool = False
    epoch: int = 0  # after it
    retired: int | None = None  # by one of the two

    @cached_property
    def offered(self) -> tuple[str, str]:
        return self.inviter.offer(self.couple)

    @property
    def offer(self) -> str:
        return self.offered[0]

    @property
    def code(self) -> pairing_code.PairingCode:
        return pairing_code.read(self.offered[1])

    @property
    def typed(self) -> str:
        return pairing_code.TYPED[self.typing](self.code)

    @cached_property
    def reply(self) -> str:
        return self.accept()

    @cached_property
    def grant(self) -> str:
        return self.confirm()

    def accept(self, offer: str | None = None, typed: str | None = None, acceptor: Person | None = None) -> str:
        """Accepts what the inviter made, except for the parts that are given here."""
        who = acceptor or self.acceptor
        return who.accept(offer or self.offer, typed or self.typed, new_key=self.new_key)

    def confirm(self, reply: str | None = None) -> str:
        return self.inviter.confirm(self.couple, reply or self.reply, new_key=self.new_key)

    def finish(self, grant: str | None = None) -> None:
        self.acceptor.finish(self.couple, grant or self.grant)

    def renew(self) -> None:
        """They meet once more."""
        for step in ("offered", "reply", "grant"):
            vars(self).pop(step, None)

    def pair(self) -> None:
        """Each step comes twice, as when an output was lost: nothing may differ."""
        self.acceptor.check("pair-offer", self.offer)
        _again("offer", self.offer, self.inviter.offer(self.couple)[0])
        self.inviter.check("pair-reply", self.reply)
        _again("reply", self.reply, self.accept())
        self.acceptor.check("pair-grant", self.grant)
        _again("grant", self.grant, self.confirm())
        self.finish()
        self.finish()
        self.check_paired()

    def check_paired(self) -> None:
        """One couple on both devices, and each knows the other's keys."""
        people = (self.inviter, self.acceptor)
        one, other = (person.fingerprint(self.couple) for person in people)
        same("the fingerprint", one, other)
        same("the phrase", *(person.phrase(self.couple) for person in people))
        ours, other = self.sides()
        _check_keys(self.couple, ours, other, self.retired)
        _check_partners(self.couple, ours, other)

    def sides(self) -> tuple[PairingDevice | AndroidPhone, Partner | AndroidPhone]:
        """The one that shows its couple, and the other: closer-keys before a phone, and a phone before Python."""
        order = (PairingDevice, AndroidPhone, Partner)
        ours, other = sorted((self.inviter, self.acceptor), key=lambda person: [not isinstance(person, kind) for kind in order])
        return ours, other

    def use(self) -> None:
        """Fields, answers and keyboxes both ways, and the phrase opens what either would give the server."""
        for one, other in ((self.inviter, self.acceptor), (self.acceptor, self.inviter)):
            self.check_opens(other, one.seal_field(self.couple, b"a field"), b"a field")
            answers = [typed_answers.new_answer(self.draw, "plain") for _ in range(2)]
            exchange(new_question(self.draw, self.couple), one, other, answers, "authenticated")
            document = one.couple_document(self.couple)
            rehearsed = other.rehearse(self.couple, document, one.phrase(self.couple))
            same("the fingerprint in the rehearsal", other.fingerprint(self.couple), rehearsed)

    def check_opens(self, person: Person, field: str, plaintext: bytes) -> None:
        same("the field", plaintext, person.open_field(self.couple, field))


def _check_keys(couple: str, ours: Person, other: Person, retired: int | None) -> None:
    """In one order, and only the primary came by a pairing. A key that one of the two retired stays with the other."""
    primary = other.primary_id(couple)
    lists = [person.key_ids(couple) for person in (ours, other)]
    same("who has the retired key", retired is not None, (retired in lists[0]) != (retired in lists[1]))
    same("the keys", *([key_id for key_id in each if key_id != retired] for each in lists))
    for shown, ids in zip((person.shown(couple) for person in (ours, other) if not isinstance(person, Partner)), lists):
        origins = {key["keyId"]: key["origin"] for key in shown["keys"]}
        same("the origins", {each: "pairing" if each == primary else "exposed" for each in ids}, origins)
        same("the primary", [primary], [key["keyId"] for key in shown["keys"] if key["primary"]])
        same("the state", "paired", shown["state"])


def _check_partners(couple: str, ours: Person, other: Person) -> None:
    known = {each["userId"]: each for each in ours.shown(couple)["partners"]}[other.user]
    same("how the partner's key is known", "code", known["verifiedBy"])
    same("the partner's keys", _keys(other.public_key, other.x25519_key), _keys(known["publicKey"], known["x25519PublicKey"]))
    theirs = other.keys_of(couple, ours.user)
    same("the partner's keys at the other", _keys(ours.public_key, ours.x25519_key), _keys(*theirs))


def _keys(public_key: str, x25519: str) -> tuple[bytes, str]:
    """A public key may be written with other integers."""
    return public_bytes(public_key), x25519


def _again(what: str, first: str, second: str) -> None:
    same(f"the same {what}", json.loads(first), json.loads(second))
