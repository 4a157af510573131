package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;

/** A piece of the content of a message that is {@linkplain HttpMessage#isChunked() chunked}. */
public interface HttpChunk {
    /** Ends a message that has no trailer. Immutable, and so shared by all. */
    HttpChunkTrailer LAST_CHUNK = new LastChunk();

    /** Whether this is the end of the message: a trailer, or a chunk without content. */
    boolean isLast();

    /** The content, never null. */
    ChannelBuffer getContent();

    /** Content that is empty makes this the last chunk. */
    void setContent(ChannelBuffer content);
}
