package closerkeys;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** What servers, strangers, former phones and two threads tried on a phone. Exits with 1 if a line of it fails. */
final class Hostile {
    private static final Ristretto255 GROUP = new SodiumRistretto255();
    private static final String PHRASE = "able acid aged also area army away baby back ball";
    private static final Question QUESTION = question("q1");
    private static int failures;

    private Hostile() {}

    /** One user's phone, whose disk is an array. */
    private static final class Phone implements Keep {
        final String user;
        byte[] kept;
        Device device;

        Phone(String user) throws Refused, IOException {
            this.user = user;
            device = Device.create(user, null, GROUP, this);
        }

        @Override
        public void keep(byte[] next) {
            kept = next;
        }

        Couple couple() throws Refused {
            return device.couple("couple_1");
        }

        CoupleState state() {
            return device.state().couples.get("couple_1");
        }

        void join(Keyset keyset) throws Refused, IOException {
            couple().join(invite(Wrap.seal(keyset.write(), PHRASE)), null, this);
        }

        void verify(String user, Phone other) throws Refused, IOException {
            String key = other.device.publicKey();
            couple().partner().verify(user, key, couple().partner().digits(user, key), this);
        }

        String accept(Pairing.Offer offer) throws Refused, IOException {
            return couple().pairing().accept(offer.document, offer.code, Whom.anybody().sendingKeys(), this);
        }
    }

    public static void main(String[] arguments) throws Exception {
        ofDocuments();
        ofKeysets();
        ofRekeys();
        ofPartners();
        ofKeysThatWent();
        ofOrigins();
        ofThreads();
        System.out.println(failures == 0 ? "hostile: all refused" : "hostile: " + failures + " failed");
        System.exit(failures == 0 ? 0 : 1);
    }

    private static void ofDocuments() throws Exception {
        Phone bob = new Phone("bob");
        bob.join(new Keyset(1, keys(1)));
        Wrap wrap = bob.state().wrap;
        same("version 12", "malformed", () -> recover(bob, wrap, 12));
        same("version 2", "done", () -> recover(bob, wrap, 2));
        char[] padding = new char[1 << 18];
        Arrays.fill(padding, '=');
        long before = System.nanoTime();
        same("padding", "malformed", () -> Base64Text.fromEither(new String(padding) + "A"));
        same("its time", true, () -> System.nanoTime() - before < 1_000_000_000L);
        same("2 MiB", "limit", () -> CoupleDocument.read("{\"a\":\"" + new String(new char[2 << 20]) + "\"}"));
        bob.couple().migration().isMigrating(bob);
        same("the partner has finished", "done", () -> bob.couple().migration().finish(migrating(wrap, "alice"), bob));
        same("others", "notAMember", () -> bob.couple().migration().finish(migrating(wrap, "mallory"), bob));
        same("what is printed", 2L, () -> bob.state().printedVersion());
    }

    private static void ofKeysets() throws Exception {
        Phone poisoned = new Phone("bob");
        byte[] value = new Protobuf.Writer().bytes(3, Bytes.random(32)).bytes(9, new byte[18_000]).done();
        String json = "{\"primaryKeyId\":7,\"key\":[{\"keyData\":{\"typeUrl\":\"" + AesKey.NAME + "\",\"value\":\""
            + Base64Text.standard(value) + "\",\"keyMaterialType\":\"SYMMETRIC\"},\"status\":\"ENABLED\",\"keyId\":7,"
            + "\"outputPrefixType\":\"TINK\"}]}";
        poisoned.couple().join(invite(Wrap.seal(Bytes.utf8(json), PHRASE)), null, poisoned);
        same("the state opens", "done", () -> Device.open(poisoned.kept, GROUP));

        Phone bob = new Phone("bob");
        List<Keyset.Key> keys = keys(1, 2, 3);
        List<Keyset.Key> disabled = Arrays.asList(as(keys.get(0), 2), as(keys.get(1), 2), keys.get(2));
        bob.join(new Keyset(1, keys.subList(0, 2)));
        same("an invite with disabled keys", "notYet", () -> joined(bob, new Keyset(3, disabled)));
        same("an invite with more keys", "notYet", () -> joined(bob, new Keyset(1, keys)));
        bob.couple().retire(2, bob);
        recover(bob, Wrap.seal(new Keyset(1, keys.subList(0, 2)).write(), PHRASE), 2);
        same("a retired key", null, () -> bob.state().key.keyset.find(2));

        Phone carl = new Phone("carl");
        Phone dora = new Phone("dora");
        carl.join(new Keyset(3, disabled));
        pair(carl, dora);
        same("a grant of a couple with disabled keys", "paired", () -> dora.couple().privacy());
    }

