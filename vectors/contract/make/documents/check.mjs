
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
 * @property {string | null} [as] The user who writes, from a checked token. "$server" is your own code, and null is a request without a
 *   user, who may write nothing that names its writer.
 * @property {Document} [couple] The document of the couple: only its `userIds` write, and below version 1 legacy answers are plaintext.
 * @property {string[]} [alsoText] Members of your app that may hold text in the clear, in kinds that hold content.
 * @property {number} [required] The least encryptionVersion of a couple: 0 if it is left out, and then `{}` is a couple, too.
 */

/**
 * Checks a document against the contract: its shape and its path, and if there is `as`, whether this writer may write it.
 * `previous` without `as` is malformed: who writes?
 * @param {string} kind One of `kinds`.
 * @param {Document} document
 * @param {Options} [options]
 * @returns {Verdict} The first rule is the one that other implementations tell.
 * @throws {TypeError} If there is no such kind or option, if `alsoText` is no list of names, or if `as` or `couple` is there and undefined: a request without a user must not be the
 * server's, and a couple that is missing must not be any couple.
 */
export function check(kind, document, options = {}) {
  if (!Object.hasOwn(KINDS, kind)) throw new TypeError(`no kind of document: ${kind}`);
  // A misspelt `couple` would be any couple.
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) throw new TypeError(`no such option: ${unknown}`);
  if ("as" in options && typeof options.as !== "string" && options.as !== null) throw new TypeError('as must be a user\'s id, "$server", or null for a request without a user');
  if ("couple" in options && options.couple === undefined) throw new TypeError("couple must be the couple's document");
  const isList = Array.isArray(options.alsoText ?? []) && (options.alsoText ?? []).every((name) => typeof name === "string");
  if (!isList) throw new TypeError("alsoText must be a list of members' names");
  const broken = faults(KINDS[kind], document, options).map(([member, rule]) => told(member, rule));
  return { kind, valid: broken.length === 0, broken };
}

/** What must be right in the couple that is stored. */
const VERSION_AND_WRAP = ["encryptionVersion", "wrappedCoupleKey", "kdfSalt", "kdfParams"];
const OPTIONS = ["path", "previous", "as", "couple", "required", "alsoText"];
const SERVER = "$server";
/** A result names so many members in the clear at most. */
const MAXIMUM_TOLD = 16;

/** The kinds of documents. */
export const kinds = Object.keys(KINDS);

/**
 * The kinds that are kept at a path; empty if it is none of the contract.
 * @param {string} path
 * @returns {string[]}
 */
export const kindsAt = (path) => kinds.filter((kind) => KINDS[kind].paths?.some((form) => isOfForm(form, path)));

/** What is malformed, by the option; without one it is the document. */
const MALFORMED = {
  "": `must be one JSON object of at most ${MAXIMUM_BYTE_COUNT} bytes, with unique names and ${MAXIMUM_DEPTH} levels at most`,
  path: "must be one of this kind of document, with an id in each place; some kinds have none",
  as: `${RULES.identifier.requirement}, or ${SERVER}; it must be there with previous, and is no user for what names none`,
  previous: "must be one JSON object; of a couple, with a right version and wrap",
  couple: "must be a right document of a couple",
};

function told(member, rule) {
  if (rule === "malformed") return { rule, member, requirement: MALFORMED[member] };
  return { rule: `${member}.${rule}`, member, requirement: RULES[rule].requirement };
}

function faults(contract, document, options) {
  try {
    const ids = options.path === undefined ? {} : idsOf(contract.paths ?? [], options.path);
    const isServer = options.as === SERVER;
    const uid = isServer ? null : options.as ?? null;
    if (uid !== null && !(satisfies("identifier", uid) && contract.writes)) throw new Malformed("as");
    if ("previous" in options && !("as" in options)) throw new Malformed("as");
    const write = { ids, uid, isServer, required: options.required ?? 0, alsoText: options.alsoText ?? [] };
    write.previous = options.previous == null ? null : membersOf(options.previous, "previous");
    if (contract === KINDS.couple) demandCouple(write.previous, "previous", VERSION_AND_WRAP);
    write.couple = options.couple === undefined ? null : membersOf(options.couple, "couple");
    demandCouple(write.couple, "couple", KINDS.couple.members.map(({ name }) => name));
    const groups = "as" in options ? [brokenShape, brokenVersion, brokenWriter, brokenChange] : [brokenShape, brokenVersion];
    return firstBroken(groups, contract, membersOf(document, ""), write);
  } catch (error) {
    if (error instanceof Malformed) return [[error.message, "malformed"]];
    throw error;
  }
}

