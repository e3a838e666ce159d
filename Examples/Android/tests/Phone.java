package closerkeys;

import static closerkeys.Lines.output;

import closerkeys.Lines.Case;
import closerkeys.Lines.Operation;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Phones of the stories, each a folder with one file: every request opens it anew, and keeps what a step hands it. */
final class Phone {
    private static final Ristretto255 GROUP = new SodiumRistretto255();
    private static final Map<String, Operation> OPERATIONS = new TreeMap<>();

    private Phone() {}

    public static void main(String[] arguments) throws IOException {
        ofDevices();
        ofCouples();
        ofPairings();
        ofAnswers();
        Lines.serve(OPERATIONS);
    }

    private static void ofDevices() {
        OPERATIONS.put("new", of -> {
            Device.create(of.text("user"), of.has("identity") ? of.hex("identity") : null, GROUP, keep(of));
            return output();
        });
        OPERATIONS.put("show", of -> {
            Device device = device(of);
            return output("publicKey", device.publicKey(), "x25519Key", device.x25519Key(), "document",
                device.document("android"));
        });
    }

    private static void ofCouples() {
        OPERATIONS.put("create", of -> {
            Couple.Invite invite = couple(of).create(keep(of));
            return output("invite", invite.document, "code", invite.code, "phrase", couple(of).phrase());
        });
        step("join", of -> couple(of).join(of.text("invite"), optional(of, "code"), keep(of)));
        step("recover", of -> couple(of).recover(of.text("document"), of.text("phrase"), keep(of)));
        step("retire", of -> couple(of).retire(Adapter.number(of, "keyId"), keep(of)));
        step("forgetPhrase", of -> couple(of).forgetPhrase(keep(of)));
        step("verify", of ->
            couple(of).partner().verify(of.text("user"), of.text("publicKey"), of.text("digits"), keep(of)));
        step("takeRekey", of ->
            couple(of).partner().takeRekey(of.text("document"), of.has("allowingGap"), keep(of)));
        step("migrate", of -> couple(of).migration().start(keep(of)));
        OPERATIONS.put("rekey", of -> output("document", couple(of).partner().rekey(keep(of))));
        OPERATIONS.put("digits", of ->
            output("digits", couple(of).partner().digits(of.text("user"), of.text("publicKey"))));
        OPERATIONS.put("finishMigration", of ->
            output("document", couple(of).migration().finish(of.text("document"), keep(of))));
        OPERATIONS.put("readText", of -> output("text", couple(of).migration().readText(of.text("text"))));
        OPERATIONS.put("rehearse", of ->
            output("fingerprint", couple(of).rehearse(of.text("document"), of.text("phrase"))));
        OPERATIONS.put("couple", of -> {
            Couple couple = couple(of);
            CoupleState state = couple.state();
            List<Long> ids = new ArrayList<>();
            List<String> origins = new ArrayList<>();
            for (Keyset.Key each : state.key.keyset.keys) {
                ids.add(each.id);
                origins.add(state.origin(each));
            }
            Partner partner = couple.partner();
            Map<String, Object> output = output("partner", partner.user(), "publicKey", partner.publicKey(),
                "x25519Key", partner.x25519Key(), "verifiedBy", partner.verifiedBy());
            output.putAll(output("document", couple.document(), "fingerprint", couple.fingerprint(), "privacy",
                couple.privacy(), "epoch", couple.epoch(), "phrase", couple.phrase()));
            output.putAll(output("keyIds", ids, "origins", origins, "primary", state.key.keyset.primaryId));
            return output;
        });
        OPERATIONS.put("sealField", of -> {
            String place = optional(of, "place");
            return output("token", place == null ? couple(of).key().sealField(of.text("couple"), of.hex("plaintext"))
                : couple(of).sealField(place, of.hex("plaintext")));
        });
        OPERATIONS.put("openField", of -> {
            String place = optional(of, "place");
            Couple.Field field = place == null ? couple(of).openUnplacedField(of.text("token"))
                : couple(of).openField(place, of.text("token"));
            return output("plaintext", field.plaintext, "origin", field.origin);
        });
    }

