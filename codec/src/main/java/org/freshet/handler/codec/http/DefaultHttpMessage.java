package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.HeldSize;

/**
 * What requests and responses have in common. The headers are a {@link DefaultHttpHeaders} that checks what is set, or those that it was
 * made with.
 */
@SuppressWarnings("exports") // HeldSize is between Freshet's modules
public class DefaultHttpMessage implements HttpMessage, HeldSize {
    private final HttpHeaders headers;
    private HttpVersion version;

    /** Chunks follow, even if no header says so: {@link #setChunked} was called. */
    private boolean chunked;

    /** Null until they are asked for. */
    private HttpHeaders trailers;

    private ChannelBuffer content = ChannelBuffers.EMPTY_BUFFER;

    /** @throws NullPointerException if the version is null */
    protected DefaultHttpMessage(HttpVersion version) {
        this(version, new DefaultHttpHeaders(true));
    }

    /**
     * With headers of the caller's choice, which the message keeps.
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
            throw new IllegalArgumentException("the content of a chunked message goes into chunks: " + content);
        }
        this.content = content == null ? ChannelBuffers.EMPTY_BUFFER : content;
    }

    /**
     * {@inheritDoc}
     *
     * <p>They can be changed. Adding one of those that must not be there throws IllegalArgumentException.
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

    /** Not for users: what the content counts while the message waits to be sent. */
    @Override
    public int heldBytes() {
        return getContent().readableBytes();
    }
}
