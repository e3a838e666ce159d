package closerkeys;

import static closerkeys.Lines.output;

import closerkeys.Lines.Operation;
import java.util.Map;

/** What the library seals for `vectors live`. No output comes twice. */
final class Sealer {
    private Sealer() {}

    static void addTo(Map<String, Operation> operations) {
        operations.put("aead.seal", of ->
            output("ciphertext", Adapter.key(of, "keyset").seal(of.hex("plaintext"), of.hex("associatedData"))));
        operations.put("field.seal", of ->
            output("token", Adapter.key(of, "keyset").sealField(of.text("coupleId"), of.hex("plaintext"))));
        operations.put("placedField.seal", of -> output("token",
            Adapter.key(of, "keyset").sealField(of.text("coupleId"), of.text("place"), of.hex("plaintext"))));
        operations.put("ecies.seal", of -> {
            Keyset.Key key = Keyset.readOwn(of.hex("publicKeyset")).primary();
            byte[] box = ((EciesPublicKey) key.material).seal(of.hex("plaintext"), of.hex("context"));
            return output("ciphertext", Bytes.concat(key.prefix(), box));
        });
        operations.put("keybox.seal", of -> {
            byte[] box = PublicKey.read(of.text("publicKey")).seal(of.hex("plaintext"), of.utf8("context"));
            return output("keybox", Token.KEYBOX.write(box));
        });
        operations.put("wrap.wrap", of -> {
            Wrap wrap = Wrap.seal(of.hex("keyset"), of.text("phrase"));
            return wrap.members();
        });
        operations.put("invite.seal", of ->
            output("recoveryPhrase", Wrap.phraseUnderCode(of.text("phrase"), of.text("code"))));
        operations.put("answer.seal", of -> {
            SealedPayload made = SealedPayload.seal(of.hex("payload"), Adapter.context(of, "userId"));
            return output(
                "oneTimeKey", made.oneTimeKey, "encryptedPayload", made.token, "commitmentHash", made.commitment);
        });
        operations.put("rekey.seal", of -> {
            Rekey.Route route = new Rekey.Route(of.text("coupleId"), of.text("senderId"), of.text("recipientId"));
            Identity identity = Adapter.identity(of, "identityKeyset");
            PublicKey partner = PublicKey.read(of.text("publicKey"));
            return output("encryptedCoupleKey", Rekey.seal(Adapter.grant(of), route, identity, partner));
        });
        operations.put("pairing.reply", of -> {
            byte[] scalar = Adapter.CPACE.newScalar();
            Transcript made = Adapter.answered(of, scalar);
            PairOffer offer = PairOffer.read(of.text("offer"), Adapter.CPACE);
            PairingCode code = PairingCode.read(of.text("code"));
            byte[] generator = Adapter.CPACE.generator(Bytes.utf8(code.secret), offer.channel(), offer.session);
            byte[] hold = !of.has("keyset") ? new byte[0]
                : made.sealHold(Adapter.grant(of));
            byte[] share = Adapter.CPACE.multiply(scalar, generator);
            Party acceptor = Party.read(of.members);
            return output("reply", new PairReply(offer.lookup, acceptor, share, made.tag("reply", hold), hold).write());
        });
        operations.put("pairing.grant", of -> {
            PairReply reply = PairReply.read(of.text("reply"), Adapter.CPACE);
            Transcript made = Adapter.judged(of, reply);
            return output("grant", made.grant(reply.lookup, Adapter.grant(of), of.has("migrating")).write());
        });
    }
}
