package closerkeys;

import java.util.ArrayList;
import java.util.List;

/** What a pairing and a rekey do with the keys that are there. closer-keys-pairing(7), WHAT A PAIRING DOES. */
final class Union {
    private final long epoch;
    /** Null if this device holds no key of the couple. */
    private final CoupleKey held;
    private final Retired retired;

    Union(long epoch, CoupleKey held, Retired retired) {
        this.epoch = epoch;
        this.held = held;
        this.retired = retired;
    }

    /** What an inviter grants: its keys in its order, then what else the acceptor has, then a new primary. */
    CoupleGrant united(CoupleGrant theirs, boolean isAlone) throws Refused {
        if (isAlone && theirs == null) return new CoupleGrant(epoch, held, null);
        List<Keyset.Key> keys = without(held.keyset.keys);
        if (theirs != null) joinTo(keys, without(theirs.key.keyset.keys));
        long theirEpoch = theirs == null ? 0 : near(theirs.epoch, epoch);
        long next = Math.max(epoch, theirEpoch) + 1;
        Refused.demand(keys.size() < Keyset.MAXIMUM_KEYS, Refused.Reason.LIMIT);
        CoupleKey joined = new CoupleKey(new Keyset(primaryOf(keys), keys));
        return new CoupleGrant(near(next, next), joined.rotated(retired), null);
    }

    /**
     * What an acceptor takes: the grant without what was retired here, then what else is here. The primary must be new.
     */
    CoupleKey adopted(CoupleGrant granted) throws Refused {
        Refused.demand(granted.epoch >= epoch, Refused.Reason.EPOCH_MISMATCH);
        checkIsNew(granted.key.keyset.primary());
        List<Keyset.Key> keys = without(granted.key.keyset.keys);
        if (held != null) joinTo(keys, without(held.keyset.keys));
        near(granted.epoch, epoch);
        return new CoupleKey(new Keyset(granted.key.keyset.primaryId, keys));
    }

    /** What a partner's rekey brings must keep every key that is here. */
    CoupleKey rekeyed(CoupleGrant granted, boolean allowingGap) throws Refused {
        boolean isNext = granted.epoch == epoch + 1 || allowingGap && granted.epoch > epoch;
        Refused.demand(isNext, Refused.Reason.EPOCH_MISMATCH);
        near(granted.epoch, epoch);
        checkIsNew(granted.key.keyset.primary());
        Refused.demand(granted.key.hasAll(held), Refused.Reason.KEY_MISMATCH);
        return new CoupleKey(new Keyset(granted.key.keyset.primaryId, without(granted.key.keyset.enabled())));
    }

    CoupleKey withoutRetired() throws Refused {
        return new CoupleKey(new Keyset(held.keyset.primaryId, without(held.keyset.keys)));
    }

    /** By its id and by its bytes. */
    private void checkIsNew(Keyset.Key primary) throws Refused {
        boolean isKnown = retired.has(primary);
        if (held != null) {
            for (Keyset.Key key : without(held.keyset.keys)) {
                isKnown |= key.id == primary.id || Bytes.areEqual(key.aes(), primary.aes());
            }
        }
        Refused.demand(!isKnown, Refused.Reason.KEY_MISMATCH);
    }

    private List<Keyset.Key> without(List<Keyset.Key> keys) {
        List<Keyset.Key> kept = new ArrayList<>();
        for (Keyset.Key key : keys) if (key.material != null && !retired.has(key)) kept.add(key);
        return kept;
    }

    /** Two keys of one id that differ in anything are a fault. */
    private static void joinTo(List<Keyset.Key> keys, List<Keyset.Key> others) throws Refused {
        List<Keyset.Key> added = new ArrayList<>();
        for (Keyset.Key other : others) {
            Keyset.Key same = null;
            for (Keyset.Key key : keys) if (key.id == other.id) same = key;
            Refused.demand(same == null || same.isSameAs(other), Refused.Reason.KEY_MISMATCH);
            if (same == null) added.add(other);
        }
        keys.addAll(added);
        Refused.demand(keys.size() <= Keyset.MAXIMUM_KEYS, Refused.Reason.LIMIT);
    }

    private static long primaryOf(List<Keyset.Key> keys) throws Refused {
        for (Keyset.Key key : keys) if (key.status == Keyset.ENABLED) return key.id;
        throw new Refused(Refused.Reason.KEY_MISMATCH);
    }

    private static long near(long theirs, long ours) throws Refused {
        long highest = Math.min(ours + CoupleGrant.MAXIMUM_GAP, CoupleGrant.HIGHEST_EPOCH);
        Refused.demand(theirs <= highest, Refused.Reason.LIMIT);
        return theirs;
    }
}
