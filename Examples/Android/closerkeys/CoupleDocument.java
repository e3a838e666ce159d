package closerkeys;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the server stores of a couple. Unknown members are ignored. closer-keys-formats(7), DOCUMENTS. */
final class CoupleDocument {
    /** 0 in the clear, 1 migrating, 2 sealed. */
    final long version;
    /** Null at version 0. */
    final Wrap wrap;
    /** Who has sealed their texts. */
    final Set<String> migrated = new TreeSet<>();
    /** The two users; empty if the document does not name them. */
    final Set<String> users = new TreeSet<>();

    private CoupleDocument(long version, Wrap wrap) {
        this.version = version;
        this.wrap = wrap;
    }

    static CoupleDocument read(String text) throws Refused {
        Map<String, Object> members = Json.readObject(text);
        int present = 0;
        for (String name : new String[] {"wrappedCoupleKey", "kdfSalt", "kdfParams"}) {
            if (members.containsKey(name)) present++;
        }
        Refused.form(present == 0 || present == 3);
        long version = version(members, present == 3 ? 2 : 0);
        Refused.demand(present == 0 || version > 0, Refused.Reason.DOWNGRADE);
        Refused.form(present == 3 || version == 0);
        CoupleDocument document = new CoupleDocument(version, present == 0 ? null : Wrap.read(members));
        if (members.get("encryptionMigrationUsers") != null) {
            for (Map.Entry<String, Object> each : Json.object(members.get("encryptionMigrationUsers")).entrySet()) {
                if (Boolean.TRUE.equals(each.getValue())) document.migrated.add(Names.id(each.getKey()));
            }
        }
        if (members.get("userIds") != null) {
            Refused.form(members.get("userIds") instanceof List);
            for (Object each : (List<?>) members.get("userIds")) {
                Refused.form(each instanceof String);
                document.users.add(Names.id((String) each));
            }
        }
        if (!document.users.isEmpty()) document.migrated.retainAll(document.users);
        return document;
    }

    private static long version(Map<String, Object> members, long otherwise) throws Refused {
        if (!members.containsKey("encryptionVersion")) return otherwise;
        Object version = members.get("encryptionVersion");
        Refused.form(Arrays.<Object>asList(0.0, 1.0, 2.0).contains(version));
        return ((Double) version).longValue();
    }

    /** For the server to merge into its own. */
    static String write(long version, Wrap wrap, Set<String> migrated) {
        Map<String, Object> members = new TreeMap<>(wrap.members());
        members.put("encryptionVersion", version);
        if (migrated != null) {
            Map<String, Object> marks = new TreeMap<>();
            for (String user : migrated) marks.put(user, true);
            members.put("encryptionMigrationUsers", marks);
        }
        return CanonicalJson.text(members);
    }
}
