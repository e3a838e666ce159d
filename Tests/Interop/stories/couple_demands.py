"""What a run with a partner must have met before it counts."""

import answer_faults
import couple_faults
import couple_forms
import crafted_answers
import typed_answers
from partner import habits

STORY = {
    "answer": tuple(typed_answers.KINDS),
    "code": ("in it", "apart"),
    "typed": tuple(habits.TYPED),
    "field": (),
}
HABITS = {
    "costs": tuple(habits.COSTS),
    "base64": tuple(habits.BASE64),
    "content": ("binary", "json"),
    "phrase": tuple(habits.PHRASES),
    "keyset": habits.KEYSETS,
    "letters": tuple(habits.CODES),
    "integers": ("32", "33"),
    "extras": ("yes", "no"),
    "typed": (),  # a phrase that is not in its normal form is typed as it is
}

WRAP_FAULTS = {"fault": tuple(couple_faults.FAULTS)}
ANSWER_FAULTS = {"fault": tuple(answer_faults.FAULTS)}

KINDS = {
    "story ours->python": STORY,
    "story python->ours": STORY | HABITS,
    "forms ours->python": {name: tuple(typed_answers.KINDS) for name in couple_forms.OURS},
    "forms python->ours": {name: tuple(typed_answers.KINDS) for name in couple_forms.PYTHON},
    "couple python-x->ours": WRAP_FAULTS,
    "couple ours-x->python": WRAP_FAULTS,
    "answer python-x->ours": ANSWER_FAULTS,
    "answer ours-x->python": ANSWER_FAULTS,
    "crafted python-x->ours": {"fault": tuple(crafted_answers.FAULTS)},
}


def case_count(row: str, count: int) -> int:
    """`count` couples each way, and a sixth as many cases of each fault: with fewer than six, none."""
    return of_each_kind(row, count) * len(KINDS[row]["fault"]) if "-x->" in row else count


def of_each_kind(row: str, count: int) -> int:
    """Kinds take turns, and each dimension of a story has ten kinds at the most."""
    return count // 6 if "-x->" in row else count // 10
