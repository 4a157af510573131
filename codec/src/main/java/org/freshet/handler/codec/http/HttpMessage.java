package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;

/**
 * A request or a response: version, headers, and content. The content of a chunked message follows in
 * {@link HttpChunk}s.
 *
 * <p>Not thread-safe. A message from a decoder belongs to the handlers that receive it.
 */
public interface HttpMessage {
    /**
     * The version in the message's first line. Over HTTP/2 it is HTTP/1.1, so that the same handlers serve both; the channel of
     * such a message is an {@code Http2StreamChannel}.
     */
    HttpVersion getProtocolVersion();

    /** @throws NullPointerException if the version is null */
    void setProtocolVersion(HttpVersion version);

    /** The headers. Changing them changes this message. */
    HttpHeaders headers();

    /**
     * The content; never null. For a chunked message, this is {@link org.freshet.buffer.ChannelBuffers#EMPTY_BUFFER}
     * unless content was set, since its content follows in chunks.
     */
    ChannelBuffer getContent();

    /**
     * @param content null for no content
     * @throws IllegalArgumentException if the message is chunked and the content is readable
     */
    void setContent(ChannelBuffer content);

    /**
     * Whether the content follows in chunks, ending with the one that {@linkplain HttpChunk#isLast() is last}. True if
     * {@link #setChunked} marked the message, or its {@code Transfer-Encoding} contains {@code chunked}. A marked
     * message may have a {@code Content-Length} instead: long content of known length also arrives in chunks.
     */
    boolean isChunked();

    /**
     * The headers of the trailer section. They are kept apart from {@link #headers()}, unless an
     * {@link HttpChunkAggregator} is configured to merge them: a peer can put any name into a trailer, past proxies
     * that set or remove headers of that name. Headers that frame, route or authorize a message are never included. An
     * aggregated message has those of its last chunk. A chunked message has none, since they come with its
     * {@link HttpChunkTrailer}. They are not sent.
     *
     * @return never null; empty and unmodifiable by default
     */
    default HttpHeaders trailingHeaders() {
        return HttpHeaders.EMPTY_HEADERS;
    }

    /**
     * Marks the message as chunked, or removes the mark. Setting true drops the content. After setting false, the
     * message is still chunked if its {@code Transfer-Encoding} says so.
     */
    void setChunked(boolean chunked);
}
