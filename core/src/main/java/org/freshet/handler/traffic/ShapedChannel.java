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

    /** What the channel has been served of the shared rate, weighted; those with less go first. */
    double served;

    /** When the channel's own rate allows the next write; set whenever the channel begins to rest. */
    long restsUntilNanos;

    /** The heap that it is in, if it is in one, is that of channels that rest. */
    boolean isResting;

    boolean tooMuchWaits;

    /** Not shaped any more: the channel is closed or the handler was removed. */
    boolean released;

    /** Writes whose time has come; one thread at a time sends them. */
    final Chain<ShapedWrite> due = new Chain<>();

    boolean sending;

    /** In the list of {@link DueWrites}. */
    boolean isListed;

    /** Of that list. */
    ShapedChannel nextListed;

    /** Of a list of channels that rested. */
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
