package org.freshet.handler.traffic;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.internal.handler.Chain;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.internal.time.IndexedHeap;

/** The state of one channel in a traffic shaping handler; its context's attachment. */
final class ShapedChannel extends IndexedHeap.Element {
    final AbstractTrafficShapingHandler handler;
    final ChannelHandlerContext ctx;
    final ReadSuspension reading;
    final ReadPause pause;

    /** Null unless the handler counts each channel. */
    final TrafficCounter counter;

    // ---- guarded by the lock of WriteShaper ----

    final Chain<ShapedWrite> waiting = new Chain<>();
    long waitingBytes;

    /** The channel's weighted share of the shared rate so far; the channel with the least goes first. */
    double served;

    /** When the channel's own rate allows the next write; set whenever the channel starts resting. */
    long restsUntilNanos;

    /** If the channel is in a heap, whether that is the heap of resting channels. */
    boolean isResting;

    boolean isCongested;

    /** No longer shaped: the channel is closed or the handler was removed. */
    boolean released;

    /** Writes that are due; one thread at a time sends them. */
    final Chain<ShapedWrite> due = new Chain<>();

    boolean sending;

    /** Whether it is in the list of {@link DueWrites}. */
    boolean isListed;

    /** The next channel in that list. */
    ShapedChannel nextListed;

    /** The next channel in a list of channels that were resting. */
    ShapedChannel nextRested;

    ShapedChannel(
            AbstractTrafficShapingHandler handler,
            ChannelHandlerContext ctx,
            ReadSuspension reading,
            ReadPause pause,
            TrafficCounter counter) {
        this.handler = handler;
        this.ctx = ctx;
        this.reading = reading;
        this.pause = pause;
        this.counter = counter;
    }

    Channel channel() {
        return ctx.getChannel();
    }
}
