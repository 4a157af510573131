package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Futures, channels and their variables under every interleaving that comes up in many rounds. */
class ChannelRacesTest {
    private static void race(TestReporter reporter, Supplier<? extends Race.Round> rounds) {
        Map<Enum<?>, Integer> outcomes = Race.run(rounds);
        assertFalse(outcomes.isEmpty());
        reporter.publishEntry("outcomes", outcomes.toString());
    }

    /** Counts its calls and remembers the thread of the last one. */
    private static final class Spy implements ChannelFutureListener {
        final AtomicInteger calls = new AtomicInteger();
        volatile Thread caller;

        @Override
        public void operationComplete(ChannelFuture future) {
            assertTrue(future.isDone());
            caller = Thread.currentThread();
            calls.incrementAndGet();
        }
    }

    // ---- futures ----

    enum CompletionAndAdding {
        /** The listener was in the list when the list was taken. */
        CALLED_BY_THE_COMPLETER,
        /** The list was taken before the listener was added. */
        CALLED_BY_THE_ADDER
    }

    @Test
    void shouldCallAListenerOnceWhenCompletionMeetsAdding(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final DefaultChannelFuture future = new DefaultChannelFuture(null, false);
            private final Spy spy = new Spy();
            private volatile Thread adder;

            @Override
            public List<Runnable> actors() {
                return List.of(future::setSuccess, () -> {
                    adder = Thread.currentThread();
                    future.addListener(spy);
                });
            }

            @Override
            public Enum<?> outcome() {
                assertEquals(1, spy.calls.get());
                return spy.caller == adder
                        ? CompletionAndAdding.CALLED_BY_THE_ADDER
                        : CompletionAndAdding.CALLED_BY_THE_COMPLETER;
            }
        });
    }

    enum CompletionAndTwoAdditions {
        BOTH_IN_TIME,
        FIRST_LATE,
        SECOND_LATE,
        BOTH_LATE
    }

    @Test
    void shouldCallEachListenerOnceWhenCompletionMeetsTwoAdditions(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final DefaultChannelFuture future = new DefaultChannelFuture(null, true);
            private final Spy early = new Spy();
            private final Spy first = new Spy();
            private final Spy second = new Spy();
            private volatile Thread completer;

            {
                future.addListener(early);
            }

            @Override
            public List<Runnable> actors() {
                return List.of(
                        () -> {
                            completer = Thread.currentThread();
                            future.setFailure(new IOException());
                        },
                        () -> future.addListener(first),
                        () -> future.addListener(second));
            }

            @Override
            public Enum<?> outcome() {
                assertEquals(1, early.calls.get());
                assertEquals(1, first.calls.get());
                assertEquals(1, second.calls.get());
                assertSame(completer, early.caller);
                boolean firstInTime = first.caller == completer;
                boolean secondInTime = second.caller == completer;
                return firstInTime
                        ? secondInTime ? CompletionAndTwoAdditions.BOTH_IN_TIME : CompletionAndTwoAdditions.SECOND_LATE
                        : secondInTime ? CompletionAndTwoAdditions.FIRST_LATE : CompletionAndTwoAdditions.BOTH_LATE;
            }
        });
    }

    enum CompletionAndRemoval {
        REMOVED_IN_TIME,
        CALLED_BEFORE
    }

    @Test
    void shouldCallAListenerAtMostOnceWhenCompletionMeetsRemovalAndAdding(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final DefaultChannelFuture future = new DefaultChannelFuture(null, false);
            private final Spy kept = new Spy();
            private final Spy removed = new Spy();
            private final Spy keptToo = new Spy();
            private final Spy added = new Spy();

            {
                future.addListener(kept);
                future.addListener(removed);
                future.addListener(keptToo);
            }

            @Override
            public List<Runnable> actors() {
                return List.of(
                        future::setSuccess, () -> future.removeListener(removed), () -> future.addListener(added));
            }

            @Override
            public Enum<?> outcome() {
                assertEquals(1, kept.calls.get());
                assertEquals(1, keptToo.calls.get());
                assertEquals(1, added.calls.get());
                return switch (removed.calls.get()) {
                    case 0 -> CompletionAndRemoval.REMOVED_IN_TIME;
                    case 1 -> CompletionAndRemoval.CALLED_BEFORE;
                    default -> throw new AssertionError("called again: " + removed.calls);
                };
            }
        });
    }

    enum ThreeCompletions {
        SUCCESS_FIRST,
        FAILURE_FIRST,
        CANCELLATION_FIRST
    }

    @Test
    void shouldCompleteOnceWhenSuccessFailureAndCancellationMeet(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final DefaultChannelFuture future = new DefaultChannelFuture(null, true);
            private final IOException cause = new IOException();
            private final Spy spy = new Spy();
            private final AtomicInteger winners = new AtomicInteger();
            private volatile boolean succeeded;
            private volatile boolean failed;
            private volatile boolean cancelled;

            {
                future.addListener(spy);
            }

            @Override
            public List<Runnable> actors() {
                return List.of(
                        () -> succeeded = won(future.setSuccess()),
                        () -> failed = won(future.setFailure(cause)),
                        () -> cancelled = won(future.cancel()));
            }

            private boolean won(boolean completed) {
                winners.addAndGet(completed ? 1 : 0);
                return completed;
            }

            @Override
            public Enum<?> outcome() {
                assertEquals(1, winners.get());
                assertEquals(1, spy.calls.get());
                assertEquals(succeeded, future.isSuccess());
                assertEquals(cancelled, future.isCancelled());
                assertSame(failed ? cause : null, future.getCause());
                return succeeded
                        ? ThreeCompletions.SUCCESS_FIRST
                        : failed ? ThreeCompletions.FAILURE_FIRST : ThreeCompletions.CANCELLATION_FIRST;
            }
        });
    }

    enum CompletionAndWaiting {
        /** The waiter returned because of the completion, or found the future complete. */
        DONE,
        /** The waiter gave up before the completion. */
        TIMED_OUT,
        INTERRUPTED
    }

    @Test
    void shouldWakeTheWaiterWhenCompletionMeetsWaiting(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final DefaultChannelFuture future = new DefaultChannelFuture(null, false);
            private volatile boolean done;

            @Override
            public List<Runnable> actors() {
                return List.of(
                        future::setSuccess,
                        () -> done = future.awaitUninterruptibly().isDone());
            }

            @Override
            public Enum<?> outcome() {
                assertTrue(done);
                return CompletionAndWaiting.DONE;
            }
        });
    }

    @Test
    void shouldKeepOtherListenersWhenCompletionMeetsATimeout(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final DefaultChannelFuture future = new DefaultChannelFuture(null, false);
            private final Spy spy = new Spy();
            private volatile boolean done;

            @Override
            public List<Runnable> actors() {
                return List.of(
                        future::setSuccess,
                        () -> done = future.awaitUninterruptibly(2, TimeUnit.MICROSECONDS),
                        () -> future.addListener(spy));
            }

            @Override
            public Enum<?> outcome() {
                assertEquals(1, spy.calls.get());
                return done ? CompletionAndWaiting.DONE : CompletionAndWaiting.TIMED_OUT;
            }
        });
    }

    @Test
    void shouldLoseNoInterruptWhenCompletionMeetsInterrupt(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final DefaultChannelFuture future = new DefaultChannelFuture(null, false);
            private volatile Thread waiter;
            private volatile boolean interruptSent;
            private volatile CompletionAndWaiting end;

            private void waitAndLook() {
                waiter = Thread.currentThread();
                boolean thrown = false;
                try {
                    future.await();
                } catch (InterruptedException e) {
                    thrown = true;
                }
                while (!interruptSent) {
                    Thread.onSpinWait();
                }
                assertNotEquals(thrown, Thread.interrupted(), "the interrupt was lost or doubled");
                end = thrown ? CompletionAndWaiting.INTERRUPTED : CompletionAndWaiting.DONE;
            }

            private void interrupt() {
                while (waiter == null) {
                    Thread.onSpinWait();
                }
                waiter.interrupt();
                interruptSent = true;
            }

            @Override
            public List<Runnable> actors() {
                return List.of(future::setSuccess, this::waitAndLook, this::interrupt);
            }

            @Override
            public Enum<?> outcome() {
                return end;
            }
        });
    }

    // ---- channels ----

    enum TwoClosings {
        FIRST_CLOSED,
        SECOND_CLOSED
    }

    @Test
    void shouldCloseOnceWhenTwoClose(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final FakeChannel channel = new FakeChannel();
            private volatile boolean first;
            private volatile boolean second;

            @Override
            public List<Runnable> actors() {
                return List.of(() -> first = channel.onClosed(), () -> second = channel.onClosed());
            }

            @Override
            public Enum<?> outcome() {
                assertNotEquals(first, second);
                assertFalse(channel.isOpen());
                return first ? TwoClosings.FIRST_CLOSED : TwoClosings.SECOND_CLOSED;
            }
        });
    }

    enum Writability {
        /** Unwritable when the first reason was set, and writable again after the last was cleared. */
        CHANGED_TWICE,
        /** One reason was set and cleared before the other was set. */
        CHANGED_FOUR_TIMES
    }

    @Test
    void shouldReportEachChangeOfWritabilityOnce(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final FakeChannel channel = new FakeChannel();
            private final AtomicInteger reported = new AtomicInteger();

            private void transportBackAndForth() {
                reported.addAndGet(channel.setUnwritable() ? 1 : 0);
                reported.addAndGet(channel.setWritable() ? 1 : 0);
            }

            {
                channel.getPipeline().addLast("spy", new SimpleChannelUpstreamHandler() {
                    @Override
                    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
                        reported.incrementAndGet();
                    }
                });
            }

            @Override
            public List<Runnable> actors() {
                return List.of(this::transportBackAndForth, () -> {
                    channel.setUserDefinedWritability(1, false);
                    channel.setUserDefinedWritability(1, true);
                });
            }

            @Override
            public Enum<?> outcome() {
                assertTrue(channel.isWritable());
                return switch (reported.get()) {
                    case 2 -> Writability.CHANGED_TWICE;
                    case 4 -> Writability.CHANGED_FOUR_TIMES;
                    default -> throw new AssertionError("reported " + reported);
                };
            }
        });
    }

    // ---- variables ----

    enum Growth {
        FIRST_ADDED_FIRST,
        SECOND_ADDED_FIRST
    }

    @Test
    void shouldKeepBothValuesWhenTwoVariablesAreSetForTheFirstTime(TestReporter reporter) {
        ChannelLocal<String> first = new ChannelLocal<>();
        ChannelLocal<String> second = new ChannelLocal<>();
        race(reporter, () -> new Race.Round() {
            private final FakeChannel channel = new FakeChannel();

            @Override
            public List<Runnable> actors() {
                return List.of(() -> first.set(channel, "first"), () -> second.set(channel, "second"));
            }

            @Override
            public Enum<?> outcome() {
                assertEquals("first", first.get(channel));
                assertEquals("second", second.get(channel));
                return channel.locals()[1] == "first" ? Growth.FIRST_ADDED_FIRST : Growth.SECOND_ADDED_FIRST;
            }
        });
    }

    enum GrowthAndSetting {
        ALL_KEPT
    }

    @Test
    void shouldKeepAValueWhileOthersAreAddedAndRemoved(TestReporter reporter) {
        ChannelLocal<Integer> changed = new ChannelLocal<>();
        ChannelLocal<String> added = new ChannelLocal<>();
        ChannelLocal<String> removed = new ChannelLocal<>();
        race(reporter, () -> new Race.Round() {
            private final FakeChannel channel = new FakeChannel();

            {
                removed.set(channel, "there");
                changed.set(channel, 0);
            }

            @Override
            public List<Runnable> actors() {
                return List.of(
                        () -> {
                            for (int i = 1; i <= 5; i++) {
                                assertEquals(i - 1, changed.set(channel, i));
                                assertEquals(i, changed.get(channel));
                            }
                        },
                        () -> added.set(channel, "added"),
                        () -> assertEquals("there", removed.remove(channel)));
            }

            @Override
            public Enum<?> outcome() {
                assertEquals(5, changed.get(channel));
                assertEquals("added", added.get(channel));
                assertNull(removed.get(channel));
                assertEquals(4, channel.locals().length);
                return GrowthAndSetting.ALL_KEPT;
            }
        });
    }

    enum FirstValue {
        FIRST_WON,
        SECOND_WON
    }

    @Test
    void shouldAgreeOnTheInitialValue(TestReporter reporter) {
        AtomicInteger lastMade = new AtomicInteger();
        ChannelLocal<Integer> local = new ChannelLocal<>() {
            @Override
            protected Integer initialValue(Channel channel) {
                return lastMade.incrementAndGet();
            }
        };
        race(reporter, () -> new Race.Round() {
            private final FakeChannel channel = new FakeChannel();
            private volatile Integer got;
            private volatile Integer present;

            @Override
            public List<Runnable> actors() {
                return List.of(() -> got = local.get(channel), () -> present = local.setIfAbsent(channel, -1));
            }

            @Override
            public Enum<?> outcome() {
                assertNotNull(got);
                assertEquals(got, local.get(channel));
                if (got == -1) {
                    assertNull(present);
                    return FirstValue.SECOND_WON;
                }
                assertEquals(got, present);
                return FirstValue.FIRST_WON;
            }
        });
    }

    enum SettingAndRemoval {
        SET_LAST,
        REMOVED_LAST
    }

    @Test
    void shouldIterateOverExactlyTheValuesPresentAfterSettingMeetsRemoval(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final ChannelLocal<String> local = new ChannelLocal<>();
            private final FakeChannel channel = new FakeChannel();

            {
                local.set(channel, "before");
            }

            @Override
            public List<Runnable> actors() {
                return List.of(() -> local.set(channel, "set"), () -> assertNotNull(local.remove(channel)));
            }

            @Override
            public Enum<?> outcome() {
                List<String> iterated = new ArrayList<>();
                local.forEach(entry -> iterated.add(entry.getValue()));
                if (local.get(channel) == null) {
                    assertEquals(List.of(), iterated);
                    return SettingAndRemoval.REMOVED_LAST;
                }
                assertEquals(List.of("set"), iterated);
                return SettingAndRemoval.SET_LAST;
            }
        });
    }

    enum SettingAndClosing {
        /** Either order, and also a value that was removed in between. */
        GONE
    }

    @Test
    void shouldKeepNoValueWhenSettingMeetsClosingAndRemoval(TestReporter reporter) {
        race(reporter, () -> new Race.Round() {
            private final ChannelLocal<String> local = new ChannelLocal<>(true);
            private final FakeChannel channel = new FakeChannel();

            @Override
            public List<Runnable> actors() {
                return List.of(() -> local.set(channel, "set"), channel::onClosed, () -> local.remove(channel));
            }

            @Override
            public Enum<?> outcome() {
                assertNull(local.get(channel));
                assertFalse(local.iterator().hasNext());
                return SettingAndClosing.GONE;
            }
        });
    }
}
