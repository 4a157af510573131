package org.freshet.handler.tap;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.tap.Flow.Direction;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;

/**
 * Records the bytes that pass its place in a pipeline: received bytes when they arrive, written bytes when they have
 * been sent. Belongs to one channel.
 */
@ActsOn({EventKind.CONNECTED, EventKind.CLOSED})
final class TapHandler implements ChannelUpstreamHandler, ChannelDownstreamHandler {
    private static final byte[] NOTHING = {};

    private final WireTap tap;

    /** Null until the channel is connected. Written on the I/O thread. */
    private volatile Flow flow;

    TapHandler(WireTap tap) {
        this.tap = tap;
    }

    /** Starts with a connected channel. Called on the I/O thread. */
    void begin(ChannelHandlerContext ctx, String where) {
        if (flow == null) {
            flow = tap.begin(ctx.getChannel(), where);
        }
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
        if (e instanceof MessageEvent message) {
            Flow current = flow;
            if (current != null && message.getMessage() instanceof ChannelBuffer buffer) {
                onReceived(current, buffer);
            }
        } else if (e instanceof ChannelStateEvent change) {
            onChange(ctx, change);
        }
        ctx.sendUpstream(e);
    }

    private void onReceived(Flow flow, ChannelBuffer buffer) {
        int length = buffer.readableBytes();
        if (buffer.hasArray()) {
            int from = buffer.arrayOffset() + buffer.readerIndex();
            tap.add(flow, Direction.RECEIVED, buffer.array(), from, tap.captured(length), length);
        } else {
            byte[] copy = copy(buffer);
            tap.add(flow, Direction.RECEIVED, copy, 0, copy.length, length);
        }
    }

    private void onChange(ChannelHandlerContext ctx, ChannelStateEvent e) {
        if (e.getState() == ChannelState.CONNECTED && e.getValue() != null) {
            begin(ctx, "from the beginning");
        } else if (e.getState() == ChannelState.OPEN && Boolean.FALSE.equals(e.getValue()) && flow != null) {
            tap.end(flow, "closed: " + e.getChannel().getCloseReason());
        }
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) {
        Flow current = flow;
        if (current != null && e instanceof MessageEvent message) {
            if (message.getMessage() instanceof ChannelBuffer buffer) {
                e.getFuture().addListener(new Sent(tap, current, copy(buffer), buffer.readableBytes()));
            } else if (message.getMessage() instanceof FileRegion region) {
                e.getFuture().addListener(new Sent(tap, current, NOTHING, region.getCount()));
            }
        }
        ctx.sendDownstream(e);
    }

    /**
     * A buffer belongs to its writer again as soon as it was sent, so it can't be read only then. Without memory, only the
     * length is recorded.
     */
    private byte[] copy(ChannelBuffer buffer) {
        int length = tap.captured(buffer.readableBytes());
        if (length == 0) {
            return NOTHING;
        }
        try {
            byte[] copy = new byte[length];
            buffer.getBytes(buffer.readerIndex(), copy);
            return copy;
        } catch (OutOfMemoryError full) {
            return NOTHING;
        }
    }

    /** Messages are sent, and their futures complete, in stream order. */
    private record Sent(WireTap tap, Flow flow, byte[] copy, long length) implements ChannelFutureListener {
        @Override
        public void operationComplete(ChannelFuture future) {
            if (future.isSuccess()) {
                tap.add(flow, Direction.SENT, copy, 0, copy.length, length);
            }
        }
    }
}
