package closerkeys;

/** How an ECIES key seals: P-256, HKDF-SHA256 and AES-GCM, with the variants that Tink allows. */
final class EciesParameters {
    private static final int P256_CURVE = 2;
    private static final int SHA256 = 3;
    private static final int MAXIMUM_SALT = 1024;

    /** ECIES_P256_HKDF_HMAC_SHA256_AES128_GCM. */
    static final EciesParameters TEMPLATE = new EciesParameters(false, new byte[0], 16, 1);

    final boolean isCompressed;
    final byte[] salt;
    final int keySize;
    private final long demPrefix;

    private EciesParameters(boolean isCompressed, byte[] salt, int keySize, long demPrefix) {
        this.isCompressed = isCompressed;
        this.salt = salt;
        this.keySize = keySize;
        this.demPrefix = demPrefix;
    }

    static EciesParameters read(Protobuf params) throws Refused {
        Protobuf kem = params.message(1);
        Protobuf template = params.message(2).message(2);
        Protobuf format = template.message(2);
        long point = params.number(3);
        Refused.demand(kem.bytes(11).length <= MAXIMUM_SALT, Refused.Reason.LIMIT);
        Refused.form(kem.number(1) == P256_CURVE && kem.number(2) == SHA256 && (point == 1 || point == 2));
        Refused.form(Bytes.text(template.bytes(1)).equals(AesKey.NAME) && format.number(3) == 0);
        Refused.form(format.number(2) == 16 || format.number(2) == 32);
        Refused.form(1 <= template.number(3) && template.number(3) <= 4);
        return new EciesParameters(point == 2, kem.bytes(11), (int) format.number(2), template.number(3));
    }

    byte[] write() {
        byte[] kem = new Protobuf.Writer().number(1, P256_CURVE).number(2, SHA256).bytes(11, salt).done();
        byte[] format = new Protobuf.Writer().number(2, keySize).done();
        byte[] template = new Protobuf.Writer()
            .bytes(1, Bytes.utf8(AesKey.NAME)).bytes(2, format).number(3, demPrefix).done();
        byte[] dem = new Protobuf.Writer().message(2, template).done();
        return new Protobuf.Writer().message(1, kem).message(2, dem).number(3, isCompressed ? 2 : 1).done();
    }

    int pointSize() {
        return isCompressed ? 33 : 65;
    }

    /** The bytes of the ephemeral point come first: closer-keys-formats(7), KEYBOXES. */
    byte[] key(byte[] ephemeral, byte[] shared, byte[] context) {
        return Hash.hkdf(Bytes.concat(ephemeral, shared), salt, context, keySize);
    }
}
