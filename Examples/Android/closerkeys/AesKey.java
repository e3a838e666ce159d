package closerkeys;

/** An AES-256-GCM key. 16 bytes are refused, or an attacker could put in a weaker key. */
final class AesKey implements KeyMaterial {
    static final String NAME = TYPE + "AesGcmKey";

    final byte[] bytes;

    AesKey(byte[] bytes) {
        this.bytes = bytes;
    }

    static AesKey read(byte[] value) throws Refused {
        Protobuf key = Protobuf.read(value);
        Refused.form(key.number(1) == 0 && key.bytes(3).length == 32);
        return new AesKey(key.bytes(3));
    }

    @Override
    public String type() {
        return NAME;
    }

    @Override
    public int kind() {
        return 1;
    }

    @Override
    public byte[] value(int width) {
        return new Protobuf.Writer().bytes(3, bytes).done();
    }

    @Override
    public int overhead() {
        return Aes.OVERHEAD;
    }

    @Override
    public byte[] open(byte[] rest, byte[] data) throws Refused {
        return Aes.open(bytes, rest, data);
    }
}
