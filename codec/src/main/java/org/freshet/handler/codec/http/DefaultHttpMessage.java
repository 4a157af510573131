package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** What requests and responses have in common. The headers are a {@link DefaultHttpHeaders} that checks what is set. */
public class DefaultHttpMessage implements HttpMessage {
    private final HttpHeaders headers = new DefaultHttpHeaders(true);
    private HttpVersion version;

    /** Null of a chunked message. */
    private ChannelBuffer content = ChannelBuffers.EMPTY_BUFFER;

    protected DefaultHttpMessage(HttpVersion version) {
        this.version = Objects.requireNonNull(version, "version");
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
        return isChunked() ? ChannelBuffers.EMPTY_BUFFER : content;
    }

    @Override
    public void setContent(ChannelBuffer content) {
        if (!isChunked()) {
            this.content = content == null ? ChannelBuffers.EMPTY_BUFFER : content;
        } else if (content != null && content.readable()) {
            throw new IllegalArgumentException("the content of a chunked message goes into chunks: " + content);
        }
    }

    @Override
    public boolean isChunked() {
        return content == null;
    }

    @Override
    public void setChunked(boolean chunked) {
        if (chunked != isChunked()) {
            content = chunked ? null : ChannelBuffers.EMPTY_BUFFER;
        }
    }

    @Override
    public String toString() {
        return MessageText.of(this, version.getText());
    }
}
