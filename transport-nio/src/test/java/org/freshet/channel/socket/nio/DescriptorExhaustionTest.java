package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.freshet.bootstrap.AcceptGuard;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Servers in a separate process with a low limit on descriptors. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "sets the limit with the shell's ulimit")
class DescriptorExhaustionTest {
    private static final int DESCRIPTOR_LIMIT = 120;
    private static final int CONNECTIONS = 200;
    private static final int ECHO_LIMIT_MILLIS = 5_000;

    private final List<ScriptedPeer> crowd = new ArrayList<>();

    @AfterEach
    void closeCrowd() throws IOException {
        for (ScriptedPeer peer : crowd) {
            peer.close();
        }
    }

    @Test
    void shouldServeAgainWhenDescriptorsAreAvailable() throws Exception {
        try (ChildJvm servers = new ChildJvm(Servers.class, DESCRIPTOR_LIMIT)) {
            InetSocketAddress address = nextAddress(servers);
            InetSocketAddress other = nextAddress(servers);
            InetSocketAddress guarded = nextAddress(servers);
            for (int i = 0; i < CONNECTIONS; i++) {
                crowd.add(ScriptedPeer.connect(address)); // the kernel connects them, up to its backlog
            }
            ScriptedPeer last = crowd.get(CONNECTIONS - 1);
            assertEcho(crowd.get(0));
            servers.awaitLine(line -> line.contains(Servers.WARNING), "the warning");
            try (ScriptedPeer waiting = ScriptedPeer.connect(other)) {
                servers.awaitLine(line -> line.contains(Servers.WARNING), "the warning of the other server");
                assertReset(guarded);
                servers.say(Servers.CALL_BOSS);
                servers.awaitLine(Servers.BOSS_ANSWER::equals, "a task of the boss of both");
                crowd.remove(last);
                closeCrowd();
                assertEcho(last); // was waiting all along, like the next one
                assertEcho(waiting);
            }
            try (ScriptedPeer newcomer = ScriptedPeer.connect(address)) {
                assertEcho(newcomer);
            }
            last.close();
            assertEquals(0, servers.end());
            assertEquals(
                    3,
                    servers.lines().stream()
                            .filter(line -> line.contains(Servers.WARNING))
                            .count(),
                    "warnings of three servers");
        }
    }

    /**
     * A guarded server answers with its reserve descriptor; the reset may arrive while the peer is still connecting.
     */
    private static void assertReset(InetSocketAddress server) throws IOException {
        try (ScriptedPeer refused = ScriptedPeer.connect(server)) {
            refused.awaitEnd();
        } catch (SocketException reset) {
            return;
        }
    }

    private static InetSocketAddress nextAddress(ChildJvm servers) throws InterruptedException {
        String port = servers.awaitLine(line -> line.startsWith(Servers.PORT), "a server's port");
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), Integer.parseInt(port.substring(Servers.PORT.length())));
    }

    private static void assertEcho(ScriptedPeer peer) throws IOException {
        peer.socket().setSoTimeout(ECHO_LIMIT_MILLIS);
        peer.send("ping");
        assertEquals("ping", peer.readText(4));
    }

    /** Three servers on one boss, one of them guarded; they echo until the standard input ends. */
    static final class Servers {
        static final String PORT = "port ";
        static final String WARNING = "cannot accept";
        static final char CALL_BOSS = 'b';
        static final String BOSS_ANSWER = "the boss is awake";

        private Servers() {}

        public static void main(String[] args) throws IOException {
            try (Rig rig = new Rig()) {
                Channel first = bind(rig);
                Channel second = bind(rig);
                rig.guard(AcceptGuard.builder().build());
                Channel guarded = bind(rig);
                callBoss(first);
                System.out.println(PORT + ((InetSocketAddress) first.getLocalAddress()).getPort());
                System.out.println(PORT + ((InetSocketAddress) second.getLocalAddress()).getPort());
                System.out.println(PORT + ((InetSocketAddress) guarded.getLocalAddress()).getPort());
                for (int command = System.in.read(); command >= 0; command = System.in.read()) {
                    callBoss(first);
                }
            }
        }

        private static void callBoss(Channel server) {
            Rig.onLoop(server, () -> System.out.println(BOSS_ANSWER));
        }

        private static Channel bind(Rig rig) throws IOException {
            Recorder echo = new Recorder() {
                @Override
                void onMessage(MessageEvent e) {
                    e.getChannel().write(e.getMessage());
                }
            };
            Channel server = rig.bind(() -> Channels.pipeline(echo), Map.of("backlog", 2 * CONNECTIONS));
            // One complete life cycle, so that every class is loaded before descriptors run out.
            try (ScriptedPeer first = ScriptedPeer.connect(server.getLocalAddress())) {
                assertEcho(first);
            }
            echo.awaitClosed();
            return server;
        }
    }
}
