package org.freshet.microbench.compare;

import java.util.ArrayList;
import java.util.List;
import org.freshet.microbench.compare.load.Http2Load;
import org.freshet.microbench.compare.load.Http2Load.Requests;
import org.freshet.microbench.compare.load.HttpDialect;
import org.freshet.microbench.compare.load.LoadGenerator;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;

/**
 * Small requests over HTTP/2. With {@code --http1}, Freshet also answers the same number of requests in flight over
 * HTTP/1.1, pipelined: the difference is the cost of streams.
 */
final class Http2Comparison implements Comparison {
    private static final int LARGEST_ANSWER = 1 << 24;
    private static final int LARGEST_BODY = 1 << 14;

    @Override
    public String name() {
        return "h2";
    }

    @Override
    public String question() {
        return "what does an HTTP/2 request cost, by the number of streams in flight?";
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(
                Options.peersOption(Role.H2),
                new Option("connections", "8", "connections, or a list: 1,8,64"),
                new Option("streams", "1,32", "requests in flight per connection, or a list: 1,32,100"),
                new Option(
                        "answer",
                        String.valueOf(HttpDialect.CONTENT.length()),
                        "bytes of content in an answer, or a list: 13,65536"),
                new Option("body", "0", "bytes of content in a request, or a list: 0,16384"),
                Option.toggle("tls", "over TLS 1.3, on the JDK's engine"),
                Option.toggle("http1", "also Freshet's HTTP/1.1, pipelined"),
                Option.toggle(
                        "grid",
                        "all cases that have a target, ignoring the options above: 1, 8, 64 connections with 1, 32, 100"
                                + " streams, also HTTP/1.1; content of 64 KiB and 1 MiB; bodies of 16 KiB; TLS"),
                SystemCalls.OPTION));
        options.addAll(Slices.options(10_000, 10, 500));
        return options;
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        List<Peer> peers = options.peers(Role.H2);
        Slices slices = Slices.of(options);
        boolean strace = options.isOn("strace");
        return new Plan(options.isOn("grid") ? grid(slices, strace, peers) : chosen(options, slices, peers), peers);
    }

    private static List<Plan.Case> grid(Slices slices, boolean strace, List<Peer> peers) throws UsageException {
        int smallAnswer = HttpDialect.CONTENT.length();
        List<Plan.Case> cases = new ArrayList<>();
        for (int connections : new int[] {1, 8, 64}) {
            Options.requireDescriptors("connections", connections * peers.size());
            for (int streams : new int[] {1, 32, 100}) {
                cases.addAll(cases(new Requests(connections, streams, 0, smallAnswer), false, slices, strace));
                cases.add(http1(new LoadGenerator.Load(connections, 0, streams, 0), slices));
            }
        }
        for (int answer : new int[] {1 << 16, 1 << 20}) {
            cases.addAll(cases(new Requests(8, 16, 0, answer), false, slices, strace));
        }
        cases.addAll(cases(new Requests(8, 32, LARGEST_BODY, smallAnswer), false, slices, strace));
        cases.addAll(cases(new Requests(8, 32, 0, smallAnswer), true, slices, strace));
        return cases;
    }

    private static List<Plan.Case> chosen(Options options, Slices slices, List<Peer> peers) throws UsageException {
        List<Plan.Case> cases = new ArrayList<>();
        for (int connections : options.numbers("connections", 1, 10_000)) {
            Options.requireDescriptors("connections", connections * peers.size());
            for (int streams : options.numbers("streams", 1, 100)) {
                for (int body : options.numbers("body", 0, LARGEST_BODY)) {
                    for (int answer : options.numbers("answer", 1, LARGEST_ANSWER)) {
                        Requests requests = new Requests(connections, streams, body, answer);
                        cases.addAll(cases(requests, options.isOn("tls"), slices, options.isOn("strace")));
                    }
                    if (options.isOn("http1")) {
                        cases.add(http1(new LoadGenerator.Load(connections, body, streams, 0), slices));
                    }
                }
            }
        }
        return cases;
    }

    private static List<Plan.Case> cases(Requests requests, boolean tls, Slices slices, boolean strace) {
        boolean posts = requests.bodyBytes() > 0;
        String label = requests.connections() + " connections x " + requests.streams()
                + (posts ? ", each with " + requests.bodyBytes() + " bytes" : ", " + requests.answerBytes() + " B")
                + (tls ? ", TLS" : "");
        Assignment answering = Assignment.of(Role.H2).with("answer", requests.answerBytes());
        Assignment counting = posts ? answering.with("body", requests.bodyBytes()) : answering;
        Assignment assignment = tls ? counting.with(Assignment.SECURE, true) : counting;
        Subject.LoadFactory<Http2Load> factory =
                port -> tls ? Http2Load.overTls(port, requests) : new Http2Load(port, requests);
        Plan.Case timed = slices.timed(label, assignment, factory, Slices.MESSAGES)
                .only(peer -> peer != Peer.NGHTTPD || !posts && !tls);
        Plan.Case counted = slices.counted(label, assignment, factory).only(peer -> peer != Peer.NGHTTPD);
        return strace ? List.of(timed, counted) : List.of(timed);
    }

    private static Plan.Case http1(LoadGenerator.Load load, Slices slices) {
        boolean posts = load.messageBytes() > 0;
        Assignment assignment = Assignment.of(Role.HTTP);
        return slices.timed(
                        load.connections() + " connections x " + load.depth() + ", HTTP/1.1",
                        posts ? assignment.with("body", load.messageBytes()) : assignment,
                        port -> posts ? LoadGenerator.ofPosts(port, load) : LoadGenerator.ofRequests(port, load),
                        Slices.MESSAGES)
                .only(peer -> peer.id().startsWith("freshet"));
    }
}
