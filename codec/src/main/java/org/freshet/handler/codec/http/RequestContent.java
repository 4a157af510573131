package org.freshet.handler.codec.http;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.FileRegion;
import org.freshet.internal.handler.UnsentMessage;

/**
 * How much of the request being written is sent, and whether what is written next belongs to it. For the thread that writes, which may change from
 * one message to the next.
 *
 * <pre>
 *   OPEN, COMPLETE, OWN_CHUNKS --&gt; CHUNKS, LENGTH, or OPEN or COMPLETE again    a head
 *   CHUNKS, OWN_CHUNKS, LENGTH --&gt; OPEN or COMPLETE                             the end of the content
 *   CHUNKS                     --&gt; OWN_CHUNKS                                   a buffer
 *   CHUNKS, LENGTH             --&gt; FAILED                                       what contradicts the head
 * </pre>
 */
final class RequestContent {
    enum State {
        /** Bytes may be anything: no request was written yet, or the last one may have ended HTTP. */
        OPEN,
        /** The last request was written to its end. */
        COMPLETE,
        /** The head was written, and chunks follow up to the last one. */
        CHUNKS,
        /** As {@link #CHUNKS}, in buffers that the application has encoded, so that the end isn't seen. */
        OWN_CHUNKS,
        /** The head was written, and so many bytes are due. */
        LENGTH,
        /** The request can't be completed; the connection ends. */
        FAILED
    }

    private volatile State state = State.OPEN;

    /** That follows the end of the request: OPEN or COMPLETE. */
    private volatile State behind;

    /** How many bytes are still to come, of LENGTH. */
    private volatile long due;

    boolean isInChunks() {
        return state == State.CHUNKS || state == State.OWN_CHUNKS;
    }

    /** @throws IllegalStateException if a request may not begin here */
    void checkBoundary(ChannelHandlerContext ctx) {
        checkUsable();
        if (state == State.CHUNKS || state == State.LENGTH) {
            throw abort(ctx, "a request was written before the one before it was complete");
        }
    }

    private void checkUsable() {
        if (state == State.FAILED) {
            throw new IllegalStateException("the connection is closed, since a request could not be completed");
        }
    }

    /**
     * The head was written.
     *
     * @param missing how many bytes are to follow, if not in chunks
     * @param mayEndHttp what follows the request may be another protocol
     */
    void begin(boolean inChunks, long missing, boolean mayEndHttp) {
        behind = mayEndHttp ? State.OPEN : State.COMPLETE;
        due = missing;
        if (inChunks) {
            state = State.CHUNKS;
        } else {
            state = missing > 0 ? State.LENGTH : behind;
        }
    }

    /**
     * The last chunk was written.
     *
     * @return whether that completes the request, whose end wasn't taken as seen before
     */
    boolean endChunks() {
        boolean completed = state == State.CHUNKS;
        state = behind;
        return completed;
    }

    /**
     * Takes a chunk that isn't framed.
     *
     * @return whether it completes the request
     */
    boolean take(ChannelHandlerContext ctx, HttpChunk chunk) {
        checkUsable();
        int bytes = chunk.getContent().readableBytes();
        if (state == State.LENGTH) {
            boolean completed = count(ctx, bytes);
            if (chunk.isLast() && !completed) {
                throw abort(ctx, DeclaredContent.tooShort(due));
            }
            return completed;
        }
        if (bytes > 0) {
            throw undeclared("a chunk");
        }
        return false;
    }

    /**
     * Takes a buffer or region that is sent as it is.
     *
     * @return whether it completes the request, or its end can't be seen any more
     */
    boolean takeRaw(ChannelHandlerContext ctx, Object content) {
        long bytes = DeclaredContent.sizeOf(content);
        if (bytes == 0) {
            return false; // a place in the order
        }
        try {
            return takeRaw(ctx, content, bytes);
        } catch (IllegalStateException refusal) {
            UnsentMessage.release(content);
            throw refusal;
        }
    }

    private boolean takeRaw(ChannelHandlerContext ctx, Object content, long bytes) {
        checkUsable();
        switch (state) {
            case LENGTH:
                return count(ctx, bytes);
            case CHUNKS:
                state = State.OWN_CHUNKS;
                return true;
            case COMPLETE:
                throw undeclared(content instanceof FileRegion ? "a file region" : "a buffer");
            default:
                return false;
        }
    }

    private boolean count(ChannelHandlerContext ctx, long bytes) {
        if (bytes > due) {
            throw abort(ctx, DeclaredContent.tooLong(bytes, due));
        }
        due -= bytes;
        if (due > 0) {
            return false;
        }
        state = behind;
        return true;
    }

    private static IllegalStateException undeclared(String what) {
        return new IllegalStateException(
                what + " behind a request that declares no more content: the server would read it"
                        + " as the next request; set Content-Length, or setChunked(true), before the request is written");
    }

    private IllegalStateException abort(ChannelHandlerContext ctx, String why) {
        state = State.FAILED;
        return DeclaredContent.close(ctx, why);
    }
}
