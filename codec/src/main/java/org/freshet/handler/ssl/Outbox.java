package org.freshet.handler.ssl;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.MessageEvent;

/**
 * What a handler was asked to send, in order: messages to encrypt, and requests to close. Any thread adds; whoever has the
 * handler's turn takes out.
 */
final class Outbox {
    private final Queue<ChannelEvent> requests = new ConcurrentLinkedQueue<>();

    void add(ChannelEvent request) {
        requests.add(request);
    }

    /** The next request; null if there is none. */
    ChannelEvent peek() {
        return requests.peek();
    }

    ChannelEvent poll() {
        return requests.poll();
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
            taken.add((MessageEvent) requests.poll());
        }
        return taken;
    }
}
