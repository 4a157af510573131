package org.freshet.channel.socket.nio.send;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.freshet.internal.lending.LentChannelBuffer;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.internal.write.OutgoingMessage;

/**
 * Writes queued messages to a stream socket in few system calls. Belongs to one loop and runs on it.
 *
 * <p>Small messages are copied together into a direct staging buffer and leave in one write; so does a large heap buffer,
 * a piece at a time. A large direct buffer, a large lent one and a file region go out by themselves, uncopied. A write that the kernel took
 * only in part is not tried again: it would take nothing.
 */
public final class StreamSender {
    /** Large enough that copying costs more than a system call is worth; also what is at most copied in vain. */
    public static final int STAGING_BYTES = 64 * 1024;

    /**
     * What leaves at a time of a message that is longer than the staging buffer: TCP's segments over loopback are a little shorter than
     * 64 KiB, so a batch of 64 KiB leaves a short segment behind each time.
     */
    static final int SEGMENT_BYTES = 63 * 1024;

    /** From here on a direct buffer is cheaper written by itself than copied. */
    private static final int LARGE_DIRECT_BYTES = 16 * 1024;

    /** From here on a system call for lent bytes alone costs less than a copy of them to join others. */
    private static final int LARGE_LENT_BYTES = 4 * 1024;

    private final ByteBuffer staging = ByteBuffer.allocateDirect(STAGING_BYTES);
    private final LoopCounters counters;

    /**
     * @param counters of the loop
     */
    public StreamSender(LoopCounters counters) {
        this.counters = counters;
    }

    /**
     * Sends until the queue is empty or at the end of the output, the kernel takes no more, or {@code maxSends} calls are used
     * up. Messages complete in order as they leave; their listeners may queue more.
     *
     * @param coalesce whether several messages may share a system call
     * @throws IOException if the socket is broken or the message at the queue's head cannot be read
     */
    public SendResult send(SocketChannel socket, WriteQueue queue, int maxSends, boolean coalesce, FlushTotal total)
            throws IOException {
        completeEmpty(queue);
        for (int i = 0; i < maxSends && mayGoOn(queue); i++) {
            if (!sendOnce(socket, queue, coalesce, total)) {
                return SendResult.BLOCKED;
            }
            completeEmpty(queue);
            queue.takeRequests();
        }
        return queue.peek() == null ? SendResult.DRAINED : SendResult.SHARE_USED;
    }

    private static boolean mayGoOn(WriteQueue queue) {
        OutgoingMessage next = queue.peek();
        return next != null && !next.isOutputEnd();
    }

    /** Returns whether everything that was offered has left. */
    private boolean sendOnce(SocketChannel socket, WriteQueue queue, boolean coalesce, FlushTotal total)
            throws IOException {
        OutgoingMessage first = queue.peek();
        long offered;
        long sent;
        if (!first.isBuffer()) {
            offered = first.remaining();
            sent = transfer(first, socket);
        } else if (isLargeDirect(first)) {
            offered = first.remaining();
            sent = socket.write(first.buffer().toByteBuffer(first.position(), (int) offered));
        } else if (isLargeLent(first)) {
            offered = first.remaining();
            sent = socket.write(((LentChannelBuffer) first.buffer()).window(first.position(), (int) offered));
        } else {
            stage(queue, coalesce);
            offered = staging.remaining();
            sent = socket.write(staging);
        }
        counters.onWrite(sent);
        total.add(sent);
        completeSent(queue, sent);
        return sent == offered;
    }

    /**
     * A user's region may report nonsense, which would be taken off the messages behind it. An interrupt that a handler of any
     * channel has left on this thread would close the file.
     */
    private static long transfer(OutgoingMessage message, SocketChannel socket) throws IOException {
        Thread.interrupted();
        long sent = message.region().transferTo(socket, message.sent());
        if (sent < 0 || sent > message.remaining()) {
            throw new IOException(
                    "transferTo() of " + message.region().getClass().getName() + " reported " + sent + " bytes, of "
                            + message.remaining() + " that remained");
        }
        return sent;
    }

    /** Of a buffer. */
    private static boolean isLargeDirect(OutgoingMessage message) {
        return message.remaining() >= LARGE_DIRECT_BYTES && message.buffer().isDirect();
    }

    /** Of a buffer. Lent bytes leave from where they were read to. */
    private static boolean isLargeLent(OutgoingMessage message) {
        return message.remaining() >= LARGE_LENT_BYTES
                && message.buffer() instanceof LentChannelBuffer lent
                && lent.isInMemory();
    }

    /** Fills the staging buffer from the queue's head; with a segment of a message that is longer than the buffer. */
    private void stage(WriteQueue queue, boolean coalesce) {
        OutgoingMessage message = queue.peek();
        staging.clear().limit(message.remaining() > STAGING_BYTES ? SEGMENT_BYTES : STAGING_BYTES);
        do {
            stagePiece(message);
            message = queue.following(message);
        } while (coalesce
                && message != null
                && message.isBuffer()
                && staging.hasRemaining()
                && !isLargeDirect(message)
                && !isLargeLent(message));
        staging.flip();
    }

    private void stagePiece(OutgoingMessage message) {
        int bytes = (int) Math.min(message.remaining(), staging.remaining());
        int limit = staging.limit();
        staging.limit(staging.position() + bytes);
        message.buffer().getBytes(message.position(), staging);
        staging.limit(limit);
    }

    private static void completeSent(WriteQueue queue, long sent) {
        long left = sent;
        while (left > 0) {
            OutgoingMessage message = queue.peek();
            long share = Math.min(left, message.remaining());
            message.addSent(share);
            left -= share;
            if (message.remaining() == 0) {
                queue.remove().complete(null);
            } else {
                message.reportProgress(share);
            }
        }
    }

    /** Messages without bytes have their place in the order but need no system call. */
    private static void completeEmpty(WriteQueue queue) {
        while (mayGoOn(queue) && queue.peek().remaining() == 0) {
            queue.remove().complete(null);
        }
    }
}
