package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;

/** A piece of the content of a message that is {@linkplain HttpMessage#isChunked() chunked}. */
public interface HttpChunk {
    /** The end of a message without trailer. Immutable, so all messages share it. */
    HttpChunkTrailer LAST_CHUNK = new LastChunk();

    /** Whether this is the end of the message: a trailer, or a chunk without content. */
    boolean isLast();

    /** The content; never null. */
    ChannelBuffer getContent();

    /** Sets the content. If it is empty, this becomes the last chunk. */
    void setContent(ChannelBuffer content);
}
