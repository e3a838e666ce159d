
// MARK: - One value

const within = ([least, most], number) => number >= least && number <= most;
/** The bytes behind a token's prefix, if it has one. Both alphabets are read; the pattern has seen that only one is there. */
const unbase64 = (text) => new Uint8Array(Buffer.from(text.slice(text.lastIndexOf(":") + 1), "base64"));

/** What a row of RULES may say, in the order of the check. */
const FORMS = {
  length: (ends, text) => within(ends, text.length),
  pattern: (pattern, text) => pattern.test(text),
  bytes: (ranges, text) => ranges.some((ends) => within(ends, unbase64(text).length)),
  numbers: (ends, number) => Number.isInteger(number) && within(ends, number),
  texts: (texts, text) => texts.includes(text),
  refused: (values, value) => !values.includes(value),
  count: (ends, value) => within(ends, Object.keys(value).length),
  elements: (form, value) => areIds(value) && areElements(form, Object.values(value)),
  code: (words, value, name) => words.every((word) => CODE[word](value, name)),
};

function satisfies(name, value) {
  return Object.keys(FORMS).every((form) => !(form in RULES[name]) || FORMS[form](RULES[name][form], value, name));
}

const areIds = (value) => Array.isArray(value) || Object.keys(value).every((name) => satisfies("identifier", name));

function areElements({ constant, rule, unique }, values) {
  const isRight = (value) => (rule ? TYPES.string(value) && satisfies(rule, value) : value === constant);
  return values.every(isRight) && (!unique || new Set(values).size === values.length);
}

/** What a row leaves to code. */
const CODE = {
  byteCount: () => true, // FORMS.bytes has counted.
  utf8: (text, name) => within(RULES[name].length, Buffer.byteLength(text)),
  json: (text) => text === SHORT_COSTS || areCosts(parse(text)),
  protobuf: (text) => publicPoint(unbase64(text)) !== null,
  p256: (text) => isOnP256(...publicPoint(unbase64(text))),
  x25519: (text) => isX25519(unbase64(text)),
  ristretto255: (text, name) => isElement(unbase64(text).subarray(SHARE_AT[name], SHARE_AT[name] + 32)),
};
/** An offer has 16 bytes before its share. */
const SHARE_AT = { offer: 16, reply: 0 };

const SHORT_COSTS = "argon2id$v=19$m=46080,t=3,p=1";
/** The costs of Argon2id by the names that clients use, and nothing beside them. */
const COSTS = [[["alg"], "argon2id"], [["m", "memory", "memoryKiB"], 46080], [["p", "parallelism"], 1], [["t", "iterations"], 3], [["v"], 19]];

function areCosts(object) {
  const members = TYPES.map(object) ? Object.entries(object) : [];
  const has = ([names, cost]) => members.some(([name, value]) => names.includes(name) && value === cost);
  return members.length === COSTS.length && COSTS.every(has);
}

// MARK: - A public key: a Tink keyset with one key, in the only spelling that protobuf has for it

const PUBLIC_KEY_TYPE = "type.googleapis.com/google.crypto.tink.EciesAeadHkdfPublicKey";
const AES_GCM_TYPE = "type.googleapis.com/google.crypto.tink.AesGcmKey";
const [P256, SHA256, ENABLED, ASYMMETRIC_PUBLIC] = [2, 3, 1, 3];
const [NUMBER, BYTES] = [0, 2];

/** The coordinates of the key's point, or null. closer-keys-formats(7), TINK, Reading a keyset. */
function publicPoint(bytes) {
  try {
    const keyset = message(bytes, { 1: NUMBER, 2: BYTES });
    const key = message(keyset[2], { 1: BYTES, 2: NUMBER, 3: NUMBER, 4: NUMBER });
    const data = message(key[1], { 1: BYTES, 2: BYTES, 3: NUMBER });
    const publicKey = message(data[2], { 2: BYTES, 3: BYTES, 4: BYTES });
    demand(bytes.length <= 16384 && key[2] === ENABLED && key[3] === keyset[1] && within([1, 4], key[4]));
    demand(textOf(data[1]) === PUBLIC_KEY_TYPE && data[3] === ASYMMETRIC_PUBLIC);
    demandParameters(publicKey[2]);
    demand(publicKey[3]?.length === publicKey[4]?.length);
    return [coordinate(publicKey[3]), coordinate(publicKey[4])];
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

function demandParameters(bytes) {
  const parameters = message(bytes, { 1: BYTES, 2: BYTES, 3: NUMBER });
  const kem = message(parameters[1], { 1: NUMBER, 2: NUMBER, 11: BYTES });
  const template = message(message(parameters[2], { 2: BYTES })[2], { 1: BYTES, 2: BYTES, 3: NUMBER });
  demand(within([1, 2], parameters[3]) && kem[1] === P256 && kem[2] === SHA256 && (kem[11]?.length ?? 0) <= 1024);
  demand(textOf(template[1]) === AES_GCM_TYPE && within([1, 4], template[3]));
  demand([16, 32].includes(message(template[2], { 2: NUMBER })[2]));
}

/** 32 bytes, or 33 of which the first is zero. */
function coordinate(bytes) {
  demand(bytes?.length === 32 || (bytes?.length === 33 && bytes[0] === 0));
  return BigInt("0x" + Buffer.from(bytes).toString("hex"));
}

/** The fields of a message: each once, in their order, none with its default value, in the shortest varints. */
function message(bytes, shape) {
  demand(bytes !== undefined);
  const fields = {};
  for (let at = 0, last = 0; at < bytes.length; ) {
    const varint = () => {
      const start = at;
      let value = 0n;
      do value |= BigInt(bytes[at] & 127) << BigInt(7 * (at - start)); while (bytes[at++] > 127 && at - start < 5);
      demand(at <= bytes.length && bytes[at - 1] !== 0 && bytes[at - 1] < 128 && value < 2n ** 32n);
      return Number(value);
    };
    const tag = varint(), field = Math.floor(tag / 8), value = varint();
    demand(field > last && shape[field] === tag % 8);
    fields[field] = shape[field] === NUMBER ? value : bytes.subarray(at, (at += value));
    demand(at <= bytes.length);
    last = field;
  }
  return fields;
}

function demand(holds) { if (!holds) throw new Malformed(); }
const textOf = (bytes) => Buffer.from(bytes ?? []).toString("latin1");
