"""Writes of documents: who may create one, and change what of it. Each kind is judged by a function of its own, from
closer-keys-check(1), WRITES, and not from the table of contracts."""

import re
from collections.abc import Callable, Iterable

import rfc8785

from checks import Refused
from kit.readers import documents
from partner.canonical import parsed_object
from partner.encoding import identifier

WRAP = ("wrappedCoupleKey", "kdfSalt", "kdfParams")
MAP = "encryptionMigrationUsers"
SERVER = "$server"
ID = "([A-Za-z0-9._:@+-]{1,128})"
DAY = "([0-9]{4}-[0-9]{2}-[0-9]{2})"
# A path, the kinds that are there, and the members that its ids are.
PATHS = (
    (f"couples/{ID}", ("couple",), ("coupleId",)),
    (f"invites/{ID}", ("invite",), ("code",)),
    (
        f"couples/{ID}/daily_question/{DAY}/answers/{ID}",
        ("answer", "legacy-answer"),
        ("coupleId", "date", "userId"),
    ),
    (f"couples/{ID}/threads/{ID}/messages/{ID}", ("answer",), ("coupleId", "threadId", "userId")),
    (
        f"couples/{ID}/daily_question/{DAY}/answers/{ID}/releaseKeys/{ID}",
        ("release-key",),
        ("coupleId", "date", "senderId", "recipientId"),
    ),
    (f"couples/{ID}/pairings/{ID}", ("pair-offer", "pair-reply", "pair-grant"), ("coupleId", "lookup")),
    (f"users/{ID}/devices/{ID}", ("device",), ("userId", "deviceId")),
    (f"users/{ID}", ("fond-user",), ("userId",)),
    (f"friend_chats/{ID}/friend_messages/{ID}", ("chat-message",), ("chatId", "messageId")),
    (f"friend_chats/{ID}/chat_keys/{ID}", ("chat-key",), ("chatId", "senderId")),
)


def write(case: dict) -> dict:
    kind, ids = case["document"], _ids(case)
    before = _members(case["previous"]) if "previous" in case else None
    after = _members(case["text"])
    if kind == "couple" and before is not None:
        _demand_right_couple(_without(before, MAP, "userIds"))
    if "couple" in case:
        _demand_right_couple(_members(case["couple"]))
    couple = _members(case["couple"]) if "couple" in case else None
    writer = None if case.get("as") == SERVER else case.get("as")
    if writer is not None:
        identifier(writer)
    if (before is not None and "as" not in case) or (kind == "pair-grant" and writer is not None):
        raise Refused("malformed")
    _shape(case, ids, couple)
    if kind in ("chat-message", "chat-key") and "chatId" in ids:
        _demand_of_chat(kind, ids["chatId"], ids | after)
    for name, text in ids.items():
        if name in after and after[name] != text:
            raise Refused(f"{name}.samePath")
    for name in ("isRevealed", "answerDate") if "threadId" in ids else ():
        if name in after:
            raise Refused(f"{name}.notInThread")
    if "as" in case:
        JUDGES.get(kind, _anything)(Write(writer, ids, before, after, couple))
    return {}


def _members(text: str) -> dict:
    return {name: value for name, value in parsed_object(text.encode()).items() if value is not None}


def _demand_right_couple(members: dict) -> None:
    if next(documents.broken("couple", members, None), None):
        raise Refused("malformed")


def _demand_of_chat(kind: str, chat: str, members: dict) -> None:
    """A chat's id may be cut at any underscore, and each user that the document names is one side of a cut."""
    cuts = [place for place, letter in enumerate(chat) if letter == "_"]
    sides = {side for place in cuts for side in (chat[:place], chat[place + 1 :])}
    own = "sender_id" if kind == "chat-message" else "senderId"
    if not {members[name] for name in (own, "recipientId") if name in members} <= sides:
        raise Refused(f"{own}.ofChat")


