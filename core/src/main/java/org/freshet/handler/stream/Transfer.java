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
 * One input that is being written.
 *
 * <pre>
 *   reading ---- end of input ----&gt; ending ---- last chunk sent ----&gt; done, success
 *      |                               |
 *      +----- a chunk, the input or the channel fails -------------&gt; done, failure
 * </pre>
 *
 * <p>While it is reading, the input belongs to the thread that drains the handler's queue, and only that thread may end it:
 * the failure of a chunk is recorded here for that thread. Done means that the input was closed, once, and that the future
 * was completed after that.
 */
final class Transfer {
    private static final long UNKNOWN = -1;

    final ChunkedInput input;
    final HeldWrite write;

    private final Holding held;

    /** Has the queue drained again. */
    private final Runnable wakeUp;

    /** The chunks that are not yet sent, and one more while the input is read. */
    private final AtomicInteger outstanding = new AtomicInteger(1);

    private final AtomicLong sentBytes = new AtomicLong();
    private final AtomicBoolean done = new AtomicBoolean();

    private volatile boolean ending;

    /** Why a chunk was not sent; null if all is well. */
    private volatile Throwable chunkFailure;

    Transfer(HeldWrite write, Holding held, Runnable wakeUp) {
        this.input = (ChunkedInput) write.getMessage();
        this.write = write;
        this.held = held;
        this.wakeUp = wakeUp;
    }

    /** Call before a chunk is written, and add the result to the chunk's future. */
    ChannelFutureListener expectChunk(Object chunk) {
        outstanding.incrementAndGet();
        long bytes = input instanceof MeasuredInput measured ? measured.bytesOf(chunk) : bytesOf(chunk);
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
        return input instanceof MeasuredInput measured ? measured.totalBytes() : UNKNOWN;
    }

    /** Of {@code ending} and {@code chunkFailure}, the thread that sets the second one sees the first. */
    private void onChunkFailed(Throwable cause) {
        chunkFailure = cause;
        if (ending) {
            fail(cause);
        } else {
            wakeUp.run();
        }
    }

    /** Called by the thread that drains the queue, which does not touch the input any more. */
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

    /** Returns false if it was closed before. */
    private boolean close() {
        if (!done.compareAndSet(false, true)) {
            return false;
        }
        held.release(write);
        UnsentMessage.release(input);
        return true;
    }
}
