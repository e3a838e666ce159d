"""Makes v1/pairing.json: what an inviter makes of a reply, and an acceptor of a grant (closer-keys-pairing(7), STEPS).

The golden pairings and what they refuse, as far as no device's memory is asked, then one fault in each thing that is
said, derived, proven or sealed. Each product of a share and a scalar is libsodium's and ge25519's, which must agree.
"""

from dataclasses import replace

from tink.proto import tink_pb2

from kit import aes_keys, cpace, pair_tokens, pairing_bodies, pairing_faults
from kit.changes import flipped, respelled_url
from kit.frame import Group, VectorFile
from kit.golden_pairings import refused, taken
from kit.pairing import Pairing, Party
from kit.pairing_keys import LAST
from kit.pairing_scene import (
    BOB,
    FIRST,
    MALLORY,
    NEW,
    SECOND,
    THIRD,
    Scene,
    alone,
    hold,
    respelled,
)
from kit.readers import keyset_files, pairings, tink_boxes
from kit.x25519_keys import LOW_ORDER, bytes_of
from partner.encoding import standard, url

NOTES = {
    "Golden": "A golden pairing, or what is refused in one",
    "Normal": "As two devices do it",
    "Spelling": "The same said otherwise: JSON, a public key with integers of 32 bytes, a code as people type it",
    "Names": "The shortest and the longest names, and each character that they may have",
    "Keys": "What becomes of the keys of both: their order, their number, equal ones, retired ones",
    "Epoch": "An epoch counts pairings and rekeys; one far above ours is refused, and so is an older one",
    "KeyMismatch": "One id with two keys, or a primary that is not new",
    "Offer": "The acceptor saw another offer than the inviter made",
    "Code": "Another code",
    "SessionKey": "The session key is made otherwise",
    "AssociatedData": "The associated data of CPace is made otherwise",
    "Channel": "The channel is made otherwise",
    "Transcript": "The transcript is made otherwise",
    "DerivedKey": "The keys of a pairing are made otherwise",
    "Tag": "The tag is made otherwise, or covers something else",
    "Modified": "Something was changed after the tag was made",
    "Sealed": "Under a tag that holds, the box is another than it must be",
    "Body": "What is sealed has not the form that it must have",
    "Keyset": "The keyset that is sealed is none, not canonical, or has a key that may not be used",
    "Form": "A document whose form is wrong is malformed, before anything secret is touched",
    "Share": "A share is no element, not canonical, or the identity",
    "Person": "The other side is our own user, has our own key, or speaks of another invite",
    "Scalar": "The scalar is another, or none",
}
SCENE = Scene()


def gives(group: Group, comment: str, case: dict, *flags: str) -> None:
    """The reader's own answer, which is held against everything that the case was made from."""
    written = {name: value.hex() if isinstance(value, bytes) else value for name, value in case.items()}
    if group.operation == "pairing.confirm":
        group.valid(comment, case, pairings.confirm(written), *flags, trace=pairings.judged(written)[1].trace())
    else:
        group.valid(comment, case, pairings.finish(written), *flags, trace=pairings.answered(written).trace())


# Both steps: what the other side computed otherwise.


def derived_otherwise(group: Group, case_of, error: str) -> None:
    """`case_of` makes the case from a kind of pairing."""
    tables = (
        ("SessionKey", pairing_faults.session_keys()),
        ("AssociatedData", pairing_faults.data()),
        ("Transcript", pairing_faults.transcripts()),
        ("DerivedKey", pairing_faults.keys()),
    )
    for flag, table in tables:
        for comment, kind in table:
            group.invalid(comment, case_of(kind), error, flag)


def sealed_otherwise(group: Group, label: str, other: str, body: bytes, case_of) -> None:
    for comment, box in pairing_faults.boxes(SCENE.pairing(), label, other, body):
        group.invalid(comment, case_of(box), "malformed", "Sealed")


# The inviter's step.


