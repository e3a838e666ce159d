package closerkeys;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sealed answers: both seal, each releases, each reveals, and nobody is shown an answer before giving one. */
public final class Answers {
    private final Couple couple;

    Answers(Couple couple) {
        this.couple = couple;
    }

    /** An answer that passed every check. */
    public static final class Revealed {
        /** What was committed to: canonical JSON in UTF-8. */
        public final byte[] payload;
        /** The same without the members that harden it: what the partner's app gave to `seal`. */
        public final String answer;
        /** `authenticated`, `serverForgeable` or `unauthenticated`. */
        public final String authenticity;
        /** Null without a proof. */
        public final String place;

        private Revealed(byte[] payload, String authenticity, String place) throws Refused {
            this.payload = payload;
            this.authenticity = authenticity;
            this.place = place;
            answer = Payload.answer(payload);
        }
    }

    /** @param answer a JSON object, whose names do not begin with `_` */
    public String seal(Question question, String answer, Keep keep) throws Refused, IOException {
        synchronized (couple.device) {
            AnswerContext context = context(question, couple.device.state().user);
            CoupleState now = couple.state();
            Refused.demand(!now.answers.containsKey(name(question)), Refused.Reason.EXISTS);
            byte[] payload = Payload.hardened(answer, now.key.keyset.primary().aes(), context, question.place);
            SealedPayload sealed = SealedPayload.seal(payload, context);
            return couple.device.change(keep, next -> {
                AnswerState made = new AnswerState(sealed.token, sealed.commitment, sealed.oneTimeKey);
                next.couple(couple.id).answers.put(name(question), made);
                return document(question, made);
            });
        }
    }

    /** The document of our answer, as it stands. */
    public String document(Question question) throws Refused {
        return document(question, own(couple.state(), question));
    }

    /**
     * Seals the key of our answer to the partner's device. The same input gives the same document.
     *
     * @param publicKey the partner's, by the server or as it is known
     * @param theirs the partner's answer, which is pinned by it
     */
    public String release(Question question, String user, String publicKey, String theirs, Keep keep)
        throws Refused, IOException {
        Map<String, Object> shown = answer(theirs);
        PublicKey key = PublicKey.read(publicKey);
        return couple.device.change(keep, next -> {
            CoupleState ours = next.couple(couple.id);
            AnswerState own = facing(ours, question, user, shown);
            next.meet(ours, user, key);
            String commitment = Json.text(shown, "commitmentHash");
            own.pin(commitment, ours);
            byte[] payload = Hash.sha256(Bytes.utf8(Json.text(shown, "encryptedPayload")));
            String madeFor = String.join("|", user, key.token(), Base64Text.url(payload));
            Refused.demand(own.release == null || madeFor.equals(own.releasedFor), Refused.Reason.PIN_MISMATCH);
            if (own.release == null) {
                own.releasedFor = madeFor;
                own.release = release(question, key.seal(own.oneTimeKey, context(question, next.user).ofRelease(user)),
                    next.user, user);
            }
            return own.release;
        });
    }

    /**
     * Opens the partner's answer, once they released it.
     *
     * @param release null if there is none yet
     * @param allowUnauthenticated takes an answer without a proof, of a partner who never sent one and a couple that
     *     is not private
     */
    public Revealed reveal(
        Question question, String user, String theirs, String release, boolean allowUnauthenticated, Keep keep
    ) throws Refused, IOException {
        synchronized (couple.device) {
            Map<String, Object> shown = answer(theirs);
            AnswerState own = facing(couple.state(), question, user, shown);
            Refused.demand(release != null, Refused.Reason.NOT_YET);
            Map<String, Object> released = Json.readObject(release);
            DeviceState device = couple.device.state();
            Refused.demand(device.user.equals(Json.text(released, "recipientId")), Refused.Reason.NO_KEY);
            Refused.demand(user.equals(Json.text(released, "senderId")), Refused.Reason.AUTH_FAILED);
            AnswerContext context = context(question, user);
            byte[] oneTimeKey = device.identity.openKeybox(
                Json.text(released, "encryptedAnswerKey"), context.ofRelease(device.user));
            byte[] received = SealedPayload.open(Json.text(shown, "encryptedPayload"), oneTimeKey, context);
            String commitment = Json.text(shown, "commitmentHash");
            Reveal found = Reveal.check(
                received, commitment, own.pinned, context, question.place, couple.state().key);
            return couple.device.change(keep, next -> {
                CoupleState ours = next.couple(couple.id);
                AnswerState record = own(ours, question);
                String authenticity = accepted(ours, record, user, found, allowUnauthenticated);
                record.pin(commitment, ours);
                return new Revealed(found.payload, authenticity, found.author == null ? null : question.place);
            });
        }
    }

