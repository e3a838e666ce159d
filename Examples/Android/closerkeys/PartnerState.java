package closerkeys;

/** The other user of a couple, as this device knows them. */
final class PartnerState {
    final String user;
    final PublicKey key;
    /** Null until a pairing names it. */
    byte[] x25519;
    /** `code` or `safetyNumber`; null for a key on trust, which the server named. */
    String verifiedBy;

    PartnerState(String user, PublicKey key) {
        this.user = user;
        this.key = key;
    }

    static PartnerState read(Fields fields) throws Refused {
        if (fields == null) return null;
        PartnerState partner = new PartnerState(fields.text("user"), PublicKey.read(fields.text("key")));
        partner.x25519 = fields.bytes("x25519");
        partner.verifiedBy = fields.text("verifiedBy");
        return partner;
    }

    Fields write() {
        return new Fields().put("user", user).put("key", key.token()).put("x25519", x25519)
            .put("verifiedBy", verifiedBy);
    }
}
