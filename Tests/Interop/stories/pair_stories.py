"""How two people come to pair, with closer-keys on one side only; and what was sealed before still opens."""

from collections.abc import Callable

from checks import same
from draw import Draw
from meeting import Meeting
from pairing_device import PairingDevice
from partner import habits as habitual
from partner import pairing_code
from partner.habits import Habits
from people import FIRST_USER, Person, new_names, new_person
from program import Program

# Of an inviter's, which the acceptor takes: our words or others.
PHRASES = ("ten words", "more words")

Case = Callable[[Draw, Program], dict[str, str]]
Situation = Callable[[Meeting], Meeting]


def story(inviter: str, acceptor: str) -> Case:
    """closer-keys on one side; another implementation on the other."""

    def case(draw: Draw, program: Program) -> dict[str, str]:
        kinds = {
            "situation": draw.turn("situation", SITUATIONS),
            "typed": draw.turn("typed", pairing_code.TYPED),
            "phrase": draw.turn("phrase", PHRASES),
            "keyset": draw.turn("keyset", habitual.KEYSETS),
            "integers": draw.turn("integers", ("32", "33")),
        }
        chosen = {name: kinds[name] for name in ("phrase", "keyset", "integers")}
        habits = Habits(**chosen, has_extras=draw.random() < 1 / 2)
        couple, *users = new_names(draw)
        people = [new_person(side, draw, program, user, habits) for side, user in zip((inviter, acceptor), users)]
        _lived(Meeting(draw, couple, *people, kinds["typed"]), SITUATIONS[kinds["situation"]])
        return kinds

    return case


def _lived(meeting: Meeting, situation: Situation) -> None:
    """Who has the couple already gets another primary and another phrase, and reads with the older keys."""
    after = situation(meeting)
    couple, before = after.couple, [person for person in _people(after) if person.key_ids(after.couple)]
    fingerprints, phrases = [person.fingerprint(couple) for person in before], [person.phrase(couple) for person in before]
    fields = [(person.seal_field(couple, b"old"), b"old") for person in before]
    after.pair()
    same("that the primary is new", True, after.inviter.fingerprint(couple) not in fingerprints)
    same("that the phrase is new", True, after.inviter.phrase(couple) not in phrases)
    same("the epoch", {after.epoch}, {person.epoch(couple) for person in _people(after) if not isinstance(person, PairingDevice)})
    for person in _people(after):
        for field in fields:
            after.check_opens(person, *field)
    after.use()


# Each gives the meeting that follows, with the epoch that the couple has after it.


def _new_couple(meeting: Meeting) -> Meeting:
    meeting.epoch = 0
    return meeting


def _v1_couple(meeting: Meeting) -> Meeting:
    """One of the two made it, and the other joined by an invite that the server carried."""
    people = [meeting.inviter, meeting.acceptor]
    meeting.draw.shuffle(people)
    people[0].create(meeting.couple)
    people[1].join(meeting.couple, people[0].invite(meeting.couple)[0])
    meeting.epoch = 1
    return meeting


def _two_couples(meeting: Meeting) -> Meeting:
    """Each made it, with a key of their own."""
    meeting.inviter.create(meeting.couple)
    meeting.acceptor.create(meeting.couple)
    meeting.epoch = 1
    return meeting


def _new_phone(meeting: Meeting) -> Meeting:
    """The acceptor's; it has nothing."""
    meeting.pair()
    return _next(meeting, meeting.inviter, meeting.acceptor.another(), epoch=1, new_key=True)


def _lost_phone(meeting: Meeting) -> Meeting:
    """The inviter begins anew, and gets the old keys from the partner."""
    _v1_couple(meeting).pair()
    return _next(meeting, meeting.inviter.another(), meeting.acceptor, epoch=2, new_key=True)


def _exchanged_roles(meeting: Meeting) -> Meeting:
    meeting.pair()
    return _next(meeting, meeting.acceptor, meeting.inviter, epoch=1)


def _retired_key(meeting: Meeting) -> Meeting:
    """One of the two retired the key of the invite. It stays away there, whatever the other still has."""
    _v1_couple(meeting).pair()
    oldest = meeting.inviter.key_ids(meeting.couple)[0]
    meeting.draw.choice(_people(meeting)).retire(meeting.couple, oldest)
    after = _next(meeting, *_people(meeting), epoch=2)
    after.retired = oldest
    return after


def _lost_rekey(meeting: Meeting) -> Meeting:
    """closer-keys made a rekey that never reached the partner. Only the one whose id sorts first may."""
    ours, other = meeting.sides()
    first = PairingDevice(ours.program, FIRST_USER)
    inviter, acceptor = (first if person is ours else person for person in _people(meeting))
    after = _v1_couple(_next(meeting, inviter, acceptor, epoch=2))
    first.rekey(after.couple, other.user, other.public_key)
    after.epoch = 2
    return after


def _forgotten(meeting: Meeting) -> Meeting:
    """closer-keys forgot the couple, but not how far it had come: what it makes anew begins behind that."""
    _v1_couple(meeting).pair()
    ours, _ = meeting.sides()
    ours.forget(meeting.couple)
    return _next(meeting, *_people(meeting), epoch=3 if ours is meeting.inviter else 2)


def _people(meeting: Meeting) -> tuple[Person, Person]:
    return meeting.inviter, meeting.acceptor


def _next(meeting: Meeting, inviter: Person, acceptor: Person, epoch: int, new_key: bool = False) -> Meeting:
    return Meeting(meeting.draw, meeting.couple, inviter, acceptor, meeting.typing, new_key, epoch)


SITUATIONS = {
    "new couple": _new_couple,
    "v1 couple": _v1_couple,
    "two couples": _two_couples,
    "new phone": _new_phone,
    "lost phone": _lost_phone,
    "exchanged roles": _exchanged_roles,
    "retired key": _retired_key,
    "lost rekey": _lost_rekey,
    "forgotten": _forgotten,
}
