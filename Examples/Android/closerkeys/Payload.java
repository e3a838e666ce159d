package closerkeys;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the author of an answer commits to: canonical JSON with four members that blind it, pad it, and bind it to
 * author and place under a key of the couple. closer-keys-formats(7), Payload.
 */
final class Payload {
    static final int MAXIMUM = 64 * 1024;
    private static final int BLOCK = 256;
    private static final List<String> ADDED = Arrays.asList("_b", "_c", "_p", "_m");

    private Payload() {}

    static byte[] hardened(String answer, byte[] key, AnswerContext context, String place) throws Refused {
        Map<String, Object> members = new TreeMap<>(Json.readObject(answer));
        for (String name : members.keySet()) Refused.form(!name.startsWith("_"));
        members.put("_b", Base64Text.url(Bytes.random(32)));
        members.put("_c", place);
        members.put("_p", "");
        members.put("_m", zeros(43));
        int count = CanonicalJson.write(members).length;
        members.put("_p", zeros((BLOCK - count % BLOCK) % BLOCK));
        members.put("_m", mac(message(members, context), key, context));
        byte[] payload = CanonicalJson.write(members);
        Refused.demand(payload.length <= MAXIMUM, Refused.Reason.LIMIT);
        return payload;
    }

    static String mac(byte[] message, byte[] key, AnswerContext context) {
        return Base64Text.url(Hash.hmac(Hash.subkey(key, "sealed-mac", context.couple), message));
    }

    /** What the MAC is over: every member but `_m` itself. */
    static byte[] message(Map<String, Object> members, AnswerContext context) {
        Map<String, Object> rest = new TreeMap<>(members);
        rest.remove("_m");
        return Bytes.lengthPrefixed(
            Bytes.utf8("closer-keys/v1/sealed"), Bytes.utf8(context.couple), Bytes.utf8(context.question),
            Bytes.utf8(context.author), Hash.sha256(CanonicalJson.write(rest)));
    }

    /** Without what was added. */
    static String answer(byte[] payload) throws Refused {
        Map<String, Object> members = new TreeMap<>(Json.object(Json.read(payload)));
        members.keySet().removeAll(ADDED);
        return CanonicalJson.text(members);
    }

    static boolean hasAdded(Map<String, Object> members) {
        for (String name : ADDED) if (members.containsKey(name)) return true;
        return false;
    }

    /** All four, as texts. */
    static boolean isHardened(Map<String, Object> members) {
        for (String name : ADDED) if (!(members.get(name) instanceof String)) return false;
        return true;
    }

    static String commitment(byte[] payload) {
        return Token.COMMITMENT.write(Hash.sha256(payload));
    }

    /**
     * The bytes as they were received, or their canonical form, whichever was committed to. Android's org.json escapes
     * `/`, and does not sort.
     */
    static byte[] committed(byte[] received, String commitment) throws Refused {
        byte[] digest = Token.COMMITMENT.read(commitment);
        if (Bytes.areEqual(Hash.sha256(received), digest)) return received;
        byte[] canonical;
        try {
            canonical = CanonicalJson.write(Json.read(received));
        } catch (Refused refused) {
            throw new Refused(Refused.Reason.COMMITMENT_MISMATCH);
        }
        Refused.demand(Bytes.areEqual(Hash.sha256(canonical), digest), Refused.Reason.COMMITMENT_MISMATCH);
        return canonical;
    }

    private static String zeros(int count) {
        char[] zeros = new char[count];
        Arrays.fill(zeros, '0');
        return new String(zeros);
    }
}
