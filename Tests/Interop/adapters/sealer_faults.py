"""Plants a fault in a copy of a sealer and demands that `vectors live` names it: these operations and no others."""

import sys
from dataclasses import dataclass
from pathlib import Path

import planting
from planting import BCPROV, ROOT

COUNT = 100

NODE = "vectors/adapters/node-webcrypto/sealer.mjs"
PYTHON = "vectors/adapters/python-tink/sealer.py"
JAVA = "vectors/adapters/java-bouncycastle/Sealer.java"
PAIRING = "vectors/adapters/python-pairing/adapter.py"
# The planted copy stands in a folder of its own.
IN_FOLDER = ("env", f"PYTHONPATH={ROOT / Path(PAIRING).parent}", sys.executable)
UNREADABLE = "read back: error"
NOT_PRIMARY = "sealed under a key that is not the primary"


@dataclass(frozen=True)
class Fault(planting.Fault):
    """A fault, the operations in which it shows, and what the report says of them."""

    operations: frozenset[str]
    words: str


def fault(title: str, adapter: str, line: str, faulty: str, operations: str, words: str) -> Fault:
    command = {".mjs": ("node",), ".java": ("java", "-cp", BCPROV), ".py": (sys.executable,)}
    return Fault(title, adapter, line, faulty, command[Path(adapter).suffix], frozenset(operations.split()), words)


FAULTS = (
    fault(
        "another associated data", NODE, "hex(plaintext), utf8(coupleId))", 'hex(plaintext), utf8("couple"))',
        "field.seal", UNREADABLE,
    ),
    fault(
        "Z before the bytes of the point", NODE, "derivedKey(join(kem, shared)", "derivedKey(join(shared, kem)",
        "ecies.seal keybox.seal", UNREADABLE,
    ),
    fault(
        "a nonce of zeros", NODE, "const iv = random(12);", "const iv = new Uint8Array(12);",
        "aead.seal field.seal placedField.seal chat.fitlink.seal chat.fond.seal chat2.seal", "the nonce of case",
    ),
    fault(
        "an id that is bound to nothing", NODE, "counted(label, chat, from, to, id)", "counted(label, chat, from, to)",
        "chat2.seal", UNREADABLE,
    ),
    fault(
        "a nonce that is derived from the key", NODE, "return join(prefix, await gcm(key, plaintext, associatedData));",
        'const iv = new Uint8Array(await subtle.digest("SHA-256", path(value, 3))).slice(0, 12);\n'
        '  const box = await subtle.encrypt({ name: "AES-GCM", iv, additionalData: associatedData }, key, plaintext);\n'
        "  return join(prefix, iv, box);", "aead.seal field.seal placedField.seal", "the nonce of case",
    ),
    fault(
        "an associated data that is left out", PYTHON, ".encrypt(plaintext, associated_data)", '.encrypt(plaintext, b"")',
        "aead.seal field.seal placedField.seal", UNREADABLE,
    ),
    fault(
        "the first key in place of the primary", JAVA, "number(key, 3) == number(keyset, 1) && ", "",
        "aead.seal field.seal placedField.seal ecies.seal", NOT_PRIMARY,
    ),
    fault(
        "a salt of zeros", JAVA, 'random(16), box = locked(utf8(test, "phrase")',
        'new byte[16], box = locked(utf8(test, "phrase")', "wrap.wrap", "the salt of case",
    ),
    Fault(
        "a scalar for all offers", PAIRING, "(secrets.randbelow(ORDER - 1) + 1)", "(7)", IN_FOLDER,
        frozenset({"pairing.reply"}), "the share of case",
    ),
    Fault(
        "a nonce of zeros for grants", PAIRING, 'case["phrase"].encode()), secrets.token_bytes(12))',
        'case["phrase"].encode()), bytes(12))', IN_FOLDER, frozenset({"pairing.grant"}), "the nonce of case",
    ),
    fault(
        "a one-time key for all answers", NODE, "...field(2, field(3, random(32)))", "...field(2, field(3, new Uint8Array(32)))",
        "answer.seal", "the one-time key of case",
    ),
)  # fmt: skip


def judged(fault: Fault, found: list[dict]) -> int:
    """Prints which operations the judge named, and gives back how many demands do not hold."""
    named = {each["operation"] for each in found}
    wrong = [f"{operation} is {'not ' * (operation not in named)}named" for operation in named ^ fault.operations]
    wrong += [f"{each['operation']}: {each['got']}" for each in found if fault.words not in each["got"]]
    print(f"{fault.title}: {len(found)} cases named of {' '.join(sorted(named))}")
    return planting.report(fault, wrong)


def found(program: str, command: list[str]) -> list[dict]:
    return planting.failures(program, ["live", "--count", str(COUNT)], command)


if __name__ == "__main__":
    sys.exit(planting.run(FAULTS, lambda program, fault, command: judged(fault, found(program, command))))
