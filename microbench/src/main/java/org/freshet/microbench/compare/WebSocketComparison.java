package org.freshet.microbench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.freshet.microbench.compare.load.LoadGenerator;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.freshet.microbench.compare.load.WebSocketDialect;
import org.freshet.microbench.compare.load.WebSocketDialect.Content;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;

/**
 * WebSocket messages go to the server and come back. With {@code --h2}, Freshet's servers also use a stream of an
 * HTTP/2 connection, to show the cost of streams. With {@code --raw}, Freshet's servers also echo the same number of
 * bytes without any protocol: the difference is the cost of WebSocket.
 */
final class WebSocketComparison implements Comparison {
    private static final long SEED = 6_455;

    @Override
    public String name() {
        return "websocket";
    }

    @Override
    public String question() {
        return "what does it cost to receive a masked WebSocket message, check it if it is a text, and send it back?";
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(
                Options.peersOption(Role.WEBSOCKET),
                new Option("connections", "64", "connections, or a list: 1,64,1000"),
                new Option("size", "64", "bytes per message, or a list: 64,65536"),
                new Option(
                        "content", "text", "or a list: text (ASCII), utf8 (two and three bytes per character), binary"),
                new Option("depth", "1,16", "messages in flight per connection, or a list: 1,16"),
                Option.toggle("h2", "also Freshet's WebSocket over HTTP/2, a stream on each connection"),
                Option.toggle("raw", "also Freshet's echo of the same number of bytes without WebSocket"),
                SystemCalls.OPTION));
        options.addAll(Slices.options(10_000, 10, 500));
        return options;
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        List<Peer> peers = options.peers(Role.WEBSOCKET);
        Slices slices = Slices.of(options);
        List<Plan.Case> cases = new ArrayList<>();
        for (int connections : options.numbers("connections", 1, 100_000)) {
            Options.requireDescriptors("connections", connections * peers.size());
            for (int size : options.numbers("size", 1, 1 << 20)) {
                for (int depth : options.numbers("depth", 1, 100)) {
                    Load load = new Load(connections, size, depth, SEED);
                    for (String word : options.words("content")) {
                        cases.addAll(cases(load, content(word), slices, options.isOn("strace")));
                        if (options.isOn("h2")) {
                            cases.add(overHttp2(load, content(word), slices));
                        }
                    }
                    if (options.isOn("raw")) {
                        cases.add(raw(load, slices));
                    }
                }
            }
        }
        return new Plan(cases, peers);
    }

    private static Content content(String word) throws UsageException {
        for (Content content : Content.values()) {
            if (content.name().toLowerCase(Locale.ROOT).equals(word)) {
                return content;
            }
        }
        throw new UsageException("--content takes text, utf8 or binary: " + word);
    }

    private static List<Plan.Case> cases(Load load, Content content, Slices slices, boolean strace) {
        String label = label(load) + ", " + content.name().toLowerCase(Locale.ROOT);
        Assignment assignment = Assignment.of(Role.WEBSOCKET);
        Subject.LoadFactory<LoadGenerator> factory = port -> LoadGenerator.ofWebSocket(port, load, content);
        Plan.Case timed = slices.timed(label, assignment, factory, Slices.MESSAGES);
        return strace ? List.of(timed, slices.counted(label, assignment, factory)) : List.of(timed);
    }

    private static Plan.Case overHttp2(Load load, Content content, Slices slices) {
        return slices.timed(
                        label(load) + ", " + content.name().toLowerCase(Locale.ROOT) + ", HTTP/2",
                        Assignment.of(Role.WEBSOCKET).with("h2", true),
                        port -> LoadGenerator.ofWebSocketOverHttp2(port, load, content),
                        Slices.MESSAGES)
                .only(WebSocketComparison::isFreshet);
    }

    private static Plan.Case raw(Load load, Slices slices) {
        return slices.timed(
                        label(load) + ", raw",
                        Assignment.of(Role.ECHO),
                        port -> new LoadGenerator(port, WebSocketDialect.raw(load)),
                        Slices.MESSAGES)
                .only(WebSocketComparison::isFreshet);
    }

    private static boolean isFreshet(Peer peer) {
        return peer.id().startsWith("freshet");
    }

    private static String label(Load load) {
        return load.connections() + " x " + load.messageBytes() + " B x " + load.depth();
    }
}
