"""Makes chat.json and v1/chat_v2.json: bound messages and chat keys (closer-keys-formats(7), CHATS), by pyca/cryptography."""

import base64
import json
from collections.abc import Iterator

from kit import FOLDER
from kit.bound_sealer import ALICE, BOB, CHAT, CHAT_KEYS, IV, KEY_LABEL, LABEL, LONG, RENEWED, Message
from kit.bound_sealer import chat_key, named, padded, public, sealed_json, shared, u32
from kit.bound_texts import FIRST, LAST, SECOND, bad, good
from kit.changes import flipped, respelled_url
from kit.frame import Group, VectorFile
from kit.x25519_keys import LOW_ORDER, OTHER_SPELLINGS, bytes_of
from partner.encoding import length_prefixed, standard, url

NOTES = {
    "Normal": "A message, from either side",
    "Own": "The author reads it again: role is sender, and our chat key is the sender's",
    "Kind": "What a message is. A reader hands over a kind that it does not know; reaction, edit and delete need replyTo",
    "Member": "A member of the message's JSON, at the borders of what it may be",
    "Text": "Texts that canonical JSON escapes, or that have more bytes than characters",
    "Size": "P is a multiple of 64 bytes, with as few zeros as fill it, and its JSON has at most 64 KiB",
    "Keys": "Other chat keys and indices of one of the two",
    "Place": "Chat, author, recipient and id are where the message is found",
    "Identifier": "An id has 1 to 128 of ASCII's letters and digits and . _ - : @ +",
    "OtherPlace": "Found in another place than its author wrote it to",
    "OtherData": "Sealed with another associated data",
    "OtherKey": "Another key, or a key with another index",
    "KeySchedule": "Sealed under a key that was derived in another way",
    "Modified": "A byte of the token changed",
    "Index": "An index is 1 or more, and is refused before the tag is checked",
    "LowOrder": "A key of low order, or a number that is not below the prime",
    "Token": "Not the one spelling of a token",
    "Padding": "Authentic, but not the padding of a message",
    "JSON": "Authentic, but not canonical JSON in UTF-8",
    "Numbers": "Which numbers were seen: the new state, and the gap that this message shows",
    "Gap": "A gap is told once, unless it has more than a million numbers: then the author's numbers went on from the clock",
    "Ranges": "At most 64 ranges are kept. With one more the lowest gap counts as seen",
    "SeenByThem": "The highest of our numbers that the other has",
    "Expired": "expires is in milliseconds, now in seconds, and at that time the message has expired. It counts as seen",
    "Preview": "A preview is peeked at, and never received",
    "State": "Ranges are in order, with a gap between any two, and at most 64",
    "Reflected": "The sender's key is one of ours: refused before anything is opened",
    "NoKey": "None of our chat keys has the index",
    "ChatKey": "A chat key's document, from either side",
    "OtherProof": "Authentic for other people, another chat, another key or index, or made in another way",
    "Form": "Not a chat key's document",
}  # fmt: skip


def valid(group: Group, comment: str, flag: str, message: Message, value: dict, role: str = "recipient") -> dict:
    text = sealed_json(value)
    return group.valid(comment, message.case(text, role), {"plaintext": text}, flag, trace=message.trace())


