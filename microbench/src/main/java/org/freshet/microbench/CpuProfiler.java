package org.freshet.microbench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Processor time per call, which other programs disturb far less than elapsed time:
 * {@code -prof org.freshet.microbench.CpuProfiler}.
 *
 * <p>{@code cpu} is that of the threads that call the benchmark; {@code cpu.process} adds their helper threads, the
 * compiler and the collector. Both in nanoseconds.
 */
public final class CpuProfiler implements InternalProfiler {
    /** Part of the name of every measuring thread. */
    public static final String WORKER = "jmh-worker";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final com.sun.management.OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);

    private Map<Long, Long> workersBefore;
    private long processBefore;

    @Override
    public String getDescription() {
        return "Processor time per call";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        workersBefore = nanosOfWorkers();
        processBefore = SYSTEM.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long process = SYSTEM.getProcessCpuTime() - processBefore;
        long workers = 0;
        for (Map.Entry<Long, Long> worker : nanosOfWorkers().entrySet()) {
            workers += worker.getValue() - workersBefore.getOrDefault(worker.getKey(), 0L);
        }
        long calls = Math.max(1, result.getMetadata().getAllOps());
        return List.of(perCall("cpu", workers, calls), perCall("cpu.process", process, calls));
    }

    private static ScalarResult perCall(String name, long nanos, long calls) {
        return new ScalarResult(name, (double) nanos / calls, "ns/op", AggregationPolicy.AVG);
    }

    private static Map<Long, Long> nanosOfWorkers() {
        Map<Long, Long> nanos = new HashMap<>();
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().contains(WORKER)) {
                nanos.put(thread.getThreadId(), THREADS.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return nanos;
    }
}
