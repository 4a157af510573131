package org.freshet.microbench.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.freshet.microbench.compare.load.LoadGenerator;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;

/**
 * Servers with two loops on two processors. Messages stay on their loop, leave through a connection of the other loop,
 * or are written by a thread outside the loops. The additional cost of the latter two is the cost of handing over.
 */
final class TwoLoopsComparison implements Comparison {
    private static final long SEED = 27_112_026;
    private static final int LOOPS = 2;

    /** The thread that writes a message. */
    private enum Way {
        OWN(Role.ECHO, "written by its own loop", LoadGenerator::new),
        RELAYED(Role.RELAY, "relayed to the other loop", LoadGenerator::ofRelays),
        HANDED(Role.HANDED, "written by another thread", LoadGenerator::new);

        private final Role role;
        private final String label;
        private final Generators generators;

        Way(Role role, String label, Generators generators) {
            this.role = role;
            this.label = label;
            this.generators = generators;
        }
    }

    @FunctionalInterface
    private interface Generators {
        LoadGenerator create(int port, Load load) throws IOException;
    }

    @Override
    public String name() {
        return "two";
    }

    @Override
    public String question() {
        return "what does it cost to hand a message over, to the other of two loops or from another thread?";
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(
                Options.peersOption(Role.RELAY),
                new Option("connections", "64", "sending connections, or a list: 2,64; a relay has as many again"),
                new Option("size", "64", "bytes per message, or a list: 64,16384"),
                new Option("depth", "1,16", "messages in flight per connection, or a list: 1,16"),
                new Option("pin", "across", "as above; two loops need across"),
                SystemCalls.OPTION));
        options.addAll(Slices.options(6000, 10, 500));
        return options;
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        List<Peer> peers = options.peers(Role.RELAY);
        Slices slices = Slices.of(options);
        List<Plan.Case> cases = new ArrayList<>();
        for (int connections : options.numbers("connections", 1, 10_000)) {
            Options.requireDescriptors("connections", 2 * connections * peers.size());
            for (int size : options.numbers("size", 1, 1 << 24)) {
                for (int depth : options.numbers("depth", 1, 10_000)) {
                    for (Way way : Way.values()) {
                        cases.addAll(cases(way, new Load(connections, size, depth, SEED), slices, options));
                    }
                }
            }
        }
        return new Plan(cases, peers);
    }

    private static List<Plan.Case> cases(Way way, Load load, Slices slices, Options options) {
        String label = load.connections() + " x " + load.messageBytes() + " B x " + load.depth() + ", " + way.label;
        Assignment assignment = Assignment.of(way.role).with(Assignment.LOOPS, LOOPS);
        Subject.LoadFactory<LoadGenerator> factory = port -> way.generators.create(port, load);
        Plan.Case timed = slices.timed(label, assignment, factory, Slices.MESSAGES);
        return options.isOn("strace") ? List.of(timed, slices.counted(label, assignment, factory)) : List.of(timed);
    }
}