def _without(members: dict, *names: str) -> dict:
    return {name: value for name, value in members.items() if name not in names}


def _ids(case: dict) -> dict[str, str]:
    if "path" not in case:
        return {}
    for pattern, kinds, names in PATHS:
        if (found := re.fullmatch(pattern, case["path"])) and case["document"] in kinds:
            ids = dict(zip(names, found.groups()))
            if "date" not in ids or documents.is_day(ids["date"]):
                return ids
    raise Refused("malformed")


def _shape(case: dict, ids: dict, couple: dict | None) -> None:
    """The document as it would be with the ids that it leaves out."""
    told = {name: text for name, text in ids.items() if name in documents.MEMBERS[case["document"]]}
    rules = documents.broken(case["document"], told | _members(case["text"]), case.get("previous"))
    is_clear = case["document"] == "legacy-answer" and couple is not None and documents.version_of(couple) == 0
    for rule in rules:
        if not (is_clear and (rule == "content.field" or rule.endswith(".plaintext"))):
            raise Refused(rule)


class Write:
    """One write, and the words of the judges."""

    def __init__(self, writer, ids, before, after, couple) -> None:
        self.writer, self.ids, self.before, self.after, self.couple = writer, ids, before, after, couple

    @property
    def changed(self) -> list[str]:
        """By their bytes."""
        names = {*(self.before or {}), *self.after}
        return sorted((name for name in names if self.differs(self.before, self.after, name)), key=str.encode)

    @staticmethod
    def differs(before: dict | None, after: dict | None, name: str) -> bool:
        values = [(members or {}).get(name) for members in (before, after)]
        return rfc8785.dumps(values[0]) != rfc8785.dumps(values[1])

    def entries(self, name: str) -> set[str]:
        """Whose entries of a map differ."""
        before, after = ((members or {}).get(name, {}) for members in (self.before, self.after))
        if not isinstance(before, dict):
            return {""}  # What is no map is nobody's.
        return {key for key in {*before, *after} if self.differs(before, after, key)}

    def demand_own_entry(self, name: str) -> None:
        """A user creates no entry of another in a map."""
        if self.before is None and self.writer and not self.entries(name) <= {self.writer}:
            raise Refused(f"{name}.notAnUpdate")

    def demand_no_stranger(self) -> None:
        """A writer is one of the couple's two users, if the couple's document is there."""
        if self.writer and self.couple is not None and self.writer not in self.couple.get("userIds", []):
            raise Refused("userIds.notAMember")

    def demand_owner(self, name: str, may_server: bool = False) -> None:
        if self.writer is None and may_server:
            return
        stored = [members for members in (self.before, self.after) if members is not None]
        owners = [members.get(name, self.ids.get(name)) for members in stored]
        if self.writer is None or any(owner != self.writer for owner in owners):
            raise Refused(f"{name}.notTheOwner")

    def demand_server(self, told: str) -> None:
        if self.writer is not None:
            raise Refused(f"{told}.notTheServer")

    def demand_member(self, members: list | None) -> None:
        if self.writer is not None and self.writer not in (members if isinstance(members, list) else []):
            raise Refused("userIds.notAMember")

    def demand(self, now: list[set[str]], ever: list[set[str]], order: Iterable[str]) -> None:
        """One of the updates that may be now has every change. Told is what none of all updates has, or else every change."""
        changed, order = self.changed, list(order)
        if any(set(changed) <= update for update in now):
            return
        never = [name for name in changed if not any(name in update for update in ever)]
        told = sorted(never or changed, key=lambda name: (order + [name]).index(name))
        raise Refused(f"{(told or order)[0]}.notAnUpdate")


