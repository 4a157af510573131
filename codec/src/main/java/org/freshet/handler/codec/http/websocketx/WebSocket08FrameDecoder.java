package org.freshet.handler.codec.http.websocketx;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.replay.ReplayingDecoder;

/**
 * Decodes the {@link WebSocketFrame}s of draft 10, whose wire version is 8. Each fragment is a frame of its own; see
 * {@link WebSocketFrameAggregator} for whole messages.
 *
 * <p>Bytes are unmasked and text is checked as they arrive. A frame that is malformed, too long or not UTF-8 raises a
 * {@link WebSocketFailure}: the decoder sends a close frame with its code, closes the channel once that is written, and decodes
 * nothing more. An announced length takes no memory until the bytes arrive. Bytes after a close frame are dropped.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events.
 */
@ChannelHandler.Borrower
public class WebSocket08FrameDecoder extends ReplayingDecoder<WebSocket08FrameDecoder.State> {
    /** The part of the stream to decode next. */
    public enum State {
        FRAME_START,
        MASKING_KEY,
        PAYLOAD,
        /** Nothing more: the stream was rejected. */
        CORRUPT
    }

    private final boolean maskedPayload;
    private final boolean allowExtensions;
    private final long maxFramePayloadLength;

    /** The one nearest to the handlers first. */
    private final List<WebSocketExtension> extensions;

    /** The reserved bits used by the extensions. */
    private final int extensionRsv;

    private final FrameHead head = new FrameHead();
    private final PayloadCollector payload = new PayloadCollector();
    private final MessageRules message;

    private boolean closeReceived;

    /** Any thread may read this. */
    private volatile boolean failed;

    /** Counts decoded pieces, to tell a silent peer from a slow one. */
    private int progress;

    /** Limits frames to {@link HttpLimits#maxWebSocketFrameSize()} of the default limits. */
    public WebSocket08FrameDecoder(boolean maskedPayload, boolean allowExtensions) {
        this(maskedPayload, allowExtensions, HttpLimits.defaults(), List.of());
    }

    /**
     * @param maskedPayload true on a server, where received frames must be masked; false on a client, where they must not be
     * @param allowExtensions whether frames may have reserved bits set, for the application's own handlers
     * @param maxFramePayloadLength the most bytes of content in a frame. A message may have as many, or
     * {@link HttpLimits#maxWebSocketMessageSize()} of the default limits if that is more
     */
    public WebSocket08FrameDecoder(boolean maskedPayload, boolean allowExtensions, long maxFramePayloadLength) {
        this(maskedPayload, allowExtensions, maxFramePayloadLength, HttpLimits.defaults(), List.of());
    }

    /**
     * @param maskedPayload true on a server, where received frames must be masked; false on a client, where they must not be
     * @param allowExtensions whether frames may have reserved bits set that none of the given extensions uses
     * @param limits the limits of frames and messages
     * @param extensions the negotiated extensions, in the order of the server's answer
     */
    public WebSocket08FrameDecoder(
            boolean maskedPayload, boolean allowExtensions, HttpLimits limits, List<WebSocketExtension> extensions) {
        this(maskedPayload, allowExtensions, limits.maxWebSocketFrameSize(), limits, extensions);
    }

    WebSocket08FrameDecoder(
            boolean maskedPayload,
            boolean allowExtensions,
            long maxFramePayloadLength,
            HttpLimits limits,
            List<WebSocketExtension> extensions) {
        super(State.FRAME_START);
        if (maxFramePayloadLength < 0) {
            throw new IllegalArgumentException("maxFramePayloadLength < 0: " + maxFramePayloadLength);
        }
        this.maskedPayload = maskedPayload;
        this.allowExtensions = allowExtensions;
        this.maxFramePayloadLength = Math.min(maxFramePayloadLength, Integer.MAX_VALUE - 16);
        this.extensions = List.copyOf(extensions);
        this.extensionRsv =
                this.extensions.stream().mapToInt(WebSocketExtension::rsv).reduce(0, (a, b) -> a | b);
        this.message = new MessageRules(Math.max(maxFramePayloadLength, limits.maxWebSocketMessageSize()));
    }

    /** A number that changes whenever bytes of the connection are decoded. I/O thread only. */
    final int progress() {
        return progress;
    }