def opened(file: VectorFile) -> None:
    group = file.group("chat2.open", "cryptography")
    first, second = Message(), Message(ours=RENEWED, id="m2")
    back = Message("bob", "alice", BOB, ALICE)
    usual = valid(group, "a message", "Normal", first, FIRST)
    valid(group, "a message back", "Normal", back, FIRST)
    valid(group, "a reaction under a renewed key", "Normal", second, SECOND)
    for comment, message, value in (("a message", first, FIRST), ("a message back", back, FIRST), ("a reaction", second, SECOND)):
        valid(group, f"{comment}, read by its author", "Own", message, value, "sender")
    for comment, flag, changes in good():
        valid(group, comment, flag, first, FIRST | changes)
    for i, j in ((1, 1), (2**32 - 1, 1), (1, 2**32 - 1)):
        message = Message(ours=(i, 0x33), theirs=(j, 0x44))
        valid(group, f"i is {i}, j is {j}", "Keys", message, FIRST)
        valid(group, f"i is {i}, j is {j}, read by its author", "Keys", message, FIRST, "sender")
    for changes in ({"chat": "x" * 128}, {"id": "x" * 128}, {"id": "A.b_c-d:e@f+g"}, {"sender": "a" * 128}, {"recipient": "b"}, {"chat": "c"}):
        valid(group, f"{next(iter(changes))} {next(iter(changes.values()))[:13]}", "Place", Message(**changes), FIRST)
    refuse_places(group, usual)
    refuse_seals(group)
    refuse_tokens(group, usual)
    for comment, flag, text in bad():
        group.invalid(comment, first.case(text), "malformed", flag)


def refuse_places(group: Group, usual: dict) -> None:
    """The token is good, and the case says something else."""
    for changes in (
        {"from": "eve"}, {"to": "eve"}, {"from": "bob", "to": "alice"}, {"from": "bob"}, {"chatId": "alice_bo"}, {"messageId": "m2"},
    ):  # fmt: skip
        group.invalid(f"with {changes}", usual | changes, "authFailed", "OtherPlace")
    for name in ("from", "to", "chatId", "messageId"):
        for other in ("", "x" * 129, "a|b", "ä"):
            group.invalid(f"{name} {other[:9]!a}, {len(other)} characters", usual | {name: other}, "malformed", "Identifier")
    alice, eve, bob = (standard(public(byte)) for byte in (ALICE[1], 0x66, BOB[1]))
    for comment, changes in {
        "another long-term key of ours": {"privateKey": bytes([0x66]) * 32},
        "another long-term key of theirs": {"peerPublicKey": eve},
        "our chat key in place of our long-term key": {"privateKey": bytes([BOB[1]]) * 32},
        "another chat key of ours": {"chatKey": named((BOB[0], 0x66))},
        "another index of our chat key": {"chatKey": named((BOB[0] + 1, BOB[1]))},
        "another chat key of theirs": {"peerChatKey": f"{ALICE[0]}:{eve}"},
        "another index of their chat key": {"peerChatKey": f"{ALICE[0] + 1}:{alice}"},
        "the author's chat keys": {"chatKey": named(ALICE), "peerChatKey": f"{BOB[0]}:{bob}"},
        "as if it were ours": {"role": "sender"},
    }.items():
        group.invalid(comment, usual | changes, "authFailed", "OtherKey")
    for name, number in (LOW_ORDER | OTHER_SPELLINGS).items():
        key = standard(bytes_of(number))
        group.invalid(f"their long-term key is {name}", usual | {"peerPublicKey": key}, "malformed", "LowOrder")
    for name in ("0", "of order 8"):
        changes = {"peerChatKey": f"{ALICE[0]}:{standard(bytes_of(LOW_ORDER[name]))}"}
        group.invalid(f"their chat key is {name}", usual | changes, "malformed", "LowOrder")


