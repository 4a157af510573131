package org.freshet.bootstrap;

import java.util.concurrent.atomic.LongAdder;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteCompletionEvent;

/**
 * Counts the connections of a bootstrap and their bytes, as the first handler of their pipelines. Exists only while the bootstrap
 * is registered with JMX.
 *
 * <p>The channels' I/O threads count; any thread may read.
 */
@ChannelHandler.Sharable
final class TrafficMeter implements ChannelUpstreamHandler {
    private final LongAdder opened = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();

    /** Counts a channel from now on. */
    void follow(Channel channel) {
        opened.increment();
        channel.getPipeline().addFirst(TrafficMeter.class.getName(), this);
        channel.getCloseFuture().addListener(future -> closed.increment());
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
        if (e instanceof MessageEvent message) {
            if (message.getMessage() instanceof ChannelBuffer buffer) {
                bytesRead.add(buffer.readableBytes());
            }
        } else if (e instanceof WriteCompletionEvent written) {
            bytesWritten.add(written.getWrittenAmount());
        }
        ctx.sendUpstream(e);
    }

    long opened() {
        return opened.sum();
    }

    long open() {
        long ended = closed.sum(); // first: a channel that opens and closes in between must not count as minus one
        return opened.sum() - ended;
    }

    long bytesRead() {
        return bytesRead.sum();
    }

    long bytesWritten() {
        return bytesWritten.sum();
    }
}
