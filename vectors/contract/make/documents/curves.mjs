
// MARK: - Curves. All of it is public, so the time that it takes may show it.

const little = (bytes) => BigInt("0x" + Buffer.from(bytes).reverse().toString("hex"));

/** Whether the coordinates are those of a point of P-256 (SP 800-186 §3.2.1.3). */
function isOnP256(x, y) {
  const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
  const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
  return x < p && y < p && (y * y - x ** 3n + 3n * x - b) % p === 0n;
}

const P = 2n ** 255n - 19n;
const mod = (number) => ((number % P) + P) % P;
/** The u coordinates of the points whose order divides 8, on the curve and on its twist (RFC 7748 §6.1). */
const LOW_ORDER = [
  0n, 1n, P - 1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
];

/** Whether bytes are the one spelling of an X25519 key that is not of low order. */
function isX25519(bytes) {
  const u = little(bytes);
  return u < P && !LOW_ORDER.includes(u);
}

const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const SQRT_M1 = 19681161376707505956807079304988542015446066515923890162744021073123829784752n;
const isNegative = (number) => (number & 1n) === 1n;
const absolute = (number) => (isNegative(number) ? P - number : number);

function power(base, exponent) {
  let result = 1n;
  for (let square = base, rest = exponent; rest; rest >>= 1n, square = mod(square * square)) if (rest & 1n) result = mod(result * square);
  return result;
}

/** SQRT_RATIO_M1(1, v) of RFC 9496 §4.2; null if 1/v is no square. */
function inverseRoot(v) {
  const root = mod(v ** 3n * power(mod(v ** 7n), (P - 5n) / 8n));
  const check = mod(v * root * root);
  if (check !== 1n && check !== P - 1n) return null;
  return absolute(check === 1n ? root : mod(root * SQRT_M1));
}

/** Whether bytes are an element of ristretto255 other than the identity (RFC 9496 §4.3.1). */
function isElement(bytes) {
  const s = little(bytes);
  if (s >= P || isNegative(s) || s === 0n) return false;
  const [u1, u2] = [mod(1n - s * s), mod(1n + s * s)];
  const v = mod(-D * u1 * u1 - u2 * u2);
  const root = inverseRoot(mod(v * u2 * u2));
  if (root === null) return false;
  const x = absolute(mod(2n * s * root * u2));
  const y = mod(u1 * root * root * u2 * v);
  return y !== 0n && !isNegative(mod(x * y));
}