def refuse_seals(group: Group) -> None:
    """The case is the usual one, and the message was sealed otherwise."""

    def data(*names: str, label: bytes = LABEL) -> bytes:
        return length_prefixed(label, *(name.encode() for name in names))

    for comment, changed in {
        "for another author": data(CHAT, "eve", "bob", "m1"),
        "for another recipient": data(CHAT, "alice", "eve", "m1"),
        "in another chat": data("alice_bo", "alice", "bob", "m1"),
        "under another id": data(CHAT, "alice", "bob", "m2"),
        "with author and recipient exchanged": data(CHAT, "bob", "alice", "m1"),
        "with a border between names elsewhere": data(CHAT, "aliceb", "ob", "m1"),
        "without the id": data(CHAT, "alice", "bob"),
        "without the chat": data("alice", "bob", "m1"),
        "without the names": data(CHAT, "m1"),
        "without a version": data(CHAT, "alice", "bob", "m1", label=b"closer-keys/chat"),
        "with version 1": data(CHAT, "alice", "bob", "m1", label=b"closer-keys/v1/chat"),
        "without lengths": b"".join((LABEL, CHAT.encode(), b"alice", b"bob", b"m1")),
        "with none": b"",
    }.items():
        group.invalid(f"associated data {comment}", Message(data=changed).case(sealed_json(FIRST)), "authFailed", "OtherData")
    one, other = Message().long_term, Message().fresh
    alice, bob = public(ALICE[1]), public(BOB[1])
    for comment, changed in {
        "no agreement of the chat keys": {"secret": one},
        "no agreement of the long-term keys": {"secret": other},
        "the agreements exchanged": {"secret": other + one},
        "author and recipient exchanged": {"items": {"from": b"bob", "to": b"alice"}},
        "another author": {"items": {"from": b"eve"}},
        "another recipient": {"items": {"to": b"eve"}},
        "no names": {"items": {"from": None, "to": None}},
        "another index of the sender": {"items": {"i": u32(ALICE[0] + 1)}},
        "another index of the recipient": {"items": {"j": u32(BOB[0] + 1)}},
        "the indices exchanged": {"items": {"i": u32(BOB[0]), "j": u32(ALICE[0])}},
        "indices in little-endian": {"items": {"i": ALICE[0].to_bytes(4, "little"), "j": BOB[0].to_bytes(4, "little")}},
        "indices in decimal": {"items": {"i": b"1764396000", "j": b"1764396060"}},
        "no indices": {"items": {"i": None, "j": None}},
        "another key of the sender": {"items": {"sender's key": public(0x66)}},
        "another key of the recipient": {"items": {"recipient's key": public(0x66)}},
        "the keys exchanged": {"items": {"sender's key": bob, "recipient's key": alice}},
        "no keys": {"items": {"sender's key": None, "recipient's key": None}},
        "the info of version 1": {"info": b"FitLinkChat"},
        "no version": {"items": {"label": b"closer-keys/chat"}},
        "the label of a chat key's proof": {"items": {"label": KEY_LABEL}},
        "no info": {"info": b""},
        "another chat's salt": {"salt": b"alice_bo"},
        "no salt": {"salt": b""},
    }.items():
        group.invalid(f"key: {comment}", Message(**changed).case(sealed_json(FIRST)), "authFailed", "KeySchedule")
    text = sealed_json(FIRST)
    for comment, content in {
        "padding of ones": padded(text)[:-1] + b"\1",
        "a block too many": padded(text) + bytes(64),
        "a count that is too great": u32(200) + padded(text)[4:],
        "a count of 32 bits": u32(2**32 - 1) + padded(text)[4:],
        "a count that is too small": u32(len(text) - 1) + padded(text)[4:],
        "a count in little-endian": len(text).to_bytes(4, "little") + padded(text)[4:],
        "no whole block": padded(text)[:-1],
        "a count of 0": bytes(64),
    }.items():
        group.invalid(comment, Message(padded=content).case(text, "recipient"), "malformed", "Padding")
    long = sealed_json(FIRST | {"body": "x" * ((64 << 10) - len(text) + 10)})
    group.invalid("a byte more than 64 KiB of JSON", Message().case(long), "limit", "Size")


