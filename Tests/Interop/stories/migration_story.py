"""A couple at version 0 comes to 2: one of the two uses closer-keys, the other one is played by Tink and pyca, as Android's app is.

Each has a thousand texts on the server. Once either of them begins, they read both kinds, each seals their own, and at 2 a plaintext of
the server's is refused.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from checks import same
from partner import wrap
from partner.couple_key import CoupleKey, new_keyset, unwrapped
from program import Program

COUPLE, PHRASE = "couple_1", "amber basil cedar delta ember fable gamma hazel ivory jolly"
IDS = ["alice", "bob"]


class Server:
    """Stores what it is given: the couple's document, and the texts of both."""

    def __init__(self, rows: int) -> None:
        self.couple: dict = {"encryptionVersion": 0, "userIds": IDS}
        self.texts = {user: [f"{user}'s text {number} ❤" for number in range(rows)] for user in IDS}
        self.plain = {user: list(texts) for user, texts in self.texts.items()}

    def put(self, document: dict) -> None:
        """What a document lacks stays; of the map, each user writes their own entry."""
        marks = self.couple.get("encryptionMigrationUsers", {}) | document.get("encryptionMigrationUsers", {})
        self.couple |= document | {"encryptionMigrationUsers": marks}


class Android:
    """Bob, whose app has Tink."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def start(self) -> None:
        self.key = CoupleKey(new_keyset())
        self.server.put({"encryptionVersion": 1, **wrap.wrap(self.key.binary(), PHRASE)})

    def take(self, phrase: str) -> None:
        self.key = unwrapped(wrap.unwrap(self.server.couple, phrase))

    def migrate(self) -> None:
        texts = self.server.texts["bob"]
        texts[:] = [text if text.startswith("enc:") else self.key.seal_field(COUPLE, text.encode()) for text in texts]

    def finish(self) -> None:
        marks = self.server.couple["encryptionMigrationUsers"] | {"bob": True}
        self.server.put({"encryptionVersion": 2 if set(marks) == set(IDS) else 1, "encryptionMigrationUsers": marks})

    def read(self, user: str) -> list[str]:
        return [self.key.open_field(COUPLE, text).decode() for text in self.server.texts[user]]


class Ours:
    """Alice, who has closer-keys."""

    def __init__(self, program: Program, server: Server) -> None:
        self.program, self.server = program, server
        self._run("device init", "--user=alice", "--key-file=alice.key")

    def start(self) -> str:
        """Gives back the phrase."""
        document = self._run("couple migrate", f"--couple={COUPLE}", "--phrase-file=phrase")
        self.server.put(json.loads(document))
        return (self.program.folder / "phrase").read_text().strip()

    def take(self, phrase: str) -> None:
        path = self.program.folder / "typed"
        path.touch(0o600)
        path.write_text(phrase)
        self._run("couple recover", "--migrating", f"--couple={COUPLE}", "--phrase-file=typed", stdin=self._stored())

    def migrate(self) -> None:
        texts = self.server.texts["alice"]
        lines = self._run("field seal", "--migrate", "--jsonl", stdin=_lines("plaintext", texts))
        texts[:] = [json.loads(line)["token"] for line in lines.splitlines()]

    def finish(self) -> None:
        self.server.put(json.loads(self._run("couple migrate", "--finish=-", stdin=self._stored())))

    def read(self, user: str) -> list[str]:
        return [line["plaintext"] for line in self.read_lines(user, 0)]

    def read_lines(self, user: str, exit_status: int) -> list[dict]:
        ended = self._call("field open", "--mixed", "--jsonl", stdin=_lines("token", self.server.texts[user]))
        same(f"the exit status of reading {user}'s texts", exit_status, ended.returncode)
        return [json.loads(line) for line in ended.stdout.splitlines()]

    def version(self) -> int:
        return json.loads(self._run("couple show", "--json"))["encryptionVersion"]

    def _stored(self) -> bytes:
        return json.dumps(self.server.couple).encode()

    def _call(self, command: str, *options: str, stdin: bytes = b""):
        return self.program.call(*command.split(), "--vault=alice.db", *options, stdin=stdin)

    def _run(self, command: str, *options: str, stdin: bytes = b"") -> bytes:
        return self.program.run(*command.split(), "--vault=alice.db", *options, stdin=stdin)


def play(program: Program, rows: int, begins: str) -> None:
    server = Server(rows)
    alice, bob = Ours(program, server), Android(server)
    if begins == "alice":
        bob.take(alice.start())
    else:
        bob.start()
        alice.take(PHRASE)
    same("the version that Alice's device knows", 1, alice.version())
    same("what Alice reads before anything is sealed", server.plain["bob"], alice.read("bob"))
    alice.migrate()
    same("what Tink reads of Alice", server.plain["alice"], bob.read("alice"))
    server.texts["bob"][: rows // 2] = [bob.key.seal_field(COUPLE, text.encode()) for text in server.plain["bob"][: rows // 2]]
    same("what Alice reads of a half that is sealed", server.plain["bob"], alice.read("bob"))
    alice.finish()
    same("the version after one has finished", 1, server.couple["encryptionVersion"])
    before = list(server.texts["alice"])
    alice.migrate()
    same("what is sealed passes as it is", before, server.texts["alice"])
    bob.migrate()
    bob.finish()
    same("the version after both have finished", 2, server.couple["encryptionVersion"])
    alice.finish()
    same("the version that Alice's device knows at the end", 2, alice.version())
    same("what Alice reads of Bob", server.plain["bob"], alice.read("bob"))
    server.texts["bob"][0] = "made up by the server"
    same("the server's plaintext at version 2", "downgrade", alice.read_lines("bob", 9)[0]["error"]["code"])


def _lines(member: str, texts: list[str]) -> bytes:
    return b"".join(json.dumps({member: text}).encode() + b"\n" for text in texts)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--program", type=Path, required=True)
    options.add_argument("--rows", type=int, default=1000)
    chosen = options.parse_args()
    for beginner in IDS:
        with tempfile.TemporaryDirectory() as folder:
            play(Program(chosen.program.resolve(), Path(folder)), chosen.rows, beginner)
        print(f"{beginner} begins: {2 * chosen.rows} texts came from version 0 to 2")
    sys.exit(0)
