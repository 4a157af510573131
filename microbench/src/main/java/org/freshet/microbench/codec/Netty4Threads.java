package org.freshet.microbench.codec;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.freshet.microbench.CpuProfiler;

/** Makes JMH measure on Netty 4.2's own threads, because its allocator is slower on others. */
public final class Netty4Threads extends ThreadPoolExecutor {
    /** The flags that make JMH use this class. */
    static final String CUSTOM = "-Djmh.executor=CUSTOM";

    static final String CLASS = "-Djmh.executor.class=org.freshet.microbench.codec.Netty4Threads";

    /** Called by JMH. */
    public Netty4Threads(int threads, String name) {
        super(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory(name + '-' + CpuProfiler.WORKER));
    }
}
