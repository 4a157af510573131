package org.freshet.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.JMX;
import org.freshet.bootstrap.BootstrapMXBean;
import org.freshet.bootstrap.BootstrapRegistration;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an operator can do with a server's connections over JMX, over every pair of transports. */
class ManagedConnectionsTest {
    private final Recorder accepting = new Recorder();

    private static String id(Channel channel) {
        return String.format("0x%08x", channel.getId());
    }

    private static BootstrapMXBean proxy(BootstrapRegistration registration) {
        return JMX.newMXBeanProxy(
                ManagementFactory.getPlatformMBeanServer(), registration.objectName(), BootstrapMXBean.class);
    }

    @ParameterizedTest
    @EnumSource
    void shouldListAndExplainConnectionsAndRememberTheirCloseReasons(Pair pair) {
        try (Rig rig = pair.rig();
                BootstrapRegistration registration = rig.server().registerMBean("connections")) {
            BootstrapMXBean managed = proxy(registration);
            Channel server = rig.listen(pair.freeAddress(), () -> accepting);
            rig.connect(server.getLocalAddress());
            Channel accepted = accepting.awaitEvent("connected").channel();

            assertTrue(managed.listConnections(10).contains(id(accepted)), managed.listConnections(10));
            String text = managed.explainConnection(id(accepted));
            assertTrue(text.contains("state: connected") && text.contains(Recorder.class.getName()), text);
            assertEquals("IllegalArgumentException", refusal(() -> managed.explainConnection("0xffffffff")));
            assertEquals("IllegalArgumentException", refusal(() -> managed.explainConnection("first")));

            assertTrue(managed.getLastClosed().isEmpty());
            Await.success(accepted.close(CloseReason.of(CloseReason.Kind.LOCAL, "shop is shut", null)), "the close");
            Await.until(() -> !managed.getLastClosed().isEmpty(), "the close to be remembered");
            String line = managed.getLastClosed().get(0);
            assertTrue(line.contains(id(accepted)) && line.endsWith("shop is shut"), line);
        }
    }

    private static String refusal(Runnable call) {
        return assertThrows(RuntimeException.class, call::run).getClass().getSimpleName();
    }

    @ParameterizedTest
    @EnumSource
    void shouldDrainTheServersAndReport(Pair pair) {
        try (Rig rig = pair.rig();
                BootstrapRegistration registration = rig.server().registerMBean("connections");
                BootstrapRegistration client = rig.client().registerMBean("connections")) {
            Channel server = rig.listen(pair.freeAddress(), () -> accepting);
            rig.connect(server.getLocalAddress());
            Channel accepted = accepting.awaitEvent("connected").channel();
            String report = proxy(registration).drain(0);
            assertTrue(report.startsWith("drained 1 connection in "), report);
            assertFalse(server.isOpen());
            Await.done(accepted.getCloseFuture(), "the close of the connection that was cut off");
            assertEquals(CloseReason.Kind.DRAINED, accepted.getCloseReason().kind());
            assertEquals("IllegalStateException", refusal(() -> proxy(client).drain(0)));
            assertEquals("IllegalStateException", refusal(() -> proxy(client).pauseAccepting()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTapAConnection(Pair pair, @TempDir Path directory) throws Exception {
        Path file = directory.resolve("tap.pcapng");
        try (Rig rig = pair.rig();
                BootstrapRegistration registration = rig.server().registerMBean("connections")) {
            BootstrapMXBean managed = proxy(registration);
            Channel server = rig.listen(pair.freeAddress(), () -> accepting);
            Channel client = rig.connect(server.getLocalAddress());
            Channel accepted = accepting.awaitEvent("connected").channel();

            assertEquals(
                    "IllegalArgumentException",
                    refusal(() -> managed.startTap(id(accepted), "no such handler", file.toString(), 1 << 20)));
            managed.startTap(id(accepted), "", file.toString(), 1 << 20);
            assertEquals(
                    "IllegalStateException", refusal(() -> managed.startTap(id(accepted), "", file + "2", 1 << 20)));
            Await.success(client.write(copiedBuffer("tapped", ISO_8859_1)), "the write");
            accepting.awaitText("tapped");
            managed.stopTap();
            managed.stopTap();
            assertTrue(Files.readString(file, ISO_8859_1).contains("tapped"));
            assertNull(accepted.getPipeline().get("freshet tap"));
        }
    }
}
