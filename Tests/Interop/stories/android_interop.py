"""closer-keys against Examples/Android, and the latter against the partner in Python: whole stories with the real programs.

Every case draws what it can from the seed, the row and its index, so that it can be run again alone with --only.
Exits with 1 if a case fails, or if fewer cases passed, or of fewer kinds, than is demanded.
"""

import sys

import android_attacks
import android_states
import android_stories
import pair_crafted
import pair_demands
import pair_faults
import pair_stories
import pair_walks
import rekey_crafted
import runner
import typed_answers
from partner import habits, pairing_code

# `-x->` is what the one at its end must refuse.
ROWS = {
    "invite ours->android": android_stories.invited("ours", "android"),
    "invite android->ours": android_stories.invited("android", "ours"),
    "rekey ours->android": android_stories.rekeyed("ours", "android"),
    "rekey android->ours": android_stories.rekeyed("android", "ours"),
    "migration": android_stories.migrated,
    "kept": android_stories.kept,
    "states ours=android": android_states.same_states,
    "pairing ours->android": pair_stories.story("ours", "android"),
    "pairing android->ours": pair_stories.story("android", "ours"),
    "tampered ours-x->android": pair_faults.refused("ours", "android"),
    "walks ours<->android": pair_walks.exchanged("android"),
    "crafted python-x->android": pair_crafted.refused("android"),
    "rekeys python-x->android": rekey_crafted.refused("android"),
    "attacks server-x->android": android_attacks.refused,
}

INVITED = {"answer": tuple(typed_answers.KINDS), "typed": tuple(habits.TYPED)}
PAIRED = {"situation": tuple(pair_stories.SITUATIONS), "typed": tuple(pairing_code.TYPED)}
KINDS = {
    "invite ours->android": INVITED,
    "invite android->ours": INVITED,
    "rekey ours->android": {"maker": ()},
    "rekey android->ours": {"maker": ()},
    "migration": {"first": ("ours", "android")},
    "kept": {"fault": ("none",)},
    "states ours=android": {"row": tuple(android_states.CASES)},
    "pairing ours->android": PAIRED,
    "pairing android->ours": PAIRED,
    "tampered ours-x->android": pair_demands.TAMPERED,
    "walks ours<->android": {"start": pair_walks.STARTS, "paired": (), "refusal": ()},
    "crafted python-x->android": {"fault": tuple(pair_crafted.FAULTS)},
    "rekeys python-x->android": {"fault": tuple(rekey_crafted.FAULTS)},
    "attacks server-x->android": {"row": tuple(android_attacks.ROWS)},
}


def case_count(row: str, count: int) -> int:
    """`count` stories of a row, and of each fault a ninth of it."""
    kinds = KINDS[row].get("fault") or KINDS[row].get("row")
    return max(1, count // 9) * len(kinds) if kinds else count


SUITE = runner.Suite(
    title=__doc__.splitlines()[0],
    peers=("cryptography", "tink", "ge25519", "rfc8785"),
    rows=ROWS,
    kinds=KINDS,
    default_count=18,
    counted="stories of each row; a ninth of it of each fault",
    case_count=case_count,
    of_each_kind=lambda row, count: count // 9,
)

if __name__ == "__main__":
    sys.exit(runner.run(SUITE))
