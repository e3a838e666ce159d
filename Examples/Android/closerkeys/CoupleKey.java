package closerkeys;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The key that both partners have: a keyset of AES-256-GCM keys. Fields are sealed with it. */
public final class CoupleKey {
    final Keyset keyset;

    CoupleKey(Keyset keyset) throws Refused {
        for (Keyset.Key key : keyset.keys) Refused.form(key.material == null || key.material instanceof AesKey);
        this.keyset = keyset;
    }

    static CoupleKey random() throws Refused {
        return new CoupleKey(Keyset.of(newKey(Bytes.randomId())));
    }

    /** The app's own, such as Tink wrote it: binary and in the clear. */
    static CoupleKey read(byte[] binary) throws Refused {
        return new CoupleKey(Keyset.readOwn(binary));
    }

    /** From a partner or a server: strict. */
    static CoupleKey readTheirs(byte[] binary) throws Refused {
        return new CoupleKey(Keyset.readTheirs(binary));
    }

    /** From a hold or a grant: every key opens. */
    static CoupleKey readGranted(byte[] binary) throws Refused {
        CoupleKey key;
        try {
            key = readTheirs(binary);
        } catch (Refused refused) {
            throw new Refused(Refused.Reason.MALFORMED);
        }
        for (Keyset.Key each : key.keyset.keys) Refused.form(each.status == Keyset.ENABLED);
        return key;
    }

    /** A binary keyset in the clear, for Tink to read. */
    public byte[] bytes() {
        return keyset.write();
    }

    static Keyset.Key newKey(long id) {
        return Keyset.Key.enabled(id, new AesKey(Bytes.random(32)));
    }

    /** With a new primary, under an id that no key of it has, nor had. */
    CoupleKey rotated(Retired retired) throws Refused {
        long id = Bytes.randomId();
        while (keyset.find(id) != null || retired.hasId(id)) id = Bytes.randomId();
        List<Keyset.Key> keys = new ArrayList<>(keyset.keys);
        keys.add(newKey(id));
        return new CoupleKey(new Keyset(id, keys));
    }

    CoupleKey enabledOnly() throws Refused {
        List<Keyset.Key> keys = new ArrayList<>();
        for (Keyset.Key key : keyset.keys) if (key.status == Keyset.ENABLED) keys.add(key);
        return new CoupleKey(new Keyset(keyset.primaryId, keys));
    }

    /** Whether every enabled key of another is here, and enabled. */
    boolean hasAll(CoupleKey other) {
        for (Keyset.Key theirs : other.keyset.enabled()) {
            boolean isHere = false;
            for (Keyset.Key ours : keyset.enabled()) isHere |= ours.isSameAs(theirs);
            if (!isHere) return false;
        }
        return true;
    }

    /** `enc:v1:`, bound to the couple alone. */
    String sealField(String couple, byte[] plaintext) throws Refused {
        return Token.FIELD.write(seal(plaintext, Bytes.utf8(Names.id(couple))));
    }

    Keyset.Opened openField(String couple, String token) throws Refused {
        return opened(Token.FIELD.read(token), Bytes.utf8(Names.id(couple)));
    }

    /** `enc:v2:`, bound to a place of 1 to 512 characters of printable ASCII, such as `users/alice/status`. */
    String sealField(String couple, String place, byte[] plaintext) throws Refused {
        return Token.PLACED_FIELD.write(seal(plaintext, Names.ofField(couple, place)));
    }

    Keyset.Opened openField(String couple, String place, String token) throws Refused {
        Refused.demand(!token.startsWith(Token.FIELD.prefix), Refused.Reason.UNBOUND);
        return opened(Token.PLACED_FIELD.read(token), Names.ofField(couple, place));
    }

    byte[] seal(byte[] plaintext, byte[] data) {
        Keyset.Key key = keyset.primary();
        return Bytes.concat(key.prefix(), Aes.seal(key.aes(), plaintext, data));
    }

    byte[] open(byte[] box, byte[] data) throws Refused {
        return opened(box, data).plaintext;
    }

    Keyset.Opened opened(byte[] box, byte[] data) throws Refused {
        return keyset.open(box, data, Aes.OVERHEAD);
    }

    /** Twenty digits and letters that two people read to each other: the same key shows the same. */
    String fingerprint(String couple) {
        byte[] subkey = Hash.subkey(keyset.primary().aes(), "fingerprint", couple);
        StringBuilder text = new StringBuilder();
        for (int index = 0; index < 10; index++) {
            text.append(index > 0 && index % 2 == 0 ? " " : "");
            text.append(String.format(Locale.ROOT, "%02x", subkey[index]));
        }
        return text.toString();
    }
}
