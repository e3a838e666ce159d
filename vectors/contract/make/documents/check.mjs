
/**
 * A rule that a document breaks. `rule` is what scripts compare, such as `kdfSalt.present`, or `malformed` for what is no document:
 * `member` is then empty, or the option that is meant.
 * @typedef {{rule: string, member: string, requirement: string}} Broken
 * @typedef {{kind: string, valid: boolean, broken: Broken[]}} Verdict
 * @typedef {string | Uint8Array | Record<string, unknown>} Document  Text is read strictly. An object has lost what its text had twice.
 *
 * @typedef {object} Options
 * @property {string} [path] Where the document is stored, such as `users/alice/devices/d1`. It gives the ids that the document leaves out.
 * @property {Document | null} [previous] What is stored there now. If it is null or undefined, the document is created.
 * @property {string | null} [as] The user who writes, from a checked token; null is the server itself.
 * @property {Document} [couple] The document of the couple: its two users write, and below version 1 legacy answers are plaintext.
 * @property {number} [required] The least encryptionVersion of a couple: 0 if it is left out, and then `{}` is a couple, too.
 */

/**
 * Checks a document against the contract: its shape and its path, and if there is `previous` or `as`, whether this writer may write it.
 * With `previous` and without `as` the server writes.
 * @param {string} kind One of `kinds`.
 * @param {Document} document
 * @param {Options} [options]
 * @returns {Verdict} The first rule is the one that other implementations tell.
 * @throws {TypeError} If there is no such kind, or if `as` is undefined: a request without a user must not be the server's.
 */
export function check(kind, document, options = {}) {
  if (!Object.hasOwn(KINDS, kind)) throw new TypeError(`no kind of document: ${kind}`);
  if ("as" in options && typeof options.as !== "string" && options.as !== null) throw new TypeError("as must be a user's id, or null for the server");
  const broken = faults(KINDS[kind], document, options).map(([member, rule]) => told(member, rule));
  return { kind, valid: broken.length === 0, broken };
}

/** The kinds of documents. */
export const kinds = Object.keys(KINDS);

const MALFORMED = `must be one JSON object of at most ${MAXIMUM_BYTE_COUNT} bytes, with unique names and ${MAXIMUM_DEPTH} levels at most`;

function told(member, rule) {
  if (rule === "malformed") return { rule, member, requirement: MALFORMED };
  const requirement = member === "path" ? "must be one of this kind of document, with an id in each place" : RULES[rule].requirement;
  return { rule: `${member}.${rule}`, member, requirement };
}

function faults(contract, document, options) {
  const isWrite = "previous" in options || "as" in options;
  const ids = options.path === undefined ? {} : idsOf(contract.paths ?? [], options.path);
  if (!ids) return [["path", "samePath"]];
  try {
    const found = membersOf(document, ids, contract, "");
    const previous = options.previous == null ? null : membersOf(options.previous, ids, contract, "previous");
    const couple = options.couple === undefined ? null : membersOf(options.couple, {}, KINDS.couple, "couple");
    const broken = [
      ...brokenMembers(contract, found, couple),
      ...Object.keys(ids).filter((name) => name in found && found[name] !== ids[name]).map((name) => [name, "samePath"]),
    ];
    broken.push(...brokenRelations(contract, found, broken, { previous, required: options.required ?? 0 }));
    if (broken.length || !isWrite || !contract.writes) return broken;
    return brokenWrites(contract, found, previous, { uid: options.as ?? null, ids, couple });
  } catch (error) {
    if (error instanceof Malformed) return [[error.message, "malformed"]];
    throw error;
  }
}

// MARK: - Paths

/** The ids of a path by their names, or null if the path has none of these forms. */
function idsOf(forms, path) {
  for (const form of forms) {
    const [names, parts] = [form.split("/"), path.split("/")];
    const fits = (name, index) => (name[0] === "{" ? satisfies("identifier", parts[index]) : name === parts[index]);
    if (names.length === parts.length && names.every(fits))
      return Object.fromEntries(names.map((name, index) => [name.slice(1, -1), parts[index]]).filter((_, index) => names[index][0] === "{"));
  }
  return null;
}

/** A document's members without those that are null, and with the ids of the path that it leaves out. */
function membersOf(document, ids, contract, option) {
  const object = typeof document === "string" || document instanceof Uint8Array ? parse(document) : document;
  if (!TYPES.map(object)) throw new Malformed(option);
  const members = Object.create(null);
  for (const [name, value] of Object.entries(object)) if (value !== null && value !== undefined) members[name] = value;
  for (const { name } of contract.members) if (Object.hasOwn(ids, name)) members[name] ??= ids[name];
  return members;
}

// MARK: - Members

const TYPES = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  list: Array.isArray,
  map: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};
const WRAP = ["wrappedCoupleKey", "kdfSalt", "kdfParams"];
const MISSING = {
  optional: () => null,
  required: () => "present",
  wholeWrap: (found) => (WRAP.some((name) => name in found) ? "wholeWrap" : null),
};

function brokenMembers(contract, found, couple) {
  const named = contract.members.filter((member) => !member.others);
  const isPlaintext = couple !== null && versionOf(couple) === 0;
  const others = isPlaintext ? [] : contract.members.filter((member) => member.others);
  return [...named.map((member) => [member.name, brokenRule(member, found)]), ...others.map((member) => [member.name, brokenOther(member, named, found)])]
    .filter(([, rule]) => rule);
}

function brokenRule({ name, presence, type, rules }, found) {
  if (!(name in found)) return MISSING[presence](found);
  if (!TYPES[type](found[name])) return type in RULES ? type : rules[0];
  return rules.find((rule) => !satisfies(rule, found[name]));
}

/** The rule of every text that has no row of its own. */
function brokenOther({ others, rules }, named, found) {
  const excepted = [...others.except, ...named.map((member) => member.name)];
  const texts = Object.keys(found).filter((name) => !excepted.includes(name) && !name.endsWith(others.exceptSuffix) && TYPES.string(found[name]));
  return rules.find((rule) => !texts.every((name) => satisfies(rule, found[name])));
}

// MARK: - Relations

const hasWrap = (couple) => "wrappedCoupleKey" in couple;
const versionOf = (couple) => couple.encryptionVersion ?? (hasWrap(couple) ? 2 : 0);
const RELATIONS = {
  versionForWrap: (couple) => !hasWrap(couple) || versionOf(couple) !== 0,
  wrapForVersion: (couple) => hasWrap(couple) || versionOf(couple) === 0,
  notLowered: (couple, { previous }) => previous === null || !(versionOf(couple) < versionOf(previous)),
  required: (couple, { required }) => versionOf(couple) >= required,
  otherPerson: (found) => found.senderId !== found.recipientId,
};

function brokenRelations(contract, found, broken, beside) {
  const isReadable = ({ reads }) => !broken.some(([member]) => reads.includes(member));
  const isBroken = (relation) => isReadable(relation) && !RELATIONS[relation.rule](found, beside);
  return (contract.relations ?? []).filter(isBroken).map(({ member, rule }) => [member, rule]);
}
