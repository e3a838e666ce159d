"""Changes to a couple, an invite, a phrase or a code that a server could make, or somebody who mistypes."""

import json
from collections.abc import Callable

import texts
from offer import Offer
from partner import documents, encoding, wrap
from scene import changed, member

BROKEN_COSTS = (
    '{"alg":"argon2id","m":8,"p":1,"t":1,"v":19}',
    '{"alg":"argon2id","m":4194304,"p":1,"t":3,"v":19}',
    '{"alg":"argon2id","m":46080,"p":1,"t":2,"v":19}',
    '{"alg":"argon2id","m":46080,"p":2,"t":3,"v":19}',
    '{"alg":"argon2i","m":46080,"p":1,"t":3,"v":19}',
    '{"alg":"argon2id","m":46080,"p":1,"t":3,"v":16}',
    '{"alg":"argon2id","m":46080,"p":1,"t":3}',
    '{"alg":"argon2id","m":"46080","p":1,"t":3,"v":19}',
    '{"alg":"argon2id","m":46080,"memory":46080,"p":1,"t":3,"v":19}',
    "argon2id$v=19$m=46080,t=3,p=4",
    "",
)

Attempt = Callable[[], object]


def wrong_phrase(offer: Offer) -> Attempt:
    return lambda: offer.recover(phrase=texts.other(offer.draw, offer.phrase))


def wrong_code(offer: Offer) -> Attempt:
    """Changes the code, in the document or where it is handed over apart from it."""
    code = texts.other(offer.draw, member(offer.invite, "code"))
    if offer.draw.random() < 1 / 2:
        return lambda: offer.join(changed(offer.invite, code=code))
    return lambda: offer.join(code=code)


def code_in_lower_case(offer: Offer) -> Attempt:
    """A code is used exactly as it was given."""
    invite = changed(offer.invite, recoveryPhrase=wrap.under_code(offer.phrase, "7KQ2MX"), code="7kq2mx")
    return lambda: offer.join(invite)


def wrong_costs(offer: Offer) -> Attempt:
    document = changed(offer.document, kdfParams=offer.draw.choice(BROKEN_COSTS))
    return lambda: offer.recover(document)


def wrong_costs_of_invite(offer: Offer) -> Attempt:
    invite = changed(offer.invite, kdfParams=offer.draw.choice(BROKEN_COSTS))
    return lambda: offer.join(invite)


def part_of_a_wrap(offer: Offer) -> Attempt:
    missing = offer.draw.sample(documents.WRAP, offer.draw.choice((1, 2)))
    document = changed(offer.document, **{name: None for name in missing})
    return lambda: offer.recover(document)


def part_of_an_invite(offer: Offer) -> Attempt:
    invite = changed(offer.invite, **{offer.draw.choice((*documents.WRAP, "recoveryPhrase")): None})
    return lambda: offer.join(invite)


def changed_wrap(offer: Offer) -> Attempt:
    """Changes one bit of the wrap or of its salt."""
    name = offer.draw.choice(("wrappedCoupleKey", "kdfSalt"))
    document = changed(offer.document, **{name: _flipped(offer, member(offer.document, name))})
    return lambda: offer.recover(document)


def changed_phrase(offer: Offer) -> Attempt:
    """Changes one bit of the phrase that is sealed under the code, behind the version."""
    box = encoding.from_standard(member(offer.invite, "recoveryPhrase"))
    text = encoding.standard(box[:1] + texts.flipped(offer.draw, box[1:]))
    return lambda: offer.join(changed(offer.invite, recoveryPhrase=text))


def short_salt(offer: Offer) -> Attempt:
    document = changed(offer.document, kdfSalt=encoding.standard(offer.draw.randbytes(15)))
    return lambda: offer.recover(document)


def version_0_with_the_wrap(offer: Offer) -> Attempt:
    return lambda: offer.recover(changed(offer.document, encryptionVersion=0))


def version_0_after_2(offer: Offer) -> Attempt:
    """The document says version 0, and has no wrap either."""
    offer.recover()
    return lambda: offer.recover(json.dumps({"encryptionVersion": 0}))


def version_1_after_2(offer: Offer) -> Attempt:
    offer.recover()
    return lambda: offer.recover(changed(offer.document, encryptionVersion=1))


def _flipped(offer: Offer, text: str) -> str:
    return encoding.standard(texts.flipped(offer.draw, encoding.from_standard(text)))
