package closerkeys;

import java.util.Map;

/**
 * What an acceptor answers: reply:v1 is a share (32), a tag (32), and the keys that it holds, sealed; empty without.
 */
final class PairReply {
    final String lookup;
    final Party acceptor;
    final byte[] share;
    final byte[] tag;
    final byte[] hold;

    PairReply(String lookup, Party acceptor, byte[] share, byte[] tag, byte[] hold) {
        this.lookup = lookup;
        this.acceptor = acceptor;
        this.share = share;
        this.tag = tag;
        this.hold = hold;
    }

    static PairReply read(String text, CPace cpace) throws Refused {
        PairDocument document = PairDocument.read(text);
        byte[] token = document.token(Token.REPLY, "reply");
        byte[] share = Bytes.slice(token, 0, 32);
        cpace.checkShare(share);
        byte[] hold = Bytes.slice(token, 64, token.length);
        Refused.form(hold.length == 0 || hold.length >= Aes.OVERHEAD);
        return new PairReply(document.lookup, Party.read(document.members), share, Bytes.slice(token, 32, 64), hold);
    }

    String write() {
        Map<String, Object> members = PairDocument.headed(lookup);
        acceptor.write(members);
        members.put("reply", token());
        return CanonicalJson.text(members);
    }

    String token() {
        return Token.REPLY.write(Bytes.concat(share, tag, hold));
    }

    CPace.Side side() {
        return new CPace.Side(share, acceptor.data("reply"));
    }
}
