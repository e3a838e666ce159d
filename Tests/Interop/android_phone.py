"""A phone with Examples/Android: does what `Device` and `Partner` do, by the same names. Its store is a folder."""

import json
import subprocess
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path

from checks import Mismatch, Refused, same
from partner import archive, documents, payload
from partner.contexts import Question
from partner.reveal import Revealed
from program import Program

RUNNER = Path(__file__).parents[2] / "scripts" / "android"
LOCAL = threading.local()


class AndroidPhone:
    """Every step opens the folder's state anew. A person agrees to what a script answers with --yes."""

    has_archives = False

    def __init__(self, program: Program, user: str, identity: bytes | None = None) -> None:
        self.program, self.user = program, user
        self.folder = program.folder / f"android{len(list(program.folder.glob('android*')))}"
        self.folder.mkdir()
        self.ask("new", user=user, **({"identity": identity.hex()} if identity else {}))
        shown = self.ask("show")
        self.public_key, self.x25519_key, self.device = (shown[name] for name in ("publicKey", "x25519Key", "document"))

    def another(self) -> "AndroidPhone":
        """The same person with a new phone."""
        return AndroidPhone(self.program, self.user)

    def check(self, noun: str, text: str) -> None:
        documents.CHECKS[noun](text)

    def device_document(self) -> str:
        return self.device

    # A couple is made, joined, shown and recovered.

    def create(self, couple: str) -> str:
        made = self.ask("create", couple=couple)
        self.invited = made["invite"], made["code"]
        return made["phrase"]

    def invite(self, couple: str, is_code_apart: bool = False) -> tuple[str, str]:
        text, code = self.invited
        return json.dumps(_without(json.loads(text), "code")) if is_code_apart else text, code

    def join(self, couple: str, invite: str, code: str | None = None) -> None:
        self.ask("join", couple=couple, invite=invite, **({"code": code} if code else {}))

    def couple_document(self, couple: str) -> str:
        return self.couple(couple)["document"]

    def fingerprint(self, couple: str) -> str:
        return self.couple(couple)["fingerprint"]

    def rehearse(self, couple: str, document: str, phrase: str) -> str:
        return self.ask("rehearse", couple=couple, document=document, phrase=phrase)["fingerprint"]

    def recover(self, couple: str, document: str, phrase: str) -> None:
        self.ask("recover", couple=couple, document=document, phrase=phrase)

    def retire(self, couple: str, key_id: int) -> None:
        self.ask("retire", couple=couple, keyId=str(key_id))

    def couple(self, couple: str) -> dict:
        return self.ask("couple", couple=couple)

    def shown(self, couple: str) -> dict:
        """As `couple show --json` has it."""
        told = self.couple(couple)
        keys = [
            {"keyId": key_id, "origin": origin, "primary": key_id == told["primary"]}
            for key_id, origin in zip(told["keyIds"], told["origins"])
        ]
        partner = {"userId": told["partner"], "verifiedBy": told["verifiedBy"]}
        partner |= {"publicKey": told["publicKey"], "x25519PublicKey": told["x25519Key"]}
        return {"state": told["privacy"], "keys": keys, "partners": [partner] if told["partner"] else []}

    def key_ids(self, couple: str) -> list[int]:
        """None if this phone does not have the couple."""
        try:
            return self.couple(couple)["keyIds"]
        except Refused as refused:
            same("why there is no couple", "noKey", refused.code)
            return []

    def primary_id(self, couple: str) -> int:
        return self.couple(couple)["primary"]

    def epoch(self, couple: str) -> int:
        return self.couple(couple)["epoch"]

    def phrase(self, couple: str) -> str:
        return self.couple(couple)["phrase"]

    def keys_of(self, couple: str, other: str) -> tuple[str, str]:
        told = self.couple(couple)
        same("the partner", other, told["partner"])
        return told["publicKey"], told["x25519Key"]

    # Fields.

    def seal_field(self, couple: str, plaintext: bytes, place: str | None = None) -> str:
        return self.ask("sealField", couple=couple, plaintext=plaintext.hex(), **_placed(place))["token"]

    def open_field(self, couple: str, text: str, place: str | None = None) -> bytes:
        return bytes.fromhex(self.ask("openField", couple=couple, token=text, **_placed(place))["plaintext"])

    # Pairing.

    def offer(self, couple: str) -> tuple[str, str]:
        made = self.ask("invite", couple=couple)
        return made["document"], made["code"]

    def accept(self, offer: str, typed: str, partner: str | None = None, new_key: bool = False) -> str:
        couple = json.loads(offer).get("coupleId", "couple_1")
        options = {"document": offer, "code": typed, "sendingKeys": True}
        return self.ask("accept", couple=couple, **options, **_who(partner, new_key))["document"]

    def confirm(self, couple: str, reply: str, partner: str | None = None, new_key: bool = False) -> str:
        return self.ask("confirm", couple=couple, document=reply, **_who(partner, new_key))["document"]

    def finish(self, couple: str, grant: str) -> None:
        self.ask("finish", couple=couple, document=grant)

    def cancel(self, verb: str, couple: str) -> None:
        self.ask({"invite": "cancelInvite", "accept": "cancelReply"}[verb], couple=couple)

    # Digits and rekeys.

    def digits(self, couple: str, other: str, key: str) -> str:
        return self.ask("digits", couple=couple, user=other, publicKey=key)["digits"]

    def compare_digits(self, couple: str, other: str, key: str, digits: str) -> None:
        self.ask("verify", couple=couple, user=other, publicKey=key, digits=digits)

    def new_rekey(self, couple: str, partner: str) -> str:
        same("the partner", partner, self.couple(couple)["partner"])
        return self.ask("rekey", couple=couple)["document"]

    def take_rekey(self, partner: str, document: str, couple: str) -> None:
        self.ask("takeRekey", couple=couple, document=document)

    # Answers.

    def seal(self, question: Question, answer: str) -> str:
        return self.ask("seal", **_of(question), answer=answer)["document"]

    def release(self, question: Question, other: str, public_key: str, theirs: str) -> str:
        return self.ask("release", **_of(question), user=other, publicKey=public_key, theirs=theirs)["document"]

    def reveal(
        self, question: Question, other: str, theirs: str, release: str | None, allow: bool = False
    ) -> Revealed:
        options = {"user": other, "theirs": theirs} | ({"release": release} if release else {})
        told = self.ask("reveal", **_of(question), **options, **({"allow": True} if allow else {}))
        commitment = documents.read("answer", theirs)["commitmentHash"]
        return Revealed(bytes.fromhex(told["payload"]), told["authenticity"], commitment, told["place"])

    def verify(self, theirs: str, content: bytes) -> None:
        same("the commitment", documents.read("answer", theirs)["commitmentHash"], payload.commitment(content))

    def open_archive(self, question: Question, archived: str) -> bytes:
        return self.open_field(question.couple, archived, archive.field_place(question))

    def ask(self, operation: str, **members: object) -> dict:
        case = {"folder": str(self.folder)} | members
        self.program.record.append(f"android {operation} {json.dumps(members)}")
        answer = _server()(operation, case)
        self.program.record.append(f"  {json.dumps(answer)}")
        if "error" in answer:
            if answer["error"] == "internal":
                raise Mismatch("the phone failed")
            raise Refused(answer["error"])
        return answer["output"]


def _server() -> Callable[[str, dict], dict]:
    """One process a thread, for all phones of it."""
    if not hasattr(LOCAL, "server"):
        process = subprocess.Popen([RUNNER, "Phone"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        numbers = count()

        def ask(operation: str, case: dict) -> dict:
            request = {"seq": next(numbers), "cmd": "run", "op": operation, "case": case}
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline() or '{"error": "internal"}')
            return answer

        LOCAL.server = ask
    return LOCAL.server


def _without(members: dict, name: str) -> dict:
    return {each: value for each, value in members.items() if each != name}


def _placed(place: str | None) -> dict:
    return {"place": place} if place else {}


def _who(partner: str | None, new_key: bool) -> dict:
    return ({"partner": partner} if partner else {}) | ({"newKey": True} if new_key else {})


def _of(question: Question) -> dict:
    return {"couple": question.couple, "question": question.id, "place": question.place}
