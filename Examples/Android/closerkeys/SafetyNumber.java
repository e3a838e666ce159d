package closerkeys;

import java.util.Locale;

/**
 * Sixty digits that two people compare: Signal's numeric fingerprint, version 0. closer-keys-formats(7), SAFETY
 * NUMBERS.
 */
final class SafetyNumber {
    private static final int ITERATIONS = 5200;

    private SafetyNumber() {}

    /** Of two devices of a couple, in whatever order. */
    static String ofCouple(String couple, String user, PublicKey key, String otherUser, PublicKey otherKey)
        throws Refused {
        byte[] name = Bytes.utf8(Names.id(couple));
        return sorted(
            fingerprint(Bytes.utf8(Names.id(user)), coupleKey(name, key)),
            fingerprint(Bytes.utf8(Names.id(otherUser)), coupleKey(name, otherKey)));
    }

    /** Of two X25519 keys, in standard base64. */
    static String ofX25519(String user, String key, String otherUser, String otherKey) throws Refused {
        return sorted(
            fingerprint(Bytes.utf8(Names.id(user)), X25519Keys.read(key)),
            fingerprint(Bytes.utf8(Names.id(otherUser)), X25519Keys.read(otherKey)));
    }

    /** Thirty digits. */
    static String fingerprint(byte[] identity, byte[] key) throws Refused {
        byte[] state = Bytes.concat(new byte[2], key, identity);
        for (int count = 0; count < ITERATIONS; count++) state = Hash.sha512(Bytes.concat(state, key));
        StringBuilder digits = new StringBuilder();
        for (int at = 0; at < 30; at += 5) {
            digits.append(String.format(Locale.ROOT, "%05d", Bytes.number(Bytes.slice(state, at, at + 5)) % 100_000));
        }
        return digits.toString();
    }

    private static byte[] coupleKey(byte[] couple, PublicKey key) {
        return Bytes.lengthPrefixed(Bytes.utf8("closer-keys/sn/1"), couple, key.bytes());
    }

    private static String sorted(String one, String other) {
        return one.compareTo(other) <= 0 ? one + other : other + one;
    }
}
