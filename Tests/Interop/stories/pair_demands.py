"""What a run of pairings must have met before it counts."""

import pair_crafted
import pair_faults
import pair_stories
import pair_walks
import rekey_crafted
from partner import habits, pairing_code

STORY = {
    "situation": tuple(pair_stories.SITUATIONS),
    "typed": tuple(pairing_code.TYPED),
    "phrase": pair_stories.PHRASES,
    "keyset": habits.KEYSETS,
    "integers": ("32", "33"),
}

TAMPERED = {"fault": tuple(pair_faults.FAULTS)}

KINDS = {
    "pairing ours->python": STORY,
    "pairing python->ours": STORY,
    "tampered ours-x->python": TAMPERED,
    "tampered python-x->ours": TAMPERED,
    "walks ours<->python": {"start": pair_walks.STARTS, "paired": (), "refusal": ()},
    "crafted python-x->ours": {"fault": tuple(pair_crafted.FAULTS)},
    "rekeys python-x->ours": {"fault": tuple(rekey_crafted.FAULTS)},
}


def case_count(row: str, count: int) -> int:
    """`count` pairings each way, and a ninth as many cases of each fault: with fewer than nine, none."""
    return of_each_kind(row, count) * len(KINDS[row]["fault"]) if "-x->" in row else count


def of_each_kind(row: str, count: int) -> int:
    """Kinds take turns, and a dimension has nine at the most."""
    return count // 9
