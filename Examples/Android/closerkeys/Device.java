package closerkeys;

import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;

/**
 * A user's phone: its keys, and all that it remembers. One object a process; steps are synchronized. State goes in and
 * out as bytes: each step that changes it gives the next state to a {@link Keep} before it tells its result.
 */
public final class Device {
    final CPace cpace;
    /** Offers that have judged a reply in this process, even if that was not kept. */
    final Set<String> judged = Collections.synchronizedSet(new HashSet<>());
    private volatile DeviceState state;

    private Device(DeviceState state, Ristretto255 group) {
        this.state = state;
        cpace = new CPace(group);
    }

    /**
     * A device that is new, and has no state that was kept.
     *
     * @param group for pairings; null in an app that stops before them
     * @param identity the keyset that the app has already, as Tink's binary bytes in the clear; null for a new one
     */
    public static Device create(String user, byte[] identity, Ristretto255 group, Keep keep)
        throws Refused, IOException {
        Identity keys = identity == null ? Identity.random() : Identity.read(identity);
        DeviceState state = new DeviceState(user, keys, Bytes.random(32));
        keep.keep(state.write());
        return new Device(state, group);
    }

    /** From the newest state that was kept. */
    public static Device open(byte[] state, Ristretto255 group) throws Refused {
        return new Device(DeviceState.read(state), group);
    }

    /** `pub:v1:` and a keyset of one key. */
    public String publicKey() throws Refused {
        return state().identity.publicKey().token();
    }

    /** 32 bytes in standard base64. */
    public String x25519Key() {
        return Base64Text.standard(X25519Keys.publicKey(state().x25519));
    }

    /** What the server stores of this device. */
    public String document(String platform) throws Refused {
        TreeMap<String, Object> members = new TreeMap<>();
        members.put("publicKey", publicKey());
        members.put("platform", platform);
        return CanonicalJson.text(members);
    }

    /** A couple by its id, whether this device holds its key or not. */
    public Couple couple(String id) throws Refused {
        return new Couple(this, Names.id(id));
    }

    DeviceState state() {
        return state;
    }

    /** What is done to a copy of the state counts once it is kept, and is told after that. */
    interface Step<T> {
        T on(DeviceState next) throws Refused;
    }

    synchronized <T> T change(Keep keep, Step<T> step) throws Refused, IOException {
        DeviceState next = DeviceState.read(state.write());
        T result = step.on(next);
        byte[] written = next.write();
        // What could not be opened again is not kept.
        DeviceState after = DeviceState.read(written);
        keep.keep(written);
        state = after;
        return result;
    }
}
