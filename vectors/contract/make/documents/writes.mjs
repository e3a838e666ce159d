
// MARK: - Who may write what

const WRITERS = {
  owner: ({ uid, owners }) => owners.every((owner) => owner === uid),
  member: ({ uid, users }) => uid !== null && users.includes(uid),
  server: ({ isServer }) => isServer,
};

function writerOf(contract, found, { previous, uid, isServer, ids, couple }) {
  const owner = contract.writes.owner;
  // Who owned it before, and who owns it after.
  const owners = [previous, found].filter(Boolean).map((document) => document[owner] ?? ids[owner]);
  const stored = contract === KINDS.couple ? previous ?? found : couple;
  return { uid, isServer, owners, users: Array.isArray(stored?.userIds) ? stored.userIds : [] };
}

const isOneOf = (writers, who) => writers.some((writer) => WRITERS[writer](who));

function brokenWriter(contract, found, write) {
  const { writes } = contract;
  if (!writes) return [];
  const allowed = write.previous && writes.updates.length ? writes.updates.flatMap(({ by }) => by) : writes.create;
  const who = writerOf(contract, found, write);
  const isStranger = writes.ofCouple && write.couple !== null && !who.isServer && !WRITERS.member(who);
  if (isStranger) return [["userIds", "notAMember"]];
  if (isOneOf(allowed, who)) return [];
  if (allowed.includes("member")) return [["userIds", "notAMember"]];
  return [[writes.owner ?? "userIds", allowed.includes("owner") ? "notTheOwner" : "notTheServer"]];
}

function brokenChange(contract, found, write) {
  if (!contract.writes) return [];
  const who = writerOf(contract, found, write);
  const names = write.previous ? brokenUpdate(contract, found, write.previous, who) : brokenStart(contract.writes, found, who);
  return names.map((name) => [name, "notAnUpdate"]);
}

/** What has another than its first value, and maps with an entry of another user. */
function brokenStart({ initially = {}, updates }, found, who) {
  const started = Object.keys(initially).filter((name) => name in found && found[name] !== initially[name]);
  const maps = updates.flatMap(({ changes }) => changes).filter((change) => change.endsWith(OWN)).map((change) => change.slice(0, -OWN.length));
  const isForged = (name) => who.uid !== null && name in found && !isOwnEntry({}, found[name], who.uid);
  return [...started, ...new Set(maps.filter(isForged))];
}

/** The members that this writer must not change, or not together. What is written once has no update, so that its first row is told. */
function brokenUpdate({ writes, members }, found, previous, who) {
  const rows = members.map(({ name }) => name);
  const changed = inOrder(rows, Object.keys({ ...previous, ...found })).filter((name) => !isSame(previous[name], found[name]));
  const versions = [versionOf(previous), versionOf(found)];
  const isEmpty = (map) => map === undefined || Object.keys(found[map] ?? {}).length === 0;
  const rises = (name) => name === undefined || (TYPES.number(previous[name]) && previous[name] < found[name]);
  const isPossible = ({ versions: step, complete, empty, rises: number }) => fits(step, versions) && isEmpty(empty) && rises(number) && (complete === undefined || isComplete(found[complete], who));
  const updates = writes.updates.filter(({ by }) => isOneOf(by, who));
  const may = (update) => (name) => !writes.fixed?.includes(name) && covers(update, name, previous[name], found[name], who);
  if (updates.some((update) => isPossible(update) && changed.every(may(update)))) return [];
  const never = changed.filter((name) => !updates.some((update) => may(update)(name)));
  return [never, changed, rows.slice(0, 1)].find((names) => names.length);
}

/** Those that have a row first, in the order of the rows, then the others by their bytes. */
function inOrder(rows, names) {
  return [...rows.filter((name) => names.includes(name)), ...byBytes(names.filter((name) => !rows.includes(name)))];
}

const fits = (versions, [before, after]) => !versions || (within(versions.from, before) && within(versions.to, after));

/** Whether the map has an entry for each of the couple's users. */
const isComplete = (map = {}, { users }) => users.length > 0 && users.every((user) => Object.hasOwn(map, user));

/** Behind the name of a map, the writer's own entry. */
const OWN = ".<uid>";

function covers({ changes }, name, before, after, { uid }) {
  const isWhole = changes.includes("*") || changes.includes(name);
  return isWhole || (changes.includes(name + OWN) && isOwnEntry(before, after, uid));
}

/** Whether no entry but the writer's differs. The server has none. */
const isOwnEntry = (before = {}, after = {}, uid) => TYPES.map(before) && TYPES.map(after) && isSame(withoutOwn(before, uid), withoutOwn(after, uid));

/** A map without the writer's own entry, and without those that are null. */
const withoutOwn = (map, uid) => Object.fromEntries(Object.entries(map).filter(([name, value]) => name !== uid && value != null));

const isSame = (before, after) => canonical(before ?? null) === canonical(after ?? null);

/** The form of RFC 8785, also of what an SDK makes of a time. */
function canonical(value, depth = 0) {
  const plain = typeof value?.toJSON === "function" ? value.toJSON() : value;
  if (typeof plain === "string" || plain === undefined) return JSON.stringify(plain ?? null);
  if (typeof plain !== "object" || plain === null) return String(plain);
  const names = Object.keys(plain).sort();
  if (depth > MAXIMUM_DEPTH || !isOpen(plain)) throw new Malformed("");
  if (Array.isArray(plain)) return `[${plain.map((each) => canonical(each, depth + 1))}]`;
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(plain[name], depth + 1)}`)}}`;
}
