"""closer.rules: the contract as functions of Firestore's rules, which have no loops and no lookahead."""

import re

HEAD = """\
// The server's contract of closer-keys as functions for Firestore's security rules. CC0-1.0: copy what you need.
// Made from vectors/contract/rules.json by its make/generate.py. Not run in an emulator by us, and deployed rules refuse enc:v2.
//
// `data` is a document, `ids` has the ids of its path, `uid` is the user who writes, `users` has the two of the couple, of whose
// document your rules `get()` them. Code of the server goes past rules, and what has no `mayCreate` here is created by it alone.
// What rules cannot see is in vectors/contract/README.md. Phones refuse it. A match is, for example:
//
//   match /couples/{coupleId} {
//     allow get: if mayReadCouple(resource.data, request.auth.uid);
//     allow update: if mayUpdateCouple(resource.data, request.resource.data, {'coupleId': coupleId}, request.auth.uid);
//   }
//
// What holds content has the members of the contract and those of `alsoText`, where you list your own. Rules have no loops: of a member
// with an encrypted field demand `isCiphertext(request.resource.data.text)` beside.
rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
"""
HELPERS = {
    "member(data, ids, name)": ["data.get(name, null) == null ? ids.get(name, null) : data.get(name, null)"],
    "agrees(data, ids, name)": ["(!(name in ids) || member(data, ids, name) == ids[name])"],
    "alsoText()": ["[]"],
    "isBoolean(value)": ["value is bool"],
    "isNumber(value)": ["value is number"],
    "isAccepted(data)": ["data.get('status', null) == 'accepted'"],
    "hasWrap(data)": [f"data.get('{name}', null) != null" for name in ("wrappedCoupleKey", "kdfSalt", "kdfParams")],
    "hasNoWrap(data)": [f"data.get('{name}', null) == null" for name in ("wrappedCoupleKey", "kdfSalt", "kdfParams")],
    "versionByWrap(data)": ["hasWrap(data) ? 2 : 0"],
    "encryptionVersion(data)": [
        "data.get('encryptionVersion', null) == null ? versionByWrap(data) : data.get('encryptionVersion', null)"
    ],
    "changed(before, after)": ["after.diff(before).affectedKeys()"],
    "mapOf(data, name)": ["data.get(name, null) == null ? {} : data.get(name, null)"],
    "changedIn(before, after, name)": ["mapOf(after, name).diff(mapOf(before, name)).affectedKeys()"],
}
RELATIONS = {
    "wholeWrap": "(hasWrap(data) || hasNoWrap(data))",
    "versionForWrap": "(hasNoWrap(data) || encryptionVersion(data) != 0)",
    "wrapForVersion": "(hasWrap(data) || encryptionVersion(data) == 0)",
    "untilAccepted": "(isAccepted(data) || data.get('recoveryPhrase', null) != null)",
    "wiped": "(!isAccepted(data) || data.get('recoveryPhrase', null) == null)",
    "otherPerson": "member(data, ids, 'senderId') != member(data, ids, 'recipientId')",
}
# Of an update alone.
LATER = {"notLowered": "encryptionVersion(after) >= encryptionVersion(before)"}
NAMES = {
    "field": "isCiphertext",
    "sealed": "isSealedPayload",
    "commitment": "isCommitmentHash",
    "weakSalt": "isStrongSalt",
    "migrationStart": "isStartingEncryptionMigration",
    "time": "isTimeText",
}
TYPES = {"boolean": ["isBoolean"]}
TIME_PARTS = ["seconds", "nanoseconds", "_seconds", "_nanoseconds"]
# A time is of Firestore's own type, a number, a text, or what an SDK makes of a time.
TIME = {
    "isTimeOfSDK(value)": [
        "value is map",
        "value.size() > 0",
        f"value.keys().hasOnly({TIME_PARTS})",
        *(f"isNumber(value.get('{part}', 0))" for part in TIME_PARTS),
    ],
    "isTime(value)": ["(value is timestamp || value is number || isTimeText(value) || isTimeOfSDK(value))"],
}
# Who reads. A partner who has answered reads the sealed answer: its commitment is pinned before the own key is released. `hasOwn` is
# whether the reader's own answer exists. An answer that is not sealed stays its author's until it is revealed.
READS = {
    "mayReadCouple(data, uid)": ["uid in data.get('userIds', [])"],
    "mayReadInvite(data, uid)": ["uid is string", "data.get('inviterUserId', null) == uid"],
    "mayReadAnswer(data, ids, uid, users, hasOwn)": [
        "isUserIds(users)",
        "uid in users",
        "(member(data, ids, 'userId') == uid || data.get('isRevealed', null) == true"
        " || (hasOwn && isSchemaVersion(data.get('schemaVersion', null))))",
    ],
    "mayReadReleaseKey(data, ids, uid)": ["uid is string", "member(data, ids, 'recipientId') == uid"],
    "mayReadDevice(ids, uid, users)": ["isUserIds(users)", "uid in users", "ids['userId'] in users"],
}
# Behind the name of a map, the writer's own entry.
OWN = ".<uid>"
NEXT = "\n         "


