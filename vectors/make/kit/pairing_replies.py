"""The inviter's step: replies that it takes, and replies that it refuses."""

from tink.proto import tink_pb2

from kit import aes_keys, cpace, pair_tokens, pairing_bodies, pairing_faults
from kit.changes import flipped
from kit.frame import Group
from kit.pairing import Pairing
from kit.pairing_cases import (
    SCENE,
    derived_otherwise,
    documents,
    gives,
    narrow_party,
    negative,
    people,
    scalars,
    sealed_otherwise,
    shares,
)
from kit.pairing_keys import LAST
from kit.pairing_scene import AGAIN, BOB, FIRST, MALLORY, SECOND, THIRD, alone, hold, respelled


def confirms(group: Group) -> None:
    gives(group, "both hold the couple", SCENE.confirms(), "Normal")
    gives(group, "the acceptor holds nothing, and nobody has the keys yet", alone().confirms(), "Normal")
    gives(group, "the acceptor holds nothing, and somebody had the keys", alone(False).confirms(), "Keys")
    gives(
        group,
        "the inviter is alone, and the acceptor holds keys",
        SCENE.but(is_alone=True).confirms(),
        "Keys",
    )
    respell_confirm(group)
    for comment, scene, flag in holds():
        gives(group, comment, scene.confirms(), flag)
    for comment, scene in people():
        gives(group, comment, scene.confirms(), "Names")


def respell_confirm(group: Group) -> None:
    reply = SCENE.reply()
    extra = respelled(reply, lambda members: dict(reversed(members.items())) | {"createdAt": 1.5, "x": None})
    gives(group, "the reply in another order, with unknown members", SCENE.confirms(extra), "Spelling")
    gives(
        group,
        "/ escaped, and white space",
        SCENE.confirms(reply.replace("/", "\\/").replace(",", " ,\n")),
        "Spelling",
    )
    narrow = narrow_party(BOB)
    gives(
        group, "integers of 32 bytes in the acceptor's key", SCENE.but(acceptor=narrow).confirms(), "Spelling"
    )
    inviter = narrow_party(SCENE.inviter)
    gives(
        group, "integers of 32 bytes in the inviter's key", SCENE.but(inviter=inviter).confirms(), "Spelling"
    )


def holds():
    """What both hold, and what may come of it."""
    many = pairing_bodies.many(31)
    yield "31 keys and none, with a new one 32", SCENE.but(ours=hold(0, *many), theirs=None), "Keys"
    yield "30 keys and one", SCENE.but(ours=hold(0, *many[1:]), theirs=hold(0, FIRST)), "Keys"
    yield (
        "31 keys on both sides, the same",
        SCENE.but(ours=hold(0, *many), theirs=hold(0, *many[::-1])),
        "Keys",
    )
    for prefix in (tink_pb2.RAW, tink_pb2.LEGACY, tink_pb2.CRUNCHY):
        key, name = aes_keys.entry("pairing prefix", 77, prefix), tink_pb2.OutputPrefixType.Name(prefix)
        yield f"a key with the prefix {name}", SCENE.but(theirs=hold(1, SECOND, key)), "Keys"
    disabled = aes_keys.entry("pairing own", 78, status=tink_pb2.DISABLED)
    yield "a key of ours is disabled", SCENE.but(ours=hold(0, FIRST, disabled)), "Keys"
    retired = f"{SECOND.key_id} 4294967295"
    yield "the acceptor holds a key that we retired", SCENE.but(retired=retired), "Keys"
    yield (
        "the acceptor holds a key that we retired, under another id",
        SCENE.but(theirs=hold(1, SECOND, AGAIN, FIRST), retired_keys=aes_keys.keyset(THIRD)),
        "Keys",
    )
    for ours, theirs in (
        (0, 1000),
        (5, 1005),
        (1005, 5),
        (7, 7),
        (LAST - 2, LAST - 3),
        (LAST - 1002, LAST - 2),
    ):
        scene = SCENE.but(ours=hold(ours, FIRST), theirs=hold(theirs, SECOND, FIRST))
        yield f"the epochs {ours} and {theirs}", scene, "Epoch"


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
    changed += [
        ("what the acceptor holds is left out", b""),
        ("a byte behind it", box + b"\0"),
        ("cut", box[:-1]),
    ]
    for comment, other in changed:
        group.invalid(comment, SCENE.confirms(pairing.reply_text(other, tag)), "codeMismatch", "Modified")
    added = alone().pairing()
    other = added.reply_text(box, added.tag("reply", b""))
    group.invalid(
        "something was added that the acceptor holds", alone().confirms(other), "codeMismatch", "Modified"
    )
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
    other, raw = (
        aes_keys.entry("other bytes", FIRST.key_id),
        aes_keys.entry("pairing 168496141", FIRST.key_id, tink_pb2.RAW),
    )
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
    for ours, theirs in (
        (0, 1001),
        (5, 1006),
        (0, LAST),
        (LAST - 1, LAST - 1),
        (LAST - 2, LAST - 1),
        (LAST - 1, 0),
        (LAST - 1, LAST),
    ):
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


def refuse_people(group: Group) -> None:
    own, pairing = SCENE.inviter, SCENE.pairing()
    box, tag = SCENE.sealed_hold(pairing), pairing.tag("reply", SCENE.sealed_hold(pairing))

    def reply(**members) -> dict:
        whole = pairing.reply_text(box, tag)
        return SCENE.confirms(respelled(whole, lambda document: document | members))

    group.invalid("the acceptor is our own user", reply(userId=own.user), "usage", "Person")
    group.invalid(
        "the acceptor has our own key", reply(publicKey=own.public_key), "partnerKeyMismatch", "Person"
    )
    group.invalid(
        "the acceptor has the negative of our key",
        reply(publicKey=negative(own.public_key)),
        "partnerKeyMismatch",
        "Person",
    )
    group.invalid(
        "the acceptor has our own X25519 key", reply(x25519PublicKey=own.x25519), "partnerKeyMismatch", "Person"
    )
    narrow = narrow_party(own).public_key
    group.invalid(
        "the acceptor has our own key, written otherwise",
        reply(publicKey=narrow),
        "partnerKeyMismatch",
        "Person",
    )
    group.invalid("a reply to another lookup", reply(lookup="QZV8RE"), "noKey", "Person")
    group.invalid("another invite's scalar", SCENE.confirms(scalar=SCENE.yb), "codeMismatch", "Scalar")
    for comment, content in scalars(SCENE.ya):
        group.invalid(comment, SCENE.confirms(scalar=content), "malformed", "Scalar")
