package org.freshet.microbench;

import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.freshet.microbench.compare.server.Usage;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Memory at the end of an iteration, the maximum of all iterations:
 * {@code -prof org.freshet.microbench.MemoryProfiler}. {@code memory.rss} is the resident memory of the process before
 * a full collection, {@code memory.live} the live heap after it, in MiB.
 *
 * <p>Name it before {@link CpuProfiler}, so that the collection is not counted there.
 */
public final class MemoryProfiler implements InternalProfiler {
    private static final double MIB = 1 << 20;

    @Override
    public String getDescription() {
        return "Resident memory and live heap";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        // Only the end of an iteration counts.
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double resident = Usage.now().residentBytes() / MIB;
        System.gc();
        double live = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MIB;
        return List.of(
                new ScalarResult("memory.rss", resident, "MiB", AggregationPolicy.MAX),
                new ScalarResult("memory.live", live, "MiB", AggregationPolicy.MAX));
    }
}