def confirms(group: Group) -> None:
    gives(group, "both hold the couple", SCENE.confirms(), "Normal")
    gives(group, "the acceptor holds nothing, and nobody has the keys yet", alone().confirms(), "Normal")
    gives(group, "the acceptor holds nothing, and somebody had the keys", alone(False).confirms(), "Keys")
    gives(group, "the inviter is alone, and the acceptor holds keys", SCENE.but(is_alone=True).confirms(), "Keys")
    respell_confirm(group)
    for comment, scene, flag in holds():
        gives(group, comment, scene.confirms(), flag)
    for comment, scene in people():
        gives(group, comment, scene.confirms(), "Names")


def respell_confirm(group: Group) -> None:
    reply = SCENE.reply()
    extra = respelled(reply, lambda members: dict(reversed(members.items())) | {"createdAt": 1.5, "x": None})
    gives(group, "the reply in another order, with unknown members", SCENE.confirms(extra), "Spelling")
    gives(group, "/ escaped, and white space", SCENE.confirms(reply.replace("/", "\\/").replace(",", " ,\n")), "Spelling")
    narrow = narrow_party(BOB)
    gives(group, "integers of 32 bytes in the acceptor's key", SCENE.but(acceptor=narrow).confirms(), "Spelling")
    inviter = narrow_party(SCENE.inviter)
    gives(group, "integers of 32 bytes in the inviter's key", SCENE.but(inviter=inviter).confirms(), "Spelling")


def narrow_party(party: Party) -> Party:
    keyset = keyset_files.written_again(tink_boxes.public_keyset(party.public_key))[1]
    return replace(party, public_key="pub:v1:" + url(keyset))


def holds():
    """What both hold, and what may come of it."""
    many = pairing_bodies.many(31)
    yield "31 keys and none, with a new one 32", SCENE.but(ours=hold(0, *many), theirs=None), "Keys"
    yield "30 keys and one", SCENE.but(ours=hold(0, *many[1:]), theirs=hold(0, FIRST)), "Keys"
    yield "31 keys on both sides, the same", SCENE.but(ours=hold(0, *many), theirs=hold(0, *many[::-1])), "Keys"
    for prefix in (tink_pb2.RAW, tink_pb2.LEGACY, tink_pb2.CRUNCHY):
        key, name = aes_keys.entry("pairing prefix", 77, prefix), tink_pb2.OutputPrefixType.Name(prefix)
        yield f"a key with the prefix {name}", SCENE.but(theirs=hold(1, SECOND, key)), "Keys"
    disabled = aes_keys.entry("pairing own", 78, status=tink_pb2.DISABLED)
    yield "a key of ours is disabled", SCENE.but(ours=hold(0, FIRST, disabled)), "Keys"
    retired = f"{SECOND.key_id} 4294967295"
    yield "the acceptor holds a key that we retired", SCENE.but(retired=retired), "Keys"
    for ours, theirs in ((0, 1000), (5, 1005), (1005, 5), (7, 7), (LAST - 2, LAST - 3), (LAST - 1002, LAST - 2)):
        scene = SCENE.but(ours=hold(ours, FIRST), theirs=hold(theirs, SECOND, FIRST))
        yield f"the epochs {ours} and {theirs}", scene, "Epoch"


def people():
    named = [("a", "b", "c"), ("x" * 128, "y" * 128, "z" * 128), ("A.b_c-d:e@f+g", "0", "couple_1")]
    named += [("bob", "alice", "couple_1"), ("alice", "alice.", "couple_1"), ("alice", "Alice", "couple_1")]
    for one, other, couple in named:
        inviter, acceptor = replace(SCENE.inviter, user=one), replace(SCENE.acceptor, user=other)
        comment = f"{one[:20]} and {other[:20]}, {couple[:20]}"
        yield comment, SCENE.but(inviter=inviter, acceptor=acceptor, couple=couple)
    for lookup, secret in (("000000", "ZZZZZZ"), ("ZZZZZZ", "000000"), ("ABCDEF", "ABCDEF")):
        yield f"the code {lookup}-{secret}", SCENE.but(lookup=lookup, secret=secret)


