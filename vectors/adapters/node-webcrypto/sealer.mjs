// A sealer for `closer-keys vectors live`: writes the v1 formats on WebCrypto, as Node 18 and browsers have it. No package.
// Nonces, ephemeral keys and one-time keys are new each time, from the platform's generator; WebCrypto has no Argon2id.
import { createInterface } from "node:readline";
const crypto = globalThis.crypto ?? (await import("node:crypto")).webcrypto;
const { subtle } = crypto;
const none = new Uint8Array();
const random = (count) => crypto.getRandomValues(new Uint8Array(count));
const join = (...parts) => new Uint8Array(Buffer.concat(parts.map((part) => new Uint8Array(part))));
const hex = (text) => new Uint8Array(Buffer.from(text, "hex"));
const toHex = (bytes) => Buffer.from(bytes).toString("hex");
const utf8 = (text) => new TextEncoder().encode(text);
const unbase64 = (text, alphabet = "base64") => new Uint8Array(Buffer.from(text, alphabet));
const base64 = (bytes) => Buffer.from(bytes).toString("base64");
const base64url = (bytes) => Buffer.from(bytes).toString("base64url");

// Protobuf: the values of a field. Keysets are one's own here, or already checked, so this need not be strict.
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
const varint = (number) => (number < 128 ? [number] : [(number % 128) + 128, ...varint(Math.floor(number / 128))]);
const field = (number, bytes) => [number * 8 + 2, ...varint(bytes.length), ...bytes];

const TINK = 1, RAW = 3, ENABLED = 1, SYMMETRIC = 1, UNCOMPRESSED = 1;
// The key that seals, wherever it stands. A disabled key may have the same id.
function primaryOf(keyset) {
  const [id] = fields(keyset, 1);
  const key = fields(keyset, 2).find((key) => fields(key, 3)[0] === id && fields(key, 2)[0] === ENABLED);
  const [type] = fields(key, 4), prefix = Buffer.alloc(5, type === TINK ? 1 : 0); // none, or 01 or 00 and the id
  prefix.writeUInt32BE(id, 1);
  return { value: path(key, 1, 2), prefix: type === RAW ? none : prefix };
}
function newKeyset() {
  const id = varint(new DataView(random(4).buffer).getUint32(0) || 1);
  const type = utf8("type.googleapis.com/google.crypto.tink.AesGcmKey");
  const data = [...field(1, type), ...field(2, field(3, random(32))), 3 * 8, SYMMETRIC];
  return Uint8Array.of(1 * 8, ...id, ...field(2, [...field(1, data), 2 * 8, ENABLED, 3 * 8, ...id, 4 * 8, TINK]));
}

async function gcm(key, plaintext, additionalData = none) {
  const iv = random(12);
  return join(iv, await subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, plaintext));
}
async function aead(keyset, plaintext, associatedData) {
  const { value, prefix } = primaryOf(keyset);
  const key = await subtle.importKey("raw", path(value, 3), "AES-GCM", false, ["encrypt"]);
  return join(prefix, await gcm(key, plaintext, associatedData));
}
async function derivedKey(secret, salt, info, length = 256) {
  const key = await subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  return subtle.deriveKey({ name: "HKDF", hash: "SHA-256", salt, info }, key, { name: "AES-GCM", length }, false, ["encrypt"]);
}
// Tink's ECIES. The bytes of the ephemeral key come before the shared secret, whose leading zeros stay.
async function ecies(keyset, plaintext, context) {
  const { value, prefix } = primaryOf(keyset);
  const params = path(value, 2), dem = path(params, 2, 2, 2), curve = { name: "ECDH", namedCurve: "P-256" };
  if (fields(params, 3)[0] !== UNCOMPRESSED) throw new Error("WebCrypto writes no compressed point");
  const coordinate = (number) => join(new Uint8Array(32), path(value, number)).slice(-32); // Java writes 33 bytes
  const theirs = await subtle.importKey("raw", join([4], coordinate(3), coordinate(4)), curve, false, []);
  const ours = await subtle.generateKey(curve, false, ["deriveBits"]);
  const kem = await subtle.exportKey("raw", ours.publicKey);
  const shared = await subtle.deriveBits({ name: "ECDH", public: theirs }, ours.privateKey, 256);
  const key = await derivedKey(join(kem, shared), path(params, 1, 11), context, fields(dem, 2)[0] * 8);
  return join(prefix, kem, await gcm(key, plaintext));
}
const imported = (privateKey) => subtle.importKey("pkcs8", join(hex("302e020100300506032b656e04220420"), privateKey), "X25519", true, ["deriveBits"]);
async function agree(privateKey, publicKey) {
  if (privateKey.length !== 32) throw new Error("no private key"); // Node's import passes over what is too much
  const ours = await imported(privateKey);
  const theirs = await subtle.importKey("raw", publicKey, "X25519", false, []);
  const shared = new Uint8Array(await subtle.deriveBits({ name: "X25519", public: theirs }, ours, 256));
  // Not every platform looks: with a low-order key a server could make everyone's secret the same.
  if (shared.every((byte) => byte === 0)) throw new Error("low-order public key");
  return shared;
}
const chatKey = async (test, salt, info) =>
  derivedKey(await agree(hex(test.privateKey), unbase64(test.peerPublicKey)), salt, utf8(info));

