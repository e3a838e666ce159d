"""Makes v1/pairing.json: what an inviter makes of a reply, and an acceptor of a grant (closer-keys-pairing(7), STEPS).

The golden pairings and what they refuse, as far as no device's memory is asked, then one fault in each thing that is
said, derived, proven or sealed. Each product of a share and a scalar is libsodium's and ge25519's, which must agree.
"""

from kit.frame import VectorFile
from kit.golden_pairings import refused, taken
from kit.pairing_grants import finishes, migrates, refuses_grants
from kit.pairing_replies import confirms, refuses_replies

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
    "Migrating": "What is sealed says that the couple has texts in the clear, or has a name that is none",
    "Phrase": "The phrase that is granted: one that either device could have made, or not",
    "Form": "A document whose form is wrong is malformed, before anything secret is touched",
    "Share": "A share is no element, not canonical, or the identity",
    "Person": "The other side is our own user, has our own key, or speaks of another invite",
    "Scalar": "The scalar is another, or none",
}


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
    migrates(group)
    file.write()


main()
