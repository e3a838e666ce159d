package closerkeys;

import java.util.Map;
import java.util.TreeMap;

/** What the three documents of a pairing have in common. closer-keys-pairing(7), DOCUMENTS. */
final class PairDocument {
    private static final int MAXIMUM = 16 * 1024;

    final Map<String, Object> members;
    final String lookup;

    private PairDocument(Map<String, Object> members, String lookup) {
        this.members = members;
        this.lookup = lookup;
    }

    static PairDocument read(String text) throws Refused {
        Map<String, Object> members = Json.readObject(text);
        Refused.form("couple".equals(members.get("purpose")));
        return new PairDocument(members, PairingCode.lookup(Json.text(members, "lookup")));
    }

    static Map<String, Object> headed(String lookup) {
        Map<String, Object> members = new TreeMap<>();
        members.put("lookup", lookup);
        members.put("purpose", "couple");
        return members;
    }

    byte[] token(Token kind, String name) throws Refused {
        byte[] bytes = kind.read(Json.text(members, name));
        Refused.form(bytes.length <= MAXIMUM);
        return bytes;
    }
}
