package org.freshet.handler.tap;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.tap.Flow.Direction;

/**
 * Copies the bytes that pass its place in a pipeline: received bytes when they arrive, written bytes when they have
 * been sent. Belongs to one channel.
 */
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
            if (flow != null && message.getMessage() instanceof ChannelBuffer buffer) {
                tap.add(flow, Direction.RECEIVED, copy(buffer), buffer.readableBytes());
            }
        } else if (e instanceof ChannelStateEvent change) {
            onChange(ctx, change);
        }
        ctx.sendUpstream(e);
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
        if (flow != null && e instanceof MessageEvent message) {
            if (message.getMessage() instanceof ChannelBuffer buffer) {
                onWrite(e, copy(buffer), buffer.readableBytes());
            } else if (message.getMessage() instanceof FileRegion region) {
                onWrite(e, NOTHING, region.getCount());
            }
        }
        ctx.sendDownstream(e);
    }

    /** Messages are sent, and their futures complete, in stream order. */
    private void onWrite(ChannelEvent e, byte[] captured, long length) {
        e.getFuture().addListener(sent -> {
            if (sent.isSuccess()) {
                tap.add(flow, Direction.SENT, captured, length);
            }
        });
    }

    private byte[] copy(ChannelBuffer buffer) {
        byte[] copy = new byte[Math.min(buffer.readableBytes(), tap.maxBytesPerMessage())];
        buffer.getBytes(buffer.readerIndex(), copy);
        return copy;
    }
}
