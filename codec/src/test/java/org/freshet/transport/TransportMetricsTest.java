package org.freshet.transport;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMX;
import org.freshet.bootstrap.BootstrapMXBean;
import org.freshet.bootstrap.BootstrapRegistration;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.CloseReason;
import org.freshet.telemetry.MetricVisitor;
import org.freshet.telemetry.Telemetry;
import org.freshet.testing.Await;
import org.freshet.testing.Echo;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections and bytes in metrics and JMX for every transport; transports without loops have no loop rows. */
class TransportMetricsTest {
    /** The sums over all labels but {@code reason}. */
    private static final class Sums implements MetricVisitor {
        final Map<String, Double> values = new HashMap<>();

        static Sums of(ChannelFactory factory) {
            Sums sums = new Sums();
            Telemetry.visit(sums, factory);
            return sums;
        }

        @Override
        public void counter(String name, String help, Map<String, String> labels, double value) {
            String reason = labels.get("reason");
            values.merge(reason == null ? name : name + " " + reason, value, Double::sum);
        }

        @Override
        public void gauge(String name, String help, Map<String, String> labels, double value) {
            counter(name, help, labels, value);
        }

        @Override
        public void histogram(
                String name, String help, Map<String, String> labels, double[] bounds, long[] counts, double sum) {
            counter(name, help, labels, sum);
        }

        long get(String name) {
            return values.getOrDefault("freshet_" + name, -1.0).longValue();
        }

        boolean hasLoops() {
            return values.keySet().stream().anyMatch(name -> name.startsWith("freshet_loop_"));
        }
    }

    /** Counts may lag briefly for a thread that only observes them. */
    private static void awaitValue(long expected, ChannelFactory factory, String name) {
        Await.until(
                () -> Sums.of(factory).get(name) == expected,
                () -> name + " is not " + expected + " in " + Sums.of(factory).values);
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportConnectionsAndBytesOfBothSides(Pair pair) throws Exception {
        int bytes = 1000;
        try (Rig rig = pair.rig();
                BootstrapRegistration registration = rig.server().registerMBean("metrics of " + pair)) {
            ChannelFactory servers = rig.server().getFactory();
            ChannelFactory clients = rig.client().getFactory();
            Channel server = rig.listen(pair.freeAddress(), Echo::new);
            Recorder echoed = new Recorder();
            Channel client = rig.connect(server.getLocalAddress(), echoed);
            Recorder other = new Recorder();
            Channel second = rig.connect(server.getLocalAddress(), other);
            client.write(wrappedBuffer(new byte[bytes]));
            echoed.awaitText("\0".repeat(bytes));
            for (ChannelFactory side : List.of(servers, clients)) {
                awaitValue(2, side, "connections_open");
                awaitValue(2, side, "connections_opened_total");
                awaitValue(bytes, side, "bytes_read_total");
                awaitValue(bytes, side, "bytes_written_total");
            }

            Await.success(second.close(CloseReason.of(CloseReason.Kind.TIMED_OUT)), "the close");
            other.awaitClosed();
            awaitValue(1, servers, "connections_closed_total peer_closed");
            awaitValue(1, clients, "connections_closed_total timed_out");
            awaitValue(1, servers, "connections_open");
            awaitValue(2, servers, "connections_opened_total");
            awaitValue(0, servers, "connections_closed_total local");
            assertEquals(
                    pair == Pair.NIO_NIO || pair == Pair.NIO_OIO || pair == Pair.UNIX,
                    Sums.of(servers).hasLoops());

            BootstrapMXBean bean = JMX.newMXBeanProxy(
                    ManagementFactory.getPlatformMBeanServer(), registration.objectName(), BootstrapMXBean.class);
            Await.until(() -> bean.getOpenConnections() == 1, "one connection in JMX");
            assertEquals(2, bean.getAcceptedConnections());
            assertEquals(Map.of("PEER_CLOSED", 1L), bean.getClosedByReason());
            assertEquals(bytes, bean.getBytesRead());
            Await.until(() -> bean.getBytesWritten() == bytes, "the bytes of the echo in JMX");
            assertEquals(0, bean.getPendingBytes());
            assertEquals(0, bean.getCongestedChannels());
            assertTrue(bean.getOldestConnectionSeconds() >= 0);
        }
    }
}
