package org.freshet.testkit.matrix;

import java.util.BitSet;
import java.util.function.Consumer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * The data received on one connection: extracts messages, and reports any that are damaged, duplicated or out of order.
 * Any thread.
 */
final class Inbox {
    private final int messageBytes;
    private final Consumer<String> complaints;
    private final ChannelBuffer kept = ChannelBuffers.dynamicBuffer();
    private final int[] last = {-1, -1, -1, -1};
    private final BitSet[] arrived = new BitSet[Ledger.THREADS];
    private int count;
    private boolean isDamaged;

    Inbox(int messageBytes, Consumer<String> complaints) {
        this.messageBytes = messageBytes;
        this.complaints = complaints;
        for (int i = 0; i < arrived.length; i++) {
            arrived[i] = new BitSet();
        }
    }

    synchronized void receive(ChannelBuffer content) {
        kept.writeBytes(content, content.readerIndex(), content.readableBytes());
        while (!isDamaged && kept.readableBytes() >= messageBytes) {
            take(kept.readBytes(messageBytes));
        }
        kept.discardReadBytes();
    }

    private void take(ChannelBuffer message) {
        int thread = message.getByte(message.readerIndex());
        int number = message.getInt(message.readerIndex() + 1);
        boolean isThread = thread >= 0 && thread < Ledger.THREADS;
        if (!isThread || number < 0 || !message.equals(Ledger.content(thread, number, messageBytes))) {
            complain("a message arrives damaged after " + count + " others");
        } else if (number <= last[thread]) {
            complain("message " + number + " of thread " + thread + " arrives after number " + last[thread]);
        } else {
            last[thread] = number;
            arrived[thread].set(number);
            count++;
        }
    }

    private void complain(String what) {
        isDamaged = true;
        complaints.accept(what);
    }

    /** Whether all messages of a write have arrived. */
    synchronized boolean has(Ledger.Entry entry) {
        return arrived[entry.thread].nextClearBit(entry.number) >= entry.number + entry.messages;
    }

    /** Whether a later message of the same thread has arrived. */
    synchronized boolean hasLaterThan(Ledger.Entry entry) {
        return last[entry.thread] >= entry.number + entry.messages;
    }

    synchronized int count() {
        return count;
    }
}
