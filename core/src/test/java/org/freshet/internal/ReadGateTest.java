package org.freshet.internal;

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

class ReadGateTest {
    @Sharable
    private static final class Gatekeeper extends SimpleChannelHandler {
        private volatile ReadGate gate;

        ReadGate gateOf(MemoryChannel channel) {
            return gateOf(channel.context(this));
        }

        private synchronized ReadGate gateOf(ChannelHandlerContext ctx) {
            if (gate == null) {
                gate = ReadGate.at(ctx);
            }
            return gate;
        }

        @Override
        public void setInterestOpsRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
            gateOf(ctx).request(e);
        }
    }

    private final Gatekeeper lower = new Gatekeeper();
    private final Gatekeeper upper = new Gatekeeper();

    @Test
    void shouldStopReadingUntilAsManyResumptionsAsSuspensions() {
        MemoryChannel channel = MemoryChannel.connected(lower);
        ReadGate gate = lower.gateOf(channel);
        gate.suspend();
        assertFalse(channel.isReadable());
        gate.suspend();
        gate.resume();
        assertTrue(gate.isSuspended());
        assertFalse(channel.isReadable());
        gate.resume();
        assertFalse(gate.isSuspended());
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldAskTheTransportOnlyWhenSomethingChanges() {
        MemoryChannel channel = MemoryChannel.connected(lower);
        ReadGate gate = lower.gateOf(channel);
        channel.takeDownstream();
        gate.suspend();
        gate.suspend();
        gate.resume();
        gate.resume();
        assertEquals(2, channel.takeDownstream().size());
    }

    @Test
    void shouldRememberWhatIsAskedForWhileSuspended() {
        MemoryChannel channel = MemoryChannel.connected(lower);
        ReadGate gate = lower.gateOf(channel);
        gate.suspend();
        Await.success(channel.setReadable(true), "a request to read");
        assertFalse(channel.isReadable());
        Await.success(channel.setReadable(false), "a request not to read");
        gate.resume();
        assertFalse(channel.isReadable());
        Await.success(channel.setReadable(true), "a request to read");
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldAcceptAResumptionThatOvertakesItsSuspension() {
        MemoryChannel channel = MemoryChannel.connected(lower);
        ReadGate gate = lower.gateOf(channel);
        gate.resume();
        gate.suspend();
        assertTrue(channel.isReadable());
        gate.suspend();
        assertFalse(channel.isReadable());
    }

    @Test
    void shouldReadOnlyWhileAllGatesOfThePipelineAreOpen() {
        MemoryChannel channel = MemoryChannel.connected(lower, upper);
        lower.gateOf(channel).suspend();
        upper.gateOf(channel).suspend();
        lower.gateOf(channel).resume();
        assertFalse(channel.isReadable());
        lower.gateOf(channel).suspend();
        upper.gateOf(channel).resume();
        assertFalse(channel.isReadable());
        lower.gateOf(channel).resume();
        assertTrue(channel.isReadable());
    }

    /** Whatever threads do, and in whatever order their requests arrive, the last word is right. */
    @Test
    void shouldLeaveTheChannelAsTheLastRequestsWantIt() {
        MemoryChannel channel = MemoryChannel.connected(lower, upper);
        Random random = Seeds.random();
        for (int round = 0; round < 200; round++) {
            boolean wanted = random.nextBoolean();
            boolean suspended = random.nextInt(3) == 0;
            List<Runnable> jobs = List.of(
                    () -> turn(lower.gateOf(channel), suspended),
                    () -> turn(lower.gateOf(channel), false),
                    () -> turn(upper.gateOf(channel), false),
                    () -> {
                        for (int i = 0; i < 20; i++) {
                            channel.setReadable(i % 2 == 0);
                        }
                        channel.setReadable(wanted);
                    });
            inParallel(jobs);
            assertEquals(wanted && !suspended, channel.isReadable(), "in round " + round);
            if (suspended) {
                lower.gateOf(channel).resume();
            }
            assertEquals(wanted, channel.isReadable(), "after round " + round);
        }
    }

    private static void turn(ReadGate gate, boolean staysSuspended) {
        for (int i = 0; i < 20; i++) {
            gate.suspend();
            gate.resume();
        }
        if (staysSuspended) {
            gate.suspend();
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
