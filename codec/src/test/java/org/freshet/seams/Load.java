package org.freshet.seams;

import java.io.ByteArrayOutputStream;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.MemoryBudget;
import org.freshet.testing.Await;

/**
 * Threads that write to one channel without checking {@code isWritable()}, and the fate of each message: a message is
 * queued if it was written and its future is not complete. Any thread may call this.
 */
final class Load {
    private static final int OPEN = 0;
    private static final int SENT = 1;
    private static final int FAILED = 2;

    /**
     * After this many checks without progress, 5 ms apart, writers are considered blocked. A wrong guess only weakens
     * the test.
     */
    private static final int LOOKS = 60;

    private static final long LOOK_MILLIS = 5;

    private static final int KEPT_FAILURES = 10_000;

    /** The bytes that a thread writes between two samples of the account. */
    private static final int SAMPLE_BYTES = 32 * 1024;

    /** Listing descriptors is slow. */
    private static final int REGIONS_PER_SAMPLE = 128;

    final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    final AtomicInteger failed = new AtomicInteger();
    final AtomicLong mostWaiting = new AtomicLong();
    final AtomicLong mostMessages = new AtomicLong();
    final AtomicLong mostCounted = new AtomicLong();
    final AtomicLong mostRegions = new AtomicLong();

    private final Channel channel;
    private final Form form;
    private final Thread[] threads;
    private final int perThread;
    private final AtomicIntegerArray outcomes;
    private final AtomicInteger twice = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger returned = new AtomicInteger();
    private final AtomicInteger completed = new AtomicInteger();

    Load(Channel channel, Form form, int threadCount) {
        this.channel = channel;
        this.form = form;
        perThread = form.count / threadCount;
        threads = new Thread[threadCount];
        outcomes = new AtomicIntegerArray(threadCount * (perThread + 1));
    }

    void start() {
        for (int i = 0; i < threads.length; i++) {
            int thread = i;
            threads[i] = new Thread(() -> writeAll(thread), "writer " + i);
            threads[i].start();
        }
    }

    private void writeAll(int thread) {
        int interval = form.isRegion() ? REGIONS_PER_SAMPLE : Math.max(1, SAMPLE_BYTES / form.charge());
        for (int i = 0; i < perThread && channel.isOpen(); i++) {
            write(thread, i);
            if (i % interval == 0) {
                sample();
            }
        }
    }

    private ChannelFuture write(int thread, int number) {
        int waiting = begun.incrementAndGet() - completed.get();
        mostMessages.accumulateAndGet(waiting, Math::max);
        mostWaiting.accumulateAndGet((long) waiting * form.charge(), Math::max);
        ChannelFuture written = channel.write(form.message(thread, number));
        int index = thread * (perThread + 1) + number;
        written.addListener(done -> onDone(index, done));
        returned.incrementAndGet();
        return written;
    }

    private void onDone(int index, ChannelFuture done) {
        if (!outcomes.compareAndSet(index, OPEN, done.isSuccess() ? SENT : FAILED)) {
            twice.incrementAndGet();
        }
        if (!done.isSuccess()) {
            if (failed.incrementAndGet() <= KEPT_FAILURES) { // the queue's size() would count them all
                failures.add(done.getCause());
            }
        }
        completed.incrementAndGet();
    }

    void sample() {
        mostCounted.accumulateAndGet(MemoryBudget.getQueuedBytes(channel), Math::max);
        if (form.isRegion()) {
            mostRegions.accumulateAndGet(Form.openRegions(), Math::max);
        }
    }

    /** Writes one more message from the first thread. */
    ChannelFuture writeLast() {
        return write(0, perThread);
    }

    boolean areWriting() {
        boolean any = false;
        for (Thread thread : threads) {
            any |= thread.isAlive();
        }
        return any;
    }

    /** Waits until no writer makes progress, or all have ended. */
    void awaitStandstill() {
        int[] seen = {-1, 0};
        Await.until(
                () -> {
                    int now = returned.get();
                    seen[1] = now == seen[0] ? seen[1] + 1 : 0;
                    seen[0] = now;
                    joinFor(LOOK_MILLIS);
                    return seen[1] >= LOOKS || !areWriting();
                },
                "writers to stand still");
        sample();
    }

    private void joinFor(long millis) {
        try {
            threads[0].join(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @param push makes handlers pass on what they hold; called repeatedly */
    void awaitCompletion(Runnable push) {
        Await.until(
                () -> {
                    push.run();
                    return !areWriting() && completed.get() >= begun.get();
                },
                () -> "the completion of " + (begun.get() - completed.get()) + " of " + begun + " writes");
    }

    int completedTwice() {
        return twice.get();
    }

    long sentBytes() {
        long sent = 0;
        for (int i = 0; i < outcomes.length(); i++) {
            sent += outcomes.get(i) == SENT ? form.bytes : 0;
        }
        return sent;
    }

    /** The messages of one thread that were sent. */
    byte[] sentMarks(int thread) {
        ByteArrayOutputStream marks = new ByteArrayOutputStream();
        for (int i = 0; i <= perThread; i++) {
            if (outcomes.get(thread * (perThread + 1) + i) == SENT) {
                marks.write(Form.mark(thread, i));
            }
        }
        return marks.toByteArray();
    }

    int threadCount() {
        return threads.length;
    }

    /** For the message of a failed assertion. */
    @Override
    public String toString() {
        return "waiting at most: " + mostMessages + " messages of " + form.bytes + " B, which cost " + mostWaiting
                + "; counted at most " + mostCounted + "; regions open at most " + mostRegions + "; written " + begun
                + ", failed " + failed;
    }
}
