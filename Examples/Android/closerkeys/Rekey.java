package closerkeys;

/**
 * A new couple key from a partner whose digits were compared, with a MAC under what both identity keys share, since a
 * keybox has no sender. closer-keys-formats(7), REKEYING.
 */
final class Rekey {
    static final String NAME = "closer-keys/v1/rekey";
    private static final int TAG = 32;

    private Rekey() {}

    /** Of whom, from whom, to whom. The user whose id sorts first sends, so that the two never send at once. */
    static final class Route {
        final String couple;
        final String sender;
        final String recipient;

        Route(String couple, String sender, String recipient) throws Refused {
            this.couple = Names.id(couple);
            this.sender = Names.id(sender);
            this.recipient = Names.id(recipient);
        }

        static boolean sends(String user, String before) {
            return user.compareTo(before) < 0;
        }

        private byte[] context(long epoch) {
            return Names.joined(couple, "ck.rekey." + epoch, sender, recipient);
        }

        private byte[] key(byte[] scalar, P256.Point theirs, P256.Point ofSender, P256.Point ofRecipient) {
            byte[] info = Bytes.lengthPrefixed(
                Bytes.utf8("rekey-auth"), Bytes.utf8(couple), Bytes.utf8(sender), Bytes.utf8(recipient),
                ofSender.encoded(false), ofRecipient.encoded(false));
            return Hash.hkdf(P256.agree(scalar, theirs), Bytes.utf8("closer-keys/v1"), info, 32);
        }
    }

    static String seal(CoupleGrant grant, Route route, Identity identity, PublicKey partner) throws Refused {
        byte[] body = grant.body(NAME);
        EciesPrivateKey ours = identity.primary();
        byte[] key = route.key(ours.scalar, partner.point(), ours.publicKey.point, partner.point());
        byte[] plaintext = Bytes.concat(body, Hash.hmac(key, body));
        return Token.KEYBOX.write(partner.seal(plaintext, route.context(grant.epoch)));
    }

    /** Only with the primary: an older key may be a thief's. */
    static CoupleGrant open(String keybox, long epoch, Route route, Identity identity, PublicKey partner)
        throws Refused {
        byte[] box = Token.KEYBOX.read(keybox);
        byte[] plaintext = identity.open(box, route.context(epoch));
        Refused.demand(Bytes.startsWith(box, identity.keyset.primary().prefix()), Refused.Reason.AUTH_FAILED);
        EciesPrivateKey ours = identity.primary();
        byte[] key = route.key(ours.scalar, partner.point(), partner.point(), ours.publicKey.point);
        Refused.demand(plaintext.length >= TAG, Refused.Reason.MAC_INVALID);
        byte[] body = Bytes.slice(plaintext, 0, plaintext.length - TAG);
        byte[] tag = Bytes.slice(plaintext, plaintext.length - TAG, plaintext.length);
        Refused.demand(Bytes.areEqual(tag, Hash.hmac(key, body)), Refused.Reason.MAC_INVALID);
        CoupleGrant grant = CoupleGrant.read(body, NAME, true);
        Refused.form(grant.epoch == epoch);
        return grant;
    }
}
