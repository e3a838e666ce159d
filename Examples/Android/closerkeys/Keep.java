package closerkeys;

import java.io.IOException;

/**
 * Stores the device's next state, whole and on the disk, before a step tells its result. A step whose state is not kept
 * has no result.
 */
public interface Keep {
    void keep(byte[] next) throws IOException;
}
