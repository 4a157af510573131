package org.freshet.microbench.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.freshet.microbench.compare.load.Generator;
import org.freshet.microbench.compare.load.LoadGenerator;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;

/** Messages go to the server and come back: the cost of one, in processor time, system calls and latency. */
final class EchoComparison implements Comparison {
    private static final long SEED = 20_131_124;

    private final Role role;
    private final String question;
    private final String sizes;
    private final int warmupMillis;
    private final Generators generators;

    private EchoComparison(Role role, String question, String sizes, int warmupMillis, Generators generators) {
        this.role = role;
        this.question = question;
        this.sizes = sizes;
        this.warmupMillis = warmupMillis;
        this.generators = generators;
    }

    @FunctionalInterface
    private interface Generators {
        Generator create(int port, Load load) throws IOException;
    }

    static EchoComparison plain() {
        String question = "what does it cost to receive a message and send it back?";
        return new EchoComparison(Role.ECHO, question, "64", 6000, LoadGenerator::new);
    }

    static EchoComparison overTls() {
        String question = "what does it cost to receive a message and send it back over TLS 1.3, on the JDK's engine?";
        return new EchoComparison(Role.TLS, question, "100,16384", 24_000, LoadGenerator::overTls);
    }

    @Override
    public String name() {
        return role.id();
    }

    @Override
    public String question() {
        return question;
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(
                Options.peersOption(role),
                new Option("connections", "64", "connections, or a list: 1,64,1000"),
                new Option("size", sizes, "bytes per message, or a list: 64,1024,16384"),
                new Option("depth", "1", "messages in flight per connection, or a list: 1,16"),
                SystemCalls.OPTION));
        options.addAll(Slices.options(warmupMillis, 10, 500));
        return options;
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        List<Peer> peers = options.peers(role);
        Slices slices = Slices.of(options);
        boolean strace = options.isOn("strace");
        List<Plan.Case> cases = new ArrayList<>();
        for (int connections : options.numbers("connections", 1, 100_000)) {
            Options.requireDescriptors("connections", connections * peers.size());
            for (int size : options.numbers("size", 1, 1 << 24)) {
                for (int depth : options.numbers("depth", 1, 10_000)) {
                    cases.addAll(cases(new Load(connections, size, depth, SEED), slices, strace));
                }
            }
        }
        return new Plan(cases, peers);
    }

    private List<Plan.Case> cases(Load load, Slices slices, boolean strace) {
        String label = load.connections() + " x " + load.messageBytes() + " B x " + load.depth();
        Assignment assignment = Assignment.of(role);
        Subject.LoadFactory<Generator> factory = port -> generators.create(port, load);
        Plan.Case timed = slices.timed(label, assignment, factory, Slices.MESSAGES);
        return strace ? List.of(timed, slices.counted(label, assignment, factory)) : List.of(timed);
    }
}
