package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** What requests and responses have in common. The headers are a {@link DefaultHttpHeaders} that checks what is set. */
public class DefaultHttpMessage implements HttpMessage {
    private final HttpHeaders headers = new DefaultHttpHeaders(true);
    private HttpVersion version;
    private ChannelBuffer content = ChannelBuffers.EMPTY_BUFFER;
    private boolean chunked;

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
        return content;
    }

    @Override
    public void setContent(ChannelBuffer content) {
        if (content != null && chunked && content.readable()) {
            throw new IllegalArgumentException("the content of a chunked message goes into chunks: " + content);
        }
        this.content = content == null ? ChannelBuffers.EMPTY_BUFFER : content;
    }

    @Override
    public boolean isChunked() {
        return chunked;
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
}
