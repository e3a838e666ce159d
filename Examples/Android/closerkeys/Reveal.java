package closerkeys;

import java.util.Map;

/**
 * How an answer is checked: each step has an error of its own, and none is skipped. closer-keys-formats(7), Reading
 * order.
 */
final class Reveal {
    final byte[] payload;
    /** Whose MAC it bears; null without one. Only one with a MAC says which place it belongs to. */
    final Keyset.Key author;

    private Reveal(byte[] payload, Keyset.Key author) {
        this.payload = payload;
        this.author = author;
    }

    static Reveal check(
        byte[] received, String commitment, String pinned, AnswerContext context, String place, CoupleKey key
    ) throws Refused {
        byte[] payload = Payload.committed(received, commitment);
        Refused.demand(pinned == null || pinned.equals(commitment), Refused.Reason.PIN_MISMATCH);
        Refused.form(payload.length <= Payload.MAXIMUM);
        Map<String, Object> members = Json.object(Json.read(payload));
        if (!Payload.hasAdded(members)) return new Reveal(payload, null);
        boolean isCanonical = Bytes.areEqual(CanonicalJson.write(members), received);
        Refused.form(isCanonical && Payload.isHardened(members));
        Keyset.Key author = proven(members, key, context);
        Refused.demand(members.get("_c").equals(place), Refused.Reason.PLACE_MISMATCH);
        return new Reveal(payload, author);
    }

    /** The primary, or another enabled key: the author may not have the newest yet. */
    private static Keyset.Key proven(Map<String, Object> members, CoupleKey key, AnswerContext context) throws Refused {
        byte[] mac = Bytes.utf8((String) members.get("_m"));
        byte[] message = Payload.message(members, context);
        for (Keyset.Key each : key.keyset.enabled()) {
            if (Bytes.areEqual(Bytes.utf8(Payload.mac(message, each.aes(), context)), mac)) return each;
        }
        throw new Refused(Refused.Reason.MAC_INVALID);
    }
}
