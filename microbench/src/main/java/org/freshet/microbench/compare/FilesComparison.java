package org.freshet.microbench.compare;

import java.util.ArrayList;
import java.util.List;
import org.freshet.microbench.compare.load.LoadGenerator;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;

/** A file is requested over HTTP many times: the cost of having the system copy it to the socket. */
final class FilesComparison implements Comparison {
    private static final int MAX_BYTES = 1 << 28;

    @Override
    public String name() {
        return "files";
    }

    @Override
    public String question() {
        return "what does it cost to answer an HTTP/1.1 request with a file?";
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(
                Options.peersOption(Role.FILES),
                new Option("connections", "4", "connections, or a list: 1,16"),
                new Option("size", "10485760", "bytes of the file, or a list: 4096,10485760"),
                SystemCalls.OPTION));
        options.addAll(Slices.options(5000, 10, 1000));
        return options;
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        List<Peer> peers = options.peers(Role.FILES);
        Slices slices = Slices.of(options);
        boolean strace = options.isOn("strace");
        List<Plan.Case> cases = new ArrayList<>();
        for (int connections : options.numbers("connections", 1, 10_000)) {
            Options.requireDescriptors("connections", 2 * connections * peers.size());
            for (int size : options.numbers("size", 1, MAX_BYTES)) {
                cases.addAll(cases(new Load(connections, size, 1, 0), slices, strace));
            }
        }
        return new Plan(cases, peers);
    }

    private static List<Plan.Case> cases(Load load, Slices slices, boolean strace) {
        String label = load.connections() + " connections x " + load.messageBytes() + " B";
        Assignment assignment = Assignment.of(Role.FILES).with("size", load.messageBytes());
        Subject.LoadFactory<LoadGenerator> factory = port -> LoadGenerator.ofFiles(port, load);
        Plan.Case timed = slices.timed(label, assignment, factory, Slices.MESSAGES);
        return strace ? List.of(timed, slices.counted(label, assignment, factory)) : List.of(timed);
    }
}
