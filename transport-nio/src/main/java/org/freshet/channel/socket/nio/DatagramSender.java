package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NotYetConnectedException;
import org.freshet.channel.socket.nio.send.FlushTotal;
import org.freshet.channel.socket.nio.send.SendResult;
import org.freshet.channel.socket.nio.send.WriteQueue;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.internal.write.OutgoingMessage;

/**
 * Sends queued messages as datagrams, in order, with one system call each. Belongs to one loop and runs on it.
 *
 * <p>A datagram that cannot be sent fails its own future; later ones are still sent.
 */
final class DatagramSender {
    /** A datagram of any family fits into this; the system refuses larger ones. */
    private static final int STAGING_BYTES = 64 * 1024;

    private final ByteBuffer staging = ByteBuffer.allocateDirect(STAGING_BYTES);
    private final LoopCounters counters;

    /** @param counters the loop's counters */
    DatagramSender(LoopCounters counters) {
        this.counters = counters;
    }

    /** Sends until the queue is empty, the kernel accepts no more, or {@code maxSends} calls have been made. */
    SendResult send(NioDatagramChannel channel, WriteQueue queue, int maxSends, FlushTotal total) {
        for (int i = 0; i < maxSends && queue.peek() != null; i++) {
            if (!sendOldest(channel, queue, total)) {
                return SendResult.BLOCKED;
            }
            queue.takeRequests();
        }
        return queue.peek() == null ? SendResult.DRAINED : SendResult.SHARE_USED;
    }

    /** Returns false when the kernel has no space for the oldest message, which then stays in the queue. */
    private boolean sendOldest(NioDatagramChannel channel, WriteQueue queue, FlushTotal total) {
        OutgoingMessage message = queue.peek();
        try {
            long sent = send(channel.socket(), message);
            if (sent < message.length()) {
                return false;
            }
            counters.onWrite(sent);
            total.add(sent);
        } catch (Throwable t) { // including an Error from a user's buffer
            queue.remove().complete(t);
            channel.onNotSent(t);
            return true;
        }
        queue.remove().complete(null);
        return true;
    }

    /** Sends the whole datagram or nothing. If it is empty, you cannot tell whether there was space for it. */
    private int send(DatagramChannel socket, OutgoingMessage message) throws IOException {
        refuseFileRegion(message);
        SocketAddress receiver = message.remoteAddress();
        if (receiver == null) {
            refuseUnconnected(socket);
            return socket.write(bytesOf(message));
        }
        refuseUnresolved(receiver);
        return socket.send(bytesOf(message), receiver);
    }

    private ByteBuffer bytesOf(OutgoingMessage message) {
        int length = (int) message.length();
        if (message.buffer().isDirect() || length > STAGING_BYTES) {
            return message.buffer().toByteBuffer(message.position(), length);
        }
        staging.clear().limit(length);
        message.buffer().getBytes(message.position(), staging);
        return staging.flip();
    }

    private static void refuseFileRegion(OutgoingMessage message) {
        if (!message.isBuffer()) {
            throw new IllegalArgumentException("a datagram channel sends only ChannelBuffers, not a "
                    + message.region().getClass().getName());
        }
    }

    private static void refuseUnconnected(DatagramChannel socket) {
        if (!socket.isConnected()) {
            throw new NotYetConnectedException();
        }
    }

    static void refuseUnresolved(SocketAddress address) throws UnknownHostException {
        if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new UnknownHostException("unresolved address: " + inet.getHostString() + ":" + inet.getPort());
        }
    }
}
