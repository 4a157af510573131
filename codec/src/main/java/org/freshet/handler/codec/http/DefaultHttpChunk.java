package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/** A chunk that is last if its content has a length of 0 when it is set. */
public class DefaultHttpChunk implements HttpChunk {
    private ChannelBuffer content;
    private boolean last;

    /** @throws NullPointerException if the content is null */
    public DefaultHttpChunk(ChannelBuffer content) {
        assign(content);
    }

    private void assign(ChannelBuffer content) {
        Objects.requireNonNull(content, "content");
        last = !content.readable();
        this.content = content;
    }

    @Override
    public boolean isLast() {
        return last;
    }

    @Override
    public ChannelBuffer getContent() {
        return content;
    }

    @Override
    public void setContent(ChannelBuffer content) {
        assign(content);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "(last: " + last + ", content: " + content + ')';
    }
}
