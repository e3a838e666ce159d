package closerkeys;

import java.util.Map;

/** What an inviter grants: grant:v1 is a tag (32) and the couple, sealed. */
final class PairGrant {
    final String lookup;
    final byte[] tag;
    final byte[] sealed;

    PairGrant(String lookup, byte[] tag, byte[] sealed) {
        this.lookup = lookup;
        this.tag = tag;
        this.sealed = sealed;
    }

    static PairGrant read(String text) throws Refused {
        PairDocument document = PairDocument.read(text);
        byte[] token = document.token(Token.GRANT, "grant");
        return new PairGrant(document.lookup, Bytes.slice(token, 0, 32), Bytes.slice(token, 32, token.length));
    }

    String write() {
        Map<String, Object> members = PairDocument.headed(lookup);
        members.put("grant", token());
        return CanonicalJson.text(members);
    }

    String token() {
        return Token.GRANT.write(Bytes.concat(tag, sealed));
    }
}