def refuses_replies(group: Group) -> None:
    def reply_of(kind: type[Pairing]) -> dict:
        return SCENE.confirms(SCENE.reply(SCENE.pairing(kind=kind)))

    for comment, seen in pairing_faults.offers(SCENE):
        reply = SCENE.reply(SCENE.pairing(seen))
        back = respelled(reply, lambda members: members | {"lookup": SCENE.lookup})
        group.invalid(f"the acceptor saw {comment}", SCENE.confirms(back), "codeMismatch", "Offer")
    for comment, password in pairing_faults.passwords(SCENE):
        reply = SCENE.reply(SCENE.pairing(password=password))
        group.invalid(f"as the password: {comment}", SCENE.confirms(reply), "codeMismatch", "Code")
    for comment, kind in pairing_faults.channels():
        seen = kind(**vars(SCENE.offer()))
        group.invalid(comment, SCENE.confirms(SCENE.reply(SCENE.pairing(seen))), "codeMismatch", "Channel")
    derived_otherwise(group, reply_of, "codeMismatch")
    change_reply(group)
    seal_hold_otherwise(group)
    refuse_keys_of_acceptor(group)
    refuse_reply_form(group)
    refuse_people(group)


def change_reply(group: Group) -> None:
    pairing = SCENE.pairing()
    box = SCENE.sealed_hold(pairing)
    for comment, tag in pairing_faults.tags(pairing, "reply", "grant", box):
        group.invalid(comment, SCENE.confirms(pairing.reply_text(box, tag)), "codeMismatch", "Tag")
    tag = pairing.tag("reply", box)
    changed = [(f"byte {place} of what the acceptor holds", flipped(box, place)) for place in (0, 12, -1)]
    changed += [("what the acceptor holds is left out", b""), ("a byte behind it", box + b"\0"), ("cut", box[:-1])]
    for comment, other in changed:
        group.invalid(comment, SCENE.confirms(pairing.reply_text(other, tag)), "codeMismatch", "Modified")
    added = alone().pairing()
    other = added.reply_text(box, added.tag("reply", b""))
    group.invalid("something was added that the acceptor holds", alone().confirms(other), "codeMismatch", "Modified")
    for name, value in MALLORY.members().items():
        reply = respelled(SCENE.reply(), lambda members, at=name, to=value: members | {at: to})
        group.invalid(f"another {name} in the reply", SCENE.confirms(reply), "codeMismatch", "Modified")
    share = cpace.product(SCENE.ya, pairing.share)
    other = Pairing(pairing.offer, BOB, share, b"").reply_text(box, tag)
    group.invalid("another share in the reply", SCENE.confirms(other), "codeMismatch", "Modified")


def seal_hold_otherwise(group: Group) -> None:
    pairing = SCENE.pairing()

    def case_of(box: bytes) -> dict:
        return SCENE.confirms(pairing.reply_text(box))

    def of_body(body: bytes) -> dict:
        return case_of(SCENE.sealed_hold(pairing, body))

    sealed_otherwise(group, "hold", "seal", SCENE.theirs.body(b"hold"), case_of)
    for comment, body in pairing_bodies.bodies(SCENE.theirs, b"hold", b"couple"):
        group.invalid(comment, of_body(body), "malformed", "Body")
    for comment, keyset in pairing_bodies.keysets(SCENE.theirs):
        body = pairing_bodies.lp(b"hold", SCENE.theirs.epoch.to_bytes(4, "big"), keyset)
        group.invalid(comment, of_body(body), "malformed", "Keyset")


def refuse_keys_of_acceptor(group: Group) -> None:
    other, raw = aes_keys.entry("other bytes", FIRST.key_id), aes_keys.entry("pairing 168496141", FIRST.key_id, tink_pb2.RAW)
    for comment, key in (("other bytes", other), ("another prefix", raw)):
        scene = SCENE.but(theirs=hold(1, SECOND, key))
        group.invalid(f"a key of our id with {comment}", scene.confirms(), "keyMismatch", "KeyMismatch")
        scene = SCENE.but(theirs=hold(1, key), ours=hold(0, FIRST, THIRD))
        group.invalid(f"a primary of our id with {comment}", scene.confirms(), "keyMismatch", "KeyMismatch")
    many = pairing_bodies.many(32)
    numbers = [("32 keys of ours", many, None), ("32 keys of the acceptor's", [FIRST], many)]
    numbers += [("31 keys and another", many[1:], [FIRST]), ("16 and 16", many[:16], many[16:])]
    for comment, ours, theirs in numbers:
        scene = SCENE.but(ours=hold(0, *ours), theirs=theirs and hold(0, *theirs))
        group.invalid(f"{comment}, and no place for a new one", scene.confirms(), "limit", "Keys")
    for ours, theirs in ((0, 1001), (5, 1006), (0, LAST), (LAST - 1, LAST - 1), (LAST - 2, LAST - 1), (LAST - 1, 0), (LAST - 1, LAST)):
        scene = SCENE.but(ours=hold(ours, FIRST), theirs=hold(theirs, SECOND))
        group.invalid(f"the epochs {ours} and {theirs}", scene.confirms(), "limit", "Epoch")