def refuse_tokens(group: Group, usual: dict) -> None:
    text = sealed_json(FIRST)
    for comment, indices in {
        "another index of the sender": (ALICE[0] + 1, BOB[0]),
        "another index of the recipient": (ALICE[0], BOB[0] + 1),
        "the indices exchanged": (BOB[0], ALICE[0]),
    }.items():
        group.invalid(f"{comment} in the token", Message(indices=indices).case(text), "authFailed", "OtherKey")
    for comment, key in {"another key of the sender": public(0x66), "the recipient's key as the sender's": public(BOB[1])}.items():
        group.invalid(f"{comment} in the token", Message(sender_key=key).case(text), "authFailed", "OtherKey")
    for comment, indices in {"index 0 of the sender": (0, BOB[0]), "index 0 of the recipient": (ALICE[0], 0)}.items():
        group.invalid(comment, Message(indices=indices).case(text), "malformed", "Index")
    for name, number in (LOW_ORDER | OTHER_SPELLINGS).items():
        case = Message(sender_key=bytes_of(number)).case(text)
        group.invalid(f"the sender's key in the token is {name}", case, "malformed", "LowOrder")
    spelled = usual["token"].removeprefix("chat:v2:")
    whole = base64.urlsafe_b64decode(spelled)
    for place in (8, 40, 51, 52, 60, 90, -17, -16, -1):
        group.invalid(f"byte {place} is another", usual | {"token": "chat:v2:" + url(flipped(whole, place))}, "authFailed", "Modified")
    group.invalid("16 bytes more", usual | {"token": "chat:v2:" + url(whole + bytes(16))}, "authFailed", "Modified")
    # Two blocks leave stray bits in the last letter.
    longer = Message().token(sealed_json(FIRST | {"body": "x" * 80})).removeprefix("chat:v2:")
    for comment, other in {
        "a prefix of version 1": "chat:v1:" + spelled,
        "a prefix of version 3": "chat:v3:" + spelled,
        "a prefix of a field": "enc:v2:" + spelled,
        "a prefix in upper case": "CHAT:V2:" + spelled,
        "no prefix": spelled,
        "a token that is cut": "chat:v2:" + spelled[:172],
        "an empty token": "chat:v2:",
        "a space before it": " chat:v2:" + spelled,
        "a line break at the end": f"chat:v2:{spelled}\n",
        "standard base64": "chat:v2:" + base64.b64encode(b"\xff" * 3 + whole[3:]).decode(),
        **{f"two blocks, {comment}": "chat:v2:" + other for comment, other in respelled_url(longer)},
    }.items():
        group.invalid(comment, usual | {"token": other}, "malformed", "Token")


def state(seen: list[list[int]], seen_by_them: int = 0) -> str:
    return json.dumps({"seen": seen, "seenByThem": seen_by_them}, separators=(",", ":"))


class Receiving:
    """Bob receives a message of Alice, at the second in which it was written."""

    def __init__(self, group: Group) -> None:
        self.group = group

    def case(self, before: str, changes: dict, keys=(BOB,), now=1764396000, message: Message | None = None) -> dict:
        message = message or Message()
        opening = message.case(sealed_json(FIRST | changes))
        del opening["peerChatKey"], opening["role"], opening["chatKey"]
        place = {name: opening.pop(name) for name in ("peerPublicKey", *message.place(), "token")}
        return {**opening, "chatKeys": named(*keys), **place, "state": before, "now": str(now)}

    def valid(self, comment: str, flag: str, before: str, changes: dict, after: str, **said) -> None:
        verdict = {name: said.pop(name, usual) for name, usual in {"new": True, "missing": [], "expired": False}.items()}
        self.group.valid(comment, self.case(before, changes, **said), verdict | {"state": after}, flag)

    def invalid(self, comment: str, flag: str, error: str, changes: dict | None = None, before: str | None = None, **said) -> None:
        case = self.case(state([]) if before is None else before, changes or {}, **said)
        self.group.invalid(comment, case, error, flag)


def received(file: VectorFile) -> None:
    bob = Receiving(file.group("chat2.receive", "cryptography"))
    count_numbers(bob)
    note_ranges(bob)
    note_words(bob)
    refuse_keys(bob)


