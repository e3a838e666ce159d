"""The documents of a pairing and the rules by which one is refused: closer-keys-pairing(7), DOCUMENTS."""

import re
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from checks import Refused
from partner import cpace
from partner.canonical import parsed_object
from partner.encoding import from_standard, identifier, standard, token, token_payload
from partner.sealed import public_keyset
from partner.transcript import GCM_TAG, IV, Offer, Party, Transcript

MAXIMUM = 16384  # of a token's bytes
TAG = 32


@dataclass(frozen=True)
class Reply:
    """What an acceptor answers, without the couple, which only the offer names."""

    lookup: str
    acceptor: Party
    share: bytes
    tag: bytes
    hold: bytes


@dataclass(frozen=True)
class Grant:
    lookup: str
    tag: bytes
    sealed: bytes


def offer(made: Offer) -> dict:
    named = {"coupleId": made.couple} | _named(made.inviter)
    return _headed(made.lookup) | named | {"offer": token("offer:v1:", made.sid + made.share)}


def reply(made: Transcript, tag: bytes, hold: bytes) -> dict:
    box = token("reply:v1:", made.share + tag + hold)
    return _headed(made.offer.lookup) | _named(made.acceptor) | {"reply": box}


def grant(lookup: str, tag: bytes, sealed: bytes) -> dict:
    return _headed(lookup) | {"grant": token("grant:v1:", tag + sealed)}


def read_offer(text: str) -> Offer:
    members = parsed_object(text.encode())
    lookup, couple = _lookup(members), identifier(members.get("coupleId"))
    box = _payload("offer:v1:", members.get("offer"))
    return Offer(lookup, couple, party(members), box[:16], cpace.checked_share(box[16:]))


def read_reply(text: str) -> Reply:
    members = parsed_object(text.encode())
    box = _payload("reply:v1:", members.get("reply"))
    share, tag, hold = cpace.checked_share(box[:32]), box[32 : 32 + TAG], box[32 + TAG :]
    _demand(not hold or len(hold) >= IV + GCM_TAG)
    return Reply(_lookup(members), party(members), share, tag, hold)


def read_grant(text: str) -> Grant:
    members = parsed_object(text.encode())
    box = _payload("grant:v1:", members.get("grant"))
    return Grant(_lookup(members), box[:TAG], box[TAG:])


def _headed(lookup: str) -> dict:
    return {"lookup": lookup, "purpose": "couple"}


def _named(party: Party) -> dict:
    keys = {"publicKey": party.public_key, "x25519PublicKey": standard(party.x25519)}
    return {"userId": party.user} | keys


def _lookup(members: dict) -> str:
    lookup = members.get("lookup")
    _demand(isinstance(lookup, str) and re.fullmatch("[0-9A-HJKMNP-TV-Z]{6}", lookup))
    _demand(members.get("purpose") == "couple")
    return lookup


def party(members: dict) -> Party:
    keys = members.get("publicKey"), members.get("x25519PublicKey")
    _demand(all(isinstance(key, str) for key in keys))
    public_keyset(keys[0])
    return Party(identifier(members.get("userId")), keys[0], _checked_x25519(from_standard(keys[1])))


def _checked_x25519(key: bytes) -> bytes:
    """Of low order if its product with any scalar is zero, which pyca refuses. A number that is not reduced has another spelling."""
    try:
        X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(key))
    except ValueError:
        raise Refused("malformed") from None
    _demand(int.from_bytes(key, "little") < 2**255 - 19)
    return key


def _payload(kind: str, text: object) -> bytes:
    _demand(isinstance(text, str))
    payload = token_payload(kind, text)
    _demand(len(payload) <= MAXIMUM)
    return payload


def _demand(holds: object) -> None:
    if not holds:
        raise Refused("malformed")


RULES = {"pair-offer": read_offer, "pair-reply": read_reply, "pair-grant": read_grant}
