"""The golden pairings and refusals of pairing.json as cases: what comes out must be what stands there."""

from dataclasses import replace

from kit import cpace
from kit.frame import Group
from kit.pairing import Offer, compact
from kit.pairing_scene import GOLDEN
from kit.readers import pairings

STEPS = {"pairing.confirm": ("confirm",), "pairing.finish": ("accept", "finish")}
# What only a device with a memory refuses: that an invite is open, used or over, whom it knows, what a person demands.
MEMORIES = ("after", "pinned", "own", "partner", "coupleId", "now", "other")


def taken(group: Group) -> None:
    for pairing in GOLDEN["pairings"]:
        case = _confirms(pairing) if group.operation == "pairing.confirm" else _finishes(pairing)
        if group.operation == "pairing.confirm":
            said, output = pairings.judged(case)[1], _confirmed(pairing)
        else:
            said, output = pairings.answered(case), _finished(pairing)
        trace = said.trace()
        for name, member in (
            ("sharedSecret", "KHex"),
            ("derivedKey", "iskHex"),
            ("associatedData", "digestHex"),
        ):
            assert trace[name].hex() == pairing[member], (pairing["name"], name)
        group.valid(f"golden: {pairing['name']}", case, output, "Golden", trace=trace)


def refused(group: Group) -> None:
    for row in GOLDEN["refusals"]:
        has_memory = any(name in row for name in MEMORIES) or row.get("device", "").startswith("another")
        if row["step"] in STEPS[group.operation] and not has_memory:
            case = _refused_reply(row) if row["step"] == "confirm" else _refused_document(row)
            group.invalid(f"golden: {row['name']}", case, row["error"]["code"], "Golden")


def _confirms(pairing: dict) -> dict:
    state = pairing["before"][pairing["inviter"]]
    case = {
        "offer": compact(pairing["offer"]),
        "scalar": pairing["yaHex"],
        "reply": compact(pairing["reply"]),
    }
    return case | _state(state) | {"alone": str(state["alone"]).lower()}


def _finishes(pairing: dict) -> dict:
    reply, state = pairing["reply"], pairing["before"][pairing["acceptor"]]
    case = {"offer": compact(pairing["offer"]), "code": pairing["typed"], "scalar": pairing["ybHex"]}
    case |= {name: reply[name] for name in ("userId", "publicKey", "x25519PublicKey")}
    return case | {"grant": compact(pairing["grant"])} | (_state(state) if state else {})


def _state(state: dict) -> dict:
    return {"epoch": str(state["epoch"]), "keyset": state["keysetHex"]}


def _confirmed(pairing: dict) -> dict:
    before, after = pairing["before"][pairing["inviter"]], pairing["after"][pairing["inviter"]]
    is_new = before["keysetHex"] != after["keysetHex"]
    ids = _ids(after["keysetHex"])
    held = pairing["before"][pairing["acceptor"]]
    output = {"epoch": after["epoch"], "newPrimary": is_new, "keyIds": ids[:-1] if is_new else ids}
    return output | ({"holdEpoch": held["epoch"], "holdKeyset": held["keysetHex"]} if held else {})


def _finished(pairing: dict) -> dict:
    after = pairing["after"][pairing["acceptor"]]
    return {"epoch": after["epoch"], "keyset": after["keysetHex"], "phrase": pairing["phrase"]}


def _ids(keyset: str) -> list[int]:
    return pairings.own({"epoch": "0", "keyset": keyset}).ids()


def _refused_reply(row: dict) -> dict:
    scenario = next((each for each in GOLDEN["pairings"] if each["name"] == row.get("scenario")), None)
    case = _confirms(scenario) if scenario else {"alone": "false"}
    case |= {"offer": compact(row["offer"])} if "offer" in row else {}
    case |= {"scalar": row["yaHex"]} if "yaHex" in row else {}
    if "sidHex" in row:
        case["offer"] = _offer_with(scenario, bytes.fromhex(row["sidHex"]), bytes.fromhex(row["yaHex"]))
    case |= _state(row["holds"]) if "holds" in row else {}
    return case | {"reply": compact(row["document"])}


def _offer_with(scenario: dict, session: bytes, scalar: bytes) -> str:
    """An invite with the same code, another session and another scalar."""
    bare = replace(Offer.parsed(compact(scenario["offer"])), session=session)
    return replace(bare, share=cpace.product(scalar, bare.generator(scenario["secretHalf"].encode()))).text()


def _refused_document(row: dict) -> dict:
    scenario = next(each for each in GOLDEN["pairings"] if each["name"] == row["scenario"])
    case = _finishes(scenario)
    if row["step"] == "finish":
        return case | {"grant": compact(row["document"])} | (_state(row["holds"]) if "holds" in row else {})
    person = GOLDEN["people"].get(row.get("device", ""))
    device = (
        {"userId": row["device"]} | {name: person[name] for name in ("publicKey", "x25519PublicKey")}
        if person
        else {}
    )
    return case | {"offer": compact(row["document"]), "code": row["typed"]} | device
