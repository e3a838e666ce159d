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

    /** `code`, by a pairing; `safetyNumber`, by digits; null for a key on trust. */
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

    /** Once both people saw the same digits. Another key than the known one counts every couple key as given away. */
    public void verify(String user, String publicKey, String digits, Keep keep) throws Refused, IOException {
        boolean isSame = digits(user, publicKey).equals(digits.replaceAll("[\\s-]", ""));
        Refused.demand(isSame, Refused.Reason.SAFETY_NUMBER_MISMATCH);
        PublicKey key = PublicKey.read(publicKey);
        couple.device.change(keep, next -> {
            CoupleState ours = next.couple(couple.id);
            new Party(user, key, new byte[0]).checkIsAnother(next.party());
            PartnerState known = ours.partner;
            Refused.demand(known == null || known.user.equals(user), Refused.Reason.OTHER_PARTNER);
            ours.exposeUnpaired();
            boolean isKnown = known != null && known.key.isSameAs(key);
            if (known != null && !isKnown) next.give(ours);
            for (ReplyState each : next.replies.values()) {
                if (each.isWaitingOf(couple.id) && !each.isTo(user, key)) each.close("givenUp");
            }
            if (!isKnown) {
                ours.partner = new PartnerState(user, key);
                ours.sentRekey = null;
            }
            // What a code showed stays shown.
            if (ours.partner.verifiedBy == null) ours.partner.verifiedBy = "safetyNumber";
            return null;
        });
    }

    /** Whether it is this device that makes the new key. */
    public boolean sendsRekey() throws Refused {
        return Rekey.Route.sends(couple.device.state().user, verified(couple.state()).user);
    }

    /**
     * A new key that only the two devices have; the old keys stay for reading. Again, it gives the same document, as
     * long as this key is private. The couple's document and phrase are new.
     */
    public String rekey(Keep keep) throws Refused, IOException {
        synchronized (couple.device) {
            CoupleState now = couple.state();
            Refused.demand(sendsRekey(), Refused.Reason.NOT_YET);
            if (now.sentRekey != null && now.isPrivate()) return now.sentRekey;
            return rekey(now.epoch + 1, keep);
        }
    }

    /**
     * Another new key, whatever was sent; with a number up to 1000 above ours, where the partner's phone knows more of
     * them.
     */
    public String rekey(long epoch, Keep keep) throws Refused, IOException {
        Refused.demand(sendsRekey(), Refused.Reason.NOT_YET);
        couple.change(keep, next -> {
            DeviceState device = couple.device.state();
            PartnerState partner = verified(next);
            Refused.demand(epoch > next.epoch, Refused.Reason.EPOCH_MISMATCH);
            long highest = Math.min(next.epoch + CoupleGrant.MAXIMUM_GAP, CoupleGrant.HIGHEST_EPOCH);
            Refused.demand(epoch <= highest, Refused.Reason.LIMIT);
            String phrase = Phrase.random();
            CoupleKey key = next.key.rotated(next.retired);
            CoupleGrant grant = new CoupleGrant(epoch, key.enabledOnly(), phrase);
            Rekey.Route route = new Rekey.Route(couple.id, device.user, partner.user);
            String keybox = Rekey.seal(grant, route, device.identity, partner.key);
            take(next, grant, key);
            next.sentRekey = document(keybox, device.user, partner.user, grant.epoch);
        });
        return couple.state().sentRekey;
    }

    /**
     * Takes the partner's rekey. The phrase is new. The same one again changes nothing.
     *
     * @param allowingGap a person knows that rekeys were lost: the number may be up to 1000 above the next one
     */
    public void takeRekey(String document, boolean allowingGap, Keep keep) throws Refused, IOException {
        synchronized (couple.device) {
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
                take(next, grant, new Union(next.epoch, next.key, next.retired).rekeyed(grant, allowingGap));
                next.takenRekey = keybox;
            });
        }
    }

    private static void take(CoupleState ours, CoupleGrant grant, CoupleKey key) throws Refused {
        if (ours.privateSince == CoupleState.NEVER) ours.privateSince = grant.epoch;
        ours.origins.replaceAll((id, origin) -> origin.equals(CoupleState.GIVEN) ? CoupleState.EXPOSED : origin);
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
