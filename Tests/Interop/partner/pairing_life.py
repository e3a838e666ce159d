"""A couple's pairings on the partner's device: what is refused, in which order, and what is remembered of it.

closer-keys-pairing(7), STEPS.
"""

import os

from tink.proto import tink_pb2

from checks import Refused
from draw import Draw
from partner import chat, pairing_code, pairing_documents, pairing_sides, union
from partner.couple_key import CoupleKey
from partner.couple_life import CoupleLife
from partner.documents import written
from partner.encoding import standard
from partner.habits import Habits
from partner.memory import Couple, Retired
from partner.pairing_code import PairingCode
from partner.pairing_memory import Answer, Invite
from partner.pairing_sides import Held
from partner.transcript import Offer, Party, is_own_point, public_bytes
from partner.wrap import RandomBytes


class PairingLife(CoupleLife):
    """Both roles. A no is `Refused`, by the names of closer-keys-pair(1)."""

    user: str
    public_key: str
    random: RandomBytes = staticmethod(os.urandom)

    def __init__(self, draw: Draw, habits: Habits) -> None:
        super().__init__(draw, habits)
        self.x25519 = chat.Side(draw.randbytes(32))
        self.invites: dict[str, Invite] = {}
        self.answers: dict[str, Answer] = {}

    def offer(self, couple: str) -> tuple[str, str]:
        """The document and the code. A couple that is not known here is made."""
        open_one = self._open(couple)
        if self._waiting(couple):
            raise Refused("notYet")
        if not open_one:
            if couple not in self.memory.couples:
                self._make(couple)
            side = pairing_sides.inviting(pairing_code.new_code(self.draw), couple, self._us(), self.random)
            open_one = self.invites[side.code.lookup] = Invite(side)
        return self._written(open_one.side.document()), str(open_one.side.code)

    def accept(self, text: str, typed: str, partner: str | None = None, new_key: bool = False) -> str:
        offer, code = pairing_documents.read_offer(text), pairing_code.read(typed)
        # All that does not depend on the code comes first: a person is asked for it last.
        if offer.lookup in self.invites:
            raise Refused("usage")
        answer = self.answers.get(offer.lookup)
        if answer and (answer.status, answer.side.transcript.offer) != ("waiting", offer):
            raise Refused("inviteUsed")
        if not answer:
            self._meet(offer.couple, offer.inviter, partner, new_key)
            if self._open(offer.couple):
                raise Refused("notYet")
        if offer.lookup != code.lookup:
            raise Refused("authFailed")
        if not answer:
            answer = self.answers[code.lookup] = self._answer(offer, code)
        elif answer.code != code:
            raise Refused("inviteUsed")
        return self._written(answer.side.document())

    def confirm(self, couple: str, text: str, partner: str | None = None, new_key: bool = False) -> str:
        reply = pairing_documents.read_reply(text)
        invite = self.invites.get(reply.lookup)
        if not invite or invite.side.offer.couple != couple:
            raise Refused("noKey")
        if invite.status == "granted":
            return _same(invite.reply == reply, invite.grant)
        if invite.status != "open":
            raise Refused("inviteClosed")
        self._meet(couple, reply.acceptor, partner, new_key)
        invite.status, invite.reply = "burned", reply  # until it is known to be better
        keys = invite.side.judge(reply)
        invite.status = "failed"
        ours = self.memory.couple(couple)
        made = union.united(ours, pairing_sides.opened_hold(keys, reply.hold), self.draw)
        phrase = ours.phrase if ours.is_alone else self.habits.new_phrase(self.draw)
        self._paired(couple, made, phrase, reply.acceptor)
        grant = pairing_sides.granted(keys, reply.lookup, made, phrase, is_migrating=ours.is_migrating)
        invite.grant = self._written(grant)
        invite.status = "granted"
        return invite.grant

    def finish(self, couple: str, text: str) -> None:
        grant = pairing_documents.read_grant(text)
        answer = self.answers.get(grant.lookup)
        if not answer or answer.side.transcript.offer.couple != couple:
            raise Refused("noKey")
        if answer.status == "done":
            return _same(answer.grant == grant, None)
        if answer.status != "waiting":
            raise Refused("inviteClosed")
        made, phrase, answer.is_migrating = answer.side.open(grant)
        before = self.memory.couples.get(couple)
        adopted = union.adopted(made, before)
        self._paired(couple, adopted, phrase, answer.side.transcript.offer.inviter)
        # A couple that is known here keeps its own state.
        self.memory.couple(couple).is_migrating = before.is_migrating if before else answer.is_migrating
        answer.status, answer.grant = "done", grant
        return None

    def cancel(self, verb: str, couple: str) -> None:
        """`invite` or `accept`: closes what is open here, if anything is."""
        ours = [self._open(couple)] if verb == "invite" else self._waiting(couple)
        for each in filter(None, ours):
            each.status = "cancelled"

    @property
    def x25519_key(self) -> str:
        return standard(self.x25519.public)

    def phrase(self, couple: str) -> str:
        return self.memory.couple(couple).phrase

    def keys_of(self, couple: str, other: str) -> tuple[str, str]:
        """The two public keys that a pairing named."""
        return self.memory.keys_of_others[couple, other], standard(self.memory.x25519_of_others[couple, other])

    def key_ids(self, couple: str) -> list[int]:
        """None if this device does not have the couple."""
        held = self.memory.couples.get(couple)
        return [key.key_id for key in held.key.keyset.key] if held else []

    def primary_id(self, couple: str) -> int:
        return self.memory.couple(couple).key.keyset.primary_key_id

    def epoch(self, couple: str) -> int:
        return self.memory.couple(couple).epoch

    def retire(self, couple: str, key_id: int) -> None:
        held = self.memory.couple(couple)
        gone = [key for key in held.key.keyset.key if key.key_id == key_id]
        held.retired |= Retired.of(tink_pb2.Keyset(key=gone))
        held.key = CoupleKey(union.without(held.key.keyset, held.retired), held.key.private)

    def _us(self) -> Party:
        return Party(self.user, self.public_key, self.x25519.public)

    def _open(self, couple: str) -> Invite | None:
        return next(iter(self._invites(couple, "open")), None)

    def _invites(self, couple: str, status: str) -> list[Invite]:
        ours = [each for each in self.invites.values() if each.side.offer.couple == couple]
        return [each for each in ours if each.status == status]

    def _waiting(self, couple: str) -> list[Answer]:
        ours = (each for each in self.answers.values() if each.side.transcript.offer.couple == couple)
        return [each for each in ours if each.status == "waiting"]

    def _make(self, couple: str) -> None:
        """Its key is private from the first second, and only this device has it."""
        self.create(couple)
        made = self.memory.couple(couple)
        made.key, made.is_alone = made.key.with_private_primary(), True

    def _answer(self, offer: Offer, code: PairingCode) -> Answer:
        """An older answer for this couple is given up."""
        for each in self._waiting(offer.couple):
            each.status = "givenUp"
        # Our keys go with the answer, to the maker of the code.
        self._close_grants(offer.couple)
        held = self._held(offer.couple)
        return Answer(pairing_sides.answering(offer, code, self._us(), held, self.random), code)

    def _meet(self, couple: str, other: Party, partner: str | None, new_key: bool) -> None:
        """Who the other side says it is. No guess is used up by it."""
        if other.user == self.user:
            raise Refused("usage")
        if other.x25519 == self._us().x25519 or is_own_point(other.public_key, self.public_key):
            raise Refused("partnerKeyMismatch")
        if partner not in (None, other.user):
            raise Refused("authFailed")
        known = self.memory.others(couple)
        if known and other.user not in known:
            raise Refused("otherPartner")
        if other.user in known and public_bytes(known[other.user]) != public_bytes(other.public_key) and not new_key:
            raise Refused("partnerKeyChanged")

    def _held(self, couple: str) -> Held | None:
        held = self.memory.couples.get(couple)
        return Held(held.epoch, held.key.keyset) if held else None

    def _paired(self, couple: str, made: Held, phrase: str, other: Party) -> None:
        """Only the primary is private; what was before may be known to whoever saw an invite, or has a lost phone."""
        self._close_grants(couple)
        before = self.memory.couples.get(couple)
        key = CoupleKey(made.keyset).with_private_primary()
        after = Couple(key, self._wrapped(key, phrase), phrase, made.epoch)
        after.retired = before.retired if before else Retired()
        after.is_migrating = before.is_migrating if before else False
        self.adopt(couple, after)
        self.memory.keys_of_others[couple, other.user] = other.public_key
        self.memory.x25519_of_others[couple, other.user] = other.x25519
        self.memory.who_authenticates.add((couple, other.user))

    def _close_grants(self, couple: str) -> None:
        """The same reply got the same grant until now, and gets none any more."""
        for each in self._invites(couple, "granted"):
            each.status = "cancelled"

    def _written(self, members: dict) -> str:
        return written(self.habits.with_extras(members))


def _same(is_same: bool, result: str | None) -> str | None:
    if not is_same:
        raise Refused("inviteUsed")
    return result
