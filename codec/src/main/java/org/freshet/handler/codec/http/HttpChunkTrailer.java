package org.freshet.handler.codec.http;

/** The end of a chunked message, with the headers that only its end could tell. Its content is empty. */
public interface HttpChunkTrailer extends HttpChunk {
    /** True. */
    @Override
    boolean isLast();

    /**
     * The headers of the trailer section. Those that say how the message is framed, where it goes or how it is to be read
     * are never among them (RFC 9110 6.5.1).
     */
    HttpHeaders trailingHeaders();
}
