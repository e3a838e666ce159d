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
async function agree(privateKey, publicKey) {
  demand(privateKey.length === 32 && publicKey.length === 32);
  const pkcs8 = join(hex("302e020100300506032b656e04220420"), privateKey);
  const ours = await subtle.importKey("pkcs8", pkcs8, "X25519", false, ["deriveBits"]);
  const theirs = await subtle.importKey("raw", publicKey, "X25519", false, []);
  const shared = new Uint8Array(await subtle.deriveBits({ name: "X25519", public: theirs }, ours, 256).catch(() => new Uint8Array(32)));
  demand(shared.some((byte) => byte)); // CryptoKit does not look: a server could make everyone's key the same
  return shared;
}
async function chatKey(test, salt, info, trace) {
  const theirs = unbase64(test.peerPublicKey);
  demand(theirs.length === 32 && BigInt("0x" + toHex(Uint8Array.from(theirs).reverse())) < 2n ** 255n - 19n); // the one spelling: RFC 7748 reads others, too
  const shared = await agree(hex(test.privateKey), theirs);
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
  "base64.decode": (test) => unbase64(test.text, test.variant === "url" ? "base64url" : "base64"),
  "x25519.agree": (test) => agree(hex(test.privateKey), hex(test.publicKey)),
};
const member = { "base64.decode": "bytes", "x25519.agree": "sharedSecret" };
async function answer({ cmd, op, case: test }, trace = {}) {
  if (cmd === "start") return { features: [...Object.keys(open), "wrap.unwrap", "invite.open", "pairing.code"] };
  if (op === "pairing.code") try { return { output: code(test) }; } catch ({ id }) { return { error: id ?? "internal" }; }
  if (!open[op]) return { skip: "Argon2id" };
  try { return { output: { [member[op] ?? "plaintext"]: toHex(await open[op](test, trace)) }, trace }; }
  catch ({ id, skip }) { return skip ? { skip } : { error: id ?? "internal", trace }; }
}
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.cmd === "stop") process.exit();
  console.log(JSON.stringify({ seq: message.seq, ...(await answer(message)) }));
}
