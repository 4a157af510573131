package org.freshet.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.testkit.capture.Capture;
import org.freshet.testkit.simulation.Choices;
import org.freshet.util.Timer;

/**
 * Replays the clients of a {@link Capture} against a pipeline, in the recorded pieces and order, on a
 * {@link SimulatedNetwork} without faults, and compares the server's answers with the recorded ones. There are two
 * uses: turn a conversation from production into a test; or find out, with a capture of your Netty 3 server, what a
 * migrated pipeline does differently.
 *
 * <pre>{@code
 * Capture capture = Capture.read(Path.of("orders.pcapng"));
 * Replay.of(capture)
 *         .ignoring("\r\nX-Request-Id: [^\r]*")
 *         .against(timer -> new OrdersPipelineFactory(timer))
 *         .assertSame();
 * }</pre>
 *
 * <p>A client sends its next bytes once the server has sent as many bytes, on all connections, as were recorded before
 * them. If the server sends fewer, the client continues when nothing else happens. Answers are compared byte by byte,
 * however they are cut. Use {@link #ignoring} for output that differs from run to run; the HTTP {@code Date} header is
 * always ignored. TLS bytes can't be replayed: record above the {@code SslHandler}, and replay without it.
 *
 * <p>Immutable; one thread at a time.
 */
public final class Replay {
    private static final Pattern DATE = Pattern.compile("(?i)\r\nDate: [^\r]*");

    /** Bytes shown of a difference: before it, and in total. */
    private static final int SHOWN_BEFORE = 20;

    private static final int SHOWN = 100;

    private final Capture capture;
    private final List<Pattern> ignored;

    private Replay(Capture capture, List<Pattern> ignored) {
        this.capture = capture;
        this.ignored = ignored;
    }

    /** @throws IllegalArgumentException if the capture has no connection that began in it, or one with TLS */
    public static Replay of(Capture capture) {
        if (capture.connections() == 0) {
            throw new IllegalArgumentException("the capture has no TCP connection that began in it, but "
                    + capture.skippedSegments() + " segments of others: start recording before the clients connect");
        }
        capture.events().stream().filter(Replay::isTls).findFirst().ifPresent(event -> {
            throw new IllegalArgumentException("connection " + event.connection() + " (client "
                    + capture.client(event.connection()) + ") uses TLS, which can't be replayed: record above the"
                    + " SslHandler, with WireTap.attachAbove");
        });
        return new Replay(capture, List.of(DATE));
    }

    /** Returns whether a piece begins like a TLS handshake with a ClientHello. */
    private static boolean isTls(Capture.Event event) {
        byte[] bytes = event.bytes();
        return event.kind() == Capture.Kind.REQUEST
                && bytes.length > 5
                && bytes[0] == 22
                && bytes[1] == 3
                && bytes[2] <= 4
                && bytes[5] == 1;
    }

    /**
     * Removes matches from both outputs before they are compared.
     *
     * @param regex applied to the output as ISO-8859-1 text
     */
    public Replay ignoring(String regex) {
        List<Pattern> more = new ArrayList<>(ignored);
        more.add(Pattern.compile(regex));
        return new Replay(capture, List.copyOf(more));
    }

    /**
     * Replays the capture.
     *
     * @param pipelines returns the factory of the server's pipelines; they must take time only from the given timer
     * @throws AssertionError if the pipeline breaks a rule that every {@link SimulatedNetwork} checks; exceptions
     *     thrown by handlers are allowed
     */
    public Report against(Function<Timer, ChannelPipelineFactory> pipelines) {
        SimulatedNetwork network = new SimulatedNetwork(0, Choices.drawn());
        ReplayRun run = new ReplayRun(network, capture);
        try {
            network.expectExceptions(Throwable.class);
            network.allowUserDefinedWritability();
            network.faults(Faults.noneInTurn());
            run.start(pipelines.apply(network.timer()));
            network.run();
        } finally {
            network.end();
        }
        List<Difference> differences = new ArrayList<>();
        for (int i = 0; i < capture.connections(); i++) {
            Difference difference = compare(i, run);
            if (difference != null) {
                differences.add(difference);
            }
        }
        return new Report(
                capture.connections(), List.copyOf(differences), network.trace().hash());
    }

    /** The result of a replay. */
    public static final class Report {
        private final int connections;
        private final List<Difference> differences;
        private final long hash;

        private Report(int connections, List<Difference> differences, long hash) {
            this.connections = connections;
            this.differences = differences;
            this.hash = hash;
        }

        /** Returns the first difference of each connection that has one. */
        public List<Difference> differences() {
            return differences;
        }

        /** Returns a hash of everything that happened: equal if two replays did the same, step by step. */
        public long hash() {
            return hash;
        }

        /**
         * Fails if there is a difference.
         *
         * @throws AssertionError with the list of differences
         */
        public void assertSame() {
            if (!differences.isEmpty()) {
                throw new AssertionError(this);
            }
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder()
                    .append(differences.size())
                    .append(" of ")
                    .append(connections)
                    .append(connections == 1 ? " connection differs" : " connections differ");
            differences.forEach(difference -> text.append('\n').append(difference));
            return text.toString();
        }
    }

    // ---- comparing --------------------------------------------------------------------------------------------------

    private Difference compare(int connection, ReplayRun run) {
        String raw = latin1(run.replayed(connection));
        String recorded = normalized(latin1(run.recorded(connection)));
        String replayed = normalized(raw);
        if (recorded.equals(replayed)) {
            return null;
        }
        int at = 0;
        while (at < Math.min(recorded.length(), replayed.length()) && recorded.charAt(at) == replayed.charAt(at)) {
            at++;
        }
        return new Difference(
                connection,
                capture.client(connection),
                eventAt(connection, at),
                at,
                shown(recorded, at),
                shown(replayed, at),
                run.writerAt(connection, firstAfter(raw, at)));
    }

    /** Returns the recorded piece that contains a byte of the output without ignored parts. */
    private int eventAt(int connection, int offset) {
        StringBuilder text = new StringBuilder();
        List<Integer> ends = new ArrayList<>();
        for (Capture.Event event : capture.events()) {
            if (event.connection() == connection && event.kind() == Capture.Kind.RESPONSE) {
                ends.add(text.append(latin1(event.bytes())).length());
            }
        }
        int raw = firstAfter(text.toString(), offset);
        int number = 0;
        while (number < ends.size() - 1 && ends.get(number) <= raw) {
            number++;
        }
        return number;
    }

    /** Returns the place in the output with ignored parts of a byte of the output without them. */
    private int firstAfter(String raw, int offset) {
        int tooFew = 0;
        int enough = raw.length() + 1;
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) >>> 1;
            if (normalized(raw.substring(0, middle)).length() > offset) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return enough - 1;
    }

    private static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private String normalized(String text) {
        String normalized = text;
        for (Pattern pattern : ignored) {
            normalized = pattern.matcher(normalized).replaceAll("");
        }
        return normalized;
    }

    private static String shown(String text, int at) {
        int from = Math.max(0, at - SHOWN_BEFORE);
        String part = text.substring(from, Math.min(text.length(), from + SHOWN));
        return Shown.of(part) + (from + SHOWN < text.length() ? "..." : "");
    }
}