    private static void ofPairings() {
        OPERATIONS.put("invite", of -> {
            Pairing.Offer offer = couple(of).pairing().invite(keep(of));
            return output("document", offer.document, "code", offer.code);
        });
        OPERATIONS.put("accept", of ->
            output("document", couple(of).pairing().accept(of.text("document"), of.text("code"), whom(of), keep(of))));
        OPERATIONS.put("confirm", of ->
            output("document", couple(of).pairing().confirm(of.text("document"), whom(of), keep(of))));
        step("finish", of -> couple(of).pairing().finish(of.text("document"), keep(of)));
        step("cancelInvite", of -> couple(of).pairing().cancelInvite(keep(of)));
        step("cancelReply", of -> couple(of).pairing().cancelReply(keep(of)));
        OPERATIONS.put("confirmTwice", of -> {
            // One object, of which the first guess is not kept: the second is none.
            Pairing pairing = couple(of).pairing();
            try {
                pairing.confirm(of.text("document"), whom(of), next -> {
                    throw new IOException("full");
                });
            } catch (IOException full) {
                return output("document", pairing.confirm(of.text("second"), whom(of), keep(of)));
            }
            throw new IllegalStateException("a result before it was kept");
        });
    }

    private static void ofAnswers() {
        OPERATIONS.put("seal", of -> output("document", answers(of).seal(question(of), of.text("answer"), keep(of))));
        OPERATIONS.put("answer", of -> output("document", answers(of).document(question(of))));
        OPERATIONS.put("release", of -> output("document", answers(of).release(
            question(of), of.text("user"), of.text("publicKey"), of.text("theirs"), keep(of))));
        OPERATIONS.put("reveal", of -> {
            Answers.Revealed revealed = answers(of).reveal(question(of), of.text("user"), of.text("theirs"),
                optional(of, "release"), of.has("allow"), keep(of));
            return output("payload", revealed.payload, "authenticity", revealed.authenticity, "place", revealed.place);
        });
    }

    private interface Step {
        void run(Case of) throws Refused, IOException;
    }

    private static void step(String name, Step step) {
        OPERATIONS.put(name, of -> {
            step.run(of);
            return output();
        });
    }

    private static File file(Case of) throws Refused {
        return new File(of.text("folder"), "state");
    }

    /** The next state beside the last one, on the disk, and then in its place. */
    private static Keep keep(Case of) throws Refused {
        File file = file(of);
        return next -> {
            if (new File(file.getParent(), "full").exists()) throw new IOException("the disk is full");
            File beside = new File(file.getPath() + ".next");
            try (FileOutputStream output = new FileOutputStream(beside)) {
                output.write(next);
                output.getFD().sync();
            }
            Files.move(beside.toPath(), file.toPath(), StandardCopyOption.ATOMIC_MOVE);
        };
    }

    private static Device device(Case of) throws Refused, IOException {
        return Device.open(Files.readAllBytes(file(of).toPath()), GROUP);
    }

    private static Couple couple(Case of) throws Refused, IOException {
        return device(of).couple(of.text("couple"));
    }

    private static Answers answers(Case of) throws Refused, IOException {
        return couple(of).answers();
    }

    private static Question question(Case of) throws Refused {
        return new Question(of.text("question"), of.text("place"));
    }

    private static Whom whom(Case of) throws Refused {
        Whom whom = of.has("partner") ? Whom.user(of.text("partner")) : Whom.anybody();
        whom = of.has("newKey") ? whom.withNewKey() : whom;
        return of.has("sendingKeys") ? whom.sendingKeys() : whom;
    }

    private static String optional(Case of, String name) throws Refused {
        return of.has(name) ? of.text(name) : null;
    }
}
