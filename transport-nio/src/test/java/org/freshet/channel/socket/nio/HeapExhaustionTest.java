package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * A server in a separate process whose handlers repeatedly fill the heap to the last byte while others are served.
 *
 * <p>Only on demand: each failed allocation takes the collector several passes over the heap, and a busy machine does
 * too few of them in the time a test may wait. {@code InterruptedRequestsTest} and {@code NioLoopTest} let memory run
 * out at chosen points.
 */
@EnabledIfSystemProperty(
        named = "freshet.test.heap",
        matches = "true",
        disabledReason = "needs an idle machine; -Dfreshet.test.heap=true runs it")
@EnabledOnOs(value = OS.LINUX, disabledReason = "starts the JVM with the shell")
class HeapExhaustionTest {
    private static final int DESCRIPTOR_LIMIT = 1_000;
    private static final int ROUNDS = 5;

    /** The number of failed allocations before the heap is freed. */
    private static final int FAILURES = 30;

    private static final int BYSTANDERS = 4;
    private static final int NEWCOMERS = 8;
    private static final int LIMIT_MILLIS = 10_000;

    @Test
    void shouldServeOnEveryWorkerAfterTheHeapWasExhausted() throws Exception {
        try (ChildJvm server = new ChildJvm(HoardingServer.class, DESCRIPTOR_LIMIT, "-Xmx24m", "-XX:+UseSerialGC")) {
            InetSocketAddress address = HoardingServer.awaitAddress(server);
            assertServed(address, "before"); // this also loads the classes
            for (int round = 0; round < ROUNDS; round++) {
                exhaustOnce(server, address);
                assertServed(address, "after round " + round);
            }
            assertEquals(0, server.end());
        }
    }

    @Test
    void shouldKeepListeningIfPeersConnectWhileTheHeapIsFull() throws Exception {
        try (ChildJvm server = new ChildJvm(HoardingServer.class, DESCRIPTOR_LIMIT, "-Xmx24m", "-XX:+UseSerialGC")) {
            InetSocketAddress address = HoardingServer.awaitAddress(server);
            assertServed(address, "before");
            server.say(HoardingServer.FILL);
            server.awaitLine(HoardingServer.FULL::equals, "the exhaustion");
            List<ScriptedPeer> peers = connect(address, NEWCOMERS);
            server.say(HoardingServer.RELEASE);
            server.awaitLine(HoardingServer.RELEASED::equals, "the release");
            close(peers);
            assertServed(address, "after");
            assertEquals(0, server.end());
        }
    }

    /**
     * Connections that send or are opened while memory is exhausted may be closed or lose a message: no transport can
     * recover what the JDK or a handler had begun when an allocation failed. They expose every part of the transport to
     * the shortage.
     */
    private static void exhaustOnce(ChildJvm server, InetSocketAddress address) throws Exception {
        List<ScriptedPeer> peers = connect(address, BYSTANDERS + 1);
        peers.get(0).send(HoardingServer.HOARD);
        server.awaitLine(HoardingServer.FULL::equals, "the exhaustion");
        for (ScriptedPeer bystander : peers.subList(1, peers.size())) {
            bystander.send("ping");
        }
        peers.addAll(connect(address, BYSTANDERS));
        server.say(HoardingServer.RELEASE);
        server.awaitLine(HoardingServer.RELEASED::equals, "the release");
        close(peers);
    }

    private static void assertServed(InetSocketAddress address, String when) throws IOException {
        List<ScriptedPeer> newcomers = connect(address, NEWCOMERS);
        for (ScriptedPeer newcomer : newcomers) {
            newcomer.send("ping");
            assertEquals("ping", newcomer.readText(4), when);
        }
        close(newcomers);
    }

    private static List<ScriptedPeer> connect(InetSocketAddress address, int count) throws IOException {
        List<ScriptedPeer> peers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ScriptedPeer peer = ScriptedPeer.connect(address);
            peer.socket().setSoTimeout(LIMIT_MILLIS);
            peers.add(peer);
        }
        return peers;
    }

    private static void close(List<ScriptedPeer> peers) throws IOException {
        for (ScriptedPeer peer : peers) {
            peer.close();
        }
    }

    /** Echoes, and fills the heap when a message or standard input says so; frees it when standard input does. */
    static final class HoardingServer {
        static final String PORT = "port ";
        static final String HOARD = "hoard";
        static final String FULL = "full";
        static final String RELEASED = "released";
        static final char FILL = 'f';
        static final char RELEASE = 'r';

        private static final byte[] FULL_LINE = (FULL + "\n").getBytes(StandardCharsets.US_ASCII);

        private static volatile Hoard hoard;

        private HoardingServer() {}

        static InetSocketAddress awaitAddress(ChildJvm server) throws InterruptedException {
            String port = server.awaitLine(line -> line.startsWith(PORT), "the port");
            return new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), Integer.parseInt(port.substring(PORT.length())));
        }

        public static void main(String[] args) throws IOException {
            try (Rig rig = new Rig()) {
                Channel server = rig.bind(() -> Channels.pipeline(new Handler()), Map.of("backlog", 100));
                System.out.println(PORT + ((InetSocketAddress) server.getLocalAddress()).getPort());
                for (int order = System.in.read(); order >= 0; order = System.in.read()) {
                    if (order == FILL) {
                        fillHeap();
                        System.out.writeBytes(FULL_LINE);
                    } else {
                        awaitFailures();
                        hoard = null;
                        System.out.println(RELEASED);
                    }
                }
            }
        }

        /** Gives the other threads time to fail, measured in the only unit that counts here: attempts to allocate. */
        private static void awaitFailures() {
            for (int i = 0; i < FAILURES; i++) {
                try {
                    hoard = new Hoard(hoard, new byte[1 << 16]);
                } catch (OutOfMemoryError wanted) {
                    Thread.yield();
                }
            }
        }

        private static OutOfMemoryError fillHeap() {
            OutOfMemoryError last = null;
            for (int bytes = 1 << 20; bytes >= 16; bytes /= 4) {
                try {
                    while (true) {
                        hoard = new Hoard(hoard, new byte[bytes]);
                    }
                } catch (OutOfMemoryError e) {
                    last = e; // smaller pieces may still fit
                }
            }
            return last;
        }

        private record Hoard(Hoard next, byte[] bytes) {}

        @Sharable
        private static final class Handler extends SimpleChannelUpstreamHandler {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                ChannelBuffer message = (ChannelBuffer) e.getMessage();
                if (message.toString(StandardCharsets.US_ASCII).equals(HOARD)) {
                    OutOfMemoryError exhaustion = fillHeap();
                    System.out.writeBytes(FULL_LINE);
                    throw exhaustion;
                }
                e.getChannel().write(message);
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                e.getChannel().close();
            }
        }
    }
}
