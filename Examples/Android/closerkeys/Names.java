package closerkeys;

import java.util.regex.Pattern;

/** Ids, and what binds a text to where it belongs. closer-keys-formats(7), NOTATION and FIELDS. */
final class Names {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:@+-]{1,128}");
    private static final Pattern PLACE = Pattern.compile("[ -~]{1,512}");

    private Names() {}

    /** A `|` would make the joined contexts ambiguous. */
    static String id(String text) throws Refused {
        Refused.form(ID.matcher(text).matches());
        return text;
    }

    /** Ids that begin with `ck.` are ours. */
    static String question(String text) throws Refused {
        Refused.form(!text.startsWith("ck."));
        return id(text);
    }

    /** What a field of version 2 is tied to: its couple, and a place that the app chooses. */
    static byte[] ofField(String couple, String place) throws Refused {
        Refused.form(PLACE.matcher(place).matches());
        return Bytes.lengthPrefixed(Bytes.utf8("closer-keys/v2/field"), Bytes.utf8(id(couple)), Bytes.utf8(place));
    }

    static byte[] joined(String... ids) {
        return Bytes.utf8(String.join("|", ids));
    }
}
