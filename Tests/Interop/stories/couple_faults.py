"""Couples with one fault each, and the refusal that each must meet. Then the genuine couple is accepted all the same."""

from collections.abc import Callable

import changed_couples as changed
import foreign_wraps as foreign
from checks import must_say, same
from draw import Draw
from offer import new_offer
from program import Program

FAULTS = {
    "wrong phrase": (3, "authFailed", changed.wrong_phrase),
    "wrong code": (3, "authFailed", changed.wrong_code),
    "code in lower case": (3, "authFailed", changed.code_in_lower_case),
    "wrong costs": (5, "malformed", changed.wrong_costs),
    "wrong costs of an invite": (5, "malformed", changed.wrong_costs_of_invite),
    "part of a wrap": (5, "malformed", changed.part_of_a_wrap),
    "part of an invite": (5, "malformed", changed.part_of_an_invite),
    "changed wrap": (3, "authFailed", changed.changed_wrap),
    "changed phrase": (3, "authFailed", changed.changed_phrase),
    "short salt": (5, "malformed", changed.short_salt),
    "version 0 with the wrap": (8, "downgrade", changed.version_0_with_the_wrap),
    "version 0 after 2": (8, "downgrade", changed.version_0_after_2),
    "version 1 after 2": (8, "downgrade", changed.version_1_after_2),
    "another key": (8, "notYet", foreign.another_key),
    "AES-128": (5, "malformed", foreign.aes_128),
    "second key type": (5, "malformed", foreign.second_key_type),
    "other spelling": (5, "malformed", foreign.other_spelling),
}


def refused(maker: str, taker: str) -> Callable[[Draw, Program], dict[str, str]]:
    def case(draw: Draw, program: Program) -> dict[str, str]:
        fault = draw.turn("fault", FAULTS)
        offer = new_offer(draw, program, maker, taker)
        exit_status, code, attempt = FAULTS[fault]
        must_say(exit_status, code, attempt(offer))
        offer.recover() if draw.random() < 1 / 2 else offer.join()
        same("the fingerprint", offer.maker.fingerprint(offer.couple), offer.taker.fingerprint(offer.couple))
        return {"fault": fault}

    return case
