package closerkeys;

/**
 * A payload under a key of its own, which the author keeps until the release. closer-keys-formats(7), SEALED ANSWERS.
 */
final class SealedPayload {
    final String token;
    final String commitment;
    /** A binary keyset of one key: what the keybox will hold. */
    final byte[] oneTimeKey;

    private SealedPayload(String token, String commitment, byte[] oneTimeKey) {
        this.token = token;
        this.commitment = commitment;
        this.oneTimeKey = oneTimeKey;
    }

    static SealedPayload seal(byte[] payload, AnswerContext context) throws Refused {
        CoupleKey key = CoupleKey.random();
        String token = Token.SEALED.write(key.seal(payload, context.ofPayload()));
        Token.SEALED.read(token);
        return new SealedPayload(token, Payload.commitment(payload), key.bytes());
    }

    /**
     * Nobody can tell a wrong key from a changed byte. Another client's one-time key may be 32 bytes, without a keyset.
     */
    static byte[] open(String token, byte[] oneTimeKey, AnswerContext context) throws Refused {
        byte[] box = Token.SEALED.read(token);
        if (oneTimeKey.length == 32) return Aes.open(oneTimeKey, box, context.ofPayload());
        CoupleKey key = CoupleKey.readTheirs(oneTimeKey);
        Refused.form(key.keyset.keys.size() == 1);
        try {
            return key.open(box, context.ofPayload());
        } catch (Refused refused) {
            throw new Refused(Refused.Reason.AUTH_FAILED);
        }
    }
}
