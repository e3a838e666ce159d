package closerkeys;

/** A device's private key, which opens keyboxes. */
final class EciesPrivateKey implements KeyMaterial {
    static final String NAME = TYPE + "EciesAeadHkdfPrivateKey";

    final EciesPublicKey publicKey;
    final byte[] scalar;

    private EciesPrivateKey(EciesPublicKey publicKey, byte[] scalar) {
        this.publicKey = publicKey;
        this.scalar = scalar;
    }

    static EciesPrivateKey random() {
        byte[] scalar = P256.newScalar();
        try {
            return new EciesPrivateKey(new EciesPublicKey(EciesParameters.TEMPLATE, P256.Point.of(scalar)), scalar);
        } catch (Refused impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The two halves must belong together. */
    static EciesPrivateKey read(byte[] value) throws Refused {
        Protobuf key = Protobuf.read(value);
        EciesPublicKey publicKey = EciesPublicKey.read(key.bytes(2));
        byte[] scalar = EciesPublicKey.integer(key.bytes(3));
        Refused.form(key.number(1) == 0 && P256.Point.of(scalar).isSameAs(publicKey.point));
        return new EciesPrivateKey(publicKey, scalar);
    }

    @Override
    public String type() {
        return NAME;
    }

    @Override
    public int kind() {
        return 2;
    }

    @Override
    public byte[] value(int width) {
        return new Protobuf.Writer().message(2, publicKey.value(width))
            .bytes(3, EciesPublicKey.wide(scalar, width)).done();
    }

    @Override
    public int overhead() {
        return publicKey.overhead();
    }

    @Override
    public byte[] open(byte[] rest, byte[] context) throws Refused {
        byte[] ephemeral = Bytes.slice(rest, 0, publicKey.parameters.pointSize());
        byte[] shared = P256.agree(scalar, P256.Point.read(ephemeral));
        byte[] key = publicKey.parameters.key(ephemeral, shared, context);
        try {
            return Aes.open(key, Bytes.slice(rest, ephemeral.length, rest.length), new byte[0]);
        } finally {
            Bytes.wipe(shared, key);
        }
    }
}
