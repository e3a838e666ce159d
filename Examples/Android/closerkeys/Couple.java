package closerkeys;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** A couple on this device: its key, its document, its partner. Steps that change it take a {@link Keep}. */
public final class Couple {
    final Device device;
    final String id;

    Couple(Device device, String id) {
        this.device = device;
        this.id = id;
    }

    /** An invite of version 1: whoever sees it, as the server does, can compute the couple key. Pair instead, if both can. */
    public static final class Invite {
        public final String document;
        public final String code;

        private Invite(String document, String code) {
            this.document = document;
            this.code = code;
        }
    }

    public Pairing pairing() {
        return new Pairing(this);
    }

    public Answers answers() {
        return new Answers(this);
    }

    public Partner partner() {
        return new Partner(this);
    }

    public Migration migration() {
        return new Migration(this);
    }

    /** Fields are sealed and opened with it. */
    public CoupleKey key() throws Refused {
        return state().key;
    }

    /** `alone`, `paired`, `rekeyed`: no server ever saw the key. `verified`, `serverKnown`: the server may hold it. */
    public String privacy() throws Refused {
        return state().state();
    }

    public String fingerprint() throws Refused {
        return key().fingerprint(id);
    }

    /** How many pairings and rekeys this device has taken. */
    public long epoch() throws Refused {
        return state().epoch;
    }

    /** What the server stores of the couple. It changes with each new key. */
    public String document() throws Refused {
        CoupleState couple = state();
        return CoupleDocument.write(couple.printedVersion(), couple.wrap, couple.migrated);
    }

    /** The recovery phrase, for paper; null once it is forgotten, and on a device that joined. */
    public String phrase() throws Refused {
        return state().phrase;
    }

    /** Once it is on paper. A couple that is alone keeps it for its grant. */
    public void forgetPhrase(Keep keep) throws Refused, IOException {
        change(keep, couple -> {
            Refused.demand(!couple.isAlone(), Refused.Reason.NOT_YET);
            couple.phrase = null;
        });
    }

    /** A new couple, with an invite of version 1. */
    public Invite create(Keep keep) throws Refused, IOException {
        return device.change(keep, next -> {
            CoupleState couple = made(next, CoupleState.INVITE);
            String code = PairingCode.ofInvite();
            Map<String, Object> members = new TreeMap<>(couple.wrap.members());
            members.put("code", code);
            members.put("recoveryPhrase", Wrap.phraseUnderCode(couple.phrase, code));
            return new Invite(CanonicalJson.text(members), code);
        });
    }

    /** @param code null if the document has it */
    public void join(String invite, String code, Keep keep) throws Refused, IOException {
        Map<String, Object> members = Json.readObject(invite);
        String given = code == null ? Json.text(members, "code") : code;
        Wrap wrap = Wrap.read(members);
        String phrase = Wrap.phraseFromCode(Json.text(members, "recoveryPhrase"), given);
        device.change(keep, next -> taken(next, wrap, phrase, 2));
    }

    /** From the server's document and the phrase on paper. */
    public void recover(String document, String phrase, Keep keep) throws Refused, IOException {
        CoupleDocument read = CoupleDocument.read(document);
        CoupleState known = device.state().couples.get(id);
        // A couple that this device never saw begins at 2, whatever the server says.
        Refused.demand(read.version >= (known == null ? 2 : known.version), Refused.Reason.DOWNGRADE);
        Refused.demand(read.wrap != null, Refused.Reason.NOT_YET);
        device.change(keep, next -> taken(next, read.wrap, phrase, read.version));
    }

    /** Whether phrase and document still open the key of the fingerprint that comes out. Nothing is kept. */
    public String rehearse(String document, String phrase) throws Refused {
        CoupleDocument read = CoupleDocument.read(document);
        Refused.demand(read.wrap != null, Refused.Reason.NOT_YET);
        return read.wrap.open(phrase).fingerprint(id);
    }

    /** Gives up an old key: what it sealed stays closed here. */
    public void retire(long keyId, Keep keep) throws Refused, IOException {
        change(keep, couple -> {
            Keyset.Key gone = couple.key.keyset.find(keyId);
            Refused.demand(gone != null && keyId != couple.key.keyset.primaryId, Refused.Reason.NO_KEY);
            couple.retired.add(gone);
            couple.key = new Union(couple.epoch, couple.key, couple.retired).withoutRetired();
            couple.origins.remove(String.valueOf(keyId));
        });
    }

    CoupleState made(DeviceState next, String origin) throws Refused {
        Refused.demand(!next.couples.containsKey(id), Refused.Reason.USAGE);
        next.checkNothingWaits(id);
        CoupleState couple = new CoupleState(id);
        couple.take(CoupleKey.random(), origin, origin);
        couple.phrase = Phrase.random();
        couple.wrap = Wrap.seal(couple.key.bytes(), couple.phrase);
        couple.version = 2;
        next.couples.put(id, couple);
        return couple;
    }

    /** The keys that this device holds must all be in what it takes instead. */
    private CoupleState taken(DeviceState next, Wrap wrap, String phrase, long version) throws Refused {
        next.checkNothingWaits(id);
        CoupleKey key = wrap.open(phrase);
        CoupleState couple = next.couples.get(id);
        if (couple == null) couple = new CoupleState(id);
        else {
            for (Keyset.Key each : couple.key.keyset.enabled()) {
                Keyset.Key same = key.keyset.find(each.id);
                Refused.demand(same != null && same.isSameAs(each), Refused.Reason.NOT_YET);
            }
        }
        couple.take(key, couple.origins.getOrDefault(String.valueOf(key.keyset.primaryId), CoupleState.INVITE),
            CoupleState.INVITE);
        couple.wrap = wrap;
        couple.version = Math.max(couple.version, version);
        next.couples.put(id, couple);
        return couple;
    }

    CoupleState state() throws Refused {
        return device.state().couple(id);
    }

    /** A change of what this device holds of the couple. */
    interface Change {
        void of(CoupleState couple) throws Refused;
    }

    void change(Keep keep, Change change) throws Refused, IOException {
        device.change(keep, next -> {
            next.checkNothingWaits(id);
            change.of(next.couple(id));
            return null;
        });
    }
}
