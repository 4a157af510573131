package org.freshet.microbench.compare.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.List;

/**
 * The main program of a server's process: starts one peer, and answers questions about it on its standard streams.
 *
 * <p>Arguments are a peer's id and the words of an {@link Assignment}. The first answer is the port. A question is one
 * line: {@code usage} (see {@link Usage#line}), {@code heap} (bytes that survive full collections) or {@code quit}.
 * Each answer begins with {@link #MARK}; other lines are log output. The end of the input, for instance because the
 * parent died, means quit.
 */
public final class ServerMain {
    /** The start of each answer. */
    public static final String MARK = "answer: ";

    private static final int MAX_COLLECTIONS = 8;

    private ServerMain() {}

    /** Runs until it receives quit. */
    public static void main(String[] arguments) throws Exception {
        Peer peer = Peer.of(arguments[0]).orElseThrow();
        try (PeerServer server = peer.server(Assignment.parse(List.of(arguments).subList(1, arguments.length)))) {
            answer(server.start());
            BufferedReader questions = new BufferedReader(new InputStreamReader(System.in));
            for (String line = questions.readLine();
                    line != null && !line.equals("quit");
                    line = questions.readLine()) {
                answer(answerTo(line, server));
            }
        }
        System.exit(0);
    }

    private static Object answerTo(String question, PeerServer server) throws IOException {
        return switch (question) {
            case "usage" -> server.usage().line();
            case "heap" -> liveHeapBytes();
            default -> throw new IOException("unknown question: " + question);
        };
    }

    private static void answer(Object text) {
        PrintStream out = System.out;
        out.println(MARK + text);
        out.flush();
    }

    /**
     * Returns the minimum after several collections: memory held by references and cleaners is only freed by a later
     * one.
     */
    private static long liveHeapBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < MAX_COLLECTIONS; i++) {
            System.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