def _couple(write: Write) -> None:
    if write.before is None:
        write.demand_server("userIds")
        return
    write.demand_member(write.before.get("userIds"))
    before, after = documents.version_of(write.before), documents.version_of(write.after)
    mark = {MAP} if write.entries(MAP) <= {write.writer} else set()
    own = mark if write.writer else set()
    start = {"encryptionVersion", *mark, *WRAP}
    end = {"encryptionVersion", *mark}
    users, marks = write.before.get("userIds"), write.after.get(MAP, {})
    have_both_migrated = isinstance(users, list) and all(user in marks for user in users)
    always = [{"streakCount", "lastAnsweredAt"}]
    if write.writer is None:
        always.append({"currentQuestionId", "activePackId"})
    if before == 0 and after == 1:
        steps = [start] if not write.after.get(MAP) else []
    elif (before, after) == (1, 2):
        steps = [end] if have_both_migrated else []
    elif before > 0:
        steps = [own, set(WRAP)] + [{"encryptionVersion"}] * (before == 2)
    else:
        steps = []
    write.demand(always + steps, [*always, start, own, end], ["encryptionVersion", *WRAP, MAP, "userIds"])


def _answer(write: Write) -> None:
    write.demand_no_stranger()
    write.demand_owner("userId", may_server=write.before is not None)
    if write.before is None:
        for name in ("answerKeyReleased", "isRevealed"):
            if write.after.get(name) is True:
                raise Refused(f"{name}.notAnUpdate")
        return
    release = {"isRevealed", "answerKeyReleased", "updatedAt"}
    write.demand([release], [release], documents.MEMBERS["answer"])


def _owned(write: Write) -> None:
    write.demand_owner("userId")


def _fond_user(write: Write) -> None:
    if write.writer is not None or write.before is None:
        return _owned(write)
    linked = {"connectionId", "partnerUid"}
    return write.demand([linked], [linked], documents.MEMBERS["fond-user"])


def _invite(write: Write) -> None:
    write.demand_server("inviterUserId")


def _message(write: Write) -> None:
    if write.before is None:
        return write.demand_owner("sender_id")
    write.demand_server("sender_id")
    delivered = {"status", "read_at"}
    return write.demand([delivered], [delivered], documents.MEMBERS["fitlink-message"])


def _bound_key(write: Write) -> None:
    write.demand_owner("senderId")
    if write.before is not None and write.changed:
        before, after = write.before.get("index"), write.after["index"]
        later = {"index", "publicKey", "mac", "updatedAt"}
        is_later = type(before) in (int, float) and before < after
        write.demand([later] if is_later else [], [later], documents.MEMBERS["chat-key"])


def _chat_key(write: Write) -> None:
    write.demand_owner("user_id")


def _legacy_answer(write: Write) -> None:
    write.demand_no_stranger()
    _owned(write)
    if write.before is not None and write.differs(write.before, write.after, "schemaVersion"):
        raise Refused("schemaVersion.notAnUpdate")


def _once(name: str, first: str) -> Callable[[Write], None]:
    """Created, and never changed."""

    def judge(write: Write) -> None:
        write.demand_no_stranger()
        write.demand_owner(name)
        if write.before is not None:
            write.demand([], [], [first, "senderId", "recipientId", "epoch"])

    return judge


def _slot(write: Write) -> None:
    write.demand_member((write.couple or {}).get("userIds"))
    write.demand_own_entry("answers")
    if write.before is None or write.writer is None:
        return
    own = {"answers"} if write.entries("answers") <= {write.writer} else set()
    write.demand([own], [own], ["answers"])


def _anything(write: Write) -> None:
    """The contract leaves the writing to the server."""


JUDGES = {
    "couple": _couple,
    "answer": _answer,
    "legacy-answer": _legacy_answer,
    "device": _owned,
    "fond-user": _fond_user,
    "invite": _invite,
    "pair-offer": _owned,
    "pair-reply": _owned,
    "fitlink-message": _message,
    "chat-message": _message,
    "chat-key": _bound_key,
    "fitlink-user": _chat_key,
    "release-key": _once("senderId", "encryptedAnswerKey"),
    "rekey": _once("senderId", "encryptedCoupleKey"),
    "game-slot": _slot,
}
