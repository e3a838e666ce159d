"""An adapter for `closer-keys vectors run` and `vectors live`: both sides of a pairing, and CPace by itself.

It shares no code with the other two implementations in Python: Tests/Interop/README.md.
"""

import base64
import hmac
import json
import re
import secrets
import sys

from tink.proto import tink_pb2

from cpace import ORDER, Refused, demand, element, generator, product, scalar, session_key
from couple_keys import Retired, granted, own, read, taken
from pairing import Offer, Pairing, Party, code, document, token


# What is sealed for a couple that has texts in the clear begins so.
MIGRATING = b"couple/migrating"


def hexadecimal(case, *names):
    return [bytes.fromhex(case[name]) for name in names]


def agree(case):
    password, channel, session, ours, theirs = hexadecimal(
        case, "password", "channel", "session", "scalar", "peerShare"
    )
    share = product(scalar(ours), generator(password, channel, session))
    sides = list(zip((share, element(theirs)), hexadecimal(case, "associatedData", "peerAssociatedData")))
    shared = product(ours, theirs)
    key = session_key(session, shared, *(sides if case["role"] == "initiator" else sides[::-1]))
    return {"share": share.hex(), "sessionKey": key.hex()}, {"sharedSecret": shared.hex()}


def judged(case):
    """The inviter's side, and what the acceptor holds, once the tag has shown that it knew the code."""
    offer, members = Offer(case["offer"]), document(case["reply"])
    acceptor, content = Party(members), token("reply", members.get("reply", ""))
    share, tag, hold = element(content[:32]), content[32:64], content[64:]
    demand(len(hold) == 0 or len(hold) >= 28)
    number = scalar(*hexadecimal(case, "scalar"))
    demand(members["lookup"] == offer.lookup, "noKey")
    offer.inviter.meet(acceptor)
    shared = product(number, share)
    pairing = Pairing(offer, acceptor, share, shared)
    demand(hmac.compare_digest(tag, pairing.tag(b"reply", hold)), "codeMismatch")
    return pairing, read(pairing.opened(b"hold", hold), b"hold", 3)[0] if hold else None, trace(pairing, shared)


def confirm(case):
    pairing, theirs, values = judged(case)
    epoch, is_new, ids = granted(own(case), theirs, case["alone"] == "true", retired(case))
    held = (
        {"holdEpoch": theirs.epoch, "holdKeyset": theirs.keyset.SerializeToString(deterministic=True).hex()}
        if theirs
        else {}
    )
    return {"epoch": epoch, "newPrimary": is_new, "keyIds": ids, **held}, values


def grant(case):
    pairing = judged(case)[0]
    name = MIGRATING if case.get("migrating") == "true" else b"couple"
    sealed = pairing.seal(b"seal", own(case).body(name, case["phrase"].encode()), secrets.token_bytes(12))
    content = pairing.tag(b"grant", sealed) + sealed
    return {"grant": written({"lookup": pairing.lookup, "purpose": "couple", "grant": spelled("grant", content)})}, {}


def answered(case, number):
    """The acceptor's side, from its code and its scalar."""
    (lookup, secret), offer, acceptor = code(case["code"]), Offer(case["offer"]), Party(case)
    demand(lookup == offer.lookup, "authFailed")
    acceptor.meet(offer.inviter)
    share, shared = (
        product(number, generator(secret.encode(), offer.channel, offer.session)),
        product(number, offer.share),
    )
    return Pairing(offer, acceptor, share, shared), share, shared


def reply(case):
    pairing, share, _ = answered(case, (secrets.randbelow(ORDER - 1) + 1).to_bytes(32, "little"))
    hold = pairing.seal(b"hold", own(case).body(b"hold"), secrets.token_bytes(12)) if "keyset" in case else b""
    party = {name: case[name] for name in ("userId", "publicKey", "x25519PublicKey")}
    content = share + pairing.tag(b"reply", hold) + hold
    return {
        "reply": written({"lookup": pairing.lookup, "purpose": "couple", **party, "reply": spelled("reply", content)})
    }, {}


def finish(case):
    members = document(case["grant"])
    content = token("grant", members.get("grant", ""))
    pairing, _, shared = answered(case, scalar(*hexadecimal(case, "scalar")))
    demand(members["lookup"] == pairing.lookup, "noKey")
    demand(hmac.compare_digest(content[:32], pairing.tag(b"grant", content[32:])), "macInvalid")
    body = pairing.opened(b"seal", content[32:])
    told = {"migrating": True} if body[4:].startswith(MIGRATING) else {}
    given, (phrase,) = read(body, MIGRATING if told else b"couple", 4)
    words = re.fullmatch(rb"[a-z]{3,8}( [a-z]{3,8}){9,}", phrase)
    demand(words and len(phrase) <= 256 and len(set(phrase.split())) >= 5, "phraseRefused")
    hold = taken(given, own(case), retired(case))
    keyset = hold.keyset.SerializeToString(deterministic=True).hex()
    return {"epoch": hold.epoch, "keyset": keyset, "phrase": phrase.decode(), **told}, trace(pairing, shared)


def retired(case):
    ids, keyset = case.get("retiredIds", "").split(), bytes.fromhex(case.get("retiredKeyset", ""))
    return Retired(set(map(int, ids)), tink_pb2.Keyset.FromString(keyset))


def trace(pairing, shared):
    return {
        "sharedSecret": shared.hex(),
        "derivedKey": pairing.session_key.hex(),
        "associatedData": pairing.transcript.hex(),
    }


def spelled(kind, content):
    return f"{kind}:v1:{base64.urlsafe_b64encode(content).rstrip(b'=').decode()}"


def written(members):
    return json.dumps(members, separators=(",", ":"))


OPERATIONS = {
    "pairing.code": lambda case: (dict(zip(("lookup", "secret"), code(case["typed"]))), {}),
    "cpace.generator": lambda case: ({"generator": generator(*hexadecimal(case, "password", "channel", "session")).hex()}, {}),
    "cpace.agree": agree, "pairing.confirm": confirm, "pairing.finish": finish, "pairing.reply": reply, "pairing.grant": grant,
}  # fmt: skip
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "stop":
        break
    try:
        output, values = OPERATIONS[message["op"]](message["case"]) if "op" in message else ({}, {})
        answer = {"output": output, "trace": values} if "op" in message else {"features": list(OPERATIONS)}
    except Refused as refused:
        answer = {"error": str(refused)}
    print(json.dumps({"seq": message["seq"], **answer}), flush=True)