def refuse_reply_form(group: Group) -> None:
    pairing, reply = SCENE.pairing(), SCENE.reply()
    box, tag = SCENE.sealed_hold(pairing), bytes(32)
    for comment, share in shares(pairing.share):
        other = Pairing(pairing.offer, BOB, share, b"").reply_text(box, tag)
        group.invalid(f"the share is {comment}", SCENE.confirms(other), "malformed", "Form", "Share")
    for comment, other in documents(reply, "reply"):
        group.invalid(comment, SCENE.confirms(other), "malformed", "Form")
    whole = pairing.share + tag
    for count in (63, 65, 64 + 27):
        token = {"reply": pair_tokens.text("reply", (whole + box)[:count])}
        other = respelled(reply, lambda members, token=token: members | token)
        group.invalid(f"a reply of {count} bytes", SCENE.confirms(other), "malformed", "Form")
    for member in ("lookup", "offer"):
        other = respelled(SCENE.offer().text(), lambda members, at=member: members | {at: "x"})
        group.invalid(f"our offer with another {member}", SCENE.confirms(offer=other), "malformed", "Form")


def shares(good: bytes):
    number = int.from_bytes(good, "little")
    values = {"the identity": 0, "with bit 255": number | 1 << 255, "the identity with bit 255": 1 << 255}
    values |= {"negative": cpace.P - number, "p": cpace.P, "p and 2": cpace.P + 2, "all bits": 2**256 - 1}
    for comment, value in values.items():
        yield comment, value.to_bytes(32, "little")
    yield "no element", next(
        each for each in (flipped(good, place, 1) for place in range(1, 31)) if not cpace.is_element(each)
    )


def documents(text: str, token: str):
    """A document in which one thing has not its form."""
    changes = [("purpose", "device"), ("purpose", "Couple"), ("lookup", "qzv8rd"), ("lookup", "QZV8RO"), ("lookup", "QZV8R")]
    if token != "grant":
        changes += [("userId", ""), ("userId", "a|b"), ("publicKey", "pub:v1:AAAA"), ("x25519PublicKey", "")]
        changes += [("x25519PublicKey", standard(bytes_of(LOW_ORDER["of order 8"])))]
    for name, value in changes:
        yield f"{name} {value[:12]!r}", respelled(text, lambda members, at=name, to=value: members | {at: to})
    for name in ("lookup", "purpose", token):
        yield f"no {name}", respelled(text, lambda members, at=name: {key: members[key] for key in members if key != at})
    good = respelled(text, lambda members: {"token": members[token]})[len('{"token":"') : -2]
    content = good.removeprefix(f"{token}:v1:")
    others = [(f"the token: {comment}", f"{token}:v1:{other}") for comment, other in spellings(content)]
    others += [("the token without its name", content), ("the token's next version", f"{token}:v2:{content}")]
    for comment, other in others:
        yield comment, respelled(text, lambda members, to=other: members | {token: to})
    yield "cut off", text[:-1]
    yield "twice", text + text
    yield "an array", f"[{text}]"


def spellings(content: str):
    if len(content) % 4:
        yield from respelled_url(content)
    else:
        yield "with padding", content + "="
        yield "a letter of the other alphabet", "+" + content[1:]
        yield "a letter more", content + "A"


