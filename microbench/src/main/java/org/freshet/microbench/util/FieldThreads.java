package org.freshet.microbench.util;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.freshet.microbench.CpuProfiler;

/** Makes JMH measure on Netty 4.2 threads that also have a field. */
public final class FieldThreads extends ThreadPoolExecutor {
    /** The flags that make JMH use this class. */
    static final String CUSTOM = "-Djmh.executor=CUSTOM";

    static final String CLASS = "-Djmh.executor.class=org.freshet.microbench.util.FieldThreads";

    /** Called by JMH. */
    public FieldThreads(int threads, String name) {
        super(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> new FieldThread(task, name + '-' + CpuProfiler.WORKER));
    }

    static final class FieldThread extends FastThreadLocalThread {
        /** Used by this thread only. */
        Object value;

        FieldThread(Runnable task, String name) {
            super(task, name);
            setDaemon(true);
        }
    }
}
