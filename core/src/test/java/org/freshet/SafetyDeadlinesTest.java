package org.freshet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.Drain;
import org.freshet.bootstrap.DrainReport;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MemoryBudget;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.handler.timeout.ConnectionAgeHandler;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.write.StallTimer;
import org.freshet.telemetry.Explain;
import org.freshet.testing.Await;
import org.freshet.testing.BusyCommonPool;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The safeguards of a process work even while an application blocks every thread of the JDK's common pool. */
@Isolated
class SafetyDeadlinesTest {
    private static final LocalAddress NAME = new LocalAddress("safety-deadlines-test");

    private final long limitBefore = MemoryBudget.getLimit();
    private final Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory());
    private final BusyCommonPool busy = BusyCommonPool.start();

    @AfterEach
    void restore() {
        busy.close();
        MemoryBudget.setLimit(limitBefore);
        rig.close();
    }

    @Test
    void shouldKeepTheMemoryBudget() {
        rig.server().setParentHandler(new SimpleChannelUpstreamHandler() {
            @Override
            public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
                e.getChildChannel().setReadable(false);
            }
        });
        rig.listen(NAME, Recorder::new);
        Channel great = rig.connect(NAME);
        great.write(ChannelBuffers.wrappedBuffer(new byte[300_000]));
        MemoryBudget.setLimit(200_000);
        Await.done(great.getCloseFuture(), "the close");
        assertEquals(Kind.OVERFLOW, great.getCloseReason().kind());
    }

    @Test
    void shouldDetectAWriteStall() {
        CountDownLatch stalled = new CountDownLatch(1);
        new StallTimer(new StallTimer.Queue() {
                    @Override
                    public Object head() {
                        return this;
                    }

                    @Override
                    public long sentBytes() {
                        return 0;
                    }

                    @Override
                    public int stallMillis() {
                        return 20;
                    }

                    @Override
                    public void onStalled(int stallMillis) {
                        stalled.countDown();
                    }
                })
                .onQueued();
        Await.latch(stalled, "the stall");
    }

    /** Holds its channel and never lets it go. */
    private static final class Holder extends SimpleChannelUpstreamHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (e instanceof DrainEvent drain) {
                drain.claim();
                drain.hold(ctx, "everything");
            }
            super.handleUpstream(ctx, e);
        }
    }

    @Test
    void shouldEndADrainAtItsDeadline() {
        Channel server = rig.listen(NAME, Holder::new);
        Channel client = rig.connect(NAME);
        DrainReport report = Await.result(
                Drain.ofServers(List.of(server))
                        .keepAccepting(Duration.ofMillis(1))
                        .deadline(Duration.ofMillis(20))
                        .start(),
                "the report");
        assertEquals(1, report.cutOff().size());
        Await.done(client.getCloseFuture(), "the close");
    }

    @Test
    void shouldCutOffAConnectionThatIsTooOld() {
        FakeTimer timer = new FakeTimer();
        assertCutOff(timer, timer);
    }

    @Test
    void shouldCutOffAConnectionThatIsTooOldAfterItsTimerWasStopped() {
        FakeTimer timer = new FakeTimer();
        assertCutOff(timer, new Timer() {
            private boolean isUsed;

            @Override
            public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
                if (isUsed) {
                    throw new IllegalStateException("thrown on purpose");
                }
                isUsed = true;
                return timer.newTimeout(task, delay, unit);
            }

            @Override
            public Set<Timeout> stop() {
                return Set.of();
            }
        });
    }

    private static void assertCutOff(FakeTimer clock, Timer timer) {
        MemoryChannel channel = MemoryChannel.connected(
                new ConnectionAgeHandler(timer, Duration.ofSeconds(60), Duration.ZERO, Duration.ofMillis(5)),
                new Holder());
        clock.advance(Duration.ofSeconds(60));
        Await.done(channel.getCloseFuture(), "the close");
        assertEquals(Kind.DRAINED, channel.getCloseReason().kind());
    }

    @Test
    void shouldCloseASilentConnectionThatIsTooOld() {
        FakeTimer timer = new FakeTimer();
        MemoryChannel channel = MemoryChannel.connected(
                new ConnectionAgeHandler(timer, Duration.ofSeconds(60), Duration.ZERO, Duration.ofSeconds(5)));
        timer.advance(Duration.ofSeconds(60));
        Await.done(channel.getCloseFuture(), "the close after a second of silence");
    }

    @Test
    void shouldExplainAChannelWhoseThreadDoesNotAnswer() {
        MemoryChannel channel = MemoryChannel.connected().holdTasks();
        String text = Await.result(Explain.channel(channel), "the explanation");
        assertTrue(text.contains("its I/O thread does not answer"), text);
    }

    @Test
    void shouldEnforceTheHandshakeTimeout() {
        CountDownLatch expired = new CountDownLatch(1);
        new Deadline(null, 10, expired::countDown).start();
        Await.latch(expired, "the deadline");
    }
}
