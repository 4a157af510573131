package org.freshet.handler.stream;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.FileRegion;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.Holding;
import org.freshet.internal.handler.UnsentMessage;

/**
 * One input being written.
 *
 * <pre>
 *   reading ---- end of input ----&gt; ending ---- last chunk sent ----&gt; done, success
 *      |                               |
 *      +----- a chunk, the input or the channel fails -------------&gt; done, failure
 * </pre>
 *
 * <p>While it is reading, the input belongs to the thread that drains the handler's queue, and only that thread may end
 * it. So a failed chunk is recorded here for that thread. Done means that the input was closed, once, and its future
 * completed afterwards.
 */
final class Transfer {
    private static final long UNKNOWN = -1;

    final ChunkedInput input;
    final HeldWrite write;

    private final Holding held;

    /** Makes the queue drain again. */
    private final Runnable wakeUp;

    /** The number of unsent chunks, plus one while the input is being read. */
    private final AtomicInteger outstanding = new AtomicInteger(1);

    private final AtomicLong sentBytes = new AtomicLong();
    private final AtomicBoolean done = new AtomicBoolean();

    private volatile boolean ending;

    /** The failure of a chunk, or null. */
    private volatile Throwable chunkFailure;

    Transfer(HeldWrite write, Holding held, Runnable wakeUp) {
        this.input = (ChunkedInput) write.getMessage();
        this.write = write;
        this.held = held;
        this.wakeUp = wakeUp;
    }

    /** Call this before writing a chunk, and add the result to the chunk's future. */
    ChannelFutureListener expectChunk(Object chunk) {
        outstanding.incrementAndGet();
        long bytes = input instanceof SizedChunkedInput measured ? measured.bytesOf(chunk) : bytesOf(chunk);
        return sent -> {
            if (sent.isSuccess()) {
                onChunkSent(bytes);
            } else {
                onChunkFailed(sent.getCause());
            }
        };
    }

    static long bytesOf(Object chunk) {
        if (chunk instanceof ChannelBuffer buffer) {
            return buffer.readableBytes();
        }
        return chunk instanceof FileRegion region ? region.getCount() : 0;
    }

    private void onChunkSent(long bytes) {
        write.getFuture().setProgress(bytes, sentBytes.addAndGet(bytes), totalBytes());
        onPartDone();
    }

    private long totalBytes() {
        return input instanceof SizedChunkedInput measured ? measured.totalBytes() : UNKNOWN;
    }

    /** Whichever thread sets the second of {@code ending} and {@code chunkFailure} sees the first. */
    private void onChunkFailed(Throwable cause) {
        chunkFailure = cause;
        if (ending) {
            fail(cause);
        } else {
            wakeUp.run();
        }
    }

    /** Called by the thread that drains the queue. It does not touch the input afterwards. */
    void onEndOfInput() {
        ending = true;
        if (chunkFailure != null) {
            fail(chunkFailure);
        } else {
            onPartDone();
        }
    }

    private void onPartDone() {
        if (outstanding.decrementAndGet() == 0 && close()) {
            Holding.complete(write, null);
        }
    }

    Throwable chunkFailure() {
        return chunkFailure;
    }

    /** Called by the thread that drains the queue, or by any thread once the input has ended. */
    void fail(Throwable cause) {
        if (close()) {
            Holding.complete(write, cause);
        }
    }

    /** Returns false if it was already closed. */
    private boolean close() {
        if (!done.compareAndSet(false, true)) {
            return false;
        }
        held.release(write);
        UnsentMessage.release(input);
        return true;
    }
}
