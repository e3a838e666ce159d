package closerkeys;

import java.util.Set;
import java.util.TreeSet;

/** Keys that were given up: they do not come back, neither under their ids nor under others. */
final class Retired {
    private final String couple;
    private final Set<String> marks = new TreeSet<>();

    Retired(String couple) {
        this.couple = couple;
    }

    void add(Keyset.Key key) {
        addId(key.id);
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
