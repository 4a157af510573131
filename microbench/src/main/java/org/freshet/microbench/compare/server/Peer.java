package org.freshet.microbench.compare.server;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The servers that are compared. The first one of a run is what the others are divided by. */
public enum Peer {
    BARE("bare", "bare NIO loop", role -> new BareNioServer()),
    NETTY3("netty3", "Netty 3.10.6 NIO", Netty3Server::new),
    NETTY4("netty4", "Netty 4.2 NIO", Netty4Server::new),
    FRESHET("freshet", "Freshet NIO", FreshetServer::new);

    private final String id;
    private final String label;
    private final Function<Role, PeerServer> factory;

    Peer(String id, String label, Function<Role, PeerServer> factory) {
        this.id = id;
        this.label = label;
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
