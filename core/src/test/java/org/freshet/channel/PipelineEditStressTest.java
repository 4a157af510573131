package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/**
 * Some threads send events while others add, remove and replace handlers. Each event must reach the handlers that stay
 * (the residents) exactly once and in order, and those that come and go (the guests) at most once each.
 *
 * <p>The message of an event is the list of the handlers it has reached, used by one thread at a time.
 */
class PipelineEditStressTest {
    private static final int RESIDENTS = 4;
    private static final int EVENTS_PER_SENDER = 60_000;
    private static final int SENDERS = 2;
    private static final int EDITORS = 2;

    private final ChannelPipeline pipeline = Channels.pipeline();
    private final AtomicLong guestsMet = new AtomicLong();

    /** The handlers that an event has reached. */
    private static final class Journey {
        final List<ChannelHandler> met = new ArrayList<>();
    }

    private static class Resident extends SimpleChannelHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ((Journey) e.getMessage()).met.add(this);
            ctx.sendUpstream(e);
        }

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            ((Journey) e.getMessage()).met.add(this);
            ctx.sendDownstream(e);
        }
    }

    /** Removes itself, replaces itself, or dawdles, while it handles an event. */
    private static final class Guest extends Resident {
        private final int mood;

        Guest(int mood) {
            this.mood = mood;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            depart(ctx);
            super.messageReceived(ctx, e);
        }

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            depart(ctx);
            super.writeRequested(ctx, e);
        }

        private void depart(ChannelHandlerContext ctx) {
            if (mood == 0) {
                attempt(() -> ctx.getPipeline().remove(this));
            } else if (mood == 1) {
                attempt(() -> ctx.getPipeline().replace(this, ctx.getName(), new Guest(2)));
            } else {
                Thread.yield(); // time for others to edit around an event that is being handled
            }
        }
    }

    /** Another thread may have been faster. */
    private static void attempt(Runnable edit) {
        try {
            edit.run();
        } catch (java.util.NoSuchElementException | IllegalArgumentException expected) {
            assertTrue(expected.getMessage() != null);
        }
    }

    @Test
    void shouldSendEachEventThroughEveryResidentOnceWhileGuestsComeAndGo() throws Exception {
        List<ChannelHandler> residents = new ArrayList<>();
        for (int i = 0; i < RESIDENTS; i++) {
            Resident resident = new Resident();
            residents.add(resident);
            pipeline.addLast("resident" + i, resident);
        }
        PaperChannel channel = new PaperChannel(Channels.pipeline());
        pipeline.attach(channel, new DiscardingSink());

        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch start = new CountDownLatch(1);
        List<CompletableFuture<Void>> editors = new ArrayList<>();
        for (int i = 0; i < EDITORS; i++) {
            Random random = Seeds.random(i);
            editors.add(inBackground(start, () -> edit(random, done)));
        }
        List<CompletableFuture<Void>> senders = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            boolean up = i % 2 == 0;
            senders.add(inBackground(start, () -> send(channel, up, residents)));
        }
        start.countDown();
        try {
            for (CompletableFuture<Void> sender : senders) {
                sender.get(50, TimeUnit.SECONDS);
            }
        } finally {
            done.set(true);
        }
        for (CompletableFuture<Void> editor : editors) {
            editor.get(20, TimeUnit.SECONDS);
        }
        checkResidents(residents);
    }

    private static CompletableFuture<Void> inBackground(CountDownLatch start, Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        start.await();
                        task.run();
                        done.complete(null);
                    } catch (Throwable t) {
                        done.completeExceptionally(t);
                    }
                },
                "pipeline-stress");
        thread.setDaemon(true);
        thread.start();
        return done;
    }

    private void send(PaperChannel channel, boolean up, List<ChannelHandler> residents) {
        List<ChannelHandler> expected = new ArrayList<>(residents);
        if (!up) {
            java.util.Collections.reverse(expected);
        }
        // Wait until an event has reached a guest: the senders may finish before an editor's first time slice.
        for (int i = 0; i < EVENTS_PER_SENDER || guestsMet.get() == 0; i++) {
            Journey journey = new Journey();
            if (up) {
                pipeline.sendUpstream(new UpstreamMessageEvent(channel, journey, null));
            } else {
                pipeline.sendDownstream(new DownstreamMessageEvent(channel, Channels.future(channel), journey, null));
            }
            checkJourney(journey, expected, i);
        }
    }

    private void checkJourney(Journey journey, List<ChannelHandler> expected, int number) {
        List<ChannelHandler> residentsMet = new ArrayList<>();
        List<ChannelHandler> guests = new ArrayList<>();
        for (ChannelHandler handler : journey.met) {
            (handler instanceof Guest ? guests : residentsMet).add(handler);
        }
        String where = "event " + number + ", seed " + Seeds.seed();
        assertEquals(expected, residentsMet, where);
        assertEquals(guests.size(), guests.stream().distinct().count(), "an event reached a guest twice, " + where);
        guestsMet.addAndGet(guests.size());
    }

    private void edit(Random random, AtomicBoolean done) {
        while (!done.get()) {
            String name = "guest" + random.nextInt(6);
            String neighbour =
                    random.nextBoolean() ? "guest" + random.nextInt(6) : "resident" + random.nextInt(RESIDENTS);
            Guest guest = new Guest(random.nextInt(4));
            switch (random.nextInt(8)) {
                case 0 -> attempt(() -> pipeline.addFirst(name, guest));
                case 1 -> attempt(() -> pipeline.addLast(name, guest));
                case 2 -> attempt(() -> pipeline.addBefore(neighbour, name, guest));
                case 3 -> attempt(() -> pipeline.addAfter(neighbour, name, guest));
                case 4, 5 -> attempt(() -> pipeline.remove(name));
                default -> attempt(() -> pipeline.replace(name, name, guest));
            }
        }
    }

    private void checkResidents(List<ChannelHandler> residents) {
        List<ChannelHandler> left = new ArrayList<>(pipeline.toMap().values());
        left.removeIf(Guest.class::isInstance);
        assertEquals(residents, left);
    }

    private static final class DiscardingSink extends AbstractChannelSink {
        @Override
        public void eventSunk(ChannelPipeline ignored, ChannelEvent e) {
            e.getFuture().setSuccess();
        }
    }
}
