package org.freshet.handler.codec.rtsp;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/**
 * Binary data, usually an RTP or RTCP packet, on the same connection as the messages (RFC 2326 10.12).
 *
 * @param channel the stream it belongs to, 0 to 255, as in {@code interleaved=} of the {@code Transport} header
 * @param content at most {@value #MAX_CONTENT_LENGTH} bytes; not copied
 */
public record RtspInterleavedFrame(int channel, ChannelBuffer content) {
    /** The largest length that its two-byte field can hold. */
    public static final int MAX_CONTENT_LENGTH = 0xffff;

    private static final int MAX_CHANNEL = 0xff;

    /** @throws IllegalArgumentException if the channel or the content is out of range */
    public RtspInterleavedFrame {
        Objects.requireNonNull(content, "content");
        if (channel < 0 || channel > MAX_CHANNEL) {
            throw new IllegalArgumentException("channel not in 0.." + MAX_CHANNEL + ": " + channel);
        }
        if (content.readableBytes() > MAX_CONTENT_LENGTH) {
            throw new IllegalArgumentException(
                    "content > " + MAX_CONTENT_LENGTH + " bytes: " + content.readableBytes());
        }
    }
}
