// An adapter for `closer-keys vectors run`: the v1 formats on WebCrypto, as Node 18 and browsers have it. No package.
// WebCrypto has no Argon2id and reads no compressed point; Node's HKDF takes at most 1024 bytes of info.
import { createInterface } from "node:readline";
const { subtle } = (globalThis.crypto ?? (await import("node:crypto")).webcrypto), none = new Uint8Array();
const hex = (text) => Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
const toHex = (bytes) => Buffer.from(bytes).toString("hex");
const utf8 = (text) => new TextEncoder().encode(text);
const join = (...parts) => new Uint8Array(Buffer.concat(parts));
function demand(holds, error = "malformed") { if (!holds) throw { id: error }; }
// Strict: encoded again it is the same text. Buffer.from alone would take almost anything.
function unbase64(text, alphabet = "base64") {
  const bytes = new Uint8Array(Buffer.from(text, alphabet));
  demand(Buffer.from(bytes).toString(alphabet) === text);
  return bytes;
}
function token(name, text, least = 1) {
  demand(text.startsWith(name) && text.length >= name.length + least);
  return unbase64(text.slice(name.length), name.startsWith("enc:") ? "base64" : "base64url");
}
const identifier = (text) => (demand(/^[A-Za-z0-9._:@+-]{1,128}$/.test(text)), utf8(text));
// What a field with a place is tied to.
const counted = (item) => join(Uint8Array.of(0, 0, item.length >> 8, item.length & 255), item);
const placed = (couple, place) => (demand(/^[ -~]{1,512}$/.test(place)), join(...[utf8("closer-keys/v2/field"), identifier(couple), utf8(place)].map(counted)));

