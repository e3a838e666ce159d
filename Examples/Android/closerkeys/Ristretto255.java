package closerkeys;

/**
 * The group of a pairing, by libsodium: an app fills these four calls with its binding. Elements and scalars have 32
 * bytes. RFC 9496.
 */
public interface Ristretto255 {
    /** crypto_core_ristretto255_from_hash, of 64 bytes. */
    byte[] fromHash(byte[] hash);

    /** crypto_scalarmult_ristretto255; null if it says -1, which it does if the product is the identity. */
    byte[] multiply(byte[] scalar, byte[] element);

    /** crypto_core_ristretto255_is_valid_point. */
    boolean isValid(byte[] element);

    /** crypto_core_ristretto255_scalar_random: uniform, and not zero. */
    byte[] randomScalar();
}