def refuse_people(group: Group) -> None:
    own, pairing = SCENE.inviter, SCENE.pairing()
    box, tag = SCENE.sealed_hold(pairing), pairing.tag("reply", SCENE.sealed_hold(pairing))

    def reply(**members) -> dict:
        whole = pairing.reply_text(box, tag)
        return SCENE.confirms(respelled(whole, lambda document: document | members))

    group.invalid("the acceptor is our own user", reply(userId=own.user), "usage", "Person")
    group.invalid("the acceptor has our own key", reply(publicKey=own.public_key), "partnerKeyMismatch", "Person")
    narrow = narrow_party(own).public_key
    group.invalid("the acceptor has our own key, written otherwise", reply(publicKey=narrow), "partnerKeyMismatch", "Person")
    group.invalid("a reply to another lookup", reply(lookup="QZV8RE"), "noKey", "Person")
    group.invalid("another invite's scalar", SCENE.confirms(scalar=SCENE.yb), "codeMismatch", "Scalar")
    for comment, content in scalars(SCENE.ya):
        group.invalid(comment, SCENE.confirms(scalar=content), "malformed", "Scalar")


def scalars(good: bytes):
    for comment, number in (("0", 0), ("the order", cpace.ORDER), ("256 bits", 2**256 - 1)):
        yield f"the scalar is {comment}", number.to_bytes(32, "little")
    yield "the scalar has 31 bytes", good[:31]
    yield "the scalar has 33 bytes", good + b"\0"


# The acceptor's step.


def finishes(group: Group) -> None:
    gives(group, "both hold the couple", SCENE.finishes(), "Normal")
    gives(group, "the acceptor holds nothing", alone().finishes(), "Normal")
    for typed in ("qzv8rd1m7wxb", " QZV8RD\u2013IM7WXB\n", "QZV8RDiM7WXB"):
        gives(group, f"the code {typed!r}", SCENE.finishes(code=typed), "Spelling")
    extra = respelled(SCENE.grant(), lambda members: dict(reversed(members.items())) | {"createdAt": 1.5})
    gives(group, "the grant in another order, with an unknown member", SCENE.finishes(extra), "Spelling")
    inviter = narrow_party(SCENE.inviter)
    gives(group, "integers of 32 bytes in the inviter's key", SCENE.but(inviter=inviter).finishes(), "Spelling")
    acceptor = narrow_party(BOB)
    gives(group, "integers of 32 bytes in the acceptor's key", SCENE.but(acceptor=acceptor).finishes(), "Spelling")
    for comment, scene, flag in grants():
        gives(group, comment, scene.finishes(), flag)
    for comment, scene in people():
        gives(group, comment, scene.finishes(), "Names")


def grants():
    many = pairing_bodies.many(31)
    yield "32 keys granted", alone().but(granted=hold(0, NEW, *many)), "Keys"
    yield "31 granted and one", SCENE.but(granted=hold(1, NEW, *many[1:]), theirs=hold(0, FIRST)), "Keys"
    yield "the primary stands last", SCENE.but(granted=replace(hold(2, NEW, FIRST), keyset=last_is_primary())), "Keys"
    yield "a key of ours was not granted", SCENE.but(granted=hold(2, NEW, FIRST)), "Keys"
    yield "keys that are not ours", SCENE.but(granted=hold(2, NEW, THIRD, *many[:3])), "Keys"
    yield "a key is granted that we retired", SCENE.but(granted=hold(2, NEW, FIRST, THIRD), retired=f"5 {THIRD.key_id}"), "Keys"
    disabled = aes_keys.entry("pairing own", 78, status=tink_pb2.DISABLED)
    yield "a key of ours is disabled", SCENE.but(theirs=hold(1, SECOND, disabled)), "Keys"
    for prefix in (tink_pb2.RAW, tink_pb2.LEGACY, tink_pb2.CRUNCHY):
        key, name = aes_keys.entry("pairing prefix", 77, prefix), tink_pb2.OutputPrefixType.Name(prefix)
        yield f"a primary with the prefix {name}", SCENE.but(granted=hold(2, key, FIRST)), "Keys"
    for ours, granted in ((1, 1), (1, 1001), (LAST - 1001, LAST - 1)):
        scene = SCENE.but(theirs=hold(ours, SECOND, FIRST), granted=hold(granted, NEW, FIRST))
        yield f"the epoch {granted} after {ours}", scene, "Epoch"
    for granted in (0, 1000):
        yield f"the epoch {granted} after none", alone().but(granted=hold(granted, FIRST)), "Epoch"
    for phrase in ("a", "x" * 1024, "pässwörd ❤"):
        yield f"the phrase {phrase[:10]}", SCENE.but(phrase=phrase), "Normal"