def files(contract: dict) -> dict[str, str]:
    """The text of the rules, by its path."""
    rules, kinds = contract["rules"], contract["kinds"]
    made = dict(HELPERS)
    for name, rule in rules.items():
        if terms := terms_of(rule, rules):
            made[f"{called(name)}(value)"] = terms
    forms = "enc:v[12]:"
    assert forms in rules["field"]["pattern"], "the forms of a field have changed: isPlacedCiphertext takes those with a place"
    placed = rules["field"] | {"pattern": rules["field"]["pattern"].replace(forms, "enc:v2:")}
    made["isPlacedCiphertext(value)"] = terms_of(placed, rules)
    made |= TIME
    for name, kind in kinds.items():
        made |= kind_functions(name, kind)
    made |= READS
    text = HEAD + "\n".join(function(head, terms) for head, terms in made.items()) + "  }\n}\n"
    return {"closer.rules": text}


def function(head: str, terms: list[str]) -> str:
    return f"    function {head} {{\n      return " + "\n        && ".join(terms) + ";\n    }\n"


def called(name: str) -> str:
    """What the manual calls it, or what it is."""
    return NAMES.get(name) or "is" + camel(name)


def camel(name: str) -> str:
    return "".join(part[0].upper() + part[1:] for part in name.split("-"))


# MARK: - Values


def terms_of(rule: dict, rules: dict) -> list[str]:
    """What rules can say of a value; empty for a rule of presence, of type, of members or of writing."""
    if "elements" in rule:
        return elements(rule, rules)
    terms = []
    if "numbers" in rule:
        terms += ["value is int", *within("value", rule["numbers"])]
    if "pattern" in rule or "length" in rule or "texts" in rule:
        terms += ["value is string"]
    if "length" in rule:
        size = "value.toUtf8().size()" if "utf8" in rule.get("code", []) else "value.size()"
        terms += within(size, rule["length"])
    if "pattern" in rule:
        terms += [f"value.matches('{plain(rule['pattern'])}')"]
    if "texts" in rule:
        terms += [f"value in {rule['texts']}"]
    return terms + ([f"!(value in {rule['refused']})"] if "refused" in rule else [])


def elements(rule: dict, rules: dict) -> list[str]:
    """A list or a map of at most two. Joined, a comma separates them, which no id and no token has."""
    each = rule["elements"]
    pattern = plain(rules[each.get("rule", "identifier")]["pattern"])[1:-1]
    if each.get("unique"):
        terms = ["value is list", "value.size() == 2", "value[0] is string", "value[1] is string"]
        return [*terms, "value[0] != value[1]", f"value.join(',').matches('^{pattern},{pattern}$')"]
    names = plain(rules["identifier"]["pattern"])[1:-1]
    values = "value.values().hasOnly([true])" if "constant" in each else up_to_two("value.values()", pattern)
    return ["value is map", up_to_two("value.keys()", names), values]


def up_to_two(items: str, pattern: str) -> str:
    one = f"(value.size() == 1 && {items}.join(',').matches('^{pattern}$'))"
    two = f"(value.size() == 2 && {items}.join(',').matches('^{pattern},{pattern}$'))"
    return f"(value.size() == 0{NEXT} || {one}{NEXT} || {two})"


def plain(pattern: str) -> str:
    """The pattern without backslashes, which a text in rules may need twice. White space becomes a wider class."""
    spaced = pattern.replace(r"[ -~\t\r\n]", "[[:space:]!-~]").replace(r"[ \t\r\n]", "[[:space:]]")
    made = re.sub(r"\\([${}])", r"[\1]", spaced)
    assert "\\" not in made and "'" not in made
    return made


# MARK: - Kinds


def kind_functions(name: str, kind: dict) -> dict[str, list[str]]:
    made = {f"is{camel(name)}(data, ids)": kind_terms(kind)}
    writes = kind.get("writes")
    if not writes:
        return made
    users = ", users" if "ofCouple" in writes else ""
    updates = [update for update in writes["updates"] if set(update["by"]) & {"owner", "member"}]
    named = [update for update in updates if update["changes"] != ["*"]]
    made |= {f"{called(update['name'])}(before, after, uid)": update_terms(update) for update in named}
    creators, updaters = set(writes["create"]), {writer for update in updates for writer in update["by"]}
    # Its shape is right, so it is a boolean or null.
    start = (f"data.get('{each}', null) != {spelled(not value)}" for each, value in writes.get("initially", {}).items())
    own = dict.fromkeys(change.removesuffix(OWN) for update in updates for change in update["changes"] if change.endswith(OWN))
    if creators & {"owner", "member"}:
        made[f"mayCreate{camel(name)}(data, ids, uid{users})"] = [
            f"is{camel(name)}(data, ids)",
            *writer(writes, creators, "data", users),
            *start,
            *(f"mapOf(data, '{each}').keys().hasOnly([uid])" for each in own),
        ]
    if updates:
        heads = [f"{called(update['name'])}(before, after, uid)" for update in named]
        made[f"mayUpdate{camel(name)}(before, after, ids, uid{users})"] = [
            f"is{camel(name)}(after, ids)",
            *writer(writes, updaters, "before", users),
            *(owner(writes, "after") if "owner" in writes else []),
            *(LATER[relation["rule"]] for relation in kind.get("relations", []) if relation["rule"] in LATER),
            *([f"!changed(before, after).hasAny({writes['fixed']})"] if "fixed" in writes else []),
            *([f"({(NEXT + ' || ').join(heads)})"] if named == updates else []),
        ]
    return made


