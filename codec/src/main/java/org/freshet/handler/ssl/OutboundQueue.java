package org.freshet.handler.ssl;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.MessageEvent;

/**
 * The requests of a handler in order: messages to encrypt, and requests to close. Any thread adds; only a step removes.
 *
 * <p>The transport does not know of these bytes. So while there are many of them, such as during a handshake, the channel is
 * made not writable from here.
 */
final class OutboundQueue {
    /** The channel's user-defined writability that is ours. */
    static final int WRITABILITY = 31;

    private static final int HIGH_BYTES = 64 * 1024;
    private static final int LOW_BYTES = 32 * 1024;

    private final Queue<ChannelEvent> requests = new ConcurrentLinkedQueue<>();

    /** Of the messages in it. */
    private final AtomicLong bytes = new AtomicLong();

    private final Supplier<Channel> channel;

    OutboundQueue(Supplier<Channel> channel) {
        this.channel = channel;
    }

    /** The bytes of the messages in it. Any thread. */
    long bytes() {
        return bytes.get();
    }

    /** May fire an event that the channel is not writable. */
    void add(ChannelEvent request) {
        int length = length(request);
        requests.add(request);
        if (length > 0 && bytes.addAndGet(length) > HIGH_BYTES) {
            fireWritability();
        }
    }

    /** The next request; null if there is none. */
    ChannelEvent peek() {
        return requests.peek();
    }

    ChannelEvent poll() {
        ChannelEvent request = requests.poll();
        int length = request == null ? 0 : length(request);
        if (length > 0) {
            bytes.addAndGet(-length);
        }
        return request;
    }

    /** A message's indexes do not change while it is in here. */
    private static int length(ChannelEvent request) {
        return isMessage(request) ? ((ChannelBuffer) ((MessageEvent) request).getMessage()).readableBytes() : 0;
    }

    /** Whether {@link #fireWritability} has to make the channel writable. */
    boolean isWritableAgain() {
        return bytes.get() <= LOW_BYTES && !channel.get().getUserDefinedWritability(WRITABILITY);
    }

    /**
     * Updates the channel's writability. That fires an event, whose handlers may write more, until it is too much: the next
     * event has to follow at once. So there is neither a lock nor a queue; each thread checks again after a change.
     */
    void fireWritability() {
        Channel told = channel.get();
        while (true) {
            boolean writable = told.getUserDefinedWritability(WRITABILITY);
            long now = bytes.get();
            if (writable ? now <= HIGH_BYTES : now > LOW_BYTES) {
                return;
            }
            told.setUserDefinedWritability(WRITABILITY, !writable);
        }
    }

    /** Whether somewhere in the queue there is a request that is not a message. Walks the queue. */
    boolean holdsClosing() {
        for (ChannelEvent request : requests) {
            if (!isMessage(request)) {
                return true;
            }
        }
        return false;
    }

    static boolean isMessage(ChannelEvent request) {
        return request instanceof MessageEvent && ((MessageEvent) request).getMessage() instanceof ChannelBuffer;
    }

    /** Takes out the messages before the next request to close, or all. */
    List<MessageEvent> takeMessages() {
        List<MessageEvent> taken = new ArrayList<>();
        while (requests.peek() != null && isMessage(requests.peek())) {
            taken.add((MessageEvent) poll());
        }
        return taken;
    }
}
