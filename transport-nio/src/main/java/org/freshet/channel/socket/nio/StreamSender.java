package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.freshet.channel.socket.nio.WritingChannel.FlushTotal;
import org.freshet.channel.socket.nio.WritingChannel.SendResult;

/**
 * Writes queued messages to a stream socket in few system calls. Belongs to one loop and runs on it.
 *
 * <p>Small messages are copied together into a direct staging buffer and leave in one write; so does a large heap buffer,
 * a piece at a time. A large direct buffer and a file region go out by themselves, uncopied. A write that the kernel took
 * only in part is not tried again: it would take nothing.
 */
final class StreamSender {
    /** Large enough that copying costs more than a system call is worth; also what is at most copied in vain. */
    static final int STAGING_BYTES = 64 * 1024;

    /** From here on a direct buffer is cheaper written by itself than copied. */
    private static final int LARGE_DIRECT_BYTES = 16 * 1024;

    private final ByteBuffer staging = ByteBuffer.allocateDirect(STAGING_BYTES);

    /**
     * Sends until the queue is empty, the kernel takes no more, or {@code maxSends} calls are used up. Requests complete in
     * order as they leave; their listeners may queue more.
     *
     * @param coalesce whether several messages may share a system call
     * @throws IOException if the socket is broken or the message at the queue's head cannot be read
     */
    SendResult send(SocketChannel socket, WriteQueue queue, int maxSends, boolean coalesce, FlushTotal total)
            throws IOException {
        completeEmpty(queue);
        for (int i = 0; i < maxSends && queue.peek() != null; i++) {
            if (!sendOnce(socket, queue, coalesce, total)) {
                return SendResult.BLOCKED;
            }
            completeEmpty(queue);
            queue.takeInbox();
        }
        return queue.peek() == null ? SendResult.DRAINED : SendResult.SHARE_USED;
    }

    /** Returns whether everything that was offered has left. */
    private boolean sendOnce(SocketChannel socket, WriteQueue queue, boolean coalesce, FlushTotal total)
            throws IOException {
        WriteRequest first = queue.peek();
        long offered;
        long sent;
        if (!first.isBuffer()) {
            offered = first.remaining();
            sent = transfer(first, socket);
        } else if (isLargeDirect(first)) {
            offered = first.remaining();
            sent = socket.write(first.buffer().toByteBuffer(first.start + (int) first.sent, (int) offered));
        } else {
            stage(first, coalesce);
            offered = staging.remaining();
            sent = socket.write(staging);
        }
        total.bytes += sent;
        completeSent(queue, sent);
        return sent == offered;
    }

    /**
     * A user's region may report nonsense, which would be taken off the messages behind it. An interrupt that a handler of any
     * channel has left on this thread would close the file.
     */
    private static long transfer(WriteRequest request, SocketChannel socket) throws IOException {
        Thread.interrupted();
        long sent = request.region().transferTo(socket, request.sent);
        if (sent < 0 || sent > request.remaining()) {
            throw new IOException(
                    "transferTo() of " + request.region().getClass().getName() + " reported " + sent + " bytes, of "
                            + request.remaining() + " that remained");
        }
        return sent;
    }

    private static boolean isLargeDirect(WriteRequest request) {
        return request.isBuffer()
                && request.remaining() >= LARGE_DIRECT_BYTES
                && request.buffer().isDirect();
    }

    /** Fills the staging buffer from the queue's head. */
    private void stage(WriteRequest first, boolean coalesce) {
        staging.clear();
        WriteRequest request = first;
        do {
            stagePiece(request);
            request = request.next;
        } while (coalesce
                && request != null
                && request.isBuffer()
                && staging.hasRemaining()
                && !isLargeDirect(request));
        staging.flip();
    }

    private void stagePiece(WriteRequest request) {
        int bytes = (int) Math.min(request.remaining(), staging.remaining());
        int limit = staging.limit();
        staging.limit(staging.position() + bytes);
        request.buffer().getBytes(request.start + (int) request.sent, staging);
        staging.limit(limit);
    }

    private static void completeSent(WriteQueue queue, long sent) {
        long left = sent;
        while (left > 0) {
            WriteRequest request = queue.peek();
            long share = Math.min(left, request.remaining());
            request.sent += share;
            left -= share;
            if (request.remaining() == 0) {
                queue.remove().complete(null);
            } else {
                reportProgress(request, share);
            }
        }
    }

    private static void reportProgress(WriteRequest request, long share) {
        if (!request.isBuffer()) {
            request.future.setProgress(share, request.sent, request.length);
        }
    }

    /** Messages without bytes have their place in the order but need no system call. */
    private static void completeEmpty(WriteQueue queue) {
        while (queue.peek() != null && queue.peek().remaining() == 0) {
            queue.remove().complete(null);
        }
    }
}
