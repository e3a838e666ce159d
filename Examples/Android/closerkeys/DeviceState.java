package closerkeys;

import java.util.Map;
import java.util.TreeMap;

/** All that a device remembers, as bytes of this library's own: canonical JSON, with every secret in it. */
final class DeviceState {
    private static final String FORM = "closer-keys/android/1";

    final String user;
    final Identity identity;
    final byte[] x25519;
    final Map<String, CoupleState> couples = new TreeMap<>();
    /** By the first half of their codes, also when they are closed. */
    final Map<String, InviteState> invites = new TreeMap<>();
    final Map<String, ReplyState> replies = new TreeMap<>();

    DeviceState(String user, Identity identity, byte[] x25519) throws Refused {
        this.user = Names.id(user);
        this.identity = identity;
        this.x25519 = x25519;
        Refused.form(x25519.length == 32);
    }

    static DeviceState read(byte[] bytes) throws Refused {
        Fields fields = new Fields(Json.read(bytes));
        Refused.form(FORM.equals(fields.text("form")));
        DeviceState state =
            new DeviceState(fields.text("user"), Identity.read(fields.bytes("identity")), fields.bytes("x25519"));
        for (Map.Entry<String, Object> each : fields.inner("couples").members.entrySet()) {
            state.couples.put(each.getKey(), CoupleState.read(each.getKey(), new Fields(each.getValue())));
        }
        for (Map.Entry<String, Object> each : fields.inner("invites").members.entrySet()) {
            state.invites.put(each.getKey(), InviteState.read(new Fields(each.getValue())));
        }
        for (Map.Entry<String, Object> each : fields.inner("replies").members.entrySet()) {
            state.replies.put(each.getKey(), ReplyState.read(new Fields(each.getValue())));
        }
        return state;
    }

    byte[] write() {
        Fields ofCouples = new Fields();
        Fields ofInvites = new Fields();
        Fields ofReplies = new Fields();
        for (CoupleState each : couples.values()) ofCouples.put(each.id, each.write().members);
        for (InviteState each : invites.values()) ofInvites.put(each.code.lookup, each.write().members);
        for (ReplyState each : replies.values()) ofReplies.put(each.code.lookup, each.write().members);
        return CanonicalJson.write(new Fields().put("form", FORM).put("user", user)
            .put("identity", identity.keyset.write()).put("x25519", x25519).put("couples", ofCouples.members)
            .put("invites", ofInvites.members).put("replies", ofReplies.members).members);
    }

    CoupleState couple(String id) throws Refused {
        CoupleState couple = couples.get(id);
        Refused.demand(couple != null, Refused.Reason.NO_KEY);
        return couple;
    }

    Party party() throws Refused {
        return new Party(user, identity.publicKey(), X25519Keys.publicKey(x25519));
    }

    boolean knows(String lookup) {
        return invites.containsKey(lookup) || replies.containsKey(lookup);
    }

    /** The couple's open offer; null without one. */
    InviteState openInvite(String couple) {
        for (InviteState each : invites.values()) if (each.couple.equals(couple) && each.isOpen()) return each;
        return null;
    }

    /** The first key of a partner is taken on trust, and no other one after it. */
    void meet(CoupleState couple, String other, PublicKey key) throws Refused {
        new Party(other, key, new byte[0]).checkIsAnother(party());
        if (couple.partner != null) {
            Refused.demand(couple.partner.user.equals(other), Refused.Reason.OTHER_PARTNER);
            Refused.demand(couple.partner.key.isSameAs(key), Refused.Reason.PARTNER_KEY_MISMATCH);
            return;
        }
        for (ReplyState each : replies.values()) {
            boolean isHers = !each.isWaitingOf(couple.id) || each.isTo(other, key);
            Refused.demand(isHers, Refused.Reason.NOT_YET);
        }
        couple.exposeUnpaired();
        couple.partner = new PartnerState(other, key);
    }

    /** From now on another device has what was private, and the same reply gets no grant any more. */
    void give(CoupleState couple) {
        if (!couple.hasPrivateKeys()) return;
        couple.give();
        closeGrants(couple.id);
    }

    /** While a reply waits for its grant, the couple's keys stay as they are. */
    void checkNothingWaits(String couple) throws Refused {
        for (ReplyState each : replies.values()) {
            Refused.demand(!each.isWaitingOf(couple), Refused.Reason.NOT_YET);
        }
    }

    /** Until now the same reply got the same grant: it gets none any more. */
    void closeGrants(String couple) {
        for (InviteState each : invites.values()) {
            if (each.couple.equals(couple) && each.status.equals("granted")) each.close("cancelled");
        }
    }
}
