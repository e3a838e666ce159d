package closerkeys;

import java.io.IOException;

/**
 * Pairing with a code whose secret half no server sees, in four steps: A invites, B accepts, A confirms, B finishes.
 * The same four take in a new phone, and unite keys. closer-keys-pairing(7), STEPS.
 */
public final class Pairing {
    private static final long DAY = 24 * 60 * 60 * 1000L;

    private final Couple couple;
    private final Device device;

    Pairing(Couple couple) {
        this.couple = couple;
        device = couple.device;
    }

    /** The document is for the server, the code for the partner alone: by voice or on paper, never through the app. */
    public static final class Offer {
        public final String document;
        public final String code;

        private Offer(InviteState invite) {
            document = invite.offer;
            code = invite.code.toString();
        }
    }

    /** Makes an offer that ends in a day, or gives the open one again. A couple that is not known here is made. */
    public Offer invite(Keep keep) throws Refused, IOException {
        synchronized (device) {
            device.state().checkNothingWaits(couple.id);
            InviteState open = device.state().openInvite(couple.id);
            // One that has judged, though its verdict could not be kept, is over, too.
            boolean isOver = open != null && (hasEnded(open) || device.judged.contains(open.code.lookup));
            if (open != null && !isOver) return new Offer(open);
            return device.change(keep, next -> {
                if (open != null) next.invites.get(open.code.lookup).close("expired");
                if (!next.couples.containsKey(couple.id)) couple.made(next, CoupleState.PAIRING);
                InviteState made = made(next);
                next.invites.put(made.code.lookup, made);
                return new Offer(made);
            });
        }
    }

    private InviteState made(DeviceState next) throws Refused {
        PairingCode code = PairingCode.random();
        while (next.knows(code.lookup)) code = PairingCode.random();
        byte[] session = Bytes.random(16);
        byte[] scalar = device.cpace.newScalar();
        byte[] channel = PairOffer.channel(code.lookup, couple.id, next.user);
        byte[] generator = device.cpace.generator(Bytes.utf8(code.secret), channel, session);
        byte[] share = device.cpace.multiply(scalar, generator);
        String offer = new PairOffer(code.lookup, couple.id, next.party(), session, share).write();
        return new InviteState(code, offer, couple.id, System.currentTimeMillis() + DAY, scalar);
    }

    /** The reply. The same offer and code give the same one; another code for this offer is refused. */
    public String accept(String offer, String code, Whom whom, Keep keep) throws Refused, IOException {
        synchronized (device) {
            PairOffer read = PairOffer.read(offer, device.cpace);
            PairingCode typed = PairingCode.read(code);
            DeviceState now = device.state();
            Refused.demand(!now.invites.containsKey(read.lookup), Refused.Reason.USAGE);
            ReplyState answered = now.replies.get(read.lookup);
            if (answered == null) {
                Refused.demand(read.couple.equals(couple.id), Refused.Reason.NO_KEY);
                meet(now, read.inviter, whom);
                InviteState open = now.openInvite(couple.id);
                Refused.demand(open == null || hasEnded(open), Refused.Reason.NOT_YET);
            } else {
                boolean isSame = answered.isWaiting() && answered.offer.equals(read.write());
                Refused.demand(isSame, Refused.Reason.INVITE_USED);
            }
            Refused.demand(read.lookup.equals(typed.lookup), Refused.Reason.AUTH_FAILED);
            if (answered != null) {
                Refused.demand(answered.code.secret.equals(typed.secret), Refused.Reason.INVITE_USED);
                return answered.reply;
            }
            boolean wouldSend = now.couples.containsKey(couple.id) && !whom.mayHaveKeys;
            Refused.demand(!wouldSend, Refused.Reason.WOULD_SEND_KEYS);
            return device.change(keep, next -> {
                for (ReplyState each : next.replies.values()) {
                    if (each.couple.equals(couple.id) && each.isWaiting()) each.close("givenUp");
                }
                ReplyState made = answered(next, read, typed);
                next.replies.put(typed.lookup, made);
                // Our keys go with the reply, to the maker of the code.
                if (next.couples.containsKey(couple.id)) next.give(next.couple(couple.id));
                return made.reply;
            });
        }
    }

