package closerkeys;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;

/**
 * A couple that has texts in the clear, on its way from version 0 over 1 to 2. closer-keys-trust(7), ENCRYPTION
 * VERSION.
 */
public final class Migration {
    private final Couple couple;

    Migration(Couple couple) {
        this.couple = couple;
    }

    /** Makes the couple's key at version 1. Give the server the couple's document, and pair. */
    public void start(Keep keep) throws Refused, IOException {
        couple.device.change(keep, next -> {
            CoupleState made = couple.made(next, CoupleState.PAIRING);
            made.migrated = new TreeSet<>();
            made.version = 1;
            return made;
        });
    }

    /** A person's word, and never the server's, that a couple which this device holds has texts in the clear. */
    public void isMigrating(Keep keep) throws Refused, IOException {
        couple.change(keep, next -> {
            if (next.migrated == null) next.migrated = new TreeSet<>();
        });
    }

    /** Once our texts are sealed. What comes out is for the server to merge into its document. */
    public String finish(String document, Keep keep) throws Refused, IOException {
        CoupleDocument read = CoupleDocument.read(document);
        return couple.device.change(keep, next -> {
            CoupleState ours = next.couple(couple.id);
            Refused.demand(read.version >= (ours.migrated == null ? 2 : 1), Refused.Reason.DOWNGRADE);
            boolean isPartner = ours.partner == null || read.users.contains(ours.partner.user);
            Refused.form(read.users.size() == 2);
            boolean isFinished = ours.migrated != null && ours.printedVersion() == 2;
            boolean isCouple = !isFinished || read.users.containsAll(ours.migrated);
            Refused.demand(isPartner && isCouple && read.users.contains(next.user), Refused.Reason.NOT_A_MEMBER);
            Set<String> told = new TreeSet<>(read.migrated);
            told.add(next.user);
            if (ours.migrated != null) ours.migrated.addAll(told);
            if (ours.migrated != null) ours.migrated.retainAll(read.users);
            ours.version = Math.max(ours.version, Math.max(read.version, ours.printedVersion()));
            Set<String> marks = ours.migrated != null && read.version == 1 ? told : ours.migrated;
            long version = Math.max(read.version, marks != null && marks.size() < 2 ? 1 : 2);
            return CoupleDocument.write(version, read.wrap == null ? ours.wrap : read.wrap, marks);
        });
    }

    /**
     * A text of the server's: a token that opens, or, while no version 2 was seen, plain text. `enc:` is never plain.
     */
    public String readText(String text) throws Refused {
        CoupleState ours = couple.state();
        if (text.startsWith("enc:")) return Bytes.text(ours.key.openField(couple.id, text).plaintext);
        Refused.demand(ours.version < 2, Refused.Reason.PLAINTEXT);
        return text;
    }
}
