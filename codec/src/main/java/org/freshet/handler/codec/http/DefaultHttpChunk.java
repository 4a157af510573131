package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.internal.HeldSize;

/** A chunk. It is the last one if its content was empty when it was set. */
@SuppressWarnings("exports") // HeldSize is shared by Freshet's modules only
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

    /** Not for users: the number of bytes to account for while the message waits to be sent. */
    @Override
    public int heldBytes() {
        return getContent().readableBytes();
    }
}
