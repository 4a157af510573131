package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.HeldSize;

/** A trailer whose headers can be changed. */
@SuppressWarnings("exports") // HeldSize is shared by Freshet's modules only
public class DefaultHttpChunkTrailer implements HttpChunkTrailer, HeldSize {
    private final HttpHeaders trailingHeaders = new TrailerHeaders();

    public DefaultHttpChunkTrailer() {}

    @Override
    public boolean isLast() {
        return true;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Adding a header that is not allowed in a trailer throws IllegalArgumentException.
     */
    @Override
    public HttpHeaders trailingHeaders() {
        return trailingHeaders;
    }

    @Override
    public ChannelBuffer getContent() {
        return ChannelBuffers.EMPTY_BUFFER;
    }

    /** @throws IllegalStateException always: a trailer has no content */
    @Override
    public void setContent(ChannelBuffer content) {
        throw new IllegalStateException("a trailer has no content");
    }

    /** Not for users: the number of bytes to account for while the trailer waits to be sent. */
    @Override
    public int heldBytes() {
        return (int) Math.min(HeadWriter.heldLength(trailingHeaders()), Integer.MAX_VALUE);
    }

    @Override
    public String toString() {
        return MessageText.append(new StringBuilder(getClass().getSimpleName()), trailingHeaders)
                .toString();
    }
}
