package org.freshet.handler.codec.rtsp;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMessageDecoder;

/**
 * Decodes messages of RTSP (RFC 2326), each with its whole content. A message without {@code Content-Length} has none.
 *
 * <p>Frames of binary data between messages ({@code $}, RFC 2326 10.12) are {@link RtspInterleavedFrame}s if the decoder was told to
 * expect them, and else malformed messages.
 *
 * <p>What breaks the grammar or a limit is refused as in {@link HttpMessageDecoder}: nothing behind it is decoded.
 */
public abstract class RtspMessageDecoder extends HttpMessageDecoder {
    private static final int MAX_INITIAL_LINE_LENGTH = 4096;
    private static final int MAX_HEADER_SIZE = 8192;
    private static final int MAX_CONTENT_LENGTH = 8192;

    private static final byte FRAME_MARK = '$';

    private final boolean interleaved;

    /** Something was refused, so nothing more is decoded. */
    private boolean failed;

    /** Start lines of up to 4,096 bytes, headers and content of up to 8,192 bytes each, no interleaved frames. */
    protected RtspMessageDecoder() {
        this(MAX_INITIAL_LINE_LENGTH, MAX_HEADER_SIZE, MAX_CONTENT_LENGTH);
    }

    /**
     * Without interleaved frames.
     *
     * @param maxInitialLineLength bytes of the start line
     * @param maxHeaderSize bytes of all headers together
     * @param maxContentLength bytes of a message's content
     * @throws IllegalArgumentException if one of them is not positive
     */
    protected RtspMessageDecoder(int maxInitialLineLength, int maxHeaderSize, int maxContentLength) {
        this(limits(maxInitialLineLength, maxHeaderSize, maxContentLength), false);
    }

    /**
     * @param limits of which {@link HttpLimits#maxChunkSize()} limits the content, since it is never in chunks
     * @param interleaved whether frames of binary data may stand between messages
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

    /** Read again from its start until all of it has come, which costs the four bytes before its content. */
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
