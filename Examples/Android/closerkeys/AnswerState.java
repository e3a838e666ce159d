package closerkeys;

import java.util.ArrayList;
import java.util.List;

/** An answer of our own, and the other's as it was first seen. */
final class AnswerState {
    final String token;
    final String commitment;
    final byte[] oneTimeKey;
    /** The other's commitment, and the couple's epoch at that time. */
    String pinned;
    long pinnedAt;
    /** The keys that proved something then. */
    List<String> provingIds = new ArrayList<>();
    /** To whom it was released, for which answer, and the document. */
    String releasedFor;
    String release;

    AnswerState(String token, String commitment, byte[] oneTimeKey) {
        this.token = token;
        this.commitment = commitment;
        this.oneTimeKey = oneTimeKey;
    }

    static AnswerState read(Fields fields) throws Refused {
        AnswerState answer = new AnswerState(fields.text("token"), fields.text("commitment"), fields.bytes("key"));
        answer.pinned = fields.text("pinned");
        answer.pinnedAt = fields.number("pinnedAt");
        answer.provingIds = fields.texts("provingIds");
        answer.releasedFor = fields.text("releasedFor");
        answer.release = fields.text("release");
        return answer;
    }

    Fields write() {
        return new Fields().put("token", token).put("commitment", commitment).put("key", oneTimeKey)
            .put("pinned", pinned).put("pinnedAt", pinnedAt).put("provingIds", provingIds)
            .put("releasedFor", releasedFor).put("release", release);
    }

    void pin(String theirs, CoupleState couple) throws Refused {
        if (pinned == null) {
            pinned = theirs;
            pinnedAt = couple.epoch;
            provingIds = couple.provingIds();
        }
        Refused.demand(pinned.equals(theirs), Refused.Reason.PIN_MISMATCH);
    }
}
