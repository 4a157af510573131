package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A server in a process of its own that may open few descriptors. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "sets the limit with the shell's ulimit")
class DescriptorExhaustionTest {
    private static final int DESCRIPTOR_LIMIT = 120;
    private static final int CONNECTIONS = 200;
    private static final int ECHO_LIMIT_MILLIS = 5_000;

    @Test
    void shouldServeAgainWhenDescriptorsAreFree() throws Exception {
        List<ScriptedPeer> crowd = new ArrayList<>();
        try (ChildJvm server = new ChildJvm(Server.class, DESCRIPTOR_LIMIT)) {
            InetSocketAddress address = addressOf(server);
            for (int i = 0; i < CONNECTIONS; i++) {
                crowd.add(ScriptedPeer.connect(address)); // the kernel connects them, up to its backlog
            }
            assertEcho(crowd.get(0));
            server.awaitLine(line -> line.contains("cannot accept"), "the warning");
            for (ScriptedPeer peer : crowd.subList(0, CONNECTIONS - 1)) {
                peer.close();
            }
            assertEcho(crowd.get(CONNECTIONS - 1)); // was waiting all the time
            try (ScriptedPeer newcomer = ScriptedPeer.connect(address)) {
                assertEcho(newcomer);
            }
            assertEquals(0, server.end());
            assertEquals(
                    1,
                    server.lines().stream()
                            .filter(line -> line.contains("cannot accept"))
                            .count(),
                    "warnings");
        } finally {
            for (ScriptedPeer peer : crowd) {
                peer.close();
            }
        }
    }

    private static InetSocketAddress addressOf(ChildJvm server) throws InterruptedException {
        String port = server.awaitLine(line -> line.startsWith(Server.PORT), "the server's port");
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), Integer.parseInt(port.substring(Server.PORT.length())));
    }

    private static void assertEcho(ScriptedPeer peer) throws IOException {
        peer.socket().setSoTimeout(ECHO_LIMIT_MILLIS);
        peer.send("ping");
        assertEquals("ping", peer.readText(4));
    }

    /** Echoes until its standard input ends. */
    static final class Server {
        static final String PORT = "port ";

        private Server() {}

        public static void main(String[] args) throws IOException {
            try (Rig rig = new Rig()) {
                Recorder echo = new Recorder() {
                    @Override
                    void onMessage(MessageEvent e) {
                        e.getChannel().write(e.getMessage());
                    }
                };
                Channel server = rig.bind(() -> Channels.pipeline(echo), Map.of("backlog", 2 * CONNECTIONS));
                // One whole life, so that every class is loaded before descriptors run out.
                try (ScriptedPeer first = ScriptedPeer.connect(server.getLocalAddress())) {
                    assertEcho(first);
                }
                echo.awaitClosed();
                System.out.println(PORT + ((InetSocketAddress) server.getLocalAddress()).getPort());
                while (System.in.read() >= 0) {
                    continue;
                }
            }
        }
    }
}
