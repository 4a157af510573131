package org.freshet.microbench.buffer;

/** Where the buffers of {@link BufferLifeBenchmark} end. For the thread that measures. */
@FunctionalInterface
interface BufferEnd {
    void end(Object buffer) throws InterruptedException;

    /** Returns once all buffers have ended. */
    default void close() throws InterruptedException {}
}
