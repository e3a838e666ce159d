"""The acceptor's step: grants that it takes, and grants that it refuses."""

from dataclasses import replace

from tink.proto import tink_pb2

from kit import aes_keys, pair_tokens, pairing_bodies, pairing_faults
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
from kit.pairing_scene import AGAIN, BOB, FIRST, MALLORY, NEW, PHRASE, SECOND, THIRD, alone, hold, respelled
from kit.x25519_keys import OTHER_SPELLINGS, bytes_of
from partner.encoding import standard


def finishes(group: Group) -> None:
    gives(group, "both hold the couple", SCENE.finishes(), "Normal")
    gives(group, "the acceptor holds nothing", alone().finishes(), "Normal")
    for typed in ("qzv8rd1m7wxb", " QZV8RD\u2013IM7WXB\n", "QZV8RDiM7WXB"):
        gives(group, f"the code {typed!r}", SCENE.finishes(code=typed), "Spelling")
    extra = respelled(SCENE.grant(), lambda members: dict(reversed(members.items())) | {"createdAt": 1.5})
    gives(group, "the grant in another order, with an unknown member", SCENE.finishes(extra), "Spelling")
    inviter = narrow_party(SCENE.inviter)
    gives(
        group, "integers of 32 bytes in the inviter's key", SCENE.but(inviter=inviter).finishes(), "Spelling"
    )
    acceptor = narrow_party(BOB)
    gives(
        group,
        "integers of 32 bytes in the acceptor's key",
        SCENE.but(acceptor=acceptor).finishes(),
        "Spelling",
    )
    for comment, scene, flag in grants():
        gives(group, comment, scene.finishes(), flag)
    for comment, scene in people():
        gives(group, comment, scene.finishes(), "Names")


def migrates(group: Group) -> None:
    """What is sealed has another name where the inviter's couple has texts in the clear; any third one is malformed."""
    for comment, scene in (("both hold the couple", SCENE), ("the acceptor holds nothing", alone())):
        gives(group, f"the couple migrates, {comment}", scene.but(is_migrating=True).finishes(), "Migrating")
    pairing, phrase = SCENE.pairing(), SCENE.phrase.encode()
    names = ("couple/", "couple/migrated", "couple/Migrating", "couple/migrating/", "migrating", "couple/strict")
    bodies = [(f"the name {name}", SCENE.granted.body(name.encode(), phrase)) for name in names]
    for comment, body in (*bodies, ("the couple migrates, and no phrase", SCENE.granted.body(b"couple/migrating"))):
        case = SCENE.finishes(pairing.grant_text(SCENE.sealed_grant(pairing, body)))
        group.invalid(comment, case, "malformed", "Migrating")


