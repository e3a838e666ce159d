package closerkeys;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The canonical form of JSON. RFC 8785. */
final class CanonicalJson {
    private CanonicalJson() {}

    static byte[] write(Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return Bytes.utf8(text.toString());
    }

    static String text(Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(Object value, StringBuilder to) {
        if (value instanceof Map) {
            String comma = "{";
            // By UTF-16 units: RFC 8785, section 3.2.3.
            for (Map.Entry<?, ?> member : new TreeMap<Object, Object>((Map<?, ?>) value).entrySet()) {
                write(member.getKey(), to.append(comma));
                write(member.getValue(), to.append(':'));
                comma = ",";
            }
            to.append(comma.equals("{") ? "{}" : "}");
        } else if (value instanceof List) {
            String comma = "[";
            for (Object item : (List<?>) value) {
                write(item, to.append(comma));
                comma = ",";
            }
            to.append(comma.equals("[") ? "[]" : "]");
        } else if (value instanceof String) {
            writeString((String) value, to);
        } else {
            to.append(value instanceof Number ? number(((Number) value).doubleValue()) : String.valueOf(value));
        }
    }

    private static void writeString(String value, StringBuilder to) {
        to.append('"');
        for (char each : value.toCharArray()) {
            int index = "\"\\\b\f\n\r\t".indexOf(each);
            if (index >= 0) to.append('\\').append("\"\\bfnrt".charAt(index));
            else if (each < 0x20) to.append(String.format(Locale.ROOT, "\\u%04x", (int) each));
            else to.append(each);
        }
        to.append('"');
    }

    /** As ECMAScript prints it, which `Double.toString` does not. ECMA-262, Number::toString. */
    static String number(double number) {
        if (number == 0) return "0";
        if (number < 0) return "-" + number(-number);
        BigDecimal shortest = shortest(number);
        String digits = shortest.unscaledValue().toString();
        int point = digits.length() - shortest.scale();
        if (digits.length() <= point && point <= 21) return digits + zeros(point - digits.length());
        if (0 < point && point <= 21) return digits.substring(0, point) + "." + digits.substring(point);
        if (-6 < point && point <= 0) return "0." + zeros(-point) + digits;
        String rest = digits.length() == 1 ? "" : "." + digits.substring(1);
        return digits.charAt(0) + rest + (point > 0 ? "e+" : "e-") + Math.abs(point - 1);
    }

    /** The fewest digits that are read back as the same double, and of those the nearest. */
    private static BigDecimal shortest(double number) {
        BigDecimal exact = new BigDecimal(number);
        for (int digits = 1; digits <= 17; digits++) {
            // Next to a power of two the nearer of two neighbours may be another double, and the farther is not.
            for (RoundingMode mode : new RoundingMode[] {RoundingMode.HALF_EVEN, RoundingMode.DOWN, RoundingMode.UP}) {
                BigDecimal rounded = exact.round(new MathContext(digits, mode));
                if (rounded.doubleValue() == number) return rounded.stripTrailingZeros();
            }
        }
        throw new IllegalStateException("17 digits always name a double");
    }

    private static String zeros(int count) {
        StringBuilder zeros = new StringBuilder();
        for (int index = 0; index < count; index++) zeros.append('0');
        return zeros.toString();
    }
}
