package org.freshet.handler.codec.http;

/** The end of a chunked message, with the headers that were not known before. Its content is empty. */
public interface HttpChunkTrailer extends HttpChunk {
    /** Always true. */
    @Override
    boolean isLast();

    /**
     * The headers of the trailer section. Headers that frame, route or otherwise control the message are never among
     * them (RFC 9110 6.5.1).
     */
    HttpHeaders trailingHeaders();
}