/** The rules of the first group that has a broken one. */
function firstBroken(groups, contract, found, write) {
  for (const group of groups) {
    const broken = group(contract, found, write);
    if (broken.length) return broken;
  }
  return [];
}

/** Members, relations, and the ids of the path. */
function brokenShape(contract, found, { ids, couple = null, alsoText = [] }) {
  const whole = withIds(found, ids, contract);
  const broken = brokenMembers(contract, whole);
  broken.push(...brokenRelations(contract, whole, broken, ids), ...brokenTexts(contract, found, couple, alsoText));
  const isTold = (name) => broken.some(([member]) => member === name);
  const elsewhere = Object.keys(ids).filter((name) => name in found && found[name] !== ids[name] && !isTold(name));
  const outside = "threadId" in ids ? (contract.notInThread ?? []).filter((name) => name in found) : [];
  return [...broken, ...elsewhere.map((name) => [name, "samePath"]), ...outside.map((name) => [name, "notInThread"])];
}

/** What decides for others must be right itself. */
function demandCouple(couple, option, names) {
  if (couple && brokenShape(KINDS.couple, couple, { ids: {} }).some(([member]) => names.includes(member))) throw new Malformed(option);
}

// MARK: - Paths

/** The ids of a path by their names. */
function idsOf(forms, path) {
  const form = forms.find((form) => isOfForm(form, path));
  if (form === undefined) throw new Malformed("path");
  const [names, parts] = [form.split("/"), path.split("/")];
  return Object.fromEntries(names.map((name, index) => [name.slice(1, -1), parts[index]]).filter((_, index) => names[index][0] === "{"));
}

function isOfForm(form, path) {
  const [names, parts] = [form.split("/"), path.split("/")];
  return names.length === parts.length && names.every((name, index) => (name[0] === "{" ? satisfies(name === "{date}" ? "date" : "identifier", parts[index]) : name === parts[index]));
}

/** A document's members without those that are null. */
function membersOf(document, option) {
  const object = typeof document === "string" || document instanceof Uint8Array ? parse(document) : document;
  if (!TYPES.map(object)) throw new Malformed(option);
  const members = Object.create(null);
  for (const [name, value] of Object.entries(object)) if (value !== null && value !== undefined) members[name] = value;
  return members;
}

/** The members, and the ids of the path that the document leaves out. */
function withIds(found, ids, contract) {
  const given = contract.members.filter(({ name }) => Object.hasOwn(ids, name) && !(name in found));
  return Object.assign(Object.create(null), found, Object.fromEntries(given.map(({ name }) => [name, ids[name]])));
}

// MARK: - Members

const TYPES = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  list: Array.isArray,
  map: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  time: (value) => ["string", "number"].includes(typeof value) || (TYPES.map(value) && isTimeOfSDK(value)),
};
const TIME_PARTS = ["seconds", "nanoseconds", "_seconds", "_nanoseconds"];
const isTimeOfSDK = (value) => value instanceof Date || (Object.keys(value).length > 0 && Object.entries(value).every(([name, part]) => TIME_PARTS.includes(name) && typeof part === "number"));
const WRAP = ["wrappedCoupleKey", "kdfSalt", "kdfParams"];
const MISSING = {
  optional: () => null,
  absent: () => null,
  required: () => "present",
  untilAccepted: (found) => (found.status === "accepted" ? null : "present"),
  wholeWrap: (found) => (WRAP.some((name) => name in found) ? "wholeWrap" : null),
};

