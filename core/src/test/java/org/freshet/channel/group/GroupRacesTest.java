package org.freshet.channel.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.FakeChannel;
import org.freshet.channel.FakeServerChannel;
import org.freshet.channel.Race;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Groups and their futures under every interleaving that comes up in many rounds. */
class GroupRacesTest {
    private static void race(TestReporter reporter, Supplier<? extends Race.Round> rounds) {
        Map<Enum<?>, Integer> outcomes = Race.run(rounds);
        assertFalse(outcomes.isEmpty());
        reporter.publishEntry("outcomes", outcomes.toString());
    }

    enum AddingAndClosing {
        /** Removed by the close future's listener, or by adding. */
        NOT_LEFT_BEHIND
    }

    @Test
    void shouldKeepNoChannelThatClosesWhileItIsAdded(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final DefaultChannelGroup group = new DefaultChannelGroup();
            private final FakeChannel channel = new FakeChannel();

            @Override
            public List<Runnable> actors() {
                return List.of(() -> assertTrue(group.add(channel)), channel::onClosed);
            }

            @Override
            public Enum<?> outcome() {
                assertTrue(group.isEmpty());
                return AddingAndClosing.NOT_LEFT_BEHIND;
            }
        });
    }

    enum AddingAndRemoval {
        ADDED_LAST,
        REMOVED_LAST
    }

    @Test
    void shouldStillForgetAClosingChannelAfterAddingMetRemoval(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final DefaultChannelGroup group = new DefaultChannelGroup();
            private final FakeChannel channel = new FakeChannel();
            private volatile boolean removed;

            @Override
            public List<Runnable> actors() {
                return List.of(() -> assertTrue(group.add(channel)), () -> removed = group.remove(channel));
            }

            @Override
            public Enum<?> outcome() {
                assertEquals(!removed, group.contains(channel));
                channel.onClosed();
                assertTrue(group.isEmpty());
                return removed ? AddingAndRemoval.REMOVED_LAST : AddingAndRemoval.ADDED_LAST;
            }
        });
    }

    enum ClosingAndLateChild {
        /** The child was in the group when the group was closed. */
        CLOSED_WITH_THE_GROUP,
        /** The child was closed when it was added. */
        CLOSED_ON_ARRIVAL
    }

    @Test
    void shouldLeaveNoChildOpenThatIsAddedWhileTheGroupCloses(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final DefaultChannelGroup group = new DefaultChannelGroup();
            private final FakeServerChannel server = new FakeServerChannel();
            private final FakeChannel child = new FakeChannel(server);
            private volatile ChannelGroupFuture closed;

            {
                group.add(server);
            }

            @Override
            public List<Runnable> actors() {
                return List.of(() -> closed = group.close(), () -> group.add(child));
            }

            @Override
            public Enum<?> outcome() {
                assertFalse(server.isOpen());
                assertFalse(child.isOpen());
                assertTrue(group.isEmpty());
                assertTrue(closed.isCompleteSuccess());
                return closed.find(child) != null
                        ? ClosingAndLateChild.CLOSED_WITH_THE_GROUP
                        : ClosingAndLateChild.CLOSED_ON_ARRIVAL;
            }
        });
    }

    enum LastCompletion {
        CALLED_BY_THE_ADDER,
        CALLED_BY_A_COMPLETER
    }

    @Test
    void shouldCallAGroupListenerOnceWhenCompletionsMeetAdding(TestReporter reporter) {
        DefaultChannelGroup group = new DefaultChannelGroup();
        race(reporter, () -> new Race.Round() {
            private final List<ChannelFuture> members = new ArrayList<>();
            private final AtomicInteger calls = new AtomicInteger();
            private final DefaultChannelGroupFuture future;
            private volatile Thread adder;
            private volatile Thread caller;

            {
                for (int i = 0; i < 6; i++) {
                    members.add(new DefaultChannelFuture(null, false));
                }
                future = new DefaultChannelGroupFuture(group, members);
            }

            private void onDone(ChannelGroupFuture done) {
                assertTrue(done.isDone());
                assertTrue(done.isPartialSuccess() && done.isPartialFailure());
                caller = Thread.currentThread();
                calls.incrementAndGet();
            }

            @Override
            public List<Runnable> actors() {
                return List.of(
                        () -> members.subList(0, 3).forEach(ChannelFuture::setSuccess),
                        () -> members.subList(3, 6).forEach(member -> member.setFailure(new IOException())),
                        () -> {
                            adder = Thread.currentThread();
                            future.addListener(this::onDone);
                        });
            }

            @Override
            public Enum<?> outcome() {
                assertEquals(1, calls.get());
                assertTrue(future.isDone());
                return caller == adder ? LastCompletion.CALLED_BY_THE_ADDER : LastCompletion.CALLED_BY_A_COMPLETER;
            }
        });
    }

    enum MakingAndCompletion {
        WOKEN
    }

    @Test
    void shouldCountMembersThatCompleteWhileTheGroupFutureIsMade(TestReporter reporter) {
        DefaultChannelGroup group = new DefaultChannelGroup();
        race(reporter, () -> new Race.Round() {
            private final List<ChannelFuture> members =
                    List.of(new DefaultChannelFuture(null, false), new DefaultChannelFuture(null, false));
            private volatile boolean complete;

            @Override
            public List<Runnable> actors() {
                return List.of(
                        () -> members.forEach(ChannelFuture::setSuccess),
                        () -> complete = new DefaultChannelGroupFuture(group, members)
                                .awaitUninterruptibly()
                                .isCompleteSuccess());
            }

            @Override
            public Enum<?> outcome() {
                assertTrue(complete);
                return MakingAndCompletion.WOKEN;
            }
        });
    }
}
