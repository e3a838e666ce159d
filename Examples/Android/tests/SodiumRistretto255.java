package closerkeys;

import com.sun.jna.Library;
import com.sun.jna.Native;

/** libsodium's ristretto255 on a desktop, by JNA. On a phone this is LazySodiumRistretto255. */
final class SodiumRistretto255 implements Ristretto255 {
    private static final Sodium SODIUM = Native.load("sodium", Sodium.class);

    /** By libsodium's names. */
    interface Sodium extends Library {
        int sodium_init();

        int crypto_core_ristretto255_from_hash(byte[] element, byte[] hash);

        int crypto_scalarmult_ristretto255(byte[] product, byte[] scalar, byte[] element);

        int crypto_core_ristretto255_is_valid_point(byte[] element);

        void crypto_core_ristretto255_scalar_random(byte[] scalar);
    }

    static {
        if (SODIUM.sodium_init() < 0) throw new IllegalStateException("libsodium does not start");
    }

    @Override
    public byte[] fromHash(byte[] hash) {
        byte[] element = new byte[32];
        SODIUM.crypto_core_ristretto255_from_hash(element, hash);
        return element;
    }

    @Override
    public byte[] multiply(byte[] scalar, byte[] element) {
        byte[] product = new byte[32];
        return SODIUM.crypto_scalarmult_ristretto255(product, scalar, element) == 0 ? product : null;
    }

    @Override
    public boolean isValid(byte[] element) {
        return SODIUM.crypto_core_ristretto255_is_valid_point(element) == 1;
    }

    @Override
    public byte[] randomScalar() {
        byte[] scalar = new byte[32];
        SODIUM.crypto_core_ristretto255_scalar_random(scalar);
        return scalar;
    }
}
