package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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

    @Test
    void shouldServeAgainWhenDescriptorsAreFree() throws Exception {
        Process server = startServer();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            int port = Integer.parseInt(said.readLine());
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            List<ScriptedPeer> crowd = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                crowd.add(ScriptedPeer.connect(address)); // the kernel connects them, up to its backlog
            }
            assertEcho(crowd.get(0));
            awaitWarning(said);
            for (ScriptedPeer peer : crowd.subList(0, CONNECTIONS - 1)) {
                peer.close();
            }
            assertEcho(crowd.get(CONNECTIONS - 1)); // was waiting all the time
            try (ScriptedPeer newcomer = ScriptedPeer.connect(address)) {
                assertEcho(newcomer);
            }
            crowd.get(CONNECTIONS - 1).close();
            server.getOutputStream().close();
            assertTrue(server.waitFor(30, TimeUnit.SECONDS), "the server ends when it is told to");
            assertEquals(0, server.exitValue());
            assertEquals(
                    0,
                    said.lines().filter(line -> line.contains("cannot accept")).count(),
                    "it was said once");
        } finally {
            server.destroyForcibly();
        }
    }

    private static void assertEcho(ScriptedPeer peer) throws IOException {
        peer.send("ping");
        assertEquals("ping", peer.readText(4));
    }

    private static void awaitWarning(BufferedReader said) throws IOException {
        String line = said.readLine();
        while (line != null && !line.contains("cannot accept")) {
            line = said.readLine();
        }
        assertTrue(line != null, "the server ended without a warning");
    }

    private static Process startServer() throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        assertTrue(Files.isExecutable(java), "no " + java);
        String command = "ulimit -n " + DESCRIPTOR_LIMIT + "; exec \"$0\" \"$@\"";
        return new ProcessBuilder(
                        "sh",
                        "-c",
                        command,
                        java.toString(),
                        "-XX:-MaxFDLimit",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Server.class.getName())
                .redirectErrorStream(true)
                .start();
    }

    /** Echoes until its standard input ends. */
    static final class Server {
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
                System.out.println(((InetSocketAddress) server.getLocalAddress()).getPort());
                while (System.in.read() >= 0) {
                    continue;
                }
            }
        }
    }
}
