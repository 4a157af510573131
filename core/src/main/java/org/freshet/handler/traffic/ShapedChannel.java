package org.freshet.handler.traffic;

import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.handler.ReadSuspension;

/** The state of one channel in a traffic shaping handler; its context's attachment. */
final class ShapedChannel {
    /** A write that waits. */
    record Write(MessageEvent event, long bytes) {}

    final ChannelHandlerContext ctx;
    final ReadSuspension reading;
    final ReadPause pause;

    /** Null unless the handler counts each channel. */
    final TrafficCounter counter;

    // ---- guarded by the lock of WriteShaper ----

    final Queue<Write> waiting = new ArrayDeque<>(2);
    long waitingBytes;

    /** What the channel has been served of the shared rate, weighted; those with less go first. */
    double served;

    /** When the channel's own rate allows the next write; set whenever the channel begins to rest. */
    long restsUntilNanos;

    boolean tooMuchWaits;

    /** Not shaped any more: the channel is closed or the handler was removed. */
    boolean released;

    /** Writes whose time has come; one thread at a time sends them. */
    final Queue<Write> due = new ArrayDeque<>(2);

    boolean sending;

    ShapedChannel(ChannelHandlerContext ctx, ReadSuspension reading, ReadPause pause, TrafficCounter counter) {
        this.ctx = ctx;
        this.reading = reading;
        this.pause = pause;
        this.counter = counter;
    }

    Channel channel() {
        return ctx.getChannel();
    }
}