    private static void ofRekeys() throws Exception {
        Phone alice = new Phone("alice");
        Phone bob = new Phone("bob");
        Phone next = new Phone("bob");
        List<Keyset.Key> keys = keys(1, 9);
        alice.join(new Keyset(1, keys.subList(0, 1)));
        bob.join(new Keyset(1, keys.subList(0, 1)));
        alice.verify("bob", bob);
        bob.verify("alice", alice);
        Keyset loses = new Keyset(9, Arrays.asList(as(keys.get(0), 2), keys.get(1)));
        Rekey.Route route = new Rekey.Route("couple_1", "alice", "bob");
        String keybox = Rekey.seal(new CoupleGrant(1, new CoupleKey(loses), PHRASE), route,
            alice.device.state().identity, PublicKey.read(bob.device.publicKey()));
        same("a rekey that disables a key", "keyMismatch", () -> take(bob, keybox));
        String first = alice.couple().partner().rekey(alice);
        alice.verify("bob", next);
        same("the rekey of the former phone", false, () -> alice.couple().partner().rekey(alice).equals(first));
        same("the state", "rekeyed", () -> alice.couple().privacy());
    }

    private static void ofPartners() throws Exception {
        Phone bob = new Phone("bob");
        Phone server = new Phone("alice");
        bob.couple().pairing().invite(bob);
        bob.couple().answers().seal(QUESTION, "{\"answer\":\"yes\"}", bob);
        AnswerContext context = new AnswerContext("couple_1", "q1", "alice");
        SealedPayload fake = SealedPayload.seal(Bytes.utf8("{\"answer\":\"" + PHRASE + "\"}"), context);
        String theirs = answer("q1", fake);
        same("our own key", "partnerKeyMismatch", () -> release(bob, bob, theirs));
        release(bob, server, theirs);
        same("alone, and a key of the server's", "serverKnown", () -> bob.couple().privacy());

        Phone carl = new Phone("carl");
        Phone alice = new Phone("alice");
        Couple.Invite invite = alice.couple().create(alice);
        carl.couple().join(invite.document, null, carl);
        alice.couple().answers().seal(QUESTION, "{\"answer\":\"yes\"}", alice);
        String ours = carl.couple().answers().seal(QUESTION, "{\"answer\":\"no\"}", carl);
        String proven = alice.couple().answers().release(QUESTION, "carl", carl.device.publicKey(), ours, alice);
        String hers = alice.couple().answers().document(QUESTION);
        carl.couple().answers().reveal(QUESTION, "alice", hers, proven, true, carl);
        Question other = question("q2");
        carl.couple().answers().seal(other, "{\"answer\":\"no\"}", carl);
        AnswerContext otherContext = new AnswerContext("couple_1", "q2", "alice");
        SealedPayload stripped = SealedPayload.seal(Bytes.utf8("{\"answer\":\"" + PHRASE + "\"}"), otherContext);
        String keybox = Token.KEYBOX.write(
            PublicKey.read(carl.device.publicKey()).seal(stripped.oneTimeKey, otherContext.ofRelease("carl")));
        String release = "{\"encryptedAnswerKey\":\"" + keybox + "\",\"senderId\":\"alice\",\"recipientId\":\"carl\"}";
        same("an answer without a proof, after one with", "unauthenticated",
            () -> carl.couple().answers().reveal(other, "alice", answer("q2", stripped), release, true, carl));
    }

    private static void ofKeysThatWent() throws Exception {
        Phone bob = new Phone("bob");
        Phone stranger = new Phone("mallory");
        Phone alice = new Phone("alice");
        bob.couple().pairing().invite(bob);
        bob.couple().pairing().cancelInvite(bob);
        String reply = bob.accept(stranger.couple().pairing().invite(stranger));
        stranger.couple().pairing().confirm(reply, Whom.anybody(), stranger);
        bob.couple().pairing().cancelReply(bob);
        same("a key that a stranger has", "serverKnown", () -> bob.couple().privacy());
        pair(bob, alice);
        String field = alice.couple().key().sealField("couple_1", new byte[1]);
        same("a pairing after it", "noKey", () -> stranger.couple().key().openField("couple_1", field));
    }

