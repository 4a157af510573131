package org.freshet.handler.codec.rtsp;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMessageDecoder;

/**
 * Decodes RTSP messages (RFC 2326), each with its complete content. A message without {@code Content-Length} has no content.
 *
 * <p>Binary data between messages ({@code $}, RFC 2326 10.12) becomes {@link RtspInterleavedFrame}s if the decoder was created
 * with that option; otherwise it is a malformed message.
 *
 * <p>Input that breaks the grammar or a limit is rejected as in {@link HttpMessageDecoder}: nothing after it is decoded.
 */
public abstract class RtspMessageDecoder extends HttpMessageDecoder {
    private static final int MAX_INITIAL_LINE_LENGTH = 4096;
    private static final int MAX_HEADER_SIZE = 8192;
    private static final int MAX_CONTENT_LENGTH = 8192;

    private static final byte FRAME_MARK = '$';

    private final boolean interleaved;

    /** Input was rejected, so nothing more is decoded. */
    private boolean failed;

    /** Accepts start lines of up to 4,096 bytes, headers and content of up to 8,192 bytes each, and no interleaved frames. */
    protected RtspMessageDecoder() {
        this(MAX_INITIAL_LINE_LENGTH, MAX_HEADER_SIZE, MAX_CONTENT_LENGTH);
    }

    /**
     * Accepts no interleaved frames.
     *
     * @param maxInitialLineLength the most bytes of the start line
     * @param maxHeaderSize the most bytes of all headers together
     * @param maxContentLength the most bytes of a message's content
     * @throws IllegalArgumentException if a value is not positive
     */
    protected RtspMessageDecoder(int maxInitialLineLength, int maxHeaderSize, int maxContentLength) {
        this(limits(maxInitialLineLength, maxHeaderSize, maxContentLength), false);
    }

    /**
     * @param limits its {@link HttpLimits#maxChunkSize()} limits the content, because content is never chunked
     * @param interleaved whether binary data may come between messages
     */
    protected RtspMessageDecoder(HttpLimits limits, boolean interleaved) {
        super(wholeMessages(limits));
        this.interleaved = interleaved;
    }

    private static HttpLimits limits(int maxInitialLineLength, int maxHeaderSize, int maxContentLength) {
        if (maxContentLength <= 0) {
            throw new IllegalArgumentException("maxContentLength <= 0: " + maxContentLength);
        }
        return HttpLimits.defaults().toBuilder()
                .maxInitialLineLength(maxInitialLineLength)
                .maxHeaderSize(maxHeaderSize)
                .maxChunkSize(maxContentLength)
                .build();
    }

    private static HttpLimits wholeMessages(HttpLimits limits) {
        long most = Math.min(limits.maxContentLength(), limits.maxChunkSize());
        return limits.toBuilder().maxContentLength(most).build();
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        boolean betweenMessages = interleaved && !failed && state == State.SKIP_CONTROL_CHARS;
        if (betweenMessages && buffer.getByte(buffer.readerIndex()) == FRAME_MARK) {
            return readFrame(buffer);
        }
        try {
            return super.decode(ctx, channel, buffer, state);
        } catch (Exception e) {
            failed = true;
            throw e;
        }
    }

    /** Starts over until the whole frame has arrived, which repeats only the four bytes before its content. */
    private static RtspInterleavedFrame readFrame(ChannelBuffer buffer) {
        buffer.skipBytes(1);
        int streamChannel = buffer.readUnsignedByte();
        int length = buffer.readUnsignedShort();
        return new RtspInterleavedFrame(streamChannel, buffer.readBytes(length));
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage msg) {
        return super.isContentAlwaysEmpty(msg) || !HttpHeaders.isContentLengthSet(msg);
    }
}