// Protobuf: the values of a field. Keysets come from a file of one's own here, so this need not be strict.
function fields(bytes, wanted) {
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const number = () => { const byte = bytes[at++]; return byte < 128 ? byte : byte - 128 + 128 * number(); };
    const tag = number(), value = number();
    if (tag >>> 3 === wanted) found.push(tag & 7 ? bytes.subarray(at, at + value) : value);
    if (tag & 7) at += value;
  }
  return found;
}
const path = (bytes, ...numbers) => numbers.reduce((part, number) => fields(part, number)[0] ?? none, bytes);
function keysOf(keyset) {
  const bytes = (id) => [24, 16, 8, 0].map((shift) => (id >>> shift) & 255);
  const prefix = (type, id) => (type === 3 ? [] : [type === 1 ? 1 : 0, ...bytes(id)]);
  const enabled = fields(keyset, 2).filter((key) => fields(key, 2)[0] === 1);
  return enabled.map((key) => ({ value: path(key, 1, 2), prefix: prefix(fields(key, 4)[0], fields(key, 3)[0] ?? 0) }));
}
// Every key that the first bytes name; those without a prefix come last. `attempt` throws what is not `authFailed`.
async function opened(keyset, box, least, attempt) {
  demand(box.length >= least);
  const meant = keysOf(keyset).filter((key) => key.prefix.every((byte, index) => box[index] === byte)).sort((a, b) => b.prefix.length - a.prefix.length);
  demand(meant.length, "noKey");
  const failures = [];
  for (const key of meant)
    try { return await attempt(key.value, box.subarray(key.prefix.length)); } catch (error) { failures.push(error); }
  throw failures.find((error) => error.id !== "malformed") ?? failures[0];
}
async function gcm(key, box, additionalData = none, cut = "malformed") {
  demand(box.length >= 28, cut);
  const [imported, iv] = [await subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]), box.subarray(0, 12)];
  const plaintext = subtle.decrypt({ name: "AES-GCM", iv, additionalData }, imported, box.subarray(12));
  return new Uint8Array(await plaintext.catch(() => demand(false, "authFailed")));
}
const openAEAD = (keyset, box, data) => opened(keyset, box, 28, (value, rest) => gcm(path(value, 3), rest, data));
async function hkdf(secret, salt, info, count = 32) {
  const key = await subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  return new Uint8Array(await subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, count * 8));
}
function openBox(keyset, box, context, trace) {
  demand(context.length <= 32768, "limit");
  if (context.length > 1024) throw { skip: "more than 1024 bytes of info" };
  return opened(keyset, box, 61, async (value, rest) => {
    const params = path(value, 2, 2), dem = path(params, 2, 2, 2);
    if (fields(params, 3)[0] !== 1) throw { skip: "compressed points" };
    demand(rest.length >= 93);
    const integer = (...at) => Buffer.from(join(new Uint8Array(32), path(value, ...at)).slice(-32)).toString("base64url");
    const [x, y, d] = [integer(2, 3), integer(2, 4), integer(3)];
    const [curve, kem] = [{ name: "ECDH", namedCurve: "P-256" }, rest.subarray(0, 65)];
    const ours = await subtle.importKey("jwk", { kty: "EC", crv: "P-256", x, y, d }, curve, false, ["deriveBits"]);
    const theirs = await subtle.importKey("raw", kem, curve, false, []).catch(() => demand(false, "authFailed"));
    const shared = await subtle.deriveBits({ ...curve, public: theirs }, ours, 256);
    trace.sharedSecret = toHex(shared);
    const key = await hkdf(join(kem, new Uint8Array(shared)), path(params, 1, 11), context, fields(dem, 2)[0]);
    trace.derivedKey = toHex(key);
    return gcm(key, rest.subarray(65));
  });
}
const imported = (privateKey) => subtle.importKey("pkcs8", join(hex("302e020100300506032b656e04220420"), privateKey), "X25519", true, ["deriveBits"]);
const publicOf = async (privateKey) => unbase64((await subtle.exportKey("jwk", await imported(privateKey))).x, "base64url");
async function agree(privateKey, publicKey) {
  demand(privateKey.length === 32 && publicKey.length === 32);
  const ours = await imported(privateKey);
  const theirs = await subtle.importKey("raw", publicKey, "X25519", false, []);
  const shared = new Uint8Array(await subtle.deriveBits({ name: "X25519", public: theirs }, ours, 256).catch(() => new Uint8Array(32)));
  demand(shared.some((byte) => byte)); // CryptoKit does not look: a server could make everyone's key the same
  return shared;
}
// The one spelling of a key: RFC 7748 reads others, too.
function reduced(key) {
  demand(key.length === 32 && BigInt("0x" + toHex(Uint8Array.from(key).reverse())) < 2n ** 255n - 19n);
  return key;
}
const longTerm = ({ privateKey, peerPublicKey }) => agree(hex(privateKey), reduced(unbase64(peerPublicKey)));
async function chatKey(test, salt, info, trace) {
  const shared = await longTerm(test);
  const key = await hkdf(shared, salt, utf8(info));
  Object.assign(trace, { sharedSecret: toHex(shared), derivedKey: toHex(key) });
  return key;
}
// Twelve symbols as a person typed them. All else of a pairing needs ristretto255, which WebCrypto does not have.
function code({ typed }) {
  const kept = typed.replace(/[ \t\r\n\u00a0\u2010-\u2015\u2212-]/g, "");
  demand(/^[0-9A-Za-z]{12}$/.test(kept));
  const symbols = kept.toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1").replace(/U/g, "V");
  return { lookup: symbols.slice(0, 6), secret: symbols.slice(6) };
}
// Bound messages of a chat, and chat keys. Canonical JSON is what this writes again, byte for byte.
const isObject = (value) => value !== null && typeof value === "object";
const canonical = (value) => Array.isArray(value) ? `[${value.map(canonical)}]`
  : isObject(value) ? `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}` : JSON.stringify(value);
