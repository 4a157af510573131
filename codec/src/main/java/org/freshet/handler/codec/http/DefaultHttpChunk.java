package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.internal.HeldSize;

/** A chunk that is last if its content has a length of 0 when it is set. */
@SuppressWarnings("exports") // HeldSize is between Freshet's modules
public class DefaultHttpChunk implements HttpChunk, HeldSize {
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

    /** Not for users: what the content counts while the message waits to be sent. */
    @Override
    public int heldBytes() {
        return getContent().readableBytes();
    }
}