def grants():
    many = pairing_bodies.many(31)
    yield "32 keys granted", alone().but(granted=hold(0, NEW, *many)), "Keys"
    yield "31 granted and one", SCENE.but(granted=hold(1, NEW, *many[1:]), theirs=hold(0, FIRST)), "Keys"
    yield (
        "the primary stands last",
        SCENE.but(granted=replace(hold(2, NEW, FIRST), keyset=last_is_primary())),
        "Keys",
    )
    yield "a key of ours was not granted", SCENE.but(granted=hold(2, NEW, FIRST)), "Keys"
    yield "keys that are not ours", SCENE.but(granted=hold(2, NEW, THIRD, *many[:3])), "Keys"
    yield (
        "a key is granted that we retired",
        SCENE.but(granted=hold(2, NEW, FIRST, THIRD), retired=f"5 {THIRD.key_id}"),
        "Keys",
    )
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
    for comment, phrase in (
        ("eleven words", f"{PHRASE} kilo"),
        ("the shortest and the longest words, five of them different", "abc abcdefgh one two" + " six" * 6),
        ("256 bytes", " ".join(["alpha bravo charlie delta echo golf"] * 7 + ["abcd"])),
    ):
        yield f"a phrase of {comment}", SCENE.but(phrase=phrase), "Phrase"
    yield (
        "a key is granted that we retired, under another id",
        SCENE.but(granted=hold(2, NEW, FIRST, AGAIN), retired_keys=aes_keys.keyset(THIRD)),
        "Keys",
    )


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
        group.invalid(f"the phrase: {comment}", of_body(granted.body(b"couple", text)), "phraseRefused", "Phrase")
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
    refused_grant(
        "the primary has an id of ours", "keyMismatch", "KeyMismatch", aes_keys.entry("other", SECOND.key_id)
    )
    refused_grant(
        "the primary was retired here", "keyMismatch", "KeyMismatch", NEW, FIRST, retired=f"{NEW.key_id}"
    )
    refused_grant(
        "the primary has the bytes of a key that was retired here",
        "keyMismatch",
        "KeyMismatch",
        AGAIN,
        FIRST,
        retired_keys=aes_keys.keyset(THIRD),
    )
    refused_grant(
        "an id of ours with other bytes",
        "keyMismatch",
        "KeyMismatch",
        NEW,
        aes_keys.entry("other", FIRST.key_id),
    )
    refused_grant("an id of ours with another prefix", "keyMismatch", "KeyMismatch", NEW, raw)
    many = pairing_bodies.many(31)
    refused_grant("together 34 keys", "limit", "Keys", NEW, *many)
    refused_grant("together 33 keys", "limit", "Keys", NEW, *many, theirs=hold(1, FIRST))
    for ours, granted in ((3, 2), (1, 0), (LAST - 1, 2)):
        refused_grant(
            f"the epoch {granted} after {ours}",
            "epochMismatch",
            "Epoch",
            NEW,
            FIRST,
            epoch=granted,
            theirs=hold(ours, SECOND),
        )
    for ours, granted in ((1, 1002), (1, LAST), (LAST - 1, LAST)):
        refused_grant(
            f"the epoch {granted} after {ours}",
            "limit",
            "Epoch",
            NEW,
            FIRST,
            epoch=granted,
            theirs=hold(ours, SECOND),
        )
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
    group.invalid(
        "a grant of 16 KiB and a byte",
        SCENE.finishes(respelled(grant, lambda members: members | token)),
        "malformed",
        "Form",
    )
    for comment, share in shares(offer.share):
        case = SCENE.finishes(offer=replace(offer, share=share).text())
        group.invalid(f"the share in the offer is {comment}", case, "malformed", "Form", "Share")
    for comment, other in documents(offer.text(), "offer"):
        group.invalid(f"the offer: {comment}", SCENE.finishes(offer=other), "malformed", "Form")
    group.invalid(
        "a grant to another lookup",
        SCENE.finishes(respelled(grant, lambda members: members | {"lookup": "QZV8RE"})),
        "noKey",
        "Person",
    )
    group.invalid("the code of another invite", SCENE.finishes(code="QZV8RE-1M7WXB"), "authFailed", "Code")
    group.invalid(
        "the offer of another invite",
        SCENE.finishes(offer=replace(offer, lookup="QZV8RE").text()),
        "authFailed",
        "Offer",
    )
    for code in ("QZV8RD", "QZV8RD-1M7WX", "QZV8RD-1M7WX*"):
        group.invalid(f"the code {code}", SCENE.finishes(code=code), "malformed", "Code")
    own = {"userId": SCENE.inviter.user}
    group.invalid("the inviter is our own user", SCENE.finishes() | own, "usage", "Person")
    own = {"publicKey": SCENE.inviter.public_key}
    group.invalid("the inviter has our own key", SCENE.finishes() | own, "partnerKeyMismatch", "Person")
    own = {"publicKey": negative(SCENE.inviter.public_key)}
    group.invalid("the inviter has the negative of our key", SCENE.finishes() | own, "partnerKeyMismatch", "Person")
    own = {"x25519PublicKey": SCENE.inviter.x25519}
    group.invalid("the inviter has our own X25519 key", SCENE.finishes() | own, "partnerKeyMismatch", "Person")
    for comment, number in OTHER_SPELLINGS.items():
        own = {"x25519PublicKey": standard(bytes_of(number))}
        group.invalid(f"our X25519 key is {comment}", SCENE.finishes() | own, "malformed", "Form")
    group.invalid("another answer's scalar", SCENE.finishes(scalar=SCENE.ya), "macInvalid", "Scalar")
    for comment, content in scalars(SCENE.yb):
        group.invalid(comment, SCENE.finishes(scalar=content), "malformed", "Scalar")
