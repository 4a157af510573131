package org.freshet.internal.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class ReadSuspensionTest {
    @Sharable
    private static final class ReadSuspender extends SimpleChannelHandler {
        private volatile ReadSuspension suspension;

        ReadSuspension suspensionOf(MemoryChannel channel) {
            return suspensionOf(channel.context(this));
        }

        private synchronized ReadSuspension suspensionOf(ChannelHandlerContext ctx) {
            if (suspension == null) {
                suspension = ReadSuspension.at(ctx);
            }
            return suspension;
        }

        @Override
        public void setInterestOpsRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
            suspensionOf(ctx).request(e);
        }
    }

    private final ReadSuspender lower = new ReadSuspender();
    private final ReadSuspender upper = new ReadSuspender();

    @Test
    void shouldStopReadingUntilEverySuspensionIsResumed() {
        MemoryChannel channel = MemoryChannel.connected(lower);
        ReadSuspension suspension = lower.suspensionOf(channel);
        suspension.suspend();
        assertFalse(channel.isReadable());
        suspension.suspend();
        suspension.resume();
        assertTrue(suspension.isSuspended());
        assertFalse(channel.isReadable());
        suspension.resume();
        assertFalse(suspension.isSuspended());
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldAskTheTransportOnlyWhenSomethingChanges() {
        MemoryChannel channel = MemoryChannel.connected(lower);
        ReadSuspension suspension = lower.suspensionOf(channel);
        channel.takeDownstream();
        suspension.suspend();
        suspension.suspend();
        suspension.resume();
        suspension.resume();
        assertEquals(2, channel.takeDownstream().size());
    }

    @Test
    void shouldRememberRequestsWhileSuspended() {
        MemoryChannel channel = MemoryChannel.connected(lower);
        ReadSuspension suspension = lower.suspensionOf(channel);
        suspension.suspend();
        Await.success(channel.setReadable(true), "a request to read");
        assertFalse(channel.isReadable());
        Await.success(channel.setReadable(false), "a request not to read");
        suspension.resume();
        assertFalse(channel.isReadable());
        Await.success(channel.setReadable(true), "a request to read");
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldAcceptAResumptionThatOvertakesItsSuspension() {
        MemoryChannel channel = MemoryChannel.connected(lower);
        ReadSuspension suspension = lower.suspensionOf(channel);
        suspension.resume();
        suspension.suspend();
        assertTrue(channel.isReadable());
        suspension.suspend();
        assertFalse(channel.isReadable());
    }

    @Test
    void shouldReadOnlyWhileNoHandlerOfThePipelineSuspendsIt() {
        MemoryChannel channel = MemoryChannel.connected(lower, upper);
        lower.suspensionOf(channel).suspend();
        upper.suspensionOf(channel).suspend();
        lower.suspensionOf(channel).resume();
        assertFalse(channel.isReadable());
        lower.suspensionOf(channel).suspend();
        upper.suspensionOf(channel).resume();
        assertFalse(channel.isReadable());
        lower.suspensionOf(channel).resume();
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldLeaveTheChannelAsLastRequested() {
        MemoryChannel channel = MemoryChannel.connected(lower, upper);
        Random random = Seeds.random();
        for (int round = 0; round < 200; round++) {
            boolean wanted = random.nextBoolean();
            boolean suspended = random.nextInt(3) == 0;
            List<Runnable> jobs = List.of(
                    () -> suspendAndResume(lower.suspensionOf(channel), suspended),
                    () -> suspendAndResume(lower.suspensionOf(channel), false),
                    () -> suspendAndResume(upper.suspensionOf(channel), false),
                    () -> {
                        for (int i = 0; i < 20; i++) {
                            channel.setReadable(i % 2 == 0);
                        }
                        channel.setReadable(wanted);
                    });
            inParallel(jobs);
            assertEquals(wanted && !suspended, channel.isReadable(), "in round " + round);
            if (suspended) {
                lower.suspensionOf(channel).resume();
            }
            assertEquals(wanted, channel.isReadable(), "after round " + round);
        }
    }

    private static void suspendAndResume(ReadSuspension suspension, boolean staysSuspended) {
        for (int i = 0; i < 20; i++) {
            suspension.suspend();
            suspension.resume();
        }
        if (staysSuspended) {
            suspension.suspend();
        }
    }

    private static void inParallel(List<Runnable> jobs) {
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (Runnable job : jobs) {
            Thread thread = new Thread(() -> {
                Await.latch(start, "the start");
                job.run();
            });
            thread.start();
            threads.add(thread);
        }
        start.countDown();
        threads.forEach(Await::end);
    }
}