    private ReplyState answered(DeviceState next, PairOffer offer, PairingCode code) throws Refused {
        byte[] scalar = device.cpace.newScalar();
        byte[] generator = device.cpace.generator(Bytes.utf8(code.secret), offer.channel(), offer.session);
        byte[] share = device.cpace.multiply(scalar, generator);
        byte[] product = device.cpace.multiply(scalar, offer.share);
        Transcript made = Transcript.of(offer, next.party(), share, product);
        CoupleState held = next.couples.get(couple.id);
        byte[] hold = held == null ? new byte[0]
            : made.sealHold(new CoupleGrant(held.epoch, held.key.enabledOnly(), null));
        Bytes.wipe(scalar, product);
        String reply = new PairReply(offer.lookup, next.party(), share, made.tag("reply", hold), hold).write();
        return new ReplyState(code, offer.write(), couple.id, reply, made.grantKeys());
    }

    /** The grant. An offer judges one reply: a wrong code closes it, and that is kept before it is told. */
    public String confirm(String reply, Whom whom, Keep keep) throws Refused, IOException {
        synchronized (device) {
            PairReply read = PairReply.read(reply, device.cpace);
            InviteState invite = device.state().invites.get(read.lookup);
            boolean isOurs = invite != null && invite.couple.equals(couple.id);
            Refused.demand(isOurs, Refused.Reason.NO_KEY);
            if (invite.status.equals("granted")) {
                Refused.demand(read.write().equals(invite.reply), Refused.Reason.INVITE_USED);
                return invite.grant;
            }
            // The step that sees its end closes it for good, so that no clock opens it again.
            if (invite.isOpen() && left(invite) <= 0) close(invite, "expired", keep);
            Refused.demand(invite.isOpen() && !hasEnded(invite), Refused.Reason.INVITE_CLOSED);
            meet(device.state(), read.acceptor, whom);
            Refused.demand(device.judged.add(read.lookup), Refused.Reason.INVITE_CLOSED);
            Refused verdict = device.change(keep, next -> judged(next, read));
            if (verdict != null) throw verdict;
            return device.state().invites.get(read.lookup).grant;
        }
    }

    /** Null if the couple is granted. Whatever the verdict is, the offer is closed by it. */
    private Refused judged(DeviceState next, PairReply reply) throws Refused {
        InviteState invite = next.invites.get(reply.lookup);
        PairOffer offer = PairOffer.read(invite.offer, device.cpace);
        byte[] product = device.cpace.multiply(invite.scalar, reply.share);
        Transcript made = Transcript.of(offer, reply.acceptor, reply.share, product);
        Bytes.wipe(product);
        invite.close("burned");
        if (!Bytes.areEqual(reply.tag, made.tag("reply", reply.hold))) return new Refused(Refused.Reason.CODE_MISMATCH);
        invite.status = "failed";
        try {
            CoupleState ours = next.couple(couple.id);
            CoupleGrant hold = made.openHold(reply.hold);
            CoupleGrant union = new Union(ours.epoch, ours.key, ours.retired).united(hold, ours.isAlone());
            // The acceptor could not take more.
            boolean isNear = union.epoch - (hold == null ? 0 : hold.epoch) <= CoupleGrant.MAXIMUM_GAP;
            Refused.demand(isNear, Refused.Reason.LIMIT);
            boolean keepsPhrase = ours.isAlone() && hold == null;
            String phrase = keepsPhrase ? ours.phrase : Phrase.random();
            CoupleGrant granted = new CoupleGrant(union.epoch, union.key, phrase);
            CoupleGrant sent = new CoupleGrant(union.epoch, union.key.enabledOnly(), phrase);
            invite.grant = made.grant(reply.lookup, sent, ours.printedVersion() < 2).write();
            paired(next, ours, granted, granted.key, reply.acceptor);
        } catch (Refused refused) {
            return refused;
        }
        invite.reply = reply.write();
        invite.status = "granted";
        return null;
    }

