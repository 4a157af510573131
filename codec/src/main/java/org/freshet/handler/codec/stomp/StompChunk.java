package org.freshet.handler.codec.stomp;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.HeldSize;

/** A piece of the content of a {@linkplain StompFrame#isChunked() chunked} {@link StompFrame}. */
@SuppressWarnings("exports") // HeldSize is only shared among Freshet's modules
public final class StompChunk implements HeldSize {
    /** Ends a chunked frame. */
    public static final StompChunk LAST = new StompChunk(ChannelBuffers.EMPTY_BUFFER);

    private final ChannelBuffer content;
    private final boolean last;

    /** @param content if it is empty, this is the last chunk */
    public StompChunk(ChannelBuffer content) {
        this.content = Objects.requireNonNull(content, "content");
        this.last = !content.readable();
    }

    public ChannelBuffer content() {
        return content;
    }

    /** Returns whether this chunk, which is then empty, ends the frame. */
    public boolean isLast() {
        return last;
    }

    /** Not for users: the size of the chunk in the write account. */
    @Override
    public int heldBytes() {
        return content.readableBytes();
    }

    @Override
    public String toString() {
        return last ? "last chunk" : "chunk of " + content.readableBytes() + " bytes";
    }
}
