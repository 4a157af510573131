package org.freshet.microbench.compare;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.freshet.microbench.compare.load.HttpDialect;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;

/** A server's process from its start to its first HTTP answer, one after the other. */
final class StartComparison implements Comparison {
    private static final Metric FIRST = new Metric("millisToFirstAnswer", "ms to first answer", 0);
    private static final Metric CPU = new Metric("serverCpuMillisToFirstAnswer", "server CPU ms", 0);
    private static final Metric SECOND = new Metric("microsOfSecondAnswer", "second answer us", 0);
    private static final Metric RESIDENT = new Metric("residentMibAfterwards", "RSS MiB", 0);

    @Override
    public String name() {
        return "start";
    }

    @Override
    public String question() {
        return "how long does it take from the start of a JVM to its server's first HTTP answer?";
    }

    @Override
    public List<Option> options() {
        return List.of(
                Options.peersOption(Role.HTTP),
                Option.number("starts", 5, 2, "processes of each peer per round, alternating between peers"));
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        int starts = options.number("starts", 1, 1_000);
        Plan.Round once = Plan.Round.oneByOne(StartComparison::measure);
        Plan.Case first = new Plan.Case(
                "from the start of the process to the first HTTP answer",
                List.of(FIRST, CPU, SECOND, RESIDENT),
                Integer.MAX_VALUE,
                (peers, bench, results) -> {
                    for (int i = 0; i < starts; i++) {
                        once.run(peers, bench, results);
                    }
                });
        return new Plan(List.of(first), options.peers(Role.HTTP));
    }

    private static Map<Metric, Double> measure(Peer peer, Bench bench) throws IOException {
        long begin = System.nanoTime();
        try (ServerProcess server = bench.start(peer, Assignment.of(Role.HTTP));
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setTcpNoDelay(true);
            request(socket);
            long first = System.nanoTime();
            Duration cpu = cpuOf(server.pid());
            long again = System.nanoTime();
            request(socket);
            long second = System.nanoTime();
            Map<Metric, Double> values = new LinkedHashMap<>();
            values.put(FIRST, (first - begin) / 1e6);
            values.put(CPU, (double) cpu.toMillis());
            values.put(SECOND, (second - again) / 1e3);
            values.put(RESIDENT, server.usage().residentBytes() / (double) (1 << 20));
            return values;
        }
    }

    /** Of all threads, the JIT's and the collector's, too; the system counts in steps of 10 ms. */
    private static Duration cpuOf(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    /** The content ends each answer. */
    private static void request(Socket socket) throws IOException {
        socket.getOutputStream().write(HttpDialect.request());
        StringBuilder answer = new StringBuilder();
        byte[] bytes = new byte[1024];
        while (answer.indexOf(HttpDialect.CONTENT) < 0) {
            int read = socket.getInputStream().read(bytes);
            if (read < 0) {
                throw new IOException("the server closed the connection after: " + answer);
            }
            answer.append(new String(bytes, 0, read, StandardCharsets.ISO_8859_1));
        }
    }
}
