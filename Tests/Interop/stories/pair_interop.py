"""closer-keys against a partner written in Python: two people pair with a code, both ways, with the real binary.

The partner is written from closer-keys-pairing(7), with ge25519, pyca/cryptography and Tink; first of all it is
compared with the golden values itself. Every case draws what it can from the seed, the row and its index,
so that it can be run again alone with --only. Exits with 1 if the partner errs, if a case fails, or if
fewer cases passed, or of fewer kinds, than is demanded.
"""

import sys

import pair_crafted
import pair_demands
import pair_faults
import pair_golden
import pair_stories
import pair_walks
import rekey_crafted
import runner

# From the inviter to the acceptor; `-x->` is what the one at its end must refuse, in either role.
ROWS = {
    "pairing ours->python": pair_stories.story("ours", "python"),
    "pairing python->ours": pair_stories.story("python", "ours"),
    "tampered ours-x->python": pair_faults.refused("ours", "python"),
    "tampered python-x->ours": pair_faults.refused("python", "ours"),
    "walks ours<->python": pair_walks.exchanged("python"),
    "crafted python-x->ours": pair_crafted.refused("ours"),
    "rekeys python-x->ours": rekey_crafted.refused("ours"),
}

SUITE = runner.Suite(
    title=__doc__.splitlines()[0],
    peers=("ge25519", "cryptography", "tink", "argon2-cffi"),
    rows=ROWS,
    kinds=pair_demands.KINDS,
    default_count=18,
    counted="pairings each way; a ninth of it of each fault",
    case_count=pair_demands.case_count,
    of_each_kind=pair_demands.of_each_kind,
)

if __name__ == "__main__":
    print(f"the partner agrees with {pair_golden.check()} golden values of a pairing")
    sys.exit(runner.run(SUITE))
