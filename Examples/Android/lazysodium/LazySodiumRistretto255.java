package closerkeys;

import com.goterl.lazysodium.interfaces.Ristretto255.Native;

/**
 * libsodium's ristretto255 on a phone, by lazysodium-android. NOT RUN by this project, which has no Android: run
 * `closer-keys vectors run` and `vectors live` over your app's code once, with an adapter in an instrumented test.
 *
 * <pre>Ristretto255 group = new LazySodiumRistretto255(new LazySodiumAndroid(new SodiumAndroid()));</pre>
 */
public final class LazySodiumRistretto255 implements Ristretto255 {
    private final Native sodium;

    public LazySodiumRistretto255(Native sodium) {
        this.sodium = sodium;
    }

    @Override
    public byte[] fromHash(byte[] hash) {
        byte[] element = new byte[32];
        sodium.cryptoCoreRistretto255FromHash(element, hash);
        return element;
    }

    @Override
    public byte[] multiply(byte[] scalar, byte[] element) {
        byte[] product = new byte[32];
        return sodium.cryptoScalarmultRistretto255(product, scalar, element) ? product : null;
    }

    @Override
    public boolean isValid(byte[] element) {
        return sodium.cryptoCoreRistretto255IsValidPoint(element);
    }

    /** lazysodium says that it may be zero, which libsodium's never is. */
    @Override
    public byte[] randomScalar() {
        byte[] scalar = new byte[32];
        sodium.cryptoCoreRistretto255ScalarRandom(scalar);
        return scalar;
    }
}