    /** Once a partner has written a proof, every answer must have one; a private couple's must be private. */
    private static String accepted(
        CoupleState ours, AnswerState record, String user, Reveal found, boolean allowUnauthenticated
    ) throws Refused {
        PartnerState partner = ours.partner;
        Refused.demand(partner == null || partner.user.equals(user), Refused.Reason.OTHER_PARTNER);
        if (found.author == null) {
            boolean mustProve = !ours.provingIds().isEmpty() || ours.authenticates;
            Refused.demand(allowUnauthenticated && !mustProve, Refused.Reason.UNAUTHENTICATED);
            return "unauthenticated";
        }
        ours.exposeUnpaired();
        ours.authenticates = true;
        if (ours.proof(found.author) == 2) return "authenticated";
        Refused.demand(isTaken(ours, record, String.valueOf(found.author.id)), Refused.Reason.SERVER_FORGEABLE);
        return "serverForgeable";
    }

    /**
     * If its key proves as much as the one that seals now, or sealed when it was pinned; or it was pinned before that.
     */
    private static boolean isTaken(CoupleState ours, AnswerState record, String keyId) {
        List<String> proving = record.provingIds.isEmpty() ? ours.provingIds() : record.provingIds;
        boolean isOlder = record.pinned != null && record.provingIds.isEmpty() && record.pinnedAt < ours.privateSince;
        return proving.isEmpty() || proving.contains(keyId) || isOlder;
    }

    /** Our record, if the other's document answers this question and is no copy of ours. */
    private static AnswerState facing(CoupleState ours, Question question, String user, Map<String, Object> shown)
        throws Refused {
        AnswerState own = own(ours, question);
        boolean isMeant = user.equals(shown.get("userId")) && question.id.equals(shown.get("questionId"));
        Refused.demand(isMeant, Refused.Reason.AUTH_FAILED);
        boolean isCopy = own.commitment.equals(shown.get("commitmentHash"));
        Refused.demand(!isCopy, Refused.Reason.COMMITMENT_MISMATCH);
        return own;
    }

    private static AnswerState own(CoupleState ours, Question question) throws Refused {
        AnswerState own = ours.answers.get(name(question));
        Refused.demand(own != null, Refused.Reason.NOT_YET);
        return own;
    }

    private AnswerContext context(Question question, String author) throws Refused {
        return new AnswerContext(couple.id, question.id, author);
    }

    private static String name(Question question) {
        return question.place + "/" + question.id;
    }

    /** An answer's document: its form is checked before anything else. */
    private static Map<String, Object> answer(String text) throws Refused {
        Map<String, Object> members = Json.readObject(text);
        Names.id(Json.text(members, "userId"));
        Names.id(Json.text(members, "questionId"));
        Refused.form(Double.valueOf(3).equals(members.get("schemaVersion")));
        Refused.form(members.get("answerKeyReleased") instanceof Boolean);
        Token.SEALED.read(Json.text(members, "encryptedPayload"));
        Token.COMMITMENT.read(Json.text(members, "commitmentHash"));
        return members;
    }

    private String document(Question question, AnswerState answer) {
        Map<String, Object> members = new TreeMap<>();
        members.put("userId", couple.device.state().user);
        members.put("questionId", question.id);
        members.put("schemaVersion", 3);
        members.put("encryptedPayload", answer.token);
        members.put("commitmentHash", answer.commitment);
        members.put("answerKeyReleased", answer.release != null);
        if (!question.isInThread()) members.put("isRevealed", false);
        return CanonicalJson.text(members);
    }

    private static String release(Question question, byte[] keybox, String sender, String recipient) {
        Map<String, Object> members = new TreeMap<>();
        members.put("encryptedAnswerKey", Token.KEYBOX.write(keybox));
        members.put("senderId", sender);
        members.put("recipientId", recipient);
        return CanonicalJson.text(members);
    }
}
