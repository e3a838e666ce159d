package closerkeys;

/** A no, with its reason, by the name that closer-keys gives it. */
public final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    /** Why. The vectors call them by {@link #id}. */
    public enum Reason {
        /** A key, phrase, code, context or byte is another, and nobody can tell which. */
        AUTH_FAILED("authFailed"),
        /** Whoever made the reply did not know the code. The invite is closed by it. */
        CODE_MISMATCH("codeMismatch"),
        MAC_INVALID("macInvalid"),
        COMMITMENT_MISMATCH("commitmentMismatch"),
        /** The answer was exchanged after this device first saw it. */
        PIN_MISMATCH("pinMismatch"),
        PLACE_MISMATCH("placeMismatch"),
        EPOCH_MISMATCH("epochMismatch"),
        /** One id stands for two keys, or a key that must be new is none. */
        KEY_MISMATCH("keyMismatch"),
        /** The partner's key is ours, or not the one that is pinned. */
        PARTNER_KEY_MISMATCH("partnerKeyMismatch"),
        /** In a pairing: as above. A person may say that the partner has a new phone. */
        PARTNER_KEY_CHANGED("partnerKeyChanged"),
        OTHER_PARTNER("otherPartner"),
        SAFETY_NUMBER_MISMATCH("safetyNumberMismatch"),
        /** A field of version 1 is bound to no place. */
        UNBOUND("unbound"),
        NO_KEY("noKey"),
        MALFORMED("malformed"),
        PHRASE_REFUSED("phraseRefused"),
        LIMIT("limit"),
        /** The other side is this very user, or the offer is our own. */
        USAGE("usage"),
        /** There is such a couple, or such an answer, already. */
        EXISTS("exists"),
        /** Something else must be done before. */
        NOT_YET("notYet"),
        INVITE_USED("inviteUsed"),
        INVITE_CLOSED("inviteClosed"),
        /** A reply would send this couple's keys to the maker of the code, and nobody agreed to it. */
        WOULD_SEND_KEYS("inputRequired"),
        UNAUTHENTICATED("unauthenticated"),
        SERVER_FORGEABLE("serverForgeable"),
        /** The server announces less encryption than this device saw before. */
        DOWNGRADE("downgrade"),
        NOT_A_MEMBER("notAMember"),
        /** A text that is in the clear, where only sealed ones are read. */
        PLAINTEXT("plaintext");

        public final String id;

        Reason(String id) {
            this.id = id;
        }
    }

    public final Reason reason;

    public Refused(Reason reason) {
        super(reason.id);
        this.reason = reason;
    }

    static void demand(boolean holds, Reason reason) throws Refused {
        if (!holds) throw new Refused(reason);
    }

    static void form(boolean holds) throws Refused {
        demand(holds, Reason.MALFORMED);
    }
}
