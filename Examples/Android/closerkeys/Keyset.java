package closerkeys;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A Tink keyset: keys with ids, of which the primary seals and every enabled one opens. closer-keys-formats(7),
 * KEYSETS.
 */
final class Keyset {
    static final int ENABLED = 1;
    static final int TINK = 1;
    static final int RAW = 3;
    static final int MAXIMUM_KEYS = 32;
    private static final int DESTROYED = 3;
    private static final int MAXIMUM_BYTES = 16 * 1024;

    final long primaryId;
    final List<Key> keys;

    /** An entry of a keyset. What was destroyed has no material. */
    static final class Key {
        final long id;
        final int status;
        final int prefixKind;
        final KeyMaterial material;
        private final byte[] value;

        Key(long id, int status, int prefixKind, KeyMaterial material, byte[] value) {
            this.id = id;
            this.status = status;
            this.prefixKind = prefixKind;
            this.material = material;
            this.value = value;
        }

        static Key enabled(long id, KeyMaterial material) {
            return new Key(id, ENABLED, TINK, material, material.value(33));
        }

        byte[] prefix() {
            if (prefixKind == RAW) return new byte[0];
            return Bytes.concat(new byte[] {(byte) (prefixKind == TINK ? 1 : 0)}, Bytes.u32(id));
        }

        byte[] aes() {
            return ((AesKey) material).bytes;
        }

        /** The same id, prefix and bytes. */
        boolean isSameAs(Key other) {
            return id == other.id && prefixKind == other.prefixKind && Bytes.areEqual(value, other.value);
        }

        private byte[] write(byte[] value) {
            Protobuf.Writer data = new Protobuf.Writer();
            if (material != null) data.bytes(1, Bytes.utf8(material.type())).bytes(2, value).number(3, material.kind());
            Protobuf.Writer key = new Protobuf.Writer();
            if (material != null) key.message(1, data.done());
            return key.number(2, status).number(3, id).number(4, prefixKind).done();
        }
    }

    Keyset(long primaryId, List<Key> keys) throws Refused {
        this.primaryId = primaryId;
        this.keys = Collections.unmodifiableList(new ArrayList<>(keys));
        Refused.demand(keys.size() <= MAXIMUM_KEYS, Refused.Reason.LIMIT);
        Set<Long> ids = new HashSet<>();
        for (Key key : enabled()) Refused.form(ids.add(key.id));
        Refused.form(ids.contains(primaryId));
    }

    static Keyset of(Key only) throws Refused {
        return new Keyset(only.id, Collections.singletonList(only));
    }

    /** The device's own, from any version of Tink: fields in any order, and unknown ones. */
    static Keyset readOwn(byte[] binary) throws Refused {
        Refused.demand(binary.length <= MAXIMUM_BYTES, Refused.Reason.LIMIT);
        Protobuf keyset = Protobuf.read(binary);
        List<Key> keys = new ArrayList<>();
        List<byte[]> entries = keyset.all(2);
        Refused.demand(entries.size() <= MAXIMUM_KEYS, Refused.Reason.LIMIT);
        for (byte[] entry : entries) keys.add(readKey(Protobuf.read(entry)));
        return new Keyset(keyset.number(1), keys);
    }

    /** Somebody else's: written again it has the same bytes, but for integers of 32 or 33 bytes. */
    static Keyset readTheirs(byte[] binary) throws Refused {
        Keyset keyset = readOwn(binary);
        Refused.form(Arrays.equals(binary, keyset.write(33)) || Arrays.equals(binary, keyset.write(32)));
        return keyset;
    }

    static Key key(long id, long status, long prefix, String type, byte[] value, long kind) throws Refused {
        Refused.form(1 <= status && status <= 3 && 1 <= prefix && prefix <= 4);
        if (status == DESTROYED && type.isEmpty() && value.length == 0 && kind == 0) {
            return new Key(id, DESTROYED, (int) prefix, null, value);
        }
        KeyMaterial material = KeyMaterial.read(type, value);
        Refused.form(material.kind() == kind);
        return new Key(id, (int) status, (int) prefix, material, value);
    }

    /** With the bytes of each key as they were read. */
    byte[] write() {
        Protobuf.Writer writer = new Protobuf.Writer().number(1, primaryId);
        for (Key key : keys) writer.message(2, key.write(key.value));
        return writer.done();
    }

    byte[] write(int width) {
        Protobuf.Writer writer = new Protobuf.Writer().number(1, primaryId);
        for (Key key : keys) writer.message(2, key.write(key.material == null ? key.value : key.material.value(width)));
        return writer.done();
    }

    Key primary() {
        return enabled().get(0);
    }

    /** The primary first. */
    List<Key> enabled() {
        List<Key> enabled = new ArrayList<>();
        for (Key key : keys) {
            if (key.status == ENABLED) enabled.add(key.id == primaryId ? 0 : enabled.size(), key);
        }
        return enabled;
    }

    Key find(long id) {
        for (Key key : keys) if (key.id == id) return key;
        return null;
    }

    /** What a box held, and the key that opened it. */
    static final class Opened {
        final byte[] plaintext;
        final Key key;

        private Opened(byte[] plaintext, Key key) {
            this.plaintext = plaintext;
            this.key = key;
        }
    }

    /** By every enabled key whose prefix the box has; those without a prefix come last. */
    Opened open(byte[] box, byte[] data, int least) throws Refused {
        Refused.form(box.length >= least);
        List<Key> meant = new ArrayList<>();
        for (Key key : enabled()) if (key.prefixKind != RAW && Bytes.startsWith(box, key.prefix())) meant.add(key);
        for (Key key : enabled()) if (key.prefixKind == RAW) meant.add(key);
        Refused.demand(!meant.isEmpty(), Refused.Reason.NO_KEY);
        boolean isTooShort = true;
        for (Key key : meant) {
            byte[] rest = Bytes.slice(box, key.prefix().length, box.length);
            if (rest.length < key.material.overhead()) continue;
            isTooShort = false;
            try {
                return new Opened(key.material.open(rest, data), key);
            } catch (Refused refused) {
                // Another key may fit.
            }
        }
        throw new Refused(isTooShort ? Refused.Reason.MALFORMED : Refused.Reason.AUTH_FAILED);
    }

    private static Key readKey(Protobuf entry) throws Refused {
        Protobuf data = entry.message(1);
        String type = Bytes.text(data.bytes(1));
        return key(entry.number(3), entry.number(2), entry.number(4), type, data.bytes(2), data.number(3));
    }
}
