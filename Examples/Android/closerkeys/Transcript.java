package closerkeys;

/** What both sides of a pairing must agree on, and the keys that follow from it. closer-keys-pairing(7), KEYS. */
final class Transcript {
    static final String PROTOCOL = "closer-keys/pair/1";
    private static final String COUPLE = "couple";
    private static final String MIGRATING = "couple/migrating";

    /** T, which names the pairing, and is public. */
    final byte[] digest;
    private final byte[] session;

    private Transcript(byte[] digest, byte[] session) {
        this.digest = digest;
        this.session = session;
    }

    static Transcript of(PairOffer offer, Party acceptor, byte[] share, byte[] product) {
        CPace.Side initiator = offer.side();
        CPace.Side responder = new CPace.Side(share, acceptor.data("reply"));
        byte[] digest = Hash.sha256(Bytes.lengthPrefixed(
            offer.channel(), offer.session, initiator.share, initiator.data, responder.share, responder.data));
        return new Transcript(digest, CPace.sessionKey(offer.session, product, initiator, responder));
    }

    byte[] key(String name) {
        byte[] info = Bytes.lengthPrefixed(Bytes.utf8(name), digest);
        return Hash.hkdf(session, Bytes.utf8(PROTOCOL), info, 32);
    }

    byte[] tag(String name, byte[] sealed) {
        return Hash.hmac(key(name), Bytes.lengthPrefixed(digest, sealed));
    }

    byte[] sealHold(CoupleGrant held) {
        return Aes.seal(key("hold"), held.body("hold"), digest);
    }

    /**
     * Null if the acceptor holds no key of this couple. Whoever knew the key sealed it: what does not open is
     * malformed.
     */
    CoupleGrant openHold(byte[] hold) throws Refused {
        return hold.length == 0 ? null : CoupleGrant.read(opened(key("hold"), hold, digest), "hold", false);
    }

    PairGrant grant(String lookup, CoupleGrant couple, boolean isMigrating) {
        byte[] sealed = Aes.seal(key("seal"), couple.body(isMigrating ? MIGRATING : COUPLE), digest);
        return new PairGrant(lookup, tag("grant", sealed), sealed);
    }

    GrantKeys grantKeys() {
        return new GrantKeys(digest, key("grant"), key("seal"));
    }

    /** What an acceptor keeps until the grant. */
    static final class GrantKeys {
        final byte[] digest;
        final byte[] grant;
        final byte[] seal;

        GrantKeys(byte[] digest, byte[] grant, byte[] seal) {
            this.digest = digest;
            this.grant = grant;
            this.seal = seal;
        }

        Granted open(PairGrant document) throws Refused {
            byte[] tag = Hash.hmac(grant, Bytes.lengthPrefixed(digest, document.sealed));
            Refused.demand(Bytes.areEqual(tag, document.tag), Refused.Reason.MAC_INVALID);
            byte[] body = opened(seal, document.sealed, digest);
            boolean isMigrating = Bytes.startsWith(body, Bytes.lengthPrefixed(Bytes.utf8(MIGRATING)));
            return new Granted(CoupleGrant.read(body, isMigrating ? MIGRATING : COUPLE, true), isMigrating);
        }
    }

    static final class Granted {
        final CoupleGrant couple;
        /** The inviter's couple has texts in the clear. */
        final boolean isMigrating;

        Granted(CoupleGrant couple, boolean isMigrating) {
            this.couple = couple;
            this.isMigrating = isMigrating;
        }
    }

    private static byte[] opened(byte[] key, byte[] box, byte[] data) throws Refused {
        try {
            return Aes.open(key, box, data);
        } catch (Refused refused) {
            throw new Refused(Refused.Reason.MALFORMED);
        }
    }
}
