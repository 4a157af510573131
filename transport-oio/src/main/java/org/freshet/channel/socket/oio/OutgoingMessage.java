package org.freshet.channel.socket.oio;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * One message on its way out, or a place in the queue at which something else than a message happens.
 *
 * <p>Made by the thread that writes; its place and state belong to {@link WriteQueue}. What is sent is fixed when it is made:
 * the user's buffer keeps its indices, and moving them later changes nothing.
 */
final class OutgoingMessage {
    /** Where the thread that brought a message stands. */
    enum State {
        /** Behind others. */
        QUEUED,
        /** First of those who wait: it is that thread's turn to write. */
        CHOSEN,
        /** Sent or failed. */
        DONE
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(OutgoingMessage.class);

    /** A {@link ChannelBuffer} or a {@link FileRegion}, or null for a mere place. */
    private final Object message;

    private final ChannelFuture future;

    /** Index of the first byte in a buffer; 0 for a file region. */
    private final int start;

    /** Bytes. */
    private final long length;

    /** Whether the channel is to be closed here. */
    final boolean isClose;

    /** The thread that waits for this message, or null if nobody does. Set before the message is queued. */
    Thread waiter;

    volatile State state = State.QUEUED;

    /** See {@link WriteQueue}. */
    OutgoingMessage next;

    private OutgoingMessage(Object message, ChannelFuture future, int start, long length, boolean isClose) {
        this.message = message;
        this.future = future;
        this.start = start;
        this.length = length;
        this.isClose = isClose;
    }

    /**
     * @throws IllegalArgumentException if the message is neither a buffer nor a file region
     */
    static OutgoingMessage of(MessageEvent event) {
        Object message = event.getMessage();
        if (message instanceof ChannelBuffer buffer) {
            return new OutgoingMessage(buffer, event.getFuture(), buffer.readerIndex(), buffer.readableBytes(), false);
        }
        if (message instanceof FileRegion region) {
            return new OutgoingMessage(region, event.getFuture(), 0, region.getCount(), false);
        }
        throw new IllegalArgumentException(
                "message is neither a ChannelBuffer nor a FileRegion, an encoder is missing: "
                        + (message == null ? "null" : message.getClass().getName()));
    }

    /** The place behind everything that was written before; whoever gets there knows that it has left. */
    static OutgoingMessage place() {
        return new OutgoingMessage(null, null, 0, 0, false);
    }

    /** The place at which the channel is closed. */
    static OutgoingMessage close() {
        return new OutgoingMessage(null, null, 0, 0, true);
    }

    /** Whether it makes no difference if the channel is able to send. */
    boolean isPlace() {
        return message == null;
    }

    long length() {
        return length;
    }

    /** Blocks until everything has been handed to the system. */
    void sendTo(OutputStream out) throws IOException {
        if (message instanceof ChannelBuffer buffer) {
            if (length > 0) {
                buffer.getBytes(start, out, (int) length);
            }
        } else {
            transfer((FileRegion) message, new StreamTarget(out));
        }
    }

    private void transfer(FileRegion region, StreamTarget target) throws IOException {
        long sent = 0;
        while (sent < length) {
            long piece = region.transferTo(target, sent);
            if (piece <= 0) {
                // A blocking target takes what it is given, so that it is the region that has no more.
                throw new EOFException("the region ended early: expected " + length + " bytes, actual " + sent);
            }
            sent += piece;
            future.setProgress(piece, sent, length);
        }
    }

    /** Lets go of what the message holds and completes its future: with success when {@code cause} is null. */
    void complete(Throwable cause) {
        release();
        if (cause == null) {
            future.setSuccess();
        } else {
            future.setFailure(cause);
        }
    }

    /** A user's region may throw; the future must complete all the same, and the messages behind it be sent. */
    private void release() {
        if (message instanceof DefaultFileRegion region && region.releaseAfterTransfer()) {
            try {
                region.releaseExternalResources();
            } catch (Throwable t) {
                logger.warn("failed to release a file region", t);
            }
        }
    }
}
