"""Codes, CPace and the steps of a pairing, by libsodium and ge25519, which must agree, and by pyca/cryptography."""

import hmac

from tink.proto import tink_pb2

from checks import Refused
from kit import cpace, pair_tokens
from kit.pairing import Offer, Pairing, Party
from kit.pairing_keys import Hold, Retired, granted, items, phrase, read, taken
from kit.readers import documents, tink_boxes
from partner.canonical import parsed_object
from partner.encoding import identifier

SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
IGNORED = " \t\r\n-\u00a0\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
MIGRATING = b"couple/migrating"
ALIKE = {"O": "0", "I": "1", "L": "1", "U": "V"}


def code(typed: str) -> tuple[str, str]:
    symbols = ""
    for letter in typed:
        if letter in IGNORED:
            continue
        upper = letter.upper() if letter.isascii() else letter
        symbols += ALIKE.get(upper, upper)
    _demand(len(symbols) == 12 and all(symbol in SYMBOLS for symbol in symbols))
    return symbols[:6], symbols[6:]


def read_code(case: dict) -> dict:
    lookup, secret = code(case["typed"])
    return {"lookup": lookup, "secret": secret}


def generator(case: dict) -> dict:
    parts = (bytes.fromhex(case[name]) for name in ("password", "channel", "session"))
    return {"generator": cpace.generator(*parts)}


def agree(case: dict) -> dict:
    content = {name: bytes.fromhex(value) for name, value in case.items() if name != "role"}
    scalar, theirs = content["scalar"], content["peerShare"]
    _demand(cpace.is_scalar(scalar) and cpace.is_element(theirs))
    share = cpace.product(scalar, generator(case)["generator"])
    sides = [(share, content["associatedData"]), (theirs, content["peerAssociatedData"])]
    if case["role"] == "responder":
        sides.reverse()
    key = cpace.session_key(content["session"], cpace.product(scalar, theirs), *sides)
    return {"share": share, "sessionKey": key}


def confirm(case: dict) -> dict:
    ours, (lookup, pairing, tag, sealed) = own(case), judged(case)
    _demand(lookup == pairing.offer.lookup, "noKey")
    check_people(pairing.offer.inviter, pairing.acceptor)
    _demand(hmac.compare_digest(tag, pairing.tag("reply", sealed)), "codeMismatch")
    hold = read(pairing.opened("hold", sealed), b"hold", 3)[0] if sealed else None
    epoch, is_new, ids = granted(ours, hold, case["alone"] == "true", retired(case))
    held = {"holdEpoch": hold.epoch, "holdKeyset": hold.binary()} if hold else {}
    return {"epoch": epoch, "newPrimary": is_new, "keyIds": ids, **held}


def finish(case: dict) -> dict:
    form("pair-grant", case["grant"])
    members = parsed_object(case["grant"].encode())
    tag, sealed = pair_tokens.grant(members["grant"])
    pairing = answered(case)
    _demand(members["lookup"] == pairing.offer.lookup, "noKey")
    _demand(hmac.compare_digest(tag, pairing.tag("grant", sealed)), "macInvalid")
    body = pairing.opened("seal", sealed)
    is_migrating = items(body)[:1] == [MIGRATING]
    grant, rest = read(body, MIGRATING if is_migrating else b"couple", 4)
    words = phrase(rest[0])
    hold = taken(grant, own(case) if "keyset" in case else None, retired(case))
    told = {"migrating": True} if is_migrating else {}
    return {"epoch": hold.epoch, "keyset": hold.binary(), "phrase": words, **told}


def judged(case: dict) -> tuple[str, Pairing, bytes, bytes]:
    """What the inviter makes of a reply: its lookup, the pairing, the tag, and what the acceptor holds."""
    form("pair-offer", case["offer"])
    form("pair-reply", case["reply"])
    offer, members = Offer.parsed(case["offer"]), parsed_object(case["reply"].encode())
    share, tag, sealed = pair_tokens.reply(members["reply"])
    shared = cpace.product(scalar(case), share)
    return members["lookup"], Pairing(offer, Party.of(members), share, shared), tag, sealed


def answered(case: dict) -> Pairing:
    """The acceptor's side, made from its code and scalar."""
    lookup, secret = code(case["code"])
    form("pair-offer", case["offer"])
    offer, acceptor = Offer.parsed(case["offer"]), party(case)
    number = scalar(case)
    _demand(lookup == offer.lookup, "authFailed")
    check_people(acceptor, offer.inviter)
    share = cpace.product(number, offer.generator(secret.encode()))
    return Pairing(offer, acceptor, share, cpace.product(number, offer.share))


def check_people(ours: Party, theirs: Party) -> None:
    _demand(ours.user != theirs.user, "usage")
    points = [tink_boxes.parse_public_key({"publicKey": side.public_key})["point"] for side in (ours, theirs)]
    # Of 04‖X‖Y the X: the negative of our point has the same.
    _demand(points[0][1:33] != points[1][1:33], "partnerKeyMismatch")
    _demand(ours.x25519 != theirs.x25519, "partnerKeyMismatch")


def party(case: dict) -> Party:
    identifier(case["userId"])
    tink_boxes.public_keyset(case["publicKey"])
    pair_tokens.x25519_key(case["x25519PublicKey"])
    return Party.of(case)


def own(case: dict) -> Hold:
    return Hold(int(case["epoch"]), tink_pb2.Keyset.FromString(bytes.fromhex(case["keyset"])))


def retired(case: dict) -> Retired:
    keyset = tink_pb2.Keyset.FromString(bytes.fromhex(case.get("retiredKeyset", "")))
    return Retired({int(number) for number in case.get("retiredIds", "").split()}, keyset)


def scalar(case: dict) -> bytes:
    content = bytes.fromhex(case["scalar"])
    _demand(cpace.is_scalar(content))
    return content


def form(document: str, text: str) -> None:
    try:
        documents.check({"document": document, "text": text})
    except Refused:
        raise Refused("malformed") from None


def _demand(holds: object, error: str = "malformed") -> None:
    if not holds:
        raise Refused(error)