    /** The server has an old key without a prefix, and draws a nonce that begins as a prefix of the private key. */
    private static void ofOrigins() throws Exception {
        Phone bob = new Phone("bob");
        Phone alice = new Phone("alice");
        Keyset.Key plain = CoupleKey.newKey(1);
        Keyset.Key raw = new Keyset.Key(1, Keyset.ENABLED, Keyset.RAW, plain.material, plain.material.value(33));
        bob.join(Keyset.of(raw));
        pair(bob, alice);
        byte[] prefix = bob.state().key.keyset.primary().prefix();
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        byte[] nonce = Arrays.copyOf(prefix, Aes.IV);
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(raw.aes(), "AES"), new GCMParameterSpec(128, nonce));
        cipher.updateAAD(Bytes.utf8("couple_1"));
        String token = Token.FIELD.write(Bytes.concat(nonce, cipher.doFinal()));
        same("whose key opened a field", "exposed", () -> bob.couple().openUnplacedField(token).origin);
    }

    private static void ofThreads() throws Exception {
        CPace cpace = new CPace(GROUP);
        Phone[] servers = {new Phone("alice"), new Phone("alice")};
        int answered = 0;
        for (int round = 0; round < 60; round++) {
            Phone bob = new Phone("bob");
            PairingCode code = PairingCode.random();
            List<Callable<String>> steps = new ArrayList<>();
            for (Phone server : servers) {
                byte[] session = Bytes.random(16);
                byte[] guess = cpace.generator(
                    Bytes.utf8("GUESS1"), PairOffer.channel(code.lookup, "couple_1", "alice"), session);
                byte[] share = cpace.multiply(cpace.newScalar(), guess);
                Party party = server.device.state().party();
                String offer = new PairOffer(code.lookup, "couple_1", party, session, share).write();
                steps.add(() -> bob.couple().pairing().accept(offer, code.toString(), Whom.anybody(), bob));
            }
            answered += together(steps);
        }
        int all = answered;
        same("offers that 60 codes answered", 60, () -> all);
    }

    /** How many of the steps that begin at once have a result. */
    private static int together(List<Callable<String>> steps) throws Exception {
        CyclicBarrier start = new CyclicBarrier(steps.size());
        ExecutorService threads = Executors.newFixedThreadPool(steps.size());
        List<Future<String>> results = new ArrayList<>();
        for (Callable<String> step : steps) {
            results.add(threads.submit(() -> {
                start.await();
                return step.call();
            }));
        }
        int count = 0;
        for (Future<String> result : results) {
            try {
                result.get();
                count++;
            } catch (ExecutionException refused) {
                if (!(refused.getCause() instanceof Refused)) throw refused;
            }
        }
        threads.shutdown();
        return count;
    }

    private static void pair(Phone inviter, Phone acceptor) throws Refused, IOException {
        String reply = acceptor.accept(inviter.couple().pairing().invite(inviter));
        String grant = inviter.couple().pairing().confirm(reply, Whom.anybody(), inviter);
        acceptor.couple().pairing().finish(grant, acceptor);
    }

    private static String joined(Phone phone, Keyset keyset) throws Refused, IOException {
        phone.join(keyset);
        return "done";
    }

    private static String recover(Phone phone, Wrap wrap, double version) throws Refused, IOException {
        Map<String, Object> members = new TreeMap<>(wrap.members());
        members.put("encryptionVersion", version);
        phone.couple().recover(CanonicalJson.text(members), PHRASE, phone);
        return "done";
    }

    private static String take(Phone phone, String keybox) throws Refused, IOException {
        phone.couple().partner().takeRekey("{\"encryptedCoupleKey\":\"" + keybox
            + "\",\"senderId\":\"alice\",\"recipientId\":\"bob\",\"epoch\":1}", false, phone);
        return "done";
    }

    private static String release(Phone phone, Phone other, String theirs) throws Refused, IOException {
        return phone.couple().answers().release(QUESTION, "alice", other.device.publicKey(), theirs, phone);
    }

    private static String invite(Wrap wrap) {
        Map<String, Object> members = new TreeMap<>(wrap.members());
        members.put("code", "ABC123");
        members.put("recoveryPhrase", Wrap.phraseUnderCode(PHRASE, "ABC123"));
        return CanonicalJson.text(members);
    }

    private static String migrating(Wrap wrap, String other) {
        Map<String, Object> members = new TreeMap<>(wrap.members());
        Map<String, Object> marks = new TreeMap<>();
        marks.put(other, true);
        members.put("encryptionVersion", 2);
        members.put("userIds", Arrays.asList(other, "bob"));
        members.put("encryptionMigrationUsers", marks);
        return CanonicalJson.text(members);
    }

    private static String answer(String question, SealedPayload sealed) {
        return "{\"userId\":\"alice\",\"questionId\":\"" + question + "\",\"schemaVersion\":3,\"encryptedPayload\":\""
            + sealed.token + "\",\"commitmentHash\":\"" + sealed.commitment + "\",\"answerKeyReleased\":true}";
    }

    private static Question question(String id) {
        try {
            return new Question(id, "thread:t");
        } catch (Refused impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static List<Keyset.Key> keys(long... ids) {
        List<Keyset.Key> keys = new ArrayList<>();
        for (long id : ids) keys.add(CoupleKey.newKey(id));
        return keys;
    }

    private static Keyset.Key as(Keyset.Key key, int status) {
        return new Keyset.Key(key.id, status, key.prefixKind, key.material, key.material.value(33));
    }

    /** The result, `done` for an object that is none to compare, or why it was refused. */
    private static void same(String what, Object wanted, Callable<Object> step) throws Exception {
        Object got;
        try {
            got = step.call();
            boolean isPlain = got == null || got instanceof String || got instanceof Number || got instanceof Boolean;
            if (!isPlain || "done".equals(wanted)) got = "done";
        } catch (Refused refused) {
            got = refused.reason.id;
        } catch (RuntimeException error) {
            got = error;
        }
        if (wanted == null ? got == null : wanted.equals(got)) return;
        failures++;
        System.out.println(what + ": " + wanted + " was wanted, and it is " + got);
    }
}
