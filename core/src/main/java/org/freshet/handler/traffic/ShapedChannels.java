package org.freshet.handler.traffic;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.channel.ChannelHandlerContext;

/**
 * The channels that one handler shapes. Each begins once and ends once, whichever threads open it, close it, add the handler or remove it;
 * in between, its {@link ShapedChannel} is its context's attachment. Any thread may call.
 */
final class ShapedChannels {
    private final AbstractTrafficShapingHandler handler;

    /** Guards the attachments of contexts while the shaping of a channel begins or ends. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Those that have begun and not ended. */
    private final Set<ShapedChannel> channels = ConcurrentHashMap.newKeySet();

    ShapedChannels(AbstractTrafficShapingHandler handler) {
        this.handler = handler;
    }

    /** Null unless the context's channel is being shaped. */
    static ShapedChannel of(ChannelHandlerContext ctx) {
        return ctx.getAttachment() instanceof ShapedChannel channel ? channel : null;
    }

    /** Does nothing if the channel is shaped already: it may open while another thread adds the handler. */
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
            handler.end(ctx); // it ended on another thread, possibly before it had begun completely
        }
    }

    /** Returns what was made at the beginning, or null if that has ended or never was. */
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

    /** No reading is resumed any more when a pause ends. */
    void cancelPauses() {
        channels.forEach(channel -> channel.pause.cancel());
    }
}
