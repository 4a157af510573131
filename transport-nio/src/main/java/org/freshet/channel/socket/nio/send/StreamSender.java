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
 * <p>Small messages are copied together into a direct staging buffer and sent in one write; a large heap buffer is sent
 * the same way, piece by piece. A large direct buffer, a large lent one and a file region are each sent separately,
 * without a copy. If the kernel accepted only part of a write, it is not tried again: the kernel would accept nothing.
 */
public final class StreamSender {
    /**
     * Large enough that copying costs more than another system call. This is also the most that is ever copied for
     * nothing.
     */
    public static final int STAGING_BYTES = 64 * 1024;

    /**
     * The size of the pieces of a message that is longer than the staging buffer, and of batches of messages. TCP
     * segments over loopback are a little shorter than 64 KiB, so a batch of 64 KiB would leave a short segment each
     * time.
     */
    public static final int SEGMENT_BYTES = 63 * 1024;

    /** From this size, writing a direct buffer separately is cheaper than copying it. */
    private static final int LARGE_DIRECT_BYTES = 16 * 1024;

    /** From this size, a separate system call for lent bytes costs less than copying them to join others. */
    private static final int LARGE_LENT_BYTES = 4 * 1024;

    private final ByteBuffer staging = ByteBuffer.allocateDirect(STAGING_BYTES);
    private final LoopCounters counters;

    /** @param counters the loop's counters */
    public StreamSender(LoopCounters counters) {
        this.counters = counters;
    }

    /**
     * Sends until the queue is empty or at the end of the output, the kernel accepts no more, or {@code maxSends} calls
     * have been made. Messages complete in the order they are sent; their listeners may queue more.
     *
     * @param coalesce whether several messages may share a system call
     * @throws IOException if the socket is broken or the message at the queue's head cannot be read
     */
    public SendResult send(SocketChannel socket, WriteQueue queue, int maxSends, boolean coalesce, FlushTotal total)
            throws IOException {
        completeEmpty(queue);
        for (int i = 0; i < maxSends && hasNextToSend(queue); i++) {
            if (!sendOnce(socket, queue, coalesce, total)) {
                return SendResult.BLOCKED;
            }
            completeEmpty(queue);
            queue.takeRequests();
        }
        return queue.peek() == null ? SendResult.DRAINED : SendResult.SHARE_USED;
    }

    private static boolean hasNextToSend(WriteQueue queue) {
        OutgoingMessage next = queue.peek();
        return next != null && !next.isOutputEnd();
    }

    /** Returns whether everything offered was sent. */
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
     * A user's region may report a wrong count, which would be deducted from later messages. An interrupt left on this
     * thread by a handler of any channel would close the file.
     */
    private static long transfer(OutgoingMessage message, SocketChannel socket) throws IOException {
        Thread.interrupted();
        long sent = message.region().transferTo(socket, message.sent());
        if (sent < 0 || sent > message.remaining()) {
            throw new IOException(
                    "transferTo() of " + message.region().getClass().getName() + " reported " + sent
                            + " bytes, but only " + message.remaining() + " remained");
        }
        return sent;
    }

    /** Call for a buffer only. */
    private static boolean isLargeDirect(OutgoingMessage message) {
        return message.remaining() >= LARGE_DIRECT_BYTES && message.buffer().isDirect();
    }

    /** Call for a buffer only. Lent bytes are sent from where they were read to. */
    private static boolean isLargeLent(OutgoingMessage message) {
        return message.remaining() >= LARGE_LENT_BYTES
                && message.buffer() instanceof LentChannelBuffer lent
                && lent.isInMemory();
    }

    /**
     * Fills the staging buffer from the queue's head. If the first message is longer than the buffer, takes one segment
     * of it.
     */
    private void stage(WriteQueue queue, boolean coalesce) {
        OutgoingMessage message = queue.peek();
        boolean justFits = message.remaining() > SEGMENT_BYTES && message.remaining() <= STAGING_BYTES;
        staging.clear().limit(justFits ? STAGING_BYTES : SEGMENT_BYTES);
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

    /** Messages without bytes have a place in the order but need no system call. */
    private static void completeEmpty(WriteQueue queue) {
        while (hasNextToSend(queue) && queue.peek().remaining() == 0) {
            queue.remove().complete(null);
        }
    }
}
