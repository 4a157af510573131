package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.HeldSize;

/**
 * Common part of requests and responses. The headers are a {@link DefaultHttpHeaders} that checks names and values,
 * unless the constructor was given others.
 */
@SuppressWarnings("exports") // HeldSize is shared by Freshet's modules only
public class DefaultHttpMessage implements HttpMessage, HeldSize {
    private final HttpHeaders headers;
    private HttpVersion version;

    /** {@link #setChunked} was called: chunks follow, even if no header says so. */
    private boolean chunked;

    /** Null until someone asks for them. */
    private HttpHeaders trailers;

    private ChannelBuffer content = ChannelBuffers.EMPTY_BUFFER;

    /** @throws NullPointerException if the version is null */
    protected DefaultHttpMessage(HttpVersion version) {
        this(version, new DefaultHttpHeaders(true));
    }

    /**
     * Uses and keeps the given headers.
     *
     * @throws NullPointerException if an argument is null
     */
    protected DefaultHttpMessage(HttpVersion version, HttpHeaders headers) {
        this.version = Objects.requireNonNull(version, "version");
        this.headers = Objects.requireNonNull(headers, "headers");
    }

    @Override
    public HttpHeaders headers() {
        return headers;
    }

    @Override
    public HttpVersion getProtocolVersion() {
        return version;
    }

    @Override
    public void setProtocolVersion(HttpVersion version) {
        this.version = Objects.requireNonNull(version, "version");
    }

    @Override
    public ChannelBuffer getContent() {
        return content;
    }

    @Override
    public void setContent(ChannelBuffer content) {
        if (content != null && content.readable() && isChunked()) {
            throw new IllegalArgumentException("a chunked message cannot have content, put it into chunks: " + content);
        }
        this.content = content == null ? ChannelBuffers.EMPTY_BUFFER : content;
    }

    /**
     * {@inheritDoc}
     *
     * <p>You can change them. Adding a header that is not allowed in a trailer throws IllegalArgumentException.
     */
    @Override
    public HttpHeaders trailingHeaders() {
        if (trailers == null) {
            trailers = new TrailerHeaders();
        }
        return trailers;
    }

    @Override
    public boolean isChunked() {
        return chunked || HeaderStatics.isChunked(this);
    }

    @Override
    public void setChunked(boolean chunked) {
        this.chunked = chunked;
        if (chunked) {
            content = ChannelBuffers.EMPTY_BUFFER;
        }
    }

    @Override
    public String toString() {
        return MessageText.of(this, version.getText());
    }

    /**
     * Not for users: the number of bytes to account for while the message waits to be sent. Headers count, too: they may be larger
     * than the content.
     */
    @Override
    public int heldBytes() {
        long bytes = getContent().readableBytes() + startLineLength() + HeadWriter.heldLength(headers());
        if (trailers != null) {
            bytes += HeadWriter.heldLength(trailers);
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    /** The number of characters of the start line that a user or a peer chooses. */
    long startLineLength() {
        return 0;
    }
}
