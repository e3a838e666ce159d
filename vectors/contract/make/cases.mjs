// Gives documents.mjs the cases of other vectors within a document: documents.json has few keys, shares, costs and JSON texts.
import { readFileSync } from "node:fs";
import { check, kinds, kindsAt } from "../documents.mjs";

const read = (path) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
const groups = read("v1/documents.json").testGroups;
const example = (kind) => JSON.parse(groups.find(({ document }) => document === kind).tests[0].text);
const [couple, device, offer] = ["couple", "device", "pair-offer"].map(example);

const bytes = (hex) => Buffer.from(hex, "hex");
const isKey = (publicKey) => check("device", { ...device, publicKey }).valid;
const isShare = (hex) => check("pair-offer", { ...offer, offer: `offer:v1:${Buffer.concat([Buffer.alloc(16), bytes(hex)]).toString("base64url")}` }).valid;
const inMember = (text) => Buffer.concat([Buffer.from('{"x":'), bytes(text), Buffer.from("}")]);
/** Within a document it has one level too many. */
const isTooDeep = ({ text }) => /^(\s*\[){16}/.test(bytes(text));
const tests = (name) => read(`v1/${name}.json`).testGroups.flatMap(({ tests, ...parameters }) => tests.map((test) => ({ ...parameters, ...test })));
const isValid = ({ result }) => result === "valid";
const isOnePublicKey = ({ result, output }) => result === "valid" && output.keys.length === 1 && output.keys[0].type.startsWith("ecies-p256-public");

/** What breaks the keyset of a public key: hexadecimal, and what stands there instead. */
const CHANGES = {
  "another primary": [["0888ef", "0889ef"]],
  "disabled": [["10011888ef", "10021888ef"]],
  "another material": [["18031001", "18021001"]],
  "P-384": [["08021003", "08031003"]],
  "SHA-512": [["08021003", "08021004"]],
  "another cipher": [["41657347636d4b", "41657347636e4b"]],
  "AES-192": [["1202101018", "1202101818"]],
  "no format of points": [["18011a2100", "18031a2100"]],
  "a first byte that is not 0": [["1a2100", "1a2101"]],
  "no prefix": [["ab052001", "ab052000"]],
  "another prefix": [["ab052001", "ab052005"]],
  "a longer varint": [["12dd01", "12de01"], ["10011888ef", "1081001888ef"]],
};
const keyset = Buffer.from(device.publicKey.slice("pub:v1:".length), "base64url").toString("hex");
const changed = Object.entries(CHANGES).map(([comment, changes]) => ({ comment, keyset: changes.reduce((text, [from, to]) => text.replace(from, to), keyset) }));
/** RFC 9496 §A.3: s = -1, which makes y = 0; and the even number above the prime that is -s of an element. */
const { ristretto255, noRistretto255 } = read("primitives.json");
const reversed = (hex) => bytes(hex).reverse().toString("hex");
const above = 2n ** 256n - 38n - BigInt(`0x${reversed(ristretto255[0].element)}`);
const noShares = ["ec" + "ff".repeat(30) + "7f", reversed(above.toString(16).padStart(64, "0"))].map((encoding) => ({ encoding }));

/** What a server's own mistake looks like, which must not be taken for the server, or for no couple. */
const mistakes = [["couple", { alsoText: "mood" }], ["couple", { alsoText: [1] }], ["no such kind", {}], ["couple", { as: undefined }], ["answer", { couple: undefined }], ["couple", { user: "alice" }], ["couple", { as: 5 }]];
/** Requests that name nobody, and what becomes of them: the first rule. */
const names = { previous: couple, as: null };
const nobodies = [["couple", couple, names, "userIds.notAMember"], ["couple", couple, { as: null }, "userIds.notTheServer"], ["device", device, { as: null }, "userId.notTheOwner"],
  ["couple", couple, { previous: couple }, "malformed"], ["couple", couple, { previous: null }, "malformed"], ["couple", couple, { previous: couple, as: "$server" }, undefined],
  ["couple", { ...couple, userIds: [null, null] }, { previous: { ...couple, userIds: [null, null] }, as: null }, "userIds.userIds"], ["couple", couple, { as: "$Server" }, "malformed"]];
const firstRule = ([kind, document, options]) => check(kind, document, options).broken[0]?.rule;
/** Members of an app, and what an SDK makes of a time. */
const answer = example("answer");
const texts = [[{ mood: { words: ["blue"] } }, [], "mood.plaintext"], [{ mood: { words: ["blue"] } }, ["mood"], undefined], [{ mood: { words: ["blue"] } }, ["words"], "mood.plaintext"],
  [{ createdAt: new Date(0) }, [], undefined], [{ createdAt: { seconds: 1, nanoseconds: 2 } }, [], undefined], [{ mood: new Map([["a", "b"]]) }, [], "mood.plaintext"],
  [{ mood: Uint8Array.of(1, 2) }, [], "mood.plaintext"], [{ ["__proto__"]: "in the clear" }, [], "__proto__.plaintext"], [{ toString: "in the clear" }, [], "toString.plaintext"], [{ createdAt: "yesterday" }, [], "createdAt.plaintext"]];
const firstText = ([members, alsoText]) => check("answer", { ...answer, ...members }, { alsoText }).broken[0]?.rule;
const isThrown = ([kind, options]) => {
  try {
    check(kind, couple, options);
    return false;
  } catch (error) {
    return error instanceof TypeError;
  }
};
const { kinds: table } = read("contract/rules.json");
const paths = [...new Set(Object.values(table).flatMap(({ paths = [] }) => paths)), "couples", "couples//c", "{x}"];
const kept = (path) => kinds.filter((kind) => table[kind].paths?.includes(path));
const isKept = (path) => `${kindsAt(path.replace("{date}", "2024-02-29").replaceAll(/\{\w+\}/g, "x_1"))}` === `${kept(path)}`;

/** Of each file: the cases, what must come out, and what does. */
const files = {
  "public_key.json": [tests("public_key"), isValid, ({ publicKey }) => isKey(publicKey)],
  "keyset.json": [
    tests("keyset").filter(({ format, reading }) => format === "binary" && reading === "strict"), isOnePublicKey,
    ({ keyset }) => isKey(`pub:v1:${bytes(keyset).toString("base64url")}`),
  ],
  "a server's mistakes": [mistakes, () => true, isThrown],
  "requests without a user": [nobodies, (test) => test[3], firstRule],
  "members of an app": [texts, (test) => test[2], firstText],
  "the paths of rules.json": [paths, () => true, isKept],
  "documents.json, changed keysets": [changed, () => false, ({ keyset }) => isKey(`pub:v1:${bytes(keyset).toString("base64url")}`)],
  "kdf_params.json": [tests("kdf_params"), isValid, ({ kdfParams }) => check("couple", { ...couple, kdfParams }).valid],
  "canonical_json.json": [
    tests("canonical_json").filter((test) => test.type === "canonical" && !isTooDeep(test)), isValid,
    ({ text }) => check("couple", inMember(text)).valid,
  ],
  "primitives.json, ristretto255": [ristretto255, () => true, ({ element }) => isShare(element)],
  "primitives.json, noRistretto255": [noRistretto255.concat(noShares), () => false, ({ encoding }) => isShare(encoding)],
};

let faults = 0;
for (const [name, [cases, expected, judge]] of Object.entries(files)) {
  const wrong = cases.filter((test) => judge(test) !== expected(test));
  for (const test of wrong) console.error(`${name}: ${test.tcId ?? ""} ${test.comment ?? test.why ?? test.element ?? test}: expected ${expected(test)}`);
  console.log(`documents.mjs: ${cases.length - wrong.length} of ${cases.length} cases of ${name}`);
  faults += wrong.length;
}
process.exit(faults ? 1 : 0);
