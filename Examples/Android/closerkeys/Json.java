package closerkeys;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Strict JSON: RFC 8259, without double names, lone surrogates, or numbers that a double does not hold. A value is a
 * `Map`, a `List`, a `String`, a `Double`, a `Boolean` or null. closer-keys-formats(7), Payload.
 */
final class Json {
    private static final int MAXIMUM_DEPTH = 16;
    private static final int MAXIMUM_DOCUMENT = 1 << 20;
    static final double MAXIMUM_INTEGER = 9007199254740991.0;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object read(byte[] utf8) throws Refused {
        Json reader = new Json(Bytes.text(utf8));
        Object value = reader.value(0);
        reader.skipSpace();
        Refused.form(reader.at == reader.text.length());
        return value;
    }

    /** A document: its unknown members are the app's business. */
    static Map<String, Object> readObject(String text) throws Refused {
        Refused.demand(text.length() <= MAXIMUM_DOCUMENT, Refused.Reason.LIMIT);
        return object(read(Bytes.utf8(text)));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) throws Refused {
        Refused.form(value instanceof Map);
        return (Map<String, Object>) value;
    }

    static String text(Map<String, Object> members, String name) throws Refused {
        Object value = members.get(name);
        Refused.form(value instanceof String);
        return (String) value;
    }

    private Object value(int depth) throws Refused {
        skipSpace();
        switch (next()) {
            case '{':
                return objectValue(depth + 1);
            case '[':
                return arrayValue(depth + 1);
            case '"':
                return string();
            case 't':
                return word("true", Boolean.TRUE);
            case 'f':
                return word("false", Boolean.FALSE);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> objectValue(int depth) throws Refused {
        Refused.form(depth <= MAXIMUM_DEPTH);
        Map<String, Object> members = new LinkedHashMap<>();
        if (isEmpty('}')) return members;
        do {
            skipSpace();
            String name = string();
            skipSpace();
            Refused.form(!members.containsKey(name) && take(':'));
            members.put(name, value(depth));
        } while (hasMore('}'));
        return members;
    }

    private List<Object> arrayValue(int depth) throws Refused {
        Refused.form(depth <= MAXIMUM_DEPTH);
        List<Object> items = new ArrayList<>();
        if (isEmpty(']')) return items;
        do {
            items.add(value(depth));
        } while (hasMore(']'));
        return items;
    }

    private boolean isEmpty(char end) throws Refused {
        at++;
        skipSpace();
        return take(end);
    }

    private boolean hasMore(char end) throws Refused {
        skipSpace();
        if (take(end)) return false;
        Refused.form(take(','));
        return true;
    }

    private String string() throws Refused {
        Refused.form(take('"'));
        StringBuilder string = new StringBuilder();
        while (!take('"')) {
            char each = next();
            at++;
            Refused.form(each >= 0x20);
            string.append(each == '\\' ? escape() : each);
        }
        String whole = string.toString();
        Refused.form(!hasLoneSurrogate(whole));
        return whole;
    }

    private char escape() throws Refused {
        char letter = next();
        at++;
        if (letter == 'u') {
            Refused.form(text.length() - at >= 4 && text.substring(at, at + 4).matches("[0-9A-Fa-f]{4}"));
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        int index = "\"\\/bfnrt".indexOf(letter);
        Refused.form(index >= 0);
        return "\"\\/\b\f\n\r\t".charAt(index);
    }

    /** The longest run that may be a number must be one. */
    private Double number() throws Refused {
        int start = at;
        while (at < text.length() && "+-.0123456789Ee".indexOf(text.charAt(at)) >= 0) at++;
        String literal = text.substring(start, at);
        Refused.form(literal.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?"));
        double number = Double.parseDouble(literal);
        // Up to 10^21 the canonical form has no exponent, and so is an integer itself.
        boolean isInteger = literal.matches("-?[0-9]+") || Math.abs(number) < 1e21;
        Refused.form(!Double.isInfinite(number) && (!isInteger || Math.abs(number) <= MAXIMUM_INTEGER));
        return number;
    }

    private <T> T word(String word, T value) throws Refused {
        Refused.form(text.startsWith(word, at));
        at += word.length();
        return value;
    }

    private char next() throws Refused {
        Refused.form(at < text.length());
        return text.charAt(at);
    }

    private boolean take(char wanted) {
        boolean isThere = at < text.length() && text.charAt(at) == wanted;
        if (isThere) at++;
        return isThere;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private static boolean hasLoneSurrogate(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (!Character.isSurrogate(text.charAt(index))) continue;
            char next = index + 1 < text.length() ? text.charAt(index + 1) : 0;
            if (!Character.isSurrogatePair(text.charAt(index), next)) return true;
            index++;
        }
        return false;
    }
}
