package closerkeys;

import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** AES-GCM of the platform, with a key of 16 or 32 bytes. A box is iv(12) ‖ ciphertext ‖ tag(16). */
final class Aes {
    static final int IV = 12;
    static final int OVERHEAD = 28;

    private Aes() {}

    static byte[] seal(byte[] key, byte[] plaintext, byte[] data) {
        byte[] iv = Bytes.random(IV);
        try {
            return Bytes.concat(iv, cipher(Cipher.ENCRYPT_MODE, key, iv, data).doFinal(plaintext));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    static byte[] open(byte[] key, byte[] box, byte[] data) throws Refused {
        Refused.form(box.length >= OVERHEAD);
        try {
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, Bytes.slice(box, 0, IV), data);
            return cipher.doFinal(box, IV, box.length - IV);
        } catch (AEADBadTagException error) {
            throw new Refused(Refused.Reason.AUTH_FAILED);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static Cipher cipher(int mode, byte[] key, byte[] iv, byte[] data) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, iv));
        cipher.updateAAD(data);
        return cipher;
    }
}
