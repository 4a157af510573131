package org.freshet.microbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs each JMH benchmark briefly in this process, with each value of each parameter, but not with each combination of
 * them. Its figures mean nothing and are ignored.
 */
class BenchmarksSmokeTest {
    @ParameterizedTest
    @MethodSource("benchmarks")
    @Timeout(300)
    void shouldRunWithEachValueOfEachParameter(BenchmarkListEntry benchmark) throws Exception {
        Map<String, String[]> parameters = benchmark.getParams().orElse(Map.of());
        int runs = parameters.values().stream()
                .mapToInt(values -> values.length)
                .max()
                .orElse(1);
        for (int run = 0; run < runs; run++) {
            Map<String, String> chosen = new TreeMap<>();
            for (var parameter : parameters.entrySet()) {
                String[] values = parameter.getValue();
                int index = run % values.length;
                boolean isLibrary = parameter.getKey().equals("library");
                // Backwards, so that the last and largest case meets the first library, Freshet, and not one that takes
                // seconds for it.
                chosen.put(parameter.getKey(), values[isLibrary ? index : values.length - 1 - index]);
            }
            run(benchmark, chosen);
        }
    }

    private static void run(BenchmarkListEntry benchmark, Map<String, String> parameters) throws Exception {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(benchmark.getUsername()) + "$")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(2))
                .shouldDoGC(false)
                .shouldFailOnError(true)
                .addProfiler(CpuProfiler.class)
                .verbosity(VerboseMode.SILENT);
        parameters.forEach(options::param);
        Collection<RunResult> results = new Runner(options.build()).run();
        assertEquals(1, results.size(), benchmark::getUsername);
        for (RunResult result : results) {
            Supplier<String> name = () -> result.getParams().id();
            assertEquals(1, result.getAggregatedResult().getIterationResults().size(), name);
            assertTrue(Double.isFinite(result.getPrimaryResult().getScore()), name);
            assertTrue(result.getSecondaryResults().get("cpu.process").getScore() >= 0, name);
        }
    }

    static Stream<BenchmarkListEntry> benchmarks() {
        var silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        var all = BenchmarkList.defaultList().getAll(silent, List.of());
        assertFalse(all.isEmpty());
        return all.stream();
    }
}
