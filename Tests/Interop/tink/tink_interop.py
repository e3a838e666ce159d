"""closer-keys against Tink for Python: fresh random cases, both ways, with the real binary.

Every case draws its keys and texts from the seed, the name of its row and its index, so that it can be run
again alone with --only. Nonces, ephemeral keys and the keys that either side makes are new each time.
Exits with 1 if a case fails, or if fewer cases passed, or of fewer kinds, than is demanded.
"""

import sys

import aead_cases
import demands
import ecies_cases
import keyset_cases
import keyset_refusals
import runner

ROWS = {
    "aead tink->ours": aead_cases.tink_to_ours,
    "aead ours->tink": aead_cases.ours_to_tink,
    "aead refused": aead_cases.refused,
    "ecies tink->ours": ecies_cases.tink_to_ours,
    "ecies ours->tink": ecies_cases.ours_to_tink,
    "ecies refused": ecies_cases.refused,
    "keysets tink->ours": keyset_cases.tink_to_ours,
    "keysets ours->tink": keyset_cases.ours_to_tink,
    "keysets refused": keyset_refusals.refused,
}

SUITE = runner.Suite(
    title=__doc__.splitlines()[0],
    peers=("tink",),
    rows=ROWS,
    kinds=demands.KINDS,
    default_count=1000,
    counted="round trips each way, in each category",
    case_count=demands.case_count,
    of_each_kind=demands.of_each_kind,
)

if __name__ == "__main__":
    sys.exit(runner.run(SUITE))