    /** Takes the couple. The same grant again changes nothing. */
    public void finish(String grant, Keep keep) throws Refused, IOException {
        synchronized (device) {
            PairGrant read = PairGrant.read(grant);
            ReplyState reply = device.state().replies.get(read.lookup);
            Refused.demand(reply != null && reply.couple.equals(couple.id), Refused.Reason.NO_KEY);
            if (reply.status.equals("done")) {
                Refused.demand(read.write().equals(reply.grant), Refused.Reason.INVITE_USED);
                return;
            }
            Refused.demand(reply.isWaiting(), Refused.Reason.INVITE_CLOSED);
            device.change(keep, next -> {
                ReplyState waiting = next.replies.get(read.lookup);
                Transcript.Granted granted = waiting.keys.open(read);
                CoupleState ours = next.couples.get(couple.id);
                boolean isNew = ours == null;
                if (isNew) {
                    ours = new CoupleState(couple.id);
                    if (granted.isMigrating) ours.migrated = new java.util.TreeSet<>();
                    ours.version = granted.isMigrating ? 1 : 2;
                }
                CoupleKey adopted = new Union(ours.epoch, ours.key, ours.retired).adopted(granted.couple);
                next.couples.put(couple.id, ours);
                paired(next, ours, granted.couple, adopted, PairOffer.read(waiting.offer, device.cpace).inviter);
                waiting.close("done");
                waiting.grant = read.write();
                return null;
            });
        }
    }

    public void cancelInvite(Keep keep) throws Refused, IOException {
        synchronized (device) {
            InviteState open = device.state().openInvite(couple.id);
            if (open != null) close(open, "cancelled", keep);
        }
    }

    private void close(InviteState invite, String end, Keep keep) throws Refused, IOException {
        device.change(keep, next -> {
            next.invites.get(invite.code.lookup).close(end);
            return null;
        });
    }

    public void cancelReply(Keep keep) throws Refused, IOException {
        device.change(keep, next -> {
            for (ReplyState each : next.replies.values()) {
                if (each.couple.equals(couple.id) && each.isWaiting()) each.close("cancelled");
            }
            return null;
        });
    }

    /** Who the other side says it is. No guess is used up by it. */
    private void meet(DeviceState now, Party other, Whom whom) throws Refused {
        other.checkIsAnother(now.party());
        Refused.demand(whom.user == null || whom.user.equals(other.user), Refused.Reason.AUTH_FAILED);
        CoupleState ours = now.couples.get(couple.id);
        if (ours == null || ours.partner == null) return;
        Refused.demand(ours.partner.user.equals(other.user), Refused.Reason.OTHER_PARTNER);
        byte[] x25519 = ours.partner.x25519;
        boolean isSameX25519 = x25519 == null || Bytes.areEqual(x25519, other.x25519);
        boolean isKnown = isSameX25519 && ours.partner.key.isSameAs(other.key);
        Refused.demand(isKnown || whom.hasNewKey, Refused.Reason.PARTNER_KEY_CHANGED);
    }

    /** Only the new primary is private: what was before, somebody may know who saw an invite, or has a lost phone. */
    private void paired(DeviceState next, CoupleState ours, CoupleGrant granted, CoupleKey key, Party other)
        throws Refused {
        Wrap wrap = Wrap.seal(key.bytes(), granted.phrase);
        next.closeGrants(couple.id);
        ours.key = key;
        ours.origins.clear();
        ours.take(key, CoupleState.PAIRING, CoupleState.EXPOSED);
        ours.epoch = granted.epoch;
        ours.privateSince = granted.epoch;
        ours.phrase = granted.phrase;
        ours.wrap = wrap;
        ours.partner = new PartnerState(other.user, other.key);
        ours.partner.x25519 = other.x25519;
        ours.partner.verifiedBy = "code";
        ours.authenticates = true;
        ours.sentRekey = null;
        ours.takenRekey = null;
    }

    /** Also if its end is too far away: then the clock is wrong. */
    private static boolean hasEnded(InviteState invite) {
        return left(invite) <= 0 || left(invite) > DAY;
    }

    private static long left(InviteState invite) {
        return invite.endsAt - System.currentTimeMillis();
    }
}
