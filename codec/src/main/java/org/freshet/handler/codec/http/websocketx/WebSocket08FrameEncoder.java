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
import org.freshet.internal.handler.MessagePart;
import org.freshet.internal.write.DownstreamOrder;

/**
 * Encodes {@link WebSocketFrame}s for draft 10, whose wire version is 8; other messages pass unchanged.
 *
 * <p>A server encodes a frame once for all channels, as far as {@link WebSocketFrame} allows that. A client masks each frame
 * with an unpredictable mask. The content's reader index does not move.
 *
 * <p>If a fragment of a message can't be sent, the connection is closed.
 *
 * <p>Nothing follows a close frame: later frames fail with a {@link java.nio.channels.ClosedChannelException}.
 *
 * <p>Any thread may write. The fragments of a message must be written one after the other. If a frame depends on earlier ones,
 * as with a compressor that keeps its window, frames are encoded in the order in which they are sent: a frame written while
 * another thread is sending is encoded by that thread.
 *
 * <p>On a blocking transport a writer waits until its frame has been sent. So a control frame waits for a frame that another
 * thread is writing, as long as the peer doesn't read that. A request to close doesn't wait.
 */
public class WebSocket08FrameEncoder extends OneToOneEncoder {
    private static final Object PLAIN = new Object();

    private final boolean maskPayload;

    /** In the order in which they see a written frame. */
    private final List<WebSocketExtension> extensions;

    /** The key under which other connections may reuse the encoded bytes; null if they never may. */
    private final Object sharingKey;

    /** Keeps frames in order if an encoded frame may depend on earlier ones; null if none does. */
    private final DownstreamOrder order;

    /** A close frame is being sent, or has been. */
    private volatile boolean isCloseSent;

    /** @param maskPayload true on a client, false on a server */
    public WebSocket08FrameEncoder(boolean maskPayload) {
        this(maskPayload, List.of());
    }

    /**
     * @param maskPayload true on a client, false on a server
     * @param extensions the negotiated extensions, in the order of the server's answer
     */
    public WebSocket08FrameEncoder(boolean maskPayload, List<WebSocketExtension> extensions) {
        this.maskPayload = maskPayload;
        this.extensions = List.copyOf(extensions);
        this.sharingKey = sharingKey(this.extensions);
        this.order = this.extensions.isEmpty() ? null : new DownstreamOrder();
    }

    private static Object sharingKey(List<WebSocketExtension> extensions) {
        return switch (extensions.size()) {
            case 0 -> PLAIN;
            case 1 -> extensions.get(0).sharingKey();
            default -> null;
        };
    }

    /** While frames that depend on each other are under way, passes everything in order, including close requests. */
    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (evt instanceof MessageEvent write && isFragment(frameOf(evt))) {
            MessagePart.pass(ctx, write, fragment -> passFragment(ctx, fragment));
        } else {
            passInOrder(ctx, evt);
        }
    }

    /** An extension may throw in the middle of a message. */
    private void passFragment(ChannelHandlerContext ctx, MessageEvent fragment) throws Exception {
        try {
            passInOrder(ctx, fragment);
        } catch (Exception notEncoded) {
            MessagePart.end(ctx, notEncoded);
            throw notEncoded;
        }
    }

    private static boolean isFragment(WebSocketFrame frame) {
        return frame != null && opcode(frame) < FrameHead.CLOSE && !isWholeMessage(frame);
    }

    private void passInOrder(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (order == null || order.isIdle() && isIndependent(evt) || mayOvertake(evt)) {
            passOn(ctx, evt);
        } else if (frameOf(evt) instanceof CloseWebSocketFrame) {
            order.pass(
                    evt.getChannel(),
                    evt.getFuture(),
                    () -> passOn(ctx, evt)); // the last frame: it doesn't wait for room
        } else {
            order.pass(evt, () -> passOn(ctx, evt));
        }
    }

    /**
     * A close discards the backlog of a channel that isn't writable, and what another thread is writing on a blocking
     * transport. Waiting for it could mean waiting for a writer that is blocked, perhaps until the close.
     */
    private boolean mayOvertake(ChannelEvent evt) {
        return evt instanceof ChannelStateEvent
                && (!evt.getChannel().isWritable() || order.isBlocked(evt.getChannel()));
    }

    /** Whether the encoded event depends on that event alone. */
    private boolean isIndependent(ChannelEvent evt) {
        WebSocketFrame frame = frameOf(evt);
        return frame == null || opcode(frame) >= FrameHead.CLOSE || sharingKey != null && isWholeMessage(frame);
    }

    /** Null if the event doesn't write a frame. */
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

    /** Sends a close frame as if a handler above had written it. */
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
        Object form = isWholeMessage(frame) ? sharingKey : extensions.isEmpty() ? PLAIN : null;
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

    /** @param form {@link #PLAIN} for a control frame, because extensions don't see those */
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
                "cannot encode a frame of type " + frame.getClass().getName());
    }

    private static void checkControl(WebSocketFrame frame, int opcode) throws TooLongFrameException {
        int length = frame.content().readableBytes();
        if (length > FrameHead.MAX_CONTROL_BYTES) {
            throw new TooLongFrameException(
                    "control frame with opcode " + opcode + " has more than 125 bytes: " + length);
        }
        if (!frame.isFinalFragment()) {
            throw new IllegalArgumentException("a control frame cannot be a fragment: " + frame);
        }
    }
}
