package closerkeys;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Keys that were given up: they do not come back, neither under their ids nor under others. */
final class Retired {
    private final String couple;
    private final Set<String> marks = new TreeSet<>();

    Retired(String couple) {
        this.couple = couple;
    }

    /** Bytes that another of the couple's keys has, too, are kept. */
    void add(Keyset.Key key, List<Keyset.Key> all) {
        addId(key.id);
        for (Keyset.Key each : all) {
            if (each.id != key.id && each.material != null && Bytes.areEqual(each.aes(), key.aes())) return;
        }
        marks.add(mark(key));
    }

    void addId(long id) {
        marks.add(String.valueOf(id));
    }

    boolean hasId(long id) {
        return marks.contains(String.valueOf(id));
    }

    boolean has(Keyset.Key key) {
        return hasId(key.id) || marks.contains(mark(key));
    }

    Set<String> marks() {
        return marks;
    }

    /** One way: whoever has the mark does not have the key. */
    private String mark(Keyset.Key key) {
        return Base64Text.url(Hash.subkey(key.aes(), "retired", couple)).substring(0, 22);
    }
}
