package closerkeys;

/** A device's public key as the server has it: a keyset of one key, in a token. closer-keys-formats(7), PUBLIC KEYS. */
final class PublicKey {
    private static final int MAXIMUM_CONTEXT = 32 * 1024;

    private final Keyset keyset;

    private PublicKey(Keyset keyset) {
        this.keyset = keyset;
    }

    static PublicKey read(String token) throws Refused {
        Keyset keyset = Keyset.readTheirs(Token.PUBLIC_KEY.read(token));
        Refused.form(keyset.keys.size() == 1 && keyset.primary().material instanceof EciesPublicKey);
        return new PublicKey(keyset);
    }

    static PublicKey of(long id, EciesPublicKey key) throws Refused {
        return new PublicKey(Keyset.of(Keyset.Key.enabled(id, key)));
    }

    String token() {
        return Token.PUBLIC_KEY.write(bytes());
    }

    /** The keyset with integers of 33 bytes, however it came: what is compared, and what digits are made of. */
    byte[] bytes() {
        return keyset.write(33);
    }

    boolean isSameAs(PublicKey other) {
        return Bytes.areEqual(bytes(), other.bytes());
    }

    /** Whoever has a private key has that of the negative point, too, which has the same x. */
    boolean isOfOneWith(PublicKey other) {
        return Bytes.areEqual(point().x, other.point().x);
    }

    long id() {
        return keyset.primaryId;
    }

    P256.Point point() {
        return ((EciesPublicKey) keyset.primary().material).point;
    }

    /** Prefix, ephemeral point, and AES-GCM under a key that only the owner can compute. */
    byte[] seal(byte[] plaintext, byte[] context) throws Refused {
        checkContext(context);
        Keyset.Key key = keyset.primary();
        return Bytes.concat(key.prefix(), ((EciesPublicKey) key.material).seal(plaintext, context));
    }

    static void checkContext(byte[] context) throws Refused {
        Refused.demand(context.length <= MAXIMUM_CONTEXT, Refused.Reason.LIMIT);
    }
}