def count_numbers(bob: Receiving) -> None:
    for comment, before, number, after in (
        ("the first", [], 1, [[1, 1]]),
        ("the next", [[1, 1]], 2, [[1, 2]]),
        ("one that fills a gap", [[1, 5], [7, 7]], 6, [[1, 7]]),
        ("one below the first range", [[5, 5]], 1, [[1, 1], [5, 5]]),
        ("one just below the first range", [[5, 5]], 4, [[4, 5]]),
        ("one within a gap", [[1, 4], [8, 9]], 6, [[1, 4], [6, 6], [8, 9]]),
        ("one at the lower end of a gap", [[1, 4], [8, 9]], 5, [[1, 5], [8, 9]]),
        ("one at the upper end of a gap", [[1, 4], [8, 9]], 7, [[1, 4], [7, 9]]),
        ("one that fills the second gap", [[1, 1], [3, 3], [5, 5]], 4, [[1, 1], [3, 5]]),
        ("the last that there can be", [[1, LAST - 1]], LAST, [[1, LAST]]),
    ):
        bob.valid(f"{comment}, {number}", "Numbers", state(before), {"n": number}, state(after))
    for before, number in (([[1, 1]], 1), ([[1, 5]], 1), ([[1, 5]], 3), ([[1, 5]], 5), ([[1, 5], [7, 9]], 8), ([[1, LAST]], LAST)):
        bob.valid(f"{number} again, seen are {before}", "Numbers", state(before), {"n": number}, state(before), new=False)
    for before, number, missing, after in (
        ([], 2, [1, 1], [[2, 2]]),
        ([], 3, [1, 2], [[3, 3]]),
        ([[1, 5]], 7, [6, 6], [[1, 5], [7, 7]]),
        ([[1, 5]], 9, [6, 8], [[1, 5], [9, 9]]),
        ([[1, 5], [7, 7]], 9, [8, 8], [[1, 5], [7, 7], [9, 9]]),
        ([[1, 5]], 1_000_006, [6, 1_000_005], [[1, 5], [1_000_006, 1_000_006]]),
        ([], 1_000_001, [1, 1_000_000], [[1_000_001, 1_000_001]]),
    ):
        bob.valid(f"{number}, seen are {before}", "Gap", state(before), {"n": number}, state(after), missing=[missing])
    for before, number in (([[1, 5]], 1_000_007), ([], 1_000_002), ([[1, 5]], 1764396000001), ([], LAST)):
        after = state([*before, [number, number]])
        bob.valid(f"{number}, seen are {before}: a gap too great to be told", "Gap", state(before), {"n": number}, after)
    bob.valid("the next behind a gap that was told", "Gap", state([[1, 5], [9, 9]]), {"n": 10}, state([[1, 5], [9, 10]]))


def note_ranges(bob: Receiving) -> None:
    full = [[number, number] for number in range(2, 130, 2)]
    above = full[2:]
    for comment, before, number, after in (
        ("one more range", full, 131, [[2, 4], *above, [131, 131]]),
        ("a range in place of the lowest gap", [[1, 2], *full[1:]], 131, [[1, 4], *above, [131, 131]]),
    ):
        bob.valid(comment, "Ranges", state(before), {"n": number}, state(after), missing=[[129, 130]])
    for comment, before, number, after in (
        ("the highest range grows", full, 129, [*full[:-1], [128, 129]]),
        ("the lowest gap is filled", full, 3, [[2, 4], *above]),
        ("the lowest range grows", full, 1, [[1, 2], *full[1:]]),
        ("a new lowest range", [[number + 1, number + 1] for number, _ in full], 1, [[1, 3], *[[n + 1, n + 1] for n, _ in full[1:]]]),
        ("the 64th range", full[1:], 2, full),
        ("a range within a gap", [[2, 2], [4, 4], [8, 8], *[[n + 4, n + 4] for n, _ in full[3:]]], 6,
         [[2, 4], [6, 6], [8, 8], *[[n + 4, n + 4] for n, _ in full[3:]]]),
    ):  # fmt: skip
        bob.valid(comment, "Ranges", state(before), {"n": number}, state(after))
    bob.valid("one of a gap that was given up", "Ranges", state([[2, 4], *above]), {"n": 3}, state([[2, 4], *above]), new=False)
    for comment, ranges in {
        "out of order": [[7, 7], [1, 5]],
        "that touch": [[1, 5], [6, 7]],
        "that overlap": [[1, 5], [5, 7]],
        "twice": [[1, 5], [1, 5]],
        "that end before they begin": [[5, 1]],
        "from 0": [[0, 5]],
        "up to 2^53": [[1, 2**53]],
        "more than 64": [*full, [130, 130]],
    }.items():
        bob.invalid(f"ranges {comment}", "State", "malformed", {"n": 200}, state(ranges))


