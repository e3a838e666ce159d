package closerkeys;

import java.util.Map;

/** Somebody as the documents of a pairing name them. */
final class Party {
    final String user;
    final PublicKey key;
    final byte[] x25519;

    Party(String user, PublicKey key, byte[] x25519) {
        this.user = user;
        this.key = key;
        this.x25519 = x25519;
    }

    static Party read(Map<String, Object> members) throws Refused {
        return new Party(
            Names.id(Json.text(members, "userId")), PublicKey.read(Json.text(members, "publicKey")),
            X25519Keys.read(Json.text(members, "x25519PublicKey")));
    }

    void write(Map<String, Object> members) {
        members.put("userId", user);
        members.put("publicKey", key.token());
        members.put("x25519PublicKey", Base64Text.standard(x25519));
    }

    /** The role keeps an offer from being its own reply. */
    byte[] data(String role) {
        return Bytes.lengthPrefixed(Bytes.utf8(role), Bytes.utf8(user), key.bytes(), x25519);
    }

    /** Our own name, or one of our own keys, has come back to us. */
    void checkIsAnother(Party ours) throws Refused {
        Refused.demand(!user.equals(ours.user), Refused.Reason.USAGE);
        boolean isOurs = key.isOfOneWith(ours.key) || Bytes.areEqual(x25519, ours.x25519);
        Refused.demand(!isOurs, Refused.Reason.PARTNER_KEY_MISMATCH);
    }
}
