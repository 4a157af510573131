package org.freshet.handler.stream;

import org.freshet.internal.OpenInput;

/**
 * Something large that is read chunk by chunk; write it to a channel that has a {@link ChunkedWriteHandler}.
 *
 * <p>Belongs to the handler once written. The handler calls from one thread at a time, though not always from the same,
 * and never after {@link #close()}. What a method throws fails the write.
 */
@SuppressWarnings("exports") // OpenInput is between Freshet's modules
public interface ChunkedInput extends OpenInput {
    /** Whether {@link #nextChunk()} would return a chunk now. */
    boolean hasNextChunk() throws Exception;

    /**
     * Takes the next chunk.
     *
     * @return a message that the handlers below understand, usually a {@link org.freshet.buffer.ChannelBuffer}; null at
     *     the end, or when there is nothing now but will be. In the latter case call {@link
     *     ChunkedWriteHandler#resumeTransfer()} later
     */
    Object nextChunk() throws Exception;

    /** Whether everything was taken by {@link #nextChunk()}. Waits, if it must, to find out. */
    boolean isEndOfInput() throws Exception;

    /** Releases the resources of the input. Called once: after the last chunk was sent, or on failure. */
    @Override
    void close() throws Exception;
}