def last_is_primary() -> tink_pb2.Keyset:
    return tink_pb2.Keyset(primary_key_id=NEW.key_id, key=[FIRST, SECOND, NEW])


def refuses_grants(group: Group) -> None:
    def grant_of(kind: type[Pairing]) -> dict:
        return SCENE.finishes(SCENE.grant(SCENE.pairing(kind=kind)))

    for comment, seen in pairing_faults.offers(SCENE):
        if "lookup" not in comment:
            case = SCENE.finishes(offer=seen.text())
            group.invalid(f"we saw {comment}", case, "macInvalid", "Offer")
    for code in ("QZV8RD-1M7WXC", "QZV8RD-QZV8RD"):
        group.invalid(f"the code {code}", SCENE.finishes(code=code), "macInvalid", "Code")
    derived_otherwise(group, grant_of, "macInvalid")
    pairing = SCENE.pairing()
    box = SCENE.sealed_grant(pairing)
    for comment, tag in pairing_faults.tags(pairing, "grant", "reply", box):
        group.invalid(comment, SCENE.finishes(pairing.grant_text(box, tag)), "macInvalid", "Tag")
    tag = pairing.tag("grant", box)
    changed = [(f"byte {place} of what is sealed", flipped(box, place)) for place in (0, 12, 100, -1)]
    for comment, other in [*changed, ("a byte behind it", box + b"\0"), ("cut by a byte", box[:-1])]:
        group.invalid(comment, SCENE.finishes(pairing.grant_text(other, tag)), "macInvalid", "Modified")
    for name, value in MALLORY.members().items():
        case = SCENE.finishes() | {name: value}
        group.invalid(f"we answered with another {name}", case, "macInvalid", "Modified")
    seal_grant_otherwise(group)
    refuse_granted_keys(group)
    refuse_grant_form(group)


def seal_grant_otherwise(group: Group) -> None:
    pairing, granted, phrase = SCENE.pairing(), SCENE.granted, SCENE.phrase.encode()

    def case_of(box: bytes) -> dict:
        return SCENE.finishes(pairing.grant_text(box))

    def of_body(body: bytes) -> dict:
        return case_of(SCENE.sealed_grant(pairing, body))

    sealed_otherwise(group, "seal", "hold", granted.body(b"couple", phrase), case_of)
    for comment, body in pairing_bodies.bodies(granted, b"couple", b"hold", phrase):
        if len(body) > 28:
            group.invalid(comment, of_body(body), "malformed", "Body")
    group.invalid("no phrase", of_body(granted.body(b"couple")), "malformed", "Body")
    for comment, text in pairing_bodies.phrases():
        group.invalid(comment, of_body(granted.body(b"couple", text)), "malformed", "Body")
    for comment, keyset in pairing_bodies.keysets(granted):
        body = pairing_bodies.lp(b"couple", granted.epoch.to_bytes(4, "big"), keyset, phrase)
        group.invalid(comment, of_body(body), "malformed", "Keyset")


