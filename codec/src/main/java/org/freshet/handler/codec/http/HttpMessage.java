package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;

/**
 * A request or a response: its version, its headers, and its content unless that follows in {@link HttpChunk}s.
 *
 * <p>A message is not made for several threads at once. What a decoder sends up belongs to the handlers that receive it.
 */
public interface HttpMessage {
    HttpVersion getProtocolVersion();

    /** @throws NullPointerException if the version is null */
    void setProtocolVersion(HttpVersion version);

    /** The headers; changes take effect on this message. */
    HttpHeaders headers();

    /** The content, never null. Empty if {@link #isChunked()}. */
    ChannelBuffer getContent();

    /**
     * @param content null for none
     * @throws IllegalArgumentException if the message is chunked and the content is not empty
     */
    void setContent(ChannelBuffer content);

    /**
     * Whether the content follows in chunks, the last of which {@linkplain HttpChunk#isLast() says so}. This is about the
     * objects that pass through the pipeline, not about {@code Transfer-Encoding}: a long body of known length comes in
     * chunks, too.
     */
    boolean isChunked();

    /** Setting true drops the content. */
    void setChunked(boolean chunked);
}