def note_words(bob: Receiving) -> None:
    for before, seen, after in ((0, None, 0), (0, 0, 0), (0, 4, 4), (2, 4, 4), (4, 4, 4), (4, 2, 4), (4, None, 4), (0, LAST, LAST)):
        changes = {} if seen is None else {"seen": seen}
        bob.valid(f"seen {seen}, known {before}", "SeenByThem", state([], before), changes, state([[1, 1]], after))
    bob.valid("a message again tells more", "SeenByThem", state([[1, 1]], 2), {"seen": 4}, state([[1, 1]], 4), new=False)
    for comment, expires, expired in (
        ("in this millisecond", 1764396000000, True),
        ("a millisecond ago", 1764395999999, True),
        ("in a millisecond", 1764396000001, False),
        ("at the beginning", 0, True),
        ("at the end", LAST, False),
    ):
        bob.valid(f"expires {comment}", "Expired", state([]), {"expires": expires}, state([[1, 1]]), expired=expired)
    bob.valid("expired, with a gap", "Expired", state([]), {"n": 3, "expires": 1}, state([[3, 3]]), expired=True, missing=[[1, 2]])
    bob.valid("expired, again", "Expired", state([[1, 1]]), {"expires": 1}, state([[1, 1]]), expired=True, new=False)
    bob.invalid("a preview", "Preview", "notYet", {"cut": True})
    bob.invalid("a preview of a number that was seen", "Preview", "notYet", {"cut": True}, state([[1, 1]]))
    bob.invalid("a preview that has expired", "Preview", "notYet", {"cut": True, "expires": 1})


def refuse_keys(bob: Receiving) -> None:
    former, newer = (BOB[0] - 60, 0x77), (BOB[0] + 60, 0x78)
    for comment, keys in {
        "the first of three keys": (BOB, newer, former),
        "the second of three keys": (former, BOB, newer),
        "the last of three keys": (newer, former, BOB),
    }.items():
        bob.valid(comment, "Keys", state([]), {}, state([[1, 1]]), keys=keys)
    renewed = Message(ours=RENEWED)
    bob.valid("the author's key is new", "Keys", state([]), {}, state([[1, 1]]), message=renewed)
    bob.invalid("a key that is gone", "NoKey", "noKey", keys=(newer,))
    bob.invalid("a key that is yet to come", "NoKey", "noKey", keys=(former,))
    bob.invalid("no chat key", "NoKey", "noKey", keys=())
    bob.invalid("another key under the index", "OtherKey", "authFailed", keys=((BOB[0], 0x66), former))
    bob.invalid("sent back to its author", "Reflected", "authFailed", message=Message("bob", "alice", ALICE, BOB), keys=(ALICE,))
    bob.invalid("sent back to its author, whose key has the same index", "Reflected", "authFailed",
                message=Message("bob", "alice", ALICE, (ALICE[0], 0x44)), keys=(ALICE,))  # fmt: skip
    bob.invalid("from our own key to itself", "Reflected", "authFailed", message=Message(ours=BOB))
    bob.invalid("from a former key of ours to our key", "Reflected", "authFailed", message=Message(ours=former), keys=(former, BOB))
    bob.invalid("found under another id", "OtherPlace", "authFailed", message=Message(data=length_prefixed(LABEL, b"alice_bob", b"alice", b"bob", b"m2")))
    bob.invalid("from another author", "OtherPlace", "authFailed", message=Message(items={"from": b"eve"}))
    bob.invalid("without an agreement of the chat keys", "KeySchedule", "authFailed", message=Message(secret=Message().long_term))
    bob.invalid("number 0", "Member", "malformed", {"n": 0})
    bob.invalid("an edit of no message", "Kind", "malformed", {"kind": "edit"})
    bob.invalid("index 0 of the recipient", "Index", "malformed", message=Message(indices=(ALICE[0], 0)))
    bob.invalid("a sender's key of low order", "LowOrder", "malformed", message=Message(sender_key=bytes_of(LOW_ORDER["of order 8"])))


