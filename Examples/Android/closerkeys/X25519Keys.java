package closerkeys;

import java.math.BigInteger;
import org.bouncycastle.math.ec.rfc7748.X25519;

/** BouncyCastle's X25519. Keys have 32 bytes. RFC 7748. */
final class X25519Keys {
    private static final BigInteger PRIME = BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));

    private X25519Keys() {}

    static byte[] publicKey(byte[] privateKey) {
        byte[] publicKey = new byte[32];
        X25519.generatePublicKey(privateKey, 0, publicKey, 0);
        return publicKey;
    }

    /** Refuses a secret of zeros, which anybody can know: RFC 7748, section 6.1. */
    static byte[] agree(byte[] privateKey, byte[] publicKey) throws Refused {
        byte[] shared = new byte[32];
        Refused.form(privateKey.length == 32 && publicKey.length == 32);
        Refused.form(X25519.calculateAgreement(privateKey, 0, publicKey, 0, shared, 0));
        return shared;
    }

    /** In standard base64. Refuses another spelling of the same number, and a key of low order. */
    static byte[] read(String text) throws Refused {
        byte[] key = Base64Text.fromStandard(text);
        Refused.form(key.length == 32);
        byte[] reversed = new byte[32];
        for (int index = 0; index < 32; index++) reversed[index] = key[31 - index];
        Refused.form(new BigInteger(1, reversed).compareTo(PRIME) < 0);
        agree(Bytes.random(32), key);
        return key;
    }
}
