package org.freshet.microbench.compare;

import java.util.ArrayList;
import java.util.List;
import org.freshet.microbench.compare.load.HttpDialect;
import org.freshet.microbench.compare.load.LoadGenerator;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;

/** Small requests are answered with small texts: the cost of one, one at a time and pipelined. */
final class HttpComparison implements Comparison {
    private static final int MAX_BODY_BYTES = 1 << 26;

    @Override
    public String name() {
        return "http";
    }

    @Override
    public String question() {
        return "what does it cost to answer an HTTP/1.1 request with '" + HttpDialect.CONTENT + "'?";
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(
                Options.peersOption(Role.HTTP, usual()),
                new Option("connections", "64", "connections, or a list: 1,64,1000"),
                new Option("depth", "1,16", "requests in flight per connection, or a list: 1,16"),
                new Option("body", "0", "bytes of content in a request, or a list: 0,1048576"),
                SystemCalls.OPTION));
        options.addAll(Slices.options(10_000, 10, 500));
        return options;
    }

    /** All that read without blocking. */
    private static List<Peer> usual() {
        List<Peer> usual = new ArrayList<>(Peer.able(Role.HTTP));
        usual.removeAll(List.of(Peer.NETTY3_OIO, Peer.FRESHET_OIO, Peer.FRESHET_VIRTUAL));
        return usual;
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        List<Peer> peers = options.peers(Role.HTTP);
        Slices slices = Slices.of(options);
        boolean strace = options.isOn("strace");
        List<Plan.Case> cases = new ArrayList<>();
        for (int connections : options.numbers("connections", 1, 100_000)) {
            Options.requireDescriptors("connections", connections * peers.size());
            for (int depth : options.numbers("depth", 1, 100)) {
                for (int body : options.numbers("body", 0, MAX_BODY_BYTES)) {
                    cases.addAll(cases(new Load(connections, body, depth, 0), slices, strace));
                }
            }
        }
        return new Plan(cases, peers);
    }

    private static List<Plan.Case> cases(Load load, Slices slices, boolean strace) {
        boolean posts = load.messageBytes() > 0;
        String label = load.connections() + " connections x " + load.depth()
                + (posts ? ", each with " + load.messageBytes() + " bytes" : "");
        Assignment assignment =
                posts ? Assignment.of(Role.HTTP).with("body", load.messageBytes()) : Assignment.of(Role.HTTP);
        Subject.LoadFactory<LoadGenerator> factory =
                port -> posts ? LoadGenerator.ofPosts(port, load) : LoadGenerator.ofRequests(port, load);
        Plan.Case timed = slices.timed(label, assignment, factory, Slices.MESSAGES);
        return strace ? List.of(timed, slices.counted(label, assignment, factory)) : List.of(timed);
    }
}
