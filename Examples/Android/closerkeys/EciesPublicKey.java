package closerkeys;

import java.math.BigInteger;

/** Somebody's public key, to which keyboxes are sealed. */
final class EciesPublicKey implements KeyMaterial {
    static final String NAME = TYPE + "EciesAeadHkdfPublicKey";

    final EciesParameters parameters;
    final P256.Point point;

    EciesPublicKey(EciesParameters parameters, P256.Point point) {
        this.parameters = parameters;
        this.point = point;
    }

    static EciesPublicKey read(byte[] value) throws Refused {
        Protobuf key = Protobuf.read(value);
        Refused.form(key.number(1) == 0);
        byte[] encoded = Bytes.concat(new byte[] {4}, integer(key.bytes(3)), integer(key.bytes(4)));
        return new EciesPublicKey(EciesParameters.read(key.message(2)), P256.Point.read(encoded));
    }

    /** Tink's versions write 32 bytes, 33, or as few as there are; up to 66 are read. */
    static byte[] integer(byte[] bytes) throws Refused {
        BigInteger number = new BigInteger(1, bytes);
        Refused.form(bytes.length <= 66 && number.bitLength() <= 256);
        return P256.padded(number, 32);
    }

    @Override
    public String type() {
        return NAME;
    }

    @Override
    public int kind() {
        return 3;
    }

    @Override
    public byte[] value(int width) {
        return new Protobuf.Writer().message(2, parameters.write())
            .bytes(3, wide(point.x, width)).bytes(4, wide(point.y, width)).done();
    }

    static byte[] wide(byte[] integer, int width) {
        return P256.padded(new BigInteger(1, integer), width);
    }

    byte[] seal(byte[] plaintext, byte[] context) throws Refused {
        byte[] scalar = P256.newScalar();
        byte[] ephemeral = P256.Point.of(scalar).encoded(parameters.isCompressed);
        byte[] shared = P256.agree(scalar, point);
        byte[] key = parameters.key(ephemeral, shared, context);
        byte[] box = Bytes.concat(ephemeral, Aes.seal(key, plaintext, new byte[0]));
        Bytes.wipe(scalar, shared, key);
        return box;
    }

    @Override
    public int overhead() {
        return parameters.pointSize() + Aes.OVERHEAD;
    }

    @Override
    public byte[] open(byte[] rest, byte[] data) throws Refused {
        throw new Refused(Refused.Reason.NO_KEY);
    }
}