def proven(file: VectorFile) -> None:
    group = file.group("chat2.key", "cryptography")

    def case(document: dict | str, sender="alice", recipient="bob") -> dict:
        text = document if isinstance(document, str) else json.dumps(document)
        ours, theirs = LONG[recipient], LONG[sender]
        keys = {"privateKey": bytes([ours]) * 32, "peerPublicKey": standard(public(theirs))}
        return {**keys, "chatId": CHAT, "from": sender, "to": recipient, "text": text}

    def valid(comment: str, document: dict, text: str | None = None) -> dict:
        told = case(text or document, document["senderId"], document["recipientId"])
        return group.valid(comment, told, {name: document[name] for name in ("index", "publicKey")}, "ChatKey")

    alice = chat_key("alice", ALICE)
    usual = valid("a chat key", alice)
    valid("a chat key of the other side", chat_key("bob", BOB))
    valid("a renewed chat key", chat_key("alice", RENEWED))
    for index in (1, 2**32 - 1):
        valid(f"index {index}", chat_key("alice", (index, 0x33)))
    valid("indented", alice, json.dumps(alice, indent=1))
    valid("in another order", alice, json.dumps(dict(reversed(alice.items()))))
    valid("with another member", alice, json.dumps(alice | {"updatedAt": None}))
    refuse_proofs(group, usual, alice, case)
    refuse_forms(group, alice, case)


def refuse_proofs(group: Group, usual: dict, alice: dict, case) -> None:
    mac = base64.urlsafe_b64decode(alice["mac"] + "=")
    index, key = u32(ALICE[0]), public(ALICE[1])
    for comment, document in {
        "the first byte of the MAC": alice | {"mac": url(flipped(mac, 0))},
        "the last byte of the MAC": alice | {"mac": url(flipped(mac, -1))},
        "another index": alice | {"index": ALICE[0] + 1},
        "another key": alice | {"publicKey": standard(public(0x66))},
        "the names exchanged": alice | {"senderId": "bob", "recipientId": "alice"},
        "another sender": alice | {"senderId": "eve"},
        "another recipient": alice | {"recipientId": "eve"},
        "our own, put in place of theirs": chat_key("bob", BOB),
        "proven for another sender": chat_key("eve", ALICE, "bob"),
        "proven for another recipient": chat_key("alice", ALICE, "eve"),
        "another chat": chat_key("alice", ALICE, content=length_prefixed(KEY_LABEL, b"alice_bo", index, key)),
        "no chat": chat_key("alice", ALICE, content=length_prefixed(KEY_LABEL, index, key)),
        "no index": chat_key("alice", ALICE, content=length_prefixed(KEY_LABEL, CHAT.encode(), key)),
        "no label": chat_key("alice", ALICE, content=length_prefixed(CHAT.encode(), index, key)),
        "no lengths": chat_key("alice", ALICE, content=KEY_LABEL + CHAT.encode() + index + key),
        "the names exchanged in the key": chat_key("alice", ALICE, info=length_prefixed(KEY_LABEL, b"bob", b"alice")),
        "no names in the key": chat_key("alice", ALICE, info=KEY_LABEL),
        "the label of a message in the key": chat_key("alice", ALICE, info=length_prefixed(LABEL, b"alice", b"bob")),
        "the chat as the key's salt": chat_key("alice", ALICE, salt=CHAT.encode()),
    }.items():
        group.invalid(comment, case(document), "macInvalid", "OtherProof")
    for comment, changes in {
        "another long-term key of theirs": {"peerPublicKey": standard(public(0x66))},
        "another long-term key of ours": {"privateKey": bytes([0x66]) * 32},
        "the case has another chat": {"chatId": "alice_bo"},
        "the case has another sender": {"from": "eve"},
        "the case has another recipient": {"to": "eve"},
    }.items():
        group.invalid(comment, usual | changes, "macInvalid", "OtherProof")


