package org.freshet.handler.traffic;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.channel.ChannelHandlerContext;

/**
 * The channels that one handler shapes. Each begins once and ends once, whichever threads open or close it, or add or
 * remove the handler. In between, its {@link ShapedChannel} is its context's attachment. Any thread may call it.
 */
final class ShapedChannels {
    private final AbstractTrafficShapingHandler handler;

    /** Guards the attachments of contexts while the shaping of a channel begins or ends. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Channels that have begun and not ended. */
    private final Set<ShapedChannel> channels = ConcurrentHashMap.newKeySet();

    ShapedChannels(AbstractTrafficShapingHandler handler) {
        this.handler = handler;
    }

    /** Returns null unless the context's channel is being shaped. */
    static ShapedChannel of(ChannelHandlerContext ctx) {
        return ctx.getAttachment() instanceof ShapedChannel channel ? channel : null;
    }

    /** Does nothing if the channel is already shaped: it may open while another thread adds the handler. */
    void begin(ChannelHandlerContext ctx) {
        lock.lock();
        try {
            if (of(ctx) != null) {
                return;
            }
            ShapedChannel channel = handler.begin(ctx);
            channels.add(channel);
            ctx.setAttachment(channel);
        } finally {
            lock.unlock();
        }
        handler.begun(ctx);
        if (of(ctx) == null) {
            handler.end(ctx); // it ended on another thread, possibly before begun() was called
        }
    }

    /** Returns the channel's state, or null if it has already ended or never began. */
    ShapedChannel end(ChannelHandlerContext ctx) {
        ShapedChannel channel;
        lock.lock();
        try {
            channel = of(ctx);
            if (channel == null) {
                return null;
            }
            ctx.setAttachment(null);
            channels.remove(channel);
        } finally {
            lock.unlock();
        }
        channel.pause.cancel();
        handler.end(ctx);
        return channel;
    }

    /** Cancels all pauses, so reading resumes. */
    void cancelPauses() {
        channels.forEach(channel -> channel.pause.cancel());
    }
}
