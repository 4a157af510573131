package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;

/**
 * A request or a response: its version, its headers, and its content unless that follows in {@link HttpChunk}s.
 *
 * <p>A message is not made for several threads at once. What a decoder sends up belongs to the handlers that receive it.
 */
public interface HttpMessage {
    /**
     * The version in the message's first line. Over HTTP/2 it is HTTP/1.1, so that the same handlers serve both; the channel of
     * such a message is an {@code Http2StreamChannel}.
     */
    HttpVersion getProtocolVersion();

    /** @throws NullPointerException if the version is null */
    void setProtocolVersion(HttpVersion version);

    /** The headers; changes take effect on this message. */
    HttpHeaders headers();

    /**
     * The content, never null. A chunked message has none to read: either {@link
     * org.freshet.buffer.ChannelBuffers#EMPTY_BUFFER} or what was set.
     */
    ChannelBuffer getContent();

    /**
     * @param content null for none
     * @throws IllegalArgumentException if the message is chunked and the content is readable
     */
    void setContent(ChannelBuffer content);

    /**
     * Whether the content follows in chunks, the last of which {@linkplain HttpChunk#isLast() says so}: either {@link
     * #setChunked} marked the message, or its {@code Transfer-Encoding} holds {@code chunked}. A marked message may have a
     * {@code Content-Length} instead: a long body of known length comes in chunks, too.
     */
    boolean isChunked();

    /**
     * The headers of the trailer section, beside {@link #headers()} and never among them unless an {@link HttpChunkAggregator}
     * was told to merge them: a peer can put any name into a trailer, past proxies that set or remove headers of that name.
     * Those that frame, route or authorize a message are never there. An aggregated message has those of its last chunk; a
     * chunked one has none, since they come with its {@link HttpChunkTrailer}. They are not sent.
     *
     * @return never null; by default empty and unchangeable
     */
    default HttpHeaders trailingHeaders() {
        return HttpHeaders.EMPTY_HEADERS;
    }

    /**
     * Marks the message, or takes the mark away. Setting true drops the content; after setting false, the message is still
     * chunked if its {@code Transfer-Encoding} says so.
     */
    void setChunked(boolean chunked);
}
