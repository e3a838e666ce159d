"""Makes v1/kdf_params.json: the costs that a document may name, one tuple in several spellings.

closer-keys-formats(7), Wrapped couple key.
"""

from kit.frame import VectorFile

NOTES = {
    "Normal": "As closer-keys and the apps write it",
    "Spelling": "Other clients' names and orders, white space, another spelling of a number",
    "PHC": "The PHC string",
    "Downgrade": "Weaker costs: the field is a check, never an input",
    "Upgrade": "Dearer costs: a server could ask for 4 GiB",
    "OtherFunction": "Another function or version",
    "Missing": "A member is missing",
    "Extra": "A member too many, or one cost twice",
    "Type": "A member of another type, or a document that is no object",
}
WHOLE = '{"alg":"argon2id","m":46080,"p":1,"t":3,"v":19}'
PHC = "argon2id$v=19$m=46080,t=3,p=1"
VALID = {
    WHOLE: "Normal",
    '{"v":19,"t":3,"p":1,"m":46080,"alg":"argon2id"}': "Spelling",
    '{ "alg" : "argon2id", "m" : 46080,\n"p" : 1, "t" : 3, "v" : 19 }': "Spelling",
    '{"alg":"argon2id","memory":46080,"parallelism":1,"iterations":3,"v":19}': "Spelling",
    '{"alg":"argon2id","memoryKiB":46080,"parallelism":1,"iterations":3,"v":19}': "Spelling",
    '{"alg":"argon2id","memoryKiB":46080,"p":1,"t":3,"v":19}': "Spelling",
    '{"alg":"argon2id","m":46080,"p":1,"iterations":3,"v":19}': "Spelling",
    '{"alg":"argon2id","m":46080,"parallelism":1,"t":3,"v":19}': "Spelling",
    '{"alg":"argon2id","m":46080.0,"p":1,"t":3,"v":19}': "Spelling",
    '{"alg":"argon2id","m":4.608e4,"p":1,"t":3,"v":1.9E1}': "Spelling",
    '{"\\u0061lg":"argon2\\u0069d","m":46080,"p":1,"t":3,"v":19}': "Spelling",
    PHC: "PHC",
}
CHANGED = {
    "m": {
        "46079": "Downgrade",
        "8": "Downgrade",
        "0": "Downgrade",
        "46081": "Upgrade",
        "4194304": "Upgrade",
        "-46080": "Type",
        '"46080"': "Type",
        "null": "Type",
        "46080.5": "Type",
    },
    "t": {"2": "Downgrade", "1": "Downgrade", "4": "Upgrade", '"3"': "Type", "true": "Type"},
    "p": {"2": "Upgrade", "0": "Downgrade", "4": "Upgrade", "[1]": "Type", "true": "Type"},
    "v": {"16": "OtherFunction", "20": "OtherFunction", '"1.3"': "Type"},
    "alg": {
        '"argon2i"': "OtherFunction",
        '"argon2d"': "OtherFunction",
        '"scrypt"': "OtherFunction",
        '"Argon2id"': "OtherFunction",
        '"argon2id "': "OtherFunction",
        "2": "Type",
    },
}
PHC_CHANGED = {
    "$" + PHC: "Type",
    PHC + "$": "Type",
    PHC + " ": "Type",
    PHC.replace("v=19", "v=16"): "OtherFunction",
    PHC.replace("46080", "46079"): "Downgrade",
    PHC.replace("t=3,p=1", "p=1,t=3"): "Type",
    PHC.upper(): "Type",
    PHC.replace("argon2id", "argon2i"): "OtherFunction",
    PHC.replace("$v=19", ""): "Missing",
}
OTHER = {
    WHOLE.replace('"p":1,', '"p":1,"secret":1,'): "Extra",
    WHOLE.replace('"p":1,', '"p":1,"parallelism":1,'): "Extra",
    WHOLE.replace('"m":46080,', '"m":46080,"memory":46080,'): "Extra",
    WHOLE.replace('"p":1,', '"p":1,"p":1,'): "Extra",
    WHOLE.replace('"m"', '"M"'): "Extra",
    WHOLE.replace('"alg"', '"algorithm"'): "Extra",
    "": "Type",
    "{}": "Missing",
    "null": "Type",
    f"[{WHOLE}]": "Type",
    WHOLE + "x": "Type",
    WHOLE[:-1]: "Type",
    WHOLE.replace("46080", "046080"): "Type",
}


def main() -> None:
    file = VectorFile("kdf_params", "Costs of Argon2id", NOTES)
    group = file.group("kdfParams.check", "rfc8785")
    for text, flag in VALID.items():
        group.valid(text[:40], {"kdfParams": text}, {}, flag)
    values = {"alg": '"argon2id"', "m": "46080", "p": "1", "t": "3", "v": "19"}
    for name, changes in CHANGED.items():
        for value, flag in changes.items():
            text = WHOLE.replace(f'"{name}":{values[name]}', f'"{name}":{value}')
            group.invalid(f"{name} is {value}", {"kdfParams": text}, "malformed", flag)
        rest = ",".join(f'"{other}":{value}' for other, value in values.items() if other != name)
        group.invalid(f"no {name}", {"kdfParams": "{" + rest + "}"}, "malformed", "Missing")
    for text, flag in (PHC_CHANGED | OTHER).items():
        group.invalid(text[:60] or "empty", {"kdfParams": text}, "malformed", flag)
    file.write()


main()
