package org.freshet.microbench.compare;

import java.util.ArrayList;
import java.util.List;
import org.freshet.microbench.compare.load.LoadGenerator;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;

/** Messages go to the server and come back: the price of one, in processor time, system calls and latency. */
final class EchoComparison implements Comparison {
    private static final long SEED = 20_131_124;

    @Override
    public String name() {
        return "echo";
    }

    @Override
    public String question() {
        return "what does a message cost that comes in and goes back?";
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(
                Options.peersOption(Role.ECHO),
                new Option("connections", "64", "connections, or several: 1,64,1000"),
                new Option("size", "64", "bytes a message, or several: 64,1024,16384"),
                new Option("depth", "1", "messages in flight on a connection, or several: 1,16"),
                Option.toggle("strace", "also count the servers' system calls, in one more round")));
        options.addAll(Slices.options(300_000, 10, 50_000));
        return options;
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        List<Peer> peers = options.peers(Role.ECHO);
        Slices slices = Slices.of(Role.ECHO, options);
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

    private static List<Plan.Case> cases(Load load, Slices slices, boolean strace) {
        String label = load.connections() + " x " + load.messageBytes() + " B x " + load.depth();
        Subject.LoadFactory factory = port -> new LoadGenerator(port, load);
        Plan.Case timed = slices.timed(label, factory);
        return strace ? List.of(timed, slices.counted(label, factory)) : List.of(timed);
    }
}
