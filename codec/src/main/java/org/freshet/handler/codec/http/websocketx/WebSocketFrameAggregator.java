package org.freshet.handler.codec.http.websocketx;

import java.util.Arrays;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.oneone.OneToOneDecoder;

/**
 * Joins the fragments of a message into one {@link TextWebSocketFrame} or {@link BinaryWebSocketFrame}. Control frames in
 * between pass immediately, and single-frame messages pass unchanged.
 *
 * <pre>{@code
 * ChannelPipeline pipeline = Channels.pipeline();
 * pipeline.addLast("http", new HttpServerCodec());
 * pipeline.addLast("websocket", new WebSocketServerProtocolHandler(WebSocketServerConfig.builder("/chat").build()));
 * pipeline.addLast("aggregator", new WebSocketFrameAggregator(64 * 1024));
 * }</pre>
 *
 * <p>A message that is too long raises a {@link TooLongWebSocketFrameException}: the aggregator sends a close frame with code
 * 1009, closes the channel once that is written, and drops further frames. It keeps at most about twice the limit, however
 * small the fragments are.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events.
 */
public class WebSocketFrameAggregator extends OneToOneDecoder {
    private static final int FIRST_CAPACITY = 256;

    private final int maxFrameSize;

    /** The first frame of the message being received, or null. */
    private WebSocketFrame first;

    private byte[] joined;
    private int length;
    private boolean failed;

    /** @param maxFrameSize the most bytes in a message, 1 or more */
    public WebSocketFrameAggregator(int maxFrameSize) {
        if (maxFrameSize < 1) {
            throw new IllegalArgumentException("maxFrameSize < 1: " + maxFrameSize);
        }
        this.maxFrameSize = maxFrameSize;
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, Object message) throws Exception {
        if (!(message instanceof WebSocketFrame frame)) {
            return message;
        }
        if (failed) {
            return null;
        }
        try {
            return join(frame);
        } catch (TooLongWebSocketFrameException | MalformedWebSocketFrameException failure) {
            failed = true;
            first = null;
            joined = null;
            Channels.noteCloseReason(channel, CloseReason.of(CloseReason.Kind.PROTOCOL, null, (Exception) failure));
            channel.write(new CloseWebSocketFrame(((WebSocketFailure) failure).closeCode(), ""))
                    .addListener(ChannelFutureListener.CLOSE);
            throw failure;
        }
    }

    private WebSocketFrame join(WebSocketFrame frame)
            throws TooLongWebSocketFrameException, MalformedWebSocketFrameException {
        if (frame instanceof ContinuationWebSocketFrame) {
            if (first == null) {
                throw new MalformedWebSocketFrameException("continuation frame outside a fragmented message");
            }
            append(frame.content());
            return frame.isFinalFragment() ? takeJoined() : null;
        }
        if (!(frame instanceof TextWebSocketFrame) && !(frame instanceof BinaryWebSocketFrame)) {
            return frame;
        }
        if (first != null) {
            throw new MalformedWebSocketFrameException("new message inside a fragmented one");
        }
        checkLength(frame.content().readableBytes());
        if (frame.isFinalFragment()) {
            return frame;
        }
        first = frame;
        length = 0;
        joined = new byte[FIRST_CAPACITY];
        append(frame.content());
        return null;
    }

    private void checkLength(long bytes) throws TooLongWebSocketFrameException {
        if (bytes > maxFrameSize) {
            throw new TooLongWebSocketFrameException("message of more than " + maxFrameSize + " bytes");
        }
    }

    private void append(ChannelBuffer fragment) throws TooLongWebSocketFrameException {
        int added = fragment.readableBytes();
        checkLength((long) length + added);
        if (length + added > joined.length) {
            int capacity = (int) Math.min(maxFrameSize, Math.max(length + added, 2L * joined.length));
            joined = Arrays.copyOf(joined, capacity);
        }
        fragment.getBytes(fragment.readerIndex(), joined, length, added);
        length += added;
    }

    private WebSocketFrame takeJoined() {
        WebSocketFrame message =
                first instanceof TextWebSocketFrame ? new TextWebSocketFrame() : new BinaryWebSocketFrame();
        message.setRsv(first.getRsv());
        message.setOwnContent(
                ChannelBuffers.wrappedBuffer(length == joined.length ? joined : Arrays.copyOf(joined, length)));
        first = null;
        joined = null;
        return message;
    }
}
