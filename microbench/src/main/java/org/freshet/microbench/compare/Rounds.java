package org.freshet.microbench.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.freshet.microbench.compare.report.Report;

/** Runs a plan and collects its results. */
final class Rounds {
    static final List<Option> OPTIONS = List.of(
            Options.QUICK,
            Option.number("rounds", 3, 1, "number of runs of each peer, in new processes; medians are shown"),
            new Option(
                    "pin",
                    "apart",
                    "server and client: apart, across (the server on all processors), together on one, or none"),
            new Option("heap", "256", "maximum heap of a server, MiB"),
            new Option("jvm", "", "further flags of a server's JVM, separated by commas"),
            new Option("out", "", "directory for the JSON file and the plot"));

    private final Comparison comparison;
    private final Plan plan;
    private final int rounds;
    private final String processors = Processors.describe(); // before pinning limits this process to one of them
    private final Bench bench;

    Rounds(Comparison comparison, Plan plan, Options options, Progress progress) throws UsageException {
        this.comparison = comparison;
        this.plan = plan;
        this.rounds = options.number("rounds", 1, 1000);
        int heapMib = options.number("heap", 32, 65_536);
        List<String> flags = new ArrayList<>(comparison.heapFlags(heapMib));
        // Pending answers share one array, but the budget counts each of them.
        flags.add("-Dorg.freshet.writeBudget=0");
        flags.add("-XX:+UseSerialGC"); // one collector thread: the same work for all
        options.words("jvm").stream().filter(flag -> !flag.isEmpty()).forEach(flags::add);
        this.bench = new Bench(Pinning.ofThisProcess(options.choice("pin", Pinning.Mode.class)), flags, progress);
    }

    Report run() throws Exception {
        OtherProcesses others = new OtherProcesses();
        Report report = new Report(comparison.name(), circumstances(), plan.figures(), Shares::remark);
        for (Plan.Case each : plan.cases()) {
            int count = Math.min(rounds, each.maxRounds());
            for (int round = 1; round <= count; round++) {
                bench.progress().step(each.label() + ", round " + round + " of " + count);
                each.round()
                        .run(
                                plan.peers(),
                                bench,
                                (peer, values) -> report.add(each.label(), each.metrics(), peer, values));
            }
        }
        bench.progress().done();
        report.conclude(others.warning());
        return report;
    }

    private Map<String, String> circumstances() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("question", comparison.question());
        all.put("java", System.getProperty("java.vendor.version", "") + " " + Runtime.version());
        all.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        all.put("processors", processors);
        all.put("server flags", String.join(" ", bench.jvmFlags()));
        all.put("pinning", bench.pinning().toString());
        all.put("rounds", Integer.toString(rounds));
        return all;
    }
}
