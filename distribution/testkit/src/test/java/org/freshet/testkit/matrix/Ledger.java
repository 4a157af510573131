package org.freshet.testkit.matrix;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;

/**
 * All writes of one connection, and their outcomes. Each message contains the thread that wrote it and its number
 * within that thread, so no other order is needed. Any thread; guarded by its monitor.
 */
final class Ledger {
    /** Threads that write: the loop, the users, and one that stands for an input read in chunks. */
    static final int THREADS = 4;

    static final int LOOP = 0;
    static final int INPUT = 3;

    private static final int HEAD_BYTES = 1 + Integer.BYTES;

    /** One write. */
    static final class Entry {
        final int thread;

        /** The number of the first message of this write, and how many it has. */
        final int number;

        final int messages;
        final long cost;

        /** Null until the write has returned. */
        volatile ChannelFuture future;

        volatile int completions;

        private Entry(int thread, int number, int messages, long cost) {
            this.thread = thread;
            this.number = number;
            this.messages = messages;
            this.cost = cost;
        }

        @Override
        public String toString() {
            return "message " + number + " of thread " + thread;
        }
    }

    private final int messageBytes;
    private final int[] next = new int[THREADS];
    private final List<Entry> entries = new ArrayList<>();
    private long outstandingBytes;
    private int completed;

    Ledger(int messageBytes) {
        this.messageBytes = messageBytes;
    }

    /** Content that identifies itself. */
    static ChannelBuffer content(int thread, int number, int messageBytes) {
        ChannelBuffer content = ChannelBuffers.buffer(messageBytes);
        content.writeByte(thread);
        content.writeInt(number);
        long state = 31L * number + thread;
        while (content.writable()) { // numbers that no encoder can compress
            state = state * 6364136223846793005L + 1442695040888963407L;
            content.writeByte((int) (state >>> 56));
        }
        return content;
    }

    /** Called before a write. */
    synchronized Entry add(int thread, int messages, long cost) {
        Entry entry = new Entry(thread, next[thread], messages, cost);
        next[thread] += messages;
        entries.add(entry);
        outstandingBytes += cost;
        return entry;
    }

    ChannelBuffer contentOf(Entry entry) {
        return content(entry.thread, entry.number, messageBytes);
    }

    /** Called after a write. */
    void onReturned(Entry entry, ChannelFuture future) {
        entry.future = future;
        future.addListener(done -> onCompleted(entry));
    }

    private synchronized void onCompleted(Entry entry) {
        entry.completions++;
        outstandingBytes -= entry.cost;
        if (entry.completions == 1) {
            completed++;
        }
    }

    synchronized List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** Whether every write was completed. */
    synchronized boolean isDone() {
        return completed == entries.size();
    }

    /** The charge of the writes with an unknown outcome. */
    synchronized long outstandingBytes() {
        return outstandingBytes;
    }
}
