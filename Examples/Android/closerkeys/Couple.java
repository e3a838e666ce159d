package closerkeys;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
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

    /**
     * An invite of version 1: whoever sees it, as the server does, can compute the couple key. Pair instead, if both
     * can.
     */
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

    /** The key, of which {@link CoupleKey#bytes} is a keyset for Tink. */
    public CoupleKey key() throws Refused {
        return state().key;
    }

    /** `enc:v2:`, bound to a place of 1 to 512 characters of printable ASCII, such as `users/alice/status`. */
    public String sealField(String place, byte[] plaintext) throws Refused {
        return key().sealField(id, place, plaintext);
    }

    public Field openField(String place, String token) throws Refused {
        return field(key().openField(id, place, token));
    }

    /** `enc:v1:`, which a server can move to another place. */
    public Field openUnplacedField(String token) throws Refused {
        return field(key().openField(id, token));
    }

    private Field field(Keyset.Opened opened) throws Refused {
        return new Field(opened.plaintext, state().origin(opened.key));
    }

    /** A field that was opened. */
    public static final class Field {
        public final byte[] plaintext;
        /**
         * How the key that opened it came: under `invite` and `exposed` the server may have written it, under `given`
         * the owner of a former device.
         */
        public final String origin;

        private Field(byte[] plaintext, String origin) {
            this.plaintext = plaintext;
            this.origin = origin;
        }
    }

    /** The ids of all keys that open, the newest first, each with how it came. */
    public Map<Long, String> keys() throws Refused {
        Map<Long, String> keys = new LinkedHashMap<>();
        for (Keyset.Key each : key().keyset.enabled()) keys.put(each.id, state().origin(each));
        return keys;
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

    /**
     * By an invite of version 1. The server may have had it.
     *
     * @param code null if the document has it
     */
    public void join(String invite, String code, Keep keep) throws Refused, IOException {
        Map<String, Object> members = Json.readObject(invite);
        String given = code == null ? Json.text(members, "code") : code;
        Wrap wrap = Wrap.read(members);
        CoupleKey key = wrap.open(phrase(Json.text(members, "recoveryPhrase"), given.replaceAll("[ -]", "")));
        device.change(keep, next -> {
            CoupleState known = next.couples.get(id);
            // Who reads an invite could add a key under the id of one that comes later.
            boolean bringsKeys = known != null && !known.key.hasAll(key);
            Refused.demand(!bringsKeys, Refused.Reason.NOT_YET);
            CoupleState couple = taken(next, key, wrap, 2);
            if (!couple.provingIds().isEmpty()) couple.expose();
            return couple;
        });
    }

    /** A code is tried as it was typed, and in capitals. */
    private static String phrase(String underCode, String code) throws Refused {
        try {
            return Wrap.phraseFromCode(underCode, code);
        } catch (Refused refused) {
            return Wrap.phraseFromCode(underCode, code.toUpperCase(Locale.ROOT));
        }
    }

    /**
     * From an app that has had this couple with Tink.
     *
     * @param keyset Tink's binary bytes in the clear
     * @param document the couple's, as the server has it: its wrap stays
     */
    public void adopt(byte[] keyset, String document, Keep keep) throws Refused, IOException {
        CoupleDocument read = CoupleDocument.read(document);
        Refused.demand(read.wrap != null, Refused.Reason.NOT_YET);
        CoupleKey key = CoupleKey.read(keyset);
        device.change(keep, next -> {
            Refused.demand(!next.couples.containsKey(id), Refused.Reason.EXISTS);
            return taken(next, key, read.wrap, read.version);
        });
    }

    /** From the server's document and the phrase on paper. */
    public void recover(String document, String phrase, Keep keep) throws Refused, IOException {
        synchronized (device) {
            CoupleDocument read = CoupleDocument.read(document);
            CoupleState known = device.state().couples.get(id);
            // A couple that this device never saw begins at 2, whatever the server says.
            Refused.demand(read.version >= (known == null ? 2 : known.version), Refused.Reason.DOWNGRADE);
            Refused.demand(read.wrap != null, Refused.Reason.NOT_YET);
            CoupleKey key = read.wrap.open(phrase);
            device.change(keep, next -> taken(next, key, read.wrap, read.version));
        }
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
            boolean isThere = gone != null && gone.material != null && keyId != couple.key.keyset.primaryId;
            Refused.demand(isThere, Refused.Reason.NO_KEY);
            couple.retired.add(gone, couple.key.keyset.keys);
            couple.key = new Union(couple.epoch, couple.key, couple.retired).withoutRetired();
            couple.origins.remove(String.valueOf(keyId));
        });
    }

    CoupleState made(DeviceState next, String origin) throws Refused {
        Refused.demand(!next.couples.containsKey(id), Refused.Reason.EXISTS);
        next.checkNothingWaits(id);
        CoupleState couple = new CoupleState(id);
        couple.take(CoupleKey.random(), origin, origin);
        couple.phrase = Phrase.random();
        couple.wrap = Wrap.seal(couple.key.bytes(), couple.phrase);
        couple.version = 2;
        next.couples.put(id, couple);
        return couple;
    }

    /** The keys that this device holds must all be in what it takes instead. What was retired here stays away. */
    private CoupleState taken(DeviceState next, CoupleKey given, Wrap wrap, long version) throws Refused {
        next.checkNothingWaits(id);
        CoupleKey key = given.enabledOnly();
        CoupleState couple = next.couples.containsKey(id) ? next.couple(id) : new CoupleState(id);
        if (couple.key == null) couple.take(key, CoupleState.INVITE, CoupleState.INVITE);
        else take(couple, key);
        couple.wrap = wrap;
        couple.version = Math.max(couple.version, version);
        next.couples.put(id, couple);
        return couple;
    }

    private static void take(CoupleState couple, CoupleKey key) throws Refused {
        Refused.demand(key.hasAll(couple.key), Refused.Reason.NOT_YET);
        Refused.demand(!couple.retired.has(key.keyset.primary()), Refused.Reason.NOT_YET);
        // Who made another one seal, and who has what this device alone had, is unknown.
        couple.exposeUnpaired();
        String primary = String.valueOf(key.keyset.primaryId);
        boolean isOther = key.keyset.primaryId != couple.key.keyset.primaryId;
        boolean isFormer = isOther && couple.origins.containsKey(primary);
        String origin = isFormer ? CoupleState.EXPOSED : couple.origin(key.keyset.primary());
        couple.take(new Union(couple.epoch, key, couple.retired).withoutRetired(), origin, CoupleState.INVITE);
        if (couple.provingIds().isEmpty()) couple.privateSince = CoupleState.NEVER;
        if (isOther) couple.sentRekey = null;
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
