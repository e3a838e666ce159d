
// MARK: - Strict JSON

class Malformed extends Error {}

/** What two parsers read alike, or undefined. JSON.parse has the grammar of RFC 8259; the rest is read from the tokens. */
function parse(text) {
  try {
    const string = typeof text === "string" ? text : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
    if (Buffer.byteLength(string) > MAXIMUM_BYTE_COUNT) return undefined;
    const value = JSON.parse(string);
    return isStrict(string) ? value : undefined;
  } catch {
    return undefined;
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]|[^\s{}[\]:,"]+/g;

/** Whether a JSON text has unique names, 16 levels at most, whole characters, and numbers that a double holds. */
function isStrict(text) {
  const names = [];
  let last;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") names.push(new Set());
    else if (token === "}" || token === "]") names.pop();
    else if (token === ":") { if (!isNew(names.at(-1), last)) return false; }
    else if (token[0] === '"') { last = JSON.parse(token); if (/\p{Surrogate}/u.test(last)) return false; }
    else if (/^[-0-9]/.test(token) && !isExact(token)) return false;
    if (names.length > MAXIMUM_DEPTH) return false;
  }
  return true;
}

const isNew = (names, name) => !names.has(name) && Boolean(names.add(name));

/** A whole number up to 2^53 - 1, a fraction below it, or what is written with an exponent (RFC 7493 §2.2). */
function isExact(literal) {
  const size = Math.abs(Number(literal));
  return size <= Number.MAX_SAFE_INTEGER || (size < Infinity && size >= 1e21 && /[.eE]/.test(literal));
}
