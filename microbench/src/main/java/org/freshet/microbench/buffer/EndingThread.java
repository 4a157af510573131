package org.freshet.microbench.buffer;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Ends buffers on a separate thread. They are handed over in batches, so that the cost of waking a thread does not hide
 * theirs; up to {@value #BATCH} times {@value #QUEUED_BATCHES} wait.
 */
final class EndingThread implements BufferEnd {
    private static final int BATCH = 64;
    private static final int QUEUED_BATCHES = 4;

    private final BlockingQueue<Object[]> batches = new ArrayBlockingQueue<>(QUEUED_BATCHES);
    private final Thread thread;

    // For the measuring thread.
    private Object[] batch = new Object[BATCH];
    private int count;

    EndingThread(BufferSource source) {
        thread = new Thread(() -> run(source), "ending");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void end(Object buffer) throws InterruptedException {
        batch[count++] = buffer;
        if (count == BATCH) {
            batches.put(batch);
            batch = new Object[BATCH];
            count = 0;
        }
    }

    /** An incomplete batch is the last one. */
    private void run(BufferSource source) {
        try {
            boolean last = false;
            while (!last) {
                Object[] next = batches.take();
                last = next[BATCH - 1] == null;
                for (int i = 0; i < BATCH && next[i] != null; i++) {
                    source.end(next[i]);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread must not be interrupted", e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        batches.put(batch);
        thread.join();
    }
}
