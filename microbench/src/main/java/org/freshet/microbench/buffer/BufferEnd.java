package org.freshet.microbench.buffer;

/** The end of the buffers of {@link BufferLifeBenchmark}. For the measuring thread. */
@FunctionalInterface
interface BufferEnd {
    void end(Object buffer) throws InterruptedException;

    /** Returns once all buffers have ended. */
    default void close() throws InterruptedException {}
}
