package closerkeys;

import java.util.Base64;

/** Base64 in its one valid spelling: encoded again it is the same text. RFC 4648. */
final class Base64Text {
    private Base64Text() {}

    static String standard(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static String url(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Padded. */
    static byte[] fromStandard(String text) throws Refused {
        byte[] bytes = decoded(Base64.getDecoder(), text);
        Refused.form(standard(bytes).equals(text));
        return bytes;
    }

    /** Without padding. */
    static byte[] fromUrl(String text) throws Refused {
        byte[] bytes = decoded(Base64.getUrlDecoder(), text);
        Refused.form(url(bytes).equals(text));
        return bytes;
    }

    /** Either alphabet, padded or not: what clients make of a wrapped key. */
    static byte[] fromEither(String text) throws Refused {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '=') end--;
        return fromUrl(text.substring(0, end).replace('+', '-').replace('/', '_'));
    }

    private static byte[] decoded(Base64.Decoder decoder, String text) throws Refused {
        try {
            return decoder.decode(text);
        } catch (IllegalArgumentException error) {
            throw new Refused(Refused.Reason.MALFORMED);
        }
    }
}
