package org.freshet.microbench.compare.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.stream.Stream;
import org.freshet.microbench.compare.load.Generator;
import org.freshet.microbench.compare.load.HttpDialect;
import org.freshet.microbench.compare.load.LoadGenerator;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each echo, HTTP/1.1 and two-loop server runs in this process and answers some hundred messages. The load checks every
 * byte and fails at the first wrong one.
 */
class PeerTest {
    private static final int MESSAGES = 500;
    private static final long SEED = 26_112_026;

    @FunctionalInterface
    private interface Loading {
        Generator of(int port) throws Exception;
    }

    static Stream<Peer> echoing() {
        return Peer.able(Role.ECHO).stream();
    }

    static Stream<Peer> ofHttp() {
        return Peer.able(Role.HTTP).stream();
    }

    static Stream<Peer> handingOver() {
        return Peer.able(Role.RELAY).stream();
    }

    @ParameterizedTest
    @MethodSource("echoing")
    void shouldEchoWhatItReceives(Peer peer) throws Exception {
        Load load = new Load(3, 1000, 16, SEED);
        assertAnswers(peer, Assignment.of(Role.ECHO), port -> new LoadGenerator(port, load));
    }

    @ParameterizedTest
    @MethodSource("ofHttp")
    void shouldAnswerPipelinedRequests(Peer peer) throws Exception {
        Load load = new Load(3, 0, 16, SEED);
        assertAnswers(peer, Assignment.of(Role.HTTP), port -> LoadGenerator.ofRequests(port, load));
    }

    @ParameterizedTest
    @MethodSource("ofHttp")
    void shouldAnswerRequestsWithTheirNumberOfBytes(Peer peer) throws Exception {
        Load load = new Load(3, 70_000, 2, SEED);
        assertAnswers(
                peer,
                Assignment.of(Role.HTTP).with("body", load.messageBytes()),
                port -> LoadGenerator.ofPosts(port, load));
    }

    @ParameterizedTest
    @MethodSource("handingOver")
    void shouldSendWhatItReceivesToThePartnerOnTheOtherLoop(Peer peer) throws Exception {
        Load load = new Load(3, 1000, 16, SEED);
        assertAnswers(
                peer, Assignment.of(Role.RELAY).with(Assignment.LOOPS, 2), port -> LoadGenerator.ofRelays(port, load));
    }

    @ParameterizedTest
    @MethodSource("handingOver")
    void shouldEchoWithWritesOfAnotherThread(Peer peer) throws Exception {
        Load load = new Load(3, 1000, 16, SEED);
        assertAnswers(
                peer, Assignment.of(Role.HANDED).with(Assignment.LOOPS, 2), port -> new LoadGenerator(port, load));
    }

    @ParameterizedTest
    @MethodSource("echoing")
    void shouldCloseConnectionsOfItsEcho(Peer peer) throws Exception {
        assertClosesConnections(peer, Assignment.of(Role.ECHO), new byte[] {1});
    }

    @ParameterizedTest
    @MethodSource("ofHttp")
    void shouldCloseConnectionsOfHttp(Peer peer) throws Exception {
        assertClosesConnections(peer, Assignment.of(Role.HTTP), HttpDialect.request());
    }

    /** Otherwise they stay in a process that runs several servers. */
    private static void assertClosesConnections(Peer peer, Assignment assignment, byte[] request) throws Exception {
        assumeTrue(peer != Peer.NETTY3_OIO, "its threads read until the client closes");
        try (Socket client = new Socket()) {
            client.setSoTimeout(10_000);
            try (PeerServer server = peer.server(assignment)) {
                client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.start()));
                client.getOutputStream().write(request);
                assertTrue(client.getInputStream().read() >= 0);
            }
            client.getInputStream().readAllBytes();
        } catch (SocketException e) {
            assertTrue(e.getMessage().contains("reset"), e::toString);
        }
    }

    private static void assertAnswers(Peer peer, Assignment assignment, Loading loading) throws Exception {
        try (PeerServer server = peer.server(assignment);
                Generator load = loading.of(server.start())) {
            load.connect();
            assertEquals(
                    MESSAGES,
                    load.run(MESSAGES, Duration.ofSeconds(20), done -> {}).messages());
        }
    }
}
