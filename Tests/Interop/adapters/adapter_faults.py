"""Plants a fault in a copy of an adapter and demands that `vectors run` names it: these cases and no others.

A judge that was never seen to say no proves nothing when it says yes.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass

import planting
from planting import BCPROV, ROOT


@dataclass(frozen=True)
class Fault(planting.Fault):
    """A fault, and the cases in which it shows."""

    shows: Callable[[str, dict], bool]
    # An adapter cannot be asked for this if it skips some of the cases, or refuses some for another reason.
    all_of_them: bool = False
    first_difference: str | None = None


# The planted copy stands in a folder of its own.
PAIRING = ("env", f"PYTHONPATH={ROOT / 'vectors' / 'adapters' / 'python-pairing'}", sys.executable)
FAULTS = (
    Fault(
        "another associated data",
        "vectors/adapters/python-tink/adapter.py",
        'token("enc:v1:", case["token"]), couple)',
        'token("enc:v1:", case["token"]), b"couple")',
        (sys.executable,),
        lambda name, case: name == "field.json" and case["result"] == "valid",
        all_of_them=True,
    ),
    Fault(
        "an error of another name",
        "vectors/adapters/python-tink/adapter.py",
        'demand(meant, "noKey")',
        'demand(meant, "authFailed")',
        (sys.executable,),
        lambda name, case: name in ("aead.json", "ecies.json", "field.json", "field_v2.json", "keybox.json") and case.get("error") == "noKey",
        all_of_them=True,
    ),
    Fault(
        "Z before the bytes of the point",
        "vectors/adapters/node-webcrypto/adapter.mjs",
        "join(kem, new Uint8Array(shared))",
        "join(new Uint8Array(shared), kem)",
        ("node",),
        # A box that was sealed in this order must not open.
        lambda name, case: name in ("ecies.json", "keybox.json")
        and (case["result"] == "valid" or "KemOrder" in case["flags"]),
        first_difference="derivedKey",
    ),
    Fault(
        "an id that is bound to nothing",
        "vectors/adapters/node-webcrypto/adapter.mjs",
        "[label, chat, from, to, id].map(counted)",
        "[label, chat, from, to].map(counted)",
        ("node",),
        lambda name, case: name == "chat_v2.json" and case["operation"] != "chat2.key",
        first_difference="associatedData",
    ),
    Fault(
        "a message that is sent back",
        "vectors/adapters/node-webcrypto/adapter.mjs",
        'demand(!same(await publicOf(key), found.key), "authFailed");',
        "await publicOf(key);",
        ("node",),
        lambda _, case: "Reflected" in case["flags"],
    ),
    Fault(
        "a gap that is not told",
        "vectors/adapters/node-webcrypto/adapter.mjs",
        "n > highest + 1 && n - highest - 1 <= 1000000 ?",
        "false ?",
        ("node",),
        lambda _, case: case["operation"] == "chat2.receive" and bool(case.get("output", {}).get("missing")),
        all_of_them=True,
    ),
    Fault(
        "a chat key whose names are not compared",
        "vectors/adapters/node-webcrypto/adapter.mjs",
        'demand(isProven && senderId === test.from && recipientId === test.to, "macInvalid");',
        'demand(isProven, "macInvalid");',
        ("node",),
        lambda _, case: case["operation"] == "chat2.key" and case.get("error") == "macInvalid",
    ),
    Fault(
        "base64 that is not compared",
        "vectors/adapters/java-bouncycastle/Adapter.java",
        "if (encoder.encodeToString(bytes).equals(text)) return bytes;",
        "return bytes;",
        ("java", "-cp", BCPROV),
        lambda name, case: name in ("base64.json", "invite.json") and case["result"] == "invalid",
    ),
    Fault(
        "what the acceptor holds outside the tag",
        "vectors/adapters/python-pairing/adapter.py",
        'pairing.tag(b"reply", hold)), "codeMismatch")',
        'pairing.tag(b"reply", b"")), "codeMismatch")',
        PAIRING,
        lambda name, case: name == "pairing.json" and case["operation"] == "pairing.confirm",
    ),
    Fault(
        "a MAC of a grant that is not compared",
        "vectors/adapters/python-pairing/adapter.py",
        'demand(hmac.compare_digest(content[:32], pairing.tag(b"grant", content[32:])), "macInvalid")',
        "pass",
        PAIRING,
        lambda name, case: case.get("error") == "macInvalid" and case["operation"] == "pairing.finish",
        all_of_them=True,
    ),
    Fault(
        "a commitment that is not compared",
        "Tests/Interop/adapters/partner_adapter.py",
        'return {"error": found}',
        'return {"output": {}} if found == "commitmentMismatch" else {"error": found}',
        ("env", f"PYTHONPATH={ROOT / 'vectors' / 'make'}:{ROOT / 'Tests' / 'Interop' / 'adapters'}", sys.executable),
        lambda _, case: case.get("error") == "commitmentMismatch",
        all_of_them=True,
    ),
)


def cases() -> dict[tuple[str, int], dict]:
    files = {path.name: json.loads(path.read_text()) for path in (ROOT / "vectors" / "v1").glob("*.json")}
    return {
        (name, case["tcId"]): case | {"operation": group["type"]}
        for name, content in files.items()
        for group in content["testGroups"] for case in group["tests"]
    }  # fmt: skip


def judged(fault: Fault, found: dict[tuple[str, int], dict]) -> int:
    """Prints which cases the judge named, and gives back how many demands do not hold."""
    known = cases()
    expected = {key for key, case in known.items() if fault.shows(key[0], case)}
    wrong = [f"{name} {case} is named" for name, case in found.keys() - expected]
    if fault.all_of_them or not found:
        wrong += [f"{name} {case} is not named" for name, case in expected - found.keys()]
    traced = {key: failure["firstDifference"]["name"] for key, failure in found.items() if "firstDifference" in failure}
    wrong += [
        f"{name} {case} differs in {value}"
        for (name, case), value in traced.items() if value != fault.first_difference
    ]  # fmt: skip
    if fault.first_difference and not traced:
        wrong.append("no first difference")
    shown = ", ".join(f"{name} {case}" for name, case in sorted(found)[:3])
    differs = f", {len(traced)} first in {', '.join(set(traced.values()))}" if traced else ""
    print(f"{fault.title}: {len(found)} cases named{differs}: {shown} …")
    return planting.report(fault, wrong)


def found(program: str, command: list[str]) -> dict[tuple[str, int], dict]:
    failures = planting.failures(program, ["run"], command)
    return {(each["file"], each["tcId"]): each for each in failures}


if __name__ == "__main__":
    sys.exit(planting.run(FAULTS, lambda program, fault, command: judged(fault, found(program, command))))
