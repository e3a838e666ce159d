"""Faults in copies of Examples/Android, one at a time: a story or the compiler must find each of them."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import planting
from android_interop import KINDS
from draw import Draw

FOLDER = Path("Examples/Android")
SUITE = planting.ROOT / "Tests/Interop/stories/android_interop.py"
SEED = 51


@dataclass(frozen=True)
class Planted(planting.Fault):
    """Found by a row of the stories, in the case of one kind; by the compiler if there is no row."""

    row: str = ""
    kind: str = ""


def planted(title: str, file: str, line: str, faulty: str, row: str = "", kind: str = "") -> Planted:
    return Planted(title, str(FOLDER / "closerkeys" / file), line, faulty, (), row, kind)


TAMPERED, CRAFTED, ATTACKS = "tampered ours-x->android", "crafted python-x->android", "attacks server-x->android"
FAULTS = (
    planted("a second guess is taken", "Pairing.java", '        invite.close("burned");\n', "", TAMPERED, "wrong code"),
    planted("a second guess of one object is taken", "Pairing.java", "device.judged.add(read.lookup)", "true", "kept", "none"),
    planted("a result before it is kept", "Device.java", "        keep.keep(written);\n        state = after;",
            "        state = after;\n        try {\n            keep.keep(written);\n        } catch (IOException error) {\n"
            "            return result;\n        }", "kept", "none"),
    planted("the tag of a reply is not compared", "Pairing.java", "if (!Bytes.areEqual(reply.tag,", "if (false && !Bytes.areEqual(reply.tag,", TAMPERED, "tag of the reply"),
    planted("the tag of a grant is not compared", "Transcript.java", "Bytes.areEqual(tag, document.tag)", "true || Bytes.areEqual(tag, document.tag)", TAMPERED, "tag of the grant"),
    planted("the MAC of a rekey is not compared", "Rekey.java", "Bytes.areEqual(tag, Hash.hmac(key, body))", "true", ATTACKS, "forges a rekey"),
    planted("the MAC of an answer is not compared", "Reveal.java", "Bytes.areEqual(Bytes.utf8(Payload.mac(message, each.aes(), context)), mac)", "mac.length > 0", ATTACKS, "forges an answer without any couple key"),
    planted("the keys are not united", "Union.java", "if (theirs != null) joinTo(keys, without(theirs.key.keyset.keys));", "", "pairing android->ours", "two couples"),
    planted("bit 255 of a share", "CPace.java", " && share[31] >= 0", "", TAMPERED, "bit 255 in the reply"),
    planted("a key of before is not exposed", "Pairing.java", "CoupleState.PAIRING, CoupleState.EXPOSED);", "CoupleState.PAIRING, CoupleState.INVITE);", "pairing ours->android", "v1 couple"),
    planted("List.of", "Union.java", "        List<Keyset.Key> added = new ArrayList<>();\n", "        List<Keyset.Key> added = new ArrayList<>(List.of());\n"),
    planted("HexFormat", "Bytes.java", "    static byte[] u32(", "    static String hex(byte[] bytes) {\n        return java.util.HexFormat.of().formatHex(bytes);\n    }\n\n    static byte[] u32("),
)  # fmt: skip


def plant(fault: Planted, scratch: Path) -> list[str]:
    """A copy of the folder, and how it is asked."""
    shutil.copytree(planting.ROOT / FOLDER, scratch / "source")
    (scratch / "source" / "closerkeys" / Path(fault.adapter).name).write_text(planting.with_fault(fault))
    return [str(scratch)]


def judge(program: str, fault: Planted, command: list[str]) -> int:
    environment = os.environ | {"ANDROID": f"{command[0]}/source", "ANDROID_BUILT": f"{command[0]}/built"}
    compiled = subprocess.run([planting.ROOT / "scripts" / "android"], env=environment, capture_output=True, text=True)
    if not fault.row:
        return planting.report(fault, [] if "cannot find symbol" in compiled.stderr else ["it compiles"])
    if compiled.returncode != 0:
        return planting.report(fault, [f"it does not compile: {compiled.stderr}"])
    case = ["--seed", str(SEED), "--only", f"{fault.row} {_index(fault)}"]
    ended = subprocess.run([sys.executable, SUITE, "--program", program, *case], env=environment, capture_output=True, text=True)
    is_found = ended.returncode == 1 and "mismatch: " in ended.stdout
    return planting.report(fault, [] if is_found else [f"not found: {ended.stdout[-200:]}{ended.stderr[-200:]}"])


def _index(fault: Planted) -> int:
    """The case that is of this kind."""
    dimension, kinds = next(iter(KINDS[fault.row].items()))
    return next(index for index in range(len(kinds)) if Draw(SEED, fault.row, index).turn(dimension, kinds) == fault.kind)


if __name__ == "__main__":
    print(f"{len(FAULTS)} faults in Examples/Android")
    sys.exit(planting.run(FAULTS, judge, plant))
