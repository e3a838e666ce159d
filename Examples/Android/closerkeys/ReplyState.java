package closerkeys;

/** An offer that we answered: it takes one grant, and is `waiting`, `done`, `cancelled` or `givenUp`. */
final class ReplyState {
    PairingCode code;
    final String offer;
    final String couple;
    final String reply;
    String status = "waiting";
    /** Null once it is closed. */
    Transcript.GrantKeys keys;
    String grant;

    ReplyState(PairingCode code, String offer, String couple, String reply, Transcript.GrantKeys keys) {
        this.code = code;
        this.offer = offer;
        this.couple = couple;
        this.reply = reply;
        this.keys = keys;
    }

    static ReplyState read(Fields fields) throws Refused {
        byte[] digest = fields.bytes("digest");
        Transcript.GrantKeys keys = digest == null ? null
            : new Transcript.GrantKeys(digest, fields.bytes("grantKey"), fields.bytes("sealKey"));
        PairingCode code = new PairingCode(fields.text("lookup"), fields.text("secret"));
        ReplyState reply =
            new ReplyState(code, fields.text("offer"), fields.text("couple"), fields.text("reply"), keys);
        reply.status = fields.text("status");
        reply.grant = fields.text("grant");
        return reply;
    }

    Fields write() {
        Fields fields = new Fields().put("lookup", code.lookup).put("secret", code.secret).put("offer", offer)
            .put("couple", couple).put("reply", reply).put("status", status).put("grant", grant);
        return keys == null ? fields
            : fields.put("digest", keys.digest).put("grantKey", keys.grant).put("sealKey", keys.seal);
    }

    boolean isWaiting() {
        return status.equals("waiting");
    }

    boolean isWaitingOf(String id) {
        return couple.equals(id) && isWaiting();
    }

    /** Whether this key of this user made the offer. */
    boolean isTo(String user, PublicKey key) throws Refused {
        Party inviter = Party.read(Json.readObject(offer));
        return inviter.user.equals(user) && inviter.key.isSameAs(key);
    }

    void close(String end) {
        status = end;
        keys = null;
        code = code.closed();
    }
}
