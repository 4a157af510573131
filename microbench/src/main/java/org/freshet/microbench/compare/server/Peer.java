package org.freshet.microbench.compare.server;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The servers that are compared. The first one of a run is what the others are divided by. */
public enum Peer {
    BARE("bare", "bare NIO loop", true, role -> new BareNioServer()),
    THREADS("threads", "java.net threads", false, role -> new ThreadsServer()),
    NETTY3("netty3", "Netty 3.10.6 NIO", true, role -> new Netty3Server(role, Netty3Server.nio())),
    NETTY3_OIO("netty3-oio", "Netty 3.10.6 OIO", false, role -> new Netty3Server(role, Netty3Server.oio())),
    NETTY4("netty4", "Netty 4.2 NIO", true, Netty4Server::new),
    FRESHET("freshet", "Freshet NIO", true, role -> new FreshetServer(role, FreshetServer.nio())),
    FRESHET_OIO("freshet-oio", "Freshet OIO", false, role -> new FreshetServer(role, FreshetServer.oio())),
    FRESHET_VIRTUAL(
            "freshet-virtual",
            "Freshet OIO, virtual",
            false,
            role -> new FreshetServer(role, FreshetServer.virtualOio()));

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
    private static final Set<Peer> ONLY_ECHO = EnumSet.of(BARE, THREADS);

    private final String id;
    private final String label;
    private final boolean usual;
    private final Function<Role, PeerServer> factory;

    Peer(String id, String label, boolean usual, Function<Role, PeerServer> factory) {
        this.id = id;
        this.label = label;
        this.usual = usual;
        this.factory = factory;
    }

    /** The peer's name on a command line and in JSON. */
    public String id() {
        return id;
    }

    /** The peer's name for people. */
    public String label() {
        return label;
    }

    /** Whether it runs when nobody says who shall. */
    public boolean isUsual() {
        return usual;
    }

    /** Those that can play {@code role} on this Java. */
    public static List<Peer> able(Role role) {
        return Arrays.stream(values())
                .filter(peer -> role == Role.ECHO || !ONLY_ECHO.contains(peer))
                .filter(peer -> peer != FRESHET_VIRTUAL || Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS)
                .toList();
    }

    /** A server that has not started yet. */
    public PeerServer server(Role role) {
        return factory.apply(role);
    }

    /** The peer of that {@link #id}, if there is one. */
    public static Optional<Peer> of(String id) {
        return Arrays.stream(values()).filter(peer -> peer.id.equals(id)).findFirst();
    }

    /** The ids of {@code peers}, comma-separated. */
    public static String ids(Collection<Peer> peers) {
        return peers.stream().map(Peer::id).collect(Collectors.joining(","));
    }
}
