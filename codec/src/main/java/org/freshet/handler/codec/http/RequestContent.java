package org.freshet.handler.codec.http;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.FileRegion;
import org.freshet.internal.handler.UnsentMessage;

/**
 * Tracks how much of the request being written has been sent, and whether the next thing written belongs to it. Belongs
 * to the thread that writes, which may change from one message to the next.
 *
 * <pre>
 *   OPEN, COMPLETE, OWN_CHUNKS --&gt; CHUNKS, LENGTH, or OPEN or COMPLETE again    a head
 *   CHUNKS, OWN_CHUNKS, LENGTH --&gt; OPEN or COMPLETE                             the end of the content
 *   CHUNKS                     --&gt; OWN_CHUNKS                                   a buffer
 *   CHUNKS, LENGTH             --&gt; FAILED                                       what contradicts the head
 *   any                        --&gt; FAILED                                       a part that was not sent
 * </pre>
 */
final class RequestContent {
    enum State {
        /** Any bytes may follow: no request was written yet, or the last one may have ended HTTP. */
        OPEN,
        /** The last request was written completely. */
        COMPLETE,
        /** The head was written, and chunks follow up to the last one. */
        CHUNKS,
        /** Like {@link #CHUNKS}, but in buffers that the application has encoded, so the end isn't recognized. */
        OWN_CHUNKS,
        /** The head was written, and a known number of bytes is still due. */
        LENGTH,
        /** The request can't be completed; the connection ends. */
        FAILED
    }

    private volatile State state = State.OPEN;

    /** The state after the end of the request: OPEN or COMPLETE. */
    private volatile State following;

    /** Bytes still to come, in state LENGTH. */
    private volatile long due;

    boolean isInChunks() {
        return state == State.CHUNKS || state == State.OWN_CHUNKS;
    }

    /** Whether content of the last request is still due. */
    boolean isDue() {
        return isInChunks() || state == State.LENGTH;
    }

    /** A part of a request was not sent. */
    void fail() {
        state = State.FAILED;
    }

    /** @throws IllegalStateException if a request must not begin here */
    void checkBoundary(ChannelHandlerContext ctx) {
        checkUsable();
        if (state == State.CHUNKS || state == State.LENGTH) {
            throw abort(ctx, "a request was written before the previous one was complete");
        }
    }

    private void checkUsable() {
        if (state == State.FAILED) {
            throw new IllegalStateException("the connection is closed because a request could not be completed");
        }
    }

    /**
     * The head was written.
     *
     * @param missing the number of bytes to follow, if not in chunks
     * @param mayEndHttp whether another protocol may follow the request
     */
    void begin(boolean inChunks, long missing, boolean mayEndHttp) {
        State next = mayEndHttp ? State.OPEN : State.COMPLETE;
        if (following != next) { // a volatile write costs more than the comparison
            following = next;
        }
        if (due != missing) {
            due = missing;
        }
        if (inChunks) {
            state = State.CHUNKS;
        } else {
            state = missing > 0 ? State.LENGTH : next;
        }
    }

    /**
     * The last chunk was written.
     *
     * @return whether that completes the request; false if its end was already reported
     */
    boolean endChunks() {
        boolean completed = state == State.CHUNKS;
        state = following;
        return completed;
    }

    /**
     * Counts a chunk that gets no framing.
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
     * Counts a buffer or region that is sent unchanged.
     *
     * @return whether it completes the request, or hides its end
     */
    boolean takeRaw(ChannelHandlerContext ctx, Object content) {
        long bytes = DeclaredContent.sizeOf(content);
        if (bytes == 0) {
            return false; // only marks a place in the order
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
        state = following;
        return true;
    }

    private static IllegalStateException undeclared(String what) {
        return new IllegalStateException(
                what + " was written after a request that declares no more content, so the server would read it as"
                        + " the next request: set Content-Length, or setChunked(true), before writing the request");
    }

    private IllegalStateException abort(ChannelHandlerContext ctx, String why) {
        state = State.FAILED;
        return DeclaredContent.close(ctx, why);
    }
}
