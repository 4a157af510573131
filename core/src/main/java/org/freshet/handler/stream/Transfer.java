package org.freshet.handler.stream;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * One input on its way out.
 *
 * <pre>
 *   reading ---- end of input ----&gt; ending ---- last chunk sent ----&gt; over, success
 *      |                               |
 *      +----- a chunk, the input or the channel fails -------------&gt; over, failure
 * </pre>
 *
 * <p>While it is reading, the input belongs to the thread that moves the handler's queue, which alone may then end it: the
 * failure of a chunk is left here for that thread to find. Over means that the input was closed, once, and after that the
 * future completed.
 */
final class Transfer {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(ChunkedWriteHandler.class);

    private static final long UNKNOWN = -1;

    final ChunkedInput input;
    final MessageEvent write;

    /** Has the queue's mover look again. */
    private final Runnable wakeUp;

    /** The chunks that are not yet sent, and one more while the input is read. */
    private final AtomicInteger outstanding = new AtomicInteger(1);

    private final AtomicLong sentBytes = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();

    private volatile boolean ending;

    /** Why a chunk was not sent; null if all is well. */
    private volatile Throwable chunkFailure;

    Transfer(MessageEvent write, Runnable wakeUp) {
        this.input = (ChunkedInput) write.getMessage();
        this.write = write;
        this.wakeUp = wakeUp;
    }

    /** To be called before a chunk is written, for its future to tell. */
    ChannelFutureListener expectChunk(Object chunk) {
        outstanding.incrementAndGet();
        long bytes = sizeOf(chunk);
        return sent -> {
            if (sent.isSuccess()) {
                onChunkSent(bytes);
            } else {
                onChunkFailed(sent.getCause());
            }
        };
    }

    private static long sizeOf(Object chunk) {
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
        if (input instanceof ChunkedFile file) {
            return file.getEndOffset() - file.getStartOffset();
        }
        return input instanceof ChunkedNioFile file ? file.getEndOffset() - file.getStartOffset() : UNKNOWN;
    }

    /** One of {@code ending} and {@code chunkFailure} is set last, and whoever sets it sees the other. */
    private void onChunkFailed(Throwable cause) {
        chunkFailure = cause;
        if (ending) {
            fail(cause);
        } else {
            wakeUp.run();
        }
    }

    /** By the queue's mover, which will not touch the input any more. */
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
            write.getFuture().setSuccess();
        }
    }

    Throwable chunkFailure() {
        return chunkFailure;
    }

    /** By the queue's mover, or by anybody once the input has ended. */
    void fail(Throwable cause) {
        if (close()) {
            write.getFuture().setFailure(cause);
        }
    }

    /** Returns false if that was done before. */
    private boolean close() {
        if (!over.compareAndSet(false, true)) {
            return false;
        }
        try {
            input.close();
        } catch (Throwable e) { // the future, and the inputs behind, must not suffer
            logger.warn("A chunked input could not be closed: " + input, e);
        }
        return true;
    }
}
