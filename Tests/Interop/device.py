"""closer-keys as a person uses it: a vault of their own, locked with a key file."""

import json
from subprocess import CompletedProcess

from checks import Mismatch, Refused, same
from partner import archive
from partner.canonical import canonical
from partner.contexts import Question
from partner.reveal import Revealed
from program import Program

# 2 is a bug in the program, 64 stands for wrong arguments: neither answers the question. A signal is a negative number.
NO_ANSWERS = (2, 64)


class Device:
    """Does what `Partner` does, by the same names. Documents are the texts that the program prints."""

    has_archives = True

    def __init__(self, program: Program, user: str) -> None:
        self.program, self.user = program, user
        self.name = f"device{len(list(program.folder.glob('*.db')))}"
        self.vault = ["--vault", f"{self.name}.db"]
        made = self._run("device init", f"--user={user}", "--key-file", f"{self.name}.key", "--json")
        self.public_key, self.x25519_key = (json.loads(made)[name] for name in ("publicKey", "x25519PublicKey"))

    def another(self) -> "Device":
        """The same person with a new device."""
        return type(self)(self.program, self.user)

    def check(self, noun: str, text: str) -> None:
        """Whether a document of the other side satisfies the server's rules, as the program checks them."""
        ended = self.program.call("check", "--kind", noun, stdin=text.encode())
        if ended.returncode != 0:
            raise Mismatch(f"check {noun} ended with {ended.returncode}: {ended.stdout.decode()}")

    def device_document(self) -> str:
        return self._run("device show", "--document")

    # A couple is made, joined, shown and recovered.

    def create(self, couple: str) -> str:
        """Gives back the phrase."""
        phrase, invite = f"{self.name}.phrase", f"{self.name}.invite"
        self._run("couple create", f"--couple={couple}", "--phrase-file", phrase, "-o", invite)
        return self._read(phrase).removesuffix("\n")

    def invite(self, couple: str, is_code_apart: bool = False) -> tuple[str, str]:
        """The document and the code, which may be in it or go another way."""
        text = self._read(f"{self.name}.invite")
        same("the invite, shown again", text, self._run("couple show", "--invite", f"--couple={couple}"))
        members = json.loads(text)
        code = members.pop("code")
        return json.dumps(members) if is_code_apart else text, code

    def join(self, couple: str, invite: str, code: str | None = None) -> None:
        options = ["--code-file", self._file("code", code)] if code else []
        self._run("couple join", f"--couple={couple}", *options, stdin=invite)

    def couple_document(self, couple: str) -> str:
        return self._run("couple show", "--document", f"--couple={couple}")

    def fingerprint(self, couple: str) -> str:
        return json.loads(self._run("couple show", f"--couple={couple}", "--json"))["fingerprint"]

    def rehearse(self, couple: str, document: str, phrase: str) -> str:
        """Needs no vault: the phrase and the document are enough."""
        options = [f"--couple={couple}", "--phrase-file", self._file("typed", phrase), "--json"]
        ended = self.program.call("couple", "rehearse", *options, stdin=document.encode())
        return json.loads(self._result(ended))["fingerprint"]

    def recover(self, couple: str, document: str, phrase: str) -> None:
        options = [f"--couple={couple}", "--phrase-file", self._file("typed", phrase)]
        self._run("couple recover", *options, stdin=document)

    # Fields.

    def seal_field(self, couple: str, plaintext: bytes, *options: str) -> str:
        return self._run("field seal", f"--couple={couple}", *options, stdin=plaintext).removesuffix("\n")

    def open_field(self, couple: str, text: str, *options: str) -> bytes:
        return self._bytes("field open", f"--couple={couple}", *options, stdin=text)

    # Answers.

    def seal(self, question: Question, answer: str, profile: str = "hardened") -> str:
        return self._run("answer seal", *_of(question), "--profile", profile, stdin=answer)

    def release(self, question: Question, other: str, public_key: str, theirs: str) -> str:
        options = [f"--partner={other}", "--partner-key", public_key]
        return self._run("answer release", *_of(question), *options, self._file("theirs.json", theirs))

    def reveal(
        self, question: Question, other: str, theirs: str, release: str | None, allow: bool = False
    ) -> Revealed:
        """Opens it twice: once for the bare payload, and once with `--json`, which tells more about it."""
        options = [f"--partner={other}", self._file("theirs.json", theirs)]
        options += ["--release", self._file("release.json", release)] if release else []
        options += ["--allow-unauthenticated"] if allow else []
        command = ["answer reveal", *_of(question), *options]
        payload, told = self._bytes(*command), json.loads(self._run(*command, "--json"))
        same("the payload in --json", payload, canonical(told["payload"]))
        return Revealed(payload, told["authenticity"], told["commitmentHash"], told["place"])

    def verify(self, theirs: str, content: bytes) -> None:
        options = ["--json", "--answer", self._file("theirs.json", theirs)]
        self._result(self.program.call("answer", "verify", *options, stdin=content))

    def archive(self, question: Question, other: str, theirs: str, release: str, ours: str) -> str:
        """Both answers as a field. The person agrees that the server may be able to open it."""
        documents = [self._file("theirs.json", theirs), "--release", self._file("release.json", release)]
        documents += ["--own", self._file("ours.json", ours), "--archive-out", f"{self.name}.archive", "--force", "--yes"]
        self._run("answer reveal", *_of(question), f"--partner={other}", *documents)
        return self._read(f"{self.name}.archive").removesuffix("\n")

    def open_archive(self, question: Question, archived: str) -> bytes:
        return self.open_field(question.couple, archived, f"--place={archive.field_place(question)}")

    # How the program is run.

    def _run(self, command: str, *options: str, stdin: bytes | str = b"") -> str:
        return self._bytes(command, *options, stdin=stdin).decode()

    def _bytes(self, command: str, *options: str, stdin: bytes | str = b"") -> bytes:
        """What is refused is run again with `--json` to learn the reason. Both runs must end alike."""
        whole = [*command.split(), *self.vault, *options]
        content = stdin.encode() if isinstance(stdin, str) else stdin
        ended = self.program.call(*whole, stdin=content)
        if ended.returncode == 0:
            return ended.stdout
        same("standard output of what failed", b"", ended.stdout if "--json" not in whole else b"")
        again = self.program.call(*whole, *([] if "--json" in whole else ["--json"]), stdin=content)
        same("the exit status with --json", ended.returncode, again.returncode)
        return self._result(again)

    @staticmethod
    def _result(ended: CompletedProcess[bytes]) -> bytes:
        """What a run with `--json` printed."""
        if ended.returncode == 0:
            return ended.stdout
        if ended.returncode < 0 or ended.returncode in NO_ANSWERS:
            raise Mismatch(f"closer-keys ended with {ended.returncode}: {ended.stderr.decode()}")
        error = json.loads(ended.stdout)["error"]
        same("the exit status in --json", ended.returncode, error["exit"])
        raise Refused(error["code"], ended.returncode)

    def _read(self, name: str) -> str:
        return (self.program.folder / name).read_text()

    def _file(self, name: str, content: str) -> str:
        return self.program.file(f"{self.name}.{name}", content.encode())


def _of(question: Question) -> list[str]:
    return [f"--couple={question.couple}", f"--question={question.id}", f"--place={question.place}"]
