package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.telemetry.LoopStats;
import org.freshet.telemetry.Telemetry;
import org.freshet.testing.Await;
import org.freshet.testing.Echo;
import org.freshet.testing.FakeClock;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.Test;

/** The statistics of loops. */
class LoopStatsTest {
    @Test
    void shouldCountTheTimeFromTheEndOfTheWaitToTheEndOfTheIteration() {
        FakeClock clock = new FakeClock();
        Platform platform = new Platform(SelectorProvider.provider(), clock::nanos);
        try (SteppedLoop<NioWorker> stepped = new SteppedLoop<>(NioWorker::new, platform)) {
            LoopStats stats = stepped.loop().stats();
            clock.advance(Duration.ofHours(1)); // as if the loop waited
            stepped.loop().submit(() -> clock.advance(Duration.ofNanos(700)));
            stepped.loop().submit(() -> clock.advance(Duration.ofNanos(300)));
            assertEquals(2, stats.getTasksPending());
            stepped.waitingTurn();
            clock.advance(Duration.ofHours(1));
            stepped.loop().submit(() -> clock.advance(Duration.ofNanos(2000)));
            stepped.waitingTurn();
            assertEquals(3000, stats.getBusyNanos());
            assertEquals(2000, stats.getLongestIterationNanos());
            assertEquals(2, stats.getIterations());
            assertEquals(3, stats.getTasksRun());
            assertEquals(0, stats.getTasksPending());
            assertEquals(1, stats.getIterationHistogram()[10], "512 to 1,023 ns");
            assertEquals(1, stats.getIterationHistogram()[11], "1,024 to 2,047 ns");
        }
    }

    private static long sum(List<LoopStats> loops, String role, ToLongFunction<LoopStats> value) {
        return loops.stream()
                .filter(loop -> loop.getRole().equals(role))
                .mapToLong(value)
                .sum();
    }

    @Test
    void shouldAddUpToTheClientsBytesAndConnections() {
        int connections = 40;
        int bytes = 1000;
        NioServerSocketChannelFactory servers = new NioServerSocketChannelFactory(2);
        NioClientSocketChannelFactory clients = new NioClientSocketChannelFactory();
        try (Rig rig = new Rig(servers, clients)) {
            Channel server = rig.listen(Echo::new);
            List<Channel> open = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                Recorder recorder = new Recorder();
                Channel client = rig.connect(server.getLocalAddress(), recorder);
                client.write(ChannelBuffers.wrappedBuffer(new byte[bytes]));
                recorder.awaitText("x".repeat(bytes));
                open.add(client);
            }
            List<LoopStats> loops = Telemetry.loops(servers, clients, servers);
            List<LoopStats> own = Telemetry.loops(servers);
            assertEquals(3, own.size());
            assertEquals((long) connections * bytes, sum(own, "worker", LoopStats::getBytesRead));
            Await.until( // a client may receive the echo before the loop has counted it
                    () -> sum(own, "worker", LoopStats::getBytesWritten) == (long) connections * bytes,
                    "the bytes of all echoes");
            assertTrue(sum(own, "worker", LoopStats::getReads) >= connections);
            assertTrue(sum(own, "worker", LoopStats::getWrites) >= connections);
            assertEquals(connections, sum(own, "worker", LoopStats::getConnectionsOpened));
            assertEquals(connections, sum(own, "worker", LoopStats::getChannels));
            assertEquals(1, sum(own, "server-boss", LoopStats::getChannels));
            assertEquals(2L * connections, sum(loops, "worker", LoopStats::getConnectionsOpened));

            open.subList(0, 30).forEach(Channel::close);
            Await.until(() -> closed(own, Kind.PEER_CLOSED) == 30, "30 connections to be closed");
            assertEquals(30, closed(loops, Kind.LOCAL));
            server.close().awaitUninterruptibly();
        }
        List<LoopStats> all = Telemetry.loops(servers, clients);
        long closed = 0;
        for (Kind kind : Kind.values()) {
            closed += closed(all, kind);
        }
        assertEquals(2L * connections, closed, "for any reason");
        assertEquals(0, sum(all, "worker", LoopStats::getChannels));
    }

    private static long closed(List<LoopStats> loops, Kind kind) {
        return sum(loops, "worker", loop -> loop.getConnectionsClosed().get(kind.name()));
    }

    @Test
    void shouldHaveATextForm() throws Exception {
        NioServerSocketChannelFactory servers = new NioServerSocketChannelFactory(1);
        try (Rig rig = new Rig(servers, new NioClientSocketChannelFactory())) {
            Channel server = rig.listen(Echo::new);
            rig.connect(server.getLocalAddress());
            StringBuilder text = new StringBuilder();
            Telemetry.writePrometheus(text, servers);
            assertTrue(text.toString().contains("# TYPE freshet_loop_busy_seconds_total counter\n"), text::toString);
            assertTrue(
                    text.toString().contains("freshet_loop_channels{loop=\"freshet-nio-server-boss-"), text::toString);
            assertTrue(
                    text.toString().contains("freshet_connections_closed_total{reason=\"peer_closed\"} 0\n"),
                    text::toString);
        }
    }
}
