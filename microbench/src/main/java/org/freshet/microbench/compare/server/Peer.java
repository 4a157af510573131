package org.freshet.microbench.compare.server;

import static org.freshet.microbench.compare.server.Role.CALLS;
import static org.freshet.microbench.compare.server.Role.ECHO;
import static org.freshet.microbench.compare.server.Role.H2;
import static org.freshet.microbench.compare.server.Role.HTTP;
import static org.freshet.microbench.compare.server.Role.LINES;
import static org.freshet.microbench.compare.server.Role.OBJECTS;
import static org.freshet.microbench.compare.server.Role.ORDERED;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.uring.IoUring;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.freshet.microbench.compare.report.Contender;

/** The servers to compare. The first one in a run is the reference for the others. */
public enum Peer implements Contender {
    BARE("bare", "bare NIO loop", EnumSet.of(ECHO, LINES, CALLS, HTTP), BareNioServer::new),
    THREADS("threads", "java.net threads", EnumSet.of(ECHO, LINES, OBJECTS), ThreadsServer::of),
    WHEEL("wheel", "socket wheel", EnumSet.of(OBJECTS), task -> new SocketWheelServer()),
    NETTY3("netty3", "Netty 3.10.6 NIO", EnumSet.complementOf(EnumSet.of(H2)), Netty3Server::nio),
    NETTY3_OIO("netty3-oio", "Netty 3.10.6 OIO", EnumSet.complementOf(EnumSet.of(H2)), Netty3Server::oio),
    NETTY4("netty4", "Netty 4.2 NIO", EnumSet.complementOf(EnumSet.of(OBJECTS)), Netty4Server::nio),
    NETTY4_EPOLL(
            "netty4-epoll", "Netty 4.2 epoll", EnumSet.complementOf(EnumSet.of(OBJECTS, ORDERED)), Netty4Server::epoll),
    NETTY4_URING(
            "netty4-uring",
            "Netty 4.2 io_uring",
            EnumSet.complementOf(EnumSet.of(OBJECTS, ORDERED)),
            Netty4Server::ioUring),
    /** Without channels for streams, and without message objects. */
    NETTY4_FRAMES("netty4-frames", "Netty 4.2 NIO, frames", EnumSet.of(H2), Netty4Server::nioOfFrames),
    /** One acceptor, one selector, a handler that does not block. */
    JETTY("jetty", "Jetty 12", EnumSet.of(H2), JettyServer::new),
    /** An installed program; serves content without TLS, but not requests with content. */
    NGHTTPD("nghttpd", "nghttpd", EnumSet.of(H2), NghttpdServer::new),
    VERTX("vertx", "Vert.x 5", EnumSet.of(ECHO, HTTP), VertxServer::new),
    ACTIVEJ("activej", "ActiveJ 6", EnumSet.of(ECHO, HTTP), ActiveJServer::new),
    MICROHTTP("microhttp", "microhttp", EnumSet.of(HTTP), MicrohttpServer::new),
    FRESHET("freshet", "Freshet NIO", EnumSet.allOf(Role.class), FreshetServer::nio),
    FRESHET_READY("freshet-ready", "Freshet NIO, ready-made", EnumSet.of(HTTP), FreshetServer::ready),
    /** The same answers from a function of the request. */
    FRESHET_FUNCTION("freshet-function", "Freshet NIO, function", EnumSet.of(HTTP), FreshetServer::function),
    FRESHET_BORROWING("freshet-borrowing", "Freshet NIO, borrowing", EnumSet.of(ECHO), FreshetServer::borrowing),
    /** A virtual thread for each connection, above the I/O thread. */
    FRESHET_CONVERSATION(
            "freshet-conversation", "Freshet NIO, conversation", EnumSet.of(ECHO, LINES), FreshetServer::conversing),
    FRESHET_RECYCLING("freshet-recycling", "Freshet NIO, recycling", EnumSet.of(ECHO), FreshetServer::recycling),
    /** Speaks the wire format of {@link #THREADS} and {@link #WHEEL}. */
    FRESHET_STREAMS(
            "freshet-streams", "Freshet NIO, object streams", EnumSet.of(OBJECTS), FreshetServer::objectStreams),
    /** Each connection is recorded by one {@code WireTap}, in a file that is deleted at the end. */
    FRESHET_TAPPED("freshet-tapped", "Freshet NIO, tapped", EnumSet.of(ECHO, HTTP), FreshetServer::tapped),
    /** This server in an earlier build, to measure the effect of a change. */
    FRESHET_BEFORE("freshet-before", "Freshet NIO, before", EnumSet.allOf(Role.class), FreshetServer::nio),
    FRESHET_OIO("freshet-oio", "Freshet OIO", EnumSet.allOf(Role.class), FreshetServer::oio),
    FRESHET_VIRTUAL(
            "freshet-virtual", "Freshet OIO, virtual", EnumSet.allOf(Role.class), FreshetServer::oioOnVirtualThreads);

