package org.freshet.microbench.compare.load;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;

/**
 * One client connection of the load: what it sent, what came back, and when each message in flight was sent.
 *
 * <p>Only the generator's thread touches it.
 */
final class EchoConnection {
    final int index;
    final Wire wire;

    private final long patternStart;
    private final int messageBytes;
    private final long[] sentAtNanos;

    private SelectionKey key;
    private long queuedMessages;
    private long writtenBytes;
    private long receivedBytes;

    EchoConnection(int index, Wire wire, long patternStart, int messageBytes, int depth) {
        this.index = index;
        this.wire = wire;
        this.patternStart = patternStart;
        this.messageBytes = messageBytes;
        this.sentAtNanos = new long[depth];
    }

    void attachTo(SelectionKey registeredKey) {
        key = registeredKey;
    }

    long messagesBack() {
        return receivedBytes / messageBytes;
    }

    /** Takes {@code messages} more to be sent; they count as sent now, also while the socket is full. */
    void queue(int messages, long nowNanos) {
        for (int i = 0; i < messages; i++) {
            sentAtNanos[slot(queuedMessages++)] = nowNanos;
        }
    }

    /** Sends what is queued as far as the socket takes it, and asks for OP_WRITE only if it did not take all. */
    void flush(Pattern pattern) throws IOException {
        long end = queuedMessages * messageBytes;
        boolean full = !wire.flush();
        while (writtenBytes < end && !full) {
            ByteBuffer bytes = pattern.view(patternStart + writtenBytes, end - writtenBytes);
            writtenBytes += wire.write(bytes);
            full = bytes.hasRemaining() || !wire.flush();
        }
        int interest = full ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }

    /** Reads once, checks every byte, and returns how many messages are now whole. */
    int receive(ByteBuffer space, Pattern pattern, Stopwatch watch) throws IOException {
        int count = wire.read(space.clear());
        if (count < 0) {
            throw new EOFException("connection " + index + ": the server closed it after " + receivedBytes + " bytes");
        }
        verify(space.flip(), pattern);
        long before = messagesBack();
        receivedBytes += count;
        int whole = (int) (messagesBack() - before);
        if (whole > 0) {
            recordLatencies(before, whole, watch);
        }
        return whole;
    }

    private void verify(ByteBuffer bytes, Pattern pattern) throws IOException {
        if (receivedBytes + bytes.remaining() > writtenBytes) {
            throw new IOException("connection " + index + ": the server sent more than the " + writtenBytes
                    + " bytes that it was sent");
        }
        int at = pattern.mismatch(bytes, patternStart + receivedBytes);
        if (at >= 0) {
            throw new IOException(
                    "connection " + index + ": byte " + (receivedBytes + at) + " differs from what was sent");
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
