"""What a couple's state is after what may happen to it, on a phone with Examples/Android and on a device with closer-keys: the same."""

from collections.abc import Callable
from dataclasses import dataclass

from checks import Refused, same
from draw import Draw
from partner.couple_key import CoupleKey
from partner.memory import Couple
from partner.person import Partner
from people import FIRST_USER, Person, new_names, new_person, new_question
from program import Program


@dataclass
class Seen:
    """Somebody with a device, and the partner in Python."""

    draw: Draw
    couple: str
    person: Person
    python: Partner

    def pair(self) -> None:
        offer, code = self.person.offer(self.couple)
        self.python.finish(self.couple, self.person.confirm(self.couple, self.python.accept(offer, code)))

    def compare(self, other: Partner) -> None:
        digits = self.person.digits(self.couple, other.user, other.public_key)
        self.person.compare_digits(self.couple, other.user, other.public_key, digits)


def released_on_trust(seen: Seen) -> None:
    """Alone, it releases to a key that the server names."""
    seen.person.offer(seen.couple)
    _release(seen, seen.python)


def compared_while_alone(seen: Seen) -> None:
    seen.person.offer(seen.couple)
    seen.compare(seen.python)


def given_away(seen: Seen) -> None:
    """Its keys go to the maker of another code, and no grant comes."""
    seen.pair()
    seen.person.accept(*seen.python.offer(seen.couple))


def given_and_cancelled(seen: Seen) -> None:
    given_away(seen)
    seen.person.cancel("accept", seen.couple)


def joined_again(seen: Seen) -> None:
    """An invite of version 1 brings the paired key."""
    seen.pair()
    seen.person.join(seen.couple, seen.python.invite(seen.couple)[0])


def recovered_again(seen: Seen) -> None:
    seen.pair()
    seen.person.recover(seen.couple, seen.python.couple_document(seen.couple), seen.python.phrase(seen.couple))


def other_phone_compared(seen: Seen) -> None:
    seen.pair()
    seen.compare(seen.python.another())


def same_phone_compared(seen: Seen) -> None:
    seen.pair()
    seen.compare(seen.python)


def rekeyed_with_given(seen: Seen) -> None:
    """The keys were given away, the digits compared, and a rekey made."""
    given_and_cancelled(seen)
    seen.compare(seen.python)
    seen.person.new_rekey(seen.couple, seen.python.user)


def rekeyed_for_another_phone(seen: Seen) -> None:
    """The first rekey went to a phone that is lost: the next one is another."""
    seen.pair()
    first = seen.person.new_rekey(seen.couple, seen.python.user)
    seen.compare(seen.python.another())
    same("that the rekey is another", True, first != seen.person.new_rekey(seen.couple, seen.python.user))


def forged_under_former_key(seen: Seen) -> None:
    """An answer that is proven under a key that was given away, once the couple is rekeyed."""
    seen.pair()
    held = seen.python.memory.couple(seen.couple).key
    seen.compare(seen.python)
    seen.person.new_rekey(seen.couple, seen.python.user)
    _reveal(seen, _impostor(seen, held))


def other_user_releases(seen: Seen) -> None:
    seen.pair()
    _release(seen, _impostor(seen, seen.python.memory.couple(seen.couple).key, "mallory"))


def other_key_releases(seen: Seen) -> None:
    seen.pair()
    _release(seen, seen.python.another(), seen.python)


def trusted_while_waiting(seen: Seen) -> None:
    """A server names a key while the reply waits for the inviter's grant."""
    seen.person.create(seen.couple)
    seen.person.accept(*seen.python.offer(seen.couple))
    _release(seen, _impostor(seen, seen.python.memory.couple(seen.couple).key, seen.python.user))


CASES: dict[str, Callable[[Seen], None]] = {
    each.__name__.replace("_", " "): each
    for each in (
        released_on_trust, compared_while_alone, given_away, given_and_cancelled, joined_again, recovered_again, other_phone_compared,
        same_phone_compared, rekeyed_with_given, rekeyed_for_another_phone, forged_under_former_key, other_user_releases,
        other_key_releases, trusted_while_waiting,
    )
}  # fmt: skip


def same_states(draw: Draw, program: Program) -> dict[str, str]:
    name = draw.turn("row", CASES)
    couple, _, other = new_names(draw)
    seen = [_seen(CASES[name], Draw(0, name, 0), program, couple, side, other) for side in ("ours", "android")]
    same(f"the state after: {name}", *seen)
    return {"row": name}


def _seen(case: Callable[[Seen], None], draw: Draw, program: Program, couple: str, side: str, other: str) -> tuple:
    """What was said, the state, and how the keys came, in their order."""
    scene = Seen(draw, couple, new_person(side, draw, program, FIRST_USER), Partner(draw, other))
    try:
        case(scene)
        said = "done"
    except Refused as refused:
        said = refused.code
    shown = scene.person.shown(couple)
    return said, shown["state"], [key["origin"] for key in shown["keys"]], [each["verifiedBy"] for each in shown["partners"]]


def _impostor(seen: Seen, key: CoupleKey, user: str | None = None) -> Partner:
    made = Partner(seen.draw, user or seen.python.user)
    made.adopt(seen.couple, Couple(key, {}, ""))
    return made


def _release(seen: Seen, author: Partner, known: Partner | None = None) -> None:
    """To the author's key."""
    author = _impostor(seen, CoupleKey(author.habits.new_couple_keyset(seen.draw)), author.user)
    question = new_question(seen.draw, seen.couple)
    ours, theirs = seen.person.seal(question, ANSWER), author.seal(question, OTHER)
    seen.person.release(question, author.user, author.public_key, theirs)


def _reveal(seen: Seen, author: Partner) -> None:
    question = new_question(seen.draw, seen.couple)
    ours, theirs = seen.person.seal(question, ANSWER), author.seal(question, OTHER)
    seen.person.reveal(question, author.user, theirs, author.release(question, seen.person.user, seen.person.public_key, ours))


ANSWER, OTHER = '{"answer":"yes","to":"the question"}', '{"answer":"no","to":"the question"}'
