"""closer-keys in a pairing: what the partner's `PairingLife` does, by the same names."""

import json
from itertools import count

from checks import Refused, same
from device import Device
from program import Program


class PairingDevice(Device):
    """A step is run with `--json` at once: if what was refused is run again, its invite is closed."""

    def __init__(self, program: Program, user: str) -> None:
        super().__init__(program, user)
        self.phrases: dict[str, str] = {}
        self.known: list[str] = []
        self.new_number = count()

    def create(self, couple: str) -> str:
        self.known.append(couple)
        self.phrases[couple] = super().create(couple)
        return self.phrases[couple]

    def join(self, couple: str, invite: str, code: str | None = None) -> None:
        """Never shows the phrase."""
        super().join(couple, invite, code)
        self.known.append(couple)
        self.phrases[couple] = ""

    def recover(self, couple: str, document: str, phrase: str) -> None:
        super().recover(couple, document, phrase)
        self.known.append(couple)

    def offer(self, couple: str) -> tuple[str, str]:
        """The document and the code. A couple that is not known here is made."""
        code = f"{self.name}.code{next(self.new_number)}"
        made = self._step("invite", couple, "--code-file", code)["offer"]
        self.known.append(couple)
        return json.dumps(made), self._read(code).removesuffix("\n")

    def accept(self, offer: str, typed: str, partner: str | None = None, new_key: bool = False) -> str:
        """The person names a couple that the device knows, and agrees to send its keys."""
        code, document = self._file("typed", typed), self._file("offer.json", offer)
        couple = json.loads(offer).get("coupleId")
        named = [f"--couple={couple}", "--yes"] if couple in self.known else []
        told = self._told("accept", "--no-input", "--code-file", code, *named, *_who(partner, new_key), document)
        self.known.append(told["coupleId"])
        return json.dumps(told["reply"])

    def confirm(self, couple: str, reply: str, partner: str | None = None, new_key: bool = False) -> str:
        document = self._file("reply.json", reply)
        return json.dumps(self._step("confirm", couple, *_who(partner, new_key), document)["grant"])

    def finish(self, couple: str, grant: str) -> None:
        self._step("finish", couple, self._file("grant.json", grant))

    def phrase(self, couple: str) -> str:
        """The newest that this device has shown."""
        return self.phrases[couple]

    def retire(self, couple: str, key_id: int) -> None:
        self._run("couple retire", f"--couple={couple}", f"--key-id={key_id}", "--yes")

    def rekey(self, couple: str, partner: str, key: str) -> None:
        """Both have compared digits before; the document is lost."""
        self.compare_digits(couple, partner, key, self.digits(couple, partner, key))
        self.new_rekey(couple, partner)

    def digits(self, couple: str, other: str, key: str) -> str:
        return self._run("couple verify", f"--couple={couple}", f"--partner={other}", "--partner-key", key).strip()

    def compare_digits(self, couple: str, other: str, key: str, digits: str) -> None:
        options = [f"--couple={couple}", f"--partner={other}", "--partner-key", key, "--digits", digits]
        self._run("couple verify", *options)

    def new_rekey(self, couple: str, partner: str) -> str:
        return json.dumps(self._step("rekey", couple, f"--partner={partner}")["rekey"])

    def take_rekey(self, partner: str, document: str, couple: str) -> None:
        self._step("rekey", couple, f"--partner={partner}", "--accept", self._file("rekey.json", document))

    def forget(self, couple: str) -> None:
        self._run("couple forget", f"--couple={couple}", "--yes")

    def key_ids(self, couple: str) -> list[int]:
        """None if this device does not have the couple."""
        try:
            return [key["keyId"] for key in self.shown(couple)["keys"]]
        except Refused as refused:
            same("why there is no couple", "noKey", refused.code)
            return []

    def shown(self, couple: str) -> dict:
        return json.loads(self._run("couple show", f"--couple={couple}", "--json"))

    def _step(self, verb: str, couple: str, *options: str) -> dict:
        """Some steps show a phrase."""
        phrase = f"{self.name}.phrase{next(self.new_number)}"
        told = self._told(verb, f"--couple={couple}", "--phrase-file", phrase, *options)
        if (self.program.folder / phrase).exists():
            self.phrases[couple] = self._read(phrase).removesuffix("\n")
        return told

    def cancel(self, verb: str, couple: str) -> None:
        self._told(verb, "--cancel", f"--couple={couple}")

    def _told(self, verb: str, *options: str) -> dict:
        """Here 64 is an answer: the other side says that it is this very user."""
        ended = self.program.call("couple" if verb == "rekey" else "pair", verb, *self.vault, "--json", *options)
        if ended.returncode == 64:
            raise Refused(json.loads(ended.stdout)["error"]["code"], ended.returncode)
        return json.loads(self._result(ended))


def _who(partner: str | None, new_key: bool) -> list[str]:
    return [f"--partner={partner}"] * (partner is not None) + ["--partner-has-new-key"] * new_key
