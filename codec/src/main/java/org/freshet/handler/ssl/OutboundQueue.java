package org.freshet.handler.ssl;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.Holding;

/**
 * A handler's requests in order: messages to encrypt, which are charged to the channel's account, and close requests. Any
 * thread may add; only a step removes.
 */
final class OutboundQueue {
    private final Queue<ChannelEvent> requests = new ConcurrentLinkedQueue<>();

    /** The queued messages, and the ones being encrypted. */
    private final Holding held = new Holding();

    /** Whether there has been a request other than a message: waiting messages must be sent now or never. */
    private volatile boolean isEnding;

    /** The bytes charged for its messages. Any thread. */
    long heldBytes() {
        return held.bytes();
    }

    /** Adds a message if the account has room for it, otherwise fails it; may block. Returns the added event, or null. */
    ChannelEvent admit(MessageEvent message) {
        return held.admitTo(requests, message);
    }

    /** Adds a request that is not a message. */
    void add(ChannelEvent request) {
        requests.add(request);
        isEnding = true;
    }

    boolean isEnding() {
        return isEnding;
    }

    /** The next request, or null. */
    ChannelEvent peek() {
        return requests.peek();
    }

    ChannelEvent poll() {
        return requests.poll();
    }

    /** Whether the queue contains a request that is not a message. Walks the queue. */
    boolean holdsClosing() {
        for (ChannelEvent request : requests) {
            if (!isMessage(request)) {
                return true;
            }
        }
        return false;
    }

    static boolean isMessage(ChannelEvent request) {
        return request instanceof HeldWrite;
    }

    // ---- outside of steps: listeners and handlers may be called -----------------------------------------------------

    /** Sends an event to the handlers below, together with the charge of the messages in its records. */
    void passOn(ChannelHandlerContext ctx, ChannelEvent e) {
        if (e instanceof HeldWrite records) {
            held.passOn(ctx, records);
        } else if (e instanceof MessageEvent) {
            WriteAccount.passOn(ctx, e, 0); // without it, the peer could not decrypt anything later
        } else {
            ctx.sendDownstream(e);
        }
    }

    /** Ends a charge that was not passed on. */
    void release(Channel channel, long charge) {
        held.release(channel, charge);
    }

    void fail(HeldWrite message, Throwable cause) {
        held.fail(message, cause);
    }
}
