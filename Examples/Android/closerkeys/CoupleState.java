package closerkeys;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A couple as this device holds it. closer-keys-trust(7), STATES. */
final class CoupleState {
    static final String INVITE = "invite";
    static final String PAIRING = "pairing";
    static final String REKEY = "rekey";
    /** Private until this device sent it to the maker of a code, or until the partner got another device. */
    static final String GIVEN = "given";
    static final String EXPOSED = "exposed";
    static final long NEVER = -1;

    final String id;
    CoupleKey key;
    /** How each key came, by its id. */
    final Map<String, String> origins = new TreeMap<>();
    Wrap wrap;
    /** To be shown and written down; a couple that is alone keeps it until its grant. */
    String phrase;
    long epoch;
    long privateSince = NEVER;
    PartnerState partner;
    /** A valid proof of the partner's was seen: from then on every answer must have one. */
    boolean authenticates;
    final Retired retired;
    /** The highest version that was seen: it never goes down. */
    long version;
    /** Who has sealed their texts; null for a couple that is not known to migrate. */
    Set<String> migrated;
    /** The document of our last rekey, and the keybox of the last one that we took. */
    String sentRekey;
    String takenRekey;
    final Map<String, AnswerState> answers = new TreeMap<>();

    CoupleState(String id) {
        this.id = id;
        retired = new Retired(id);
    }

    static CoupleState read(String id, Fields fields) throws Refused {
        CoupleState couple = new CoupleState(id);
        couple.key = CoupleKey.read(fields.bytes("keyset"));
        for (Map.Entry<String, Object> origin : fields.inner("origins").members.entrySet()) {
            couple.origins.put(origin.getKey(), (String) origin.getValue());
        }
        couple.wrap = Wrap.read(fields.inner("wrap").members);
        couple.phrase = fields.text("phrase");
        couple.epoch = fields.number("epoch");
        couple.privateSince = fields.number("privateSince");
        couple.partner = PartnerState.read(fields.inner("partner"));
        couple.authenticates = fields.flag("authenticates");
        couple.retired.marks().addAll(fields.texts("retired"));
        couple.version = fields.number("version");
        if (fields.members.containsKey("migrated")) couple.migrated = new TreeSet<>(fields.texts("migrated"));
        couple.sentRekey = fields.text("sentRekey");
        couple.takenRekey = fields.text("takenRekey");
        for (Map.Entry<String, Object> answer : fields.inner("answers").members.entrySet()) {
            couple.answers.put(answer.getKey(), AnswerState.read(new Fields(answer.getValue())));
        }
        return couple;
    }

    Fields write() {
        Fields ofAnswers = new Fields();
        for (Map.Entry<String, AnswerState> each : answers.entrySet()) {
            ofAnswers.put(each.getKey(), each.getValue().write().members);
        }
        return new Fields().put("keyset", key.bytes()).put("origins", origins).put("wrap", wrap.members())
            .put("phrase", phrase).put("epoch", epoch).put("privateSince", privateSince)
            .put("partner", partner == null ? null : partner.write().members)
            .put("authenticates", authenticates).put("retired", new ArrayList<>(retired.marks()))
            .put("version", version)
            .put("migrated", migrated == null ? null : new ArrayList<>(migrated))
            .put("sentRekey", sentRekey).put("takenRekey", takenRekey).put("answers", ofAnswers.members);
    }

    String origin(Keyset.Key key) {
        return origins.getOrDefault(String.valueOf(key.id), INVITE);
    }

    /** A new key, with the origin of its primary, and of each other key that had none. */
    void take(CoupleKey next, String ofPrimary, String ofOthers) {
        for (Keyset.Key each : next.keyset.keys) origins.putIfAbsent(String.valueOf(each.id), ofOthers);
        origins.put(String.valueOf(next.keyset.primaryId), ofPrimary);
        key = next;
    }

    /** From now on the server may hold each of the keys. */
    void expose() {
        for (Keyset.Key each : key.keyset.keys) origins.put(String.valueOf(each.id), EXPOSED);
        privateSince = NEVER;
        phrase = null;
    }

    /**
     * From now on another device has each of the keys. What the server may have held before proves as little as before.
     */
    void give() {
        for (Keyset.Key each : key.keyset.keys) {
            origins.put(String.valueOf(each.id), proof(each) == 0 ? EXPOSED : GIVEN);
        }
        phrase = null;
    }

    /** A partner who came without a pairing: how they got the key that this device alone had is unknown. */
    void exposeUnpaired() {
        boolean isUnpaired = origin(key.keyset.primary()).equals(PAIRING) && !state().equals("paired");
        if (isUnpaired) expose();
    }

    boolean isPrivate() {
        return proof(key.keyset.primary()) == 2;
    }

    /** What a proof under the key keeps out: 2 all but the two phones, 1 the server, 0 nobody. */
    int proof(Keyset.Key each) {
        String origin = origin(each);
        return origin.equals(PAIRING) || origin.equals(REKEY) ? 2 : origin.equals(GIVEN) ? 1 : 0;
    }

    /** The keys whose proof is worth as much as the primary's; none if the server may hold the primary. */
    List<String> provingIds() {
        List<String> ids = new ArrayList<>();
        int least = proof(key.keyset.primary());
        for (Keyset.Key each : key.keyset.keys) if (least > 0 && proof(each) >= least) ids.add(String.valueOf(each.id));
        return ids;
    }

    boolean hasPrivateKeys() {
        for (Keyset.Key each : key.keyset.keys) if (proof(each) == 2) return true;
        return false;
    }

    boolean isAlone() {
        return state().equals("alone");
    }

    String state() {
        String origin = origin(key.keyset.primary());
        if (origin.equals(REKEY)) return "rekeyed";
        if (origin.equals(PAIRING) && partner == null) return "alone";
        boolean isVerified = partner != null && partner.verifiedBy != null;
        if (origin.equals(PAIRING) && isVerified && partner.verifiedBy.equals("code")) return "paired";
        return isVerified ? "verified" : "serverKnown";
    }

    /** What the couple's document has: 2 only once both users have sealed their texts. */
    long printedVersion() {
        return migrated != null && migrated.size() < 2 ? 1 : 2;
    }
}