    /** Whether the stream was rejected and a close frame sent. Any thread may call this. */
    final boolean hasFailed() {
        return failed;
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        if (closeReceived || state == State.CORRUPT) {
            drop(buffer);
            return null;
        }
        try {
            return decodeNext(channel, buffer, state);
        } catch (Exception failure) {
            failed = true;
            checkpoint(State.CORRUPT);
            drop(buffer);
            Channels.noteCloseReason(channel, CloseReason.of(CloseReason.Kind.PROTOCOL, null, failure));
            close(
                    ctx,
                    channel,
                    failure instanceof WebSocketFailure known ? known.closeCode() : CloseBody.PROTOCOL_ERROR);
            throw failure;
        }
    }

    private void drop(ChannelBuffer buffer) {
        buffer.skipBytes(received(buffer).readableBytes());
    }

    private Object decodeNext(Channel channel, ChannelBuffer buffer, State state) throws Exception {
        progress++;
        if (state == State.FRAME_START) {
            readHead(buffer);
        }
        if (getState() == State.MASKING_KEY) {
            readMask(buffer);
        }
        return readPayload(channel, buffer);
    }

    /** Drops a frame that was cut short by the end of the connection. */
    @Override
    protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        drop(buffer);
        return null;
    }

    /** The bytes actually received: {@code buffer} may be replaying. */
    private ChannelBuffer received(ChannelBuffer buffer) {
        return cumulation == null ? buffer : cumulation;
    }

    /** Ends this attempt until more bytes have arrived. */
    private Error needMore(ChannelBuffer buffer) {
        buffer.getByte(received(buffer).writerIndex()); // throws the signal that ends this attempt
        return new AssertionError("read beyond the end of " + buffer);
    }

    // ---- the head ----

    /** Reads the head, and the mask too if it has arrived. */
    private void readHead(ChannelBuffer buffer) throws Exception {
        ChannelBuffer received = received(buffer);
        byte[] bytes;
        int from;
        int to;
        if (received.hasArray()) {
            bytes = received.array();
            from = received.arrayOffset() + received.readerIndex();
            to = from + received.readableBytes();
        } else {
            bytes = new byte[Math.min(FrameHead.MAX_BYTES, received.readableBytes())];
            received.getBytes(received.readerIndex(), bytes);
            from = 0;
            to = bytes.length;
        }
        int length = head.parse(bytes, from, to);
        if (length < 0) {
            throw needMore(buffer);
        }
        checkHead();
        if (head.masked && to - from < length + FrameHead.MASK_BYTES) {
            received.skipBytes(length);
            checkpoint(State.MASKING_KEY);
            return;
        }
        if (head.masked) {
            head.readMask(bytes, from + length);
            length += FrameHead.MASK_BYTES;
        }
        received.skipBytes(length);
        startPayload();
    }

    private void startPayload() {
        payload.start((int) head.length, head.masked, head.mask);
        checkpoint(State.PAYLOAD);
    }

    private void checkHead() throws Exception {
        if (head.masked != maskedPayload) {
            throw new MalformedWebSocketFrameException(
                    maskedPayload ? "frame from a client is not masked" : "frame from a server is masked");
        }
        int allowedRsv = allowExtensions ? 7 : 0;
        allowedRsv |= MessageRules.isStart(head) ? extensionRsv : 0;
        if ((head.rsv & ~allowedRsv) != 0) {
            throw new MalformedWebSocketFrameException(
                    "reserved bits " + head.rsv + " set in a frame with opcode " + head.opcode);
        }
        if (head.length > maxFramePayloadLength) {
            throw new TooLongWebSocketFrameException("frame of more than " + maxFramePayloadLength + " bytes");
        }
        if (!head.isControl()) {
            message.onStart(head, (head.rsv & extensionRsv) != 0);
        }
    }

    private void readMask(ChannelBuffer buffer) throws Exception {
        ChannelBuffer received = received(buffer);
        if (received.readableBytes() < FrameHead.MASK_BYTES) {
            throw needMore(buffer);
        }
        byte[] mask = new byte[FrameHead.MASK_BYTES];
        received.readBytes(mask);
        head.readMask(mask, 0);
        startPayload();
    }

    // ---- the content ----

    private Object readPayload(Channel channel, ChannelBuffer buffer) throws Exception {
        ChannelBuffer received = received(buffer);
        int count = Math.min(payload.missing(), received.readableBytes());
        if (count > 0) {
            int before = payload.collected();
            payload.add(received, received.readerIndex(), count);
            received.skipBytes(count);
            if (!head.isControl() && message.isTextOnTheWire()) {
                message.onText(payload.bytes(), before, count);
            }
        }
        if (payload.missing() > 0) {
            return waitForPayload(buffer, count);
        }
        checkpoint(State.FRAME_START);
        ChannelBuffer content = payload.take();
        return head.isControl() ? controlFrame(channel, content) : dataFrame(content);
    }

    private Object waitForPayload(ChannelBuffer buffer, int added) {
        if (added == 0) {
            throw needMore(buffer);
        }
        checkpoint();
        return null;
    }

    private WebSocketFrame controlFrame(Channel channel, ChannelBuffer content) throws CorruptedFrameException {
        switch (head.opcode) {
            case FrameHead.PING:
                return filled(new PingWebSocketFrame(), content);
            case FrameHead.PONG:
                return filled(new PongWebSocketFrame(), content);
            default:
                checkCloseFrameBody(channel, content);
                closeReceived = true;
                return filled(new CloseWebSocketFrame(), content);
        }
    }

    private WebSocketFrame dataFrame(ChannelBuffer content) throws Exception {
        WebSocketFrame frame = filled(emptyDataFrame(), content);
        if (message.isExtended() || !extensions.isEmpty()) {
            frame = withoutExtensions(frame);
            if (message.isExtended()) {
                message.onExtended(frame.content());
            }
        }
        message.onEnd(head.finalFragment);
        return frame;
    }

    private WebSocketFrame emptyDataFrame() {
        switch (head.opcode) {
            case FrameHead.TEXT:
                return new TextWebSocketFrame();
            case FrameHead.BINARY:
                return new BinaryWebSocketFrame();
            default:
                return new ContinuationWebSocketFrame();
        }
    }

    private WebSocketFrame filled(WebSocketFrame frame, ChannelBuffer content) {
        frame.setFinalFragment(head.finalFragment);
        frame.setRsv(head.rsv);
        frame.setOwnContent(content);
        return frame;
    }

    private WebSocketFrame withoutExtensions(WebSocketFrame frame) throws Exception {
        WebSocketFrame result = frame;
        for (int i = extensions.size() - 1; i >= 0; i--) {
            result = extensions.get(i).decode(result);
        }
        return result;
    }

    /**
     * Checks the content of a received close frame: it must be empty, or contain a permitted code and a reason in UTF-8.
     *
     * @param buffer its indexes don't change
     * @throws CorruptedFrameException if the content is invalid
     */
    protected void checkCloseFrameBody(Channel channel, ChannelBuffer buffer) throws CorruptedFrameException {
        int length = buffer.readableBytes();
        if (length == 0) {
            return;
        }
        if (length < CloseBody.CODE_BYTES) {
            throw new MalformedWebSocketFrameException("close frame with one byte of content");
        }
        int code = CloseBody.code(buffer);
        if (!CloseBody.maySend(code)) {
            throw new MalformedWebSocketFrameException("close frame with the forbidden code " + code);
        }
        int from = buffer.readerIndex() + CloseBody.CODE_BYTES;
        if (!Utf8Validator.isValid(buffer, from, length - CloseBody.CODE_BYTES)) {
            throw MessageRules.notUtf8();
        }
    }

    // ---- the end ----

    /** Sends a close frame with the reason, then closes the channel. */
    private void close(ChannelHandlerContext ctx, Channel channel, int code) {
        if (!channel.isConnected()) {
            return;
        }
        CloseWebSocketFrame frame = new CloseWebSocketFrame(code, "");
        ChannelFuture written = Channels.future(channel);
        written.addListener(ChannelFutureListener.CLOSE);
        WebSocket08FrameEncoder encoder = channel.getPipeline().get(WebSocket08FrameEncoder.class);
        if (encoder != null) {
            encoder.sendClose(channel.getPipeline().getContext(encoder), written, frame);
        } else {
            Channels.write(ctx, written, bytesOf(frame));
        }
    }

    /** For a pipeline with some other encoder. */
    private ChannelBuffer bytesOf(CloseWebSocketFrame frame) {
        int firstByte = FrameHead.FINAL | FrameHead.CLOSE;
        return maskedPayload
                ? FrameWriter.unmasked(firstByte, frame.content())
                : FrameWriter.masked(firstByte, frame.content());
    }

    @Override
    protected void cleanup(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        try {
            super.cleanup(ctx, e);
        } finally {
            extensions.forEach(WebSocketExtension::release);
        }
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        super.afterRemove(ctx);
        extensions.forEach(WebSocketExtension::release);
    }
}
