package org.freshet.handler.codec.rtsp;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/**
 * Binary data, a packet of RTP or RTCP mostly, that shares its connection with the messages (RFC 2326 10.12).
 *
 * @param channel which stream it belongs to, 0 to 255, as {@code interleaved=} in {@code Transport} says
 * @param content at most {@value #MAX_CONTENT_LENGTH} bytes; not copied
 */
public record RtspInterleavedFrame(int channel, ChannelBuffer content) {
    /** What the two bytes of its length can say. */
    public static final int MAX_CONTENT_LENGTH = 0xffff;

    private static final int MAX_CHANNEL = 0xff;

    /** @throws IllegalArgumentException if the channel or the content does not fit into a frame */
    public RtspInterleavedFrame {
        Objects.requireNonNull(content, "content");
        if (channel < 0 || channel > MAX_CHANNEL) {
            throw new IllegalArgumentException("channel is not of 0 to " + MAX_CHANNEL + ": " + channel);
        }
        if (content.readableBytes() > MAX_CONTENT_LENGTH) {
            throw new IllegalArgumentException(
                    "content > " + MAX_CONTENT_LENGTH + " bytes: " + content.readableBytes());
        }
    }
}
