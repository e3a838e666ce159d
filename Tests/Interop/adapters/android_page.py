"""Compiles and runs the Java of docs/android.md: every block once, in the order of the page.

What Bob's phone takes from elsewhere comes from Alice's phone, which is made here; what the page promises is asked at the end.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "android.md"
BUILT = ROOT / ".build" / "android"

# What happens elsewhere before a block, by the block's first words.
BEFORE = {
    "File file": """
        Ristretto255 group = new SodiumRistretto255();
        File folder = Files.createTempDirectory("page").toFile();
        Keep hers = next -> { };
        Device phone = Device.create("alice", null, group, hers);
        Couple her = phone.couple("couple_1");
        String alicesKey = phone.publicKey();
        byte[] identity = Identity.random().keyset.write();""",
    "Couple couple": """
        her.create(hers);
        byte[] keyset = her.key().bytes();
        String coupleDocument = her.document();""",
    "String token": """
        String fromAlice = her.sealField("users/alice/status", "out".getBytes(UTF_8));""",
    "Question question": """
        Question asked = new Question("q_42", "daily:2026-11-20");
        String theirs = her.answers().seal(asked, "{\\"answer\\":\\"no\\",\\"to\\":\\"it\\"}", hers);""",
    "String digits": """
        her.partner().verify("bob", device.publicKey(), her.partner().digits("bob", device.publicKey()), hers);
        String rekeyOfAlice = her.partner().rekey(hers);""",
    "Pairing.Offer offer": """
        demand(couple.privacy().equals("rekeyed") && her.document() != null && phrase.equals(her.phrase()));""",
    "String answer": """
        her.pairing().finish(grant, hers);
        Pairing.Offer again2 = her.pairing().invite(hers);
        String offerOfAlice = again2.document, typedCode = again2.code;""",
}
# What happens elsewhere at a comment of the page.
MEANWHILE = {
    "both documents are on the server": "",
    "both releases are on the server": """
        String theirRelease = her.answers().release(asked, "bob", device.publicKey(), ours, hers);""",
    "her reply is on the server": """
        String reply = her.pairing().accept(offer.document, offer.code, Whom.anybody().sendingKeys(), hers);""",
    "her grant is on the server": """
        String grantOfAlice = her.pairing().confirm(answer, Whom.user("bob"), hers);""",
}
AFTER = """
        demand(new String(status.plaintext, UTF_8).equals("out") && isForgeable && revealed.authenticity.equals("serverForgeable"));
        demand(revealed.answer.equals("{\\"answer\\":\\"no\\",\\"to\\":\\"it\\"}"));
        demand(couple.privacy().equals("paired") && couple.fingerprint().equals(her.fingerprint()));
        Device last = Device.open(Files.readAllBytes(file.toPath()), group);
        demand(last.couple("couple_1").fingerprint().equals(couple.fingerprint()));
        demand(again.publicKey().equals(device.publicKey()) && forTheServer.contains(device.publicKey()));
        demand(token.startsWith("enc:v2:") && release != null && document.contains("wrappedCoupleKey") && digits.length() == 60);
        System.out.println("docs/android.md: BLOCKS blocks, run");"""
FRAME = """package closerkeys;

import static java.nio.charset.StandardCharsets.UTF_8;
import java.io.*;
import java.nio.file.Files;

final class Page {
    static void demand(boolean holds) {
        if (!holds) throw new AssertionError("docs/android.md promises more than it keeps");
    }

    public static void main(String[] arguments) throws Exception {
        STATEMENTS
    }
}
"""


def main() -> int:
    blocks = re.findall(r"^```java\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    before, meanwhile = dict(BEFORE), dict(MEANWHILE)
    statements = [before.pop(" ".join(block.split()[:2]), "") + "\n" + _with_meanwhile(block, meanwhile) for block in blocks]
    if before or meanwhile:
        raise SystemExit(f"docs/android.md has lost {[*before, *meanwhile]}")
    whole = "\n".join([*statements, AFTER.replace("BLOCKS", str(len(blocks)))])
    subprocess.run([ROOT / "scripts" / "android"], check=True)
    jars = [os.environ.get("BCPROV", "/usr/share/java/bcprov.jar"), os.environ.get("JNA", "/usr/share/java/jna.jar")]
    path = ":".join([f"{BUILT}/closerkeys", f"{BUILT}/tests", *jars])
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "Page.java"
        source.write_text(FRAME.replace("STATEMENTS", whole))
        subprocess.run(["javac", "--release", "8", "-Xlint:-options", "-cp", path, "-d", scratch, source], check=True)
        return subprocess.run(["java", "-Xmx96m", "-cp", f"{scratch}:{path}", "closerkeys.Page"]).returncode


def _with_meanwhile(block: str, meanwhile: dict[str, str]) -> str:
    for comment in [each for each in meanwhile if f"// … {each}\n" in block]:
        block = block.replace(f"// … {comment}\n", meanwhile.pop(comment) + "\n")
    return block


if __name__ == "__main__":
    sys.exit(main())
