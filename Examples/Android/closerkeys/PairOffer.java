package closerkeys;

import java.util.Map;

/** What an inviter makes: offer:v1 is the session's id (16) and a share (32). */
final class PairOffer {
    final String lookup;
    final String couple;
    final Party inviter;
    final byte[] session;
    final byte[] share;

    PairOffer(String lookup, String couple, Party inviter, byte[] session, byte[] share) {
        this.lookup = lookup;
        this.couple = couple;
        this.inviter = inviter;
        this.session = session;
        this.share = share;
    }

    static PairOffer read(String text, CPace cpace) throws Refused {
        PairDocument document = PairDocument.read(text);
        byte[] token = document.token(Token.OFFER, "offer");
        byte[] share = Bytes.slice(token, 16, 48);
        cpace.checkShare(share);
        String couple = Names.id(Json.text(document.members, "coupleId"));
        return new PairOffer(document.lookup, couple, Party.read(document.members), Bytes.slice(token, 0, 16), share);
    }

    String write() {
        Map<String, Object> members = PairDocument.headed(lookup);
        members.put("coupleId", couple);
        inviter.write(members);
        members.put("offer", Token.OFFER.write(Bytes.concat(session, share)));
        return CanonicalJson.text(members);
    }

    /** CI of closer-keys-pairing(7), KEYS. */
    byte[] channel() {
        return channel(lookup, couple, inviter.user);
    }

    static byte[] channel(String lookup, String couple, String inviter) {
        return Bytes.lengthPrefixed(
            Bytes.utf8(Transcript.PROTOCOL), Bytes.utf8("couple"), Bytes.utf8(lookup), Bytes.utf8(couple),
            Bytes.utf8(inviter));
    }

    CPace.Side side() {
        return new CPace.Side(share, inviter.data("offer"));
    }
}
