package closerkeys;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** SHA-2 and HMAC of the platform, and HKDF over them. */
final class Hash {
    private Hash() {}

    static byte[] sha256(byte[] message) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(message);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    static byte[] sha512(byte[] message) {
        try {
            return MessageDigest.getInstance("SHA-512").digest(message);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    static byte[] hmac(byte[] key, byte[] message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            // An empty key is the same as one of zeros, and `SecretKeySpec` refuses it.
            mac.init(new SecretKeySpec(key.length == 0 ? new byte[32] : key, "HmacSHA256"));
            return mac.doFinal(message);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    /** HKDF-SHA256 of at most 32 bytes, which is one block: RFC 5869, sections 2.2 and 2.3. */
    static byte[] hkdf(byte[] secret, byte[] salt, byte[] info, int count) {
        byte[] extracted = hmac(salt, secret);
        byte[] block = hmac(extracted, Bytes.concat(info, new byte[] {1}));
        Bytes.wipe(extracted);
        return Arrays.copyOf(block, count);
    }

    /** A key that is derived from another for one purpose of one couple. */
    static byte[] subkey(byte[] key, String label, String couple) {
        byte[] info = Bytes.lengthPrefixed(Bytes.utf8(label), Bytes.utf8(couple));
        return hkdf(key, Bytes.utf8("closer-keys/v1"), info, 32);
    }
}
