package org.freshet.microbench.compare.load;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * A request that makes a thread wait, like one to a database; the answer is the same 8 bytes and the thread that
 * waited.
 *
 * @param number counts up in the order of sending
 */
public record SlowRequest(int number, int customer) {
    public static final int BYTES = 2 * Integer.BYTES;

    /** The size of an answer. */
    static final int ANSWER_BYTES = BYTES + Integer.BYTES;

    private static final int CUSTOMERS = 100;

    /** Pseudo-random, but the same in each run. */
    static SlowRequest numbered(int number) {
        return new SlowRequest(number, new Random(number).nextInt(CUSTOMERS));
    }

    public static SlowRequest readFrom(ByteBuffer bytes) {
        return new SlowRequest(bytes.getInt(), bytes.getInt());
    }

    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES).putInt(number).putInt(customer).array();
    }

    /** Returns the answer of the calling thread. */
    public byte[] answer() {
        return answerBy((int) Thread.currentThread().getId());
    }

    byte[] answerBy(int thread) {
        return ByteBuffer.allocate(ANSWER_BYTES).put(toBytes()).putInt(thread).array();
    }

    /** Blocks for less than {@code maxMillis}, the same time in each run; returns false if interrupted. */
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
