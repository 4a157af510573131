package org.freshet.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.Drain;
import org.freshet.bootstrap.DrainReport;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.timeout.ConnectionAgeHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Echo;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Draining servers, over every pair of transports. */
class DrainMatrixTest {
    private static final Duration FOR_EVER = Duration.ofDays(1);

    /** Echoes; holds the channel after it has received work, until the test releases it. */
    private static final class Worker extends SimpleChannelUpstreamHandler {
        private final BlockingQueue<DrainEvent.Hold> holds;
        private boolean hasWork;

        Worker(BlockingQueue<DrainEvent.Hold> holds) {
            this.holds = holds;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            hasWork |= ((ChannelBuffer) e.getMessage()).toString(ISO_8859_1).startsWith("w");
            e.getChannel().write(e.getMessage());
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (e instanceof DrainEvent drain) {
                drain.claim();
                if (hasWork) {
                    holds.add(drain.hold(ctx, "an order"));
                }
            }
            super.handleUpstream(ctx, e);
        }
    }

    /** A client that the server has accepted, and echoed. */
    private static Recorder connect(Rig rig, Channel server, String request) {
        Recorder client = new Recorder();
        rig.connect(server.getLocalAddress(), client).write(copiedBuffer(request, ISO_8859_1));
        client.awaitText(request);
        return client;
    }

    private static DrainReport report(CompletableFuture<DrainReport> drain) {
        return Await.result(drain, "the report of the drain");
    }

    private static DrainEvent.Hold take(BlockingQueue<DrainEvent.Hold> holds) throws InterruptedException {
        DrainEvent.Hold hold = holds.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertTrue(hold != null, "no handler took a hold");
        return hold;
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseIdleConnectionsAndLetOthersFinish(Pair pair) throws Exception {
        BlockingQueue<DrainEvent.Hold> holds = new LinkedBlockingQueue<>();
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> new Worker(holds));
            Recorder busy = connect(rig, server, "work");
            Recorder idle = connect(rig, server, "idle");

            CompletableFuture<DrainReport> drain = rig.server().drain(FOR_EVER);
            DrainEvent.Hold hold = take(holds);
            idle.awaitClosed();
            assertFalse(server.isOpen());
            assertFalse(drain.isDone());
            hold.release();

            DrainReport report = report(drain);
            busy.awaitClosed();
            assertTrue(report.isClean(), report.toString());
            assertEquals(2, report.connections());
            assertEquals(1, report.finished());
            assertEquals(1, report.idle());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCutOffAtTheDeadlineAndNameTheHolders(Pair pair) throws Exception {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> new Worker(new LinkedBlockingQueue<>()));
            Recorder busy = connect(rig, server, "work");

            DrainReport report = report(rig.server().drain(Duration.ofMillis(1)));

            busy.awaitClosed();
            assertEquals(1, report.cutOff().size(), report.toString());
            assertFalse(report.isClean());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseQuietConnectionsWithoutAHandlerThatKnowsTheDrain(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Echo::new);
            Recorder client = connect(rig, server, "hello");
            DrainReport report = report(Drain.of(rig.server())
                    .quietPeriod(Duration.ofMillis(1))
                    .deadline(FOR_EVER)
                    .start());

            client.awaitClosed();
            assertTrue(report.isClean(), report.toString());
            assertEquals(1, report.connections());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAllowReleasingResourcesWhenTheReportArrives(Pair pair) {
        Rig rig = pair.rig();
        try {
            Channel server = rig.listen(pair.freeAddress(), () -> new Worker(new LinkedBlockingQueue<>()));
            connect(rig, server, "idle");

            CompletableFuture<Void> released = rig.server()
                    .drain(FOR_EVER)
                    .thenAccept(report -> rig.server().releaseExternalResources());

            Await.result(released, "the release");
        } finally {
            rig.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDrainAConnectionThatReachesItsMaximumAge(Pair pair) throws Exception {
        BlockingQueue<DrainEvent.Hold> holds = new LinkedBlockingQueue<>();
        HashedWheelTimer timer = new HashedWheelTimer();
        try (Rig rig = pair.rig()) {
            ConnectionAgeHandler age =
                    new ConnectionAgeHandler(timer, Duration.ofMillis(1), Duration.ZERO, Duration.ofDays(1));
            rig.server().setPipelineFactory(() -> org.freshet.channel.Channels.pipeline(age, new Worker(holds)));
            Channel server = rig.server().bind(pair.freeAddress());
            Recorder client = new Recorder();
            rig.connect(server.getLocalAddress(), client);

            client.awaitClosed();
            assertTrue(server.isOpen());
        } finally {
            timer.stop();
        }
    }

    @Test
    void shouldDrainServersThatHaveNoConnections() {
        try (Rig rig = Pair.NIO_NIO.rig()) {
            rig.listen(Recorder::new);
            DrainReport report = report(rig.server().drain(FOR_EVER));
            assertEquals(0, report.connections());
            assertEquals(0, report(rig.server().drain(FOR_EVER)).connections(), "the second time");
        }
    }

    @Test
    void shouldRefuseToStartTwiceAndServersThatItCannotList() {
        try (Rig rig = Pair.NIO_NIO.rig()) {
            Channel server = rig.listen(Recorder::new);
            Channel client = rig.connect(server.getLocalAddress());
            assertThrows(IllegalArgumentException.class, () -> Drain.ofServers(List.of(client)));
            Drain drain = Drain.of(rig.server()).quietPeriod(Duration.ZERO);
            report(drain.start());
            assertThrows(IllegalStateException.class, drain::start);
            assertThrows(IllegalArgumentException.class, () -> drain.quietPeriod(Duration.ofMillis(-1)));
        }
    }
}
