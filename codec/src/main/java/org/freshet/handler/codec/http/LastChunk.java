package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** The end of a message that has no trailer. */
final class LastChunk implements HttpChunkTrailer {
    @Override
    public boolean isLast() {
        return true;
    }

    @Override
    public ChannelBuffer getContent() {
        return ChannelBuffers.EMPTY_BUFFER;
    }

    @Override
    public void setContent(ChannelBuffer content) {
        throw new IllegalStateException("the last chunk has no content");
    }

    @Override
    public HttpHeaders trailingHeaders() {
        return HttpHeaders.EMPTY_HEADERS;
    }

    @Override
    public String toString() {
        return "HttpChunk.LAST_CHUNK";
    }
}