const u32 = (number) => Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
const counted = (...items) => join(...items.flatMap((item) => [u32(item.length), item]));

const operations = {
  "aead.seal": async ({ keyset, plaintext, associatedData }) =>
    ({ ciphertext: toHex(await aead(hex(keyset), hex(plaintext), hex(associatedData))) }),
  "field.seal": async ({ keyset, plaintext, coupleId }) =>
    ({ token: "enc:v1:" + base64(await aead(hex(keyset), hex(plaintext), utf8(coupleId))) }),
  "placedField.seal": async ({ keyset, plaintext, coupleId, place }) => {
    const data = counted(...["closer-keys/v2/field", coupleId, place].map(utf8));
    return { token: "enc:v2:" + base64(await aead(hex(keyset), hex(plaintext), data)) };
  },
  "ecies.seal": async ({ publicKeyset, plaintext, context }) =>
    ({ ciphertext: toHex(await ecies(hex(publicKeyset), hex(plaintext), hex(context))) }),
  "keybox.seal": async ({ publicKey, plaintext, context }) => {
    const keyset = unbase64(publicKey.slice("pub:v1:".length), "base64url");
    return { keybox: "keybox:v1:" + base64url(await ecies(keyset, hex(plaintext), utf8(context))) };
  },
  "chat.fitlink.seal": async (test) => {
    const box = await gcm(await chatKey(test, utf8(test.chatId), "FitLinkChat"), hex(test.plaintext));
    return { encrypted_content: base64(box.subarray(12)), iv: base64(box.subarray(0, 12)) };
  },
  "chat.fond.seal": async (test) =>
    ({ field: base64(await gcm(await chatKey(test, hex(test.salt), test.info), hex(test.plaintext))) }),
  "chat2.seal": async (test) => {
    const [[i, ours], [j, theirs]] = [test.chatKey.split(":"), test.peerChatKey.split(":")];
    const keys = [unbase64((await subtle.exportKey("jwk", await imported(hex(ours)))).x, "base64url"), unbase64(theirs)];
    const [label, chat, from, to, id, text] = [...["closer-keys/v2/chat", test.chatId, test.from, test.to, test.messageId].map(utf8), hex(test.plaintext)];
    const secret = join(await agree(hex(test.privateKey), unbase64(test.peerPublicKey)), await agree(hex(ours), keys[1]));
    const key = await derivedKey(secret, chat, counted(label, from, to, u32(i), u32(j), ...keys));
    const padded = join(u32(text.length), text, new Uint8Array(-(4 + text.length) & 63));
    return { token: "chat:v2:" + base64url(join(u32(i), u32(j), keys[0], await gcm(key, padded, counted(label, chat, from, to, id)))) };
  },
  "answer.seal": async ({ coupleId, questionId, userId, payload }) => {
    const oneTimeKey = newKeyset(), context = utf8(`${coupleId}|${questionId}|${userId}`);
    const encryptedPayload = "sealed:v1:" + base64url(await aead(oneTimeKey, hex(payload), context));
    const commitmentHash = "sha256:" + base64url(await subtle.digest("SHA-256", hex(payload)));
    return { oneTimeKey: toHex(oneTimeKey), encryptedPayload, commitmentHash };
  },
  "x25519.agree": async ({ privateKey, publicKey }) => ({ sharedSecret: toHex(await agree(hex(privateKey), hex(publicKey))) }),
};
async function answer({ cmd, op, case: test }) {
  if (cmd === "start") return { features: Object.keys(operations) };
  try { return { output: await operations[op](test) }; }
  catch (error) { return console.error(error.message), { error: "malformed" }; }
}
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.cmd === "stop") process.exit();
  console.log(JSON.stringify({ seq: message.seq, ...(await answer(message)) }));
}
