package org.freshet.example.execution;

import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * A customer's request, 8 bytes; the answer is the same.
 *
 * @param number counts up in the order of sending
 */
record Request(int number, int customer) {
    static final int BYTES = 8;
    static final int CUSTOMERS = 100;

    private static final int MAX_BLOCKING_MILLIS = 1000;

    static Request numbered(int number) {
        return new Request(number, new Random(number).nextInt(CUSTOMERS));
    }

    /** Pseudo-random, but the same in each run. */
    int blockingMillis() {
        return new Random(~number).nextInt(MAX_BLOCKING_MILLIS);
    }

    static Request readFrom(ChannelBuffer buffer) {
        return new Request(buffer.readInt(), buffer.readInt());
    }

    ChannelBuffer toBuffer() {
        ChannelBuffer buffer = ChannelBuffers.buffer(BYTES);
        buffer.writeInt(number);
        buffer.writeInt(customer);
        return buffer;
    }
}
