package closerkeys;

import static closerkeys.Lines.output;

import closerkeys.Lines.Case;
import closerkeys.Lines.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The library behind the line protocol: `vectors run` asks the operations that open, `vectors live` those that seal,
 * too.
 */
final class Adapter {
    static final CPace CPACE = new CPace(new SodiumRistretto255());
    private static final Map<String, Operation> OPERATIONS = new TreeMap<>();

    private Adapter() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 0 || !arguments[0].equals("seal")) {
            ofFormats();
            ofAnswers();
            ofPairings();
        }
        if (arguments.length > 0) Sealer.addTo(OPERATIONS);
        Lines.serve(OPERATIONS);
    }

    private static void ofFormats() {
        OPERATIONS.put("base64.decode", of -> {
            boolean isStandard = of.text("variant").equals("standard");
            String text = of.text("text");
            return output("bytes", isStandard ? Base64Text.fromStandard(text) : Base64Text.fromUrl(text));
        });
        OPERATIONS.put("canonical", of -> output("canonical", CanonicalJson.write(Json.read(of.hex("text")))));
        OPERATIONS.put("aead.open", of ->
            output("plaintext", key(of, "keyset").open(of.hex("ciphertext"), of.hex("associatedData"))));
        OPERATIONS.put("field.open", of ->
            output("plaintext", key(of, "keyset").openField(of.text("coupleId"), of.text("token")).plaintext));
        OPERATIONS.put("placedField.open", of ->
            output("plaintext",
                key(of, "keyset").openField(of.text("coupleId"), of.text("place"), of.text("token")).plaintext));
        OPERATIONS.put("ecies.open", of ->
            output("plaintext", identity(of, "keyset").open(of.hex("ciphertext"), of.hex("context"))));
        OPERATIONS.put("keybox.open", of ->
            output("plaintext", identity(of, "keyset").openKeybox(of.text("keybox"), of.utf8("context"))));
        OPERATIONS.put("publicKey.parse", of -> {
            PublicKey key = PublicKey.read(of.text("publicKey"));
            return output("keyId", key.id(), "point", key.point().encoded(false));
        });
        OPERATIONS.put("kdfParams.check", of -> {
            Wrap.checkCosts(of.text("kdfParams"));
            return output();
        });
        OPERATIONS.put("wrap.unwrap", of -> {
            Wrap wrap = new Wrap(of.text("wrappedCoupleKey"), of.text("kdfSalt"), of.text("kdfParams"));
            return output("keyset", wrap.open(of.text("phrase")).bytes());
        });
        OPERATIONS.put("invite.open", of ->
            output("phrase", Wrap.phraseFromCode(of.text("recoveryPhrase"), of.text("code"))));
        OPERATIONS.put("x25519.agree", of ->
            output("sharedSecret", X25519Keys.agree(of.hex("privateKey"), of.hex("publicKey"))));
        OPERATIONS.put("rekey.open", of -> {
            Rekey.Route route = new Rekey.Route(of.text("coupleId"), of.text("senderId"), of.text("recipientId"));
            CoupleGrant grant = Rekey.open(of.text("encryptedCoupleKey"), number(of, "epoch"), route,
                identity(of, "identityKeyset"), PublicKey.read(of.text("publicKey")));
            return output("keyset", grant.key.bytes(), "phrase", grant.phrase);
        });
        OPERATIONS.put("safetyNumber.couple", of -> output("digits", SafetyNumber.ofCouple(
            of.text("coupleId"), of.text("ourUserId"), PublicKey.read(of.text("ourPublicKey")),
            of.text("theirUserId"), PublicKey.read(of.text("theirPublicKey")))));
        OPERATIONS.put("safetyNumber.x25519", of -> output("digits", SafetyNumber.ofX25519(
            of.text("ourUserId"), of.text("ourPublicKey"), of.text("theirUserId"), of.text("theirPublicKey"))));
        OPERATIONS.put("safetyNumber.fingerprint", of ->
            output("digits", SafetyNumber.fingerprint(of.hex("identity"), of.hex("key"))));
    }

    private static void ofAnswers() {
        OPERATIONS.put("commitment.verify", of ->
            output("payload", Payload.committed(of.hex("received"), of.text("commitmentHash"))));
        OPERATIONS.put("answer.open", of -> {
            AnswerContext context = context(of, "userId");
            byte[] received = SealedPayload.open(of.text("encryptedPayload"), of.hex("oneTimeKey"), context);
            return output("payload", Payload.committed(received, of.text("commitmentHash")));
        });
        OPERATIONS.put("reveal", of -> {
            AnswerContext context = context(of, "senderId");
            Token.SEALED.read(of.text("encryptedPayload"));
            Token.COMMITMENT.read(of.text("commitmentHash"));
            byte[] oneTimeKey = identity(of, "identityKeyset")
                .openKeybox(of.text("encryptedAnswerKey"), context.ofRelease(of.text("recipientId")));
            byte[] received = SealedPayload.open(of.text("encryptedPayload"), oneTimeKey, context);
            String pinned = of.has("pinnedCommitment") ? of.text("pinnedCommitment") : null;
            Reveal found = Reveal.check(received, of.text("commitmentHash"), pinned, context, of.text("place"),
                key(of, "coupleKeyset"));
            if (found.author == null) return output("payload", found.payload);
            return output("payload", found.payload, "place", of.text("place"), "macKeyId", found.author.id);
        });
    }

    private static void ofPairings() {
        OPERATIONS.put("pairing.code", of -> {
            PairingCode code = PairingCode.read(of.text("typed"));
            return output("lookup", code.lookup, "secret", code.secret);
        });
        OPERATIONS.put("cpace.generator", of -> output("generator", generator(of)));
        OPERATIONS.put("cpace.agree", of -> {
            byte[] theirs = of.hex("peerShare");
            CPACE.checkShare(theirs);
            CPace.Side ours = new CPace.Side(CPACE.multiply(of.hex("scalar"), generator(of)), of.hex("associatedData"));
            CPace.Side other = new CPace.Side(theirs, of.hex("peerAssociatedData"));
            boolean isFirst = of.text("role").equals("initiator");
            byte[] product = CPACE.multiply(of.hex("scalar"), theirs);
            byte[] key = CPace.sessionKey(of.hex("session"), product, isFirst ? ours : other, isFirst ? other : ours);
            return output("share", ours.share, "sessionKey", key);
        });
        OPERATIONS.put("pairing.confirm", of -> {
            PairReply reply = PairReply.read(of.text("reply"), CPACE);
            CoupleGrant hold = judged(of, reply).openHold(reply.hold);
            CoupleGrant granted = union(of).united(hold, of.text("alone").equals("true"));
            boolean isNew = key(of, "keyset").keyset.primaryId != granted.key.keyset.primaryId;
            List<Long> ids = new ArrayList<>();
            for (Keyset.Key each : granted.key.keyset.keys) {
                if (!isNew || each.id != granted.key.keyset.primaryId) ids.add(each.id);
            }
            Map<String, Object> output = output("epoch", granted.epoch, "newPrimary", isNew, "keyIds", ids);
            if (hold != null) output.putAll(output("holdEpoch", hold.epoch, "holdKeyset", hold.key.bytes()));
            return output;
        });
        OPERATIONS.put("pairing.finish", of -> {
            PairGrant grant = PairGrant.read(of.text("grant"));
            Transcript made = answered(of, of.hex("scalar"));
            Refused.demand(grant.lookup.equals(PairingCode.read(of.text("code")).lookup), Refused.Reason.NO_KEY);
            Transcript.Granted granted = made.grantKeys().open(grant);
            CoupleKey key = union(of).adopted(granted.couple);
            Map<String, Object> output =
                output("epoch", granted.couple.epoch, "keyset", key.bytes(), "phrase", granted.couple.phrase);
            if (granted.isMigrating) output.put("migrating", true);
            return output;
        });
    }

    /** What the inviter makes of a reply; the scalar is that of the offer's share. */
    static Transcript judged(Case of, PairReply reply) throws Refused {
        PairOffer offer = PairOffer.read(of.text("offer"), CPACE);
        Refused.demand(offer.lookup.equals(reply.lookup), Refused.Reason.NO_KEY);
        reply.acceptor.checkIsAnother(offer.inviter);
        byte[] product = CPACE.multiply(of.hex("scalar"), reply.share);
        Transcript made = Transcript.of(offer, reply.acceptor, reply.share, product);
        boolean isTag = Bytes.areEqual(reply.tag, made.tag("reply", reply.hold));
        Refused.demand(isTag, Refused.Reason.CODE_MISMATCH);
        return made;
    }

    /** The acceptor's side, from its code and scalar. */
    static Transcript answered(Case of, byte[] scalar) throws Refused {
        PairingCode code = PairingCode.read(of.text("code"));
        PairOffer offer = PairOffer.read(of.text("offer"), CPACE);
        Party acceptor = Party.read(of.members);
        Refused.demand(code.lookup.equals(offer.lookup), Refused.Reason.AUTH_FAILED);
        offer.inviter.checkIsAnother(acceptor);
        byte[] generator = CPACE.generator(Bytes.utf8(code.secret), offer.channel(), offer.session);
        byte[] share = CPACE.multiply(scalar, generator);
        return Transcript.of(offer, acceptor, share, CPACE.multiply(scalar, offer.share));
    }

    private static Union union(Case of) throws Refused {
        Retired retired = new Retired("");
        for (String id : of.has("retiredIds") ? of.text("retiredIds").split(" ") : new String[0]) {
            retired.addId(Long.parseLong(id));
        }
        if (of.has("retiredKeyset")) {
            List<Keyset.Key> keys = key(of, "retiredKeyset").keyset.keys;
            for (Keyset.Key each : keys) retired.add(each, Collections.singletonList(each));
        }
        if (!of.has("keyset")) return new Union(0, null, retired);
        return new Union(number(of, "epoch"), key(of, "keyset"), retired);
    }

    private static byte[] generator(Case of) throws Refused {
        return CPACE.generator(of.hex("password"), of.hex("channel"), of.hex("session"));
    }

    static AnswerContext context(Case of, String author) throws Refused {
        return new AnswerContext(of.text("coupleId"), of.text("questionId"), of.text(author));
    }

    static CoupleGrant grant(Case of) throws Refused {
        return new CoupleGrant(number(of, "epoch"), key(of, "keyset"), of.has("phrase") ? of.text("phrase") : null);
    }

    static CoupleKey key(Case of, String name) throws Refused {
        return CoupleKey.read(of.hex(name));
    }

    static Identity identity(Case of, String name) throws Refused {
        return Identity.read(of.hex(name));
    }

    static long number(Case of, String name) throws Refused {
        return Long.parseLong(of.text(name));
    }
}
