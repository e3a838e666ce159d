package closerkeys;

/** What a person said about the other side of a pairing. */
public final class Whom {
    final String user;
    final boolean hasNewKey;
    final boolean mayHaveKeys;

    private Whom(String user, boolean hasNewKey, boolean mayHaveKeys) {
        this.user = user;
        this.hasNewKey = hasNewKey;
        this.mayHaveKeys = mayHaveKeys;
    }

    /** Whoever knows the code. */
    public static Whom anybody() {
        return new Whom(null, false, false);
    }

    /** Nobody but this user. */
    public static Whom user(String id) {
        return new Whom(id, false, false);
    }

    /** The partner told us of a new phone: another key than the known one is taken. */
    public Whom withNewKey() {
        return new Whom(user, true, mayHaveKeys);
    }

    /** The maker of the code may have every key of this couple. Ask a person: "did you hear this code from them?" */
    public Whom sendingKeys() {
        return new Whom(user, hasNewKey, true);
    }
}
