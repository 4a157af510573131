package org.freshet.handler.codec.http.websocketx;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.handler.codec.oneone.OneToOneEncoder;
import org.freshet.internal.write.DownstreamOrder;

/**
 * Encodes {@link WebSocketFrame}s as draft 10 has them, whose wire version is 8; other messages pass as they are.
 *
 * <p>A server's frames are made once for all channels, as far as {@link WebSocketFrame} allows it. A client's are masked, each
 * with a mask that cannot be foretold. The content's reader index does not move.
 *
 * <p>Nothing follows a close frame: later frames fail with a {@link java.nio.channels.ClosedChannelException}.
 *
 * <p>Any thread may write. The fragments of a message must be written one after the other. Where a frame depends on those before, as
 * with a compressor that keeps its window, frames are encoded in the order in which they are sent; one that is written while
 * another thread sends is encoded by that thread.
 */
public class WebSocket08FrameEncoder extends OneToOneEncoder {
    private static final Object PLAIN = new Object();

    private final boolean maskPayload;

    /** In the order in which they see a written frame. */
    private final List<WebSocketExtension> extensions;

    /** Under which the same bytes serve other connections; null if they never do. */
    private final Object sharedForm;

    /** Where what is sent depends on what was sent before; null if it never does. */
    private final DownstreamOrder order;

    /** A close frame is being passed on, or was. */
    private volatile boolean isCloseSent;

    /** @param maskPayload whether this is a client's side */
    public WebSocket08FrameEncoder(boolean maskPayload) {
        this(maskPayload, List.of());
    }

    /**
     * @param maskPayload whether this is a client's side
     * @param extensions as agreed on, in the order of the server's answer
     */
    public WebSocket08FrameEncoder(boolean maskPayload, List<WebSocketExtension> extensions) {
        this.maskPayload = maskPayload;
        this.extensions = List.copyOf(extensions);
        this.sharedForm = sharedForm(this.extensions);
        this.order = this.extensions.isEmpty() ? null : new DownstreamOrder();
    }

    private static Object sharedForm(List<WebSocketExtension> extensions) {
        return switch (extensions.size()) {
            case 0 -> PLAIN;
            case 1 -> extensions.get(0).sharedForm();
            default -> null;
        };
    }

