package org.freshet.internal.handler;

import java.util.concurrent.atomic.AtomicLong;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.MessageEvent;

/**
 * The bytes of the buffers in a handler's queue. Their indexes must not change while they are in there; if they do, the sum is off by
 * that much. Any thread.
 */
public final class HeldBytes {
    private final AtomicLong sum = new AtomicLong();

    /** Before a message is queued. */
    public void add(MessageEvent write) {
        change(bytesOf(write));
    }

    /** After it has left the queue. */
    public void remove(MessageEvent write) {
        change(-bytesOf(write));
    }

    private void change(long bytes) {
        if (bytes != 0) {
            sum.addAndGet(bytes);
        }
    }

    public long get() {
        return Math.max(0, sum.get());
    }

    /** What holds memory until it is sent: 0 for anything but a buffer. */
    public static long bytesOf(MessageEvent write) {
        return write.getMessage() instanceof ChannelBuffer buffer ? buffer.readableBytes() : 0;
    }
}
