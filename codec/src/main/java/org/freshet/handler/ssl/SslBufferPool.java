package org.freshet.handler.ssl;

import java.nio.ByteBuffer;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Scratch buffers for encryption, each large enough for two records. A handler holds one only while it encrypts, so there
 * are about as many in use as threads.
 *
 * <p>The pool never refuses: when it is empty it makes another buffer, and what is returned beyond its size is left to the
 * garbage collector. Any thread may call; no lock is taken.
 */
public class SslBufferPool {
    /** Two records of the size that the JDK's engine asks room for, so that small ones gather in one buffer. */
    static final int BUFFER_BYTES = 34 * 1024;

    private static final int DEFAULT_POOL_BYTES = 18 * 1024 * 1024;

    /** Last in, first out: what was used last is still in the processor's cache. */
    private final Deque<ByteBuffer> buffers = new ConcurrentLinkedDeque<>();

    /** How many are in {@link #buffers} or on their way into it. */
    private final AtomicInteger unacquired = new AtomicInteger();

    private final int maxBuffers;
    private final boolean direct;

    /** Keeps up to 18 MiB of heap buffers, made when they are needed. */
    public SslBufferPool() {
        this(DEFAULT_POOL_BYTES);
    }

    /**
     * Keeps up to 18 MiB.
     *
     * @param preallocate whether to make all buffers now
     * @param allocateDirect whether the buffers are outside the heap; with the JDK's engine that is slower
     */
    public SslBufferPool(boolean preallocate, boolean allocateDirect) {
        this(DEFAULT_POOL_BYTES, preallocate, allocateDirect);
    }

    /** @param maxPoolSize bytes, 1 or more; rounded up to whole buffers */
    public SslBufferPool(int maxPoolSize) {
        this(maxPoolSize, false, false);
    }

    /**
     * @param maxPoolSize bytes, 1 or more; rounded up to whole buffers
     * @param preallocate whether to make all buffers now
     * @param allocateDirect whether the buffers are outside the heap; with the JDK's engine that is slower
     */
    public SslBufferPool(int maxPoolSize, boolean preallocate, boolean allocateDirect) {
        if (maxPoolSize <= 0) {
            throw new IllegalArgumentException("maxPoolSize <= 0: " + maxPoolSize);
        }
        maxBuffers = (maxPoolSize - 1) / BUFFER_BYTES + 1;
        direct = allocateDirect;
        for (int i = 0; preallocate && i < maxBuffers; i++) {
            releaseBuffer(allocate());
        }
    }

    /** In bytes. */
    public int getMaxPoolSize() {
        return maxBuffers * BUFFER_BYTES;
    }

    /** How many bytes the pool holds, ready to be acquired. */
    public int getUnacquiredPoolSize() {
        return unacquired.get() * BUFFER_BYTES;
    }

    /** An empty buffer, for the caller alone until it is given to {@link #releaseBuffer}. Never null, never waits. */
    public ByteBuffer acquireBuffer() {
        ByteBuffer buffer = buffers.pollFirst();
        if (buffer == null) {
            return allocate();
        }
        unacquired.decrementAndGet();
        return buffer.clear();
    }

    /** Takes a buffer back. The caller does not touch it any more. One that is not of this pool's making is ignored. */
    public void releaseBuffer(ByteBuffer buffer) {
        Objects.requireNonNull(buffer, "buffer");
        if (buffer.capacity() != BUFFER_BYTES || buffer.isDirect() != direct) {
            return;
        }
        if (unacquired.incrementAndGet() > maxBuffers) {
            unacquired.decrementAndGet();
            return;
        }
        buffers.addFirst(buffer);
    }

    private ByteBuffer allocate() {
        return direct ? ByteBuffer.allocateDirect(BUFFER_BYTES) : ByteBuffer.allocate(BUFFER_BYTES);
    }
}
