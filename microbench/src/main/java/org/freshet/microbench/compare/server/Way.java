package org.freshet.microbench.compare.server;

import static org.freshet.microbench.compare.server.Peer.FRESHET;
import static org.freshet.microbench.compare.server.Peer.NETTY3;
import static org.freshet.microbench.compare.server.Peer.NETTY4;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A way to run a blocking handler. */
public enum Way {
    /** Each connection's events run one after the other, on any of many threads. */
    CHANNEL("ordered by channel", false, Set.of(NETTY3, NETTY4, FRESHET)),
    /** Any thread takes the next event. */
    UNORDERED("unordered", false, Set.of(NETTY3, NETTY4, FRESHET)),
    /** Each customer's requests run one after the other. */
    CUSTOMER("ordered by customer", false, Set.of(NETTY3, FRESHET)),
    /** Unordered, with an unlimited number of threads. */
    VIRTUAL("one virtual thread per request", true, Set.of(NETTY3, NETTY4, FRESHET)),
    /** Any thread takes the next event; answers wait for the earlier ones. */
    PIPELINED("in parallel, answered in order", false, Set.of(FRESHET)),
    PIPELINED_VIRTUAL("the same, on virtual threads", true, Set.of(FRESHET));

    /** The same number of threads as in the case that this repeats. */
    static final int THREADS = 100;

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private final String label;
    private final boolean virtual;
    private final Set<Peer> peers;

    Way(String label, boolean virtual, Set<Peer> peers) {
        this.label = label;
        this.virtual = virtual;
        this.peers = peers;
    }

    /** Returns the name on a command line. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the name for people. */
    public String label() {
        return label;
    }

    /** Returns whether that peer has this way. */
    public boolean isOf(Peer peer) {
        return peers.contains(peer);
    }

    /** Returns the ways that this Java has. */
    public static List<Way> able() {
        return Arrays.stream(values())
                .filter(way -> !way.virtual || hasVirtualThreads())
                .toList();
    }

    static Way of(String id) {
        return valueOf(id.toUpperCase(Locale.ROOT));
    }

    static boolean hasVirtualThreads() {
        return Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS;
    }

    /** Returns the threads of a way that keeps no order. */
    ExecutorService threads() {
        if (!virtual) {
            return Executors.newFixedThreadPool(THREADS);
        }
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no virtual threads before Java " + FIRST_WITH_VIRTUAL_THREADS, e);
        }
    }
}
