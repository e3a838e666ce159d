package closerkeys;

import java.util.List;

/** A couple's key on its way to the partner: the epoch, the keyset, and in a grant or a rekey the phrase. */
final class CoupleGrant {
    static final long HIGHEST_EPOCH = (1L << 32) - 2;
    static final long MAXIMUM_GAP = 1000;

    final long epoch;
    final CoupleKey key;
    /** Null in a hold. */
    final String phrase;

    CoupleGrant(long epoch, CoupleKey key, String phrase) {
        this.epoch = epoch;
        this.key = key;
        this.phrase = phrase;
    }

    byte[] body(String name) {
        byte[] held = Bytes.lengthPrefixed(Bytes.utf8(name), Bytes.u32(epoch), key.bytes());
        return phrase == null ? held : Bytes.concat(held, Bytes.lengthPrefixed(Bytes.utf8(phrase)));
    }

    static CoupleGrant read(byte[] body, String name, boolean hasPhrase) throws Refused {
        List<byte[]> items = Bytes.items(body);
        Refused.form(items.size() == (hasPhrase ? 4 : 3) && items.get(1).length == 4);
        Refused.form(Bytes.areEqual(items.get(0), Bytes.utf8(name)));
        boolean isRekey = name.equals(Rekey.NAME);
        CoupleKey key = isRekey ? CoupleKey.readTheirs(items.get(2)) : CoupleKey.readGranted(items.get(2));
        String phrase = hasPhrase ? Phrase.granted(items.get(3)) : null;
        return new CoupleGrant(Bytes.number(items.get(1)), key, phrase);
    }
}
