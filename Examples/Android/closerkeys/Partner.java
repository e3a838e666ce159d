package closerkeys;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** The other user: their key, the digits that two people compare, and rekeys. closer-keys-formats(7), REKEYING. */
public final class Partner {
    private final Couple couple;

    Partner(Couple couple) {
        this.couple = couple;
    }

    /** Null until somebody named one. */
    public String user() throws Refused {
        PartnerState partner = couple.state().partner;
        return partner == null ? null : partner.user;
    }

    /** `code`, by a pairing; `digits`; null for a key on trust. */
    public String verifiedBy() throws Refused {
        PartnerState partner = couple.state().partner;
        return partner == null ? null : partner.verifiedBy;
    }

    public String publicKey() throws Refused {
        PartnerState partner = couple.state().partner;
        return partner == null ? null : partner.key.token();
    }

    /** In standard base64; null unless a pairing named it. */
    public String x25519Key() throws Refused {
        PartnerState partner = couple.state().partner;
        return partner == null || partner.x25519 == null ? null : Base64Text.standard(partner.x25519);
    }

    /** Sixty digits: the partner's screen shows the same, if no server stands between. */
    public String digits(String user, String publicKey) throws Refused {
        DeviceState state = couple.device.state();
        return SafetyNumber.ofCouple(
            couple.id, state.user, state.identity.publicKey(), user, PublicKey.read(publicKey));
    }

    /** Once both people saw the same digits. Another key than the known one makes every couple key exposed. */
    public void verify(String user, String publicKey, String digits, Keep keep) throws Refused, IOException {
        boolean isSame = digits(user, publicKey).equals(digits.replaceAll("\\s", ""));
        Refused.demand(isSame, Refused.Reason.SAFETY_NUMBER_MISMATCH);
        PublicKey key = PublicKey.read(publicKey);
        couple.device.change(keep, next -> {
            CoupleState ours = next.couple(couple.id);
            new Party(user, key, new byte[0]).checkIsAnother(next.party());
            PartnerState known = ours.partner;
            Refused.demand(known == null || known.user.equals(user), Refused.Reason.OTHER_PARTNER);
            if (known == null || !known.key.isSameAs(key)) {
                if (known != null) ours.expose();
                ours.partner = new PartnerState(user, key);
                ours.partner.authenticates = known != null && known.authenticates;
            }
            ours.partner.verifiedBy = "digits";
            return null;
        });
    }

    /** Whether it is this device that makes the new key. */
    public boolean sendsRekey() throws Refused {
        return Rekey.Route.sends(couple.device.state().user, verified(couple.state()).user);
    }

    /**
     * A new key that only the two devices have; the old keys stay for reading. Again, it gives the same document, until
     * another key came. The couple's document and phrase are new.
     */
    public String rekey(Keep keep) throws Refused, IOException {
        CoupleState now = couple.state();
        Refused.demand(sendsRekey(), Refused.Reason.NOT_YET);
        if (now.sentRekey != null) return now.sentRekey;
        couple.change(keep, next -> {
            DeviceState device = couple.device.state();
            PartnerState partner = verified(next);
            Refused.demand(next.epoch < CoupleGrant.HIGHEST_EPOCH, Refused.Reason.LIMIT);
            String phrase = Phrase.random();
            CoupleGrant grant = new CoupleGrant(next.epoch + 1, next.key.rotated(next.retired), phrase);
            Rekey.Route route = new Rekey.Route(couple.id, device.user, partner.user);
            String keybox = Rekey.seal(grant, route, device.identity, partner.key);
            take(next, grant, grant.key);
            next.sentRekey = document(keybox, device.user, partner.user, grant.epoch);
        });
        return couple.state().sentRekey;
    }

    /** Takes the partner's rekey. The phrase is new. The same one again changes nothing. */
    public void takeRekey(String document, Keep keep) throws Refused, IOException {
        Map<String, Object> members = Json.readObject(document);
        PartnerState partner = verified(couple.state());
        Refused.demand(!sendsRekey(), Refused.Reason.NOT_YET);
        DeviceState device = couple.device.state();
        Refused.demand(device.user.equals(Json.text(members, "recipientId")), Refused.Reason.NO_KEY);
        Refused.demand(partner.user.equals(Json.text(members, "senderId")), Refused.Reason.AUTH_FAILED);
        String keybox = Json.text(members, "encryptedCoupleKey");
        if (keybox.equals(couple.state().takenRekey) && couple.state().isPrivate()) return;
        Rekey.Route route = new Rekey.Route(couple.id, partner.user, device.user);
        long epoch = new Fields(members).number("epoch");
        CoupleGrant grant = Rekey.open(keybox, epoch, route, device.identity, partner.key);
        couple.change(keep, next -> {
            take(next, grant, new Union(next.epoch, next.key, next.retired).rekeyed(grant));
            next.takenRekey = keybox;
        });
    }

    private static void take(CoupleState ours, CoupleGrant grant, CoupleKey key) throws Refused {
        if (ours.privateSince == CoupleState.NEVER) ours.privateSince = grant.epoch;
        ours.take(key, CoupleState.REKEY, CoupleState.INVITE);
        ours.epoch = grant.epoch;
        ours.phrase = grant.phrase;
        ours.wrap = Wrap.seal(key.bytes(), grant.phrase);
        ours.sentRekey = null;
    }

    private static PartnerState verified(CoupleState ours) throws Refused {
        boolean isVerified = ours.partner != null && ours.partner.verifiedBy != null;
        Refused.demand(isVerified, Refused.Reason.NOT_YET);
        return ours.partner;
    }

    private static String document(String keybox, String sender, String recipient, long epoch) {
        Map<String, Object> members = new TreeMap<>();
        members.put("encryptedCoupleKey", keybox);
        members.put("senderId", sender);
        members.put("recipientId", recipient);
        members.put("epoch", epoch);
        return CanonicalJson.text(members);
    }
}
