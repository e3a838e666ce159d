"""What a server does to a pairing whose code it does not know, or a stranger who hears of it, or somebody who mistypes.

Each gives the attempt that must be refused.
"""

from collections.abc import Callable

from meeting import Meeting
from pair_damage import TAG_OF_GRANT, New, damaged, flip, stranger
from partner import pairing_code, pairing_sides
from partner.pairing_documents import read_offer
from partner.person import Partner
from partner.transcript import Party
from scene import changed

Attempt = Callable[[], object]
Tamper = Callable[[Meeting], Attempt]


def wrong_code(meeting: Meeting) -> Attempt:
    """A slip in the half that is secret."""
    reply = meeting.accept(typed=slipped(meeting))
    return lambda: meeting.confirm(reply)


def guess(meeting: Meeting) -> Attempt:
    """The server answers the offer itself, in the acceptor's name."""
    code = pairing_code.PairingCode(meeting.code.lookup, pairing_code.new_code(meeting.draw).secret)
    guessed = pairing_sides.answering(read_offer(meeting.offer), code, _party(stranger(meeting)), None)
    return lambda: meeting.confirm(changed("{}", **guessed.document()))


def in_the_offer(name: str, new: New) -> Tamper:
    """What the acceptor was told is not what the inviter said."""

    def tamper(meeting: Meeting) -> Attempt:
        reply = meeting.accept(changed(meeting.offer, **{name: new(meeting)}))
        return lambda: meeting.confirm(reply)

    return tamper


def in_the_reply(name: str, new: New) -> Tamper:
    def tamper(meeting: Meeting) -> Attempt:
        reply = changed(meeting.reply, **{name: new(meeting)})
        return lambda: meeting.confirm(reply)

    return tamper


def second_reply(meeting: Meeting) -> Attempt:
    """Somebody else has the code, too, and comes too late."""
    other = stranger(meeting)
    meeting.finish()
    reply = meeting.accept(acceptor=other)
    return lambda: meeting.confirm(reply)


def to_accept(name: str, new: New) -> Tamper:
    """An offer that the acceptor must refuse at once."""

    def tamper(meeting: Meeting) -> Attempt:
        offer = changed(meeting.offer, **{name: new(meeting)})
        return lambda: meeting.accept(offer)

    return tamper


def second_offer(meeting: Meeting) -> Attempt:
    """Of somebody who found L; the acceptor, who answered the first, must not guess for them."""
    offer = guessed_offer(meeting)
    meeting.accept()
    return lambda: meeting.accept(offer)


def guessed_offer(meeting: Meeting) -> str:
    """Under the same L and in the inviter's name, with another secret half."""
    code = pairing_code.PairingCode(meeting.code.lookup, pairing_code.new_code(meeting.draw).secret)
    made = pairing_sides.inviting(code, meeting.couple, _party(stranger(meeting, meeting.inviter.user)))
    return changed("{}", **made.document())


def second_code(meeting: Meeting) -> Attempt:
    meeting.accept()
    return lambda: meeting.accept(typed=slipped(meeting))


def in_the_grant(name: str, new: New) -> Tamper:
    def tamper(meeting: Meeting) -> Attempt:
        grant = changed(meeting.grant, **{name: new(meeting)})
        return lambda: meeting.finish(grant)

    return tamper


def grant_of_another(meeting: Meeting) -> Attempt:
    """What a stranger granted to somebody else, under our lookup."""
    meeting.confirm()
    other = Meeting(meeting.draw, meeting.couple, stranger(meeting), Partner(meeting.draw, "carol"))
    grant = changed(other.grant, lookup=meeting.code.lookup)
    return lambda: meeting.finish(grant)


def second_grant(meeting: Meeting) -> Attempt:
    meeting.finish()
    return in_the_grant("grant", damaged("grant", flip(TAG_OF_GRANT)))(meeting)


def phone_of_acceptor(meeting: Meeting) -> Attempt:
    """Another key than the one that was paired with; nobody has asked whose it is."""
    meeting.pair()
    meeting.acceptor = meeting.acceptor.another()
    meeting.renew()
    return lambda: meeting.confirm()


def phone_of_inviter(meeting: Meeting) -> Attempt:
    meeting.pair()
    meeting.inviter = meeting.inviter.another()
    meeting.renew()
    return lambda: meeting.accept()


def third_acceptor(meeting: Meeting) -> Attempt:
    """A stranger who has the code, to a couple that has two people."""
    meeting.pair()
    meeting.renew()
    reply = meeting.accept(acceptor=stranger(meeting))
    return lambda: meeting.confirm(reply)


def third_inviter(meeting: Meeting) -> Attempt:
    meeting.pair()
    meeting.renew()
    other = Meeting(meeting.draw, meeting.couple, stranger(meeting), meeting.acceptor)
    return lambda: other.accept()


def _party(person: Partner) -> Party:
    return Party(person.user, person.public_key, person.x25519.public)


def slipped(meeting: Meeting) -> str:
    secret = meeting.code.secret
    return str(pairing_code.PairingCode(meeting.code.lookup, ("0" if secret[0] != "0" else "1") + secret[1:]))