def refuse_granted_keys(group: Group) -> None:
    def refused_grant(comment: str, error: str, flag: str, *keys, epoch: int = 2, **changes) -> None:
        scene = SCENE.but(granted=hold(epoch, *keys), **changes)
        group.invalid(comment, scene.finishes(), error, flag)

    again = aes_keys.entry("pairing 555885348", NEW.key_id)
    raw = aes_keys.entry("pairing 168496141", FIRST.key_id, tink_pb2.RAW)
    refused_grant("our primary is the primary", "keyMismatch", "KeyMismatch", SECOND, FIRST)
    refused_grant("an older key of ours is the primary", "keyMismatch", "KeyMismatch", FIRST, SECOND)
    refused_grant("the primary has the bytes of a key of ours", "keyMismatch", "KeyMismatch", again, FIRST)
    refused_grant("the primary has an id of ours", "keyMismatch", "KeyMismatch", aes_keys.entry("other", SECOND.key_id))
    refused_grant("the primary was retired here", "keyMismatch", "KeyMismatch", NEW, FIRST, retired=f"{NEW.key_id}")
    refused_grant("an id of ours with other bytes", "keyMismatch", "KeyMismatch", NEW, aes_keys.entry("other", FIRST.key_id))
    refused_grant("an id of ours with another prefix", "keyMismatch", "KeyMismatch", NEW, raw)
    many = pairing_bodies.many(31)
    refused_grant("together 34 keys", "limit", "Keys", NEW, *many)
    refused_grant("together 33 keys", "limit", "Keys", NEW, *many, theirs=hold(1, FIRST))
    for ours, granted in ((3, 2), (1, 0), (LAST - 1, 2)):
        refused_grant(f"the epoch {granted} after {ours}", "epochMismatch", "Epoch", NEW, FIRST, epoch=granted, theirs=hold(ours, SECOND))
    for ours, granted in ((1, 1002), (1, LAST), (LAST - 1, LAST)):
        refused_grant(f"the epoch {granted} after {ours}", "limit", "Epoch", NEW, FIRST, epoch=granted, theirs=hold(ours, SECOND))
    refused_grant("the epoch 1001 after none", "limit", "Epoch", NEW, epoch=1001, theirs=None)


def refuse_grant_form(group: Group) -> None:
    grant, offer = SCENE.grant(), SCENE.offer()
    for comment, other in documents(grant, "grant"):
        group.invalid(comment, SCENE.finishes(other), "malformed", "Form")
    for count in (0, 32, 59, 89):
        token = {"grant": pair_tokens.text("grant", bytes(count))}
        other = respelled(grant, lambda members, token=token: members | token)
        group.invalid(f"a grant of {count} bytes", SCENE.finishes(other), "malformed", "Form")
    token = {"grant": pair_tokens.text("grant", bytes(16 * 1024 + 1))}
    group.invalid("a grant of 16 KiB and a byte", SCENE.finishes(respelled(grant, lambda members: members | token)), "malformed", "Form")
    for comment, share in shares(offer.share):
        case = SCENE.finishes(offer=replace(offer, share=share).text())
        group.invalid(f"the share in the offer is {comment}", case, "malformed", "Form", "Share")
    for comment, other in documents(offer.text(), "offer"):
        group.invalid(f"the offer: {comment}", SCENE.finishes(offer=other), "malformed", "Form")
    group.invalid("a grant to another lookup", SCENE.finishes(respelled(grant, lambda members: members | {"lookup": "QZV8RE"})), "noKey", "Person")
    group.invalid("the code of another invite", SCENE.finishes(code="QZV8RE-1M7WXB"), "authFailed", "Code")
    group.invalid("the offer of another invite", SCENE.finishes(offer=replace(offer, lookup="QZV8RE").text()), "authFailed", "Offer")
    for code in ("QZV8RD", "QZV8RD-1M7WX", "QZV8RD-1M7WX*"):
        group.invalid(f"the code {code}", SCENE.finishes(code=code), "malformed", "Code")
    own = {"userId": SCENE.inviter.user}
    group.invalid("the inviter is our own user", SCENE.finishes() | own, "usage", "Person")
    own = {"publicKey": SCENE.inviter.public_key}
    group.invalid("the inviter has our own key", SCENE.finishes() | own, "partnerKeyMismatch", "Person")
    group.invalid("another answer's scalar", SCENE.finishes(scalar=SCENE.ya), "macInvalid", "Scalar")
    for comment, content in scalars(SCENE.yb):
        group.invalid(comment, SCENE.finishes(scalar=content), "malformed", "Scalar")


def main() -> None:
    file = VectorFile("pairing", "Pairing: a reply confirmed, and a grant taken", NOTES)
    for operation, good, bad in (
        ("pairing.confirm", confirms, refuses_replies),
        ("pairing.finish", finishes, refuses_grants),
    ):
        group = file.group(operation, "ge25519")
        taken(group)
        refused(group)
        good(group)
        bad(group)
    file.write()


main()
