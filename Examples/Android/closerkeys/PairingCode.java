package closerkeys;

import java.util.regex.Pattern;

/**
 * The code that one person tells the other, by voice or on paper: six symbols find the invite, six are the password.
 */
final class PairingCode {
    private static final String SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final Pattern DROPPED = Pattern.compile("[ \t\r\n\u00a0\u2010-\u2015\u2212-]");
    private static final Pattern CODE = Pattern.compile("[" + SYMBOLS + "]{12}");

    final String lookup;
    final String secret;

    /** Of a pairing that is closed, the secret half is gone. */
    PairingCode(String lookup, String secret) {
        this.lookup = lookup;
        this.secret = secret;
    }

    static PairingCode random() {
        return new PairingCode(Bytes.randomText(SYMBOLS, 6), Bytes.randomText(SYMBOLS, 6));
    }

    PairingCode closed() {
        return new PairingCode(lookup, "");
    }

    /** As people type it. closer-keys-pairing(7), THE CODE. */
    static PairingCode read(String typed) throws Refused {
        StringBuilder symbols = new StringBuilder();
        for (char each : DROPPED.matcher(typed).replaceAll("").toCharArray()) symbols.append(symbol(each));
        Refused.form(CODE.matcher(symbols).matches());
        return new PairingCode(symbols.substring(0, 6), symbols.substring(6));
    }

    private static char symbol(char typed) {
        char upper = 'a' <= typed && typed <= 'z' ? (char) (typed - 32) : typed;
        int index = "OILU".indexOf(upper);
        return index < 0 ? upper : "011V".charAt(index);
    }

    static String lookup(String text) throws Refused {
        Refused.form(text.matches("[" + SYMBOLS + "]{6}"));
        return text;
    }

    /** The code of an invite of version 1, which the server sees. */
    static String ofInvite() {
        return Bytes.randomText(SYMBOLS, 6);
    }

    @Override
    public String toString() {
        return lookup + "-" + secret;
    }
}
