package closerkeys;

import java.util.Arrays;
import java.util.HashSet;
import java.util.regex.Pattern;

/** A recovery phrase: ten words, which stand for the couple key on paper. closer-keys-formats(7), THE COUPLE KEY. */
final class Phrase {
    private static final Pattern WORDS = Pattern.compile("[a-z]{3,8}( [a-z]{3,8}){9,}");

    private Phrase() {}

    /** 80 bits. */
    static String random() {
        String[] words = new String[10];
        byte[] drawn = Bytes.random(words.length);
        for (int index = 0; index < words.length; index++) words[index] = PhraseWords.ALL[drawn[index] & 0xff];
        return String.join(" ", words);
    }

    /** As it was typed, in lower case and with one space between words. */
    static String normalised(String typed) {
        StringBuilder lower = new StringBuilder();
        for (char each : typed.toCharArray()) lower.append('A' <= each && each <= 'Z' ? (char) (each + 32) : each);
        return lower.toString().replaceAll("[ \t\r\n\u00a0-]+", " ").replaceAll("^ | $", "");
    }

    /**
     * One that comes by a grant or a rekey must be one that we could have made: nobody guesses it, anybody copies it.
     */
    static String granted(byte[] utf8) throws Refused {
        Refused.demand(utf8.length <= 256, Refused.Reason.PHRASE_REFUSED);
        String phrase = new String(utf8, java.nio.charset.StandardCharsets.UTF_8);
        boolean isLikeOurs = WORDS.matcher(phrase).matches()
            && new HashSet<>(Arrays.asList(phrase.split(" "))).size() >= 5;
        Refused.demand(isLikeOurs, Refused.Reason.PHRASE_REFUSED);
        return phrase;
    }
}
