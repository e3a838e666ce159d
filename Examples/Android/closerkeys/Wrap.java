package closerkeys;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The couple key under a recovery phrase, in three members of a document. closer-keys-formats(7), THE COUPLE KEY. */
final class Wrap {
    static final String COSTS = "{\"alg\":\"argon2id\",\"m\":46080,\"p\":1,\"t\":3,\"v\":19}";
    private static final byte[] OF_KEY = Bytes.utf8("closer_couple_key");
    private static final byte[] OF_PHRASE = Bytes.utf8("closer_recovery_phrase");

    final String wrappedCoupleKey;
    final String kdfSalt;
    final String kdfParams;

    Wrap(String wrappedCoupleKey, String kdfSalt, String kdfParams) throws Refused {
        this.wrappedCoupleKey = wrappedCoupleKey;
        this.kdfSalt = kdfSalt;
        this.kdfParams = kdfParams;
        checkCosts(kdfParams);
        Refused.form(Base64Text.fromStandard(kdfSalt).length == 16);
        Refused.form(Base64Text.fromEither(wrappedCoupleKey).length > Aes.OVERHEAD);
    }

    static Wrap read(Map<String, Object> members) throws Refused {
        return new Wrap(
            Json.text(members, "wrappedCoupleKey"), Json.text(members, "kdfSalt"), Json.text(members, "kdfParams"));
    }

    Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("wrappedCoupleKey", wrappedCoupleKey);
        members.put("kdfSalt", kdfSalt);
        members.put("kdfParams", kdfParams);
        return members;
    }

    /** Takes 0.5 s and 45 MiB of heap: not on the main thread. */
    static Wrap seal(byte[] keyset, String phrase) throws Refused {
        byte[] salt = Bytes.random(16);
        byte[] box = sealed(phrase, salt, keyset, OF_KEY);
        return new Wrap(Base64Text.standard(box), Base64Text.standard(salt), COSTS);
    }

    /** Tries the phrase in its normal form, then as it was typed: it may be another client's. */
    CoupleKey open(String phrase) throws Refused {
        byte[] content = content(phrase);
        Keyset keyset = KeysetJson.isJson(content) ? KeysetJson.read(content) : Keyset.readTheirs(content);
        Bytes.wipe(content);
        return new CoupleKey(keyset);
    }

    private byte[] content(String phrase) throws Refused {
        byte[] salt = Base64Text.fromStandard(kdfSalt);
        byte[] box = Base64Text.fromEither(wrappedCoupleKey);
        try {
            return opened(Phrase.normalised(phrase), salt, box, OF_KEY);
        } catch (Refused refused) {
            return opened(phrase, salt, box, OF_KEY);
        }
    }

    /** `recoveryPhrase` of an invite of version 1: the phrase under the code, which the server sees, too. */
    static String phraseUnderCode(String phrase, String code) {
        byte[] salt = Bytes.random(16);
        byte[] box = sealed(code, salt, Bytes.utf8(phrase), OF_PHRASE);
        return Base64Text.standard(Bytes.concat(new byte[] {1}, salt, box));
    }

    static String phraseFromCode(String recoveryPhrase, String code) throws Refused {
        byte[] box = Base64Text.fromStandard(recoveryPhrase);
        Refused.form(code.matches("[a-zA-Z0-9]{6}") && box.length > 45 && box[0] == 1);
        byte[] salt = Bytes.slice(box, 1, 17);
        return Bytes.text(opened(code, salt, Bytes.slice(box, 17, box.length), OF_PHRASE));
    }

    /** Exactly version 1's costs, however they are spelled: from a server they are a check, never an input. */
    static void checkCosts(String text) throws Refused {
        if (text.equals("argon2id$v=19$m=46080,t=3,p=1")) return;
        Map<String, Object> named = new TreeMap<>();
        for (Map.Entry<String, Object> member : Json.readObject(text).entrySet()) {
            Refused.form(named.put(shortName(member.getKey()), member.getValue()) == null);
        }
        Refused.form(CanonicalJson.text(named).equals(COSTS));
    }

    private static String shortName(String name) {
        switch (name) {
            case "memory":
            case "memoryKiB":
                return "m";
            case "iterations":
                return "t";
            case "parallelism":
                return "p";
            default:
                return name;
        }
    }

    private static byte[] sealed(String secret, byte[] salt, byte[] plaintext, byte[] purpose) {
        byte[] key = Argon2id.derive(Bytes.utf8(secret), salt);
        byte[] box = Aes.seal(key, plaintext, purpose);
        Bytes.wipe(key);
        return box;
    }

    private static byte[] opened(String secret, byte[] salt, byte[] box, byte[] purpose) throws Refused {
        byte[] key = Argon2id.derive(Bytes.utf8(secret), salt);
        try {
            return Aes.open(key, box, purpose);
        } finally {
            Bytes.wipe(key);
        }
    }
}