const depth = (value) => (isObject(value) ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0);
const names = (value) => (isObject(value) ? Object.keys(Array.isArray(value) ? {} : value).length + Object.values(value).reduce((sum, each) => sum + names(each), 0) : 0);
const isWhole = (value) => Number.isSafeInteger(value) && value >= 0;
const isIdentifier = (value) => typeof value === "string" && /^[A-Za-z0-9._:@+-]{1,128}$/.test(value);
const [label, keyLabel, block] = [utf8("closer-keys/v2/chat"), utf8("closer-keys/v2/chat-key"), 64];
const u32 = (number) => Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
const same = (one, other) => toHex(one) === toHex(other);
function parsed(text) { try { return JSON.parse(text); } catch { demand(false); } }
const members = {
  kind: isIdentifier, n: (value) => isWhole(value) && value > 0, at: isWhole, body: (value) => typeof value === "string", seen: isWhole, replyTo: isIdentifier,
  expires: isWhole, cut: (value) => value === true, payload: (value) => isObject(value) && !Array.isArray(value) && depth(value) <= 16,
};
function message(bytes) {
  let text;
  try { text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes); } catch { demand(false); }
  const value = parsed(text);
  demand(isObject(value) && canonical(value) === text && ["kind", "n", "at", "body"].every((name) => Object.hasOwn(value, name)));
  demand(Object.keys(value).every((name) => Object.hasOwn(members, name) && members[name](value[name])));
  demand(!["reaction", "edit", "delete"].includes(value.kind) || value.replyTo);
  return value;
}
function boundToken(text) {
  const bytes = token("chat:v2:", text, 176), number = (at) => Buffer.from(bytes).readUInt32BE(at);
  demand(number(0) && number(4));
  return { index: number(0), ourIndex: number(4), key: reduced(bytes.slice(8, 40)), box: bytes.slice(40) };
}
const indexed = (text, decode) => ({ index: Number(text.split(":")[0]), key: decode(text.split(":")[1]) });
async function openBound(test, found, ours, theirs, isOurs, trace = {}) {
  await agree(ours.key, found.key); // one of low order is refused before anything is opened
  const secret = join(await longTerm(test), await agree(ours.key, theirs.key));
  const our = { ...ours, key: await publicOf(ours.key) }, [sender, recipient] = isOurs ? [our, theirs] : [theirs, our];
  const [chat, from, to, id] = [test.chatId, test.from, test.to, test.messageId].map(identifier);
  const key = await hkdf(secret, chat, join(...[label, from, to, u32(sender.index), u32(recipient.index), sender.key, recipient.key].map(counted)));
  const data = join(...[label, chat, from, to, id].map(counted));
  Object.assign(trace, { sharedSecret: toHex(secret), derivedKey: toHex(key), associatedData: toHex(data) });
  demand(found.index === sender.index && found.ourIndex === recipient.index && same(found.key, sender.key), "authFailed");
  const padded = await gcm(key, found.box, data, "authFailed");
  demand(padded.length % block === 0);
  const end = 4 + Buffer.from(padded).readUInt32BE(0), padding = padded.subarray(end);
  demand(end <= padded.length && padding.length < block && !padding.some((byte) => byte));
  demand(end - 4 <= 65536, "limit");
  return padded.slice(4, end);
}
// What a reader knows: the numbers that it has seen, as ranges, and the highest of its own that the other has.
function noted(state, { n, seen = 0, expires = Infinity, cut }, now) {
  const lasts = state.seen.map(([, last]) => last), highest = lasts.at(-1) ?? 0, ranges = [];
  demand(lasts.length <= 64 && state.seen.every(([first, last], at) => isWhole(last) && first <= last && first > (at ? lasts[at - 1] + 1 : 0)));
  demand(!cut, "notYet");
  for (const [first, last] of [...state.seen, [n, n]].sort((one, other) => one[0] - other[0])) {
    const before = ranges.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else ranges.push([first, last]);
  }
  if (ranges.length > 64) ranges.splice(0, 2, [ranges[0][0], ranges[1][1]]); // the lowest gap counts as seen
  const missing = n > highest + 1 && n - highest - 1 <= 1000000 ? [[highest + 1, n - 1]] : [];
  const after = canonical({ seen: ranges, seenByThem: Math.max(state.seenByThem, seen) });
  return { new: !state.seen.some(([first, last]) => first <= n && n <= last), missing, expired: expires <= now * 1000, state: after };
}
async function receive(test) {
  const found = boundToken(test.token), keys = test.chatKeys.split(" ").filter(Boolean).map((text) => indexed(text, hex));
  for (const { key } of keys) demand(!same(await publicOf(key), found.key), "authFailed"); // one of ours: it was sent back
  const ours = keys.find(({ index }) => index === found.ourIndex);
  demand(ours, "noKey");
  const text = await openBound(test, found, ours, found, false);
  return noted(JSON.parse(test.state), message(text), Number(test.now));
}
async function provenKey(test) {
  const value = parsed(test.text), { senderId, recipientId, index, publicKey, mac } = value ?? {};
  // A name that comes twice: JSON.parse takes the last.
  demand(isObject(value) && test.text.match(/"(?:[^"\\]|\\.)*"(?=\s*:)/g)?.length === names(value));
  demand(isIdentifier(senderId) && isIdentifier(recipientId) && isWhole(index) && index > 0 && index < 2 ** 32);
  demand(typeof publicKey === "string" && typeof mac === "string");
  const key = reduced(unbase64(publicKey)), tag = unbase64(mac, "base64url"), secret = await longTerm(test);
  await agree(hex(test.privateKey), key); // one of low order is refused
  demand(tag.length === 32);
  const macKey = await hkdf(secret, none, join(...[keyLabel, utf8(senderId), utf8(recipientId)].map(counted)));
  const hmac = await subtle.importKey("raw", macKey, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const isProven = await subtle.verify("HMAC", hmac, tag, join(...[keyLabel, identifier(test.chatId), u32(index), key].map(counted)));
  demand(isProven && senderId === test.from && recipientId === test.to, "macInvalid");
  return { index, publicKey };
}
const open = {
  "aead.open": (test) => openAEAD(hex(test.keyset), hex(test.ciphertext), hex(test.associatedData)),
  "field.open": (test) => openAEAD(hex(test.keyset), token("enc:v1:", test.token), identifier(test.coupleId)),
  "placedField.open": (test) => {
    demand(!test.token.startsWith("enc:v1:"), "unbound"); // such a token is bound to no place: a server may have moved it
    return openAEAD(hex(test.keyset), token("enc:v2:", test.token), placed(test.coupleId, test.place));
  },
  "ecies.open": (test, trace) => openBox(hex(test.keyset), hex(test.ciphertext), hex(test.context), trace),
  "keybox.open": (test, trace) => openBox(hex(test.keyset), token("keybox:v1:", test.keybox, 120), utf8(test.context), trace),
  "chat.fitlink.open": async (test, trace) => {
    const [iv, content] = [unbase64(test.iv), unbase64(test.encrypted_content)];
    demand(iv.length === 12);
    return gcm(await chatKey(test, identifier(test.chatId), "FitLinkChat", trace), join(iv, content), none, "authFailed");
  },
  "chat.fond.open": async (test, trace) => gcm(await chatKey(test, hex(test.salt), test.info, trace), unbase64(test.field), none, "authFailed"),
  "chat2.open": async (test, trace) => {
    const found = boundToken(test.token), theirs = indexed(test.peerChatKey, (text) => reduced(unbase64(text)));
    const text = await openBound(test, found, indexed(test.chatKey, hex), theirs, test.role === "sender", trace);
    return message(text) && text;
  },
  "chat2.receive": receive,
  "chat2.key": provenKey,
  "base64.decode": (test) => unbase64(test.text, test.variant === "url" ? "base64url" : "base64"),
  "x25519.agree": (test) => agree(hex(test.privateKey), hex(test.publicKey)),
};
const member = { "base64.decode": "bytes", "x25519.agree": "sharedSecret" };
async function answer({ cmd, op, case: test }, trace = {}) {
  if (cmd === "start") return { features: [...Object.keys(open), "wrap.unwrap", "invite.open", "pairing.code"] };
  if (op === "pairing.code") try { return { output: code(test) }; } catch ({ id }) { return { error: id ?? "internal" }; }
  if (!open[op]) return { skip: "Argon2id" };
  try {
    const output = await open[op](test, trace);
    return { output: output instanceof Uint8Array ? { [member[op] ?? "plaintext"]: toHex(output) } : output, trace };
  }
  catch ({ id, skip }) { return skip ? { skip } : { error: id ?? "internal", trace }; }
}
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.cmd === "stop") process.exit();
  console.log(JSON.stringify({ seq: message.seq, ...(await answer(message)) }));
}
