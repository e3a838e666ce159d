package closerkeys;

import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/** BouncyCastle's Argon2id with the only costs of the formats: 45 MiB of heap, and some 0.5 s. RFC 9106. */
final class Argon2id {
    private Argon2id() {}

    static byte[] derive(byte[] secret, byte[] salt) {
        Argon2Parameters parameters = new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(46080)
            .withIterations(3)
            .withParallelism(1)
            .withSalt(salt)
            .build();
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        byte[] key = new byte[32];
        generator.init(parameters);
        generator.generateBytes(secret, key);
        return key;
    }
}
