package org.freshet.microbench.compare.load;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;

/**
 * One client connection of the load: the messages sent, the bytes received, and when each message in flight was sent.
 *
 * <p>Only the generator's thread uses it.
 */
final class EchoConnection {
    final int index;
    final Wire wire;

    private final Exchange exchange;
    private final long requestStart;
    private final long answerStart;
    private final long[] sentAtNanos;

    private SelectionKey key;
    private long queuedMessages;
    private long writtenBytes;
    private long receivedBytes;

    /** Creates a connection whose first message is number {@code firstMessage} of the exchange's stream. */
    EchoConnection(int index, Wire wire, Exchange exchange, long firstMessage, int depth) {
        this.index = index;
        this.wire = wire;
        this.exchange = exchange;
        this.requestStart = firstMessage * exchange.requestBytes();
        this.answerStart = firstMessage * exchange.answerBytes();
        this.sentAtNanos = new long[depth];
    }

    void attachTo(SelectionKey registeredKey) {
        key = registeredKey;
    }

    long messagesBack() {
        return receivedBytes / exchange.answerBytes();
    }

    /** Queues {@code messages} more; they count as sent now, even while the socket is full. */
    void queue(int messages, long nowNanos) {
        for (int i = 0; i < messages; i++) {
            sentAtNanos[slot(queuedMessages++)] = nowNanos;
        }
    }

    /** Sends queued messages as far as the socket takes them, and requests OP_WRITE only if some are left. */
    void flush() throws IOException {
        long end = queuedMessages * exchange.requestBytes();
        boolean full = !wire.flush();
        while (writtenBytes < end && !full) {
            ByteBuffer bytes = exchange.request().view(requestStart + writtenBytes, end - writtenBytes);
            writtenBytes += wire.write(bytes);
            full = bytes.hasRemaining() || !wire.flush();
        }
        int interest = full ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }

    /** Reads once, checks every byte, and returns how many messages are now complete. */
    int receive(ByteBuffer space, Stopwatch watch) throws IOException {
        int count = wire.read(space.clear());
        if (count < 0) {
            throw new EOFException("connection " + index + ": the server closed it after " + receivedBytes + " bytes");
        }
        verify(space.flip());
        long before = messagesBack();
        receivedBytes += count;
        int whole = (int) (messagesBack() - before);
        if (whole > 0) {
            recordLatencies(before, whole, watch);
        }
        return whole;
    }

    private void verify(ByteBuffer bytes) throws IOException {
        if (receivedBytes + bytes.remaining() > exchange.answerableBytes(writtenBytes)) {
            throw new IOException(
                    "connection " + index + ": the server sent more than the answer to " + writtenBytes + " bytes");
        }
        int at = exchange.answer().mismatch(bytes, answerStart + receivedBytes);
        if (at >= 0) {
            throw new IOException(
                    "connection " + index + ": byte " + (receivedBytes + at) + " differs from the expected one");
        }
    }

    private void recordLatencies(long firstMessage, int count, Stopwatch watch) {
        long now = System.nanoTime();
        for (long message = firstMessage; message < firstMessage + count; message++) {
            watch.record(now - sentAtNanos[slot(message)]);
        }
    }

    private int slot(long message) {
        return (int) (message % sentAtNanos.length);
    }
}
