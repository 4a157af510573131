package org.freshet.handler.ssl;

import java.nio.ByteBuffer;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Scratch buffers for encryption, each large enough for two records. A handler holds a buffer only while it encrypts, so about
 * as many are in use as there are threads.
 *
 * <p>The pool never refuses: if it is empty, it creates another buffer. Buffers returned beyond its size are left to the
 * garbage collector. Any thread may call; no lock is taken.
 */
public class SslBufferPool {
    /** Two records of the size that the JDK's engine demands room for, so small ones can share a buffer. */
    static final int BUFFER_BYTES = 34 * 1024;

    private static final int DEFAULT_POOL_BYTES = 18 * 1024 * 1024;

    /** Last in, first out: the latest buffer is still in the processor's cache. */
    private final Deque<ByteBuffer> buffers = new ConcurrentLinkedDeque<>();

    /** The number of buffers in {@link #buffers} or on their way there. */
    private final AtomicInteger unacquired = new AtomicInteger();

    private final int maxBuffers;
    private final boolean direct;

    /** Keeps up to 18 MiB of heap buffers, created on demand. */
    public SslBufferPool() {
        this(DEFAULT_POOL_BYTES);
    }

    /**
     * Keeps up to 18 MiB.
     *
     * @param preallocate whether to create all buffers now
     * @param allocateDirect whether to use memory outside the heap; slower with the JDK's engine
     */
    public SslBufferPool(boolean preallocate, boolean allocateDirect) {
        this(DEFAULT_POOL_BYTES, preallocate, allocateDirect);
    }

    /** @param maxPoolSize in bytes, 1 or more; rounded up to whole buffers */
    public SslBufferPool(int maxPoolSize) {
        this(maxPoolSize, false, false);
    }

    /**
     * @param maxPoolSize in bytes, 1 or more; rounded up to whole buffers
     * @param preallocate whether to create all buffers now
     * @param allocateDirect whether to use memory outside the heap; slower with the JDK's engine
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

    /** The size of the pool in bytes. */
    public int getMaxPoolSize() {
        return maxBuffers * BUFFER_BYTES;
    }

    /** The bytes of all buffers ready to be acquired. */
    public int getUnacquiredPoolSize() {
        return unacquired.get() * BUFFER_BYTES;
    }

    /**
     * Returns an empty buffer, which belongs to the caller until it is passed to {@link #releaseBuffer}. Never null, never
     * waits.
     */
    public ByteBuffer acquireBuffer() {
        ByteBuffer buffer = buffers.pollFirst();
        if (buffer == null) {
            return allocate();
        }
        unacquired.decrementAndGet();
        return buffer.clear();
    }

    /** Returns a buffer to the pool. The caller must not use it any more. Buffers of another kind are ignored. */
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
