package org.freshet.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;

/** While open, blocks every thread of the JDK's common pool, as an application might. */
public final class BusyCommonPool implements AutoCloseable {
    /** More tasks than the pool has threads, so that no other task gets one. */
    private static final int TASKS = 8 * Runtime.getRuntime().availableProcessors() + 32;

    private final CountDownLatch end = new CountDownLatch(1);

    private BusyCommonPool() {}

    public static BusyCommonPool start() {
        BusyCommonPool busy = new BusyCommonPool();
        int threads = Math.max(1, ForkJoinPool.getCommonPoolParallelism());
        CountDownLatch blocked = new CountDownLatch(threads);
        for (int i = 0; i < TASKS; i++) {
            ForkJoinPool.commonPool().execute(() -> {
                blocked.countDown();
                awaitEnd(busy.end);
            });
        }
        Await.latch(blocked, "the common pool to be blocked");
        return busy;
    }

    /** Not {@link Await}, which gives up after its limit. */
    private static void awaitEnd(CountDownLatch end) {
        boolean isOver = false;
        while (!isOver) {
            try {
                end.await();
                isOver = true;
            } catch (InterruptedException e) {
                isOver = end.getCount() == 0;
            }
        }
    }

    @Override
    public void close() {
        end.countDown();
    }
}