def refuse_forms(group: Group, alice: dict, case) -> None:
    for name in alice:
        group.invalid(f"no {name}", case({key: value for key, value in alice.items() if key != name}), "malformed", "Form")
    key, mac = alice["publicKey"], alice["mac"]
    for name, values in {
        "senderId": ("", "a|b", 1, None), "recipientId": ("", "x" * 129, None),
        "index": (0, -1, 2**32, 1.5, "1764396000", None, True),
        "publicKey": ("", key.rstrip("="), base64.b64decode(key).hex(), standard(bytes(31)), standard(bytes(33)), None),
        "mac": ("", mac + "=", mac[:-1], mac + "A", url(bytes(31)), url(bytes(33)), "_" * 43, "*" + mac[1:], None),
    }.items():  # fmt: skip
        for value in values:
            group.invalid(f"{name}: {json.dumps(value)[:50]}", case(alice | {name: value}), "malformed", "Form")
    for name, number in (LOW_ORDER | OTHER_SPELLINGS).items():
        document = alice | {"publicKey": standard(bytes_of(number))}
        group.invalid(f"publicKey is {name}", case(document), "malformed", "LowOrder")
    text = json.dumps(alice)
    for comment, other in {
        "an empty text": "",
        "an array": f"[{text}]",
        "two documents": text + text,
        "a name twice": text.replace('"index"', '"index": 1, "index"'),
    }.items():
        group.invalid(comment, case(other), "malformed", "Form")


def golden(message: Message, value: dict) -> dict:
    text = sealed_json(value)
    named = {"from": message.sender, "to": message.recipient, "i": message.ours[0], "j": message.theirs[0], "messageId": message.id}
    return named | {"token": message.token(text), "json": text.decode(), "D": message.fresh.hex(), "key": message.key.hex()}


def write_golden() -> Iterator[str]:
    messages = (Message(), FIRST), (Message("bob", "alice", BOB, ALICE), FIRST), (Message(ours=RENEWED, id="m2"), SECOND)
    document = {
        "note": "Bound messages and chat keys of closer-keys-formats(7), CHATS. Private keys are one byte repeated, by name and index in "
        "`longTerm` and `chatKeyBytes`. Made with pyca/cryptography and rfc8785.",
        "chat": CHAT,
        "longTerm": {name: f"{byte:02x}" for name, byte in LONG.items()},
        "chatKeyBytes": {str(index): f"{byte:02x}" for index, byte in CHAT_KEYS},
        "iv": IV.hex(),
        "Z": shared(*LONG.values()).hex(),
        "chatV2": [golden(message, value) for message, value in messages],
        "chatKeys": [chat_key(owner, key) for key, owner in CHAT_KEYS.items()],
    }
    (FOLDER / "chat.json").write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    yield f"chat.json: {len(messages)} messages, {len(CHAT_KEYS)} chat keys"


def main() -> None:
    print(*write_golden())
    file = VectorFile("chat_v2", "Bound chat messages, X25519, HKDF-SHA256, AES-256-GCM, HMAC-SHA256", NOTES)
    opened(file)
    received(file)
    proven(file)
    file.write()


main()