    /** The system property with the path of the earlier build's benchmarks.jar. */
    private static final String BEFORE = "freshet.before";

    /** The system property with the id of the peer that the earlier build plays. */
    private static final String BEFORE_AS = "freshet.before.as";

    private static final Set<Peer> USUAL = EnumSet.of(BARE, NETTY3, NETTY4, NETTY4_FRAMES, JETTY, FRESHET);

    private final String id;
    private final String label;
    private final Set<Role> roles;
    private final Function<Assignment, PeerServer> factory;

    Peer(String id, String label, Set<Role> roles, Function<Assignment, PeerServer> factory) {
        this.id = id;
        this.label = label;
        this.roles = roles;
        this.factory = factory;
    }

    /** The peer's name on a command line and in JSON. */
    @Override
    public String id() {
        return id;
    }

    /** The peer's name in tables and plots. */
    @Override
    public String label() {
        return label;
    }

    /** Returns whether it runs without {@code --peers}. */
    public boolean isUsual() {
        return USUAL.contains(this);
    }

    /** Returns the peers that can play {@code role} on this Java and this system. */
    public static List<Peer> able(Role role) {
        return playing(role).filter(Peer::isAble).toList();
    }

    /** Returns the peers that can play {@code role}, but not on this Java or this system. */
    public static List<Peer> missing(Role role) {
        return playing(role).filter(peer -> !peer.isAble()).toList();
    }

    private static Stream<Peer> playing(Role role) {
        return Arrays.stream(values()).filter(peer -> peer.roles.contains(role));
    }

    private boolean isAble() {
        return switch (this) {
            case FRESHET_VIRTUAL, FRESHET_CONVERSATION -> Way.hasVirtualThreads();
            case FRESHET_BEFORE -> System.getProperty(BEFORE) != null;
            case NGHTTPD -> NghttpdServer.isInstalled();
            case NETTY4_EPOLL -> Epoll.isAvailable();
            case NETTY4_URING -> IoUring.isAvailable();
            default -> true;
        };
    }

    /** Returns the class path of its process. */
    public String classPath() {
        return System.getProperty(this == FRESHET_BEFORE ? BEFORE : "java.class.path");
    }

    /** Returns its id in its own process: an earlier build knows itself by its usual name, or the one that was asked for. */
    public String idInProcess() {
        return this == FRESHET_BEFORE ? System.getProperty(BEFORE_AS, FRESHET.id) : id;
    }

    /** Returns a server that has not been started. */
    public PeerServer server(Assignment assignment) {
        return factory.apply(assignment);
    }

    /** Returns the peer with that {@link #id}, if any. */
    public static Optional<Peer> of(String id) {
        return Arrays.stream(values()).filter(peer -> peer.id.equals(id)).findFirst();
    }

    /** Returns the ids of {@code peers}, comma-separated. */
    public static String ids(Collection<Peer> peers) {
        return peers.stream().map(Peer::id).collect(Collectors.joining(","));
    }
}
