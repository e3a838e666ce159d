"""The two sides of a pairing, one object each: what they draw, what they send, and what they can open.

closer-keys-pairing(7), STEPS. Nothing in here knows what else a device has; that is `pairing_life`.
"""

import os
import re
from dataclasses import dataclass

from tink.proto import tink_pb2

from checks import Refused
from partner import cpace, pairing_documents
from partner.couple_key import strict_keyset
from partner.pairing_code import PairingCode
from partner.pairing_documents import Grant, Reply
from partner.transcript import Keys, Offer, Party, Transcript, channel
from partner.wrap import RandomBytes


MIGRATING = b"couple/migrating"


@dataclass(frozen=True)
class Held:
    """What one side has of the couple."""

    epoch: int
    keyset: tink_pb2.Keyset

    def items(self, name: bytes) -> tuple[bytes, ...]:
        return name, self.epoch.to_bytes(4, "big"), self.keyset.SerializeToString(deterministic=True)


@dataclass(frozen=True)
class Inviter:
    """An invite: it judges one reply."""

    code: PairingCode
    offer: Offer
    scalar: int

    def document(self) -> dict:
        return pairing_documents.offer(self.offer)

    def judge(self, reply: Reply) -> Keys:
        made = Transcript(self.offer, reply.acceptor, reply.share)
        keys = made.keys(cpace.multiplied(reply.share, self.scalar))
        if not keys.is_tag(reply.tag, b"reply", reply.hold):
            raise Refused("codeMismatch")
        return keys


@dataclass(frozen=True)
class Acceptor:
    """An answer: it waits for a grant."""

    transcript: Transcript
    keys: Keys
    hold: bytes

    def document(self) -> dict:
        return pairing_documents.reply(self.transcript, self.keys.tag(b"reply", self.hold), self.hold)

    def open(self, grant: Grant) -> tuple[Held, str, bool]:
        """The couple, its phrase, and whether it has texts in the clear."""
        if not self.keys.is_tag(grant.tag, b"grant", grant.sealed):
            raise Refused("macInvalid")
        *items, phrase = self.keys.open(b"seal", grant.sealed) or [b""]
        is_migrating = items[:1] == [MIGRATING]
        held = _held(items, MIGRATING if is_migrating else b"couple")
        return held, checked_phrase(phrase), is_migrating


def inviting(code: PairingCode, couple: str, us: Party, random: RandomBytes = os.urandom) -> Inviter:
    sid, scalar = random(16), cpace.new_scalar(random)
    generator = cpace.generator(code.secret.encode(), channel(code.lookup, couple, us.user), sid)
    return Inviter(code, Offer(code.lookup, couple, us, sid, cpace.multiplied(generator, scalar)), scalar)


def answering(
    offer: Offer, code: PairingCode, us: Party, held: Held | None, random: RandomBytes = os.urandom
) -> Acceptor:
    scalar = cpace.new_scalar(random)
    generator = cpace.generator(code.secret.encode(), offer.channel(), offer.sid)
    made = Transcript(offer, us, cpace.multiplied(generator, scalar))
    keys = made.keys(cpace.multiplied(offer.share, scalar))
    return Acceptor(made, keys, keys.seal(b"hold", held.items(b"hold"), random) if held else b"")


def granted(
    keys: Keys,
    lookup: str,
    couple: Held,
    phrase: str,
    random: RandomBytes = os.urandom,
    is_migrating: bool = False,
) -> dict:
    name = MIGRATING if is_migrating else b"couple"
    sealed = keys.seal(b"seal", (*couple.items(name), phrase.encode()), random)
    return pairing_documents.grant(lookup, keys.tag(b"grant", sealed), sealed)


def opened_hold(keys: Keys, hold: bytes) -> Held | None:
    return _held(keys.open(b"hold", hold), b"hold") if hold else None


def _held(items: list[bytes], name: bytes) -> Held:
    if len(items) != 3 or items[0] != name or len(items[1]) != 4:
        raise Refused("malformed")
    keyset = strict_keyset(items[2])
    if any(key.status != tink_pb2.ENABLED for key in keyset.key):
        raise Refused("malformed")
    return Held(int.from_bytes(items[1], "big"), keyset)


def checked_phrase(content: bytes) -> str:
    """One that either side could have made: ten words and more, which nobody guesses and anybody can copy."""
    found = re.fullmatch(rb"[a-z]{3,8}( [a-z]{3,8}){9,}", content)
    if not found or len(set(content.split())) < 5 or len(content) > 256:
        raise Refused("phraseRefused")
    return content.decode()
