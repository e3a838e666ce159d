"""closer-keys against a partner written in Python: a couple's whole story, both ways, with the real binary.

The partner keeps to the v1 formats with Tink, pyca/cryptography, argon2-cffi and rfc8785; first of all it is
compared with the golden values itself. Every case draws what it can from the seed, the row and its index,
so that it can be run again alone with --only. Exits with 1 if the partner errs, if a case fails, or if
fewer cases passed, or of fewer kinds, than is demanded.
"""

import sys

import answer_faults
import couple_demands
import couple_faults
import couple_forms
import couple_golden
import couple_stories
import crafted_answers
import runner

# From the author to the reader; `-x->` is what the reader must refuse.
ROWS = {
    "story ours->python": couple_stories.ours_to_python,
    "story python->ours": couple_stories.python_to_ours,
    "forms ours->python": couple_forms.ours_to_python,
    "forms python->ours": couple_forms.python_to_ours,
    "couple ours-x->python": couple_faults.refused("ours", "python"),
    "couple python-x->ours": couple_faults.refused("python", "ours"),
    "answer ours-x->python": answer_faults.refused("ours", "python"),
    "answer python-x->ours": answer_faults.refused("python", "ours"),
    "crafted python-x->ours": crafted_answers.refused,
}

SUITE = runner.Suite(
    title=__doc__.splitlines()[0],
    peers=("tink", "cryptography", "argon2-cffi", "rfc8785"),
    rows=ROWS,
    kinds=couple_demands.KINDS,
    default_count=20,
    counted="couples each way, in each story; a sixth of it of each fault",
    case_count=couple_demands.case_count,
    of_each_kind=couple_demands.of_each_kind,
)

if __name__ == "__main__":
    print(f"the partner agrees with {couple_golden.check()} golden values")
    sys.exit(runner.run(SUITE))
