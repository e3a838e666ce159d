package closerkeys;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Bytes: joined, cut, compared, drawn and wiped. closer-keys-formats(7), NOTATION. */
final class Bytes {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Bytes() {}

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Strict: nothing is replaced. */
    static String text(byte[] utf8) throws Refused {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
        } catch (CharacterCodingException error) {
            throw new Refused(Refused.Reason.MALFORMED);
        }
    }

    static byte[] concat(byte[]... parts) {
        int count = 0;
        for (byte[] part : parts) count += part.length;
        ByteBuffer all = ByteBuffer.allocate(count);
        for (byte[] part : parts) all.put(part);
        return all.array();
    }

    /** LP: each item behind its count of bytes. */
    static byte[] lengthPrefixed(byte[]... items) {
        byte[][] parts = new byte[2 * items.length][];
        for (int index = 0; index < items.length; index++) {
            parts[2 * index] = u32(items[index].length);
            parts[2 * index + 1] = items[index];
        }
        return concat(parts);
    }

    /** LP, read back. */
    static List<byte[]> items(byte[] all) throws Refused {
        List<byte[]> items = new ArrayList<>();
        for (int at = 0; at < all.length; ) {
            long count = number(slice(all, at, at + 4));
            Refused.form(count <= all.length - at - 4);
            items.add(slice(all, at + 4, at + 4 + (int) count));
            at += 4 + (int) count;
        }
        return items;
    }

    static byte[] u32(long number) {
        return ByteBuffer.allocate(4).putInt((int) number).array();
    }

    /** Big-endian, of at most seven bytes. */
    static long number(byte[] bytes) {
        long number = 0;
        for (byte each : bytes) number = number << 8 | each & 0xff;
        return number;
    }

    static byte[] slice(byte[] bytes, int from, int to) throws Refused {
        Refused.form(0 <= from && from <= to && to <= bytes.length);
        return Arrays.copyOfRange(bytes, from, to);
    }

    static boolean startsWith(byte[] bytes, byte[] prefix) {
        return bytes.length >= prefix.length && Arrays.equals(prefix, Arrays.copyOf(bytes, prefix.length));
    }

    /** In a time that does not depend on where they differ. */
    static boolean areEqual(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }

    static byte[] random(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** An id that a key may have: never zero. */
    static long randomId() {
        long id = 0;
        while (id == 0) id = number(random(4));
        return id;
    }

    /** Symbols of an alphabet of 32, or another power of two up to 256. */
    static String randomText(String alphabet, int count) {
        StringBuilder text = new StringBuilder();
        for (byte each : random(count)) text.append(alphabet.charAt((each & 0xff) % alphabet.length()));
        return text.toString();
    }

    static void wipe(byte[]... secrets) {
        for (byte[] secret : secrets) Arrays.fill(secret, (byte) 0);
    }
}
