package closerkeys;

/**
 * An offer that we made: it judges one reply, and is `open`, `granted`, `burned`, `failed`, `cancelled` or `expired`.
 */
final class InviteState {
    PairingCode code;
    /** As it was written. */
    final String offer;
    final String couple;
    final long endsAt;
    String status = "open";
    /** Null once it has judged, or is closed. */
    byte[] scalar;
    /** What it judged, and what it granted. */
    String reply;
    String grant;

    InviteState(PairingCode code, String offer, String couple, long endsAt, byte[] scalar) {
        this.code = code;
        this.offer = offer;
        this.couple = couple;
        this.endsAt = endsAt;
        this.scalar = scalar;
    }

    static InviteState read(Fields fields) throws Refused {
        InviteState invite = new InviteState(
            new PairingCode(fields.text("lookup"), fields.text("secret")), fields.text("offer"), fields.text("couple"),
            fields.number("endsAt"), fields.bytes("scalar"));
        invite.status = fields.text("status");
        invite.reply = fields.text("reply");
        invite.grant = fields.text("grant");
        return invite;
    }

    Fields write() {
        return new Fields().put("lookup", code.lookup).put("secret", code.secret).put("offer", offer)
            .put("couple", couple).put("endsAt", endsAt).put("scalar", scalar).put("status", status)
            .put("reply", reply).put("grant", grant);
    }

    boolean isOpen() {
        return status.equals("open");
    }

    void close(String verdict) {
        status = verdict;
        if (scalar != null) Bytes.wipe(scalar);
        scalar = null;
        code = code.closed();
    }
}
