package org.freshet.microbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Each JMH benchmark runs once, for a moment and in this process; its figures mean nothing and are not looked at. */
class BenchmarksSmokeTest {
    @Test
    @Timeout(120)
    void shouldRunEveryBenchmarkWithEveryParameterOnce() throws Exception {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(2))
                        .shouldDoGC(false)
                        .shouldFailOnError(true)
                        .addProfiler(CpuProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        assertEquals(
                allBenchmarks(),
                results.stream().map(r -> r.getParams().getBenchmark()).collect(Collectors.toSet()));
        for (RunResult result : results) {
            assertTrue(
                    result.getAggregatedResult().getIterationResults().size() == 1,
                    () -> result.getParams().id());
            assertTrue(
                    Double.isFinite(result.getPrimaryResult().getScore()),
                    () -> result.getParams().id());
            assertTrue(
                    result.getSecondaryResults().get("cpu.process").getScore() >= 0,
                    () -> result.getParams().id());
        }
    }

    private static Set<String> allBenchmarks() {
        var silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        return BenchmarkList.defaultList().getAll(silent, List.of()).stream()
                .map(BenchmarkListEntry::getUsername)
                .collect(Collectors.toSet());
    }
}