def kind_terms(kind: dict) -> list[str]:
    presences = {member["presence"] for member in kind["members"]}
    between = [*sorted(presences & {"wholeWrap", "untilAccepted"}), *(relation["rule"] for relation in kind.get("relations", []))]
    ids = dict.fromkeys(re.findall(r"\{(\w+)\}", " ".join(kind.get("paths", []))))
    return [
        *(member_term(member) for member in kind["members"]),
        *(text_terms(kind) if "texts" in kind else []),
        *(RELATIONS[rule] for rule in between if rule in RELATIONS),
        *(of_chat(name) for relation in kind.get("relations", []) if relation["rule"] == "ofChat" for name in relation["reads"]),
        *(f"agrees(data, ids, '{name}')" for name in ids),
        *(["(!('date' in ids) || isDate(ids['date']))"] if "date" in ids else []),
        *(f"(!('threadId' in ids) || data.get('{name}', null) == null)" for name in kind.get("notInThread", [])),
    ]


def of_chat(name: str) -> str:
    """Whether a member is one of the two of whom the chat has its id. In an id a dot would be any letter here."""
    user = f"member(data, ids, '{name}')"
    return f"(!('chatId' in ids) || ids['chatId'].matches('^(?:' + {user} + '_.+|.+_' + {user} + ')$'))"


def text_terms(kind: dict) -> list[str]:
    """Rules cannot walk through a map: no other members, and each with a name has its form."""
    named = kind["texts"]["named"]
    names = [*(member["name"] for member in kind["members"]), *named]
    called_time = {"time": "isTime"}
    values = {name: f"data.get('{name}', null)" for name in named}
    return [
        f"data.keys().removeAll({names}).hasOnly(alsoText())",
        *(f"({values[name]} == null || {called_time.get(rule) or called(rule)}({values[name]}))" for name, rule in named.items()),
    ]


def member_term(member: dict) -> str:
    value = f"member(data, ids, '{member['name']}')"
    if member["presence"] == "absent":
        return f"{value} == null"
    names = ["isTime"] if member["type"] == "time" else [called(rule) for rule in member["rules"]]
    checks = TYPES.get(member["type"], []) + names
    term = " && ".join(f"{check}({value})" for check in checks)
    return term if member["presence"] == "required" else f"({value} == null || {term})"


def writer(writes: dict, by: set[str], data: str, users: str) -> list[str]:
    """The writer of what is, or was, stored: one of the couple's two users, the owner, or both."""
    is_named = "member" in by and not users
    member = ["isUserIds(users)", "uid in users"] if users else [f"uid in {data}.get('userIds', [])"] if is_named else []
    return member + (owner(writes, data) if "owner" in writes else [])


def owner(writes: dict, data: str) -> list[str]:
    return [f"member({data}, ids, '{writes['owner']}') == uid"]


def update_terms(update: dict) -> list[str]:
    names = [change.removesuffix(OWN) for change in update["changes"]]
    own = [change.removesuffix(OWN) for change in update["changes"] if change.endswith(OWN)]
    versions = update.get("versions")
    terms = [
        f"changed(before, after).hasOnly({names})",
        *(f"changedIn(before, after, '{name}').hasOnly([uid])" for name in own),
        *(within("encryptionVersion(before)", versions["from"]) if versions else []),
        *(within("encryptionVersion(after)", versions["to"]) if versions else []),
    ]
    if "complete" in update:
        terms += [f"mapOf(after, '{update['complete']}').keys().hasAll(before.get('userIds', []))"]
    if "empty" in update:
        terms += [f"mapOf(after, '{update['empty']}').size() == 0"]
    if number := update.get("rises"):
        terms += [f"isNumber(before.get('{number}', null))", f"before['{number}'] < after['{number}']"]
    return terms


def within(value: str, ends: list[int]) -> list[str]:
    """A whole number between two, both included."""
    return [f"{value} == {ends[0]}"] if ends[0] == ends[1] else [f"{value} >= {ends[0]}", f"{value} <= {ends[1]}"]


def spelled(value: bool) -> str:
    return "true" if value else "false"
