package closerkeys;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A keyset as tinkey prints it, which may be in a wrap: strict JSON with exactly Tink's members. */
final class KeysetJson {
    private static final int MAXIMUM_BYTES = 32 * 1024;

    private KeysetJson() {}

    static boolean isJson(byte[] content) {
        for (byte each : content) if (" \t\n\r\f\u000b".indexOf(each) < 0) return each == '{';
        return false;
    }

    static Keyset read(byte[] content) throws Refused {
        Refused.demand(content.length <= MAXIMUM_BYTES, Refused.Reason.LIMIT);
        Map<String, Object> members = exactly(Json.read(content), "primaryKeyId", "key");
        Refused.form(members.get("key") instanceof List);
        List<Keyset.Key> keys = new ArrayList<>();
        for (Object key : (List<?>) members.get("key")) keys.add(key(key));
        // In the one form that partners read, and the state, too: a value may have more in it.
        return Keyset.readTheirs(new Keyset(id(members, "primaryKeyId"), keys).write(33));
    }

    private static Keyset.Key key(Object value) throws Refused {
        Map<String, Object> key = exactly(value, "keyData", "status", "keyId", "outputPrefixType");
        long status = number(key, "status", "ENABLED", "DISABLED", "DESTROYED");
        long prefix = number(key, "outputPrefixType", "TINK", "LEGACY", "RAW", "CRUNCHY");
        if (!key.containsKey("keyData")) return Keyset.key(id(key, "keyId"), status, prefix, "", new byte[0], 0);
        Map<String, Object> data = exactly(key.get("keyData"), "typeUrl", "value", "keyMaterialType");
        long kind = number(data, "keyMaterialType", "SYMMETRIC", "ASYMMETRIC_PRIVATE", "ASYMMETRIC_PUBLIC");
        byte[] bytes = Base64Text.fromStandard(Json.text(data, "value"));
        return Keyset.key(id(key, "keyId"), status, prefix, Json.text(data, "typeUrl"), bytes, kind);
    }

    private static Map<String, Object> exactly(Object value, String... names) throws Refused {
        Map<String, Object> members = Json.object(value);
        Refused.form(Arrays.asList(names).containsAll(members.keySet()));
        return members;
    }

    /** Zero is left out. */
    private static long id(Map<String, Object> members, String name) throws Refused {
        Object id = members.containsKey(name) ? members.get(name) : Double.valueOf(0);
        Refused.form(id instanceof Double);
        double number = (Double) id;
        Refused.form(number == Math.rint(number) && 0 <= number && number < 4294967296.0);
        return (long) number;
    }

    /** An enumeration's value, which begins with 1. */
    private static long number(Map<String, Object> members, String name, String... values) throws Refused {
        return 1 + Arrays.asList(values).indexOf(Json.text(members, name));
    }
}
