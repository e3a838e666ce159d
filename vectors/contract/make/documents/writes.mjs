
// MARK: - Who may write what

const WRITERS = {
  owner: ({ uid, owners }) => owners.every((owner) => owner === uid),
  member: ({ uid, users }) => users.includes(uid),
  server: ({ uid }) => uid === null,
};

function brokenWrites(contract, found, previous, { uid, ids, couple }) {
  const { writes } = contract;
  // Who owned it before, and who owns it after.
  const owners = [previous, found].filter(Boolean).map((document) => document[writes.owner] ?? ids[writes.owner]);
  const stored = contract === KINDS.couple ? previous ?? found : couple;
  const who = { uid, owners, users: Array.isArray(stored?.userIds) ? stored.userIds : [] };
  const allowed = previous ? [...writes.create, ...writes.updates.flatMap(({ by }) => by)] : writes.create;
  if (!isOneOf(allowed, who)) return [allowed.includes("owner") ? [writes.owner, "notTheOwner"] : ["userIds", "notAMember"]];
  return (previous ? brokenUpdate(contract, found, previous, who) : brokenStart(writes, found)).map((name) => [name, "notAnUpdate"]);
}

const isOneOf = (writers, who) => writers.some((writer) => WRITERS[writer](who));

const brokenStart = ({ initially = {} }, found) => Object.keys(initially).filter((name) => name in found && found[name] !== initially[name]);

/** The members that this writer must not change, or not together. */
function brokenUpdate({ writes }, found, previous, who) {
  const changed = Object.keys({ ...previous, ...found }).filter((name) => !isSame(previous[name], found[name]));
  const versions = [versionOf(previous), versionOf(found)];
  const updates = writes.updates.filter((update) => isOneOf(update.by, who) && fits(update.versions, versions));
  const may = (update) => (name) => !writes.fixed?.includes(name) && covers(update, name, previous, found, who);
  if (updates.some((update) => changed.every(may(update)))) return [];
  const never = changed.filter((name) => !updates.some((update) => may(update)(name)));
  return never.length ? never : changed;
}

const fits = (versions, [before, after]) => !versions || (within(versions.from, before) && within(versions.to, after));

function covers({ changes }, name, previous, found, { uid }) {
  if (changes.includes("*") || changes.includes(name)) return true;
  return changes.includes(`${name}.<uid>`) && isSame(withoutOwn(previous[name], uid), withoutOwn(found[name], uid));
}

/** A map without the writer's own entry; the server has none. */
const withoutOwn = (map = {}, uid) => Object.fromEntries(Object.entries(map).filter(([name]) => name !== uid));

const isSame = (before, after) => canonical(before ?? null) === canonical(after ?? null);

/** The form of RFC 8785, also of what an SDK makes of a time. */
function canonical(value, depth = 0) {
  const plain = typeof value?.toJSON === "function" ? value.toJSON() : value;
  if (typeof plain === "string" || plain === undefined) return JSON.stringify(plain ?? null);
  if (typeof plain !== "object" || plain === null) return String(plain);
  const names = Object.keys(plain).sort();
  // Two of a class that hides its content would look alike.
  const isOpen = Array.isArray(plain) || names.length > 0 || [Object.prototype, null].includes(Object.getPrototypeOf(plain));
  if (depth > MAXIMUM_DEPTH || !isOpen) throw new Malformed();
  if (Array.isArray(plain)) return `[${plain.map((each) => canonical(each, depth + 1))}]`;
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(plain[name], depth + 1)}`)}}`;
}
