package org.freshet.microbench.compare.load;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * A request that makes a thread wait, as one to a database does; the answer is the same 8 bytes.
 *
 * @param number counts up in the order of sending
 */
public record SlowRequest(int number, int customer) {
    public static final int BYTES = 2 * Integer.BYTES;

    private static final int CUSTOMERS = 100;

    /** The same in each run. */
    static SlowRequest numbered(int number) {
        return new SlowRequest(number, new Random(number).nextInt(CUSTOMERS));
    }

    public static SlowRequest readFrom(ByteBuffer bytes) {
        return new SlowRequest(bytes.getInt(), bytes.getInt());
    }

    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES).putInt(number).putInt(customer).array();
    }

    /** Blocks for less than {@code maxMillis}, the same time in each run; returns whether it came to the end. */
    public boolean block(int maxMillis) {
        try {
            Thread.sleep(new Random(~number).nextInt(maxMillis));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