const brokenMembers = (contract, found) => contract.members.map((member) => [member.name, brokenRule(member, found)]).filter(([, rule]) => rule);

function brokenRule({ name, presence, type, rules }, found) {
  if (!(name in found)) return MISSING[presence](found);
  if (presence === "absent") return "absent";
  if (!TYPES[type](found[name])) return type in RULES ? type : rules[0];
  if (type === "time" && typeof found[name] !== "string") return undefined;
  return rules.find((rule) => !satisfies(rule, found[name]));
}

// MARK: - Texts, which only tokens and the names of the contract may be

/** The members without a row that hold a text in the clear, at any depth. */
function brokenTexts({ texts, members }, found, couple, alsoText) {
  if (!texts || (texts.clearBefore && couple !== null && versionOf(couple) === 0)) return [];
  const formOf = (name) => (Object.hasOwn(texts.named, name) ? texts.named[name] : texts.times && name.endsWith(texts.times) ? "time" : null);
  const isClear = (name) => (text) => !(texts.tokens && satisfies(texts.tokens, text)) && !(formOf(name) && TYPES.string(found[name]) && satisfies(formOf(name), text));
  const others = Object.keys(found).filter((name) => !members.some((row) => row.name === name) && !alsoText.includes(name));
  const clear = others.filter((name) => textsOf(found[name]).some(isClear(name)));
  const isContent = (name) => texts.clearBefore !== undefined && TYPES.string(found[name]) && !formOf(name);
  const told = byBytes(clear.filter((name) => !isContent(name))).slice(0, MAXIMUM_TOLD).map((name) => [name, "plaintext"]);
  return clear.some(isContent) ? [[texts.clearBefore, "field"], ...told] : told;
}

/** The texts in a value. What hides its content counts as one. */
function textsOf(value, depth = 0) {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || value instanceof Date) return [];
  if (depth > MAXIMUM_DEPTH) throw new Malformed("");
  return isOpen(value) ? Object.values(value).flatMap((each) => textsOf(each, depth + 1)) : [""];
}

/** Whether an object shows what it holds: two of a class that hides it would look alike. */
const isOpen = (value) => Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value)) || (Object.keys(value).length > 0 && !ArrayBuffer.isView(value));

const byBytes = (names) => names.map((name) => Buffer.from(name)).sort(Buffer.compare).map(String);

// MARK: - Relations

const hasWrap = (couple) => "wrappedCoupleKey" in couple;
const versionOf = (couple) => couple.encryptionVersion ?? (hasWrap(couple) ? 2 : 0);
const RELATIONS = {
  versionForWrap: (couple) => !hasWrap(couple) || versionOf(couple) !== 0,
  wrapForVersion: (couple) => hasWrap(couple) || versionOf(couple) === 0,
  wiped: (found) => !(found.status === "accepted" && "recoveryPhrase" in found),
  otherPerson: (found) => found.senderId !== found.recipientId,
  ofChat: (found, { chatId }) => chatId === undefined || ["sender_id", "senderId", "recipientId"].every((name) => !(name in found) || isSideOf(chatId, found[name])),
};
const isSideOf = (chat, user) => chat.startsWith(`${user}_`) || chat.endsWith(`_${user}`);
/** The relations to what is beside the document, which make a group of their own. */
const VERSIONS = {
  notLowered: (couple, { previous }) => previous === null || !(versionOf(couple) < versionOf(previous)),
  required: (couple, { required }) => versionOf(couple) >= required,
};

function brokenRelations({ relations = [] }, found, broken, ids) {
  const isReadable = ({ reads }) => !broken.some(([member]) => reads.includes(member));
  const isBroken = (relation) => relation.rule in RELATIONS && isReadable(relation) && !RELATIONS[relation.rule](found, ids);
  return relations.filter(isBroken).map(({ member, rule }) => [member, rule]);
}

function brokenVersion({ relations = [] }, found, write) {
  return relations.filter(({ rule }) => rule in VERSIONS && !VERSIONS[rule](found, write)).map(({ member, rule }) => [member, rule]);
}
