package org.freshet.microbench.compare;

import java.util.ArrayList;
import java.util.List;
import org.freshet.microbench.compare.load.FanoutLoad;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;

/** One connection sends, many receive: the cost of delivering one chat message, through a channel group. */
final class FanoutComparison implements Comparison {
    private static final long SEED = 8_008;

    @Override
    public String name() {
        return "fanout";
    }

    @Override
    public String question() {
        return "what does one delivery cost when a message goes to all members of a channel group?";
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(
                Options.peersOption(Role.FANOUT),
                new Option("listeners", "1000", "connections that receive each message"),
                new Option("size", "64", "bytes per message, or a list: 64,1024"),
                new Option("burst", "1,16", "messages sent in one burst, or a list: 1,16")));
        options.addAll(Slices.options(6000, 10, 500));
        return options;
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        List<Peer> peers = options.peers(Role.FANOUT);
        Slices slices = Slices.of(options);
        int listeners = options.number("listeners", 1, 100_000);
        Options.requireDescriptors("listeners", listeners * peers.size());
        List<Plan.Case> cases = new ArrayList<>();
        for (int size : options.numbers("size", 1, 16_384)) {
            for (int burst : options.numbers("burst", 1, 64)) {
                cases.add(slices.timed(
                        listeners + " listeners x " + size + " B x " + burst,
                        Assignment.of(Role.FANOUT).with("size", size),
                        port -> new FanoutLoad(port, listeners, size, burst, SEED),
                        Slices.MESSAGES));
            }
        }
        return new Plan(cases, peers);
    }
}