    /** Passes everything in order while frames are on their way that depend on each other: requests to close, too. */
    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (order == null || order.isIdle() && isIndependent(evt) || mayOvertake(evt)) {
            passOn(ctx, evt);
        } else if (frameOf(evt) instanceof CloseWebSocketFrame) {
            order.pass(
                    evt.getChannel(), evt.getFuture(), () -> passOn(ctx, evt)); // the last one, which waits for no room
        } else {
            order.pass(evt, () -> passOn(ctx, evt));
        }
    }

    /**
     * A close discards what a channel that isn't writable holds. To wait for it would be to wait for a writer that a write limit has
     * blocked, perhaps until the close.
     */
    private static boolean mayOvertake(ChannelEvent evt) {
        return evt instanceof ChannelStateEvent && !evt.getChannel().isWritable();
    }

    /** Whether what is sent for the event depends on it alone. */
    private boolean isIndependent(ChannelEvent evt) {
        WebSocketFrame frame = frameOf(evt);
        return frame == null || opcode(frame) >= FrameHead.CLOSE || sharedForm != null && isWholeMessage(frame);
    }

    /** Null if the event is not the write of a frame. */
    private static WebSocketFrame frameOf(ChannelEvent evt) {
        return evt instanceof MessageEvent message && message.getMessage() instanceof WebSocketFrame frame
                ? frame
                : null;
    }

    private void passOn(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        WebSocketFrame frame = frameOf(evt);
        if (frame == null) {
            super.handleDownstream(ctx, evt);
        } else if (isCloseSent) {
            evt.getFuture().setFailure(new FrameAfterCloseException(frame));
        } else {
            passOnFrame(ctx, evt, frame instanceof CloseWebSocketFrame);
        }
    }

    private void passOnFrame(ChannelHandlerContext ctx, ChannelEvent evt, boolean isClose) throws Exception {
        if (!isClose) {
            super.handleDownstream(ctx, evt);
            return;
        }
        isCloseSent = true;
        try {
            super.handleDownstream(ctx, evt);
        } catch (Exception notEncoded) {
            isCloseSent = false;
            throw notEncoded;
        }
    }

    /** Sends a close frame as one that comes from a handler above. */
    final void sendClose(ChannelHandlerContext ctx, ChannelFuture future, CloseWebSocketFrame frame) {
        try {
            handleDownstream(ctx, new DownstreamMessageEvent(ctx.getChannel(), future, frame, null));
        } catch (Exception notSent) {
            future.setFailure(notSent);
        }
    }

    private static boolean isWholeMessage(WebSocketFrame frame) {
        return frame.isFinalFragment() && !(frame instanceof ContinuationWebSocketFrame);
    }

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (!(msg instanceof WebSocketFrame frame)) {
            return msg;
        }
        int opcode = opcode(frame);
        if (opcode >= FrameHead.CLOSE) {
            checkControl(frame, opcode);
            return maskPayload ? encodeMasked(frame) : encodeKept(frame, PLAIN);
        }
        if (maskPayload) {
            return encodeMasked(extended(frame));
        }
        Object form = isWholeMessage(frame) ? sharedForm : extensions.isEmpty() ? PLAIN : null;
        return form == null ? encodeOnce(extended(frame)) : encodeKept(frame, form);
    }

    private WebSocketFrame extended(WebSocketFrame frame) throws Exception {
        WebSocketFrame result = frame;
        for (WebSocketExtension extension : extensions) {
            result = extension.encode(result);
        }
        return result;
    }

    private static ChannelBuffer encodeMasked(WebSocketFrame frame) {
        return FrameWriter.masked(FrameWriter.firstByte(frame, opcode(frame)), frame.content());
    }

    private static ChannelBuffer encodeOnce(WebSocketFrame frame) {
        return FrameWriter.unmasked(FrameWriter.firstByte(frame, opcode(frame)), frame.content());
    }

    /** @param form a control frame's is {@link #PLAIN}, since extensions do not see it */
    private ChannelBuffer encodeKept(WebSocketFrame frame, Object form) throws Exception {
        if (!frame.isContentFixed() || form == PLAIN && FrameWriter.isSentInPlace(frame.content())) {
            return encodeOnce(form == PLAIN ? frame : extended(frame));
        }
        byte[] bytes = frame.encodedFor(form);
        if (bytes == null) {
            WebSocketFrame sent = form == PLAIN ? frame : extended(frame);
            bytes = FrameWriter.unmaskedBytes(FrameWriter.firstByte(sent, opcode(sent)), sent.content());
            frame.keepEncoded(form, bytes);
        }
        return ChannelBuffers.wrappedBuffer(bytes);
    }

    private static int opcode(WebSocketFrame frame) {
        if (frame instanceof TextWebSocketFrame) {
            return FrameHead.TEXT;
        }
        if (frame instanceof BinaryWebSocketFrame) {
            return FrameHead.BINARY;
        }
        if (frame instanceof ContinuationWebSocketFrame) {
            return FrameHead.CONTINUATION;
        }
        if (frame instanceof PingWebSocketFrame) {
            return FrameHead.PING;
        }
        if (frame instanceof PongWebSocketFrame) {
            return FrameHead.PONG;
        }
        if (frame instanceof CloseWebSocketFrame) {
            return FrameHead.CLOSE;
        }
        throw new UnsupportedOperationException(
                "cannot encode a frame of " + frame.getClass().getName());
    }

    private static void checkControl(WebSocketFrame frame, int opcode) throws TooLongFrameException {
        int length = frame.content().readableBytes();
        if (length > FrameHead.MAX_CONTROL_BYTES) {
            throw new TooLongFrameException("bytes of a control frame with opcode " + opcode + " > 125: " + length);
        }
        if (!frame.isFinalFragment()) {
            throw new IllegalArgumentException("a control frame cannot be a fragment: " + frame);
        }
    }
}
