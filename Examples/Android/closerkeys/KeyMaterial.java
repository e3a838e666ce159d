package closerkeys;

/** What a key of a keyset is: AES-GCM, or one half of an ECIES key. closer-keys-formats(7), KEYSETS. */
interface KeyMaterial {
    String TYPE = "type.googleapis.com/google.crypto.tink.";

    String type();

    /** Tink's KeyMaterialType. */
    int kind();

    /** The key as protobuf, with integers of a width of 32 or 33 bytes. */
    byte[] value(int width);

    /** How many bytes its ciphertexts have beside prefix and plaintext. */
    int overhead();

    /** Opens what stands behind the prefix. */
    byte[] open(byte[] rest, byte[] data) throws Refused;

    static KeyMaterial read(String type, byte[] value) throws Refused {
        if (type.equals(AesKey.NAME)) return AesKey.read(value);
        if (type.equals(EciesPrivateKey.NAME)) return EciesPrivateKey.read(value);
        Refused.form(type.equals(EciesPublicKey.NAME));
        return EciesPublicKey.read(value);
    }
}
